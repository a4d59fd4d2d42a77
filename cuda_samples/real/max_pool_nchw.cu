// Max pooling of NCHW images with the position of the maximum: four digits of
// the output index, two of which are joined again.
//
// A perfect simplifier divides twice: n * channels + c is i / pw / ph. All
// sizes are positive.

#include "../check.h"

#include <cfloat>

extern "C" __global__ void max_pool_nchw(int n, const float *in, int channels,
                                         int height, int width, int pooled_h,
                                         int pooled_w, int kernel_h,
                                         int kernel_w, int stride_h,
                                         int stride_w, int pad_h, int pad_w,
                                         float *out, int *mask) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    int pw = i % pooled_w;
    int ph = (i / pooled_w) % pooled_h;
    int c = (i / pooled_w / pooled_h) % channels;
    int image = i / pooled_w / pooled_h / channels;
    int first_h = ph * stride_h - pad_h;
    int first_w = pw * stride_w - pad_w;
    int last_h = min(first_h + kernel_h, height);
    int last_w = min(first_w + kernel_w, width);
    first_h = max(first_h, 0);
    first_w = max(first_w, 0);
    float most = -FLT_MAX;
    int most_at = -1;
    const float *slice = in + (image * channels + c) * height * width;
    for (int h = first_h; h < last_h; ++h)
      for (int w = first_w; w < last_w; ++w)
        if (slice[h * width + w] > most) {
          most_at = h * width + w;
          most = slice[most_at];
        }
    out[i] = most;
    mask[i] = most_at;
  }
}

extern "C" __global__ void
max_pool_nchw_ideal(int n, const float *in, int channels, int height, int width,
                    int pooled_h, int pooled_w, int kernel_h, int kernel_w,
                    int stride_h, int stride_w, int pad_h, int pad_w,
                    float *out, int *mask) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    unsigned line = i / unsigned(pooled_w);
    unsigned plane = line / unsigned(pooled_h);
    int first_h = (line - plane * pooled_h) * stride_h - pad_h;
    int first_w = (i - line * pooled_w) * stride_w - pad_w;
    int last_h = min(first_h + kernel_h, height);
    int last_w = min(first_w + kernel_w, width);
    first_h = max(first_h, 0);
    first_w = max(first_w, 0);
    float most = -FLT_MAX;
    int most_at = -1;
    const float *slice = in + plane * unsigned(height * width);
    for (int h = first_h; h < last_h; ++h)
      for (int w = first_w; w < last_w; ++w)
        if (slice[h * width + w] > most) {
          most_at = h * width + w;
          most = slice[most_at];
        }
    out[i] = most;
    mask[i] = most_at;
  }
}

int main() {
  const int N = 2, C = 3, H = 11, W = 14, KH = 3, KW = 2, SH = 2, SW = 3,
            PH = 1, PW = 1;
  const int OH = (H + 2 * PH - KH) / SH + 1, OW = (W + 2 * PW - KW) / SW + 1;
  std::vector<float> In = makeInput<float>(N * C * H * W, 1), Want;
  std::vector<int> Mask;
  for (int Plane = 0; Plane < N * C; ++Plane)
    for (int Y = 0; Y < OH; ++Y)
      for (int X = 0; X < OW; ++X) {
        int At = -1;
        for (int R = Y * SH - PH; R < Y * SH - PH + KH; ++R)
          for (int Q = X * SW - PW; Q < X * SW - PW + KW; ++Q)
            if (R >= 0 && R < H && Q >= 0 && Q < W)
              if (At < 0 ||
                  In[Plane * H * W + R * W + Q] > In[Plane * H * W + At])
                At = R * W + Q;
        Want.push_back(In[Plane * H * W + At]);
        Mask.push_back(At);
      }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  DeviceBuffer<int> DMask(Want.size());
  for (auto *Kernel : {max_pool_nchw, max_pool_nchw_ideal}) {
    Kernel<<<1, 128>>>(Want.size(), DIn.get(), C, H, W, OH, OW, KH, KW, SH, SW,
                       PH, PW, DOut.get(), DMask.get());
    expectOutput("max_pool_nchw", DOut, Want);
    expectOutput("max_pool_nchw: mask", DMask, Mask);
  }
  std::puts("max_pool_nchw: OK");
}
