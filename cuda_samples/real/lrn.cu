// Local response normalisation across channels, with 64-bit sizes and a
// grid-stride loop: each digit divides i by a product of sizes. The size of an
// image in memory is an argument of its own.
//
// A perfect simplifier divides by the volume and by the channels, in 32 bits:
// two divisions instead of eight. The sizes are positive and the product fits
// 31 bits.

#include "../check.h"

#include <cstdint>

extern "C" __global__ void lrn(const float *in, float *out, int64_t N,
                               int64_t C, int64_t D, int64_t H, int64_t W,
                               int64_t image_stride, int64_t size, float alpha,
                               float k) {
  int64_t total = N * C * D * H * W;
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < total;
       i += blockDim.x * gridDim.x) {
    int64_t n = (i / (C * D * H * W)) % N;
    int64_t c = (i / (D * H * W)) % C;
    int64_t d = (i / (H * W)) % D;
    int64_t h = (i / W) % H;
    int64_t w = i % W;
    int64_t half = (size - 1) / 2;
    int64_t first = max(c - half, int64_t(0));
    int64_t last = min(c + half + 1, C);
    float sum = 0.0f;
    for (int64_t other = first; other < last; ++other) {
      float value =
          in[n * image_stride + other * D * H * W + d * H * W + h * W + w];
      sum += value * value;
    }
    int64_t at = n * image_stride + c * D * H * W + d * H * W + h * W + w;
    out[at] = in[at] / (k + alpha * sum / size);
  }
}

extern "C" __global__ void lrn_ideal(const float *in, float *out, int64_t N,
                                     int64_t C, int64_t D, int64_t H, int64_t W,
                                     int64_t image_stride, int64_t size,
                                     float alpha, float k) {
  unsigned channels = C;
  unsigned volume = unsigned(D) * unsigned(H) * unsigned(W);
  unsigned image_volume = channels * volume;
  unsigned total = unsigned(N) * image_volume;
  int half = int(size - 1) / 2;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < total;
       i += blockDim.x * gridDim.x) {
    unsigned line = i / volume;
    unsigned n = line / channels;
    int c = line - n * channels;
    unsigned at = i + n * (unsigned(image_stride) - image_volume);
    int first = max(c - half, 0);
    int last = min(c + half + 1, int(channels));
    float sum = 0.0f;
    const float *from = in + (at - (c - first) * volume);
    for (int other = first; other < last; ++other) {
      sum += *from * *from;
      from += volume;
    }
    out[at] = in[at] / (k + alpha * sum / size);
  }
}

int main() {
  const int N = 2, C = 5, D = 2, H = 3, W = 4, Size = 3;
  const int Stride = C * D * H * W + 7;
  std::vector<float> In = makeInput<float>(N * Stride, 1), Want(N * Stride);
  for (int B = 0; B < N; ++B)
    for (int Ch = 0; Ch < C; ++Ch)
      for (int V = 0; V < D * H * W; ++V) {
        float Sum = 0.0f;
        for (int O = Ch - 1; O <= Ch + 1; ++O)
          if (O >= 0 && O < C) {
            float Value = In[B * Stride + O * D * H * W + V];
            Sum += Value * Value;
          }
        int At = B * Stride + Ch * D * H * W + V;
        Want[At] = In[At] / (2.0f + 0.5f * Sum / Size);
      }

  DeviceBuffer<float> DIn(In);
  for (auto *Kernel : {lrn, lrn_ideal}) {
    DeviceBuffer<float> DOut(std::vector<float>(Want.size(), 0.0f));
    Kernel<<<1, 96>>>(DIn.get(), DOut.get(), N, C, D, H, W, Stride, Size, 0.5f,
                      2.0f);
    expectOutput("lrn", DOut, Want);
  }
  std::puts("lrn: OK");
}
