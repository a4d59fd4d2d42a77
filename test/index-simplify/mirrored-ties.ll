; A quotient whose mirror image is as good is one of the two, whatever constant
; either has: x is odd and w even, so that constants come in steps of two.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 60 --block 128 --args out:i32:9000
; RUN: %{run} --kernel odd %s %t.ll
; RUN: %{run} --kernel odd_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The mirror image of one is the other: their sum is x + w, and no quotient by 4
; is left.
; CHECK-LABEL: define ptx_kernel void @odd(
; CHECK-NOT: {{[al]shr i32 .*, 2$}}
; CHECK: store
define ptx_kernel void @odd(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = or i32 %t, 1
  %b2 = shl i32 %b, 1
  %w = and i32 %b2, 254
  %w3 = mul nuw nsw i32 %w, 3
  %s = add nuw nsw i32 %x, %w3
  %s2 = add nuw nsw i32 %s, 2
  %q = lshr i32 %s2, 2
  %x3 = mul nuw nsw i32 %x, 3
  %u = add nuw nsw i32 %x3, %w
  %u1 = add nuw nsw i32 %u, 1
  %v = lshr i32 %u1, 2
  %index = add nuw nsw i32 %q, %v
  %p = getelementptr inbounds i32, ptr %out, i32 %index
  store i32 7, ptr %p
  ret void
}

; One more, and it is the mirror image of another quotient.
; CHECK-LABEL: define ptx_kernel void @odd_negative(
; CHECK: {{[al]shr i32 .*, 2$}}
define ptx_kernel void @odd_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = or i32 %t, 1
  %b2 = shl i32 %b, 1
  %w = and i32 %b2, 254
  %w3 = mul nuw nsw i32 %w, 3
  %s = add nuw nsw i32 %x, %w3
  %s2 = add nuw nsw i32 %s, 2
  %q = lshr i32 %s2, 2
  %x3 = mul nuw nsw i32 %x, 3
  %u = add nuw nsw i32 %x3, %w
  %u3 = add nuw nsw i32 %u, 3
  %v = lshr i32 %u3, 2
  %index = add nuw nsw i32 %q, %v
  %p = getelementptr inbounds i32, ptr %out, i32 %index
  store i32 7, ptr %p
  ret void
}

; x is odd, and w even but a number of its own, as it may wrap: of
; floor((63*x + 32*floor(x/32) + w + 32)/64) and its mirror image neither has
; the smaller constant, which once had no end.
; CHECK-LABEL: define i1 @wrapped(
; CHECK: ret i1
define i1 @wrapped(i8 %y) {
  %x = or i8 %y, 1
  %n = sub i8 0, %x
  %low = and i8 %n, 31
  %w = shl i8 %x, 1
  %s = or disjoint i8 %w, %low
  %top = lshr i8 %s, 6
  %c = icmp eq i8 %top, 2
  ret i1 %c
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
