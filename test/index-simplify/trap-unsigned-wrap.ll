; (12 * x) % 12 is not 0 for every unsigned x: what wraps modulo 2^32 is a multiple
; of 12 only for as long as it does not wrap. The part of 12 that divides 2^32 stays.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:3000,i32:0 --kernel multiple %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:999 --kernel multiple %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:536870912 --kernel multiple_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:4294967295 --kernel multiple_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:5 --kernel multiple_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:536870912 --kernel power %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:4294967295 --kernel power %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:536870912 --kernel power_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:4294967295 --kernel power_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:3 --kernel power_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:5 --kernel difference %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:79 --kernel difference %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:80 --kernel difference %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2999 --kernel difference %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:0 --kernel difference_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:4 --kernel difference_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:5 --kernel difference_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:80 --kernel difference_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 12 * x of an x below 1000 is a multiple of 12.
; CHECK-LABEL: define ptx_kernel void @multiple(
; CHECK-NOT: {{mul|div|rem|mulhi}}
; CHECK: sext i32 %x
; CHECK: ret void
define ptx_kernel void @multiple(ptr noundef %out, i32 noundef %x) {
  %small = icmp ult i32 %x, 1000
  br i1 %small, label %work, label %done
work:
  %m = mul i32 %x, 12
  %r = urem i32 %m, 12
  %q = udiv i32 %m, 12
  %i = add i32 %q, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; 12 * 2^29 is 2^31 + 2^30 modulo 2^32: the remainder of what wraps is not 0.
; CHECK-LABEL: define ptx_kernel void @multiple_negative(
; CHECK: %m = mul i32 %x, 12
; CHECK: {{(udiv|urem) i32 %m, 12}}
; CHECK: store
define ptx_kernel void @multiple_negative(ptr noundef %out, i32 noundef %x) {
  %m = mul i32 %x, 12
  %r = urem i32 %m, 12
  %e = zext i32 %r to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; A power of two divides 2^32: 12 * x is a multiple of 4 whatever wraps.
; CHECK-LABEL: define ptx_kernel void @power(
; CHECK-NOT: {{rem|and}}
; CHECK: br i1 true
define ptx_kernel void @power(ptr noundef %out, i32 noundef %x) {
  %m = mul i32 %x, 12
  %r = urem i32 %m, 4
  %c = icmp eq i32 %r, 0
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; But no multiple of 8.
; CHECK-LABEL: define ptx_kernel void @power_negative(
; CHECK: br i1 %
define ptx_kernel void @power_negative(ptr noundef %out, i32 noundef %x) {
  %m = mul i32 %x, 12
  %r = urem i32 %m, 8
  %c = icmp eq i32 %r, 0
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; x - 5 of an x >= 5: (x - 5 + 75 * 4) / 75 is (x - 5) / 75 + 4.
; CHECK-LABEL: define ptx_kernel void @difference(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: getelementptr inbounds nuw i8, ptr %out, i64 16
define ptx_kernel void @difference(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 3000
  %above = icmp ugt i32 %x, 4
  %both = and i1 %in, %above
  br i1 %both, label %work, label %done
work:
  %d = add i32 %x, -5
  %q = udiv i32 %d, 75
  %l = add i32 %d, 300
  %ql = udiv i32 %l, 75
  %i = sub i32 %ql, %q
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; x - 5 of an x < 5 is almost 2^32, and adding 300 wraps it to a small number.
; CHECK-LABEL: define ptx_kernel void @difference_negative(
; CHECK: [[D:%.*]] = add i32 %x, -5
; CHECK: udiv i32 [[D]], 75
; CHECK: [[L:%.*]] = add i32 [[D]], 300
; CHECK: udiv i32 [[L]], 75
define ptx_kernel void @difference_negative(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 3000
  br i1 %in, label %work, label %done
work:
  %d = add i32 %x, -5
  %q = udiv i32 %d, 75
  %l = add i32 %d, 300
  %ql = udiv i32 %l, 75
  %i = sub i32 %ql, %q
  %low = and i32 %i, 1023
  %e = zext i32 %low to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}
