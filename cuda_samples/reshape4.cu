// Chain of reshapes f32[66,10,14,15] -> [660,14,15] -> [924,150] with a scale
// for each index of the second dimension, as a tensor compiler fuses
// reshape(reshape(x * broadcast(scale))): every reshape is written as
// linearize with one shape, delinearize with the other.
//
// A perfect simplifier finds that the input index is i, and that only
// (i/210)%10 is left for the scale. `unsigned` index.

#include "check.h"

constexpr int kA = 66, kB = 10, kC = 14, kD = 15;
constexpr int kRows = 924, kCols = 150;
constexpr int kN = kA * kB * kC * kD;
constexpr int kBlock = 128;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;
static_assert(kRows * kCols == kN, "the shapes have the same size");

extern "C" __global__ void reshape4(const float *__restrict__ in,
                                    const float *__restrict__ scale,
                                    float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  // [924,150]
  unsigned row = i / kCols;
  unsigned col = i % kCols;
  // -> [660,14,15]
  unsigned linear3 = row * kCols + col;
  unsigned ab = linear3 / (kC * kD);
  unsigned c3 = (linear3 / kD) % kC;
  unsigned d3 = linear3 % kD;
  // -> [66,10,14,15]
  unsigned linear4 = (ab * kC + c3) * kD + d3;
  unsigned a = linear4 / (kB * kC * kD);
  unsigned b = (linear4 / (kC * kD)) % kB;
  unsigned c = (linear4 / kD) % kC;
  unsigned d = linear4 % kD;
  out[row * kCols + col] = scale[b] * in[((a * kB + b) * kC + c) * kD + d];
}

extern "C" __global__ void reshape4_ideal(const float *__restrict__ in,
                                          const float *__restrict__ scale,
                                          float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned ab = i / (kC * kD);
  unsigned a = i / (kB * kC * kD);
  out[i] = scale[ab - a * kB] * in[i];
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1);
  std::vector<float> Scale = makeInput<float>(kB, 2), Want(kN);
  for (int A = 0, Next = 0; A < kA; ++A)
    for (int B = 0; B < kB; ++B)
      for (int C = 0; C < kC; ++C)
        for (int D = 0; D < kD; ++D, ++Next)
          Want[Next] = Scale[B] * In[Next];

  DeviceBuffer<float> DIn(In), DScale(Scale), DOut(kN);
  reshape4<<<kBlocks, kBlock>>>(DIn.get(), DScale.get(), DOut.get());
  expectOutput("reshape4", DOut, Want);
  reshape4_ideal<<<kBlocks, kBlock>>>(DIn.get(), DScale.get(), DOut.get());
  expectOutput("reshape4_ideal", DOut, Want);
  std::puts("reshape4: OK");
}
