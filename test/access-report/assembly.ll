; Inline assembly with one plain address is an access like others, and so is a copy
; of a structure that is one vector.

; RUN: access-report %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK:      load, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:   sectors: 4,
; CHECK:      load, global, 16 bytes a lane: stride 32 bytes
; CHECK-NEXT:   sectors: 32, ideal: 16,
; CHECK:        address: %p + 32 * lane + 16
; CHECK:      store, global, 8 bytes a lane: consecutive, 8 bytes apart
; CHECK:      atomic, global, 4 bytes a lane: same address
; CHECK-NEXT:   sectors: 1, ideal: 1
define ptx_kernel void @f(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr float, ptr addrspace(1) %p, i32 %t
  %v = call float asm "ld.global.nc.f32 $0, [$1];", "=f,l"(ptr addrspace(1) %a)
  %b = getelementptr [8 x float], ptr addrspace(1) %p, i32 %t
  %w = call { float, float, float, float } asm sideeffect "ld.global.v4.f32 {$0, $1, $2, $3}, [$4+16];", "=f,=f,=f,=f,l"(ptr addrspace(1) %b)
  %c = getelementptr double, ptr addrspace(1) %p, i32 %t
  call void asm sideeffect "st.global.b64 [$0], $1;", "l,l"(ptr addrspace(1) %c, i64 0)
  call void asm sideeffect "red.global.add.u32 [$0], $1;", "l,r"(ptr addrspace(1) %p, i32 1)
  ret void
}

; A predicate makes lanes inactive as a branch does; the result may be set in front.
; CHECK-LABEL: kernel predicated
; CHECK-NEXT:  load, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:    sectors: 1, ideal: 1
; CHECK:       load, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:    sectors: 3, ideal: 3
; CHECK:       store, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:    sectors: 4, ideal: 4
; CHECK:         assumed: all lanes of a warp pass the conditions that depend on what is not known
; CHECK:       load, global, 4 bytes a lane: not understood: the PTX 'ld.global.b32' has a predicate that is not an argument
; CHECK:       other: not understood: the PTX 'add.u32' is not a plain load, store or atomic
define ptx_kernel void @predicated(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="32" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr float, ptr addrspace(1) %p, i32 %t
  %c = icmp ult i32 %t, 8
  %v = call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %a, i1 %c)
  %w = call i32 asm sideeffect "@!$2 ld.global.b32 $0, [$1];", "=r,l,b"(ptr addrspace(1) %a, i1 %c)
  %u = icmp ult i32 %n, 8
  call void asm sideeffect "@$2 st.global.b32 [ $0 + 0 ], { $1 };", "l,r,b"(ptr addrspace(1) %a, i32 %v, i1 %u)
  %x = call i32 asm sideeffect "@p ld.global.b32 $0, [$1];", "=r,l"(ptr addrspace(1) %a)
  %y = call i32 asm sideeffect "add.u32 $0, 1, 1; ld.global.b32 $0, [$1];", "=r,l"(ptr addrspace(1) %a)
  ret void
}

; CHECK-LABEL: kernel copied
; CHECK:       load, global, 16 bytes a lane: consecutive, 16 bytes apart
; CHECK:       store, global, 16 bytes a lane: consecutive, 16 bytes apart
; CHECK:       other: not understood: a copy that is not of 1, 2, 4, 8 or 16 bytes
; CHECK:       other: not understood: a copy that is not of 1, 2, 4, 8 or 16 bytes
define ptx_kernel void @copied(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr [16 x i8], ptr addrspace(1) %p, i32 %t
  %b = getelementptr [16 x i8], ptr addrspace(1) %q, i32 %t
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %b, ptr addrspace(1) align 16 %a, i64 16, i1 false)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %b, ptr addrspace(1) align 16 %a, i64 16, i1 false)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %b, ptr addrspace(1) align 16 %a, i64 12, i1 false)
  ret void
}

; Asynchronous copies read one address and write the other.
; CHECK-LABEL: kernel asynchronous
; CHECK-NEXT:  copy, global, 16 bytes a lane: consecutive, 16 bytes apart
; CHECK:       copy, shared, 16 bytes a lane: consecutive, 16 bytes apart
; CHECK:       copy, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:    sectors: 1, ideal: 1
; CHECK:       copy, shared, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK:       copy, global: not understood: the PTX 'cp.async.ca.shared.global' has an unknown width
; CHECK:       other: not understood: the PTX 'cp.async.bulk.shared::cluster.global' is not a plain load, store or atomic
define ptx_kernel void @asynchronous(ptr addrspace(1) %p, ptr addrspace(3) %s, i32 %n) "nvvm.reqntid"="32" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 8
  %a = getelementptr [16 x i8], ptr addrspace(1) %p, i32 %t
  %b = getelementptr [16 x i8], ptr addrspace(3) %s, i32 %t
  call void asm sideeffect "cp.async.cg.shared.global.L2::128B [$0+64], [$1], 16, $2;", "r,l,r"(ptr addrspace(3) %b, ptr addrspace(1) %a, i32 %n)
  %d = getelementptr float, ptr addrspace(1) %p, i32 %t
  %e = getelementptr float, ptr addrspace(3) %s, i32 %t
  call void asm sideeffect "@$2 cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x4, 0x4;", "r,l,b"(ptr addrspace(3) %e, ptr addrspace(1) %d, i1 %c)
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], $2;", "r,l,r"(ptr addrspace(3) %e, ptr addrspace(1) %d, i32 %n)
  call void asm sideeffect "cp.async.bulk.shared::cluster.global [$0], [$1], 16;", "r,l"(ptr addrspace(3) %e, ptr addrspace(1) %d)
  ret void
}
