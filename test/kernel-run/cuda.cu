// Kernels as clang compiles them from CUDA: blocks that reduce through shared
// memory and shuffles, printf and assert, before any pass and fully optimised.
//
// REQUIRES: cuda
// RUN: %clang-cuda --cuda-device-only -g -S -emit-llvm -O3 -Xclang -disable-llvm-passes %s -o %t.raw.ll
// RUN: %clang-cuda --cuda-device-only -S -emit-llvm -O3 %s -o %t.O3.ll
// RUN: %clang-cuda --cuda-device-only -S -emit-llvm -O3 -Xarch_device -fpass-plugin=%plugin %s -o %t.plugin.ll
//
// DEFINE: %{run} = %kernel-run %t.raw.ll --compare %t.O3.ll --compare %t.plugin.ll
// RUN: %{run} --kernel blockSum --grid 9 --block 256 --args in:f32:2300,out:f32:9,i32:2300 | FileCheck %s --check-prefix=SUM
// RUN: %{run} --kernel blockSum --grid 24 --block 96 --args in:f32:2300,out:f32:24,i32:2300 --jobs 2 | FileCheck %s --check-prefix=SUM
// SUM: identical in 3 versions ({{3.|9.}} changed)
// RUN: %{run} --kernel transpose --grid 3,2 --block 16,16 --shared 1088 --args in:i32:1440,out:i32:1440,i32:30,i32:48 --also-kernel transposeNaive | FileCheck %s --check-prefix=TRANSPOSE
// TRANSPOSE: identical in 6 versions (5
// RUN: not %{run} --kernel transpose --grid 3,2 --block 16,16 --shared 1024 --args in:i32:1440,out:i32:1440,i32:30,i32:48 | FileCheck %s --check-prefix=SHORT
// SHORT: the dynamic shared memory (--shared), which has 1024 bytes
// SHORT-NEXT: at: store i32 {{.*}} in function transpose ({{.*}}cuda.cu:[[#]]:
// RUN: %{run} --kernel compact --grid 4 --block 64 --args in:i32:256:min=0:max=9,out:i32:256,inout:i32:1:min=0:max=0
// RUN: %{run} --kernel talk --grid 1 --block 2 --args i32:2 2>&1 | FileCheck %s --check-prefix=TALK
// TALK: lane 0: 1.50 of 2
// TALK: lane 1: 1.50 of 2
// RUN: not %{run} --kernel talk --grid 1 --block 3 --args i32:2 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: thread (2, 0, 0) of block (0, 0, 0) failed the assertion 'threadIdx.x < n' of {{.*}}cuda.cu:

#include <cassert>
#include <cstdio>

extern "C" __global__ void blockSum(const float *in, float *out, int n) {
  __shared__ float partial[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32)
    return;
  sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, d);
  if (threadIdx.x == 0)
    out[blockIdx.x] = expf(sum / n);
}

extern "C" __global__ void transpose(const int *in, int *out, int rows,
                                     int columns) {
  extern __shared__ int tile[];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows)
    tile[threadIdx.y * 17 + threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < columns)
    out[y * rows + x] = tile[threadIdx.x * 17 + threadIdx.y];
}

extern "C" __global__ void transposeNaive(const int *in, int *out, int rows,
                                          int columns) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows)
    out[x * rows + y] = in[y * columns + x];
}

// Keeps what is odd; one atomic a warp.
extern "C" __global__ void compact(const int *in, int *out, int *count) {
  int x = in[blockIdx.x * blockDim.x + threadIdx.x];
  bool keep = x % 2;
  unsigned mask = __ballot_sync(0xffffffff, keep);
  int lane = threadIdx.x % 32, base = 0;
  if (lane == 0)
    base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(0xffffffff, base, 0);
  if (keep)
    out[base + __popc(mask & ((1u << lane) - 1))] = x;
  __syncwarp();
}

extern "C" __global__ void talk(int n) {
  assert(threadIdx.x < n);
  printf("lane %d: %.2f of %d\n", threadIdx.x, 1.5, n);
}
