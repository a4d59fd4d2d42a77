// Space to depth, with the digits taken off one after the other, on a
// two-dimensional grid: the input index is put together from them again.
//
// A perfect simplifier reads from i and keeps three divisions of the chain, two
// by the factor and by the channels of the output, and the uniform one for
// those; the image is below the batch by the guard. All sizes are positive.

#include "../check.h"

extern "C" __global__ void reorg(int N, const float *in, int W, int H, int C,
                                 int batch, int factor, float *out) {
  int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (i >= N)
    return;
  int w = i % W;
  i = i / W;
  int h = i % H;
  i = i / H;
  int c = i % C;
  i = i / C;
  int b = i % batch;
  int from = w + W * (h + H * (c + C * b));
  int out_c = C / (factor * factor);
  int c2 = c % out_c;
  int offset = c / out_c;
  int w2 = w * factor + offset % factor;
  int h2 = h * factor + offset / factor;
  int to = w2 + W * factor * (h2 + H * factor * (c2 + out_c * b));
  out[to] = in[from];
}

extern "C" __global__ void reorg_ideal(int N, const float *in, int W, int H,
                                       int C, int batch, int factor,
                                       float *out) {
  unsigned i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (i >= unsigned(N))
    return;
  unsigned line = i / unsigned(W);
  unsigned plane = line / unsigned(H);
  unsigned b = plane / unsigned(C);
  unsigned c = plane - b * C;
  unsigned out_c = unsigned(C) / unsigned(factor * factor);
  unsigned offset = c / out_c;
  unsigned down = offset / unsigned(factor);
  unsigned w2 = (i - line * W) * factor + (offset - down * factor);
  unsigned h2 = (line - plane * H) * factor + down;
  unsigned c2 = c + (b - offset) * out_c;
  out[w2 + W * factor * (h2 + H * factor * c2)] = in[i];
}

int main() {
  const int B = 2, C = 12, H = 5, W = 7, S = 2, OC = C / (S * S);
  std::vector<float> In = makeInput<float>(B * C * H * W, 1);
  std::vector<float> Want(In.size());
  auto Next = In.begin();
  for (int IB = 0; IB < B; ++IB)
    for (int DY = 0; DY < S; ++DY)
      for (int DX = 0; DX < S; ++DX)
        for (int Ch = 0; Ch < OC; ++Ch)
          for (int Y = 0; Y < H; ++Y)
            for (int X = 0; X < W; ++X, ++Next) {
              int Line = ((IB * OC + Ch) * H + Y) * S + DY;
              Want[Line * W * S + X * S + DX] = *Next;
            }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {reorg, reorg_ideal}) {
    Kernel<<<dim3(4, 2), 128>>>(In.size(), DIn.get(), W, H, C, B, S,
                                DOut.get());
    expectOutput("reorg", DOut, Want);
  }
  std::puts("reorg: OK");
}
