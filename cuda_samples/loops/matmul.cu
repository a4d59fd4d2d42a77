// Matrix products without shared memory: one thread sums one element of C. The
// inner loop reads A by 1 and B by a row; everything else is invariant.

#include <cstdint>

// A 2-D grid, row-major matrices.
extern "C" __global__ void matmul(const float *a, const float *b, float *c,
                                  int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// The same from one index.
extern "C" __global__ void matmul_flat(const float *a, const float *b, float *c,
                                       int m, int n, int k) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= m * n)
    return;
  int row = index / n;
  int col = index % n;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + col];
  c[index] = sum;
}

// Sizes of 64 bits and a grid-stride loop, as for large tensors.
extern "C" __global__ void matmul_i64(const float *a, const float *b, float *c,
                                      int64_t m, int64_t n, int64_t k) {
  int64_t step = int64_t(blockDim.x) * gridDim.x;
  for (int64_t index = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
       index < m * n; index += step) {
    int64_t row = index / n;
    int64_t col = index % n;
    float sum = 0;
    for (int64_t i = 0; i < k; ++i)
      sum += a[row * k + i] * b[i * n + col];
    c[index] = sum;
  }
}

// Leading dimensions, column-major, alpha and beta, as in BLAS.
extern "C" __global__ void matmul_strided(int m, int n, int k, float alpha,
                                          const float *a, int lda,
                                          const float *b, int ldb, float beta,
                                          float *c, int ldc) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i)
      sum += a[row + i * lda] * b[i + col * ldb];
    c[row + col * ldc] = alpha * sum + beta * c[row + col * ldc];
  }
}

// B transposed: both operands are read along rows.
extern "C" __global__ void matmul_transposed(const float *a, const float *b,
                                             float *c, int m, int n, int k) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < m * n) {
    const float *x = a + index / n * k;
    const float *y = b + index % n * k;
    float sum = 0;
#pragma unroll 8
    for (int i = 0; i < k; ++i)
      sum += x[i] * y[i];
    c[index] = sum;
  }
}
