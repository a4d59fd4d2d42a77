// Slice from row 2 on of f32[662,65], seen as [15,44,65], with `size_t`
// indices, as C++ tensor libraries write it: three digits of a 64-bit index,
// linearized again.
//
// A perfect simplifier finds i + 130, the constant as the load's immediate
// offset, and no division. `size_t` index.

#include "check.h"

constexpr size_t kA = 15, kB = 44, kC = 65, kStart = 2;
constexpr size_t kN = kA * kB * kC;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void size_t_indices(const float *__restrict__ in,
                                          float *__restrict__ out) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  size_t a = i / (kB * kC);
  size_t b = (i / kC) % kB;
  size_t c = i % kC;
  size_t row = a * kB + b;
  out[(a * kB + b) * kC + c] = in[(kStart + row) * kC + c];
}

extern "C" __global__ void size_t_indices_ideal(const float *__restrict__ in,
                                                float *__restrict__ out) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  out[i] = in[i + kStart * kC];
}

int main() {
  std::vector<float> In = makeInput<float>((kStart + kA * kB) * kC, 1), Want;
  for (size_t A = 0; A < kA; ++A)
    for (size_t B = 0; B < kB; ++B)
      for (size_t C = 0; C < kC; ++C)
        Want.push_back(In[(kStart + A * kB + B) * kC + C]);

  DeviceBuffer<float> DIn(In), DOut(kN);
  size_t_indices<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("size_t_indices", DOut, Want);
  size_t_indices_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("size_t_indices_ideal", DOut, Want);
  std::puts("size_t_indices: OK");
}
