// Adds the bias to fused [token, 3, heads, width] projections and stores query,
// key and value as [batch, heads, length, width] with padding put back.
//
// A perfect simplifier divides i in the chain width, heads, 3 (a constant), and
// the padded token by the length: three run-time divisions instead of five. All
// sizes are positive and the padding is not negative.

#include "../check.h"

extern "C" __global__ void qkv_bias(float *q, float *k, float *v,
                                    const float *fused, const float *bias,
                                    const int *padding, int tokens, int length,
                                    int heads, int width) {
  float *parts[3] = {q, k, v};
  int n = heads * width;
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < tokens * 3 * n;
       i += gridDim.x * blockDim.x) {
    int bias_at = i % (3 * n);
    int token = i / (3 * n);
    int padded = token + padding[token];
    int batch = padded / length;
    int row = padded % length;
    int part = (i % (3 * n)) / n;
    int head = (i % n) / width;
    int column = i % width;
    parts[part][((batch * heads + head) * length + row) * width + column] =
        fused[i] + bias[bias_at];
  }
}

extern "C" __global__ void qkv_bias_ideal(float *q, float *k, float *v,
                                          const float *fused, const float *bias,
                                          const int *padding, int tokens,
                                          int length, int heads, int width) {
  float *parts[3] = {q, k, v};
  unsigned fused_width = 3 * heads * width;
  for (unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
       i < tokens * fused_width; i += gridDim.x * blockDim.x) {
    unsigned line = i / unsigned(width);
    unsigned part_line = line / unsigned(heads);
    unsigned token = part_line / 3;
    unsigned head = line - part_line * heads;
    unsigned padded = token + padding[token];
    unsigned batch = padded / unsigned(length);
    unsigned to = (batch * (heads - 1) + head) * length + padded;
    parts[part_line - token * 3][(to - line) * width + i] =
        fused[i] + bias[i - token * fused_width];
  }
}

int main() {
  const int B = 2, L = 6, Heads = 3, Width = 10;
  // The first sequence has 4 tokens, the second 5.
  const std::vector<int> Rows = {0, 1, 2, 3, 6, 7, 8, 9, 10};
  const int Tokens = Rows.size(), N = Heads * Width;
  std::vector<float> Fused = makeInput<float>(Tokens * 3 * N, 1);
  std::vector<float> Bias = makeInput<float>(3 * N, 2), Zero(B * L * N, 0.0f);
  std::vector<float> Want[3] = {Zero, Zero, Zero};
  std::vector<int> Padding;
  for (int T = 0; T < Tokens; ++T) {
    Padding.push_back(Rows[T] - T);
    for (int Part = 0; Part < 3; ++Part)
      for (int H = 0; H < Heads; ++H)
        for (int W = 0; W < Width; ++W) {
          int At = (Part * Heads + H) * Width + W, Batch = Rows[T] / L;
          Want[Part][((Batch * Heads + H) * L + Rows[T] % L) * Width + W] =
              Fused[T * 3 * N + At] + Bias[At];
        }
  }

  DeviceBuffer<float> DFused(Fused), DBias(Bias);
  DeviceBuffer<int> DPadding(Padding);
  for (auto *Kernel : {qkv_bias, qkv_bias_ideal}) {
    DeviceBuffer<float> Q(Zero), K(Zero), V(Zero);
    Kernel<<<2, 96>>>(Q.get(), K.get(), V.get(), DFused.get(), DBias.get(),
                      DPadding.get(), Tokens, L, Heads, Width);
    expectOutput("qkv_bias: q", Q, Want[0]);
    expectOutput("qkv_bias: k", K, Want[1]);
    expectOutput("qkv_bias: v", V, Want[2]);
  }
  std::puts("qkv_bias: OK");
}
