; A quotient and its remainder belong together: to simplify one of them alone, or
; the remainder of another divisor with it, breaks what recombines them.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:3000,i32:0 --kernel pair %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2999 --kernel pair %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:3000 --kernel pair %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2999 --kernel pair_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:3000 --kernel pair_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:5 --kernel pair_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:5 --kernel digits %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:3000 --kernel digits %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:123456 --kernel digits %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:4294967295 --kernel digits %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:5 --kernel digits_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:3000 --kernel digits_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:123456 --kernel digits_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:4294967295 --kernel digits_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The guard makes the quotient 0 and the remainder x: both or none, so that what
; recombines them still cancels.
; CHECK-LABEL: define ptx_kernel void @pair(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: sext i32 %x
; CHECK: store i32 0
define ptx_kernel void @pair(ptr noundef %out, i32 noundef %x) {
  %q0 = udiv i32 %x, 3000
  %r0 = urem i32 %x, 3000
  %in = icmp ult i32 %x, 3000
  br i1 %in, label %work, label %done
work:
  %m = mul i32 %q0, 3000
  %i = add i32 %m, %r0
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q0, ptr %p
  br label %done
done:
  ret void
}

; In front of the guard the pair is what it was, and behind one that lets 3000
; pass the remainder is not x.
; CHECK-LABEL: define ptx_kernel void @pair_negative(
; CHECK: [[Q:%.*]] = udiv i32 %x, 3000
; CHECK: store i32 [[Q]], ptr %out
; CHECK: {{^work}}
; CHECK-NOT: zext {{.*}}%x
; CHECK: store i32 [[Q]]
define ptx_kernel void @pair_negative(ptr noundef %out, i32 noundef %x) {
  %q0 = udiv i32 %x, 3000
  %r0 = urem i32 %x, 3000
  store i32 %q0, ptr %out
  %in = icmp ult i32 %x, 3001
  br i1 %in, label %work, label %done
work:
  %e = zext i32 %r0 to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q0, ptr %p
  br label %done
done:
  ret void
}

; One quotient is used by other code, one remainder by the address: the pair of
; digits of x/75 is one division.
; CHECK-LABEL: define ptx_kernel void @digits(
; CHECK: [[Q:%.*]] = udiv i32 %x, 3000
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: and i32 %x, 1023
; CHECK: store i32 [[Q]]
define ptx_kernel void @digits(ptr noundef %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  %hi = udiv i32 %q, 40
  %lo = urem i32 %q, 40
  %r = urem i32 %x, 75
  %a = mul i32 %hi, 40
  %b = add i32 %a, %lo
  %c = mul i32 %b, 75
  %i = add i32 %c, %r
  %w = and i32 %i, 1023
  %e = zext i32 %w to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %hi, ptr %p
  ret void
}

; A remainder by 41 does not belong to the quotient by 40.
; CHECK-LABEL: define ptx_kernel void @digits_negative(
; CHECK-DAG: udiv i32 %x, 3000
; CHECK-DAG: udiv i32 %x, 3075
; CHECK: store
define ptx_kernel void @digits_negative(ptr noundef %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  %hi = udiv i32 %q, 40
  %lo = urem i32 %q, 41
  %r = urem i32 %x, 75
  %a = mul i32 %hi, 40
  %b = add i32 %a, %lo
  %c = mul i32 %b, 75
  %i = add i32 %c, %r
  %w = and i32 %i, 1023
  %e = zext i32 %w to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %hi, ptr %p
  ret void
}
