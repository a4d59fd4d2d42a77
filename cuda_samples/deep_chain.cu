// Six layout ops fused into one kernel, as a tensor compiler emits a chain it
// cannot fold: f32[40,15,20,6] -transpose-> [40,20,15,6] -reshape-> [800,90]
// -reverse dim 0-> [800,90] -reshape-> [40,20,90] -transpose-> [40,90,20]
// -reshape-> [3600,20].
//
// A perfect simplifier leaves -6*i + 121*(i/20) + 114*(i/120) - 3600*(i/1800)
// + 70314, the constant as the load's immediate offset. `unsigned` index.

#include "check.h"

constexpr int kA = 40, kB = 15, kC = 20, kD = 6;
constexpr int kRows = kA * kC, kCols = kB * kD;
constexpr int kN = kRows * kCols;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void deep_chain(const float *__restrict__ in,
                                      float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  // [3600,20] -> [40,90,20]
  unsigned r0 = i / kC;
  unsigned c0 = i % kC;
  unsigned linear0 = r0 * kC + c0;
  unsigned n = linear0 / (kCols * kC);
  unsigned col = (linear0 / kC) % kCols;
  unsigned p = linear0 % kC;
  // transpose -> [40,20,90], reshape -> [800,90]
  unsigned linear1 = (n * kC + p) * kCols + col;
  unsigned r1 = linear1 / kCols;
  unsigned c1 = linear1 % kCols;
  // reverse, reshape -> [40,20,15,6]
  unsigned linear2 = (kRows - 1 - r1) * kCols + c1;
  unsigned a = linear2 / (kC * kB * kD);
  unsigned c = (linear2 / (kB * kD)) % kC;
  unsigned b = (linear2 / kD) % kB;
  unsigned d = linear2 % kD;
  // transpose -> [40,15,20,6]
  out[r0 * kC + c0] = in[((a * kB + b) * kC + c) * kD + d];
}

extern "C" __global__ void deep_chain_ideal(const float *__restrict__ in,
                                            float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  constexpr int kLast = (kA - 1) * kB * kC * kD + (kC - 1) * kD;
  unsigned ncol = i / kC;
  unsigned nb = i / (kC * kD);
  unsigned n = i / (kC * kD * kB);
  int offset = ncol * (kC * kD + 1) + nb * (kC * kD - kD) -
               n * (2 * kB * kC * kD) - i * kD;
  out[i] = (in + kLast)[offset];
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1), Reversed, Want;
  for (int A = kA - 1; A >= 0; --A)
    for (int C = kC - 1; C >= 0; --C)
      for (int B = 0; B < kB; ++B)
        for (int D = 0; D < kD; ++D)
          Reversed.push_back(In[((A * kB + B) * kC + C) * kD + D]);
  for (int N = 0; N < kA; ++N)
    for (int Col = 0; Col < kCols; ++Col)
      for (int P = 0; P < kC; ++P)
        Want.push_back(Reversed[(N * kC + P) * kCols + Col]);

  DeviceBuffer<float> DIn(In), DOut(kN);
  deep_chain<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("deep_chain", DOut, Want);
  deep_chain_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("deep_chain_ideal", DOut, Want);
  std::puts("deep_chain: OK");
}
