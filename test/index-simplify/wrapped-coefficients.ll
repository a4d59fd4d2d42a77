; 4 * (x + c * q) is 4 * (x mod 6) for q = x / 6 and c = 2^30 - 6, as InstCombine
; writes it: the coefficients count modulo 2^32, and next to 0 they tell more. Then
; the digit is below 64, and the `or` is a sum.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{kernel} =
; DEFINE: %{run} = %kernel-run --grid 1 --block 1 --kernel %{kernel} %s %t.ll
; REDEFINE: %{kernel} = digit
; RUN: %{run} --args out:i8:90000,i32:0
; RUN: %{run} --args out:i8:90000,i32:5
; RUN: %{run} --args out:i8:90000,i32:2351
; RUN: %{run} --args out:i8:90000,i32:2352
; RUN: %{run} --args out:i8:90000,i32:9999
; REDEFINE: %{kernel} = digit_negative
; RUN: %{run} --args out:i8:90000,i32:5
; RUN: %{run} --args out:i8:90000,i32:2351
; RUN: %{run} --args out:i8:90000,i32:9999

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @digit(
; CHECK-NEXT: %[[H:.*]] = udiv i32 %x, 2352
; CHECK-NEXT: mul nuw nsw i32 %[[H]], 2352
; CHECK-NOT: = or
; CHECK: ret void
define ptx_kernel void @digit(ptr noundef %out, i32 noundef range(i32 0, -2147483648) %x) {
  %q = udiv i32 %x, 6
  %m = mul i32 %q, 1073741818
  %d = add i32 %x, %m
  %digit = shl i32 %d, 2
  %h = udiv i32 %x, 2352
  %high = mul i32 %h, 9408
  %both = or i32 %digit, %high
  %b = mul i32 %q, 24
  %s = add i32 %both, %b
  %e = zext i32 %s to i64
  %p = getelementptr inbounds i8, ptr %out, i64 %e
  store i8 1, ptr %p
  ret void
}

; 4 * (x - 5 * q) is no digit.
; CHECK-LABEL: define ptx_kernel void @digit_negative(
; CHECK: or i32
; CHECK: ret void
define ptx_kernel void @digit_negative(ptr noundef %out, i32 noundef range(i32 0, -2147483648) %x) {
  %q = udiv i32 %x, 6
  %m = mul i32 %q, 1073741819
  %d = add i32 %x, %m
  %digit = shl i32 %d, 2
  %h = udiv i32 %x, 2352
  %high = mul i32 %h, 9408
  %both = or i32 %digit, %high
  %b = mul i32 %q, 20
  %s = add i32 %both, %b
  %e = zext i32 %s to i64
  %p = getelementptr inbounds i8, ptr %out, i64 %e
  store i8 1, ptr %p
  ret void
}
