// Reverse of the middle dimension of f32[12,35,45], as an emitter writes it:
// the input index is linearized and, for the operand's reshape to [420,45],
// delinearized again.
//
// A perfect simplifier leaves i - 90*(i/45) + 3150*(i/1575) + 1530, the
// constant as the load's immediate offset. `unsigned` index.

#include "check.h"

constexpr int kA = 12, kB = 35, kC = 45;
constexpr int kN = kA * kB * kC;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void reverse(const float *__restrict__ in,
                                   float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned a = i / (kB * kC);
  unsigned b = (i / kC) % kB;
  unsigned c = i % kC;
  unsigned linear = (a * kB + (kB - 1 - b)) * kC + c;
  unsigned row = linear / kC;
  unsigned col = linear % kC;
  out[(a * kB + b) * kC + c] = in[row * kC + col];
}

extern "C" __global__ void reverse_ideal(const float *__restrict__ in,
                                         float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned ab = i / kC;
  unsigned a = i / (kB * kC);
  int offset = i - ab * (2 * kC) + a * (2 * kB * kC);
  out[i] = (in + (kB - 1) * kC)[offset];
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1), Want;
  for (int A = 0; A < kA; ++A)
    for (int B = kB - 1; B >= 0; --B)
      for (int C = 0; C < kC; ++C)
        Want.push_back(In[(A * kB + B) * kC + C]);

  DeviceBuffer<float> DIn(In), DOut(kN);
  reverse<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("reverse", DOut, Want);
  reverse_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("reverse_ideal", DOut, Want);
  std::puts("reverse: OK");
}
