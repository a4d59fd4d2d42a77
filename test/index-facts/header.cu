// unravel.h: what its macros state reaches index-simplify, and PTX gets shorter;
// in host code, with nvcc, and without Unravel it compiles and does nothing.

// REQUIRES: cuda
// DEFINE: %{clang} = %clang-cuda -I %source-root/include -Wall -Wextra -Werror -O3 %s
// DEFINE: %{device} = %{clang} --cuda-device-only -S -o - -Xarch_device -fpass-plugin=%plugin
// RUN: %{device} -Xarch_device -mllvm=-print-before=launch-versioning -o %t.ptx 2>&1 | FileCheck %s
// RUN: %{device} | FileCheck %s --check-prefix=PTX
// RUN: %{clang} --cuda-host-only -S -o - | FileCheck %s --check-prefix=HOST
// RUN: clang++ -x c++ -I %source-root/include -Wall -Wextra -Werror -fsyntax-only %s

#include "unravel.h"
#ifdef __CUDA__

// CHECK-LABEL: define {{.*}}@stated(
// CHECK: icmp sgt i32 %[[H:.*]], 0
// CHECK: call void @llvm.assume
// CHECK: icmp slt i64 {{.*}}, 2147483648
// CHECK-NEXT: call void @llvm.assume({{.*}}), !unravel.stated
// CHECK: nctaid.x
// CHECK: icmp ult i64 {{.*}}, 2147483649
// CHECK-NEXT: call void @llvm.assume({{.*}}), !unravel.stated
extern "C" __global__ void stated(float *out, const float *in, int n, int h,
                                  int w) {
  UNRAVEL_POSITIVE(h);
  UNRAVEL_PRODUCT_FITS(h, w);
  UNRAVEL_PRODUCT_FITS(n, h, w);
  UNRAVEL_PRODUCT_FITS(n, h, w, 3);
  UNRAVEL_MULTIPLE(w, 12);
  UNRAVEL_RANGE(w, 12, 4080);
  UNRAVEL_NO_WRAP_GRID();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i / (h * w)];
}

// All i are in the same row.
// PTX-LABEL: .entry range(
// PTX-NOT: {{mul.hi|shr}}
// PTX: ret;
extern "C" __global__ void range(float *out, int i) {
  UNRAVEL_RANGE(i, 0, 74);
  out[i / 75] = 1.0f;
}

// PTX-LABEL: .entry range_negative(
// PTX: mul.hi
// PTX: ret;
extern "C" __global__ void range_negative(float *out, int i) {
  UNRAVEL_RANGE(i, 0, 1000);
  out[i / 75 + i % 75] = 1.0f;
}
#endif

// HOST: .globl one
extern "C" int one(int n) {
  UNRAVEL_ASSUME(n == 7);
  UNRAVEL_NO_WRAP_GRID();
  UNRAVEL_PRODUCT_FITS(n, n);
  UNRAVEL_MULTIPLE(n, 3);
  return n;
}
