// Batches of matrix products.

#include <cstdint>

// The batch is the third dimension of the grid, with strides of 64 bits.
extern "C" __global__ void matmul_batch_z(const float *a, const float *b,
                                          float *c, int m, int n, int k,
                                          int64_t strideA, int64_t strideB,
                                          int64_t strideC) {
  int batch = blockIdx.z;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  a += batch * strideA;
  b += batch * strideB;
  c += batch * strideC;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// One index for batch, row and column.
extern "C" __global__ void matmul_batch_flat(int total, const float *a,
                                             const float *b, float *c, int m,
                                             int n, int k) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int col = index % n;
    int row = index / n % m;
    int batch = index / n / m;
    float sum = 0;
    for (int i = 0; i < k; ++i)
      sum += a[(batch * m + row) * k + i] * b[(batch * k + i) * n + col];
    c[index] = sum;
  }
}

// The left operand is shared by groups of heads, size_t indices.
extern "C" __global__ void matmul_heads(const float *query, const float *keys,
                                        float *scores, size_t heads,
                                        size_t group, size_t rows, size_t cols,
                                        size_t depth, float scale) {
  size_t index = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= heads * rows * cols)
    return;
  size_t col = index % cols;
  size_t row = index / cols % rows;
  size_t head = index / (cols * rows);
  const float *q = query + (head * rows + row) * depth;
  const float *k = keys + (head / group * cols + col) * depth;
  float sum = 0;
  for (size_t d = 0; d < depth; ++d)
    sum += q[d] * k[d];
  scores[index] = sum * scale;
}
