; A truncating quotient is a floor only where nothing is negative.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:200,in:i32:4:min=1:max=99 --kernel positive %s %t.ll
; RUN: %{run} --args out:i32:200,in:i32:4:min=-1:max=-1 --kernel positive_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @positive(
; CHECK: lshr i32
define ptx_kernel void @positive(ptr noundef %out, ptr noundef %in) {
  %x = load i32, ptr %in, !noundef !0
  %c = icmp sge i32 %x, 0
  br i1 %c, label %a, label %b
a:
  %q = sdiv i32 %x, 8
  %i = add nsw i32 %q, 99
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 5, ptr %p
  br label %b
b:
  ret void
}

; sdiv -1, 8 is 0 and floor(-1/8) is -1.
; CHECK-LABEL: define ptx_kernel void @positive_negative(
; CHECK-NOT: ashr i32 %x, 3
; CHECK: store
define ptx_kernel void @positive_negative(ptr noundef %out, ptr noundef %in) {
  %x = load i32, ptr %in, !noundef !0
  %c = icmp sle i32 %x, 0
  br i1 %c, label %a, label %b
a:
  %q = sdiv i32 %x, 8
  %i = add nsw i32 %q, 99
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 5, ptr %p
  br label %b
b:
  ret void
}

!0 = !{}
