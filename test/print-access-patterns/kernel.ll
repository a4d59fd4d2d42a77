; How the warps of a kernel access memory; the function stays as it is.

; RUN: %unravel-opt -passes='print<access-patterns>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [1024 x float] poison

; CHECK: Access patterns of column, blocks of 32 x 8 x 1 threads (required by the kernel):
; CHECK-NEXT: kernel.cu:5: load, global, 4 bytes a lane: stride 2048 bytes
; CHECK-NEXT: sectors: 32, ideal: 4, efficiency: 0.12
; CHECK-NEXT: address: %in + 2048 * lane
; CHECK-NEXT: assumed: %in is aligned to 256 bytes
; CHECK-NEXT: hint: neighbouring lanes are a row apart
; CHECK-NEXT: store, shared, 4 bytes a lane: stride 128 bytes
; CHECK-NEXT: wavefronts: 32, bank conflicts: 31
; CHECK-NEXT: address: @tile + 128 * lane
; CHECK-NEXT: hint: pad the row: 132 bytes instead of 128
define ptx_kernel void @column(ptr %in) "nvvm.reqntid"="32,8,1" !dbg !4 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %p = getelementptr inbounds [512 x float], ptr %in, i64 %e
  %v = load float, ptr %p, !dbg !8
  %s = getelementptr inbounds [32 x float], ptr addrspace(3) @tile, i64 %e
  store float %v, ptr addrspace(3) %s
  ret void
}

; CHECK: Access patterns of bound, blocks of 64 x 1 x 1 threads (assumed: the launch bound of the kernel):
; CHECK-NEXT: load, global, 8 bytes a lane: consecutive, 8 bytes apart
; CHECK: store, generic, 4 bytes a lane: gather: it depends on a value loaded from memory (%p)
define ptx_kernel void @bound(ptr %in) "nvvm.maxntid"="64" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %g = getelementptr inbounds ptr, ptr %in, i64 %e
  %p = load ptr, ptr %g
  store float 0.0, ptr %p
  ret void
}

; CHECK: Access patterns of empty, blocks of 256 x 1 x 1 threads (assumed):
; CHECK-NOT: load
define ptx_kernel void @empty() {
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "kernel.cu", directory: "")
!4 = distinct !DISubprogram(name: "column", file: !2, line: 3, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!8 = !DILocation(line: 5, scope: !4)
