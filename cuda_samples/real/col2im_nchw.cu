// col2im, the gradient of im2col: each thread sums the column entries that its
// pixel went to. Seven divisions besides those by dilations in the inner loop.
//
// A perfect simplifier finds the channel behind the line (i / W) / H instead of
// i / (W * H): eight different divisions, all unsigned. All sizes are positive.

#include "../check.h"

extern "C" __global__ void col2im_nchw(int n, const float *columns, int height,
                                       int width, int kernel_h, int kernel_w,
                                       int pad_h, int pad_w, int stride_h,
                                       int stride_w, int dilation_h,
                                       int dilation_w, int out_h, int out_w,
                                       float *image) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    float sum = 0.0f;
    int w = i % width + pad_w;
    int h = (i / width) % height + pad_h;
    int channel = i / (width * height);
    int extent_h = (kernel_h - 1) * dilation_h + 1;
    int extent_w = (kernel_w - 1) * dilation_w + 1;
    int first_w = w < extent_w ? 0 : (w - extent_w) / stride_w + 1;
    int last_w = min(w / stride_w + 1, out_w);
    int first_h = h < extent_h ? 0 : (h - extent_h) / stride_h + 1;
    int last_h = min(h / stride_h + 1, out_h);
    for (int oh = first_h; oh < last_h; ++oh)
      for (int ow = first_w; ow < last_w; ++ow) {
        int tap_h = h - oh * stride_h;
        int tap_w = w - ow * stride_w;
        if (tap_h % dilation_h == 0 && tap_w % dilation_w == 0) {
          tap_h /= dilation_h;
          tap_w /= dilation_w;
          int row = (channel * kernel_h + tap_h) * kernel_w + tap_w;
          sum += columns[(row * out_h + oh) * out_w + ow];
        }
      }
    image[i] = sum;
  }
}

extern "C" __global__ void
col2im_nchw_ideal(int n, const float *columns, int height, int width,
                  int kernel_h, int kernel_w, int pad_h, int pad_w,
                  int stride_h, int stride_w, int dilation_h, int dilation_w,
                  int out_h, int out_w, float *image) {
  unsigned extent_h = (kernel_h - 1) * dilation_h + 1;
  unsigned extent_w = (kernel_w - 1) * dilation_w + 1;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    float sum = 0.0f;
    unsigned line = i / unsigned(width);
    unsigned channel = line / unsigned(height);
    unsigned w = i - line * width + pad_w;
    unsigned h = line - channel * height + pad_h;
    unsigned first_w =
        w < extent_w ? 0 : (w - extent_w) / unsigned(stride_w) + 1;
    unsigned last_w = min(w / unsigned(stride_w) + 1, unsigned(out_w));
    unsigned first_h =
        h < extent_h ? 0 : (h - extent_h) / unsigned(stride_h) + 1;
    unsigned last_h = min(h / unsigned(stride_h) + 1, unsigned(out_h));
    for (unsigned oh = first_h; oh < last_h; ++oh) {
      unsigned far_h = h - oh * stride_h;
      unsigned tap_h = far_h / unsigned(dilation_h);
      if (far_h != tap_h * dilation_h)
        continue;
      for (unsigned ow = first_w; ow < last_w; ++ow) {
        unsigned far_w = w - ow * stride_w;
        unsigned tap_w = far_w / unsigned(dilation_w);
        if (far_w != tap_w * dilation_w)
          continue;
        unsigned row = (channel * kernel_h + tap_h) * kernel_w + tap_w;
        sum += columns[(row * out_h + oh) * out_w + ow];
      }
    }
    image[i] = sum;
  }
}

int main() {
  const int C = 3, H = 11, W = 13, KH = 3, KW = 2, PH = 1, PW = 2, SH = 2,
            SW = 1, DH = 2, DW = 3;
  const int OH = (H + 2 * PH - (DH * (KH - 1) + 1)) / SH + 1;
  const int OW = (W + 2 * PW - (DW * (KW - 1) + 1)) / SW + 1;
  std::vector<float> In = makeInput<float>(C * KH * KW * OH * OW, 1);
  std::vector<float> Want(C * H * W, 0.0f);
  auto Next = In.begin();
  for (int Ch = 0; Ch < C; ++Ch)
    for (int KY = 0; KY < KH; ++KY)
      for (int KX = 0; KX < KW; ++KX)
        for (int Y = 0; Y < OH; ++Y)
          for (int X = 0; X < OW; ++X, ++Next) {
            int R = Y * SH - PH + KY * DH, Q = X * SW - PW + KX * DW;
            if (R >= 0 && R < H && Q >= 0 && Q < W)
              Want[(Ch * H + R) * W + Q] += *Next;
          }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {col2im_nchw, col2im_nchw_ideal}) {
    Kernel<<<2, 64>>>(C * H * W, DIn.get(), H, W, KH, KW, PH, PW, SH, SW, DH,
                      DW, OH, OW, DOut.get());
    expectOutput("col2im_nchw", DOut, Want);
  }
  std::puts("col2im_nchw: OK");
}
