// Constant-shape zero pad f32[18,45,70] -> [18,52,77] (3 rows above, 4 below, 2
// columns left, 5 right), as a fusion emitter writes it: the output index is
// delinearized, tested, shifted and linearized, and the operand is read through
// a reshape to [18,3150].
//
// A perfect simplifier drops the round trip over the pixel and shares the
// quotients i/77 and i/4004; the two tests stay. `int` with one unsigned
// comparison as the guard.

#include "check.h"

constexpr int kC = 18, kH = 45, kW = 70;
constexpr int kTop = 3, kLeft = 2, kOutH = kH + 7, kOutW = kW + 7;
constexpr int kN = kC * kOutH * kOutW;
constexpr int kBlock = 128;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void pad(const float *__restrict__ in,
                               float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((unsigned)i >= kN)
    return;
  int c = i / (kOutH * kOutW);
  int y = (i / kOutW) % kOutH;
  int x = i % kOutW;
  float value = 0.0f;
  if (y >= kTop && y < kTop + kH && x >= kLeft && x < kLeft + kW) {
    int pixel = (y - kTop) * kW + (x - kLeft);
    int h = pixel / kW;
    int w = pixel % kW;
    value = in[(c * kH + h) * kW + w];
  }
  out[(c * kOutH + y) * kOutW + x] = value;
}

extern "C" __global__ void pad_ideal(const float *__restrict__ in,
                                     float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned cy = i / kOutW;
  unsigned c = i / (kOutH * kOutW);
  unsigned h = cy - c * kOutH - kTop;
  unsigned w = i - cy * kOutW - kLeft;
  float value = 0.0f;
  if (h < kH && w < kW)
    value = in[c * (kH * kW) + h * kW + w];
  out[i] = value;
}

int main() {
  std::vector<float> In = makeInput<float>(kC * kH * kW, 1), Want(kN, 0.0f);
  for (int C = 0, Next = 0; C < kC; ++C)
    for (int H = 0; H < kH; ++H)
      for (int W = 0; W < kW; ++W, ++Next)
        Want[(C * kOutH + H + kTop) * kOutW + W + kLeft] = In[Next];

  DeviceBuffer<float> DIn(In), DOut(kN);
  pad<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("pad", DOut, Want);
  pad_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("pad_ideal", DOut, Want);
  std::puts("pad: OK");
}
