// Matrix products through tiles in shared memory.

#define TILE 16

// The textbook form: a 16x16 block loads one element of each operand a step.
extern "C" __global__ void matmul_tiled(const float *a, const float *b,
                                        float *c, int m, int n, int k) {
  __shared__ float left[TILE][TILE];
  __shared__ float right[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    int across = t * TILE + tx;
    int down = t * TILE + ty;
    left[ty][tx] = row < m && across < k ? a[row * k + across] : 0;
    right[ty][tx] = down < k && col < n ? b[down * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += left[ty][i] * right[i][tx];
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}

// 128 threads in a line, a 32x32 tile of C, eight elements a thread: rows and
// columns of the tile come from the thread index.
extern "C" __global__ void matmul_rows8(const float *a, const float *b,
                                        float *c, int m, int n, int k) {
  __shared__ float left[32 * 8];
  __shared__ float right[8 * 32];
  int thread = threadIdx.x;
  int col = thread % 32;
  int band = thread / 32 * 8;
  int rowBase = blockIdx.y * 32, colBase = blockIdx.x * 32;
  float sums[8] = {};
  for (int base = 0; base < k; base += 8) {
    for (int e = thread; e < 32 * 8; e += 128) {
      int r = rowBase + e / 8, q = base + e % 8;
      left[e] = r < m && q < k ? a[r * k + q] : 0.0f;
    }
    for (int e = thread; e < 8 * 32; e += 128) {
      int q = base + e / 32, j = colBase + e % 32;
      right[e] = q < k && j < n ? b[q * n + j] : 0.0f;
    }
    __syncthreads();
    for (int q = 0; q < 8; ++q) {
      float y = right[q * 32 + col];
#pragma unroll
      for (int r = 0; r < 8; ++r)
        sums[r] += left[(band + r) * 8 + q] * y;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 8; ++r)
    if (rowBase + band + r < m && colBase + col < n)
      c[(rowBase + band + r) * n + colBase + col] = sums[r];
}
