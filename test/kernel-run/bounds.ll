; Every access is checked: against buffers, shared, local and device variables.
; What is touched outside is named with thread, instruction and place.
;
; DEFINE: %{run} = not %kernel-run %s --block 8 --grid 2
; RUN: %{run} --kernel after --args in:i32:16,out:i32:16 | FileCheck %s --check-prefix=AFTER
; AFTER: after: {{.*}}bounds.ll: thread (7, 0, 0) of block (1, 0, 0) reads 4 bytes at byte 64 of argument 0 (in), which has 64 bytes
; AFTER-NEXT: at: %x = load i32, ptr %from, align 4 in function after (bounds.cu:12:7)
; RUN: %kernel-run %s --block 8 --grid 2 --kernel after --args in:i32:17,out:i32:16
;
; RUN: %{run} --kernel before --args out:i32:16 | FileCheck %s --check-prefix=BEFORE
; BEFORE: thread (0, 0, 0) of block (0, 0, 0) writes 8 bytes at byte -4 of argument 0 (out), which has 64 bytes
;
; The last byte is outside.
; RUN: %{run} --kernel straddle --args out:i8:10 | FileCheck %s --check-prefix=STRADDLE
; STRADDLE: writes 4 bytes at byte 7 of argument 0 (out), which has 10 bytes
; RUN: %kernel-run %s --block 1 --grid 1 --kernel straddle --args out:i8:11
;
; Between two buffers: the nearer one is named. No address at all: the address.
; RUN: %{run} --kernel nowhere --args out:i32:16 | FileCheck %s --check-prefix=NOWHERE
; NOWHERE: reads 1 byte at address 0x10
;
; RUN: %{run} --kernel copy --args in:i32:16,out:i32:8 | FileCheck %s --check-prefix=COPY
; COPY: writes 36 bytes at byte 0 of argument 1 (out), which has 32 bytes
; COPY-NEXT: at: call void @llvm.memcpy.p0.p0.i64
; RUN: %{run} --kernel copy --args in:i32:8,out:i32:16 | FileCheck %s --check-prefix=COPIED
; COPIED: reads 36 bytes at byte 0 of argument 0 (in), which has 32 bytes
;
; RUN: %{run} --kernel shared --args i32:8 | FileCheck %s --check-prefix=SHARED
; SHARED: thread (7, 0, 0) of block (0, 0, 0) writes 4 bytes at byte 32 of shared variable tile, which has 32 bytes
; RUN: %kernel-run %s --block 8 --grid 2 --kernel shared --args i32:7
;
; RUN: %{run} --kernel dynamic --args i32:0 --shared 28 | FileCheck %s --check-prefix=DYNAMIC
; DYNAMIC: thread (7, 0, 0) of block (0, 0, 0) writes 4 bytes at byte 28 of the dynamic shared memory (--shared), which has 28 bytes
; RUN: %kernel-run %s --block 8 --grid 2 --kernel dynamic --args i32:0 --shared 32
; RUN: not %kernel-run %s --block 8 --grid 2 --kernel dynamic --args i32:0 --shared 300000 2>&1 | FileCheck %s --check-prefix=TOOMUCH
; TOOMUCH: 300000 of dynamic shared memory are more than the 232448 that a block has
;
; RUN: %{run} --kernel local --args i32:9 | FileCheck %s --check-prefix=LOCAL
; LOCAL: writes 4 bytes at byte 36 of local variable array, which has 32 bytes
; RUN: %kernel-run %s --block 8 --grid 2 --kernel local --args i32:7
; A local variable is gone when its function has returned.
; RUN: %{run} --kernel escaped --args i32:0 | FileCheck %s --check-prefix=ESCAPED
; ESCAPED: thread (0, 0, 0) of block (0, 0, 0) reads 4 bytes at
;
; RUN: %{run} --kernel table --args out:i32:16,i32:4 | FileCheck %s --check-prefix=TABLE
; TABLE: reads 4 bytes at byte 16 of constant values, which has 16 bytes
; RUN: %{run} --kernel table_written --args i32:0 | FileCheck %s --check-prefix=WRITTEN
; WRITTEN: writes 4 bytes at byte 0 of constant values, which has 16 bytes; it must not be written
;
; What an instruction says about its address is checked as well.
; RUN: %{run} --kernel aligned --args out:i32:16:align=4 | FileCheck %s --check-prefix=ALIGNED
; ALIGNED: writes 4 bytes at byte 0 of argument 0 (out), which has 64 bytes; the address {{0x[0-9a-f]+}} is not aligned to 16
; RUN: %kernel-run %s --block 8 --grid 2 --kernel aligned --args out:i32:16:align=16

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [8 x i32] undef, align 4
@dynamic_tile = external addrspace(3) global [0 x i32], align 4
@values = internal addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define internal i32 @global_id() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = shl i32 %b, 3
  %i = add i32 %first, %t
  ret i32 %i
}

define ptx_kernel void @after(ptr %in, ptr %out) !dbg !4 {
  %i = call i32 @global_id(), !dbg !7
  %next = add i32 %i, 1, !dbg !7
  %from = getelementptr i32, ptr %in, i32 %next, !dbg !7
  %x = load i32, ptr %from, !dbg !7
  %to = getelementptr i32, ptr %out, i32 %i, !dbg !7
  store i32 %x, ptr %to, !dbg !7
  ret void, !dbg !7
}

define ptx_kernel void @before(ptr %out) {
  %at = getelementptr i32, ptr %out, i32 -1
  store i64 0, ptr %at, align 4
  ret void
}

define ptx_kernel void @straddle(ptr %out) {
  %at = getelementptr i8, ptr %out, i32 7
  store i32 0, ptr %at, align 1
  ret void
}

define ptx_kernel void @nowhere(ptr %out) {
  %x = load i8, ptr inttoptr (i64 16 to ptr)
  store i8 %x, ptr %out
  ret void
}

define ptx_kernel void @copy(ptr %in, ptr %out) {
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 36, i1 false)
  ret void
}

; The n-th thread and later are one element further.
define ptx_kernel void @shared(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %late = icmp eq i32 %n, 8
  %more = zext i1 %late to i32
  %i = add i32 %t, %more
  %at = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 %i
  store i32 %t, ptr %at
  ret void
}

define ptx_kernel void @dynamic(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(3) @dynamic_tile, i32 %t
  store i32 %t, ptr addrspace(3) %at
  ret void
}

define ptx_kernel void @local(i32 %n) {
  %other = alloca [8 x i32]
  %array = alloca [8 x i32]
  %at = getelementptr i32, ptr %array, i32 %n
  store i32 %n, ptr %at
  ret void
}

define internal ptr @leave_behind() {
  %variable = alloca i32
  store i32 1, ptr %variable
  ret ptr %variable
}

define ptx_kernel void @escaped(i32 %n) {
  %gone = call ptr @leave_behind()
  %x = load i32, ptr %gone
  ret void
}

define ptx_kernel void @table(ptr %out, i32 %n) {
  %at = getelementptr i32, ptr addrspace(4) @values, i32 %n
  %x = load i32, ptr addrspace(4) %at
  store i32 %x, ptr %out
  ret void
}

define ptx_kernel void @table_written(i32 %n) {
  store i32 %n, ptr addrspacecast (ptr addrspace(4) @values to ptr)
  ret void
}

define ptx_kernel void @aligned(ptr %out) {
  store i32 1, ptr %out, align 16
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "bounds.cu", directory: "/")
!2 = !{i32 2, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "after", file: !1, line: 10, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 12, column: 7, scope: !4)
