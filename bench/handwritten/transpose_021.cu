// f32[100,32,64] -> f32[100,64,32] as one writes it by hand: a tile of 32 x 32
// elements, lines of 33, eight elements for each of 32 x 4 threads.
constexpr int Height = 32, Width = 64, Edge = 32, Lines = 4;

extern "C" __global__ void __launch_bounds__(Edge *Lines)
    transpose_021(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float tile[Edge][Edge + 1];
  int batch = blockIdx.z * Height * Width;
  int x = blockIdx.x * Edge + threadIdx.x, y = blockIdx.y * Edge + threadIdx.y;
#pragma unroll
  for (int k = 0; k < Edge; k += Lines)
    tile[threadIdx.y + k][threadIdx.x] = in[batch + (y + k) * Width + x];
  __syncthreads();
  x = blockIdx.y * Edge + threadIdx.x;
  y = blockIdx.x * Edge + threadIdx.y;
#pragma unroll
  for (int k = 0; k < Edge; k += Lines)
    out[batch + (y + k) * Height + x] = tile[threadIdx.x][threadIdx.y + k];
}
