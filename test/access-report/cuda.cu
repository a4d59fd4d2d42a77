// CUDA is compiled with line numbers; a kernel has its name of the source.

// REQUIRES: cuda
// RUN: access-report %s --block 16,16 --clang-options="-DCOLUMN=1" | FileCheck %s
// RUN: sh -c 'access-report %s --clang-options=-DBROKEN; test $? = 2' 2>&1 | FileCheck %s --check-prefix=BROKEN

// CHECK: kernel transpose(float*, float const*, int), blocks of 16 x 16 x 1 threads (--block)
// CHECK: cuda.cu:[[#@LINE+5]]: load, global, 4 bytes a lane: rows of 16 lanes, each consecutive, 4 bytes apart
// CHECK-NEXT: sectors: 4 to 6, ideal: 4
// CHECK: cuda.cu:[[#@LINE+3]]: store, global, 4 bytes a lane:
__global__ void transpose(float *out, const float *in, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[x * n + y * COLUMN] = in[y * n + x];
}

#ifdef BROKEN
// BROKEN: access-report: {{.*}}cuda.cu: does not compile:
error
#endif
