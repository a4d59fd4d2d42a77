// Element-wise sum of a tensor and a smaller one that is repeated in every
// axis: the index is unravelled by products of sizes, and each coordinate is
// wrapped at the smaller tensor's size.
//
// A perfect simplifier divides in a chain: seven divisions instead of nine. All
// sizes are positive.

#include "../check.h"

extern "C" __global__ void broadcast_unravel(const float *x, const float *y,
                                             float *out, int n0, int n1, int n2,
                                             int n3, int y0, int y1, int y2,
                                             int y3, int sx1, int sx2, int sx3,
                                             int sy1, int sy2, int sy3, int so1,
                                             int so2, int so3) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  const int i3 = i / (n2 * n1 * n0);
  const int i2 = (i / (n1 * n0)) % n2;
  const int i1 = (i / n0) % n1;
  const int i0 = i % n0;
  if (i0 >= n0 || i1 >= n1 || i2 >= n2 || i3 >= n3)
    return;
  const int j0 = i0 % y0;
  const int j1 = i1 % y1;
  const int j2 = i2 % y2;
  const int j3 = i3 % y3;
  const float *x_row = x + i3 * sx3 + i2 * sx2 + i1 * sx1;
  const float *y_row = y + j3 * sy3 + j2 * sy2 + j1 * sy1;
  float *out_row = out + i3 * so3 + i2 * so2 + i1 * so1;
  out_row[i0] = x_row[i0] + y_row[j0];
}

extern "C" __global__ void
broadcast_unravel_ideal(const float *x, const float *y, float *out, int n0,
                        int n1, int n2, int n3, int y0, int y1, int y2, int y3,
                        int sx1, int sx2, int sx3, int sy1, int sy2, int sy3,
                        int so1, int so2, int so3) {
  unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned line = i / unsigned(n0);
  unsigned plane = line / unsigned(n1);
  unsigned i3 = plane / unsigned(n2);
  if (i3 >= unsigned(n3))
    return;
  unsigned i2 = plane - i3 * n2;
  unsigned i1 = line - plane * n1;
  unsigned i0 = i - line * n0;
  unsigned j0 = i0 % unsigned(y0);
  unsigned j1 = i1 % unsigned(y1);
  unsigned j2 = i2 % unsigned(y2);
  unsigned j3 = i3 % unsigned(y3);
  out[i0 + i3 * so3 + i2 * so2 + i1 * so1] =
      x[i0 + i3 * sx3 + i2 * sx2 + i1 * sx1] +
      y[j0 + j3 * sy3 + j2 * sy2 + j1 * sy1];
}

int main() {
  const int N[4] = {6, 5, 4, 3}, Y[4] = {6, 1, 2, 3};
  std::vector<float> First = makeInput<float>(N[0] * N[1] * N[2] * N[3], 1);
  std::vector<float> Second = makeInput<float>(Y[0] * Y[1] * Y[2] * Y[3], 2);
  std::vector<float> Want;
  for (int D = 0; D < N[3]; ++D)
    for (int C = 0; C < N[2]; ++C)
      for (int B = 0; B < N[1]; ++B)
        for (int A = 0; A < N[0]; ++A)
          Want.push_back(
              First[Want.size()] +
              Second[((D % Y[3] * Y[2] + C % Y[2]) * Y[1] + B % Y[1]) * Y[0] +
                     A % Y[0]]);

  DeviceBuffer<float> DFirst(First), DSecond(Second), DOut(Want.size());
  for (auto *Kernel : {broadcast_unravel, broadcast_unravel_ideal}) {
    Kernel<<<4, 96>>>(DFirst.get(), DSecond.get(), DOut.get(), N[0], N[1], N[2],
                      N[3], Y[0], Y[1], Y[2], Y[3], N[0], N[0] * N[1],
                      N[0] * N[1] * N[2], Y[0], Y[0] * Y[1], Y[0] * Y[1] * Y[2],
                      N[0], N[0] * N[1], N[0] * N[1] * N[2]);
    expectOutput("broadcast_unravel", DOut, Want);
  }
  std::puts("broadcast_unravel: OK");
}
