// The program of bias.cu with its device code in two files.
#include "../check.h"

__device__ float element(const float *in, int i);

__global__ void bias(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 20 * 40 * 75)
    out[i] = element(in, i) + 1.0f;
}

int main() { return runAndCheck(bias); }
