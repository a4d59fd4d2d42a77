; Shifting by the width or more is poison; floors by large powers of two are not.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %kernel-run --grid 1 --block 8 --args in:i32:4,out:i32:200,i32:100 --kernel sign %s %t.ll
; RUN: %kernel-run --grid 1 --block 8 --args in:i32:4,out:i32:200,i32:-5 --kernel sign %s %t.ll
; RUN: %kernel-run --grid 1 --block 8 --args in:i32:4,out:i32:200,i32:20000 --kernel sign %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Two shifts by 20 leave the sign: one by 31, not one by 40.
; CHECK-LABEL: define ptx_kernel void @sign(
; CHECK-NOT: ashr {{.*}}, {{3[2-9]|[4-9][0-9]}}
; CHECK: store
define ptx_kernel void @sign(ptr noundef %in, ptr noundef %out, i32 noundef %x) {
  %q = ashr i32 %x, 20
  %q2 = ashr i32 %q, 20
  %i = add nsw i32 %q2, 99
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 5, ptr %p
  ret void
}

; A shift by a variable may be poison, so this freeze has a meaning.
; CHECK-LABEL: define ptx_kernel void @sign_negative(
; CHECK: freeze
; CHECK: icmp ult i32 {{%f.*}}
define ptx_kernel void @sign_negative(ptr noundef %out, i32 noundef %n) {
  %s = shl i32 1, %n
  %f = freeze i32 %s
  %q = udiv i32 %f, 4
  %c = icmp ult i32 %q, 2
  br i1 %c, label %a, label %b
a:
  store i32 5, ptr %out
  br label %b
b:
  ret void
}
