// Bias and transpose of one row of [batch, length, parts, heads, width] to
// [parts, batch, heads, length, width]: a block per row and part, and a loop
// over its elements by the threads of the block, with size_t sizes.
//
// A perfect simplifier keeps one division, in 32 bits. The sizes are positive
// and their products fit 32 bits.

#include "../check.h"

extern "C" __global__ void bias_transpose(float *out, const float *in,
                                          const float *bias, size_t length,
                                          size_t heads, size_t width) {
  size_t batch = blockIdx.x;
  size_t row = blockIdx.y;
  size_t part = blockIdx.z;
  size_t hidden = heads * width;
  size_t from = ((batch * length + row) * gridDim.z + part) * hidden;
  for (size_t i = threadIdx.x; i < hidden; i += blockDim.x) {
    size_t head = i / width;
    size_t column = i % width;
    size_t to =
        (((part * gridDim.x + batch) * heads + head) * length + row) * width +
        column;
    out[to] = in[from + i] + bias[part * hidden + i];
  }
}

extern "C" __global__ void bias_transpose_ideal(float *out, const float *in,
                                                const float *bias,
                                                size_t length, size_t heads,
                                                size_t width) {
  unsigned batch = blockIdx.x, row = blockIdx.y, part = blockIdx.z;
  unsigned wide = width, lines = length, hidden = heads * width;
  const float *from = in + ((batch * lines + row) * gridDim.z + part) * hidden;
  const float *add = bias + part * hidden;
  float *to = out + ((part * gridDim.x + batch) * hidden * lines + row * wide);
  unsigned skip = (lines - 1) * wide;
  for (unsigned i = threadIdx.x; i < hidden; i += blockDim.x)
    to[i / wide * skip + i] = from[i] + add[i];
}

int main() {
  const int B = 2, L = 3, Parts = 3, Heads = 5, Width = 7;
  std::vector<float> In = makeInput<float>(B * L * Parts * Heads * Width, 1);
  std::vector<float> Bias = makeInput<float>(Parts * Heads * Width, 2), Want;
  for (int P = 0; P < Parts; ++P)
    for (int IB = 0; IB < B; ++IB)
      for (int H = 0; H < Heads; ++H)
        for (int R = 0; R < L; ++R)
          for (int W = 0; W < Width; ++W) {
            int At = H * Width + W, Row = (IB * L + R) * Parts + P;
            Want.push_back(In[Row * Heads * Width + At] +
                           Bias[P * Heads * Width + At]);
          }

  DeviceBuffer<float> DIn(In), DBias(Bias), DOut(Want.size());
  for (auto *Kernel : {bias_transpose, bias_transpose_ideal}) {
    Kernel<<<dim3(B, L, Parts), 16>>>(DOut.get(), DIn.get(), DBias.get(), L,
                                      Heads, Width);
    expectOutput("bias_transpose", DOut, Want);
  }
  std::puts("bias_transpose: OK");
}
