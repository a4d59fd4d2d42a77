// 3x3 max pooling with stride 2 of f32[60,61,77] -> [60,30,38], as an emitter
// writes reduce-window fused with the reshapes [60,61,77] -> [61,15,308] ->
// [60,61,77] of its operand: each of the nine window elements is linearized and
// delinearized twice.
//
// A perfect simplifier leaves one address, 2*i + 78*(i/38) + 77*(i/1140), and
// nine constant offsets 77*ky + kx. `unsigned` index.

#include "check.h"

constexpr int kC = 60, kH = 61, kW = 77;
constexpr int kOutH = 30, kOutW = 38;
constexpr int kMid0 = 61, kMid1 = 15, kMid2 = 308;
constexpr int kIn = kC * kH * kW;
constexpr int kN = kC * kOutH * kOutW;
constexpr int kBlock = 128;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;
static_assert(kMid0 * kMid1 * kMid2 == kIn, "a reshape keeps the size");

extern "C" __global__ void pooling3x3(const float *__restrict__ in,
                                      float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned c = i / (kOutH * kOutW);
  unsigned oh = (i / kOutW) % kOutH;
  unsigned ow = i % kOutW;
  float best = -INFINITY;
#pragma unroll
  for (unsigned ky = 0; ky < 3; ++ky) {
#pragma unroll
    for (unsigned kx = 0; kx < 3; ++kx) {
      // [60,61,77] -> [61,15,308]
      unsigned linear = (c * kH + (oh * 2 + ky)) * kW + (ow * 2 + kx);
      unsigned m0 = linear / (kMid1 * kMid2);
      unsigned m1 = (linear / kMid2) % kMid1;
      unsigned m2 = linear % kMid2;
      // -> [60,61,77]
      unsigned mid = (m0 * kMid1 + m1) * kMid2 + m2;
      unsigned plane = mid / (kH * kW);
      unsigned h = (mid / kW) % kH;
      unsigned w = mid % kW;
      best = fmaxf(best, in[(plane * kH + h) * kW + w]);
    }
  }
  out[(c * kOutH + oh) * kOutW + ow] = best;
}

extern "C" __global__ void pooling3x3_ideal(const float *__restrict__ in,
                                            float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned coh = i / kOutW;
  unsigned c = i / (kOutH * kOutW);
  const float *window = in + (i * 2 + coh * (2 * kW - 2 * kOutW) +
                              c * (kH * kW - 2 * kOutH * kW));
  float best = -INFINITY;
#pragma unroll
  for (int ky = 0; ky < 3; ++ky) {
#pragma unroll
    for (int kx = 0; kx < 3; ++kx)
      best = fmaxf(best, window[ky * kW + kx]);
  }
  out[i] = best;
}

int main() {
  std::vector<float> In = makeInput<float>(kIn, 1), Want;
  for (int C = 0; C < kC; ++C)
    for (int H = 0; H < kOutH; ++H)
      for (int W = 0; W < kOutW; ++W) {
        float Best = -1.0f;
        for (int Y = 2 * H; Y < 2 * H + 3; ++Y)
          for (int X = 2 * W; X < 2 * W + 3; ++X)
            Best = std::fmax(Best, In[(C * kH + Y) * kW + X]);
        Want.push_back(Best);
      }

  DeviceBuffer<float> DIn(In), DOut(kN);
  pooling3x3<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("pooling3x3", DOut, Want);
  pooling3x3_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("pooling3x3_ideal", DOut, Want);
  std::puts("pooling3x3: OK");
}
