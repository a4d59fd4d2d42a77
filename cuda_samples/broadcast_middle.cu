// out[a][b][c] = x[a][c] + y[b] over [42,33,50], as a fusion emitter writes two
// broadcasts: x is read through a reshape of its broadcast to [1386,50], y
// through one to [42,33,50].
//
// A perfect simplifier keeps the two quotients i/50 and i/1650. `int` with
// launch bounds and a known grid size (so blockIdx.x < gridDim.x is needed).

#include "check.h"

constexpr int kA = 42, kB = 33, kC = 50;
constexpr int kN = kA * kB * kC;
constexpr int kBlock = 128;
constexpr unsigned kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void __launch_bounds__(kBlock)
    broadcast_middle(const float *__restrict__ x, const float *__restrict__ y,
                     float *__restrict__ out) {
  unsigned blocks = gridDim.x;
  __builtin_assume(blocks == kBlocks);
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= kN)
    return;
  // x: [42,50] -> [42,33,50] -> [1386,50]
  int row = i / kC;
  int col = i % kC;
  int xLinear = row * kC + col;
  int xa = xLinear / (kB * kC);
  int xc = xLinear % kC;
  // y: [33] -> [42,33,50]
  int a = i / (kB * kC);
  int b = (i / kC) % kB;
  int c = i % kC;
  out[(a * kB + b) * kC + c] = x[xa * kC + xc] + y[b];
}

extern "C" __global__ void __launch_bounds__(kBlock)
    broadcast_middle_ideal(const float *__restrict__ x,
                           const float *__restrict__ y,
                           float *__restrict__ out) {
  unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= kN)
    return;
  unsigned ab = i / kC;
  unsigned a = i / (kB * kC);
  out[i] = x[i + (a - ab) * kC] + y[ab - a * kB];
}

int main() {
  std::vector<float> X = makeInput<float>(kA * kC, 1);
  std::vector<float> Y = makeInput<float>(kB, 2), Want;
  for (int A = 0; A < kA; ++A)
    for (int B = 0; B < kB; ++B)
      for (int C = 0; C < kC; ++C)
        Want.push_back(X[A * kC + C] + Y[B]);

  DeviceBuffer<float> DX(X), DY(Y), DOut(kN);
  broadcast_middle<<<kBlocks, kBlock>>>(DX.get(), DY.get(), DOut.get());
  expectOutput("broadcast_middle", DOut, Want);
  broadcast_middle_ideal<<<kBlocks, kBlock>>>(DX.get(), DY.get(), DOut.get());
  expectOutput("broadcast_middle_ideal", DOut, Want);
  std::puts("broadcast_middle: OK");
}
