; Values of 8 and 16 bits, which InstCombine makes of small indices, get new
; code as words of 32 bits do.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --args out:i32:1024
; RUN: %{run} --block 49 --kernel byte %s %t.ll
; RUN: %{run} --block 49 --kernel byte_negative %s %t.ll
; RUN: %{run} --block 1024 --kernel half_word %s %t.ll

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; The row of t / 7 * 7 + t % 7.
; CHECK-LABEL: define ptx_kernel void @byte(
; CHECK: [[Q:%.*]] = call i32 @llvm.nvvm.mulhi.ui(i32 %t, i32 613566757)
; CHECK-NEXT: [[B:%.*]] = trunc i32 [[Q]] to i8
; CHECK-NEXT: uitofp nneg i8 [[B]] to float
; CHECK: ret void
define ptx_kernel void @byte(ptr noundef %out) {
  %t = call range(i32 0, 49) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 7
  %r = urem i32 %t, 7
  %m = mul nuw nsw i32 %q, 7
  %s = add nuw nsw i32 %m, %r
  %n = trunc nuw nsw i32 %s to i8
  %d = udiv i8 %n, 7
  %f = uitofp nneg i8 %d to float
  %p = getelementptr inbounds nuw float, ptr %out, i32 %t
  store float %f, ptr %p, align 4
  ret void
}

; Rows of 11 elements: the byte is divided again.
; CHECK-LABEL: define ptx_kernel void @byte_negative(
; CHECK: call i32 @llvm.nvvm.mulhi.ui(i32 %t, i32 613566757)
; CHECK: call i32 @llvm.nvvm.mulhi.ui(i32 {{.*}}, i32 613566757)
; CHECK: ret void
define ptx_kernel void @byte_negative(ptr noundef %out) {
  %t = call range(i32 0, 49) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 7
  %r = urem i32 %t, 7
  %m = mul nuw nsw i32 %q, 11
  %s = add nuw nsw i32 %m, %r
  %n = trunc nuw nsw i32 %s to i8
  %d = udiv i8 %n, 7
  %f = uitofp nneg i8 %d to float
  %p = getelementptr inbounds nuw float, ptr %out, i32 %t
  store float %f, ptr %p, align 4
  ret void
}

; CHECK-LABEL: define ptx_kernel void @half_word(
; CHECK: [[Q:%.*]] = lshr i32 %t, 2
; CHECK-NEXT: [[V:%.*]] = shl nuw nsw i32 [[Q]], 2
; CHECK-NEXT: trunc i32 [[V]] to i16
; CHECK: ret void
define ptx_kernel void @half_word(ptr noundef %out) {
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = trunc nuw nsw i32 %t to i16
  %m = mul nuw nsw i16 %n, 3
  %q = udiv i16 %m, 12
  %v = shl nuw nsw i16 %q, 2
  %p = getelementptr inbounds nuw i16, ptr %out, i32 %t
  store i16 %v, ptr %p, align 2
  ret void
}
