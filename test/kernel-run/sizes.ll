; Sizes that leave 64 bits are more than there is, not what is left of them.
;
; DEFINE: %{run} = %kernel-run %s --grid 1 --block 1 --args out:i32:4 --kernel
; DEFINE: %{scalar} = %kernel-run %s --grid 1 --block 1 --kernel counted --args out:i32:4,i64
;
; 2^64 + 4 bytes.
; RUN: not %{run} wide_count | FileCheck %s --check-prefix=LOCAL
; RUN: not %{scalar}:4611686018427387905 | FileCheck %s --check-prefix=LOCAL
; LOCAL: thread (0, 0, 0) of block (0, 0, 0) needs more local memory than a thread has
; LOCAL-NEXT: at: %{{.*}} = alloca
; RUN: not %{run} array 2>&1 | FileCheck %s --check-prefix=OBJECT
; RUN: not %{run} structure 2>&1 | FileCheck %s --check-prefix=OBJECT
; RUN: not %{run} variable 2>&1 | FileCheck %s --check-prefix=OBJECT
; RUN: not %{run} shared 2>&1 | FileCheck %s --check-prefix=OBJECT
; OBJECT: uses an object of more than 1099511627776 bytes, which kernel-run does not run: make its type smaller
;
; RUN: %{run} narrow_count
; RUN: %{scalar}:1
; RUN: %{run} small
;
; --shared is what a block has at most, also of a kernel that uses none.
; RUN: not %{run} small --shared 232449 2>&1 | FileCheck %s --check-prefix=SHARED
; RUN: not %{run} small --shared 18446744073709551615 2>&1 | FileCheck %s --check-prefix=SHARED
; RUN: not %{run} some_shared --shared 232445 2>&1 | FileCheck %s --check-prefix=SHARED
; RUN: not %{run} some_shared --shared 18446744073709551615 2>&1 | FileCheck %s --check-prefix=SHARED
; SHARED: bytes of static and {{[0-9]+}} of dynamic shared memory are more than the 232448 that a block has
; RUN: %{run} small --shared 232448
; RUN: %{run} some_shared --shared 232444

target triple = "nvptx64-nvidia-cuda"

@large = internal addrspace(1) global [4611686018427387905 x i32] zeroinitializer
@large_shared = internal addrspace(3) global [4611686018427387904 x i32] undef
@word = internal addrspace(3) global i32 undef

define ptx_kernel void @wide_count(ptr %out) {
  %x = alloca i8, i128 18446744073709551620
  store i32 1, ptr %x
  ret void
}

define ptx_kernel void @narrow_count(ptr %out) {
  %x = alloca i8, i16 4, align 4
  store i32 1, ptr %x
  ret void
}

define ptx_kernel void @counted(ptr %out, i64 %n) {
  %x = alloca i32, i64 %n
  store i32 1, ptr %x
  ret void
}

define ptx_kernel void @array(ptr %out) {
  %x = alloca [4611686018427387905 x i32]
  store i32 1, ptr %x
  ret void
}

define ptx_kernel void @structure(ptr %out) {
  %x = alloca { [9223372036854775808 x i8], [9223372036854775808 x i8], i32 }
  store i32 1, ptr %x
  ret void
}

define ptx_kernel void @small(ptr %out) {
  %x = alloca { [4 x i8], [1 x i32] }
  store i32 1, ptr %x
  ret void
}

define ptx_kernel void @variable(ptr %out) {
  store i32 1, ptr addrspace(1) @large
  ret void
}

define ptx_kernel void @shared(ptr %out) {
  store i32 1, ptr addrspace(3) @large_shared
  ret void
}

define ptx_kernel void @some_shared(ptr %out) {
  store i32 1, ptr addrspace(3) @word
  ret void
}
