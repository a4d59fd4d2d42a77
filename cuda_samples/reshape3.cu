// Reshape round trip over three digits, as a fusion emitter writes it for an
// elementwise op between two bitcast-like reshapes of f32[20,40,75].
//
// A perfect simplifier removes all of it: the index is i. `int` with an upper
// bound only: the truncating identities d*(x/d) + x%d = x and
// (x/a)/b = x/(a*b) are enough, whatever the sign.

#include "check.h"

constexpr int kA = 20, kB = 40, kC = 75;
constexpr int kN = kA * kB * kC;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void reshape3(const float *__restrict__ in,
                                    float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  // [60000] -> [20,40,75] -> [60000]
  int a = i / (kB * kC);
  int b = (i / kC) % kB;
  int c = i % kC;
  int linear = (a * kB + b) * kC + c;
  // [60000] -> [800,75] -> [60000]
  int row = linear / kC;
  int col = linear % kC;
  out[linear] = 2.0f * in[row * kC + col];
}

extern "C" __global__ void reshape3_ideal(const float *__restrict__ in,
                                          float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  out[i] = 2.0f * in[i];
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1), Want(kN);
  for (int A = 0, Next = 0; A < kA; ++A)
    for (int B = 0; B < kB; ++B)
      for (int C = 0; C < kC; ++C, ++Next)
        Want[Next] = 2.0f * In[Next];

  DeviceBuffer<float> DIn(In), DOut(kN);
  reshape3<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("reshape3", DOut, Want);
  reshape3_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("reshape3_ideal", DOut, Want);
  std::puts("reshape3: OK");
}
