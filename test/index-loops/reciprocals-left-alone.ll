; Divisions that get no reciprocal.

; RUN: %unravel-opt -passes=index-reciprocals -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @keep(ptr, i32, i32, i32)

; One division by a divisor gains nothing, nor does its remainder.
; CHECK-LABEL: define ptx_kernel void @straight_line_negative(
; CHECK-NOT: rcp
; CHECK: udiv
; CHECK: urem
; CHECK: ret void
define ptx_kernel void @straight_line_negative(ptr %out, i32 noundef %x, i32 noundef %d) {
  %q = udiv i32 %x, %d
  %r = urem i32 %x, %d
  call void @keep(ptr %out, i32 0, i32 %q, i32 %r)
  ret void
}

; Neither branch comes behind the other.
; CHECK-LABEL: define ptx_kernel void @branches_negative(
; CHECK-NOT: rcp
; CHECK: ret void
define ptx_kernel void @branches_negative(ptr %out, i32 noundef %x, i32 noundef %d) {
entry:
  %odd = trunc i32 %x to i1
  br i1 %odd, label %a, label %b
a:
  %q = udiv i32 %x, %d
  call void @keep(ptr %out, i32 0, i32 %q, i32 %q)
  ret void
b:
  %y = add i32 %x, 1
  %r = udiv i32 %y, %d
  call void @keep(ptr %out, i32 0, i32 %r, i32 %r)
  ret void
}

; The divisor changes in the loop, is a constant, or has 64 bits.
; CHECK-LABEL: define ptx_kernel void @divisors_negative(
; CHECK-NOT: rcp
; CHECK: ret void
define ptx_kernel void @divisors_negative(ptr %out, i32 noundef %x, i64 noundef %d) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 1, %entry ], [ %next, %loop ]
  %q = udiv i32 %x, %j
  %r = udiv i32 %q, 75
  %e = zext i32 %r to i64
  %w = udiv i64 %e, %d
  %v = trunc i64 %w to i32
  call void @keep(ptr %out, i32 %j, i32 %v, i32 %q)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Code in front of the loop would be executed also where the loop is not.
; CHECK-LABEL: define ptx_kernel void @no_preheader_negative(
; CHECK-NOT: rcp
; CHECK: ret void
define ptx_kernel void @no_preheader_negative(ptr %out, i32 noundef %n, i32 noundef %d) {
entry:
  %any = icmp ult i32 0, %n
  br i1 %any, label %loop, label %done
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = udiv i32 %j, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %q)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
