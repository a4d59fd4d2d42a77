// Convolutions of each channel by itself.

#include <cstdint>

// A 3x3 window, unrolled, NCHW.
extern "C" __global__ void depthwise3x3(int total, const float *in,
                                        const float *weight, float *out,
                                        int channels, int height, int width) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int w = index % width;
    int h = (index / width) % height;
    int c = (index / width / height) % channels;
    int n = index / width / height / channels;
    float sum = 0;
#pragma unroll
    for (int kh = 0; kh < 3; ++kh)
#pragma unroll
      for (int kw = 0; kw < 3; ++kw) {
        int y = h + kh - 1, x = w + kw - 1;
        if (y >= 0 && y < height && x >= 0 && x < width)
          sum += weight[c * 9 + kh * 3 + kw] *
                 in[((n * channels + c) * height + y) * width + x];
      }
    out[index] = sum;
  }
}

// NHWC, stride, unsigned sizes.
extern "C" __global__ void
depthwise_nhwc(const float *in, const float *weight, float *out, unsigned total,
               unsigned inH, unsigned inW, unsigned channels, unsigned outH,
               unsigned outW, unsigned kernel, unsigned stride) {
  unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= total)
    return;
  unsigned c = index % channels;
  unsigned pixel = index / channels;
  unsigned ow = pixel % outW;
  unsigned oh = pixel / outW % outH;
  unsigned n = pixel / outW / outH;
  float sum = 0;
  for (unsigned kh = 0; kh < kernel; ++kh)
    for (unsigned kw = 0; kw < kernel; ++kw)
      sum += weight[(kh * kernel + kw) * channels + c] *
             in[((n * inH + oh * stride + kh) * inW + ow * stride + kw) *
                    channels +
                c];
  out[index] = sum;
}

// Causal, along time, of a state-space model: [batch, channels, length].
extern "C" __global__ void causal_conv1d(const float *in, const float *weight,
                                         float *out, int64_t batch,
                                         int64_t channels, int64_t length,
                                         int taps) {
  int64_t index = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= batch * channels * length)
    return;
  int64_t t = index % length;
  int64_t c = index / length % channels;
  int64_t b = index / length / channels;
  float sum = 0;
  for (int k = 0; k < taps; ++k) {
    int64_t from = t - (taps - 1) + k;
    if (from >= 0)
      sum += weight[c * taps + k] * in[(b * channels + c) * length + from];
  }
  out[index] = sum;
}

// Transposed, as a gather: a tap counts where the stride divides its place.
extern "C" __global__ void conv_transpose(int total, const float *in,
                                          const float *weight, float *out,
                                          int inH, int inW, int outH, int outW,
                                          int kernel, int stride, int pad) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int ow = index % outW;
    int oh = index / outW % outH;
    int plane = index / outW / outH;
    float sum = 0;
    for (int kh = 0; kh < kernel; ++kh) {
      int h = oh + pad - kh;
      if (h < 0 || h % stride != 0 || h / stride >= inH)
        continue;
      for (int kw = 0; kw < kernel; ++kw) {
        int w = ow + pad - kw;
        if (w < 0 || w % stride != 0 || w / stride >= inW)
          continue;
        sum += in[(plane * inH + h / stride) * inW + w / stride] *
               weight[kh * kernel + kw];
      }
    }
    out[index] = sum;
  }
}
