; Each access as a map from thread and loop variables to the element.

; RUN: %unravel-opt -passes='print<indexing-maps>' -disable-output %s 2>&1 | FileCheck %s

; RUN: %unravel-opt -passes='print<indexing-maps;readable>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=READABLE

; READABLE: store float %out: (th_x, bl_x) -> ((a floordiv 75) * 100 + a mod 75) where a = th_x + bl_x * 128, domain: th_x in [0, 127], bl_x in [0, 468]

; CHECK: Indexing maps of reshape:
; CHECK-NEXT: load float %in: (th_x, bl_x) -> (th_x + bl_x * 128), domain: th_x in [0, 127], bl_x in [0, 468]
; CHECK-NEXT: store float %out: (th_x, bl_x) -> (th_x + bl_x * 153 + ((th_x + bl_x * 53) floordiv 75) * 25), domain: th_x in [0, 127], bl_x in [0, 468]
; CHECK: Indexing maps of odd:
; CHECK-NEXT: store i32 %out bytes: (th_x) -> (th_x + 1), domain: th_x in [0, 1023]

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @reshape(ptr %in, ptr %out) "nvvm.maxntid"="128" {
  %b = call range(i32 0, 469) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %x = add nuw nsw i32 %b128, %t
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul nuw nsw i32 %q, 75
  %i = add nuw nsw i32 %q75, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds float, ptr %in, i64 %e
  %v = load float, ptr %p
  %q100 = mul nuw nsw i32 %q, 100
  %j = add nuw nsw i32 %q100, %r
  %je = zext nneg i32 %j to i64
  %o = getelementptr inbounds float, ptr %out, i64 %je
  store float %v, ptr %o
  ret void
}

define ptx_kernel void @odd(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %p = getelementptr inbounds i8, ptr %out, i64 %e
  %p1 = getelementptr inbounds i8, ptr %p, i64 1
  store i32 1, ptr %p1
  ret void
}
