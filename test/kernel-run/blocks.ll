; Parts of a grid, many workers, and runs that do not end.
;
; RUN: %kernel-run %s --kernel ids --grid 2147483647,3,2 --block 2 --blocks 0,2147483647,last --args out:u32:24 --output out=%t.ids | FileCheck %s --check-prefix=HUGE
; HUGE: ids: 6 threads of 25769803764, 24 of 96 bytes changed
; RUN: od -A n -t u4 -v -w12 -N 24 %t.ids | FileCheck %s --check-prefix=IDS
; The last to write is the last thread of the last block.
; IDS: {{^ *}}2147483646 {{ *}}2 {{ *}}1{{$}}
; IDS-NEXT: {{^ *}}2147483647 {{ *}}3 {{ *}}2{{$}}
;
; RUN: %kernel-run %s --kernel visited --grid 100 --block 32 --sample-blocks 4 --args inout:u8:100:min=0:max=0 --output 0=%t.sampled
; RUN: %python -c "print([i for i, b in enumerate(open(r'%t.sampled', 'rb').read()) if b])" | FileCheck %s --check-prefix=SAMPLED
; SAMPLED: [0, 33, 66, 99]
; RUN: %kernel-run %s --kernel visited --grid 100 --block 32 --blocks 3-5,99 --args inout:u8:100:min=0:max=0 --output 0=%t.chosen
; RUN: %python -c "print([i for i, b in enumerate(open(r'%t.chosen', 'rb').read()) if b])" | FileCheck %s --check-prefix=CHOSEN
; CHOSEN: [3, 4, 5, 99]
; RUN: %kernel-run %s --kernel visited --grid 100 --block 32 --sample-blocks 101 --args inout:u8:100:min=0:max=0 | FileCheck %s --check-prefix=ALL
; ALL: visited: 3200 threads, 100 of 100 bytes changed
;
; Workers: more than blocks, fewer, none.
; RUN: %kernel-run %s --kernel visited --grid 100 --block 32 --jobs 7 --args inout:u8:100:min=0:max=0 | FileCheck %s --check-prefix=ALL
; RUN: %kernel-run %s --kernel visited --grid 100 --block 32 --jobs 0 --args inout:u8:100:min=0:max=0 | FileCheck %s --check-prefix=ALL
; RUN: %kernel-run %s --kernel visited --grid 2 --block 32 --jobs 9 --args inout:u8:100:min=0:max=0 | FileCheck %s --check-prefix=TWO
; TWO: visited: 64 threads, 2 of 100 bytes changed
; The first fault in the order of blocks, whichever worker meets its own first.
; RUN: not %kernel-run %s --kernel visited --grid 100 --block 1 --jobs 4 --args inout:u8:30:min=0:max=0 | FileCheck %s --check-prefix=FIRST
; FIRST: thread (0, 0, 0) of block (30, 0, 0) writes 1 byte at byte 30 of argument 0
;
; RUN: not %kernel-run %s --kernel forever --grid 3 --block 4 --timeout 1 --jobs 2 --args out:i32:1 2>&1 | FileCheck %s --check-prefix=FOREVER
; FOREVER: kernel-run: {{.*}}: not finished after 1 s, at thread (1, 0, 0) of block ({{.}}, 0, 0): it may loop for ever
; On a terminal, a bar tells how far it is; elsewhere nothing does.
; RUN: not %kernel-run %s --kernel forever --grid 3 --block 4 --timeout 2 --args out:i32:1 2>&1 | FileCheck %s --check-prefix=QUIET
; QUIET-NOT: blocks
; QUIET: kernel-run: {{.*}}: not finished
; RUN: %python -c "import pty, sys; pty.spawn(sys.argv[1:])" %kernel-run %s --kernel forever --grid 3 --block 4 --timeout 2 --args out:i32:1 | FileCheck %s --check-prefix=BAR
; BAR: {{\[ +\]}}   0 % of 3 blocks
; RUN: not %kernel-run %s --kernel deep --grid 1 --block 1 --args i32:2000000000 | FileCheck %s --check-prefix=DEEP
; DEEP: deep: {{.*}}: thread (0, 0, 0) of block (0, 0, 0) recurses too deeply: its stack is full
; RUN: %kernel-run %s --kernel deep --grid 1 --block 1 --args i32:1000
;
; RUN: not %kernel-run %s --kernel ids --grid 2147483647,3 --block 2 --args out:u32:12 2>&1 | FileCheck %s --check-prefix=MANY
; MANY: kernel-run: the grid has 6442450941 blocks: run some of them with --blocks or --sample-blocks
; RUN: not %kernel-run %s --kernel ids --grid 2 --block 2 --blocks 0-2 --args out:u32:12 2>&1 | FileCheck %s --check-prefix=RANGE
; RANGE: kernel-run: --blocks: '0-2' is outside the 2 blocks of the grid
; RUN: not %kernel-run %s --kernel ids --grid 2 --block 2 --blocks 0,x --args out:u32:12 2>&1 | FileCheck %s --check-prefix=WORD
; WORD: kernel-run: --blocks: 'x' is no block: give numbers, ranges as 5-9, or 'last'

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()

define internal void @put(ptr %out, i32 %k, i32 %x) {
  %at = getelementptr i32, ptr %out, i32 %k
  store i32 %x, ptr %at
  ret void
}

define ptx_kernel void @ids(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  call void @put(ptr %out, i32 0, i32 %x)
  call void @put(ptr %out, i32 1, i32 %y)
  call void @put(ptr %out, i32 2, i32 %z)
  call void @put(ptr %out, i32 3, i32 %nx)
  call void @put(ptr %out, i32 4, i32 %ny)
  call void @put(ptr %out, i32 5, i32 %nz)
  ret void
}

define ptx_kernel void @visited(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i8, ptr %out, i32 %b
  store i8 1, ptr %at
  ret void
}

define ptx_kernel void @forever(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is.one = icmp eq i32 %t, 1
  br i1 %is.one, label %loop, label %done
loop:
  store volatile i32 0, ptr %out
  br label %loop
done:
  ret void
}

define internal i32 @depth(i32 %n) {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %more
more:
  %less = sub i32 %n, 1
  %below = call i32 @depth(i32 %less)
  %sum = add i32 %below, 1
  ret i32 %sum
done:
  ret i32 0
}

define ptx_kernel void @deep(i32 %n) {
  %x = call i32 @depth(i32 %n)
  ret void
}
