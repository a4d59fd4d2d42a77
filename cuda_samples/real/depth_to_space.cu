// Pixel shuffle with a run-time factor: each digit divides x by the sizes anew,
// in whatever order they were thought of, and the input index is x itself.
//
// A perfect simplifier sorts every chain to W, H, f, f, which is legal for
// every sign, and reads from x: four divisions instead of twelve.

#include "../check.h"

extern "C" __global__ void depth_to_space(int n, const float *in, float *out,
                                          int height, int width, int factor) {
  for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < n;
       x += blockDim.x * gridDim.x) {
    int s = x / factor / factor / height / width;
    int i = (x / factor / height / width) % factor;
    int j = (x / height / width) % factor;
    int h = (x / width) % height;
    int w = x % width;
    int from = (((s * factor + i) * factor + j) * height + h) * width + w;
    int to = (((s * height + h) * factor + i) * width + w) * factor + j;
    out[to] = in[from];
  }
}

extern "C" __global__ void depth_to_space_ideal(int n, const float *in,
                                                float *out, int height,
                                                int width, int factor) {
  for (unsigned x = blockIdx.x * blockDim.x + threadIdx.x; x < unsigned(n);
       x += blockDim.x * gridDim.x) {
    unsigned line = x / unsigned(width);
    unsigned plane = line / unsigned(height);
    unsigned column = plane / unsigned(factor);
    unsigned s = column / unsigned(factor);
    // s * height + h is line - (plane - s) * height, and so on.
    unsigned h = line - (plane - s) * height;
    unsigned i = column - s * factor;
    unsigned w = x - line * width;
    unsigned j = plane - column * factor;
    out[((h * factor + i) * width + w) * factor + j] = in[x];
  }
}

int main() {
  const int S = 3, F = 3, H = 5, W = 7;
  std::vector<float> In = makeInput<float>(S * F * F * H * W, 1), Want;
  for (int IS = 0; IS < S; ++IS)
    for (int Y = 0; Y < H; ++Y)
      for (int I = 0; I < F; ++I)
        for (int X = 0; X < W; ++X)
          for (int J = 0; J < F; ++J)
            Want.push_back(In[(((IS * F + I) * F + J) * H + Y) * W + X]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {depth_to_space, depth_to_space_ideal}) {
    Kernel<<<3, 128>>>(Want.size(), DIn.get(), DOut.get(), H, W, F);
    expectOutput("depth_to_space", DOut, Want);
  }
  std::puts("depth_to_space: OK");
}
