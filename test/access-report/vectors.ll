; What one instruction could move for a lane, with the accesses beside it, and what
; stands in the way.

; RUN: access-report %s --block 128 | FileCheck %s --implicit-check-not=vector:
; RUN: access-report %s --block 128 --json | FileCheck %s --check-prefix=JSON

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@aligned = internal addrspace(3) global [64 x float] poison, align 16
@other = internal addrspace(3) global [64 x float] poison, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @callee()

; Three of four beside each other: a pair, and one alone. Order does not matter.
; CHECK-LABEL: kernel fields,
; CHECK:       load, global, 4 bytes a lane: stride 16 bytes
; CHECK:         address: %in + 16 * lane + 8
; CHECK-NOT:     {{vector:|load}}
; CHECK:       load, global, 4 bytes a lane: stride 16 bytes
; CHECK:         address: %in + 16 * lane + 4
; CHECK:         vector: 8 bytes with the accesses beside it
; CHECK:       load, global, 4 bytes a lane: stride 16 bytes
; CHECK:         address: %in + 16 * lane
; CHECK:         vector: 8 bytes with the accesses beside it
; JSON: "name": "fields"
; JSON: "vector_bytes": 4,
; JSON-NEXT: "hint"
; JSON: "vector_bytes": 8,
; JSON-NEXT: "vector": "8 bytes with the accesses beside it"
define ptx_kernel void @fields(ptr addrspace(1) %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %a = getelementptr inbounds <4 x float>, ptr addrspace(1) %in, i64 %e
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr inbounds i8, ptr addrspace(1) %a, i64 8
  %z = load float, ptr addrspace(1) %c
  %y = load float, ptr addrspace(1) %b
  %x = load float, ptr addrspace(1) %a
  call void asm sideeffect "", "f"(float %z)
  call void asm sideeffect "", "f"(float %y)
  call void asm sideeffect "", "f"(float %x)
  ret void
}

; All fields together are consecutive, so there is nothing to hint at.
; CHECK-LABEL: kernel whole,
; CHECK:         vector: 8 bytes with the accesses beside it
; CHECK-NOT:     hint
; CHECK:         vector: 8 bytes with the accesses beside it
; CHECK-NOT:     hint
define ptx_kernel void @whole(ptr addrspace(1) %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %a = getelementptr inbounds <2 x float>, ptr addrspace(1) %in, i64 %e
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  %x = load float, ptr addrspace(1) %a
  %y = load float, ptr addrspace(1) %b
  call void asm sideeffect "", "f"(float %x)
  call void asm sideeffect "", "f"(float %y)
  ret void
}

; Rows of n elements may begin anywhere.
; CHECK-LABEL: kernel rows,
; CHECK:         vector: 4 bytes; 8 if the first address were a multiple of 8, of which 4 is known
; CHECK:         vector: 4 bytes; 8 if the first address were a multiple of 8, of which 4 is known
define ptx_kernel void @rows(ptr addrspace(1) %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul nsw i32 %t, %n
  %e = sext i32 %m to i64
  %a = getelementptr inbounds float, ptr addrspace(1) %in, i64 %e
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  %x = load float, ptr addrspace(1) %a
  %y = load float, ptr addrspace(1) %b
  call void asm sideeffect "", "f"(float %x)
  call void asm sideeffect "", "f"(float %y)
  ret void
}

; A store to memory that may be the same keeps loads apart; one to shared memory
; and other loads do not. Stores are kept apart by loads as well.
; CHECK-LABEL: kernel between,
; CHECK:       load, global
; CHECK:         vector: 4 bytes; 8 if nothing between them touched this memory
; CHECK:       store, global
; CHECK:         vector: 4 bytes; 8 if nothing between them touched this memory
; CHECK:       load, global
; CHECK:         vector: 4 bytes; 8 if nothing between them touched this memory
; CHECK:       store, global
; CHECK:         vector: 4 bytes; 8 if nothing between them touched this memory
define ptx_kernel void @between(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %a = getelementptr inbounds <2 x float>, ptr addrspace(1) %in, i64 %e
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr inbounds <2 x float>, ptr addrspace(1) %out, i64 %e
  %d = getelementptr inbounds i8, ptr addrspace(1) %c, i64 4
  %x = load float, ptr addrspace(1) %a
  store float %x, ptr addrspace(1) %c
  %y = load float, ptr addrspace(1) %b
  store float %y, ptr addrspace(1) %d
  call void asm sideeffect "", "f"(float %x)
  call void asm sideeffect "", "f"(float %y)
  ret void
}
; CHECK-LABEL: kernel elsewhere,
; CHECK:       load, global
; CHECK:         vector: 8 bytes with the accesses beside it
; CHECK:       store, shared
; CHECK:       load, global
; CHECK:         vector: 8 bytes with the accesses beside it
define ptx_kernel void @elsewhere(ptr addrspace(1) %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %a = getelementptr inbounds <2 x float>, ptr addrspace(1) %in, i64 %e
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  %x = load float, ptr addrspace(1) %a
  store float %x, ptr addrspace(3) @other
  %y = load float, ptr addrspace(1) %b
  call void asm sideeffect "", "f"(float %x)
  call void asm sideeffect "", "f"(float %y)
  ret void
}
; CHECK-LABEL: kernel call,
; CHECK:         vector: 4 bytes; 8 if nothing between them touched this memory
; CHECK:         vector: 4 bytes; 8 if nothing between them touched this memory
define ptx_kernel void @call(ptr addrspace(1) %in) {
  %b = getelementptr inbounds i8, ptr addrspace(1) %in, i64 4
  %x = load float, ptr addrspace(1) %in
  call void @callee()
  %y = load float, ptr addrspace(1) %b
  call void asm sideeffect "", "f"(float %x)
  call void asm sideeffect "", "f"(float %y)
  ret void
}

; The alignment of the array counts, and which element a pair begins with.
; CHECK-LABEL: kernel shared,
; CHECK:       store, shared
; CHECK:         address: @aligned + 16 * lane + 4
; CHECK-NOT:     {{vector:|store}}
; CHECK:       store, shared
; CHECK:         address: @aligned + 16 * lane + 8
; CHECK:         vector: 8 bytes with the accesses beside it
; CHECK:       store, shared
; CHECK:         address: @aligned + 16 * lane + 12
; CHECK:         vector: 8 bytes with the accesses beside it
; CHECK:       store, shared
; CHECK:         address: @other
; CHECK:         vector: 4 bytes; 8 if the first address were a multiple of 8, of which 4 is known
; CHECK:       store, shared
; CHECK:         vector: 4 bytes; 8 if the first address were a multiple of 8, of which 4 is known
define ptx_kernel void @shared(float %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %a = getelementptr inbounds <4 x float>, ptr addrspace(3) @aligned, i64 %e
  %b = getelementptr inbounds i8, ptr addrspace(3) %a, i64 4
  %c = getelementptr inbounds i8, ptr addrspace(3) %a, i64 8
  %d = getelementptr inbounds i8, ptr addrspace(3) %a, i64 12
  %o = getelementptr inbounds <2 x float>, ptr addrspace(3) @other, i64 %e
  %p = getelementptr inbounds i8, ptr addrspace(3) %o, i64 4
  store float %x, ptr addrspace(3) %b
  store float %x, ptr addrspace(3) %c
  store float %x, ptr addrspace(3) %d
  store float %x, ptr addrspace(3) %o
  store float %x, ptr addrspace(3) %p
  ret void
}

; Other blocks, volatile accesses and other widths are not beside each other.
; CHECK-LABEL: kernel apart,
define ptx_kernel void @apart(ptr addrspace(1) %in, i1 %c) {
  %b = getelementptr inbounds i8, ptr addrspace(1) %in, i64 4
  %d = getelementptr inbounds i8, ptr addrspace(1) %in, i64 8
  %e = getelementptr inbounds i8, ptr addrspace(1) %in, i64 16
  %v = load volatile float, ptr addrspace(1) %in
  %x = load float, ptr addrspace(1) %b
  %w = load double, ptr addrspace(1) %d
  br i1 %c, label %then, label %exit
then:
  %y = load double, ptr addrspace(1) %e
  call void asm sideeffect "", "f"(float %x)
  call void asm sideeffect "", "d"(double %w)
  call void asm sideeffect "", "d"(double %y)
  br label %exit
exit:
  ret void
}

; The third of three is in no pair that begins with the first.
; CHECK-LABEL: kernel third,
; CHECK:         vector: 4 bytes; 8 if the first address were a multiple of 8, of which 4 is known
; CHECK:         vector: 4 bytes; 8 if the first address were a multiple of 8, of which 4 is known
; CHECK:       load, global
; CHECK-NOT:     vector:
define ptx_kernel void @third(ptr addrspace(1) %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul nsw i32 %t, %n
  %e = sext i32 %m to i64
  %a = getelementptr inbounds float, ptr addrspace(1) %in, i64 %e
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr inbounds i8, ptr addrspace(1) %a, i64 8
  %x = load float, ptr addrspace(1) %a
  %y = load float, ptr addrspace(1) %b
  %z = load float, ptr addrspace(1) %c
  call void asm sideeffect "", "f,f,f"(float %x, float %y, float %z)
  ret void
}

; The first address is 4 more than a multiple of 8, so never a multiple of 16.
; CHECK-LABEL: kernel never,
; CHECK-NOT:     vector:
; CHECK:         address: {{.*}} + 8{{$}}
; CHECK-NEXT:    assumed
; CHECK-NEXT:    assumed
; CHECK-NEXT:    vector: 8 bytes with the accesses beside it{{$}}
; CHECK:         vector: 8 bytes with the accesses beside it{{$}}
; CHECK:       load, global
; CHECK-NOT:     vector:
define ptx_kernel void @never(ptr addrspace(1) %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul nsw i32 %t, %n
  %e = sext i32 %m to i64
  %o = getelementptr inbounds double, ptr addrspace(1) %in, i64 %e
  %a = getelementptr inbounds i8, ptr addrspace(1) %o, i64 4
  %b = getelementptr inbounds i8, ptr addrspace(1) %o, i64 8
  %c = getelementptr inbounds i8, ptr addrspace(1) %o, i64 12
  %d = getelementptr inbounds i8, ptr addrspace(1) %o, i64 16
  %x = load float, ptr addrspace(1) %a
  %y = load float, ptr addrspace(1) %b
  %z = load float, ptr addrspace(1) %c
  %w = load float, ptr addrspace(1) %d
  call void asm sideeffect "", "f,f,f,f"(float %x, float %y, float %z, float %w)
  ret void
}

; Two things stand in the way.
; CHECK-LABEL: kernel both,
; CHECK:         vector: 4 bytes; 8 if nothing between them touched this memory and the first address were a multiple of 8, of which 4 is known
; CHECK:       store, global
; CHECK:         vector: 4 bytes; 8 if nothing between them touched this memory and the first address were a multiple of 8, of which 4 is known
define ptx_kernel void @both(ptr addrspace(1) %in, i32 %n, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul nsw i32 %t, %n
  %e = sext i32 %m to i64
  %a = getelementptr inbounds float, ptr addrspace(1) %in, i64 %e
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 4
  %x = load float, ptr addrspace(1) %a
  store float 0.0, ptr addrspace(1) %out
  %y = load float, ptr addrspace(1) %b
  call void asm sideeffect "", "f,f"(float %x, float %y)
  ret void
}

; Assumptions touch no memory, and what is never written is not kept apart.
; CHECK-LABEL: kernel assumed,
; CHECK:         vector: 8 bytes with the accesses beside it
; CHECK:         vector: 8 bytes with the accesses beside it
; CHECK-LABEL: kernel invariant,
; CHECK:         vector: 8 bytes with the accesses beside it
; CHECK:         vector: 8 bytes with the accesses beside it
define ptx_kernel void @assumed(ptr addrspace(1) %in) {
  %b = getelementptr inbounds i8, ptr addrspace(1) %in, i64 4
  %x = load float, ptr addrspace(1) %in
  %c = fcmp ogt float %x, 0.0
  call void @llvm.assume(i1 %c)
  %y = load float, ptr addrspace(1) %b
  call void asm sideeffect "", "f,f"(float %x, float %y)
  ret void
}
define ptx_kernel void @invariant(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %b = getelementptr inbounds i8, ptr addrspace(1) %in, i64 4
  %x = load float, ptr addrspace(1) %in, !invariant.load !0
  store float %x, ptr addrspace(1) %out
  %y = load float, ptr addrspace(1) %b, !invariant.load !0
  call void asm sideeffect "", "f,f"(float %x, float %y)
  ret void
}
!0 = !{}
