__device__ int twice(int x) { return 2 * x; }
__global__ void reshape(const float *in, float *out);

int main() {
  reshape<<<1, 256>>>(nullptr, nullptr);
  return 0;
}
