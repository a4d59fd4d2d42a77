// Reductions over the middle axis of [outer, axis, inner]: neighbouring threads
// take neighbouring elements, the loop steps by inner.

#include <cstdint>

extern "C" __global__ void sum_middle(const float *in, float *out, int outer,
                                      int axis, int inner) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= outer * inner)
    return;
  int o = index / inner;
  int i = index % inner;
  float sum = 0;
  for (int a = 0; a < axis; ++a)
    sum += in[(o * axis + a) * inner + i];
  out[index] = sum;
}

extern "C" __global__ void mean_middle(const float *in, float *out,
                                       size_t outer, size_t axis,
                                       size_t inner) {
  for (size_t index = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
       index < outer * inner; index += size_t(blockDim.x) * gridDim.x) {
    size_t o = index / inner;
    size_t i = index % inner;
    float sum = 0;
    for (size_t a = 0; a < axis; ++a)
      sum += in[o * axis * inner + a * inner + i];
    out[index] = sum / axis;
  }
}

extern "C" __global__ void argmax_middle(int total, const float *in, int *out,
                                         int axis, int inner) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    const float *line = in + index / inner * axis * inner + index % inner;
    float best = line[0];
    int where = 0;
    for (int a = 1; a < axis; ++a) {
      float value = line[a * inner];
      if (value > best) {
        best = value;
        where = a;
      }
    }
    out[index] = where;
  }
}

// Two axes at once: the spatial axes of NHWC.
extern "C" __global__ void sum_spatial(const float *in, double *out,
                                       unsigned batch, unsigned pixels,
                                       unsigned channels) {
  unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < batch * channels) {
    unsigned c = index % channels, n = index / channels;
    double sum = 0, squares = 0;
    for (unsigned p = 0; p < pixels; ++p) {
      double value = in[(n * pixels + p) * channels + c];
      sum += value;
      squares += value * value;
    }
    out[2 * index] = sum;
    out[2 * index + 1] = squares;
  }
}
