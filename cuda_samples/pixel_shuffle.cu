// Pixel shuffle f32[4,45,18,22] -> [4,5,54,66] with upscale factor 3, as
// super-resolution frameworks write it: the output's digits are split into
// position and phase, and the channel is rebuilt from c and the phases.
//
// A perfect simplifier merges n and c, splits x and y by the shared quotients
// i/3, i/66, i/198 and i/3564, and stores to i. `unsigned` index.

#include "check.h"

constexpr int kBatch = 4, kC = 5, kH = 18, kW = 22, kR = 3;
constexpr int kOutH = kH * kR, kOutW = kW * kR;
constexpr int kN = kBatch * kC * kOutH * kOutW;
constexpr int kBlock = 256;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void pixel_shuffle(const float *__restrict__ in,
                                         float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  unsigned n = i / (kC * kOutH * kOutW);
  unsigned c = (i / (kOutH * kOutW)) % kC;
  unsigned y = (i / kOutW) % kOutH;
  unsigned x = i % kOutW;
  unsigned h = y / kR;
  unsigned w = x / kR;
  unsigned channel = (c * kR + y % kR) * kR + x % kR;
  out[((n * kC + c) * kOutH + y) * kOutW + x] =
      in[((n * (kC * kR * kR) + channel) * kH + h) * kW + w];
}

extern "C" __global__ void pixel_shuffle_ideal(const float *__restrict__ in,
                                               float *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kN)
    return;
  constexpr int kPlane = kH * kW;
  unsigned third = i / kR;           // 22*line + w
  unsigned line = i / kOutW;         // 54*nc + y
  unsigned block = i / (kR * kOutW); // 18*nc + h
  unsigned nc = i / (kOutH * kOutW);
  // (9*nc + 3*(line - 3*block) + (i - 3*third))*396 + (block - 18*nc)*22 +
  // third - 22*line
  out[i] =
      in[i * kPlane - third * (kR * kPlane - 1) + line * (kR * kPlane - kW) -
         block * (kR * kR * kPlane - kW) + nc * (kR * kR * kPlane - kPlane)];
}

int main() {
  std::vector<float> In = makeInput<float>(kN, 1), Want(kN);
  for (int N = 0, Next = 0; N < kBatch; ++N)
    for (int C = 0; C < kC; ++C)
      for (int DY = 0; DY < kR; ++DY)
        for (int DX = 0; DX < kR; ++DX)
          for (int H = 0; H < kH; ++H)
            for (int W = 0; W < kW; ++W, ++Next)
              Want[((N * kC + C) * kOutH + H * kR + DY) * kOutW + W * kR + DX] =
                  In[Next];

  DeviceBuffer<float> DIn(In), DOut(kN);
  pixel_shuffle<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("pixel_shuffle", DOut, Want);
  pixel_shuffle_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("pixel_shuffle_ideal", DOut, Want);
  std::puts("pixel_shuffle: OK");
}
