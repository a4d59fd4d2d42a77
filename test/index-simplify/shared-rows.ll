; Two accesses in the row (n*C + c)*H, where c and n are digits of i: the row is
; i/S*H, computed once, and each access adds its column as a word. With the row
; in both offsets, each took sums of 64 bits.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 32 --args i32:5,i32:3,i32:4,i32:2,i32:1,in:i32:4000,out:i32:256
; RUN: %{run} --kernel rows %s %t.ll
; RUN: %{run} --kernel rows_negative %s %t.ll
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
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

; CHECK-LABEL: @rows(
; CHECK: [[A:%.*]] = sext i32 %at to i64
; CHECK: [[R:%.*]] = mul nsw i32 %H
; CHECK: [[W:%.*]] = sext i32 [[R]] to i64
; CHECK: [[ROW:%.*]] = getelementptr i32, ptr %in, i64 [[W]]
; CHECK-NOT: div
; CHECK: getelementptr inbounds i32, ptr [[ROW]], i64 [[A]]
; CHECK: [[B:%.*]] = sext i32 %at2 to i64
; CHECK: getelementptr inbounds i32, ptr [[ROW]], i64 [[B]]
define ptx_kernel void @rows(i32 %S, i32 %C, i32 %H, i32 %y, i32 %x, ptr %in, ptr %out) {
  %i = call i32 @id()
  %q = sdiv i32 %i, %S
  %c = srem i32 %q, %C
  %SC = mul nsw i32 %S, %C
  %n = sdiv i32 %i, %SC
  %nC = mul nsw i32 %n, %C
  %nc = add nsw i32 %nC, %c
  %row = mul nsw i32 %nc, %H
  %roww = sext i32 %row to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %roww
  %yC = mul nsw i32 %y, %C
  %at = add nsw i32 %yC, %x
  %atw = sext i32 %at to i64
  %pa = getelementptr inbounds i32, ptr %p, i64 %atw
  %a = load i32, ptr %pa, align 4
  %xS = mul nsw i32 %x, %S
  %at2 = add nsw i32 %xS, %y
  %at2w = sext i32 %at2 to i64
  %pb = getelementptr inbounds i32, ptr %p, i64 %at2w
  %b = load i32, ptr %pb, align 4
  %sum = add i32 %a, %b
  %io = sext i32 %i to i64
  %po = getelementptr i32, ptr %out, i64 %io
  store i32 %sum, ptr %po, align 4
  ret void
}

; What is left of the row cancels in the accesses: with it, each is one word.
; CHECK-LABEL: @rows_negative(
; CHECK-NOT: getelementptr {{.*}}, ptr %p,
; CHECK: [[A:%.*]] = getelementptr i32, ptr %in, i64
; CHECK: getelementptr i8, ptr [[A]], i64 8
; CHECK: ret void
define ptx_kernel void @rows_negative(i32 %S, i32 %C, i32 %H, i32 %y, i32 %x, ptr %in, ptr %out) {
  %i = call i32 @id()
  %q = sdiv i32 %i, %S
  %row = mul nsw i32 %q, %S
  %roww = sext i32 %row to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %roww
  %r = srem i32 %i, %S
  %atw = sext i32 %r to i64
  %pa = getelementptr inbounds i32, ptr %p, i64 %atw
  %a = load i32, ptr %pa, align 4
  %r2 = add nsw i32 %r, 2
  %at2w = sext i32 %r2 to i64
  %pb = getelementptr inbounds i32, ptr %p, i64 %at2w
  %b = load i32, ptr %pb, align 4
  %sum = add i32 %a, %b
  %io = sext i32 %i to i64
  %po = getelementptr i32, ptr %out, i64 %io
  store i32 %sum, ptr %po, align 4
  ret void
}
