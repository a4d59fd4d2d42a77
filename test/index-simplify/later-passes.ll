; Code that later passes can use: straight-line strength reduction looks for
; elements and sign extensions, loop strength reduction for affine addresses.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 4 --block 64 --args out:i32:40000
; RUN: %{run} --kernel elements %s %t.ll
; RUN: %{run} --kernel elements_negative %s %t.ll
; RUN: %{run} --kernel triples %s %t.ll
; RUN: %{run} --kernel columns_negative %s %t.ll
; RUN: %{run} --kernel own_digits %s %t.ll
; RUN: %kernel-run --grid 1 --block 64 --args out:i32:40000,i32:64 --kernel columns %s %t.ll

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

; Rows of one column: strength reduction makes one step of both addresses as
; they are. Without the product of the second, it does not.
; CHECK-LABEL: define ptx_kernel void @columns(
; CHECK: loop:
; CHECK: %i0 = mul nsw i32 %k, %w
; CHECK-NEXT: %j0 = add nsw i32 %i0, %c
; CHECK-NEXT: %e0 = sext i32 %j0 to i64
; CHECK-NEXT: %p0 = getelementptr inbounds i32, ptr %out, i64 %e0
; CHECK: %i1 = mul nsw i32 %k1, %w
; CHECK-NEXT: %j1 = add nsw i32 %i1, %c
; CHECK-NEXT: %e1 = sext i32 %j1 to i64
; CHECK-NEXT: %p1 = getelementptr inbounds i32, ptr %out, i64 %e1
define ptx_kernel void @columns(ptr %out, i32 noundef %w) {
entry:
  %c = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i0 = mul nsw i32 %k, %w
  %j0 = add nsw i32 %i0, %c
  %e0 = sext i32 %j0 to i64
  %p0 = getelementptr inbounds i32, ptr %out, i64 %e0
  store i32 %k, ptr %p0
  %k1 = or disjoint i32 %k, 1
  %i1 = mul nsw i32 %k1, %w
  %j1 = add nsw i32 %i1, %c
  %e1 = sext i32 %j1 to i64
  %p1 = getelementptr inbounds i32, ptr %out, i64 %e1
  store i32 %k, ptr %p1
  %next = add nuw nsw i32 %k, 2
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Row and column are taken apart in front of the loop, which has only sums: but
; with the quotient gone, the whole is cheaper, and strength reduction likes it.
; CHECK-LABEL: define ptx_kernel void @columns_negative(
; CHECK-NOT: udiv
; CHECK: loop:
; CHECK: ret void
define ptx_kernel void @columns_negative(ptr %out) {
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

; Digits of the loop's own index go away, which LLVM does not see for itself.
; CHECK-LABEL: define ptx_kernel void @own_digits(
; CHECK: loop:
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: getelementptr inbounds nuw {{.*}}ptr
define ptx_kernel void @own_digits(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k64 = mul nuw nsw i32 %k, 64
  %x = add nuw nsw i32 %k64, %t
  %q = udiv i32 %x, 75
  %x4 = mul nuw nsw i32 %x, 4
  %r = urem i32 %x4, 300
  %q300 = mul nuw nsw i32 %q, 300
  %i = add nuw nsw i32 %q300, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i8, ptr %out, i64 %e
  store i32 %k, ptr %p
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %done
done:
  ret void
}
