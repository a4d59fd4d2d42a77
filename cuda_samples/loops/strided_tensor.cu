// Tensors with sizes and strides in structs that are passed by value.

#include <cstdint>

struct Shape4 {
  int size[4];
  int stride[4];
};

// A copy by a grid-stride loop.
extern "C" __global__ void copy_strided4(const float *in, Shape4 from,
                                         float *out, Shape4 to, int total) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int i3 = index % from.size[3];
    int i2 = index / from.size[3] % from.size[2];
    int i1 = index / from.size[3] / from.size[2] % from.size[1];
    int i0 = index / from.size[3] / from.size[2] / from.size[1];
    out[i0 * to.stride[0] + i1 * to.stride[1] + i2 * to.stride[2] +
        i3 * to.stride[3]] = in[i0 * from.stride[0] + i1 * from.stride[1] +
                                i2 * from.stride[2] + i3 * from.stride[3]];
  }
}

struct Iteration {
  int64_t dims;
  int64_t size[5];
  int64_t stride[5];
};

// A sum over one axis: a loop of run-time length turns the index into an
// offset.
extern "C" __global__ void sum_strided(const float *in, Iteration outer,
                                       int64_t length, int64_t step, float *out,
                                       int64_t total) {
  for (int64_t index = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
       index < total; index += int64_t(blockDim.x) * gridDim.x) {
    int64_t rest = index, offset = 0;
    for (int d = outer.dims - 1; d >= 0; --d) {
      offset += rest % outer.size[d] * outer.stride[d];
      rest /= outer.size[d];
    }
    float sum = 0;
    for (int64_t i = 0; i < length; ++i)
      sum += in[offset + i * step];
    out[index] = sum;
  }
}

// Broadcast of a row over images, four elements a thread.
extern "C" __global__ void add_channel_bias(float *data, const float *bias,
                                            unsigned total, unsigned channels,
                                            unsigned pixels) {
  unsigned base = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    unsigned index = base + k;
    if (index < total)
      data[index] += bias[index / pixels % channels];
  }
}
