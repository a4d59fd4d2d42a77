// Windows as columns of a matrix.

extern "C" __global__ void im2col_window(int total, const float *in, float *out,
                                         int height, int width, int kernel,
                                         int pad, int stride, int dilation,
                                         int outH, int outW) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int ow = index % outW;
    int oh = index / outW % outH;
    int c = index / outW / outH;
    float *column = out + (c * kernel * kernel * outH + oh) * outW + ow;
    for (int kh = 0; kh < kernel; ++kh)
      for (int kw = 0; kw < kernel; ++kw) {
        int h = oh * stride - pad + kh * dilation;
        int w = ow * stride - pad + kw * dilation;
        *column = h >= 0 && w >= 0 && h < height && w < width
                      ? in[(c * height + h) * width + w]
                      : 0;
        column += outH * outW;
      }
  }
}

extern "C" __global__ void col2im_sum(int total, const float *columns,
                                      float *out, int height, int width,
                                      int kernel, int pad, int stride, int outH,
                                      int outW) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int w = index % width + pad;
    int h = (index / width) % height + pad;
    int c = index / (width * height);
    int wFirst = w < kernel ? 0 : (w - kernel) / stride + 1;
    int wLast = min(w / stride + 1, outW);
    int hFirst = h < kernel ? 0 : (h - kernel) / stride + 1;
    int hLast = min(h / stride + 1, outH);
    float sum = 0;
    for (int oh = hFirst; oh < hLast; ++oh)
      for (int ow = wFirst; ow < wLast; ++ow) {
        int row = (c * kernel + h - oh * stride) * kernel + w - ow * stride;
        sum += columns[(row * outH + oh) * outW + ow];
      }
    out[index] = sum;
  }
}

// Any number of axes: sizes are loaded, coordinates live in arrays that
// unrolled loops turn into registers; the window is an odometer.
#define AXES 3
extern "C" __global__ void im2col_axes(int total, const float *in, float *out,
                                       const int *image, const int *window,
                                       const int *columns, const int *pads) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int base[AXES], offset[AXES], rest = index, to = 1, step = 1;
#pragma unroll
    for (int a = AXES - 1; a >= 0; --a) {
      base[a] = rest % columns[a];
      rest /= columns[a];
      to *= window[a];
      offset[a] = 0;
    }
    to *= rest;
#pragma unroll
    for (int a = 0; a < AXES; ++a) {
      to = to * columns[a] + base[a];
      base[a] -= pads[a];
      step *= columns[a];
    }
    bool more = true;
    while (more) {
      int from = rest;
      bool inside = true;
#pragma unroll
      for (int a = 0; a < AXES; ++a) {
        int x = base[a] + offset[a];
        inside = inside && x >= 0 && x < image[a];
        from = from * image[a] + x;
      }
      out[to] = inside ? in[from] : 0;
      to += step;
      more = false;
#pragma unroll
      for (int a = AXES - 1; a >= 0 && !more; --a) {
        more = ++offset[a] < window[a];
        if (!more)
          offset[a] = 0;
      }
    }
  }
}
