// Tiles of a power of two: rows and columns are bits of the thread index.

// Vectors of four, four rows a thread; blocks of 16 rows and 128 columns fit
// exactly.
extern "C" __global__ void add_row_bands(const float *__restrict__ a,
                                         const float *__restrict__ b,
                                         float *__restrict__ out, int cols) {
  int row = blockIdx.y * 16 + threadIdx.x / 32 * 4;
  int col = blockIdx.x * 128 + threadIdx.x % 32 * 4;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    size_t at = (size_t)(row + k) * cols + col;
    float4 x = *(const float4 *)(a + at);
    float4 y = *(const float4 *)(b + at);
    x.x += y.x;
    x.y += y.y;
    x.z += y.z;
    x.w += y.w;
    *(float4 *)(out + at) = x;
  }
}

// A transpose through shared memory, 32x32 by 32x8 threads.
extern "C" __global__ void transpose_tile(const float *in, float *out,
                                          int height, int width) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Blocks of 32 quantised weights with a scale each, times a vector.
extern "C" __global__ void dequantised_product(const signed char *weights,
                                               const float *scales,
                                               const float *x, float *y,
                                               int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int blocks = cols / 32;
  float sum = 0;
  for (int col = 0; col < blocks * 32; ++col)
    sum += scales[row * blocks + col / 32] * weights[row * cols + col] * x[col];
  y[row] = sum;
}

// Row and column joined by an `or`, as for a Morton order within 4x4 tiles.
extern "C" __global__ void untile4x4(const float *in, float *out, int tilesX,
                                     int tilesY, int planes) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= tilesX * tilesY * 16)
    return;
  int inner = index & 15, tile = index >> 4;
  int x = tile % tilesX << 2 | (inner & 3);
  int y = tile / tilesX << 2 | inner >> 2;
  for (int p = 0; p < planes; ++p)
    out[(p * tilesY * 4 + y) * (tilesX * 4) + x] =
        in[p * tilesX * tilesY * 16 + index];
}
