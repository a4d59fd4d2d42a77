; ptxas decides by the form of the addresses whether an array of a thread is in
; registers. So the address stays as it is, though `24 - 4*x` is cheaper, unless
; a division goes.
;
; RUN: %unravel-opt -passes=index-simplify -S %s | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @kept(
; CHECK: [[D:%.*]] = sub nsw i32 6, %y
; CHECK: [[W:%.*]] = sext i32 [[D]] to i64
; CHECK: [[S:%.*]] = shl nsw i64 [[W]], 2
; CHECK: getelementptr i8, ptr %array, i64 [[S]]
; CHECK: sub nsw i32 4, %y
define ptx_kernel void @kept(ptr %out, i32 %x) {
  %array = alloca [28 x i8], align 4
  call void @llvm.memset.p0.i64(ptr %array, i8 1, i64 28, i1 false)
  %y = lshr i32 %x, 5
  %d = sub nsw i32 6, %y
  %w = sext i32 %d to i64
  %s = shl nsw i64 %w, 2
  %p = getelementptr i8, ptr %array, i64 %s
  %v = load i32, ptr %p, align 4
  %d2 = sub nsw i32 4, %y
  %w2 = sext i32 %d2 to i64
  %s2 = shl nsw i64 %w2, 2
  %p2 = getelementptr i8, ptr %array, i64 %s2
  %v2 = load i32, ptr %p2, align 4
  %sum = add i32 %v, %v2
  store i32 %sum, ptr %out, align 4
  ret void
}

; The same in memory of all threads.
; CHECK-LABEL: @kept_negative(
; CHECK-NOT: sub
; CHECK: mul nsw i64 {{.*}}, -4
define ptx_kernel void @kept_negative(ptr %out, ptr %in, i32 %x) {
  %y = lshr i32 %x, 5
  %d = sub nsw i32 6, %y
  %w = sext i32 %d to i64
  %s = shl nsw i64 %w, 2
  %p = getelementptr i8, ptr %in, i64 %s
  %v = load i32, ptr %p, align 4
  %d2 = sub nsw i32 4, %y
  %w2 = sext i32 %d2 to i64
  %s2 = shl nsw i64 %w2, 2
  %p2 = getelementptr i8, ptr %in, i64 %s2
  %v2 = load i32, ptr %p2, align 4
  %sum = add i32 %v, %v2
  store i32 %sum, ptr %out, align 4
  ret void
}

; CHECK-LABEL: @divided(
; CHECK-NOT: udiv
; CHECK-NOT: urem
; CHECK: ret void
define ptx_kernel void @divided(ptr %out, i32 %x) {
  %array = alloca [28 x i8], align 4
  call void @llvm.memset.p0.i64(ptr %array, i8 1, i64 28, i1 false)
  %y = and i32 %x, 3
  %q = udiv i32 %y, 3
  %m = mul nuw nsw i32 %q, 3
  %r = urem i32 %y, 3
  %i = add nuw nsw i32 %m, %r
  %w = zext i32 %i to i64
  %t = getelementptr i8, ptr %array, i64 4
  %p = getelementptr i32, ptr %t, i64 %w
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
