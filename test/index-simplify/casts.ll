; Digits survive widening, and narrowing where the value fits.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128 --args out:i32:6000
; RUN: %{run} --kernel zext_nneg %s %t.ll
; RUN: %{run} --kernel zext_nneg_negative %s %t.ll
; RUN: %{run} --kernel sext %s %t.ll
; RUN: %{run} --kernel sext_negative %s %t.ll
; RUN: %{run} --kernel narrowed %s %t.ll
; RUN: %{run} --kernel narrowed_negative %s %t.ll
; RUN: %{run} --kernel trunc %s %t.ll
; RUN: %{run} --kernel trunc_negative %s %t.ll

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

; The digits are widened one by one.
; CHECK-LABEL: define ptx_kernel void @zext_nneg(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @zext_nneg(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q64 = zext nneg i32 %q to i64
  %r64 = zext nneg i32 %r to i64
  %q75 = mul nuw nsw i64 %q64, 75
  %i = add nuw nsw i64 %q75, %r64
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %x, ptr %p
  ret void
}

; The quotient is of the zero-extended x, the remainder of the sign-extended.
; CHECK-LABEL: define ptx_kernel void @zext_nneg_negative(
; CHECK-DAG: {{udiv i.*, 75}}
; CHECK-DAG: {{s(div|rem) i.*, 75}}
; CHECK: store
define ptx_kernel void @zext_nneg_negative(ptr %out) {
  %x = call i32 @id()
  %xz = zext i32 %x to i64
  %xs = sext i32 %x to i64
  %q = udiv i64 %xz, 75
  %r = srem i64 %xs, 75
  %q75 = mul nuw nsw i64 %q, 75
  %i = add nsw i64 %q75, %r
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %x, ptr %p
  ret void
}

; sext of what is never negative; a 32-bit signed division of a thread index.
; CHECK-LABEL: define ptx_kernel void @sext(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @sext(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, 12
  %r = srem i32 %t, 12
  %q64 = sext i32 %q to i64
  %r64 = sext i32 %r to i64
  %row = getelementptr inbounds [12 x i32], ptr %out, i64 %q64
  %p = getelementptr inbounds i32, ptr %row, i64 %r64
  store i32 %t, ptr %p
  ret void
}

; x + 12 may wrap: what is sign-extended is another number then.
; CHECK-LABEL: define ptx_kernel void @sext_negative(
; CHECK: add i32 %x, 12
; CHECK: sext
; CHECK-NOT: i64 48
; CHECK: store
define ptx_kernel void @sext_negative(ptr %out) {
  %x = call i32 @id()
  %y = add i32 %x, 12
  %y64 = sext i32 %y to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %y64
  store i32 %x, ptr %p
  ret void
}

; CorrelatedValuePropagation narrows what fits into 16 or 8 bits.
; CHECK-LABEL: define ptx_kernel void @narrowed(
; CHECK-NOT: {{div|rem|mulhi|trunc| add | sub }}
; CHECK: store
define ptx_kernel void @narrowed(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t16 = trunc nuw nsw i32 %t to i16
  %q16 = udiv i16 %t16, 75
  %r16 = urem i16 %t16, 75
  %r8 = trunc nuw nsw i16 %r16 to i8
  %b8 = udiv i8 %r8, 5
  %c8 = urem i8 %r8, 5
  %q = zext nneg i16 %q16 to i32
  %b = zext nneg i8 %b8 to i32
  %c = zext nneg i8 %c8 to i32
  %q75 = mul nuw nsw i32 %q, 75
  %b5 = mul nuw nsw i32 %b, 5
  %qb = add nuw nsw i32 %q75, %b5
  %i = add nuw nsw i32 %qb, %c
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %t, ptr %p
  ret void
}

; 8 bits do not hold the thread index.
; CHECK-LABEL: define ptx_kernel void @narrowed_negative(
; CHECK-DAG: {{trunc i32 %t to i8|and i32 %t, 255}}
; CHECK-DAG: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @narrowed_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t8 = trunc i32 %t to i8
  %q = udiv i32 %t, 75
  %r8 = urem i8 %t8, 75
  %r = zext nneg i8 %r8 to i32
  %q75 = mul nuw nsw i32 %q, 75
  %i = add nuw nsw i32 %q75, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %t, ptr %p
  ret void
}

; size_t arithmetic whose result is needed in 32 bits.
; CHECK-LABEL: define ptx_kernel void @trunc(
; CHECK-NOT: {{div|rem|mulhi|trunc| add | sub }}
; CHECK: store i32 %x
define ptx_kernel void @trunc(ptr %out) {
  %x = call i32 @id()
  %x64 = zext i32 %x to i64
  %q = udiv i64 %x64, 75
  %r = urem i64 %x64, 75
  %q75 = mul nuw nsw i64 %q, 75
  %i = add nuw nsw i64 %q75, %r
  %i32 = trunc i64 %i to i32
  %p = getelementptr inbounds i32, ptr %out, i64 %x64
  store i32 %i32, ptr %p
  ret void
}

; The lower half of a product has lost what the division needs.
; CHECK-LABEL: define ptx_kernel void @trunc_negative(
; CHECK: udiv i32 {{.*}}, 75
; CHECK: store
define ptx_kernel void @trunc_negative(ptr %out) {
  %x = call i32 @id()
  %x64 = zext i32 %x to i64
  %m = mul nuw nsw i64 %x64, 75
  %m32 = trunc i64 %m to i32
  %i = udiv i32 %m32, 75
  %p = getelementptr inbounds i32, ptr %out, i64 %x64
  store i32 %i, ptr %p
  ret void
}
