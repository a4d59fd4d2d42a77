// Average pooling with a thread per output, one image plane after the other:
// plane, row and column from a quotient and remainders of a product.
//
// A perfect simplifier divides by the width, then by the height: two divisions.
// All sizes are positive.

#include "../check.h"

extern "C" __global__ void avg_pool_planes(int in_h, int in_w, int out_h,
                                           int out_w, int kernel_h,
                                           int kernel_w, int stride_h,
                                           int stride_w, int pad_h, int pad_w,
                                           int n, const float *in, float *out) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n)
    return;
  const int in_plane = in_h * in_w;
  const int out_plane = out_h * out_w;
  const int plane = i / out_plane;
  const int oh = i % out_plane / out_w;
  const int ow = i % out_plane % out_w;
  const float *from = in + plane * in_plane;
  float *to = out + plane * out_plane;
  const int first_h = oh * stride_h - pad_h;
  const int first_w = ow * stride_w - pad_w;
  const int top = max(0, first_h), bottom = min(in_h, first_h + kernel_h);
  const int left = max(0, first_w), right = min(in_w, first_w + kernel_w);
  const float scale = 1.0f / (kernel_h * kernel_w);
  float sum = 0.0f;
  for (int h = top; h < bottom; ++h)
    for (int w = left; w < right; ++w)
      sum += from[h * in_w + w] * scale;
  to[oh * out_w + ow] = sum;
}

extern "C" __global__ void
avg_pool_planes_ideal(int in_h, int in_w, int out_h, int out_w, int kernel_h,
                      int kernel_w, int stride_h, int stride_w, int pad_h,
                      int pad_w, int n, const float *in, float *out) {
  unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= unsigned(n))
    return;
  unsigned line = i / unsigned(out_w);
  unsigned plane = line / unsigned(out_h);
  const float *from = in + plane * unsigned(in_h * in_w);
  int first_h = (line - plane * out_h) * stride_h - pad_h;
  int first_w = (i - line * out_w) * stride_w - pad_w;
  int top = max(0, first_h), bottom = min(in_h, first_h + kernel_h);
  int left = max(0, first_w), right = min(in_w, first_w + kernel_w);
  const float scale = 1.0f / (kernel_h * kernel_w);
  float sum = 0.0f;
  for (int h = top; h < bottom; ++h)
    for (int w = left; w < right; ++w)
      sum += from[h * in_w + w] * scale;
  out[i] = sum;
}

int main() {
  const int Planes = 5, H = 10, W = 13, KH = 3, KW = 4, SH = 2, SW = 3, PH = 1,
            PW = 2;
  const int OH = (H + 2 * PH - KH) / SH + 1, OW = (W + 2 * PW - KW) / SW + 1;
  std::vector<float> In = makeInput<float>(Planes * H * W, 1), Want;
  for (int Plane = 0; Plane < Planes; ++Plane)
    for (int Y = 0; Y < OH; ++Y)
      for (int X = 0; X < OW; ++X) {
        float Sum = 0.0f;
        for (int R = Y * SH - PH; R < Y * SH - PH + KH; ++R)
          for (int Q = X * SW - PW; Q < X * SW - PW + KW; ++Q)
            if (R >= 0 && R < H && Q >= 0 && Q < W)
              Sum += In[(Plane * H + R) * W + Q];
        Want.push_back(Sum / (KH * KW));
      }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {avg_pool_planes, avg_pool_planes_ideal}) {
    Kernel<<<3, 64>>>(H, W, OH, OW, KH, KW, SH, SW, PH, PW, Want.size(),
                      DIn.get(), DOut.get());
    expectOutput("avg_pool_planes", DOut, Want);
  }
  std::puts("avg_pool_planes: OK");
}
