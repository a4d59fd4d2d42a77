; -2^31 has no negative in its word: it is the end of every rule about signs.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:3000,i32:-2147483648 --kernel negative_divisor %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2147483647 --kernel negative_divisor %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:-1 --kernel negative_divisor %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:74 --kernel negative_divisor %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:-2147483648 --kernel negative_divisor_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:76 --kernel negative_divisor_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:-76 --kernel negative_divisor_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:5 --kernel minus_one %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:-999 --kernel minus_one %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:-2147483648,i32:0 --kernel minus_one_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2147483647,i32:3 --kernel minus_one_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:-2147483647,i32:3 --kernel minus_one_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:-999 --kernel absolute %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:999 --kernel absolute %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:-2147483648 --kernel absolute_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:5 --kernel absolute_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; A quotient by -75 and its remainder add up to x for every x.
; CHECK-LABEL: define ptx_kernel void @negative_divisor(
; CHECK-NOT: {{div|rem}}
; CHECK: store i32 %x
define ptx_kernel void @negative_divisor(ptr noundef %out, i32 noundef %x) {
  %q = sdiv i32 %x, -75
  %r = srem i32 %x, -75
  %m = mul i32 %q, -75
  %i = add i32 %m, %r
  store i32 %i, ptr %out
  ret void
}

; The remainder by -75 is that by 75; the quotients are opposites.
; CHECK-LABEL: define ptx_kernel void @negative_divisor_negative(
; CHECK: sdiv i32 %x, 75
; CHECK: mul i32 {{.*}}, -150
; CHECK: store
define ptx_kernel void @negative_divisor_negative(ptr noundef %out, i32 noundef %x) {
  %q = sdiv i32 %x, -75
  %r = srem i32 %x, 75
  %m = mul i32 %q, 75
  %i = add i32 %m, %r
  store i32 %i, ptr %out
  ret void
}

; x / -1 is -x, as long as that is in the word.
; CHECK-LABEL: define ptx_kernel void @minus_one(
; CHECK-NOT: {{div|rem}}
; CHECK: br i1 true
define ptx_kernel void @minus_one(ptr noundef %out, i32 noundef %x) {
  %above = icmp sgt i32 %x, -1000
  %below = icmp slt i32 %x, 1000
  %both = and i1 %above, %below
  br i1 %both, label %work, label %done
work:
  %n = sdiv i32 %x, -1
  %s = add i32 %n, %x
  %c = icmp eq i32 %s, 0
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; The division of the least number is undefined behaviour: it stays behind its
; guard, and nothing else may become one.
; CHECK-LABEL: define ptx_kernel void @minus_one_negative(
; CHECK-NOT: div
; CHECK: br i1 %least
; CHECK: {{^work}}
; CHECK-NOT: sdiv i32 {{.*}}, 75
; CHECK: sdiv i32 {{.*}}, %d
define ptx_kernel void @minus_one_negative(ptr noundef %out, i32 noundef %x, i32 noundef %d) {
  %least = icmp eq i32 %x, -2147483648
  br i1 %least, label %done, label %work
work:
  %n = sdiv i32 %x, -1
  %q = sdiv i32 %n, 75
  %r = srem i32 %n, 75
  %m = mul i32 %q, 75
  %i = add i32 %m, %r
  %k = sdiv i32 %i, %d
  store i32 %k, ptr %out
  br label %done
done:
  ret void
}

; |x| of a small x is not negative.
; CHECK-LABEL: define ptx_kernel void @absolute(
; CHECK: br i1 true
define ptx_kernel void @absolute(ptr noundef %out, i32 noundef %x) {
  %above = icmp sgt i32 %x, -1000
  %below = icmp slt i32 %x, 1000
  %both = and i1 %above, %below
  br i1 %both, label %work, label %done
work:
  %a = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %c = icmp sgt i32 %a, -1
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; |-2^31| is -2^31 again.
; CHECK-LABEL: define ptx_kernel void @absolute_negative(
; CHECK: icmp
; CHECK: br i1 %
define ptx_kernel void @absolute_negative(ptr noundef %out, i32 noundef %x) {
  %a = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %q = sdiv i32 %a, 75
  %c = icmp sgt i32 %q, -1
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}
