// Softmax over the rows of f32[2,6,25,60], one thread a row, as a fusion
// emitter writes it with the reshape [300,60] -> [2,6,25,60] inside each loop:
// every iteration rebuilds the element's index with div and mod.
//
// A perfect simplifier finds that it is 60*row + k: no division is left, and
// the loops step one pointer. `unsigned` index.

#include "check.h"

constexpr int kB = 2, kH = 6, kQ = 25, kK = 60;
constexpr int kRows = kB * kH * kQ;
constexpr int kN = kRows * kK;
constexpr int kBlock = 128;
constexpr int kBlocks = (kRows + kBlock - 1) / kBlock;

static __device__ __forceinline__ unsigned elementIndex(unsigned row,
                                                        unsigned k) {
  unsigned linear = row * kK + k;
  unsigned b = linear / (kH * kQ * kK);
  unsigned h = (linear / (kQ * kK)) % kH;
  unsigned q = (linear / kK) % kQ;
  return ((b * kH + h) * kQ + q) * kK + linear % kK;
}

extern "C" __global__ void softmax_rows(const float *__restrict__ in,
                                        float *__restrict__ out) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= kRows)
    return;
  float best = -INFINITY;
#pragma unroll 4
  for (unsigned k = 0; k < kK; ++k)
    best = fmaxf(best, in[elementIndex(row, k)]);
  float sum = 0.0f;
#pragma unroll 4
  for (unsigned k = 0; k < kK; ++k)
    sum += __expf(in[elementIndex(row, k)] - best);
#pragma unroll 4
  for (unsigned k = 0; k < kK; ++k)
    out[elementIndex(row, k)] = __expf(in[elementIndex(row, k)] - best) / sum;
}

extern "C" __global__ void softmax_rows_ideal(const float *__restrict__ in,
                                              float *__restrict__ out) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= kRows)
    return;
  const float *first = in + row * kK;
  const float *last = first + kK;
  float *dst = out + row * kK;
  float best = -INFINITY;
#pragma unroll 4
  for (const float *p = first; p != last; ++p)
    best = fmaxf(best, *p);
  float sum = 0.0f;
#pragma unroll 4
  for (const float *p = first; p != last; ++p)
    sum += __expf(*p - best);
#pragma unroll 4
  for (const float *p = first; p != last; ++p)
    *dst++ = __expf(*p - best) / sum;
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1), Want(kN);
  for (float &Value : In)
    Value /= 64.0f;
  for (int Row = 0; Row < kRows; ++Row) {
    const float *X = &In[Row * kK];
    double Sum = 0.0;
    for (int K = 0; K < kK; ++K)
      Sum += std::exp(X[K]);
    for (int K = 0; K < kK; ++K)
      Want[Row * kK + K] = static_cast<float>(std::exp(X[K]) / Sum);
  }

  DeviceBuffer<float> DIn(In), DOut(kN);
  softmax_rows<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("softmax_rows", DOut, Want);
  softmax_rows_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("softmax_rows_ideal", DOut, Want);
  std::puts("softmax_rows: OK");
}
