// Strided slice of four axes, four elements a thread: the divisors of channel
// and image are arguments of their own, and the loop over elements is unrolled.
//
// A perfect simplifier keeps five divisions an element, unsigned, or carries
// the digits from one element to the next. All sizes are positive.

#include "../check.h"

constexpr int kThreads = 128, kElements = 4;

extern "C" __global__ void slice_strided(int size, const float *in, int in_c,
                                         int in_h, int in_w, const int *begins,
                                         const int *strides, float *out,
                                         int channels, int height, int width,
                                         int div_c, int div_n) {
  int base = blockIdx.x * kThreads * kElements + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kElements; ++k) {
    int i = base + k * kThreads;
    if (i < size) {
      int w = i % width;
      int h = i / width % height;
      int c = i / div_c % channels;
      int n = i / div_n;
      int from_w = w * strides[3] + begins[3];
      int from_h = h * strides[2] + begins[2];
      int from_c = c * strides[1] + begins[1];
      int from_n = n * strides[0] + begins[0];
      out[i] = in[((from_n * in_c + from_c) * in_h + from_h) * in_w + from_w];
    }
  }
}

extern "C" __global__ void
slice_strided_ideal(int size, const float *in, int in_c, int in_h, int in_w,
                    const int *begins, const int *strides, float *out,
                    int channels, int height, int width, int div_c, int div_n) {
  unsigned base = blockIdx.x * kThreads * kElements + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kElements; ++k) {
    unsigned i = base + k * kThreads;
    if (i < unsigned(size)) {
      unsigned line = i / unsigned(width);
      unsigned w = i - line * width;
      unsigned h = line % unsigned(height);
      unsigned c = i / unsigned(div_c) % unsigned(channels);
      unsigned n = i / unsigned(div_n);
      unsigned from_w = w * strides[3] + begins[3];
      unsigned from_h = h * strides[2] + begins[2];
      unsigned from_c = c * strides[1] + begins[1];
      unsigned from_n = n * strides[0] + begins[0];
      out[i] = in[((from_n * in_c + from_c) * in_h + from_h) * in_w + from_w];
    }
  }
}

int main() {
  const int N = 5, C = 7, H = 9, W = 12;
  const std::vector<int> Begins = {1, 0, 2, 3}, Strides = {2, 3, 1, 2};
  const int ON = 2, OC = 3, OH = 6, OW = 4;
  std::vector<float> In = makeInput<float>(N * C * H * W, 1), Want;
  for (int B = 0; B < ON; ++B)
    for (int Ch = 0; Ch < OC; ++Ch)
      for (int Y = 0; Y < OH; ++Y)
        for (int X = 0; X < OW; ++X) {
          int IN = B * Strides[0] + Begins[0], IC = Ch * Strides[1] + Begins[1];
          int IH = Y * Strides[2] + Begins[2], IW = X * Strides[3] + Begins[3];
          Want.push_back(In[((IN * C + IC) * H + IH) * W + IW]);
        }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  DeviceBuffer<int> DBegins(Begins), DStrides(Strides);
  for (auto *Kernel : {slice_strided, slice_strided_ideal}) {
    Kernel<<<1, kThreads>>>(Want.size(), DIn.get(), C, H, W, DBegins.get(),
                            DStrides.get(), DOut.get(), OC, OH, OW, OH * OW,
                            OC * OH * OW);
    expectOutput("slice_strided", DOut, Want);
  }
  std::puts("slice_strided: OK");
}
