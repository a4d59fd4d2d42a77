// Gated linear unit over one axis: the input has both halves, the output index
// is put together from the digits of x.
//
// A perfect simplifier writes to x and reads from x + i * half and half further
// on, with half = S * N: one division instead of four. No fact is needed for
// that but the sign.

#include "../check.h"

extern "C" __global__ void glu(int M, int split, int N, const float *in,
                               float *out) {
  int x = blockDim.x * blockIdx.x + threadIdx.x;
  if (x >= M * split * N)
    return;
  int half = split * N;
  int i = x / split / N;
  int j = x / N % split;
  int k = x % N;
  float value = in[i * 2 * half + j * N + k];
  float gate = in[i * 2 * half + (j + split) * N + k];
  out[i * half + j * N + k] = value / (1.0f + expf(-gate));
}

extern "C" __global__ void glu_ideal(int M, int split, int N, const float *in,
                                     float *out) {
  unsigned x = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned half = split * N;
  if (x >= M * half)
    return;
  unsigned from = x + x / half * half;
  float value = in[from];
  float gate = in[from + half];
  out[x] = value / (1.0f + expf(-gate));
}

int main() {
  const int M = 4, S = 5, N = 13;
  std::vector<float> In = makeInput<float>(M * 2 * S * N, 1), Want;
  for (float &Value : In)
    Value = Value / 64 - 2;
  for (int I = 0; I < M; ++I)
    for (int JK = 0; JK < S * N; ++JK) {
      const float *At = In.data() + I * 2 * S * N + JK;
      Want.push_back(At[0] / (1.0f + std::exp(-At[S * N])));
    }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {glu, glu_ideal}) {
    Kernel<<<3, 96>>>(M, S, N, DIn.get(), DOut.get());
    expectOutput("glu", DOut, Want);
  }
  std::puts("glu: OK");
}
