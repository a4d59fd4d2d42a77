// im2col of NCHW images with stride, pad and dilation, as deep-learning
// frameworks write it: one thread per channel and column, a grid-stride loop,
// all sizes at run time.
//
// A perfect simplifier keeps two divisions and stores from
// i + channel * (taps - 1) * columns on. All sizes are positive.

#include "../check.h"

extern "C" __global__ void im2col_nchw(int n, const float *image, int height,
                                       int width, int kernel_h, int kernel_w,
                                       int pad_h, int pad_w, int stride_h,
                                       int stride_w, int dilation_h,
                                       int dilation_w, int out_h, int out_w,
                                       float *columns) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    int line = i / out_w;
    int oh = line % out_h;
    int ow = i % out_w;
    int channel = line / out_h;
    int row = channel * kernel_h * kernel_w;
    int top = oh * stride_h - pad_h;
    int left = ow * stride_w - pad_w;
    float *to = columns + (row * out_h + oh) * out_w + ow;
    const float *from = image + (channel * height + top) * width + left;
    for (int ky = 0; ky < kernel_h; ++ky)
      for (int kx = 0; kx < kernel_w; ++kx) {
        int h = top + ky * dilation_h;
        int w = left + kx * dilation_w;
        bool inside = h >= 0 && w >= 0 && h < height && w < width;
        *to = inside ? from[ky * dilation_h * width + kx * dilation_w] : 0.0f;
        to += out_h * out_w;
      }
  }
}

extern "C" __global__ void
im2col_nchw_ideal(int n, const float *image, int height, int width,
                  int kernel_h, int kernel_w, int pad_h, int pad_w,
                  int stride_h, int stride_w, int dilation_h, int dilation_w,
                  int out_h, int out_w, float *columns) {
  unsigned plane = out_h * out_w;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    unsigned line = i / unsigned(out_w);
    unsigned channel = line / unsigned(out_h);
    int top = (line - channel * out_h) * stride_h - pad_h;
    int left = (i - line * out_w) * stride_w - pad_w;
    float *to = columns + (i + channel * (kernel_h * kernel_w - 1) * plane);
    const float *from = image + int((channel * height + top) * width + left);
    for (int ky = 0; ky < kernel_h; ++ky)
      for (int kx = 0; kx < kernel_w; ++kx) {
        unsigned h = top + ky * dilation_h;
        unsigned w = left + kx * dilation_w;
        bool inside = h < unsigned(height) && w < unsigned(width);
        *to = inside ? from[ky * dilation_h * width + kx * dilation_w] : 0.0f;
        to += plane;
      }
  }
}

int main() {
  const int C = 3, H = 13, W = 17, KH = 3, KW = 5, PH = 1, PW = 2, SH = 2,
            SW = 1, DH = 2, DW = 1;
  const int OH = (H + 2 * PH - (DH * (KH - 1) + 1)) / SH + 1;
  const int OW = (W + 2 * PW - (DW * (KW - 1) + 1)) / SW + 1;
  std::vector<float> In = makeInput<float>(C * H * W, 1), Want;
  for (int Ch = 0; Ch < C; ++Ch)
    for (int KY = 0; KY < KH; ++KY)
      for (int KX = 0; KX < KW; ++KX)
        for (int Y = 0; Y < OH; ++Y)
          for (int X = 0; X < OW; ++X) {
            int R = Y * SH - PH + KY * DH, Q = X * SW - PW + KX * DW;
            bool Inside = R >= 0 && R < H && Q >= 0 && Q < W;
            Want.push_back(Inside ? In[(Ch * H + R) * W + Q] : 0.0f);
          }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {im2col_nchw, im2col_nchw_ideal}) {
    Kernel<<<2, 64>>>(C * OH * OW, DIn.get(), H, W, KH, KW, PH, PW, SH, SW, DH,
                      DW, OH, OW, DOut.get());
    expectOutput("im2col_nchw", DOut, Want);
  }
  std::puts("im2col_nchw: OK");
}
