; Every access appears, whatever instruction makes it, if only with the reason why
; its index is not known.

; RUN: %unravel-opt -passes='print<indexing-maps>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x float] poison

; A load of __ldg, with the line that calls it; assembly; shared memory by a
; constant address; a call; a pointer from memory.
;
; CHECK: Indexing maps of kinds:
; CHECK-NEXT: load float %in at kernel.cu:5: (th_x) -> (th_x), domain: th_x in [0, 1023]
; CHECK-NEXT: load 4 bytes %in: (th_x) -> (th_x + 4), domain: th_x in [0, 1023]
; CHECK-NEXT: store float @tile: (th_x) -> (th_x + 2), domain: th_x in [0, 1023]
; CHECK-NEXT: load ptr %table: () -> (0)
; CHECK-NEXT: store float %loaded: () -> (0)
; CHECK-NEXT: other: not understood: a call of callee, which may access memory
; CHECK-NEXT: load 4 bytes: not understood: the PTX 'ld.global.f32' has an address that is not a plain operand
define ptx_kernel void @kinds(ptr %in, ptr %table) !dbg !4 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %in, i64 %e
  %g = addrspacecast ptr %p to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %g, !invariant.load !{}, !dbg !8
  %a = call float asm "ld.global.cs.f32 $0, [$1+16];", "=f,l"(ptr %p)
  %s = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 8) to ptr), i64 %e
  store float %a, ptr %s
  %loaded = load ptr, ptr %table
  store float %v, ptr %loaded
  call void @callee(ptr %in)
  %b = call float asm sideeffect "ld.global.f32 $0, [buffer];", "=f"()
  ret void
}

; The sum may wrap: its value is a variable, but modulo 2^32 it is known.
;
; CHECK: Indexing maps of wraps:
; CHECK-NEXT: store float %out: (){w, i} -> (w + i){{$}}
; CHECK-NEXT: modulo 2^32: (th_x, bl_x){w} -> (th_x + bl_x * 256 + w), domain: th_x in [0, 1023], bl_x in [0, 2147483646]{{$}}
define ptx_kernel void @wraps(ptr %out, i32 %w) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = shl i32 %b, 8
  %i = add i32 %first, %t
  %e = sext i32 %i to i64
  %we = sext i32 %w to i64
  %p = getelementptr float, ptr %out, i64 %e
  %q = getelementptr float, ptr %p, i64 %we
  store float 1.0, ptr %q
  ret void
}

; In a quotient it stays a variable, and a line says what that is: the block
; index is not lost. A sum that does not wrap needs no such line.
;
; CHECK: Indexing maps of divided:
; CHECK-NEXT: store float %out: (){i} -> (truncdiv(i, 75)){{$}}
; CHECK-NEXT: {{^ +}}i modulo 2^32: (th_x, bl_x) -> (th_x + bl_x * 128), domain: th_x in [0, 1023], bl_x in [0, 2147483646]
; CHECK-NEXT: store float %out: (th_x) -> ((th_x + 5) floordiv 75), domain: th_x in [0, 1023]
; CHECK-NOT: modulo
; CHECK: Indexing maps of unreachable
define ptx_kernel void @divided(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %b, 128
  %i = add i32 %first, %t
  %q = sdiv i32 %i, 75
  %e = sext i32 %q to i64
  %p = getelementptr inbounds float, ptr %out, i64 %e
  store float 1.0, ptr %p
  %j = add nuw nsw i32 %t, 5
  %r = udiv i32 %j, 75
  %f = zext i32 %r to i64
  %s = getelementptr inbounds float, ptr %out, i64 %f
  store float 1.0, ptr %s
  ret void
}

; In code that cannot be reached, a pointer may be computed from itself.
;
; CHECK-SAME: :
; CHECK-NEXT: store float %out: () -> (0)
define ptx_kernel void @unreachable(ptr %out) {
entry:
  store float 1.0, ptr %out
  ret void
nowhere:
  %p = getelementptr float, ptr %p, i64 1
  store float 2.0, ptr %p
  br label %nowhere
}

declare void @callee(ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "header.h", directory: "/")
!4 = distinct !DISubprogram(name: "kinds", file: !1, line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!6 = distinct !DISubprogram(name: "__ldg", file: !3, line: 80, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DILocation(line: 5, column: 3, scope: !4)
!8 = !DILocation(line: 81, column: 9, scope: !6, inlinedAt: !7)
