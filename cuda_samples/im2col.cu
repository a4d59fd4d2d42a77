// im2col of f32[10,24,33] for a 3x3 convolution with padding 1 to [90,792], as
// a framework writes it with constant shapes: row and column are delinearized
// separately, and the output index is linearized again.
//
// A perfect simplifier shares the quotients i/33, i/792, i/2376 and i/7128 and
// stores to i. `int` with launch bounds and a known number of blocks.

#include "check.h"

constexpr int kC = 10, kH = 24, kW = 33, kK = 3, kPad = 1;
constexpr int kPixels = kH * kW;
constexpr int kN = kC * kK * kK * kPixels;
constexpr int kBlock = 128;
constexpr unsigned kBlocks = (kN + kBlock - 1) / kBlock;

extern "C" __global__ void __launch_bounds__(kBlock)
    im2col(const float *__restrict__ in, float *__restrict__ out) {
  unsigned block = blockIdx.x;
  __builtin_assume(block < kBlocks);
  int i = block * kBlock + threadIdx.x;
  if (i >= kN)
    return;
  int row = i / kPixels;
  int col = i % kPixels;
  int c = row / (kK * kK);
  int ky = (row / kK) % kK;
  int kx = row % kK;
  int oh = col / kW;
  int ow = col % kW;
  int h = oh + ky - kPad;
  int w = ow + kx - kPad;
  float value = 0.0f;
  if (h >= 0 && h < kH && w >= 0 && w < kW)
    value = in[(c * kH + h) * kW + w];
  out[((((c * kK) + ky) * kK + kx) * kH + oh) * kW + ow] = value;
}

extern "C" __global__ void __launch_bounds__(kBlock)
    im2col_ideal(const float *__restrict__ in, float *__restrict__ out) {
  unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= kN)
    return;
  unsigned line = i / kW;
  unsigned row = i / kPixels;
  unsigned cky = i / (kK * kPixels);
  unsigned c = i / (kK * kK * kPixels);
  unsigned h = line - row * kH + cky - c * kK - kPad;
  unsigned w = i - line * kW + row - cky * kK - kPad;
  float value = 0.0f;
  if (h < kH && w < kW)
    value = in[c * kPixels + h * kW + w];
  out[i] = value;
}

int main() {
  std::vector<float> In = makeInput<float>(kC * kPixels, 1), Want(kN, 0.0f);
  for (int C = 0, Next = 0; C < kC; ++C)
    for (int KY = 0; KY < kK; ++KY)
      for (int KX = 0; KX < kK; ++KX)
        for (int OH = 0; OH < kH; ++OH)
          for (int OW = 0; OW < kW; ++OW, ++Next) {
            int H = OH + KY - kPad, W = OW + KX - kPad;
            if (H >= 0 && H < kH && W >= 0 && W < kW)
              Want[Next] = In[(C * kH + H) * kW + W];
          }

  DeviceBuffer<float> DIn(In), DOut(kN);
  im2col<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("im2col", DOut, Want);
  im2col_ideal<<<kBlocks, kBlock>>>(DIn.get(), DOut.get());
  expectOutput("im2col_ideal", DOut, Want);
  std::puts("im2col: OK");
}
