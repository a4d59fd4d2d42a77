// [batch, heads, rows, width] -> [batch, rows, heads, width]: attention heads
// side by side, by quotients and remainders of products of sizes. The grid fits
// exactly, so there is no guard.
//
// A perfect simplifier divides in a chain, three times instead of five. All
// sizes are positive.

#include "../check.h"

extern "C" __global__ void heads_to_rows(const float *in, float *out, int heads,
                                         int rows, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int batch = i / (heads * rows * width);
  int head = (i % (heads * rows * width)) / (rows * width);
  int row = (i % (rows * width)) / width;
  int column = i % width;
  out[((batch * rows + row) * heads + head) * width + column] = in[i];
}

extern "C" __global__ void heads_to_rows_ideal(const float *in, float *out,
                                               int heads, int rows, int width) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned line = i / unsigned(width);
  unsigned plane = line / unsigned(rows);
  unsigned batch = plane / unsigned(heads);
  unsigned row = line - (plane - batch) * rows;
  unsigned to = row * heads + (plane - batch * heads);
  out[(to - line) * width + i] = in[i];
}

int main() {
  const int B = 3, Heads = 4, Rows = 10, Width = 12;
  std::vector<float> In = makeInput<float>(B * Heads * Rows * Width, 1), Want;
  for (int IB = 0; IB < B; ++IB)
    for (int R = 0; R < Rows; ++R)
      for (int H = 0; H < Heads; ++H)
        for (int W = 0; W < Width; ++W)
          Want.push_back(In[((IB * Heads + H) * Rows + R) * Width + W]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {heads_to_rows, heads_to_rows_ideal}) {
    Kernel<<<B * Heads * Rows, Width>>>(DIn.get(), DOut.get(), Heads, Rows,
                                        Width);
    expectOutput("heads_to_rows", DOut, Want);
  }
  std::puts("heads_to_rows: OK");
}
