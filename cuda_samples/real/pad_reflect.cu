// Padding by reflection: quotients by products of sizes, and a source index
// that is put together from them with the sizes of the input.
//
// A perfect simplifier divides by the width and the height only, since image
// and channel are joined again: two divisions instead of five. All sizes are
// positive; pads may be anything.

#include "../check.h"

extern "C" __global__ void pad_reflect(int n, const float *in, float *out,
                                       int channels, int out_h, int out_w,
                                       int in_h, int in_w, int pad_top,
                                       int pad_left) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    int image = i / (channels * out_h * out_w);
    int c = (i / (out_h * out_w)) % channels;
    int h = (i / out_w) % out_h;
    int w = i % out_w;
    int from_h = h - pad_top;
    int from_w = w - pad_left;
    from_h = max(from_h, -from_h);
    from_w = max(from_w, -from_w);
    from_h = min(from_h, 2 * in_h - from_h - 2);
    from_w = min(from_w, 2 * in_w - from_w - 2);
    out[i] = in[image * channels * in_h * in_w + c * in_h * in_w +
                from_h * in_w + from_w];
  }
}

extern "C" __global__ void pad_reflect_ideal(int n, const float *in, float *out,
                                             int channels, int out_h, int out_w,
                                             int in_h, int in_w, int pad_top,
                                             int pad_left) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    unsigned line = i / unsigned(out_w);
    unsigned plane = line / unsigned(out_h);
    int from_h = line - plane * out_h - pad_top;
    int from_w = i - line * out_w - pad_left;
    from_h = max(from_h, -from_h);
    from_w = max(from_w, -from_w);
    from_h = min(from_h, 2 * in_h - from_h - 2);
    from_w = min(from_w, 2 * in_w - from_w - 2);
    out[i] = in[(plane * in_h + from_h) * in_w + from_w];
  }
}

int main() {
  const int N = 2, C = 3, H = 6, W = 8, Top = 2, Bottom = 3, Left = 4,
            Right = 1;
  const int OH = H + Top + Bottom, OW = W + Left + Right;
  std::vector<float> In = makeInput<float>(N * C * H * W, 1), Want;
  auto Reflect = [](int At, int Size) {
    if (At < 0)
      At = -At;
    return At < Size ? At : 2 * Size - 2 - At;
  };
  for (int Plane = 0; Plane < N * C; ++Plane)
    for (int Y = 0; Y < OH; ++Y)
      for (int X = 0; X < OW; ++X)
        Want.push_back(
            In[(Plane * H + Reflect(Y - Top, H)) * W + Reflect(X - Left, W)]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {pad_reflect, pad_reflect_ideal}) {
    Kernel<<<3, 64>>>(Want.size(), DIn.get(), DOut.get(), C, OH, OW, H, W, Top,
                      Left);
    expectOutput("pad_reflect", DOut, Want);
  }
  std::puts("pad_reflect: OK");
}
