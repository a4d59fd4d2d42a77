; Digits that are put together in one shape and taken out again in another.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --args out:i32:256
; RUN: %{run} --block 60 --kernel transposes %s %t.ll
; RUN: %{run} --block 60 --kernel transposes_negative %s %t.ll
; RUN: %{run} --block 48 --kernel negative_digit %s %t.ll
; RUN: %{run} --block 48 --kernel negative_digit_negative %s %t.ll

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; [10,6] is transposed, read as [5,12], transposed, and all that undone. The
; middle of it is as InstCombine leaves it: 12*(y % 5) + y / 5 is 12*y - 59 *
; (y / 5).
; CHECK-LABEL: define ptx_kernel void @transposes(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: ret void
define ptx_kernel void @transposes(ptr noundef %out) {
  %t = call range(i32 0, 60) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 10
  %t6 = mul nuw nsw i32 %t, 6
  %q59 = mul nsw i32 %q, -59
  %y = add nsw i32 %t6, %q59
  %p = udiv i32 %y, 5
  %y12 = mul nsw i32 %y, 12
  %p59 = mul nsw i32 %p, -59
  %z = add nsw i32 %y12, %p59
  %zq = udiv i32 %z, 12
  %zr = urem i32 %z, 12
  %zr5 = mul nuw nsw i32 %zr, 5
  %back = add nuw nsw i32 %zr5, %zq
  %bq = udiv i32 %back, 6
  %br = urem i32 %back, 6
  %br10 = mul nuw nsw i32 %br, 10
  %i = add nuw nsw i32 %br10, %bq
  %a = getelementptr inbounds nuw i32, ptr %out, i32 %i
  store i32 %t, ptr %a
  ret void
}

; [5,12] is not what [12,5] makes of [5,12].
; CHECK-LABEL: define ptx_kernel void @transposes_negative(
; CHECK: {{div|rem|mulhi}}
; CHECK: ret void
define ptx_kernel void @transposes_negative(ptr noundef %out) {
  %t = call range(i32 0, 60) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = udiv i32 %t, 5
  %t12 = mul nsw i32 %t, 12
  %p59 = mul nsw i32 %p, -59
  %z = add nsw i32 %t12, %p59
  %zq = udiv i32 %z, 5
  %zr = urem i32 %z, 5
  %zr12 = mul nuw nsw i32 %zr, 12
  %i = add nuw nsw i32 %zr12, %zq
  %a = getelementptr inbounds nuw i32, ptr %out, i32 %i
  store i32 %t, ptr %a
  ret void
}

; 4*(t % 12) + t / 12 = 4*t - 47*q, whose low bits are those of -47*q and whose
; high bits are made of those of t and of -47*q.
; CHECK-LABEL: define ptx_kernel void @negative_digit(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: ret void
define ptx_kernel void @negative_digit(ptr noundef %out) {
  %t = call range(i32 0, 48) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 12
  %m = mul nsw i32 %q, -47
  %low = and i32 %m, 3
  %high = lshr i32 %m, 2
  %sum = add nuw nsw i32 %high, %t
  %row = and i32 %sum, 1073741823
  %low12 = mul nuw nsw i32 %low, 12
  %i = add nuw nsw i32 %row, %low12
  %a = getelementptr inbounds nuw i32, ptr %out, i32 %i
  store i32 %t, ptr %a
  ret void
}

; Without the mask, the bits that the sign made stay.
; CHECK-LABEL: define ptx_kernel void @negative_digit_negative(
; CHECK: {{udiv|mulhi}}
; CHECK: ret void
define ptx_kernel void @negative_digit_negative(ptr noundef %out) {
  %t = call range(i32 0, 48) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 12
  %m = mul nsw i32 %q, -47
  %low = and i32 %m, 3
  %high = lshr i32 %m, 2
  %sum = add nuw nsw i32 %high, %t
  %row = and i32 %sum, 2147483647
  %spread = lshr i32 %row, 28
  %low12 = mul nuw nsw i32 %low, 12
  %i = add nuw nsw i32 %spread, %low12
  %a = getelementptr inbounds nuw i32, ptr %out, i32 %i
  store i32 %t, ptr %a
  ret void
}
