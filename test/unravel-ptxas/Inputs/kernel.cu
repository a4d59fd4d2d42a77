__device__ int twice(int x);

// Inlined: -lineinfo names its place and that of the call.
__device__ inline unsigned reshaped(unsigned i) {
  unsigned a = i / 35, b = i / 7 % 5, c = i % 7;
  return (a * 5 + b) * 7 + c;
}

__global__ void reshape(const float *in, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 6 * 5 * 7)
    return;
  out[i] = in[reshaped(i)];
  if (i == 0)
    out[1] = twice(3);
}
