// Strided slice f32[80,110,125] -> [38,36,60] with start [3,1,2] and stride
// [2,3,2], as a tensor compiler writes it: delinearize the output index, scale
// and shift every digit, linearize with the input's shape through a reshape to
// [8800,125].
//
// A perfect simplifier leaves 2*i + 255*(i/60) + 14000*(i/2160) + 41377, the
// constant as the load's immediate offset. `int` with a guard on both sides.

#include "check.h"

constexpr int kInA = 80, kInB = 110, kInC = 125;
constexpr int kA = 38, kB = 36, kC = 60;
constexpr int kStartA = 3, kStartB = 1, kStartC = 2;
constexpr int kStrideA = 2, kStrideB = 3, kStrideC = 2;
constexpr int kN = kA * kB * kC;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void strided_slice(const float *__restrict__ in,
                                         float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 0 || i >= kN)
    return;
  int a = i / (kB * kC);
  int b = (i / kC) % kB;
  int c = i % kC;
  int linear =
      ((kStartA + a * kStrideA) * kInB + (kStartB + b * kStrideB)) * kInC +
      (kStartC + c * kStrideC);
  int row = linear / kInC;
  int col = linear % kInC;
  out[(a * kB + b) * kC + c] = in[row * kInC + col];
}

extern "C" __global__ void strided_slice_ideal(const float *__restrict__ in,
                                               float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  constexpr int kStart = (kStartA * kInB + kStartB) * kInC + kStartC;
  constexpr int kStepA = kStrideA * kInB * kInC, kStepB = kStrideB * kInC;
  unsigned ab = i / kC;
  unsigned a = i / (kB * kC);
  unsigned offset =
      i * kStrideC + ab * (kStepB - kC * kStrideC) + a * (kStepA - kB * kStepB);
  out[i] = (in + kStart)[offset];
}

int main() {
  std::vector<float> In = makeInput<float>(kInA * kInB * kInC, 1), Want;
  for (int A = kStartA; A < kStartA + kA * kStrideA; A += kStrideA)
    for (int B = kStartB; B < kStartB + kB * kStrideB; B += kStrideB)
      for (int C = kStartC; C < kStartC + kC * kStrideC; C += kStrideC)
        Want.push_back(In[(A * kInB + B) * kInC + C]);

  DeviceBuffer<float> DIn(In), DOut(kN);
  strided_slice<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("strided_slice", DOut, Want);
  strided_slice_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("strided_slice_ideal", DOut, Want);
  std::puts("strided_slice: OK");
}
