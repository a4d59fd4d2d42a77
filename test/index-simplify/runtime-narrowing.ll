; A 64-bit division is made in 32 bits where both operands are known to fit.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i64:1,i64:2147483647,i64:3 --kernel narrow %s %t.ll
; RUN: %{run} --args out:i64:1,i64:0,i64:1 --kernel narrow %s %t.ll
; RUN: %{run} --args out:i64:1,i64:97,i64:2147483647 --kernel narrow %s %t.ll
; RUN: %{run} --args out:i64:1,i64:8589934591,i64:3 --kernel narrow_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i64:4294967296,i64:65537 --kernel narrow_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i64:97,i64:2147483647 --kernel narrow_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i64:2147483647,i64:4294967297 --kernel narrow_divisor_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i64:97,i64:96 --kernel narrow_divisor_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i64:-2147483647,i64:3 --kernel narrow_signed %s %t.ll
; RUN: %{run} --args out:i64:1,i64:2147483647,i64:2147483647 --kernel narrow_signed %s %t.ll
; RUN: %{run} --args out:i64:1,i64:-97,i64:1 --kernel narrow_signed %s %t.ll
; RUN: %{run} --args out:i64:1,i64:-2147483648,i64:-1 --kernel narrow_signed_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i64:2147483647,i64:-2147483648 --kernel narrow_signed_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i64:-97,i64:7 --kernel narrow_signed_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @narrow(
; CHECK: udiv i32
; CHECK-NOT: {{div|rem}} i64
; CHECK: store
define ptx_kernel void @narrow(ptr noundef %out, i64 noundef range(i64 0, 2147483648) %x, i64 noundef range(i64 1, 2147483648) %n) {
  %q = udiv i64 %x, %n
  %r = urem i64 %x, %n
  %s = shl i64 %r, 32
  %s2 = add i64 %s, %q
  store i64 %s2, ptr %out
  ret void
}

; x has a bit too many.
; CHECK-LABEL: define ptx_kernel void @narrow_negative(
; CHECK: udiv i64 %x, %n
; CHECK-NOT: {{div|rem}} i32
; CHECK: store
define ptx_kernel void @narrow_negative(ptr noundef %out, i64 noundef range(i64 0, 8589934592) %x, i64 noundef range(i64 1, 2147483648) %n) {
  %q = udiv i64 %x, %n
  %r = urem i64 %x, %n
  %s = shl i64 %r, 20
  %s2 = add i64 %s, %q
  store i64 %s2, ptr %out
  ret void
}

; So has n.
; CHECK-LABEL: define ptx_kernel void @narrow_divisor_negative(
; CHECK: {{udiv|urem}} i64 %x, %n
; CHECK-NOT: {{div|rem}} i32
; CHECK: store
define ptx_kernel void @narrow_divisor_negative(ptr noundef %out, i64 noundef range(i64 0, 2147483648) %x, i64 noundef range(i64 1, 8589934592) %n) {
  %q = udiv i64 %x, %n
  %r = urem i64 %x, %n
  %s = shl i64 %r, 32
  %s2 = add i64 %s, %q
  store i64 %s2, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @narrow_signed(
; CHECK: sdiv i32
; CHECK-NOT: {{div|rem}} i64
; CHECK: store
define ptx_kernel void @narrow_signed(ptr noundef %out, i64 noundef range(i64 -2147483648, 2147483648) %x, i64 noundef range(i64 1, 2147483648) %n) {
  %q = sdiv i64 %x, %n
  %r = srem i64 %x, %n
  %s = shl i64 %r, 32
  %s2 = add i64 %s, %q
  store i64 %s2, ptr %out
  ret void
}

; -2^31 / -1 is a 64-bit quotient, and no 32-bit one.
; CHECK-LABEL: define ptx_kernel void @narrow_signed_negative(
; CHECK: {{sdiv|srem}} i64 %x, %n
; CHECK-NOT: {{div|rem}} i32
; CHECK: store
define ptx_kernel void @narrow_signed_negative(ptr noundef %out, i64 noundef range(i64 -2147483648, 2147483648) %x, i64 noundef range(i64 -2147483648, 2147483648) %n) {
  %q = sdiv i64 %x, %n
  %r = srem i64 %x, %n
  %s = shl i64 %r, 32
  %s2 = add i64 %s, %q
  store i64 %s2, ptr %out
  ret void
}
