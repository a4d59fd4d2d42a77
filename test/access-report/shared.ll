; Bank conflicts, and rows that are a word longer.

; RUN: access-report %s --block 32,8 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@plain = internal addrspace(3) global [32 x [32 x float]] zeroinitializer, align 4
@padded = internal addrspace(3) global [32 x [33 x float]] zeroinitializer, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

; CHECK-LABEL: kernel tiles, blocks of 32 x 8 x 1 threads (--block)
; CHECK-NEXT:   load, shared, 4 bytes a lane: stride 128 bytes
; CHECK-NEXT:     wavefronts: 32, bank conflicts: 31
; CHECK-NEXT:     address: @plain + 128 * lane
; CHECK-NEXT:     hint: pad the row: 132 bytes instead of 128
; CHECK-NEXT:   load, shared, 4 bytes a lane: stride 132 bytes
; CHECK-NEXT:     wavefronts: 1, bank conflicts: 0
; CHECK-NOT:      hint
; CHECK:        store, shared, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:     wavefronts: 1, bank conflicts: 0
define ptx_kernel void @tiles() {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %a = getelementptr [32 x [32 x float]], ptr addrspace(3) @plain, i32 0, i32 %x, i32 %y
  %v = load volatile float, ptr addrspace(3) %a
  %b = getelementptr [32 x [33 x float]], ptr addrspace(3) @padded, i32 0, i32 %x, i32 %y
  %w = load volatile float, ptr addrspace(3) %b
  %c = getelementptr [32 x [32 x float]], ptr addrspace(3) @plain, i32 0, i32 %y, i32 %x
  store float 0.0, ptr addrspace(3) %c
  ret void
}

; A generic pointer into shared memory is one into shared memory; so is the
; target of an asynchronous copy.
; CHECK-LABEL: kernel generic,
; CHECK-NEXT:   load, shared, 4 bytes a lane: stride 8 bytes
; CHECK-NEXT:     wavefronts: 2, bank conflicts: 1
; CHECK:        async copy, global, 16 bytes a lane: consecutive, 16 bytes apart
; CHECK-NEXT:     sectors: 16, ideal: 16, efficiency: 1.00
; CHECK:        async copy, shared, 16 bytes a lane: consecutive, 16 bytes apart
; CHECK-NEXT:     wavefronts: 4, bank conflicts: 0
define ptx_kernel void @generic(ptr addrspace(1) %in) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = addrspacecast ptr addrspace(3) @plain to ptr
  %d = shl nuw nsw i32 %x, 1
  %a = getelementptr float, ptr %g, i32 %d
  %v = load volatile float, ptr %a
  %s = getelementptr [4 x float], ptr addrspace(3) @plain, i32 %x
  %p = getelementptr [4 x float], ptr addrspace(1) %in, i32 %x
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) %s, ptr addrspace(1) %p)
  ret void
}
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
