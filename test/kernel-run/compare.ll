; Versions of one kernel on equal memory. Of the first difference: the buffer,
; the element, both values, and who wrote them.
;
; RUN: sed -e 's/OFFSET/3/' %s > %t.wrong.ll
; RUN: sed -e 's/OFFSET/1/' %s > %t.same.ll
; RUN: sed -e 's/OFFSET/1/' -e 's/@twice/@thrice/' %s > %t.renamed.ll
; DEFINE: %{launch} = --grid 3 --block 32 --args in:i32:96,out:i32:96
; RUN: %kernel-run %t.same.ll --compare %t.same.ll --kernel half %{launch} | FileCheck %s --check-prefix=SAME
; SAME: half: 96 threads, 768 bytes identical in 2 versions (384 changed)
; RUN: %kernel-run %t.same.ll %t.same.ll --compare %t.same.ll --kernel half %{launch} | FileCheck %s --check-prefix=THREE
; THREE: identical in 3 versions
;
; RUN: not %kernel-run %t.same.ll --compare %t.wrong.ll --kernel half %{launch} | FileCheck %s -DSAME=%t.same.ll -DWRONG=%t.wrong.ll --check-prefix=DIFFERENT
; DIFFERENT: half: argument 1 (out) (i32) differs at element 5, byte 20: {{-?[0-9]+}} in [[SAME]], {{-?[0-9]+}} in [[WRONG]]
; DIFFERENT-NEXT: [[SAME]]: thread (5, 0, 0) of block (0, 0, 0) wrote it last
; DIFFERENT-NEXT: at: store i32 %y, ptr %to, align 4 in function half
; DIFFERENT-NEXT: [[WRONG]]: thread (5, 0, 0) of block (0, 0, 0) wrote it last
; DIFFERENT-NEXT: at: store i32 %y, ptr %to, align 4 in function half
; Also when workers ran it, and whatever else there is to compare.
; RUN: not %kernel-run %t.same.ll %t.same.ll --compare %t.wrong.ll --jobs 3 --kernel half %{launch} | FileCheck %s -DSAME=%t.same.ll -DWRONG=%t.wrong.ll --check-prefix=DIFFERENT
;
; Two NaNs of different bits are equal, a NaN and a number are not.
; RUN: %kernel-run %t.same.ll --kernel nan --also-kernel other_nan --grid 1 --block 1 --args out:f32:1
; RUN: not %kernel-run %t.same.ll --kernel nan --also-kernel one --grid 1 --block 1 --args out:f32:1 | FileCheck %s --check-prefix=NAN
; NAN: differs at element 0, byte 2: NaN (0x7fc00000) in {{.*}}, 1 (0x3f800000) in one of
;
; Device variables are results too, if both versions have them.
; RUN: not %kernel-run %t.same.ll --compare %t.wrong.ll --kernel twice --grid 1 --block 1 --args i32:4 | FileCheck %s --check-prefix=VARIABLE
; VARIABLE: twice: variable state (u32) differs at element 0, byte 0: 5 in {{.*}}, 7 in
; RUN: %kernel-run %t.same.ll --compare %t.same.ll --kernel twice --grid 1 --block 1 --args i32:4
;
; What only one version does wrong.
; RUN: not %kernel-run %t.same.ll --kernel half --also-kernel over %{launch} | FileCheck %s --check-prefix=OVER
; OVER: over of {{.*}}: thread (31, 0, 0) of block (2, 0, 0) writes 4 bytes at byte 384 of argument 1
;
; Several grids: the second one differs.
; RUN: not %kernel-run %t.same.ll --compare %t.wrong.ll --kernel half --grid 1 --grid 3 --block 5 --block 32 --args in:i32:96,out:i32:96 | FileCheck %s --check-prefix=GRIDS
; GRIDS: half: 5 threads, 768 bytes identical in 2 versions (20 changed)
; GRIDS-NEXT: half: argument 1 (out) (i32) differs
;
; RUN: not %kernel-run %t.same.ll --compare %t.renamed.ll --kernel twice --grid 1 --block 1 --args i32:4 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: kernel-run: {{.*}}renamed.ll defines no kernel twice; it has half, nan, other_nan, one, thrice, over
; RUN: not %kernel-run %t.same.ll --compare %t.same.ll --kernel half --grid 1 --grid 2 --block 5 --block 6 --block 7 --args in:i32:96,out:i32:96 2>&1 | FileCheck %s --check-prefix=TIMES
; TIMES: kernel-run: give --grid and --block equally often, or one of them once

target triple = "nvptx64-nvidia-cuda"

@state = addrspace(1) global i32 0, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; The fifth thread adds OFFSET instead of 1.
define ptx_kernel void @half(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = shl i32 %b, 5
  %i = add i32 %first, %t
  %from = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %from
  %half = ashr i32 %x, 1
  %fifth = icmp eq i32 %i, 5
  %more = select i1 %fifth, i32 OFFSET, i32 1
  %y = add i32 %half, %more
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %y, ptr %to
  ret void
}

define ptx_kernel void @nan(ptr %out) {
  store float 0x7FF8000000000000, ptr %out
  ret void
}

define ptx_kernel void @other_nan(ptr %out) {
  store float 0xFFF8000020000000, ptr %out
  ret void
}

define ptx_kernel void @one(ptr %out) {
  store float 1.0, ptr %out
  ret void
}

define ptx_kernel void @twice(i32 %n) {
  %x = add i32 %n, OFFSET
  store i32 %x, ptr addrspace(1) @state
  ret void
}

define ptx_kernel void @over(ptr %in, ptr %out) {
  call void @half(ptr %in, ptr %out)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %is.last = icmp eq i32 %t, 31
  %last = zext i1 %is.last to i32
  %first = shl i32 %b, 5
  %i = add i32 %first, %t
  %next = add i32 %i, %last
  %to = getelementptr i32, ptr %out, i32 %next
  %old = getelementptr i32, ptr %out, i32 %i
  %x = load i32, ptr %old
  store i32 %x, ptr %to
  ret void
}
