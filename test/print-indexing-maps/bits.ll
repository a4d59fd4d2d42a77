; Operations on bits of values that are not constant: exact, where a variable of
; the operation's own would hide the threads.

; RUN: %unravel-opt -passes='print<indexing-maps>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: Indexing maps of swizzle:
; CHECK-NEXT: store float @tile: (th_y, th_x) -> (th_y * 32 + (th_y xor th_x)), domain: th_y in [0, 31], th_x in [0, 31]
; CHECK-NEXT: load i8 @tile: (th_x) -> ((th_x xor (th_x floordiv 8)) * 16), domain: th_x in [0, 31]
; CHECK: Indexing maps of masks:
; CHECK-NEXT: load i8 %p: (th_x) -> (th_x mod 2 - th_x mod 4 + th_x mod 8), domain: th_x in [0, 31]
; CHECK-NEXT: load i8 %p: (th_x, th_y) -> ((th_x + th_y + (th_x xor th_y)) ceildiv 2), domain: th_x in [0, 31], th_y in [0, 31]
; CHECK-NEXT: load i8 %p: (th_x){n} -> (th_x xor n), domain: th_x in [0, 31]{{$}}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [1024 x float] poison

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

define ptx_kernel void @swizzle() {
  %x = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %c = xor i32 %x, %y
  %r = shl nuw nsw i32 %y, 5
  %i = add nuw nsw i32 %r, %c
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(3) @tile, i64 %e
  store float 1.0, ptr addrspace(3) %p
  %o = shl nuw nsw i32 %x, 4
  %s = lshr i32 %o, 3
  %m = and i32 %s, 112
  %b = xor i32 %o, %m
  %be = zext nneg i32 %b to i64
  %q = getelementptr inbounds i8, ptr addrspace(3) @tile, i64 %be
  %v = load volatile i8, ptr addrspace(3) %q
  ret void
}

define ptx_kernel void @masks(ptr %p, i32 %n) {
  %x = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %a = and i32 %x, 5
  %ae = zext nneg i32 %a to i64
  %ap = getelementptr inbounds i8, ptr %p, i64 %ae
  %av = load volatile i8, ptr %ap
  %o = or i32 %y, %x
  %oe = zext nneg i32 %o to i64
  %op = getelementptr inbounds i8, ptr %p, i64 %oe
  %ov = load volatile i8, ptr %op
  %c = xor i32 %n, %x
  %ce = sext i32 %c to i64
  %cp = getelementptr inbounds i8, ptr %p, i64 %ce
  %cv = load volatile i8, ptr %cp
  ret void
}
