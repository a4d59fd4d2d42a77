; LLVM writes additions of disjoint bits as `or`.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128 --args out:i32:6000
; RUN: %{run} --kernel flagged %s %t.ll
; RUN: %{run} --kernel flagged_negative %s %t.ll
; RUN: %{run} --kernel proved %s %t.ll
; RUN: %{run} --kernel proved_negative %s %t.ll

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

; ((x/600)*75 + (x/8)%75)*8 | x%8 = x
; CHECK-LABEL: define ptx_kernel void @flagged(
; CHECK-NOT: {{div|rem|mulhi|lshr| and | or | add | sub }}
; CHECK: store
define ptx_kernel void @flagged(ptr %out) {
  %x = call i32 @id()
  %a = udiv i32 %x, 600
  %q = lshr i32 %x, 3
  %b = urem i32 %q, 75
  %c = and i32 %x, 7
  %a75 = mul nuw nsw i32 %a, 75
  %ab = add nuw nsw i32 %a75, %b
  %ab8 = shl nuw i32 %ab, 3
  %i = or disjoint i32 %ab8, %c
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; Shifted by 2 only, the bits overlap: this is no sum.
; CHECK-LABEL: define ptx_kernel void @flagged_negative(
; CHECK: or i32
; CHECK: store
define ptx_kernel void @flagged_negative(ptr %out) {
  %x = call i32 @id()
  %q = lshr i32 %x, 3
  %c = and i32 %x, 7
  %q4 = shl nuw nsw i32 %q, 2
  %i = or i32 %q4, %c
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 0, ptr %p
  ret void
}

; No flag, but a multiple of 8 and a number below 8.
; CHECK-LABEL: define ptx_kernel void @proved(
; CHECK-NOT: {{div|rem|mulhi|lshr| and | or | add | sub }}
; CHECK: store
define ptx_kernel void @proved(ptr %out) {
  %x = call i32 @id()
  %a = udiv i32 %x, 600
  %b = urem i32 %x, 600
  %c = and i32 %b, 7
  %b8 = sub i32 %b, %c
  %bc = or i32 %c, %b8
  %a600 = mul nuw nsw i32 %a, 600
  %i = add nuw nsw i32 %a600, %bc
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; 75*q is no multiple of a power of two.
; CHECK-LABEL: define ptx_kernel void @proved_negative(
; CHECK: or i32
; CHECK: store
define ptx_kernel void @proved_negative(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul nuw i32 %q, 75
  %i = or i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 0, ptr %p
  ret void
}
