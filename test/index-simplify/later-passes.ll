; Code that later passes can use: straight-line strength reduction looks for
; elements and sign extensions, loop strength reduction for affine addresses.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 4 --block 64 --args out:i32:40000
; RUN: %{run} --kernel elements %s %t.ll
; RUN: %{run} --kernel elements_negative %s %t.ll
; RUN: %{run} --kernel triples %s %t.ll
; RUN: %{run} --kernel rows %s %t.ll
; RUN: %{run} --kernel rows_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The factor 4 is in the type of the address.
; CHECK-LABEL: define ptx_kernel void @elements(
; CHECK: [[X:%.*]] = sext i32 %x to i64
; CHECK-NEXT: getelementptr inbounds nuw i32, ptr %out, i64 [[X]]
define ptx_kernel void @elements(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, 64
  %x = add i32 %s, %t
  %in = icmp ult i32 %x, 3000
  call void @llvm.assume(i1 %in)
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %qe = zext nneg i32 %q to i64
  %re = zext nneg i32 %r to i64
  %p = getelementptr inbounds [75 x i32], ptr %out, i64 %qe, i64 %re
  store i32 %x, ptr %p
  ret void
}

; Without a bound x may be negative as a signed number: zext it is.
; CHECK-LABEL: define ptx_kernel void @elements_negative(
; CHECK: [[X:%.*]] = zext i32 %x to i64
; CHECK-NEXT: getelementptr inbounds nuw i32, ptr %out, i64 [[X]]
define ptx_kernel void @elements_negative(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, 64
  %x = add i32 %s, %t
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %qe = zext nneg i32 %q to i64
  %re = zext nneg i32 %r to i64
  %p = getelementptr inbounds [75 x i32], ptr %out, i64 %qe, i64 %re
  store i32 %x, ptr %p
  ret void
}

; Any size of element.
; CHECK-LABEL: define ptx_kernel void @triples(
; CHECK: getelementptr {{.*}}[12 x i8], ptr %out, i64
define ptx_kernel void @triples(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, 64
  %x = add i32 %s, %t
  %in = icmp ult i32 %x, 3000
  call void @llvm.assume(i1 %in)
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %qe = zext nneg i32 %q to i64
  %re = zext nneg i32 %r to i64
  %p = getelementptr inbounds [75 x [3 x i32]], ptr %out, i64 %qe, i64 %re
  store i32 %x, ptr %p
  ret void
}

; Row and column are taken apart in front of the loop; in it, the address is
; affine, and stays as it is. A rewrite would save the remainder's product.
; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK: loop:
; CHECK: %row = add nsw i32 %k, %top
; CHECK-NEXT: %first = mul nsw i32 %row, %w
; CHECK-NEXT: %i = add nsw i32 %first, %c
; CHECK-NEXT: %e = sext i32 %i to i64
; CHECK-NEXT: %p = getelementptr inbounds i32, ptr %out, i64 %e
define ptx_kernel void @rows(ptr %out) {
entry:
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %w = add nuw nsw i32 %n, 1
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, %w
  %qw = mul i32 %q, %w
  %c = sub i32 %t, %qw
  %top = mul nsw i32 %q, 8
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %row = add nsw i32 %k, %top
  %first = mul nsw i32 %row, %w
  %i = add nsw i32 %first, %c
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %k, ptr %p
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Digits of the loop's own index go away.
; CHECK-LABEL: define ptx_kernel void @rows_negative(
; CHECK: loop:
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: getelementptr inbounds nuw {{.*}}ptr
define ptx_kernel void @rows_negative(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k64 = mul nuw nsw i32 %k, 64
  %x = add nuw nsw i32 %k64, %t
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul nuw nsw i32 %q, 75
  %i = add nuw nsw i32 %q75, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %k, ptr %p
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %done
done:
  ret void
}
