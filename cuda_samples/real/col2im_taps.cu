// col2im with a thread per kernel tap: it adds its row of columns to the image.
// The channel divides by the sizes in another order than the taps do.
//
// A perfect simplifier sorts c / kh / kw to (c / kw) / kh: two divisions
// instead of four. All sizes are positive.

#include "../check.h"

extern "C" __global__ void col2im_taps(int rows, const float *columns,
                                       float *image, int height, int width,
                                       int kernel_h, int kernel_w, int out_h,
                                       int out_w, int pad, int stride) {
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < rows;
       c += blockDim.x * gridDim.x) {
    int kx = c % kernel_w;
    int ky = (c / kernel_w) % kernel_h;
    int channel = c / kernel_h / kernel_w;
    for (int oh = 0; oh < out_h; ++oh) {
      int h = oh * stride - pad + ky;
      for (int ow = 0; ow < out_w; ++ow) {
        int w = ow * stride - pad + kx;
        if (h >= 0 && h < height && w >= 0 && w < width)
          atomicAdd(&image[(channel * height + h) * width + w],
                    columns[(c * out_h + oh) * out_w + ow]);
      }
    }
  }
}

extern "C" __global__ void col2im_taps_ideal(int rows, const float *columns,
                                             float *image, int height,
                                             int width, int kernel_h,
                                             int kernel_w, int out_h, int out_w,
                                             int pad, int stride) {
  for (unsigned c = blockIdx.x * blockDim.x + threadIdx.x; c < unsigned(rows);
       c += blockDim.x * gridDim.x) {
    unsigned line = c / unsigned(kernel_w);
    unsigned channel = line / unsigned(kernel_h);
    int left = c - line * kernel_w - pad;
    int top = line - channel * kernel_h - pad;
    for (int oh = 0; oh < out_h; ++oh) {
      unsigned h = oh * stride + top;
      for (int ow = 0; ow < out_w; ++ow) {
        unsigned w = ow * stride + left;
        if (h < unsigned(height) && w < unsigned(width))
          atomicAdd(&image[(channel * height + h) * width + w],
                    columns[(c * out_h + oh) * out_w + ow]);
      }
    }
  }
}

int main() {
  const int C = 5, H = 9, W = 11, KH = 3, KW = 2, Pad = 1, Stride = 2;
  const int OH = (H + 2 * Pad - KH) / Stride + 1;
  const int OW = (W + 2 * Pad - KW) / Stride + 1;
  std::vector<float> In = makeInput<float>(C * KH * KW * OH * OW, 1);
  std::vector<float> Want(C * H * W, 0.0f), Zero(C * H * W, 0.0f);
  auto Next = In.begin();
  for (int Ch = 0; Ch < C; ++Ch)
    for (int KY = 0; KY < KH; ++KY)
      for (int KX = 0; KX < KW; ++KX)
        for (int Y = 0; Y < OH; ++Y)
          for (int X = 0; X < OW; ++X, ++Next) {
            int R = Y * Stride - Pad + KY, Q = X * Stride - Pad + KX;
            if (R >= 0 && R < H && Q >= 0 && Q < W)
              Want[(Ch * H + R) * W + Q] += *Next;
          }

  DeviceBuffer<float> DIn(In);
  for (auto *Kernel : {col2im_taps, col2im_taps_ideal}) {
    DeviceBuffer<float> DOut(Zero);
    Kernel<<<1, 16>>>(C * KH * KW, DIn.get(), DOut.get(), H, W, KH, KW, OH, OW,
                      Pad, Stride);
    expectOutput("col2im_taps", DOut, Want);
  }
  std::puts("col2im_taps: OK");
}
