; What holds without any guard: the launch bounds and tid < ntid; and what an
; assumption and a loop add.

; RUN: %unravel-opt -passes='print<range-facts>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: Range facts of bounds:
; CHECK: %t = th_x in [0, 127]
; CHECK: %n = block_x in [1, 128]
; CHECK: %b = bl_x in [0, 999]
; CHECK: %x = th_x + 128 * bl_x in [0, 127999]
; CHECK: %rest = block_x - th_x in [1, 128]
define ptx_kernel void @bounds(ptr %out) "nvvm.maxntid"="128" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %few = icmp ult i32 %b, 1000
  call void @llvm.assume(i1 %few)
  %b128 = shl i32 %b, 7
  %x = or disjoint i32 %b128, %t
  %rest = sub i32 %n, %t
  ret void
}

; Nothing bounds the product.
; CHECK-LABEL: Range facts of bounds_negative:
; CHECK: %t = th_x in [0, 1023]
; CHECK: %x = x, unsigned u(x){{$}}
define ptx_kernel void @bounds_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = mul i32 %b, %n
  %x = add i32 %s, %t
  ret void
}

; Both parts of a condition; the counter is a multiple of its step.
; CHECK-LABEL: Range facts of loop:
; CHECK: %body:
; CHECK: %j = j in [0, 588], = 0 (mod 12)
; CHECK: %i = {{.*}} in [0, 662]
define ptx_kernel void @loop(ptr %out, i32 noundef %a) {
entry:
  %low = icmp sge i32 %a, 0
  %high = icmp slt i32 %a, 75
  %in = and i1 %low, %high
  br i1 %in, label %body, label %done
body:
  %j = phi i32 [ 0, %entry ], [ %next, %body ]
  %i = add nuw nsw i32 %j, %a
  %next = add nuw nsw i32 %j, 12
  %more = icmp ult i32 %next, 600
  br i1 %more, label %body, label %done
done:
  ret void
}
