// Fused [batch, row, 3, heads, width] projections split into query, key and
// value of [batch, heads, row, width]: a remainder is taken, then divided
// again.
//
// A perfect simplifier divides in the chain width, rows, heads and stores to i.
// All sizes are positive.

#include "../check.h"

extern "C" __global__ void heads_permute(float *q, float *k, float *v,
                                         const float *in, int batches, int rows,
                                         int heads, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batches * heads * rows * width)
    return;
  int batch = i / (heads * rows * width);
  int rest = i % (heads * rows * width);
  int head = rest / (rows * width);
  rest = rest % (rows * width);
  int row = rest / width;
  int column = rest % width;
  int from = (batch * rows * 3 * heads * width) + (row * 3 * heads * width) +
             (0 * heads * width) + (head * width) + column;
  q[i] = in[from];
  k[i] = in[from + heads * width];
  v[i] = in[from + 2 * (heads * width)];
}

extern "C" __global__ void heads_permute_ideal(float *q, float *k, float *v,
                                               const float *in, int batches,
                                               int rows, int heads, int width) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= unsigned(batches * heads * rows * width))
    return;
  unsigned line = i / unsigned(width);
  unsigned plane = line / unsigned(rows);
  unsigned batch = plane / unsigned(heads);
  unsigned row = line - (plane - batch) * rows;
  unsigned head = plane - batch * heads;
  unsigned from = (row * 3 * heads + head - line) * width + i;
  unsigned part = heads * width;
  q[i] = in[from];
  k[i] = in[from + part];
  v[i] = in[from + 2 * part];
}

int main() {
  const int B = 2, Rows = 7, Heads = 3, Width = 5;
  std::vector<float> In = makeInput<float>(B * Rows * 3 * Heads * Width, 1);
  std::vector<float> Want[3];
  for (int Part = 0; Part < 3; ++Part)
    for (int IB = 0; IB < B; ++IB)
      for (int H = 0; H < Heads; ++H)
        for (int R = 0; R < Rows; ++R)
          for (int W = 0; W < Width; ++W)
            Want[Part].push_back(
                In[(((IB * Rows + R) * 3 + Part) * Heads + H) * Width + W]);

  DeviceBuffer<float> DIn(In);
  DeviceBuffer<float> Q(Want[0].size()), K(Want[0].size()), V(Want[0].size());
  for (auto *Kernel : {heads_permute, heads_permute_ideal}) {
    Kernel<<<4, 64>>>(Q.get(), K.get(), V.get(), DIn.get(), B, Rows, Heads,
                      Width);
    expectOutput("heads_permute: q", Q, Want[0]);
    expectOutput("heads_permute: k", K, Want[1]);
    expectOutput("heads_permute: v", V, Want[2]);
  }
  std::puts("heads_permute: OK");
}
