// Shifted window partition of vision transformers: rows of [batch, H, W] go to
// windows of ws x ws after a cyclic shift, a warp per row.
//
// A perfect simplifier shares row / W, wraps y - shift + H by a comparison,
// since the shift is in [0, H), and divides by ws twice: four divisions beside
// the two uniform ones, instead of seven. All sizes are positive.

#include "../check.h"

extern "C" __global__ void window_shift(float *out, const float *in, int batch,
                                        int H, int W, int width, int shift,
                                        int window) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= batch * H * W)
    return;
  const int image = row / (H * W);
  const int y = (row / W) % H;
  const int x = row % W;
  const int shifted_y = (y - shift + H) % H;
  const int shifted_x = (x - shift + W) % W;
  const int window_at = shifted_y / window * (W / window) + shifted_x / window;
  const int inside = (shifted_y % window) * window + shifted_x % window;
  const int to = image * H * W + window_at * window * window + inside;
  for (int i = lane; i < width; i += 32)
    out[to * width + i] = in[row * width + i];
}

extern "C" __global__ void window_shift_ideal(float *out, const float *in,
                                              int batch, int H, int W,
                                              int width, int shift,
                                              int window) {
  unsigned lane = threadIdx.x % 32;
  unsigned row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= unsigned(batch * H * W))
    return;
  unsigned line = row / unsigned(W);
  unsigned image = line / unsigned(H);
  unsigned y = line - image * H, x = row - line * W;
  unsigned shifted_y = y < unsigned(shift) ? y - shift + H : y - shift;
  unsigned shifted_x = x < unsigned(shift) ? x - shift + W : x - shift;
  unsigned down = shifted_y / unsigned(window);
  unsigned over = shifted_x / unsigned(window);
  unsigned window_at = down * (unsigned(W) / unsigned(window)) + over;
  unsigned inside =
      (shifted_y - down * window) * window + (shifted_x - over * window);
  unsigned to = image * (H * W) + window_at * (window * window) + inside;
  float *to_row = out + to * width;
  const float *from_row = in + row * width;
  for (unsigned i = lane; i < unsigned(width); i += 32)
    to_row[i] = from_row[i];
}

int main() {
  const int B = 2, H = 6, W = 9, Width = 35, Shift = 2, Window = 3;
  std::vector<float> In = makeInput<float>(B * H * W * Width, 1), Want;
  for (int IB = 0; IB < B; ++IB)
    for (int WY = 0; WY < H / Window; ++WY)
      for (int WX = 0; WX < W / Window; ++WX)
        for (int Y = 0; Y < Window; ++Y)
          for (int X = 0; X < Window; ++X)
            for (int I = 0; I < Width; ++I) {
              int FromY = (WY * Window + Y + Shift) % H;
              int FromX = (WX * Window + X + Shift) % W;
              Want.push_back(In[((IB * H + FromY) * W + FromX) * Width + I]);
            }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {window_shift, window_shift_ideal}) {
    Kernel<<<(B * H * W + 3) / 4, 128>>>(DOut.get(), DIn.get(), B, H, W, Width,
                                         Shift, Window);
    expectOutput("window_shift", DOut, Want);
  }
  std::puts("window_shift: OK");
}
