// Merge of attention heads f32[B,H,S,D] -> [B,S,H*D], as frameworks write it
// before the output projection: the row and the feature are delinearized
// separately.
//
// A perfect simplifier shares the three quotients i/56, i/560 and i/15680 and
// stores to i. `int` with an upper bound only: truncating identities are
// enough, and the quotients stay signed.

#include "check.h"

constexpr int kB = 3, kS = 28, kH = 10, kD = 56;
constexpr int kN = kB * kS * kH * kD;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void merge_heads(const float *__restrict__ in,
                                       float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  // [B*S,H*D]
  int row = i / (kH * kD);
  int feature = i % (kH * kD);
  // -> [B,S,H,D]
  int b = row / kS;
  int s = row % kS;
  int h = feature / kD;
  int d = feature % kD;
  // transpose -> [B,H,S,D]
  out[((b * kS + s) * kH + h) * kD + d] = in[((b * kH + h) * kS + s) * kD + d];
}

extern "C" __global__ void merge_heads_ideal(const float *__restrict__ in,
                                             float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  int bsh = i / kD;
  int bs = i / (kD * kH);
  int b = i / (kD * kH * kS);
  // (10*b + bsh - 10*bs)*1568 + (bs - 28*b)*56 + i - 56*bsh
  out[i] = in[i + bsh * (kS * kD - kD) - bs * (kH * kS * kD - kD) +
              b * (kH * kS * kD - kS * kD)];
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1), Want(kN);
  for (int B = 0, Next = 0; B < kB; ++B)
    for (int H = 0; H < kH; ++H)
      for (int S = 0; S < kS; ++S)
        for (int D = 0; D < kD; ++D, ++Next)
          Want[((B * kS + S) * kH + H) * kD + D] = In[Next];

  DeviceBuffer<float> DIn(In), DOut(kN);
  merge_heads<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("merge_heads", DOut, Want);
  merge_heads_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("merge_heads_ideal", DOut, Want);
  std::puts("merge_heads: OK");
}
