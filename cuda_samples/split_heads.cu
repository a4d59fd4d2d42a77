// Split of attention heads f32[B,S,H*D] -> [B,H,S,D] with a bias for each
// feature, as frameworks write it after the QKV projection. The fused reshape
// [B,S,H,D] -> [B*S,H*D] is a linearize/delinearize pair.
//
// A perfect simplifier drops that pair and shares the quotients i/72, i/2952
// and i/35424. `int` with launch bounds and a known number of blocks.

#include "check.h"

constexpr int kB = 3, kS = 41, kH = 12, kD = 72;
constexpr int kN = kB * kS * kH * kD;
constexpr int kBlock = 128;
constexpr unsigned kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void __launch_bounds__(kBlock)
    split_heads(const float *__restrict__ in, const float *__restrict__ bias,
                float *__restrict__ out) {
  unsigned block = blockIdx.x;
  __builtin_assume(block < kBlocks);
  int i = block * kBlock + threadIdx.x;
  if (i >= kN)
    return;
  // [B,H,S,D]
  int d = i % kD;
  int s = (i / kD) % kS;
  int h = (i / (kD * kS)) % kH;
  int b = i / (kD * kS * kH);
  // transpose -> [B,S,H,D], reshape -> [B*S,H*D]
  int linear = ((b * kS + s) * kH + h) * kD + d;
  int row = linear / (kH * kD);
  int feature = linear % (kH * kD);
  out[((b * kH + h) * kS + s) * kD + d] =
      in[row * (kH * kD) + feature] + bias[feature];
}

extern "C" __global__ void __launch_bounds__(kBlock)
    split_heads_ideal(const float *__restrict__ in,
                      const float *__restrict__ bias, float *__restrict__ out) {
  unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= kN)
    return;
  unsigned bhs = i / kD;
  unsigned bh = i / (kD * kS);
  unsigned b = i / (kD * kS * kH);
  unsigned s = bhs - bh * kS;
  // h*D + d = (bh - 12*b)*72 + i - 72*bhs
  unsigned feature = i + (bh - bhs) * kD - b * (kH * kD);
  unsigned row = b * kS + s;
  out[i] = in[row * (kH * kD) + feature] + bias[feature];
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1);
  std::vector<float> Bias = makeInput<float>(kH * kD, 2), Want(kN);
  for (int B = 0, Next = 0; B < kB; ++B)
    for (int S = 0; S < kS; ++S)
      for (int H = 0; H < kH; ++H)
        for (int D = 0; D < kD; ++D, ++Next)
          Want[((B * kH + H) * kS + S) * kD + D] = In[Next] + Bias[H * kD + D];

  DeviceBuffer<float> DIn(In), DBias(Bias), DOut(kN);
  split_heads<<<kBlocks, kBlock>>>(DIn.get(), DBias.get(), DOut.get());
  expectOutput("split_heads", DOut, Want);
  split_heads_ideal<<<kBlocks, kBlock>>>(DIn.get(), DBias.get(), DOut.get());
  expectOutput("split_heads_ideal", DOut, Want);
  std::puts("split_heads: OK");
}
