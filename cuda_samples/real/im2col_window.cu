// im2col with a thread per entry of the columns: the channel divides by the
// product of four sizes, the other digits by one after the other.
//
// A perfect simplifier puts i / (kh * kw * oh * ow) at the end of the chain
// i / ow / oh / kw: four divisions, and stores to i. All sizes are positive.

#include "../check.h"

extern "C" __global__ void im2col_window(int size, float *columns,
                                         const float *image, int height,
                                         int width, int kernel_h, int kernel_w,
                                         int out_h, int out_w, int pad,
                                         int stride, int dilation) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
       i += blockDim.x * gridDim.x) {
    int channel = i / (kernel_h * kernel_w * out_h * out_w);
    int line = i / out_w;
    int oh = line % out_h;
    int ow = i % out_w;
    int tap = line / out_h;
    int ky = tap / kernel_w % kernel_h;
    int kx = tap % kernel_w;
    int h = oh * stride - pad + ky * dilation;
    int w = ow * stride - pad + kx * dilation;
    bool inside = h >= 0 && h < height && w >= 0 && w < width;
    columns[i] = inside ? image[(channel * height + h) * width + w] : 0.0f;
  }
}

extern "C" __global__ void
im2col_window_ideal(int size, float *columns, const float *image, int height,
                    int width, int kernel_h, int kernel_w, int out_h, int out_w,
                    int pad, int stride, int dilation) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(size);
       i += blockDim.x * gridDim.x) {
    unsigned line = i / unsigned(out_w);
    unsigned tap = line / unsigned(out_h);
    unsigned tap_line = tap / unsigned(kernel_w);
    unsigned channel = tap_line / unsigned(kernel_h);
    unsigned h = (line - tap * out_h) * stride - pad +
                 (tap_line - channel * kernel_h) * dilation;
    unsigned w = (i - line * out_w) * stride - pad +
                 (tap - tap_line * kernel_w) * dilation;
    bool inside = h < unsigned(height) && w < unsigned(width);
    columns[i] = inside ? image[(channel * height + h) * width + w] : 0.0f;
  }
}

int main() {
  const int C = 4, H = 11, W = 9, KH = 3, KW = 2, Pad = 2, Stride = 2, Dil = 3;
  const int OH = (H + 2 * Pad - (Dil * (KH - 1) + 1)) / Stride + 1;
  const int OW = (W + 2 * Pad - (Dil * (KW - 1) + 1)) / Stride + 1;
  std::vector<float> In = makeInput<float>(C * H * W, 1), Want;
  for (int Ch = 0; Ch < C; ++Ch)
    for (int KY = 0; KY < KH; ++KY)
      for (int KX = 0; KX < KW; ++KX)
        for (int Y = 0; Y < OH; ++Y)
          for (int X = 0; X < OW; ++X) {
            int R = Y * Stride - Pad + KY * Dil;
            int Q = X * Stride - Pad + KX * Dil;
            bool Inside = R >= 0 && R < H && Q >= 0 && Q < W;
            Want.push_back(Inside ? In[(Ch * H + R) * W + Q] : 0.0f);
          }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {im2col_window, im2col_window_ideal}) {
    Kernel<<<3, 64>>>(Want.size(), DOut.get(), DIn.get(), H, W, KH, KW, OH, OW,
                      Pad, Stride, Dil);
    expectOutput("im2col_window", DOut, Want);
  }
  std::puts("im2col_window: OK");
}
