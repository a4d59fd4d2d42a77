; How a comparison is written anew: strict or not, signed or not, in which word, and
; which of its quotients are multiplied out.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1 --args out:i32:100
; RUN: %{run},i32:2699 --kernel minus %s %t.ll
; RUN: %{run},i32:2700 --kernel minus %s %t.ll
; RUN: %{run},i32:2624 --kernel minus_negative %s %t.ll
; RUN: %{run},i32:2625 --kernel minus_negative %s %t.ll
; RUN: %{run},i32:-974 --kernel truncating %s %t.ll
; RUN: %{run},i32:-975 --kernel truncating %s %t.ll
; RUN: %{run},i32:-75 --kernel truncating_negative %s %t.ll
; RUN: %{run},i32:-74 --kernel truncating_negative %s %t.ll
; RUN: %{run},i32:0 --kernel truncating_negative %s %t.ll
; RUN: %{run},i32:974 --kernel at_most %s %t.ll
; RUN: %{run},i32:975 --kernel at_most %s %t.ll
; RUN: %{run},i32:1049 --kernel at_most %s %t.ll
; RUN: %{run},i32:1050 --kernel at_most %s %t.ll
; RUN: %{run},i32:974 --kernel at_least %s %t.ll
; RUN: %{run},i32:975 --kernel at_least %s %t.ll
; RUN: %{run},i32:1050 --kernel at_least %s %t.ll
; RUN: %{run},i32:0 --kernel ends %s %t.ll
; RUN: %{run},i32:1 --kernel ends %s %t.ll
; RUN: %{run},i32:0 --kernel ends_negative %s %t.ll
; RUN: %{run},i32:7,i32:3 --kernel equality %s %t.ll
; RUN: %{run},i32:6,i32:3 --kernel equality %s %t.ll
; RUN: %{run},i32:0,i32:0 --kernel equality_negative %s %t.ll
; RUN: %{run},i32:500,i32:1000 --kernel check %s %t.ll
; RUN: %{run},i32:1000,i32:1000 --kernel check %s %t.ll
; RUN: %{run},i32:-5,i32:1000 --kernel check %s %t.ll
; RUN: %{run},i32:500,i32:1000 --kernel check_negative %s %t.ll
; RUN: %{run},i32:1000,i32:1000 --kernel check_negative %s %t.ll
; RUN: %{run},i32:-5,i32:1000 --kernel check_negative %s %t.ll
; RUN: %{run},i32:1000,i32:1000 --kernel check_inclusive %s %t.ll
; RUN: %{run},i32:5,i32:5 --kernel above %s %t.ll
; RUN: %{run},i32:6,i32:5 --kernel above %s %t.ll
; RUN: %{run},i64:4294967300,i64:1000 --kernel wide_check %s %t.ll
; RUN: %{run},i64:-5,i64:1000 --kernel wide_check %s %t.ll
; RUN: %{run},i64:5,i64:1000 --kernel wide_check %s %t.ll
; RUN: %{run},i32:-5,i32:100 --kernel signed_sides %s %t.ll
; RUN: %{run},i32:100,i32:-5 --kernel signed_sides %s %t.ll
; RUN: %{run},i64:4294967301,i64:6 --kernel wide_sides %s %t.ll
; RUN: %{run},i32:-5,i32:5 --kernel left_negative %s %t.ll
; RUN: %{run},i32:5,i32:-5 --kernel right_negative %s %t.ll
; RUN: %{run},i64:5000,i32:100 --kernel narrowed %s %t.ll
; RUN: %{run},i32:4294967295,i32:4294967295 --kernel at_most_any %s %t.ll
; RUN: %{run},i32:0,i32:4294967295 --kernel at_most_any %s %t.ll
; RUN: %{run},i32:9,i32:8 --kernel at_most_any %s %t.ll
; RUN: %{run},i32:536870911,i32:536870911 --kernel at_most_any %s %t.ll
; RUN: %{run},i32:536870911,i32:536870911 --kernel at_least_any %s %t.ll
; RUN: %{run},i32:8,i32:9 --kernel at_least_any %s %t.ll
; RUN: %{run},i32:9,i32:8 --kernel at_least_any %s %t.ll
; RUN: %{run},i32:9,i32:9 --kernel at_most_any_negative %s %t.ll
; RUN: %{run},i32:8,i32:9 --kernel at_most_any_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 39 - x/75 < 4 is x/75 > 35, that is x >= 2700.
; CHECK-LABEL: define ptx_kernel void @minus(
; CHECK-NOT: {{udiv|mulhi}}
; CHECK: icmp {{.*}}2{{699|700}}
define ptx_kernel void @minus(ptr noundef %out, i32 noundef range(i32 0, 3000) %x) {
  %q = udiv i32 %x, 75
  %m = sub i32 39, %q
  %c = icmp slt i32 %m, 4
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; 39 - x/75 <= 4 is x/75 >= 35, that is x >= 2625.
; CHECK-LABEL: define ptx_kernel void @minus_negative(
; CHECK: icmp {{.*}}262{{4|5}}
define ptx_kernel void @minus_negative(ptr noundef %out, i32 noundef range(i32 0, 3000) %x) {
  %q = udiv i32 %x, 75
  %m = sub i32 39, %q
  %c = icmp sle i32 %m, 4
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; A truncating quotient of -1 starts at -75, not at -1, and that of -13 at -975.
; CHECK-LABEL: define ptx_kernel void @truncating(
; CHECK: br i1
define ptx_kernel void @truncating(ptr noundef %out, i32 noundef %x) {
  %q = sdiv i32 %x, 5
  %r = sdiv i32 %q, 15
  %c = icmp slt i32 %r, -12
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @truncating_negative(
; CHECK: br i1
define ptx_kernel void @truncating_negative(ptr noundef %out, i32 noundef %x) {
  %q = sdiv i32 %x, 5
  %r = sdiv i32 %q, 15
  %c = icmp slt i32 %r, 0
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; x/75 <= 13 is x < 1050.
; CHECK-LABEL: define ptx_kernel void @at_most(
; CHECK: icmp ult i32 %x, 1050
define ptx_kernel void @at_most(ptr noundef %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  %c = icmp ule i32 %q, 13
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; x/75 >= 13 is x >= 975.
; CHECK-LABEL: define ptx_kernel void @at_least(
; CHECK: icmp {{.*}}97{{4|5}}
define ptx_kernel void @at_least(ptr noundef %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  %c = icmp uge i32 %q, 13
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; x in [0, 3]: x - 1 < 0 for x = 0, and only there.
; CHECK-LABEL: define ptx_kernel void @ends(
; CHECK-NOT: br i1 {{true|false}}
; CHECK: br i1
define ptx_kernel void @ends(ptr noundef %out, i32 noundef range(i32 0, 4) %x) {
  %m = mul nuw nsw i32 %x, 75
  %q = udiv i32 %m, 75
  %c = icmp slt i32 %q, 1
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; x - 1 < 0 is always true for an x that is 0, x - 3 > 0 never.
; CHECK-LABEL: define ptx_kernel void @ends_negative(
; CHECK: br i1 true
; CHECK: br i1 false
define ptx_kernel void @ends_negative(ptr noundef %out, i32 noundef range(i32 0, 4) %x) {
  %m = mul nuw nsw i32 %x, 75
  %q = udiv i32 %m, 300
  %c = icmp slt i32 %q, 1
  br i1 %c, label %more, label %done
more:
  %p = udiv i32 %m, 75
  %d = icmp sgt i32 %p, 3
  br i1 %d, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; 6*x + 4 = 2*y is 3*x + 2 = y.
; CHECK-LABEL: define ptx_kernel void @equality(
; CHECK: br i1
define ptx_kernel void @equality(ptr noundef %out, i32 noundef range(i32 0, 1000) %y, i32 noundef range(i32 0, 1000) %x) {
  %a = mul nuw nsw i32 %x, 450
  %a2 = udiv i32 %a, 75
  %b = mul nuw nsw i32 %y, 2
  %s = sub nsw i32 %b, 4
  %c = icmp eq i32 %a2, %s
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; 6*x + 1 = 2*y has no solution.
; CHECK-LABEL: define ptx_kernel void @equality_negative(
; CHECK: br i1 false
define ptx_kernel void @equality_negative(ptr noundef %out, i32 noundef range(i32 0, 1000) %y, i32 noundef range(i32 0, 1000) %x) {
  %a = mul nuw nsw i32 %x, 450
  %a2 = udiv i32 %a, 75
  %b = mul nuw nsw i32 %y, 2
  %s = sub nsw i32 %b, 1
  %c = icmp eq i32 %a2, %s
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; One unsigned comparison for 0 <= x < n, whatever the sign of x.
; CHECK-LABEL: define ptx_kernel void @check(
; CHECK-NOT: div
; CHECK: icmp ult i32 %x, %n
define ptx_kernel void @check(ptr noundef %out, i32 noundef %x, i32 noundef range(i32 0, 100000) %n) {
  %x8 = mul nsw i32 %x, 8
  %s = ashr exact i32 %x8, 3
  %m = add nsw i32 %s, 0
  %c = icmp ult i32 %m, %n
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; And its negation.
; CHECK-LABEL: define ptx_kernel void @check_negative(
; CHECK: icmp uge i32 %x, %n
define ptx_kernel void @check_negative(ptr noundef %out, i32 noundef %x, i32 noundef range(i32 0, 100000) %n) {
  %x8 = mul nsw i32 %x, 8
  %s = ashr exact i32 %x8, 3
  %m = add nsw i32 %s, 0
  %c = icmp uge i32 %m, %n
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; x <= n is inside of n + 1.
; CHECK-LABEL: define ptx_kernel void @check_inclusive(
; CHECK: icmp ul{{t|e}} i32 %x, %
define ptx_kernel void @check_inclusive(ptr noundef %out, i32 noundef %x, i32 noundef range(i32 0, 100000) %n) {
  %x8 = mul nsw i32 %x, 8
  %s = ashr exact i32 %x8, 3
  %q = sdiv i32 %s, 1
  %c = icmp ule i32 %q, %n
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; An x that is not negative may still be above n.
; CHECK-LABEL: define ptx_kernel void @above(
; CHECK: br i1 %
define ptx_kernel void @above(ptr noundef %out, i32 noundef range(i32 0, 1000) %x, i32 noundef range(i32 0, 100000) %n) {
  %x8 = mul nsw i32 %x, 8
  %s = ashr exact i32 %x8, 3
  %c = icmp ule i32 %s, %n
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; 2^32 + 4 is above 1000; its low half is not.
; CHECK-LABEL: define ptx_kernel void @wide_check(
; CHECK: icmp ult i64 %x, %n
define ptx_kernel void @wide_check(ptr noundef %out, i64 noundef %x, i64 noundef range(i64 0, 100000) %n) {
  %x8 = mul nsw i64 %x, 8
  %s = ashr exact i64 %x8, 3
  %c = icmp ult i64 %s, %n
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; Sides that may be negative.
; CHECK-LABEL: define ptx_kernel void @signed_sides(
; CHECK: icmp slt i32 %x, %y
define ptx_kernel void @signed_sides(ptr noundef %out, i32 noundef range(i32 -1000, 1000) %x, i32 noundef range(i32 -1000, 1000) %y) {
  %a = mul nsw i32 %x, 75
  %b = mul nsw i32 %y, 75
  %c = icmp slt i32 %a, %b
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; Sides that need 64 bits.
; CHECK-LABEL: define ptx_kernel void @wide_sides(
; CHECK: icmp {{.*}} i64
define ptx_kernel void @wide_sides(ptr noundef %out, i64 noundef range(i64 0, 1099511627776) %x, i64 noundef range(i64 0, 1099511627776) %y) {
  %a = mul nsw i64 %x, 75
  %b = mul nsw i64 %y, 75
  %c = icmp slt i64 %a, %b
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; What is negative on one side only.
; CHECK-LABEL: define ptx_kernel void @left_negative(
; CHECK: icmp slt i32 %x, %y
define ptx_kernel void @left_negative(ptr noundef %out, i32 noundef range(i32 -1000, 1000) %x, i32 noundef range(i32 0, 1000) %y) {
  %a = mul nsw i32 %x, 75
  %b = mul nsw i32 %y, 75
  %c = icmp slt i32 %a, %b
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @right_negative(
; CHECK: icmp slt i32 %x, %y
define ptx_kernel void @right_negative(ptr noundef %out, i32 noundef range(i32 0, 1000) %x, i32 noundef range(i32 -1000, 1000) %y) {
  %a = mul nsw i32 %x, 75
  %b = mul nsw i32 %y, 75
  %c = icmp slt i32 %a, %b
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; By its flag the index is not negative, but it may be above the limit.
; CHECK-LABEL: define ptx_kernel void @narrowed(
; CHECK: br i1 %
define ptx_kernel void @narrowed(ptr noundef %out, i64 noundef range(i64 0, 1099511627776) %x, i32 noundef range(i32 0, 1000) %n) {
  %t = trunc nsw i64 %x to i32
  %c = icmp ult i32 %t, %n
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; x <= n for any two words: n + 1 would not fit.
; CHECK-LABEL: define ptx_kernel void @at_most_any(
; CHECK-NOT: zext
; CHECK: icmp ule i32 %idx.div, %n
define ptx_kernel void @at_most_any(ptr noundef %out, i32 noundef %word, i32 noundef %n) {
  %x = lshr i32 %word, 3
  %x8 = shl nuw i32 %x, 3
  %q = lshr exact i32 %x8, 3
  %c = icmp ule i32 %q, %n
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; The same from the other side.
; CHECK-LABEL: define ptx_kernel void @at_least_any(
; CHECK-NOT: zext
; CHECK: icmp ule i32 %n, %idx.div
define ptx_kernel void @at_least_any(ptr noundef %out, i32 noundef %word, i32 noundef %n) {
  %x = lshr i32 %word, 3
  %x8 = shl nuw i32 %x, 3
  %q = lshr exact i32 %x8, 3
  %c = icmp uge i32 %q, %n
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; Strictly less is no order of the other kind.
; CHECK-LABEL: define ptx_kernel void @at_most_any_negative(
; CHECK: icmp ult i32 %idx.div, %n
define ptx_kernel void @at_most_any_negative(ptr noundef %out, i32 noundef %word, i32 noundef %n) {
  %x = lshr i32 %word, 3
  %x8 = shl nuw i32 %x, 3
  %q = lshr exact i32 %x8, 3
  %c = icmp ult i32 %q, %n
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}
