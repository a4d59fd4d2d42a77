// Adaptive average pooling of volumes: windows whose bounds are fractions of
// the input. Remainders of remainders and a quotient of products.
//
// A perfect simplifier divides by the width, the height and the depth, three
// times instead of five. All sizes are positive.

#include "../check.h"

static __host__ __device__ int windowStart(int i, int outs, int ins) {
  return static_cast<int>(std::floor(static_cast<float>(i * ins) / outs));
}

static __host__ __device__ int windowEnd(int i, int outs, int ins) {
  return static_cast<int>(std::ceil(static_cast<float>((i + 1) * ins) / outs));
}

extern "C" __global__ void adaptive_pool(const float *in, float *out, int n,
                                         int in_d, int in_h, int in_w,
                                         int out_d, int out_h, int out_w) {
  const int in_volume = in_d * in_h * in_w;
  const int out_volume = out_d * out_h * out_w;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    int image = i / out_volume;
    int od = (i % out_volume) / out_w / out_h;
    int oh = (i % out_volume) % (out_h * out_w) / out_w;
    int ow = (i % out_volume) % (out_h * out_w) % out_w;
    int first_d = windowStart(od, out_d, in_d);
    int count_d = windowEnd(od, out_d, in_d) - first_d;
    int first_h = windowStart(oh, out_h, in_h);
    int count_h = windowEnd(oh, out_h, in_h) - first_h;
    int first_w = windowStart(ow, out_w, in_w);
    int count_w = windowEnd(ow, out_w, in_w) - first_w;
    const float *from = in + image * in_volume + first_d * in_h * in_w +
                        first_h * in_w + first_w;
    float sum = 0.0f;
    for (int d = 0; d < count_d; ++d) {
      for (int h = 0; h < count_h; ++h)
        for (int w = 0; w < count_w; ++w)
          sum += from[h * in_w + w];
      from += in_h * in_w;
    }
    out[i] = sum / count_d / count_h / count_w;
  }
}

extern "C" __global__ void adaptive_pool_ideal(const float *in, float *out,
                                               int n, int in_d, int in_h,
                                               int in_w, int out_d, int out_h,
                                               int out_w) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    unsigned line = i / unsigned(out_w);
    unsigned plane = line / unsigned(out_h);
    unsigned image = plane / unsigned(out_d);
    int od = plane - image * out_d;
    int oh = line - plane * out_h;
    int ow = i - line * out_w;
    int first_d = windowStart(od, out_d, in_d);
    int count_d = windowEnd(od, out_d, in_d) - first_d;
    int first_h = windowStart(oh, out_h, in_h);
    int count_h = windowEnd(oh, out_h, in_h) - first_h;
    int first_w = windowStart(ow, out_w, in_w);
    int count_w = windowEnd(ow, out_w, in_w) - first_w;
    const float *from =
        in + (((image * in_d + first_d) * in_h + first_h) * in_w + first_w);
    float sum = 0.0f;
    for (int d = 0; d < count_d; ++d) {
      for (int h = 0; h < count_h; ++h)
        for (int w = 0; w < count_w; ++w)
          sum += from[h * in_w + w];
      from += in_h * in_w;
    }
    out[i] = sum / count_d / count_h / count_w;
  }
}

int main() {
  const int N = 3, D = 5, H = 7, W = 11, OD = 2, OH = 3, OW = 4;
  std::vector<float> In = makeInput<float>(N * D * H * W, 1), Want;
  for (int B = 0; B < N; ++B)
    for (int Z = 0; Z < OD; ++Z)
      for (int Y = 0; Y < OH; ++Y)
        for (int X = 0; X < OW; ++X) {
          float Sum = 0.0f;
          int Count = 0;
          for (int ID = Z * D / OD; ID * OD < (Z + 1) * D; ++ID)
            for (int IH = Y * H / OH; IH * OH < (Y + 1) * H; ++IH)
              for (int IW = X * W / OW; IW * OW < (X + 1) * W; ++IW, ++Count)
                Sum += In[((B * D + ID) * H + IH) * W + IW];
          Want.push_back(Sum / Count);
        }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {adaptive_pool, adaptive_pool_ideal}) {
    Kernel<<<1, 32>>>(DIn.get(), DOut.get(), Want.size(), D, H, W, OD, OH, OW);
    expectOutput("adaptive_pool", DOut, Want);
  }
  std::puts("adaptive_pool: OK");
}
