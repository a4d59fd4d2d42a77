// Nearest-neighbour upsampling by two with 64-bit unsigned sizes: each thread
// writes four pixels.
//
// A perfect simplifier reads from f and writes from 2 * f + 2 * W * (f / W) on:
// one 32-bit division instead of five 64-bit ones. The sizes are positive and
// the products fit 32 bits.

#include "../check.h"

#include <cstdint>

extern "C" __global__ void upsample_nearest(const float *in, float *out,
                                            uint64_t batches, uint64_t channels,
                                            uint64_t height, uint64_t width) {
  uint64_t f = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (f >= batches * channels * height * width)
    return;
  uint64_t b = f / (channels * height * width);
  uint64_t c = (f / (height * width)) % channels;
  uint64_t y = (f / width) % height;
  uint64_t x = f % width;
  float value =
      in[b * channels * height * width + c * height * width + y * width + x];
  uint64_t to = (b * channels + c) * 4 * height * width + 4 * y * width + 2 * x;
  out[to] = value;
  out[to + 1] = value;
  out[to + 2 * width] = value;
  out[to + 2 * width + 1] = value;
}

extern "C" __global__ void
upsample_nearest_ideal(const float *in, float *out, uint64_t batches,
                       uint64_t channels, uint64_t height, uint64_t width) {
  unsigned f = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned w = width;
  if (f >= unsigned(batches) * unsigned(channels) * unsigned(height) * w)
    return;
  float value = in[f];
  float *to = out + 2 * (f + f / w * w);
  to[0] = value;
  to[1] = value;
  to += 2 * w;
  to[0] = value;
  to[1] = value;
}

int main() {
  const int N = 2, C = 3, H = 7, W = 9;
  std::vector<float> In = makeInput<float>(N * C * H * W, 1), Want;
  for (int Plane = 0; Plane < N * C; ++Plane)
    for (int Y = 0; Y < 2 * H; ++Y)
      for (int X = 0; X < 2 * W; ++X)
        Want.push_back(In[(Plane * H + Y / 2) * W + X / 2]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {upsample_nearest, upsample_nearest_ideal}) {
    Kernel<<<6, 64>>>(DIn.get(), DOut.get(), N, C, H, W);
    expectOutput("upsample_nearest", DOut, Want);
  }
  std::puts("upsample_nearest: OK");
}
