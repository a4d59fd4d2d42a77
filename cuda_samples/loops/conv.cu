// Direct convolutions: digits of the output index, loops over channels and
// window.

// NCHW, stride and padding.
extern "C" __global__ void conv2d(int total, const float *in,
                                  const float *weight, float *out, int inC,
                                  int inH, int inW, int outC, int outH,
                                  int outW, int kernel, int stride, int pad) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int ow = index % outW;
    int oh = index / outW % outH;
    int oc = index / outW / outH % outC;
    int n = index / outW / outH / outC;
    float sum = 0;
    for (int c = 0; c < inC; ++c)
      for (int kh = 0; kh < kernel; ++kh)
        for (int kw = 0; kw < kernel; ++kw) {
          int h = oh * stride - pad + kh;
          int w = ow * stride - pad + kw;
          if (h >= 0 && h < inH && w >= 0 && w < inW)
            sum += in[((n * inC + c) * inH + h) * inW + w] *
                   weight[((oc * inC + c) * kernel + kh) * kernel + kw];
        }
    out[index] = sum;
  }
}

// Groups of channels.
extern "C" __global__ void conv2d_grouped(const float *in, const float *weight,
                                          const float *bias, float *out,
                                          int batch, int inC, int size,
                                          int outC, int groups, int kernel) {
  int outSize = size - kernel + 1;
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * outC * outSize * outSize)
    return;
  int x = index % outSize;
  int y = (index / outSize) % outSize;
  int oc = (index / (outSize * outSize)) % outC;
  int n = index / (outSize * outSize * outC);
  int perGroup = inC / groups;
  int group = oc / (outC / groups);
  float sum = bias[oc];
  for (int c = 0; c < perGroup; ++c) {
    const float *plane = in + (n * inC + group * perGroup + c) * size * size;
    const float *taps = weight + (oc * perGroup + c) * kernel * kernel;
    for (int ky = 0; ky < kernel; ++ky)
      for (int kx = 0; kx < kernel; ++kx)
        sum += plane[(y + ky) * size + x + kx] * taps[ky * kernel + kx];
  }
  out[index] = sum;
}

// NHWC with dilation; the innermost loop is over channels.
extern "C" __global__ void conv2d_nhwc(int total, const float *in,
                                       const float *weight, float *out, int inH,
                                       int inW, int inC, int outH, int outW,
                                       int outC, int kernel, int dilation) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= total)
    return;
  int oc = index % outC;
  int ow = index / outC % outW;
  int oh = index / outC / outW % outH;
  int n = index / outC / outW / outH;
  float sum = 0;
  for (int kh = 0; kh < kernel; ++kh)
    for (int kw = 0; kw < kernel; ++kw)
      for (int c = 0; c < inC; ++c)
        sum += in[((n * inH + oh + kh * dilation) * inW + ow + kw * dilation) *
                      inC +
                  c] *
               weight[((oc * kernel + kh) * kernel + kw) * inC + c];
  out[index] = sum;
}

// The gradient of a weight: sums over images and positions.
extern "C" __global__ void conv2d_weight_grad(const float *in,
                                              const float *grad, float *out,
                                              int batch, int inC, int size,
                                              int outC, int kernel) {
  int outSize = size - kernel + 1;
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= outC * inC * kernel * kernel)
    return;
  int kx = index % kernel;
  int ky = index / kernel % kernel;
  int c = index / (kernel * kernel) % inC;
  int oc = index / (kernel * kernel * inC);
  float sum = 0;
  for (int n = 0; n < batch; ++n)
    for (int y = 0; y < outSize; ++y)
      for (int x = 0; x < outSize; ++x)
        sum += in[((n * inC + c) * size + y + ky) * size + x + kx] *
               grad[((n * outC + oc) * outSize + y) * outSize + x];
  out[index] = sum;
}
