// Prefix sums.

// Along the middle axis, one thread a line.
extern "C" __global__ void cumsum_axis(const float *in, float *out, int outer,
                                       int axis, int inner) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= outer * inner)
    return;
  int base = index / inner * (axis * inner) + index % inner;
  float sum = 0;
  for (int a = 0; a < axis; ++a) {
    sum += in[base + a * inner];
    out[base + a * inner] = sum;
  }
}

// Rows by a block, in two buffers that change places.
#define THREADS 64
extern "C" __global__ void scan_rows(const int *in, int *out, int cols) {
  __shared__ int sums[2][THREADS];
  int row = blockIdx.x;
  int thread = threadIdx.x;
  int carry = 0;
  for (int base = 0; base < cols; base += THREADS) {
    int col = base + thread;
    int from = 0;
    sums[from][thread] = col < cols ? in[row * cols + col] & 1023 : 0;
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
      int value = sums[from][thread];
      if (thread >= step)
        value += sums[from][thread - step];
      sums[1 - from][thread] = value;
      from = 1 - from;
      __syncthreads();
    }
    if (col < cols)
      out[row * cols + col] = carry + sums[from][thread];
    carry += sums[from][THREADS - 1];
    __syncthreads();
  }
}
