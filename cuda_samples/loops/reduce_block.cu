// Reductions by a block: threads step over a row, then join in shared memory.

#define THREADS 128

extern "C" __global__ void row_sum(const float *in, float *out, int cols) {
  __shared__ float part[THREADS];
  int row = blockIdx.x;
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += THREADS)
    sum += in[row * cols + col];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[row] = part[0];
}

// The statistics of a channel of NCHW: the block walks over images and pixels
// with one counter.
extern "C" __global__ void channel_statistics(const float *in, float *mean,
                                              float *square, int batch,
                                              int channels, int pixels) {
  __shared__ float sums[THREADS], squares[THREADS];
  int c = blockIdx.x;
  float sum = 0, sq = 0;
  for (int i = threadIdx.x; i < batch * pixels; i += blockDim.x) {
    int n = i / pixels;
    int p = i % pixels;
    float value = in[(n * channels + c) * pixels + p];
    sum += value;
    sq += value * value;
  }
  sums[threadIdx.x] = sum;
  squares[threadIdx.x] = sq;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int t = 1; t < blockDim.x; ++t) {
      sum += sums[t];
      sq += squares[t];
    }
    mean[c] = sum / (batch * pixels);
    square[c] = sq / (batch * pixels);
  }
}
