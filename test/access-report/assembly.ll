; Inline assembly with one plain address is an access like others.

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
