// Channel shuffle: the channels of each image as a matrix [rows, columns],
// transposed. The feature size is an argument of its own.
//
// A perfect simplifier sorts the chains to len, columns, rows and finds that
// the image's offset cancels: x + ((j * rows + i) - (i * columns + j)) * len
// with three divisions instead of eight. All sizes are positive.

#include "../check.h"

extern "C" __global__ void shuffle_channels(int n, const float *in, float *out,
                                            int feature_size, int rows,
                                            int columns, int len) {
  for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < n;
       x += blockDim.x * gridDim.x) {
    int image = x / rows / columns / len;
    int i = (x / columns / len) % rows;
    int j = x / len % columns;
    int k = x - (image * feature_size + (i * columns + j) * len);
    out[image * feature_size + (j * rows + i) * len + k] = in[x];
  }
}

extern "C" __global__ void shuffle_channels_ideal(int n, const float *in,
                                                  float *out, int feature_size,
                                                  int rows, int columns,
                                                  int len) {
  for (unsigned x = blockIdx.x * blockDim.x + threadIdx.x; x < unsigned(n);
       x += blockDim.x * gridDim.x) {
    unsigned channel = x / unsigned(len);
    unsigned row = channel / unsigned(columns);
    unsigned i = row % unsigned(rows);
    unsigned j = channel - row * columns;
    out[x + (j * (rows - 1) - i * (columns - 1)) * len] = in[x];
  }
}

int main() {
  const int N = 2, Rows = 3, Columns = 4, Len = 15;
  std::vector<float> In = makeInput<float>(N * Rows * Columns * Len, 1), Want;
  for (int B = 0; B < N; ++B)
    for (int J = 0; J < Columns; ++J)
      for (int I = 0; I < Rows; ++I)
        for (int K = 0; K < Len; ++K)
          Want.push_back(In[((B * Rows + I) * Columns + J) * Len + K]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {shuffle_channels, shuffle_channels_ideal}) {
    Kernel<<<2, 96>>>(Want.size(), DIn.get(), DOut.get(), Rows * Columns * Len,
                      Rows, Columns, Len);
    expectOutput("shuffle_channels", DOut, Want);
  }
  std::puts("shuffle_channels: OK");
}
