// A value is looked at in several rounds, and unrolling copies it: what is said
// of a place is said once. Of different copies, different things may be true.
//
// REQUIRES: cuda
// RUN: %clang-cuda -O3 --cuda-device-only -S %s -Xarch_device -fpass-plugin=%plugin -gline-tables-only -Rpass-analysis=index-simplify -Rpass=index-simplify -o %t.ptx 2>&1 | grep remark: > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: sort %t.txt | uniq -d | count 0

__global__ void average(const float *in, float *out, int n, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 6; ++k)
    // CHECK: remarks-once.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: address is
    sum += in[(i / w + k) % h * w + i % w];
  out[i] = sum;
}
