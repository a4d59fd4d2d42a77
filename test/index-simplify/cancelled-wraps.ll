; clang leaves of (a*2*s + j + s)*n + k, where a, j, k are the digits of i, a
; product that may wrap, and a sum of it that may not. As words i/n cancels in
; the sum, so the sum is read as a word: i + (a + 1)*s*n.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 32 --args i32:3,i32:5,in:i32:2000,out:i32:256
; RUN: %{run} --kernel gate %s %t.ll
; RUN: %{run} --kernel gate_negative %s %t.ll
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

; CHECK-LABEL: @gate(
; CHECK: [[Q:%.*]] = sdiv i32 %i, %n
; CHECK: [[A:%.*]] = sdiv i32 [[Q]], %s
; CHECK-COUNT-2: mul i32
; CHECK-NOT: {{mul|sub}}
; CHECK: sext i32
define ptx_kernel void @gate(i32 %s, i32 %n, ptr %x, ptr %out) {
  %i = call i32 @id()
  %in = sdiv i32 %i, %n
  %a = sdiv i32 %in, %s
  %j = srem i32 %in, %s
  %nq = mul i32 %in, %n
  %k = sub i32 %i, %nq
  %a2 = shl nsw i32 %a, 1
  %a2s = mul nsw i32 %a2, %s
  %aj = add i32 %a2s, %j
  %ajs = add i32 %aj, %s
  %row = mul i32 %ajs, %n
  %at = add nsw i32 %row, %k
  %w = sext i32 %at to i64
  %p = getelementptr i32, ptr %x, i64 %w
  %v = load i32, ptr %p, align 4
  %io = sext i32 %i to i64
  %po = getelementptr i32, ptr %out, i64 %io
  store i32 %v, ptr %po, align 4
  ret void
}

; Nothing cancels: what two accesses have in common is computed once.
; CHECK-LABEL: @gate_negative(
; CHECK: mul i32
; CHECK-NOT: mul i32
; CHECK: ret void
define ptx_kernel void @gate_negative(i32 %s, i32 %n, ptr %x, ptr %out) {
  %i = call i32 @id()
  %in = sdiv i32 %i, %n
  %row = mul i32 %in, %s
  %at = add nsw i32 %row, 1
  %w = sext i32 %at to i64
  %p = getelementptr i32, ptr %x, i64 %w
  %v = load i32, ptr %p, align 4
  %at2 = add nsw i32 %row, 2
  %w2 = sext i32 %at2 to i64
  %p2 = getelementptr i32, ptr %x, i64 %w2
  %v2 = load i32, ptr %p2, align 4
  %sum = add i32 %v, %v2
  %io = sext i32 %i to i64
  %po = getelementptr i32, ptr %out, i64 %io
  store i32 %sum, ptr %po, align 4
  ret void
}
