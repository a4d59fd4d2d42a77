; A product of words that `wide-products` writes as text is a product like others.

; RUN: access-report %s | FileCheck %s

; CHECK-LABEL: kernel text
; CHECK-NEXT: store, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT: sectors: 4 to 5
; CHECK-NEXT: address: %out + 4 * ctaid.x * %n + 4 * lane
; CHECK: store, global, 4 bytes a lane: stride 12 bytes
; CHECK-NEXT: sectors: 12, ideal: 4, efficiency: 0.33
; CHECK-NEXT: address: %out + 12 * lane

; The negative number of a signed product, and the large one of an unsigned.
; CHECK-LABEL: kernel signs
; CHECK: address: %out + -4 * lane
; CHECK: address: %out + 17179869180 * lane

; Other text is not read.
; CHECK-LABEL: kernel other_negative
; CHECK: inline assembly

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @text(ptr %out, i32 %n) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %b, i32 %n) memory(none)
  %t64 = zext i32 %t to i64
  %i = add i64 %row, %t64
  %p = getelementptr float, ptr %out, i64 %i
  store float 0.0, ptr %p
  %column = call i64 asm "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %t, i32 3) memory(none)
  %q = getelementptr float, ptr %out, i64 %column
  store float 0.0, ptr %q
  ret void
}

define ptx_kernel void @signs(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %back = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %t, i32 -1) memory(none)
  %p = getelementptr float, ptr %out, i64 %back
  store float 0.0, ptr %p
  %far = call i64 asm "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %t, i32 -1) memory(none)
  %q = getelementptr float, ptr %out, i64 %far
  store float 0.0, ptr %q
  ret void
}

define ptx_kernel void @other_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = call i64 asm "mul.wide.s32 $0, $2, $1;", "=l,r,r"(i32 %t, i32 3) memory(none)
  %p = getelementptr float, ptr %out, i64 %other
  store float 0.0, ptr %p
  ret void
}
