; Every access appears; where the lanes are not known, the reason does.

; RUN: access-report %s | FileCheck %s --implicit-check-not=efficiency

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @unknown(ptr)

; CHECK-LABEL: kernel all,
; CHECK-NEXT:   load, shared, 4 bytes a lane: consecutive
; CHECK-NEXT:     wavefronts
; CHECK-NEXT:     address
; CHECK-NEXT:   load, global, 4 bytes a lane: gather: it depends on a value loaded from memory (%index)
; CHECK-NEXT:     sectors: 1 to 32, ideal: 1 to 4, efficiency: {{.*}}
; CHECK-NEXT:     assumed: %p is aligned to 256 bytes
; CHECK-NEXT:   load, global, 4 bytes a lane: not understood: it depends on llvm.nvvm.shfl.sync.idx.i32
; CHECK-NEXT:   load, global, 4 bytes a lane: not understood: it is aligned to 2 bytes only, so that its 4 bytes are moved in pieces
; CHECK-NEXT:   load, global, 32 bytes a lane: not understood: it moves 32 bytes a lane, which is no single request
; CHECK-NEXT:   other: not understood: the PTX 'prefetch.global.L1' is not a plain load, store or atomic
; CHECK-NEXT:   load, global, 4 bytes a lane: not understood: the PTX 'ld.global.f32' has an address that is not a plain operand
; CHECK-NEXT:   other: not understood: a call of unknown, which may access memory
; CHECK-NEXT:   other: not understood: a copy that is not of 1, 2, 4, 8 or 16 bytes, aligned to as many, which is no single request
; CHECK-NEXT:   load, global, 4 bytes a lane: not understood: it is computed in a loop (%i) that lanes may leave at different times
@s = internal addrspace(3) global [256 x i32] zeroinitializer, align 4
define ptx_kernel void @all(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sa = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %index = load volatile i32, ptr addrspace(3) %sa
  %a = getelementptr float, ptr addrspace(1) %p, i32 %index
  %v = load volatile float, ptr addrspace(1) %a
  %l = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 3, i32 31)
  %b = getelementptr float, ptr addrspace(1) %p, i32 %l
  %w = load volatile float, ptr addrspace(1) %b
  %c = getelementptr float, ptr addrspace(1) %p, i32 %t
  %x = load volatile float, ptr addrspace(1) %c, align 2
  %d = getelementptr <8 x float>, ptr addrspace(1) %p, i32 %t
  %y = load volatile <8 x float>, ptr addrspace(1) %d, align 32
  call void asm sideeffect "prefetch.global.L1 [$0];", "l"(ptr addrspace(1) %c)
  %z = call float asm sideeffect "ld.global.f32 $0, [name];", "=f"()
  %g = addrspacecast ptr addrspace(1) %c to ptr
  call void @unknown(ptr %g)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 64, i1 false)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %loop, label %exit
exit:
  %h = getelementptr float, ptr addrspace(1) %p, i32 %i
  %u = load volatile float, ptr addrspace(1) %h
  ret void
}
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)

; Memory that has no sectors.
; CHECK-LABEL: kernel spaces,
; CHECK-NEXT:   load, parameter, 4 bytes a lane: the arguments of the kernel
; CHECK-NEXT:   store, local, 4 bytes a lane: each lane has its own memory
; CHECK-NEXT:   load, constant, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:     address: @c + 4 * lane
@c = internal addrspace(4) global [256 x i32] zeroinitializer, align 4
define ptx_kernel void @spaces(ptr byval([4 x i32]) %args) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %stack = alloca [4 x i32]
  %v = load volatile i32, ptr %args
  %k = and i32 %t, 3
  %e = zext nneg i32 %k to i64
  %a = getelementptr i32, ptr %stack, i64 %e
  store volatile i32 1, ptr %a
  %b = getelementptr [256 x i32], ptr addrspace(4) @c, i32 0, i32 %t
  %w = load volatile i32, ptr addrspace(4) %b
  ret void
}
