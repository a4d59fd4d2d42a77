// clang with unravel.cfg: device code at -O1 and above, nothing else.

// REQUIRES: cuda
// DEFINE: %{device} = %clang-cuda --config=%cfg --cuda-device-only -S -o - %s
// RUN: %{device} -O3 | FileCheck %s --check-prefix=ON
// RUN: %{device} -O0 -emit-llvm | FileCheck %s --check-prefix=OFF
// RUN: %{device} -O3 -Xarch_device -mllvm=-index-simplify-at=none | FileCheck %s --check-prefix=NONE
// RUN: %clang-cuda --config=%cfg --cuda-host-only -O3 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=HOST
// RUN: %clang-cuda --config=%cfg --cuda-device-only -O3 -S -o /dev/null -Rpass=index-simplify %s 2>&1 | FileCheck %s --check-prefix=REMARK

// ON: .entry kernel(
// ON-NOT: mul.hi
// ON: ret;
// OFF: sdiv
// NONE: mul.hi
// HOST: {{sdiv|srem}} i32
// REMARK: clang.cu:[[@LINE+7]]:{{.*}}: remark: address simplified to base + 4 * {{.*}} [-Rpass=index-simplify]

extern "C" __global__ void kernel(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 60000)
    return;
  int a = i / 3000, b = (i / 75) % 40, c = i % 75;
  out[(a * 40 + b) * 75 + c] = 1.0f;
}

int host(int i) { return i / 3000 + i % 75; }
