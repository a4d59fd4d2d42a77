// The line that a remark names, put into the source, removes what it says: each
// kernel is compiled without and with the lines of its remarks.

// REQUIRES: cuda
// DEFINE: %{device} = %clang-cuda -I %source-root/include -O3 --cuda-device-only -S %s -Xarch_device -fpass-plugin=%plugin -Rpass-missed=index-simplify -g -Xclang -debug-info-kind=limited
// RUN: %{device} -o %t.before.ptx 2>&1 | FileCheck %s
// RUN: %{device} -DSTATED -o %t.after.ptx 2>&1 | FileCheck %s --allow-empty --implicit-check-not='because nothing says' --check-prefix=AFTER
// RUN: FileCheck %s --check-prefix=BEFORE-PTX < %t.before.ptx
// RUN: FileCheck %s --check-prefix=AFTER-PTX < %t.after.ptx

// Cheaper, and nowhere worse. (The cost of a division does not tell its sign.)
// RUN: %clang-cuda -I %source-root/include -O3 --cuda-device-only -S %s -Xarch_device -fpass-plugin=%plugin -o %t.b.ptx
// RUN: %clang-cuda -I %source-root/include -O3 --cuda-device-only -S %s -Xarch_device -fpass-plugin=%plugin -DSTATED -o %t.a.ptx
// RUN: %ptx-compare --before %t.b.ptx --after %t.a.ptx --fail-if-worse | FileCheck %s --check-prefix=COUNTS

// Without -g an argument is told by its number.
// RUN: %clang-cuda -O3 --cuda-device-only -S %s -I %source-root/include -Xarch_device -fpass-plugin=%plugin -Rpass-missed=index-simplify -o %t.plain.ptx 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: says that argument 1 >= 0. To state it: in a facts file {"kernels": {"sizes": {"args": {"1": {"min": 0}}}}}

#include "unravel.h"
#ifdef STATED
#define STATE(line) line
#else
#define STATE(line)
#endif

struct Shape {
  long long items;
  int extents[3];
};

// COUNTS: {{^}}sizes {{.*}} 0.{{[0-9]+$}}
// COUNTS: {{^}}loaded {{.*}} 0.{{[0-9]+$}}
// COUNTS: {{^}}stride {{.*}} 0.{{[0-9]+$}}
// CHECK: remarks.cu:[[@LINE+10]]:{{[0-9]+}}: remark: 2 divisions stay signed, because nothing says that gridDim.x * blockDim.x <= 2147483648. To state it: UNRAVEL_NO_WRAP_GRID(); or -Xarch_device -mllvm=-index-simplify-promise-index-fits
// CHECK: remarks.cu:[[@LINE+9]]:{{[0-9]+}}: remark: 1 division stays signed, because nothing says that h >= 0. To state it: UNRAVEL_ASSUME(h >= 0); or in a facts file {"kernels": {"sizes": {"args": {"1": {"min": 0}}}}}
// BEFORE-PTX-LABEL: .entry sizes(
// BEFORE-PTX: {{(div|rem).s32}}
// AFTER-PTX-LABEL: .entry sizes(
// AFTER-PTX-NOT: {{(div|rem).s32}}
// AFTER-PTX: ret;
extern "C" __global__ void sizes(int *out, int h) {
  STATE(UNRAVEL_NO_WRAP_GRID(); UNRAVEL_ASSUME(h >= 0);)
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i / h + 17] = i / 75 + i % h;
}

// CHECK: says that shape.extents[1] >= 0. To state it: UNRAVEL_ASSUME(shape.extents[1] >= 0);
// BEFORE-PTX-LABEL: .entry field(
// BEFORE-PTX: div.s32
// AFTER-PTX-LABEL: .entry field(
// AFTER-PTX-NOT: div.s32
// AFTER-PTX: ret;
extern "C" __global__ void field(int *out, Shape shape) {
  STATE(UNRAVEL_ASSUME(shape.extents[1] >= 0);)
  int i = threadIdx.x;
  out[i / shape.extents[1]] = i;
}

// CHECK: 2 divisions stay signed, because nothing says that row >= 0. To state it: UNRAVEL_ASSUME(row >= 0);
// BEFORE-PTX-LABEL: .entry loaded(
// AFTER-PTX-LABEL: .entry loaded(
extern "C" __global__ void loaded(int *out, const int *rows) {
  int row = rows[threadIdx.x];
  STATE(UNRAVEL_ASSUME(row >= 0);)
  out[row / 75] = row / 7;
}

// The index of a grid-stride loop.
// CHECK: 1 division stays signed, because nothing says that i >= 0. To state it: UNRAVEL_ASSUME(i >= 0);
extern "C" __global__ void stride(int *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    STATE(UNRAVEL_ASSUME(i >= 0);)
    out[i] = i / 75;
  }
}

// Nothing is missing: no remark.
// CHECK-NOT: remark:
// AFTER: divisors are known at run time only
extern "C" __global__ void known_negative(int *out) {
  out[threadIdx.x / 75] = blockIdx.x / 7;
}
