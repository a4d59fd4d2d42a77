// Transpose f32[4,24,315] -> [4,315,24] whose pixels are taken apart into
// [21,15] and put together again, as an emitter writes reshape-transpose-
// reshape of NCHW to NHWC.
//
// A perfect simplifier drops the round trip over h and w and shares the two
// quotients i/24 and i/7560. `int` with an upper bound only: truncating
// identities are enough, and the quotients stay signed.

#include "check.h"

constexpr int kBatch = 4, kC = 24, kH = 21, kW = 15;
constexpr int kPixels = kH * kW;
constexpr int kN = kBatch * kC * kPixels;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void transpose_reshape(const float *__restrict__ in,
                                             float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  // [4,315,24]
  int n = i / (kPixels * kC);
  int hw = (i / kC) % kPixels;
  int c = i % kC;
  // reshape -> [4,21,15,24]
  int h = hw / kW;
  int w = hw % kW;
  // transpose -> [4,24,21,15]
  out[(n * kPixels + hw) * kC + c] = in[((n * kC + c) * kH + h) * kW + w];
}

extern "C" __global__ void transpose_reshape_ideal(const float *__restrict__ in,
                                                   float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  int pixel = i / kC; // n*315 + hw
  int n = i / (kPixels * kC);
  // n*7560 + (i - 24*pixel)*315 + (pixel - 315*n)
  out[i] = in[i * kPixels - pixel * (kC * kPixels - 1) +
              n * (kC * kPixels - kPixels)];
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1), Want(kN);
  for (int N = 0, Next = 0; N < kBatch; ++N)
    for (int C = 0; C < kC; ++C)
      for (int P = 0; P < kPixels; ++P, ++Next)
        Want[(N * kPixels + P) * kC + C] = In[Next];

  DeviceBuffer<float> DIn(In), DOut(kN);
  transpose_reshape<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("transpose_reshape", DOut, Want);
  transpose_reshape_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("transpose_reshape_ideal", DOut, Want);
  std::puts("transpose_reshape: OK");
}
