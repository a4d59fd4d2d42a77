// Inverted 8-bit images u8[4,60,100,3] from NHWC to NCHW with constant sizes,
// as image preprocessing kernels write it: four digits of the output index,
// linearized again on both sides.
//
// A perfect simplifier merges h and w and leaves 3*i - 17999*(i/6000) +
// 17997*(i/18000) for the load and i for the store. `unsigned` index, byte
// addresses (no scaling hides in the address).

#include "check.h"

constexpr int kBatch = 4, kH = 60, kW = 100, kC = 3;
constexpr int kN = kBatch * kH * kW * kC;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void image_layout_u8(const unsigned char *__restrict__ in,
                                           unsigned char *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned n = i / (kC * kH * kW);
  unsigned c = (i / (kH * kW)) % kC;
  unsigned h = (i / kW) % kH;
  unsigned w = i % kW;
  out[((n * kC + c) * kH + h) * kW + w] =
      255 - in[((n * kH + h) * kW + w) * kC + c];
}

extern "C" __global__ void
image_layout_u8_ideal(const unsigned char *__restrict__ in,
                      unsigned char *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned nc = i / (kH * kW);
  unsigned n = i / (kC * kH * kW);
  // 18000*n + (i - 6000*nc)*3 + (nc - 3*n)
  out[i] = 255 - in[i * kC - nc * (kC * kH * kW - 1) + n * (kC * kH * kW - kC)];
}

int main() {
  std::vector<unsigned char> In = makeInput<unsigned char>(kN, 1), Want(kN);
  for (int N = 0, Next = 0; N < kBatch; ++N)
    for (int H = 0; H < kH; ++H)
      for (int W = 0; W < kW; ++W)
        for (int C = 0; C < kC; ++C, ++Next)
          Want[((N * kC + C) * kH + H) * kW + W] = 255 - In[Next];

  DeviceBuffer<unsigned char> DIn(In), DOut(kN);
  image_layout_u8<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("image_layout_u8", DOut, Want);
  image_layout_u8_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("image_layout_u8_ideal", DOut, Want);
  std::puts("image_layout_u8: OK");
}
