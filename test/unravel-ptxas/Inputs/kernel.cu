__device__ int twice(int x);

__global__ void reshape(const float *in, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 6 * 5 * 7)
    return;
  unsigned a = i / 35, b = i / 7 % 5, c = i % 7;
  out[i] = in[(a * 5 + b) * 7 + c];
  if (i == 0)
    out[1] = twice(3);
}
