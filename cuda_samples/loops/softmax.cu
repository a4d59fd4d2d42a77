// Softmax over an axis that is not the last: three loops with the same stride.

extern "C" __global__ void softmax_axis(const float *in, float *out, int outer,
                                        int axis, int inner) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < outer * inner;
       index += blockDim.x * gridDim.x) {
    int o = index / inner;
    int i = index % inner;
    float most = -1e30f;
    for (int a = 0; a < axis; ++a)
      most = fmaxf(most, in[(o * axis + a) * inner + i]);
    float sum = 0;
    for (int a = 0; a < axis; ++a)
      sum += expf(in[(o * axis + a) * inner + i] - most);
    for (int a = 0; a < axis; ++a)
      out[(o * axis + a) * inner + i] =
          expf(in[(o * axis + a) * inner + i] - most) / sum;
  }
}

// The gradient, over the channels of NCHW, size_t.
extern "C" __global__ void softmax_grad(const float *y, const float *grad,
                                        float *out, size_t batch,
                                        size_t channels, size_t pixels) {
  size_t index = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= batch * pixels)
    return;
  size_t n = index / pixels, p = index % pixels;
  float dot = 0;
  for (size_t c = 0; c < channels; ++c) {
    size_t at = (n * channels + c) * pixels + p;
    dot += y[at] * grad[at];
  }
  for (size_t c = 0; c < channels; ++c) {
    size_t at = (n * channels + c) * pixels + p;
    out[at] = y[at] * (grad[at] - dot);
  }
}

// Rows of attention scores with a mask that heads share; one row a thread.
extern "C" __global__ void softmax_masked(float *scores, const int *mask,
                                          int batch, int heads, int rows,
                                          int cols) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= batch * heads * rows)
    return;
  int row = line % rows;
  int b = line / (heads * rows);
  float most = -1e30f, sum = 0;
  for (int c = 0; c < cols; ++c)
    if (mask[(b * rows + row) * cols + c])
      most = fmaxf(most, scores[line * cols + c]);
  for (int c = 0; c < cols; ++c) {
    float value = mask[(b * rows + row) * cols + c]
                      ? expf(scores[line * cols + c] - most)
                      : 0;
    scores[line * cols + c] = value;
    sum += value;
  }
  for (int c = 0; c < cols; ++c)
    scores[line * cols + c] /= sum + 1e-6f;
}
