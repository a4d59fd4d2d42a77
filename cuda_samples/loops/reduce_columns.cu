// Reductions of the columns of a matrix: the loop steps by a row. None of the
// first three divides.

// The grid has two dimensions because one was not enough on old GPUs.
extern "C" __global__ void column_sum(const float *in, float *out, int rows,
                                      int cols) {
  int col = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (col >= cols)
    return;
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum += in[row * cols + col];
  out[col] += sum;
}

extern "C" __global__ void column_max(const double *in, double *out, int rows,
                                      int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols)
    return;
  double best = in[col];
  for (int row = 1; row < rows; ++row)
    if (in[row * cols + col] > best)
      best = in[row * cols + col];
  out[col] = best;
}

// Bands of rows; each block row writes its own partial sums.
extern "C" __global__ void column_bands(const float *in, float *partial,
                                        int rows, int cols, int band) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols)
    return;
  int first = blockIdx.y * band;
  int last = min(first + band, rows);
  float sum = 0;
#pragma unroll 8
  for (int row = first; row < last; ++row)
    sum += in[row * cols + col];
  partial[blockIdx.y * cols + col] = sum;
}

// Sums over the channels of NCHW.
extern "C" __global__ void channel_sum(int batch, int channels, int pixels,
                                       const float *in, float *out) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x;
       index < batch * pixels; index += blockDim.x * gridDim.x) {
    int n = index / pixels;
    int p = index % pixels;
    float sum = 0;
    for (int c = 0; c < channels; ++c)
      sum += in[(n * channels + c) * pixels + p];
    out[index] = sum;
  }
}
