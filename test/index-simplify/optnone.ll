; optnone functions are left alone, as -O0 code is.

; RUN: %unravel-opt -passes=index-simplify -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @plain(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: store
define ptx_kernel void @plain(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @plain_negative(
; CHECK: udiv
; CHECK: urem
define ptx_kernel void @plain_negative(ptr %out) optnone noinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}
