// NCHW -> NHWC with int sizes in a size_t loop: four 64-bit divisions by
// sign-extended sizes.
//
// A perfect simplifier sorts i / C / HW to (i / HW) / C and divides twice, in
// 32 bits. All sizes are positive and N * C * HW is an int.

#include "../check.h"

extern "C" __global__ void nchw_to_nhwc(int batch, int channels, int pixels,
                                        const float *in, float *out) {
  size_t size = batch * channels * pixels;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
       i += blockDim.x * gridDim.x) {
    size_t pixel = i % pixels;
    size_t channel = i / pixels % channels;
    size_t image = i / channels / pixels;
    out[(image * pixels + pixel) * channels + channel] = in[i];
  }
}

extern "C" __global__ void nchw_to_nhwc_ideal(int batch, int channels,
                                              int pixels, const float *in,
                                              float *out) {
  unsigned size = batch * channels * pixels;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
       i += blockDim.x * gridDim.x) {
    unsigned plane = i / unsigned(pixels);
    unsigned image = plane / unsigned(channels);
    unsigned pixel = i - (plane - image) * pixels;
    out[pixel * channels + (plane - image * channels)] = in[i];
  }
}

int main() {
  const int N = 3, C = 7, HW = 55;
  std::vector<float> In = makeInput<float>(N * C * HW, 1), Want;
  for (int B = 0; B < N; ++B)
    for (int P = 0; P < HW; ++P)
      for (int Ch = 0; Ch < C; ++Ch)
        Want.push_back(In[(B * C + Ch) * HW + P]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {nchw_to_nhwc, nchw_to_nhwc_ideal}) {
    Kernel<<<3, 128>>>(N, C, HW, DIn.get(), DOut.get());
    expectOutput("nchw_to_nhwc", DOut, Want);
  }
  std::puts("nchw_to_nhwc: OK");
}
