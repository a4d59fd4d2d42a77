// Concat of f32[30,13,75] and f32[30,21,75] on the middle axis, as a loop
// emitter writes it: the output index is delinearized, the middle index picks
// the operand, and the operand's index is linearized with its own shape.
//
// A perfect simplifier keeps one quotient, i/2550: the middle and the last
// index telescope, and (i/75)%34 < 13 becomes i - 2550*(i/2550) < 975.
// `unsigned` index.

#include "check.h"

constexpr int kA = 30, kLeft = 13, kRight = 21, kC = 75;
constexpr int kB = kLeft + kRight;
constexpr int kN = kA * kB * kC;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void concat(const float *__restrict__ left,
                                  const float *__restrict__ right,
                                  float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned a = i / (kB * kC);
  unsigned b = (i / kC) % kB;
  unsigned c = i % kC;
  float value;
  if (b < kLeft)
    value = left[(a * kLeft + b) * kC + c];
  else
    value = right[(a * kRight + (b - kLeft)) * kC + c];
  out[(a * kB + b) * kC + c] = value;
}

extern "C" __global__ void concat_ideal(const float *__restrict__ left,
                                        const float *__restrict__ right,
                                        float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned a = i / (kB * kC);
  unsigned bc = i - a * (kB * kC);
  float value;
  if (bc < kLeft * kC)
    value = left[i - a * (kRight * kC)];
  else
    value = right[i - a * (kLeft * kC) - kLeft * kC];
  out[i] = value;
}

int main() {
  std::vector<float> Left = makeInput<float>(kA * kLeft * kC, 1);
  std::vector<float> Right = makeInput<float>(kA * kRight * kC, 2), Want;
  for (int A = 0; A < kA; ++A) {
    for (int B = 0; B < kLeft; ++B)
      for (int C = 0; C < kC; ++C)
        Want.push_back(Left[(A * kLeft + B) * kC + C]);
    for (int B = 0; B < kRight; ++B)
      for (int C = 0; C < kC; ++C)
        Want.push_back(Right[(A * kRight + B) * kC + C]);
  }

  DeviceBuffer<float> DLeft(Left), DRight(Right), DOut(kN);
  concat<<<kBlocks, kBlock>>>(DLeft.get(), DRight.get(), DOut.get());
  expectOutput("concat", DOut, Want);
  concat_ideal<<<kBlocks, kBlock>>>(DLeft.get(), DRight.get(), DOut.get());
  expectOutput("concat_ideal", DOut, Want);
  std::puts("concat: OK");
}
