; Strides multiplied out or nested (Horner): the same sum, and the same result.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128
; RUN: %{run} --args in:i32:6000,out:i32:6000 --kernel nested %s %t.ll
; RUN: %{run} --args in:i32:6000:min=0:max=3,out:i32:6000 --kernel nested_negative %s %t.ll
; RUN: %{run} --args in:i32:6000,out:i32:6000 --kernel array %s %t.ll
; RUN: %{run} --args in:i32:6000,out:i32:6000 --kernel array_negative %s %t.ll

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

!0 = !{i32 0, i32 4}
!1 = !{}
