; An offset that needs 64 bits as a whole is a sum of parts that do not: each is a
; 32-bit number that its multiplication widens, and the address goes up by each.
; ptxas adds where it multiplies: a sum that addresses share costs them more.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 35 --args out:i32:300,in:i32:300
; RUN: %{run} --kernel rows %s %t.ll
; RUN: %{run} --kernel rows_negative %s %t.ll
; DEFINE: %{sized} = %kernel-run --grid 8 --block 35 --args out:i32:400,in:i32:400,i32:35
; RUN: %{sized} --kernel next %s %t.ll
; RUN: %{sized} --kernel next_negative %s %t.ll
; RUN: %{sized} --kernel turns %s %t.ll
; RUN: %{sized} --kernel turns_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Nothing bounds the grid: 35 * b needs 37 bits.
; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK-DAG: [[B:%.*]] = sext i32 %b to i64
; CHECK-DAG: [[T:%.*]] = sext i32 %t to i64
; CHECK-NOT: {{udiv|urem|mulhi| mul | shl | add }}
; CHECK: [[IN:%.*]] = getelementptr [140 x i8], ptr %in, i64 [[B]]
; CHECK: getelementptr i32, ptr [[IN]], i64 [[T]]
; CHECK: [[OUT:%.*]] = getelementptr [140 x i8], ptr %out, i64 [[B]]
; CHECK: getelementptr i32, ptr [[OUT]], i64 [[T]]
define ptx_kernel void @rows(ptr %out, ptr %in) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 35) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b64 = zext i32 %b to i64
  %t64 = zext i32 %t to i64
  %row = mul i64 %b64, 35
  %q = udiv i32 %t, 7
  %r = urem i32 %t, 7
  %q64 = zext i32 %q to i64
  %r64 = zext i32 %r to i64
  %q7 = mul i64 %q64, 7
  %column = add i64 %q7, %r64
  %i = add i64 %row, %column
  %j = add i64 %row, %t64
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p
  %o = getelementptr i32, ptr %out, i64 %j
  store i32 %v, ptr %o
  ret void
}

; With a bounded grid the whole fits 32 bits.
; CHECK-LABEL: define ptx_kernel void @rows_negative(
; CHECK-NOT: mul {{.*}}i64
; CHECK: mul nuw nsw i32 %b, 35
; CHECK-NOT: mul {{.*}}i64
; CHECK: ret void
define ptx_kernel void @rows_negative(ptr %out, ptr %in) {
  %b = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 35) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b64 = zext i32 %b to i64
  %t64 = zext i32 %t to i64
  %row = mul i64 %b64, 35
  %q = udiv i32 %t, 7
  %r = urem i32 %t, 7
  %q64 = zext i32 %q to i64
  %r64 = zext i32 %r to i64
  %q7 = mul i64 %q64, 7
  %column = add i64 %q7, %r64
  %i = add i64 %row, %column
  %j = add i64 %row, %t64
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p
  %o = getelementptr i32, ptr %out, i64 %j
  store i32 %v, ptr %o
  ret void
}

; A part that goes back: what is between the steps may be outside of the object.
; CHECK-LABEL: define ptx_kernel void @back_negative(
; CHECK-NOT: inbounds
; CHECK: [[P:%.*]] = getelementptr {{[^,]+}}, ptr %in, i64
; CHECK-NOT: inbounds
; CHECK: getelementptr {{[^,]+}}, ptr [[P]], i64
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: store
define ptx_kernel void @back_negative(ptr %out, ptr %in) {
  %b = call range(i32 1, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 35) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = call range(i32 0, 65536) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %b64 = zext i32 %b to i64
  %c64 = zext i32 %c to i64
  %b35 = mul nuw nsw i64 %b64, 35
  %c3 = mul nuw nsw i64 %c64, 3
  %row = add nuw nsw i64 %b35, %c3
  %q = udiv i32 %t, 7
  %r = urem i32 %t, 7
  %q64 = zext i32 %q to i64
  %r64 = zext i32 %r to i64
  %q7 = mul i64 %q64, 7
  %column = add i64 %q7, %r64
  %p1 = getelementptr inbounds i32, ptr %in, i64 %row
  %back = sub nsw i64 0, %column
  %p = getelementptr inbounds i32, ptr %p1, i64 %back
  %v = load i32, ptr %p
  store i32 %v, ptr %out
  ret void
}

; Nothing wraps with the 1, so that b*n + t + 1 is a number of 32 bits. Nothing says
; that b*n + t is one: the 1 stays in the sum, though an access adds it for free.
; CHECK-LABEL: define ptx_kernel void @next(
; CHECK-NOT: mul {{.*}}i64
; CHECK: [[ONE:%.*]] = add nuw nsw i32 %t, 1
; CHECK: [[SUM:%.*]] = add nsw i32 %{{.*}}, [[ONE]]
; CHECK: [[WIDE:%.*]] = sext i32 [[SUM]] to i64
; CHECK: getelementptr {{.*}}i32, ptr %in, i64 [[WIDE]]
; CHECK-NEXT: load
define ptx_kernel void @next(ptr %out, ptr %in, i32 %n) {
  %b = call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 35) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %b, %n
  %row1 = add nsw i32 %row, 1
  %q = udiv i32 %t, 7
  %r = urem i32 %t, 7
  %q7 = mul i32 %q, 7
  %row2 = add nsw i32 %row1, %q7
  %i = add nsw i32 %row2, %r
  %i64 = sext i32 %i to i64
  %p = getelementptr i32, ptr %in, i64 %i64
  %v = load i32, ptr %p
  store i32 %v, ptr %out
  ret void
}

; The sum without the 1 is one, too: the access adds it.
; CHECK-LABEL: define ptx_kernel void @next_negative(
; CHECK-NOT: add {{.*}}i32 {{.*}}, 1
; CHECK: [[ROW:%.*]] = getelementptr i32, ptr %in, i64
; CHECK-NEXT: getelementptr i8, ptr [[ROW]], i64 4
; CHECK: ret void
define ptx_kernel void @next_negative(ptr %out, ptr %in, i32 %n) {
  %b = call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 35) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %b, %n
  %q = udiv i32 %t, 7
  %r = urem i32 %t, 7
  %q7 = mul i32 %q, 7
  %row2 = add nsw i32 %row, %q7
  %here = add nsw i32 %row2, %r
  %i = add nsw i32 %here, 1
  %i64 = sext i32 %i to i64
  %p = getelementptr i32, ptr %in, i64 %i64
  %v = load i32, ptr %p
  store i32 %v, ptr %out
  ret void
}

; Words that the loop does not change are added in front of it, though %i, which
; grows fastest, is the largest.
; CHECK-LABEL: define ptx_kernel void @turns(
; CHECK: [[ROW:%.*]] = getelementptr {{.*}}ptr %in,
; CHECK: [[COLUMN:%.*]] = getelementptr {{.*}}ptr [[ROW]],
; CHECK: {{^}}loop:
; CHECK-NOT: add {{.*}}i64
; CHECK: [[P:%.*]] = getelementptr i32, ptr [[COLUMN]],
; CHECK-NEXT: load i32, ptr [[P]]
define ptx_kernel void @turns(ptr %out, ptr %in, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 35) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %q = udiv i32 %t, 7
  %r = urem i32 %t, 7
  %q7 = mul i32 %q, 7
  %column = add i32 %q7, %r
  %row = mul i32 %b, %n
  %row64 = zext i32 %row to i64
  %column64 = zext i32 %column to i64
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %i = mul i32 %k, %n
  %i64 = zext i32 %i to i64
  %all = add i64 %i64, %row64
  %index = add i64 %all, %column64
  %p = getelementptr i32, ptr %in, i64 %index
  %v = load i32, ptr %p
  %sum.next = add i32 %sum, %v
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k.next, 3
  br i1 %more, label %loop, label %done

done:
  %o = getelementptr i32, ptr %out, i64 %t64
  store i32 %sum.next, ptr %o
  ret void
}

; Words that the loop changes stay in it: the largest first.
; CHECK-LABEL: define ptx_kernel void @turns_negative(
; CHECK: {{^}}loop:
; CHECK: [[ROW:%.*]] = getelementptr {{.*}}ptr %in,
; CHECK: getelementptr {{.*}}ptr [[ROW]],
define ptx_kernel void @turns_negative(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call range(i32 0, 35) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %u = add i32 %t, %k
  %q = udiv i32 %u, 7
  %r = urem i32 %u, 7
  %q7 = mul i32 %q, 7
  %column = add i32 %q7, %r
  %column64 = zext i32 %column to i64
  %i = mul i32 %k, %n
  %i64 = zext i32 %i to i64
  %index = add i64 %i64, %column64
  %p = getelementptr i32, ptr %in, i64 %index
  %v = load i32, ptr %p
  %sum.next = add i32 %sum, %v
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k.next, 3
  br i1 %more, label %loop, label %done

done:
  %o = getelementptr i32, ptr %out, i64 %t64
  store i32 %sum.next, ptr %o
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
