; A second body has to be faster than the first one as it would be alone: with
; its quotients hidden from scalar evolution, where loops are cheaper for it.

; RUN: %unravel-opt -passes=launch-versioning -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -S %s | FileCheck %s --check-prefix=BOTH
; Alone, it is what index-simplify leaves.
; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.plain.ll
; RUN: grep -v -e declare -e attributes -e Attrs -e '^$' %t.ll > %t.txt
; RUN: grep -v -e declare -e attributes -e Attrs -e '^$' %t.plain.ll > %t.plain.txt
; RUN: diff %t.plain.txt %t.txt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Two passes over the rows of a strided softmax: the row begins at a quotient.
; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK-NOT: fast:
; CHECK-NOT: llvm.expect
; CHECK: ret void
; BOTH: {{^}}fast:
; BOTH: {{^}}fallback:
; BOTH: call i32 @llvm.expect
define ptx_kernel void @rows(ptr noundef readonly %x, ptr noundef %y, i32 noundef %inner, i32 noundef %n) {
entry:
  %block = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = udiv i32 %block, %inner
  %k = urem i32 %block, %inner
  %thread = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %step = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %any = icmp slt i32 %thread, %n
  br i1 %any, label %start, label %done
start:
  %first = mul nsw i32 %row, %n
  br label %most
most:
  %j = phi i32 [ %thread, %start ], [ %j.next, %most ]
  %m = phi float [ 0.0, %start ], [ %m.next, %most ]
  %a = add nsw i32 %j, %first
  %b = mul nsw i32 %a, %inner
  %c = add nsw i32 %b, %k
  %d = sext i32 %c to i64
  %at = getelementptr inbounds float, ptr %x, i64 %d
  %v = load float, ptr %at, align 4
  %m.next = tail call float @llvm.maxnum.f32(float %m, float %v)
  %j.next = add i32 %j, %step
  %more = icmp slt i32 %j.next, %n
  br i1 %more, label %most, label %middle
middle:
  %first2 = mul nsw i32 %row, %n
  br label %write
write:
  %i = phi i32 [ %thread, %middle ], [ %i.next, %write ]
  %e = add nsw i32 %i, %first2
  %f = mul nsw i32 %e, %inner
  %g = add nsw i32 %f, %k
  %h = sext i32 %g to i64
  %from = getelementptr inbounds float, ptr %x, i64 %h
  %w = load float, ptr %from, align 4
  %z = fsub float %w, %m.next
  %to = getelementptr inbounds float, ptr %y, i64 %h
  store float %z, ptr %to, align 4
  %i.next = add i32 %i, %step
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %write, label %done
done:
  ret void
}
