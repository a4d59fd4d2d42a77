// Copy between two four-dimensional layouts of the same elements, to bytes: the
// digits by subtracting, with int products of sizes and a 64-bit index, once
// for each shape.
//
// A perfect simplifier keeps six divisions, in 32 bits and unsigned. All sizes
// are positive and their products are ints.

#include "../check.h"

#include <cstdint>

extern "C" __global__ void copy_quantized(const float *in, uint8_t *out, int n,
                                          int x0, int x1, int x2, int sx0,
                                          int sx1, int sx2, int sx3, int y0,
                                          int y1, int y2, int sy0, int sy1,
                                          int sy2, int sy3, float scale) {
  const int64_t i = int64_t(blockDim.x) * blockIdx.x + threadIdx.x;
  if (i >= n)
    return;
  const int64_t i3 = i / (x0 * x1 * x2);
  const int64_t i2 = (i - i3 * x0 * x1 * x2) / (x0 * x1);
  const int64_t i1 = (i - i3 * x0 * x1 * x2 - i2 * x1 * x0) / x0;
  const int64_t i0 = i - i3 * x0 * x1 * x2 - i2 * x1 * x0 - i1 * x0;
  const int64_t from = i0 * sx0 + i1 * sx1 + i2 * sx2 + i3 * sx3;
  const int64_t j3 = i / (y0 * y1 * y2);
  const int64_t j2 = (i - j3 * y0 * y1 * y2) / (y0 * y1);
  const int64_t j1 = (i - j3 * y0 * y1 * y2 - j2 * y1 * y0) / y0;
  const int64_t j0 = i - j3 * y0 * y1 * y2 - j2 * y1 * y0 - j1 * y0;
  const int64_t to = j0 * sy0 + j1 * sy1 + j2 * sy2 + j3 * sy3;
  out[to] = in[from] * scale + 128.5f;
}

extern "C" __global__ void
copy_quantized_ideal(const float *in, uint8_t *out, int n, int x0, int x1,
                     int x2, int sx0, int sx1, int sx2, int sx3, int y0, int y1,
                     int y2, int sy0, int sy1, int sy2, int sy3, float scale) {
  unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= unsigned(n))
    return;
  unsigned x_line = i / unsigned(x0);
  unsigned x_plane = x_line / unsigned(x1);
  unsigned i3 = x_plane / unsigned(x2);
  unsigned from = (i - x_line * x0) * sx0 + (x_line - x_plane * x1) * sx1 +
                  (x_plane - i3 * x2) * sx2 + i3 * sx3;
  unsigned y_line = i / unsigned(y0);
  unsigned y_plane = y_line / unsigned(y1);
  unsigned j3 = y_plane / unsigned(y2);
  unsigned to = (i - y_line * y0) * sy0 + (y_line - y_plane * y1) * sy1 +
                (y_plane - j3 * y2) * sy2 + j3 * sy3;
  out[to] = in[from] * scale + 128.5f;
}

int main() {
  // From [3][5][4][6], the axes 0 and 1 swapped in memory, to [9][2][10][2].
  const int X[4] = {6, 4, 5, 3}, Y[4] = {2, 10, 2, 9};
  const int N = X[0] * X[1] * X[2] * X[3];
  const float Scale = 0.25f;
  std::vector<float> In = makeInput<float>(N, 1);
  std::vector<uint8_t> Want(N);
  for (int I = 0; I < N; ++I) {
    int D = I / (X[0] * X[1] * X[2]), C = I / (X[0] * X[1]) % X[2];
    int B = I / X[0] % X[1], A = I % X[0];
    int J = I / (Y[0] * Y[1]), K = I / Y[0] % Y[1], L = I % Y[0];
    Want[(J * Y[0] + L) * Y[1] + K] =
        In[((D * X[2] + C) * X[0] + A) * X[1] + B] * Scale + 128.5f;
  }

  DeviceBuffer<float> DIn(In);
  DeviceBuffer<uint8_t> DOut(N);
  for (auto *Kernel : {copy_quantized, copy_quantized_ideal}) {
    Kernel<<<4, 96>>>(DIn.get(), DOut.get(), N, X[0], X[1], X[2], X[1], 1,
                      X[0] * X[1], X[0] * X[1] * X[2], Y[0], Y[1], Y[2], Y[1],
                      1, Y[0] * Y[1], Y[0] * Y[1] * Y[2], Scale);
    expectOutput("copy_quantized", DOut, Want);
  }
  std::puts("copy_quantized: OK");
}
