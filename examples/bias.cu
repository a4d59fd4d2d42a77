// Adds 1 to a tensor of 20 x 40 x 75, with the index as a fusion emitter writes
// it. With Unravel the kernel divides no more.
#include "check.h"

__global__ void bias(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 20 * 40 * 75)
    return;
  int a = i / (40 * 75), b = (i / 75) % 40, c = i % 75;
  out[i] = in[(a * 40 + b) * 75 + c] + 1.0f;
}

int main() { return runAndCheck(bias); }
