; Strides multiplied out or nested (Horner): the same sum, and the same result.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128
; RUN: %{run} --args in:i32:6000,out:i32:6000 --kernel nested %s %t.ll
; RUN: %{run} --args in:i32:6000:min=0:max=3,out:i32:6000 --kernel nested_negative %s %t.ll
; RUN: %{run} --args in:i32:6000,out:i32:6000 --kernel array %s %t.ll
; RUN: %{run} --args in:i32:6000,out:i32:6000 --kernel array_negative %s %t.ll
; DEFINE: %{padded} = %kernel-run --grid 3 --block 64 --args in:i32:64:min=0:max=9,out:i32:20000
; RUN: %{padded},i32:20 --kernel padded %s %t.ll
; RUN: %{padded},i32:20,i32:16 --kernel padded_negative %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:1,i32:20,i32:10648 --kernel cube %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:1,i32:20,i32:10649 --kernel cube %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The global thread id: any 32-bit number, for all that the pass knows.
define internal noundef i32 @id() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  ret i32 %i
}

; Read with nested strides, written with multiplied ones: one address each.
; CHECK-LABEL: define ptx_kernel void @nested(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: load
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @nested(ptr %in, ptr %out) {
  %x = call i32 @id()
  %z = udiv i32 %x, 3000
  %q = udiv i32 %x, 75
  %y = urem i32 %q, 40
  %w = urem i32 %x, 75
  %z40 = mul i32 %z, 40
  %zy = add i32 %z40, %y
  %zy75 = mul i32 %zy, 75
  %i = add i32 %zy75, %w
  %z3000 = mul i32 %z, 3000
  %y75 = mul i32 %y, 75
  %high = add i32 %z3000, %y75
  %j = add i32 %high, %w
  %ie = zext i32 %i to i64
  %je = zext i32 %j to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %ie
  %o = getelementptr inbounds i32, ptr %out, i64 %je
  %v = load i32, ptr %p
  store i32 %v, ptr %o
  ret void
}

; Three unrelated indices: nothing cancels, and two multiply-adds are optimal.
; CHECK-LABEL: define ptx_kernel void @nested_negative(
; CHECK: mul nuw nsw i32 %z, 40
; CHECK: mul nuw nsw i32 %zy, 75
; CHECK: store
define ptx_kernel void @nested_negative(ptr %in, ptr %out) {
  %z = load i32, ptr %in, !range !0, !noundef !1
  %y.at = getelementptr inbounds i8, ptr %in, i64 4
  %y = load i32, ptr %y.at, !range !0, !noundef !1
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %z40 = mul nuw nsw i32 %z, 40
  %zy = add nuw nsw i32 %z40, %y
  %zy75 = mul nuw nsw i32 %zy, 75
  %i = add nuw nsw i32 %zy75, %t
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i8, ptr %out, i64 %e
  store i8 1, ptr %p
  ret void
}

; The strides of an array type.
; CHECK-LABEL: define ptx_kernel void @array(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: load
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @array(ptr %in, ptr %out) {
  %x = call i32 @id()
  %x64 = zext i32 %x to i64
  %z = udiv i64 %x64, 3000
  %q = udiv i64 %x64, 75
  %y = urem i64 %q, 40
  %w = urem i64 %x64, 75
  %p = getelementptr inbounds [40 x [75 x i32]], ptr %in, i64 %z, i64 %y, i64 %w
  %o = getelementptr inbounds i32, ptr %out, i64 %x64
  %v = load i32, ptr %p
  store i32 %v, ptr %o
  ret void
}

; A row of 76: the strides do not match the digits of the row, so the row's
; quotient is needed.
; CHECK-LABEL: define ptx_kernel void @array_negative(
; CHECK: {{udiv|urem|mulhi}}
; CHECK: store
define ptx_kernel void @array_negative(ptr %in, ptr %out) {
  %x = call i32 @id()
  %x64 = zext i32 %x to i64
  %q = udiv i64 %x64, 75
  %w = urem i64 %x64, 75
  %p = getelementptr inbounds [76 x i32], ptr %in, i64 %q, i64 %w
  %o = getelementptr inbounds i32, ptr %out, i64 %x64
  %v = load i32, ptr %p
  store i32 %v, ptr %o
  ret void
}

; The size of a row with its padding is a sum. As a polynomial over n alone the
; index has seven terms, and Horner's rule takes n out of them, one by one.
; CHECK-LABEL: define ptx_kernel void @padded(
; CHECK: %[[S:.*]] = add {{.*}}i32 %n, 2
; CHECK: = mul {{.*}}%[[S]]
; CHECK-COUNT-1: = mul
; CHECK-NOT: = mul
; CHECK: store
define ptx_kernel void @padded(ptr %in, ptr %out, i32 noundef range(i32 1, 21) %n) {
  %x = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call range(i32 0, 3) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %z.at = getelementptr inbounds i32, ptr %in, i32 %x
  %z = load i32, ptr %z.at, !range !2, !noundef !1
  %s = add nuw nsw i32 %n, 2
  %plane = mul nuw nsw i32 %s, %s
  %zs = mul nuw nsw i32 %z, %plane
  %ys = mul nuw nsw i32 %y, %s
  %yx = add nuw nsw i32 %ys, %x
  %i = add nuw nsw i32 %zs, %yx
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %n, ptr %p
  ret void
}

; Rows and planes of two sizes: neither takes the other out.
; CHECK-LABEL: define ptx_kernel void @padded_negative(
; CHECK: %plane = mul {{.*}}i32 %t, %t
; CHECK: %zs = mul {{.*}}i32 %z, %plane
; CHECK: %ys = mul {{.*}}i32 %y, %s
; CHECK: store
define ptx_kernel void @padded_negative(ptr %in, ptr %out, i32 noundef range(i32 1, 21) %n, i32 noundef range(i32 1, 17) %m) {
  %x = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call range(i32 0, 3) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %z.at = getelementptr inbounds i32, ptr %in, i32 %x
  %z = load i32, ptr %z.at, !range !2, !noundef !1
  %s = add nuw nsw i32 %n, 2
  %t = add nuw nsw i32 %m, 3
  %plane = mul nuw nsw i32 %t, %t
  %zs = mul nuw nsw i32 %z, %plane
  %ys = mul nuw nsw i32 %y, %s
  %yx = add nuw nsw i32 %ys, %x
  %i = add nuw nsw i32 %zs, %yx
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %n, ptr %p
  ret void
}

; A power of a sum.
; CHECK-LABEL: define ptx_kernel void @cube(
; CHECK: %[[S:.*]] = add {{.*}}i32 %n, 2
; CHECK: %[[SS:.*]] = mul {{.*}}i32 %[[S]], %[[S]]
; CHECK: mul {{.*}}i32 %[[S]], %[[SS]]
; CHECK: icmp
define ptx_kernel void @cube(ptr %out, i32 noundef range(i32 1, 21) %n, i32 noundef %m) {
  %s = add nuw nsw i32 %n, 2
  %plane = mul nuw nsw i32 %s, %s
  %all = mul nuw nsw i32 %plane, %s
  %all8 = shl nuw nsw i32 %all, 3
  %i8 = add nuw nsw i32 %all8, 5
  %i = lshr i32 %i8, 3
  %c = icmp slt i32 %i, %m
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

!0 = !{i32 0, i32 4}
!1 = !{}
!2 = !{i32 0, i32 10}
