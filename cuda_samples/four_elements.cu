// Four consecutive elements a thread, as XLA's loop emitter writes f32[20,40,
// 300] with its launch dimensions as [20,40,75] x 4: the element index of
// vector element v is ((x/3000)*40 + (x/75)%40)*300 + (x%75)*4 + v, each with
// its own bounds check and its own delinearization for the operand.
//
// A perfect simplifier finds 4*x + v, one check x < 60000 for all four, and so
// one 16-byte load and store. `int` with launch bounds and a known grid size
// (so blockIdx.x < gridDim.x is needed); the pointers are known to be aligned.

#include "check.h"

constexpr int kA = 20, kB = 40, kC = 300, kVector = 4;
constexpr int kN = kA * kB * kC;
constexpr int kThreads = kN / kVector;
constexpr int kBlock = 128;
constexpr unsigned kBlocks = (kThreads + kBlock - 1) / kBlock;

extern "C" __global__ void __launch_bounds__(kBlock)
    four_elements(const float *__restrict__ in, float *__restrict__ out) {
  const float *src =
      static_cast<const float *>(__builtin_assume_aligned(in, 16));
  float *dst = static_cast<float *>(__builtin_assume_aligned(out, 16));
  unsigned blocks = gridDim.x;
  __builtin_assume(blocks == kBlocks);
  int x = blockIdx.x * kBlock + threadIdx.x;
#pragma unroll
  for (int v = 0; v < kVector; ++v) {
    int i = ((x / 3000) * 40 + (x / 75) % 40) * 300 + (x % 75) * 4 + v;
    if (i < kN) {
      // [240000] -> [20,40,300]
      int a = i / (kB * kC);
      int b = (i / kC) % kB;
      int c = i % kC;
      dst[i] = 0.5f * src[(a * kB + b) * kC + c];
    }
  }
}

extern "C" __global__ void __launch_bounds__(kBlock)
    four_elements_ideal(const float *__restrict__ in, float *__restrict__ out) {
  unsigned x = blockIdx.x * kBlock + threadIdx.x;
  if (x >= kThreads)
    return;
  float4 value = reinterpret_cast<const float4 *>(in)[x];
  reinterpret_cast<float4 *>(out)[x] = make_float4(
      0.5f * value.x, 0.5f * value.y, 0.5f * value.z, 0.5f * value.w);
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1), Want(kN);
  for (int A = 0, Next = 0; A < kA; ++A)
    for (int B = 0; B < kB; ++B)
      for (int C = 0; C < kC; ++C, ++Next)
        Want[Next] = 0.5f * In[Next];

  DeviceBuffer<float> DIn(In), DOut(kN);
  four_elements<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("four_elements", DOut, Want);
  four_elements_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("four_elements_ideal", DOut, Want);
  std::puts("four_elements: OK");
}
