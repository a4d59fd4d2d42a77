; Divisors of run time that once made the pass run for ever, or could: minima in
; divisors, remainders of remainders, divisors that are quotients themselves.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:1,i32:0 --kernel maximum %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7 --kernel maximum %s %t.ll
; RUN: %{run} --args out:i32:1,i32:5 --kernel maximum %s %t.ll
; RUN: %{run} --args out:i32:1,i32:97,i32:0 --kernel maximum_of_two %s %t.ll
; RUN: %{run} --args out:i32:1,i32:97,i32:13 --kernel maximum_of_two %s %t.ll
; RUN: %{run} --args out:i32:1,i32:97,i32:13 --kernel towers %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-97,i32:-1 --kernel towers %s %t.ll
; RUN: %{run} --args out:i32:1,i32:97,i32:2 --kernel quotient_divisors %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1000003,i32:97 --kernel quotient_divisors %s %t.ll
; RUN: %{run} --args out:i32:1,i32:97,i32:2,i32:3 --kernel powers %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-97,i32:-1,i32:1 --kernel powers %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0 --kernel zero_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The remainder was taken out of itself without end.
; CHECK-LABEL: define ptx_kernel void @maximum(
; CHECK: ret void
define ptx_kernel void @maximum(ptr %out, i32 range(i32 0, 8) %a0) {
  %r = urem i32 %a0, 7
  %s = call i32 @llvm.smax.i32(i32 %a0, i32 1)
  %q = urem i32 %r, %s
  store i32 %q, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @maximum_of_two(
; CHECK: ret void
define ptx_kernel void @maximum_of_two(ptr %out, i32 noundef range(i32 0, 1000) %a, i32 noundef range(i32 0, 1000) %b) {
  %m = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %d = call i32 @llvm.smax.i32(i32 %m, i32 1)
  %r = urem i32 %a, %d
  %r1 = add i32 %r, 1
  %r2 = urem i32 %r1, %d
  %q2 = udiv i32 %r1, %d
  %s = add i32 %r2, %q2
  %d2 = call i32 @llvm.smax.i32(i32 %s, i32 1)
  %r3 = urem i32 %r2, %d2
  store i32 %r3, ptr %out
  ret void
}

; Remainders of remainders by a divisor of either sign.
; CHECK-LABEL: define ptx_kernel void @towers(
; CHECK: ret void
define ptx_kernel void @towers(ptr %out, i32 noundef %x, i32 noundef %n) {
  %r0 = srem i32 %x, %n
  %r1 = srem i32 %r0, %n
  %q1 = sdiv i32 %r0, %n
  %r2 = srem i32 %r1, %n
  %q2 = sdiv i32 %q1, %n
  %s0 = add i32 %r2, %q2
  %q3 = sdiv i32 %s0, %n
  %s1 = mul i32 %q3, %n
  %s2 = add i32 %s1, %r1
  %q4 = sdiv i32 %s2, %n
  %s3 = add i32 %q4, %s2
  store i32 %s3, ptr %out
  ret void
}

; A divisor that is a quotient by another divisor, and the other way round.
; CHECK-LABEL: define ptx_kernel void @quotient_divisors(
; CHECK: ret void
define ptx_kernel void @quotient_divisors(ptr %out, i32 noundef range(i32 0, 2147483647) %x, i32 noundef range(i32 1, 1000) %n) {
  %q = udiv i32 %x, %n
  %d = add i32 %q, 1
  %q2 = udiv i32 %x, %d
  %d2 = add i32 %q2, 1
  %q3 = udiv i32 %q, %d2
  %r3 = urem i32 %q, %d2
  %s = mul i32 %q3, %d2
  %s2 = add i32 %s, %r3
  %q4 = udiv i32 %s2, %d
  %s3 = add i32 %q4, %q3
  store i32 %s3, ptr %out
  ret void
}

; A factor many times: monomials of high degree.
; CHECK-LABEL: define ptx_kernel void @powers(
; CHECK: ret void
define ptx_kernel void @powers(ptr %out, i32 noundef %x, i32 noundef range(i32 -3, 4) %n, i32 noundef range(i32 -3, 4) %m) {
  %n2 = mul nsw i32 %n, %n
  %n4 = mul nsw i32 %n2, %n2
  %n8 = mul nsw i32 %n4, %n4
  %m2 = mul nsw i32 %m, %m
  %m4 = mul nsw i32 %m2, %m2
  %p = mul nsw i32 %n8, %m4
  %pm = mul nsw i32 %n4, %m2
  %odd = or i32 %p, 1
  %r = srem i32 %x, %odd
  %rp = srem i32 %r, %p
  %q = sdiv i32 %rp, %pm
  %q2 = sdiv i32 %q, %n
  %q3 = sdiv i32 %q2, %m
  %s = mul i32 %q3, %m
  %s2 = add i32 %s, %q2
  store i32 %s2, ptr %out
  ret void
}

; A divisor of zero, in code that is not executed.
; CHECK-LABEL: define ptx_kernel void @zero_negative(
; CHECK: ret void
define ptx_kernel void @zero_negative(ptr %out, i32 noundef %n) {
  %never = icmp ne i32 %n, 0
  br i1 %never, label %write, label %done
write:
  %z = sub i32 %n, %n
  %q = udiv i32 7, %z
  %r = urem i32 %q, %z
  %s = srem i32 %r, %n
  store i32 %s, ptr %out
  br label %done
done:
  ret void
}
