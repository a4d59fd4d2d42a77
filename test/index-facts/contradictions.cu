// Macros that contradict each other make the kernel undefined, and LLVM deletes
// its code: an error. Undefined code that says so itself is left alone.

// REQUIRES: cuda
// DEFINE: %{case} =
// DEFINE: %{compile} = %clang-cuda -I %source-root/include -O3 --cuda-device-only -S %s -Xarch_device -fpass-plugin=%plugin -D%{case} -o %t.ptx
// REDEFINE: %{case} = RANGES
// RUN: not %{compile} 2>&1 | FileCheck %s
// REDEFINE: %{case} = SIGNS
// RUN: not %{compile} 2>&1 | FileCheck %s
// REDEFINE: %{case} = BEHIND_A_BARRIER
// RUN: not %{compile} 2>&1 | FileCheck %s
// CHECK: error: kernel: the assumptions of the source contradict each other, or this kernel is undefined for another reason, such as a division by 0: no thread could execute it, and LLVM deleted its code; compare the facts that it states

// A name as the source has it.
// RUN: not %{compile} -DIN_CXX 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: kernel(int*, int, int): the assumptions of the source

// A facts file that contradicts the source is one error, not two.
// RUN: echo '{"kernels": {"kernel": {"args": {"1": {"min": 50}}}}}' > %t.json
// REDEFINE: %{case} = AGREE_negative
// RUN: not %{compile} -Xarch_device -mllvm=-index-simplify-facts=%t.json 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: kernel: argument 1: min=50 contradicts the assumption in the source
// FILE: {{^}}1 error generated

// REDEFINE: %{case} = AGREE_negative
// RUN: %{compile} 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=KEPT < %t.ptx
// REDEFINE: %{case} = IN_ONE_BRANCH_negative
// RUN: %{compile} 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=KEPT < %t.ptx
// REDEFINE: %{case} = UNREACHABLE_negative
// RUN: %{compile} 2>&1 | count 0
// REDEFINE: %{case} = TRAP_negative
// RUN: %{compile} 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=TRAP < %t.ptx
// REDEFINE: %{case} = FOREVER_negative
// RUN: %{compile} 2>&1 | count 0
// KEPT: st.global
// TRAP: trap

// Nothing of it stays in the module, and other pipelines are as they were.
// RUN: %clang-cuda -I %source-root/include -O3 --cuda-device-only -S -emit-llvm %s -DAGREE_negative -Xarch_device -fpass-plugin=%plugin -o - | FileCheck %s --check-prefix=CLEAN
// CLEAN-NOT: unravel-has-assumptions

#include "unravel.h"

#ifndef IN_CXX
extern "C"
#endif
    __global__ void kernel(int *out, int w, int n) {
#if defined(RANGES)
  UNRAVEL_RANGE(w, 1, 8);
  UNRAVEL_RANGE(w, 10, 20);
#elif defined(SIGNS)
  UNRAVEL_POSITIVE(w);
  UNRAVEL_ASSUME(w + n < 0);
  UNRAVEL_RANGE(n, 0, 1000);
  UNRAVEL_RANGE(w, 0, 1000);
#elif defined(BEHIND_A_BARRIER)
  __syncthreads();
  UNRAVEL_POSITIVE(w);
  UNRAVEL_ASSUME(w < 0);
#elif defined(AGREE_negative)
  UNRAVEL_RANGE(w, 1, 8);
  UNRAVEL_RANGE(w, 8, 20);
#elif defined(IN_ONE_BRANCH_negative)
  UNRAVEL_RANGE(w, 1, 8);
  if (n == 3)
    UNRAVEL_ASSUME(w > 8);
#elif defined(UNREACHABLE_negative)
  UNRAVEL_POSITIVE(w);
  __builtin_unreachable();
#elif defined(TRAP_negative)
  UNRAVEL_POSITIVE(w);
  __trap();
  __builtin_unreachable();
#elif defined(FOREVER_negative)
  UNRAVEL_POSITIVE(w);
  while (true)
    atomicAdd(out, 1);
#endif
  out[threadIdx.x / w] = n;
}
