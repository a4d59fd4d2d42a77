; Lanes that differ in an unknown way: the least and the most that their requests
; can need, or no numbers where nothing bounds them.

; RUN: access-report %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.abs.i32(i32, i1)

; Each lane takes one of two: the sectors of both, 4 and 4.
; CHECK-LABEL: kernel two_ways,
; CHECK:       load, global, 4 bytes a lane: differs between lanes: it is chosen by a condition that is not known
; CHECK-NEXT:    sectors: 1 to 8, ideal: 1 to 4, efficiency: 0.12 to 1.00
define ptx_kernel void @two_ways(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr float, ptr addrspace(1) %p, i32 %t
  %v = load volatile float, ptr addrspace(1) %a
  %less = fcmp olt float %v, 2.0
  %far = add nuw nsw i32 %t, 1024
  %i = select i1 %less, i32 %t, i32 %far
  %b = getelementptr float, ptr addrspace(1) %p, i32 %i
  %w = load volatile float, ptr addrspace(1) %b
  ret void
}

; 64 words are two in each bank; 2,048 may all be in one.
; CHECK-LABEL: kernel bins,
; CHECK:       load, shared, 4 bytes a lane: differs between lanes: it depends on a value loaded from memory (%v)
; CHECK-NEXT:    wavefronts: 1 to 2, bank conflicts: 0 to 1
; CHECK:       load, shared, 4 bytes a lane: gather: it depends on a value loaded from memory (%v)
; CHECK-NEXT:    wavefronts: 1 to 32, bank conflicts: 0 to 31
@bin = internal addrspace(3) global [2048 x i32] zeroinitializer, align 4
define ptx_kernel void @bins(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %v = load volatile i32, ptr addrspace(1) %a
  %few = and i32 %v, 63
  %b = getelementptr i32, ptr addrspace(3) @bin, i32 %few
  %x = load volatile i32, ptr addrspace(3) %b
  %many = and i32 %v, 2047
  %c = getelementptr i32, ptr addrspace(3) @bin, i32 %many
  %y = load volatile i32, ptr addrspace(3) %c
  ret void
}

; No two lanes can meet in a sector: 64 bytes apart, moved by 0 or 4. At 32 bytes
; apart, 28 of the 60 bytes between the ends can be in one.
; CHECK-LABEL: kernel apart,
; CHECK:       load, global, 4 bytes a lane: differs between lanes
; CHECK-NEXT:    sectors: 32, ideal: 4, efficiency: 0.12
; CHECK:       load, global, 4 bytes a lane: differs between lanes
; CHECK-NEXT:    sectors: 16 to 32, ideal: 2 to 4, efficiency: 0.12 to 0.25
define ptx_kernel void @apart(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %v = load volatile i32, ptr addrspace(1) %a
  %bit = and i32 %v, 1
  %wide = mul nuw nsw i32 %t, 16
  %i = add nuw nsw i32 %wide, %bit
  %b = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load volatile i32, ptr addrspace(1) %b
  %digit = and i32 %v, 7
  %narrow = mul nuw nsw i32 %t, 8
  %j = add nuw nsw i32 %narrow, %digit
  %c = getelementptr i32, ptr addrspace(1) %p, i32 %j
  %y = load volatile i32, ptr addrspace(1) %c
  ret void
}

; Numbers that are no integers, the same in all lanes: only the alignment counts.
; CHECK-LABEL: kernel uniform_float,
; CHECK:       load, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:    sectors: 4 to 5, ideal: 4, efficiency: 0.80 to 1.00
; CHECK:       load, global, 4 bytes a lane: not understood: it depends on %own.scaled, which is no integer
define ptx_kernel void @uniform_float(ptr addrspace(1) %p, float %scale) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = uitofp i32 %b to float
  %scaled = fmul float %row, %scale
  %from = fptosi float %scaled to i32
  %first = getelementptr float, ptr addrspace(1) %p, i32 %from
  %a = getelementptr float, ptr addrspace(1) %first, i32 %t
  %x = load volatile float, ptr addrspace(1) %a
  %own = uitofp i32 %t to float
  %own.scaled = fmul float %own, %scale
  %i = fptosi float %own.scaled to i32
  %c = getelementptr float, ptr addrspace(1) %p, i32 %i
  %y = load volatile float, ptr addrspace(1) %c
  ret void
}

; |t - n|: two ways, mirrored at an unknown place. |t - 40| is known in each warp.
; CHECK-LABEL: kernel mirrored,
; CHECK:       load, global, 4 bytes a lane: differs between lanes: it depends on the sign of %moved
; CHECK-NEXT:    sectors: 1 to 10, ideal: 1 to 4
; CHECK:       load, global, 4 bytes a lane:
; CHECK-NEXT:    sectors: 3 to 5, ideal: 3 to 4
define ptx_kernel void @mirrored(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %moved = sub nsw i32 %t, %n
  %i = call i32 @llvm.abs.i32(i32 %moved, i1 true)
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load volatile float, ptr addrspace(1) %a
  %known = sub nsw i32 %t, 40
  %j = call i32 @llvm.abs.i32(i32 %known, i1 true)
  %b = getelementptr float, ptr addrspace(1) %p, i32 %j
  %y = load volatile float, ptr addrspace(1) %b
  ret void
}
