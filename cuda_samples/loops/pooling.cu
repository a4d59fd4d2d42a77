// Pooling: digits of the output index, a loop over the window.

extern "C" __global__ void max_pool2d(int total, const float *in, float *out,
                                      int *where, int channels, int height,
                                      int width, int outH, int outW, int kernel,
                                      int stride, int pad) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int pw = index % outW;
    int ph = (index / outW) % outH;
    int c = (index / outW / outH) % channels;
    int n = index / outW / outH / channels;
    int hStart = max(ph * stride - pad, 0);
    int wStart = max(pw * stride - pad, 0);
    int hEnd = min(ph * stride - pad + kernel, height);
    int wEnd = min(pw * stride - pad + kernel, width);
    const float *plane = in + (n * channels + c) * height * width;
    float best = -1e30f;
    int at = -1;
    for (int h = hStart; h < hEnd; ++h)
      for (int w = wStart; w < wEnd; ++w)
        if (plane[h * width + w] > best) {
          at = h * width + w;
          best = plane[at];
        }
    out[index] = best;
    where[index] = at;
  }
}

extern "C" __global__ void avg_pool_nhwc(int total, const float *in, float *out,
                                         int height, int width, int channels,
                                         int outH, int outW, int kernel,
                                         int stride) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= total)
    return;
  int c = index % channels;
  int pw = index / channels % outW;
  int ph = index / channels / outW % outH;
  int n = index / channels / outW / outH;
  float sum = 0;
  for (int h = ph * stride; h < ph * stride + kernel; ++h)
    for (int w = pw * stride; w < pw * stride + kernel; ++w)
      sum += in[((n * height + h) * width + w) * channels + c];
  out[index] = sum / (kernel * kernel);
}

// Windows of unequal size: their bounds are quotients.
extern "C" __global__ void adaptive_avg_pool(int total, const float *in,
                                             float *out, int height, int width,
                                             int outH, int outW) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int ow = index % outW;
    int oh = (index / outW) % outH;
    int plane = index / (outW * outH);
    int hStart = oh * height / outH;
    int hEnd = ((oh + 1) * height + outH - 1) / outH;
    int wStart = ow * width / outW;
    int wEnd = ((ow + 1) * width + outW - 1) / outW;
    float sum = 0;
    for (int h = hStart; h < hEnd; ++h)
      for (int w = wStart; w < wEnd; ++w)
        sum += in[(plane * height + h) * width + w];
    out[index] = sum / ((hEnd - hStart) * (wEnd - wStart));
  }
}

// Volumes, size_t index for int sizes.
extern "C" __global__ void max_pool3d(const float *in, float *out, int planes,
                                      int depth, int height, int width,
                                      int kernel, int stride) {
  int outD = (depth - kernel) / stride + 1;
  int outH = (height - kernel) / stride + 1;
  int outW = (width - kernel) / stride + 1;
  size_t total = size_t(planes) * outD * outH * outW;
  for (size_t index = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
       index < total; index += size_t(blockDim.x) * gridDim.x) {
    size_t w = index % outW;
    size_t h = index / outW % outH;
    size_t d = index / outW / outH % outD;
    size_t plane = index / outW / outH / outD;
    float best = -1e30f;
    for (int kd = 0; kd < kernel; ++kd)
      for (int kh = 0; kh < kernel; ++kh)
        for (int kw = 0; kw < kernel; ++kw) {
          size_t at =
              ((plane * depth + d * stride + kd) * height + h * stride + kh) *
                  width +
              w * stride + kw;
          best = fmaxf(best, in[at]);
        }
    out[index] = best;
  }
}

// The gradient of average pooling: windows that contain the pixel.
extern "C" __global__ void avg_pool_grad(int total, const float *grad,
                                         float *out, int height, int width,
                                         int outH, int outW, int kernel,
                                         int stride) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= total)
    return;
  int w = index % width;
  int h = (index / width) % height;
  int plane = index / width / height;
  int phStart = h < kernel ? 0 : (h - kernel) / stride + 1;
  int phEnd = min(h / stride + 1, outH);
  int pwStart = w < kernel ? 0 : (w - kernel) / stride + 1;
  int pwEnd = min(w / stride + 1, outW);
  float sum = 0;
  for (int ph = phStart; ph < phEnd; ++ph)
    for (int pw = pwStart; pw < pwEnd; ++pw)
      sum += grad[plane * outH * outW + ph * outW + pw];
  out[index] = sum / (kernel * kernel);
}
