// Interpolation.

// Bilinear, all channels of a pixel in a loop.
extern "C" __global__ void upsample_bilinear(const float *in, float *out,
                                             int batch, int channels, int inH,
                                             int inW, int outH, int outW,
                                             float scaleH, float scaleW) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= outH * outW)
    return;
  int ow = index % outW;
  int oh = index / outW;
  float y = oh * scaleH, x = ow * scaleW;
  int y0 = min(int(y), inH - 1), x0 = min(int(x), inW - 1);
  int yStep = y0 < inH - 1, xStep = x0 < inW - 1;
  float fy = y - y0, fx = x - x0;
  for (int n = 0; n < batch; ++n)
    for (int c = 0; c < channels; ++c) {
      const float *p = in + ((n * channels + c) * inH + y0) * inW + x0;
      float top = (1 - fx) * p[0] + fx * p[xStep];
      float bottom = (1 - fx) * p[yStep * inW] + fx * p[yStep * inW + xStep];
      out[((n * channels + c) * outH + oh) * outW + ow] =
          (1 - fy) * top + fy * bottom;
    }
}

// The gradient of nearest-neighbour upsampling: a window of run-time size.
extern "C" __global__ void upsample_nearest_grad(int total, const float *grad,
                                                 float *out, int height,
                                                 int width, int scale) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int w = index % width;
    int h = (index / width) % height;
    int plane = index / width / height;
    float sum = 0;
    for (int dy = 0; dy < scale; ++dy)
      for (int dx = 0; dx < scale; ++dx)
        sum += grad[(plane * height * scale + h * scale + dy) * width * scale +
                    w * scale + dx];
    out[index] = sum;
  }
}

// Four axes with strides in bytes and scales that are not whole; the elements
// of the last axis come from a loop.
extern "C" __global__ void upscale_bytes(const char *in, float *out, int b0,
                                         int b1, int b2, int b3, int n0, int n1,
                                         int n2, int n3, float s0, float s1,
                                         float s2, float s3) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= n1 * n2 * n3)
    return;
  int i1 = index % n1;
  int i2 = index / n1 % n2;
  int i3 = index / (n1 * n2);
  int j1 = i1 / s1, j2 = i2 / s2, j3 = i3 / s3;
  for (int i0 = 0; i0 < n0; ++i0) {
    int j0 = i0 / s0;
    out[index * n0 + i0] =
        *(const float *)(in + j3 * b3 + j2 * b2 + j1 * b1 + j0 * b0);
  }
}
