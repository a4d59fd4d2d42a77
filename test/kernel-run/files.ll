; Buffers from files and to files, and launches from a file.
;
; RUN: rm -rf %t && mkdir %t && split-file %s %t/split
; RUN: %python -c "import struct; open(r'%t/in.bin', 'wb').write(struct.pack('<4i', 1, -2, 3, 40))"
; RUN: %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4:file=%t/in.bin,out:i32:4 --output out=%t/out.bin --output 0=%t/copy.bin
; RUN: od -A n -t d4 %t/out.bin | FileCheck %s --check-prefix=OUT
; OUT: {{^ *}}2 {{ *}}-4 {{ *}}6 {{ *}}80{{$}}
; RUN: cmp %t/in.bin %t/copy.bin
;
; Seeds: one seed, one content.
; RUN: %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4,out:i32:4 --seed 7 --output out=%t/7
; RUN: %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4,out:i32:4 --seed 7 --output out=%t/7.again
; RUN: %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4,out:i32:4 --seed 8 --output out=%t/8
; RUN: cmp %t/7 %t/7.again
; RUN: not cmp %t/7 %t/8
;
; RUN: sed -e 's,PATH,%t/in.bin,' %t/split/launches.json > %t/launches.json
; RUN: %kernel-run %t/split/kernels.ll --kernel doubled --launches %t/launches.json --output 1=%t/json.bin
; RUN: cmp %t/out.bin %t/json.bin
; RUN: %kernel-run %t/split/kernels.ll --kernel dynamic --launches %t/launches.json
; RUN: not %kernel-run %t/split/kernels.ll --kernel dynamic --launches %t/launches.json --shared 4 | FileCheck %s --check-prefix=SHARED
; SHARED: at byte 4 of the dynamic shared memory (--shared), which has 4 bytes
;
; --variants: a single thread, odd blocks, other scalars.
; RUN: %kernel-run %t/split/kernels.ll --kernel guarded --launches %t/launches.json --variants --compare %t/split/kernels.ll | FileCheck %s --check-prefix=VARIANTS
; VARIANTS: guarded: 128 threads, 400 bytes identical in 2 versions (400 changed)
; VARIANTS-NEXT: guarded: 1 threads, 400 bytes identical in 2 versions (4 changed)
; VARIANTS-NEXT: guarded: 132 threads, 400 bytes identical in 2 versions (400 changed)
; VARIANTS-NEXT: guarded: 147 threads, 400 bytes identical in 2 versions (400 changed)
; VARIANTS-NEXT: guarded: 128 threads, 400 bytes identical in 2 versions (0 changed)
; VARIANTS-NEXT: guarded: 128 threads, 400 bytes identical in 2 versions (4 changed)
; VARIANTS-NOT: threads
; RUN: %kernel-run %t/split/kernels.ll --kernel smaller --launches %t/launches.json --variants --compare %t/split/kernels.ll | FileCheck %s --check-prefix=SMALLER
; SMALLER: smaller: 128 threads
; SMALLER-NEXT: smaller: 1 threads
; SMALLER-NEXT: smaller: 84 threads,
; SMALLER-NOT: threads
; RUN: %kernel-run %t/split/kernels.ll --kernel fixed --launches %t/launches.json --variants --compare %t/split/kernels.ll | FileCheck %s --check-prefix=FIXED
; FIXED: fixed: 128 threads,
; FIXED-NEXT: fixed: 4 threads,
; FIXED-NEXT: fixed: 84 threads,
; FIXED-NOT: threads
;
; RUN: %kernel-run %t/split/kernels.ll --kernel huge --launches %t/launches.json --variants --compare %t/split/kernels.ll | FileCheck %s --check-prefix=HUGE
; HUGE: huge: 128 threads,
; HUGE-NEXT: huge: 1 threads,
; HUGE-NEXT: huge: 132 threads,
; HUGE-NEXT: huge: 147 threads,
; HUGE-NEXT: huge: 8192 threads of 68719476704, 400 bytes identical in 2 versions
; HUGE-NOT: threads
;
; Several launches of a kernel, arguments in words, given values, some blocks.
; RUN: %kernel-run %t/split/kernels.ll --kernel doubled --launches %t/split/several.json --variants --compare %t/split/kernels.ll | FileCheck %s --check-prefix=SEVERAL
; SEVERAL: doubled: 4 threads, 32 bytes identical in 2 versions (16 changed)
; SEVERAL: doubled: 2 threads of 8, 64 bytes identical in 2 versions (4 changed)
; SEVERAL-NOT: threads
; RUN: %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args "in:i32:4:values=1;-2;3;40,out:i32:4" --output out=%t/values.bin
; RUN: cmp %t/out.bin %t/values.bin
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args "in:i32:4:values=1;2,out:i32:4" 2>&1 | FileCheck %s --check-prefix=VALUES
; VALUES: kernel-run: --args: argument 'in:i32:4:values=1;2': values gives as many values as the buffer has elements
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args "in:i8:2:values=1;300,out:i32:4" 2>&1 | FileCheck %s --check-prefix=BIG
; BIG: a value of the buffer does not fit its type
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args "in:i8:2:values=1;x,out:i32:4" 2>&1 | FileCheck %s --check-prefix=WORD
; WORD: values= needs numbers with semicolons between
; RUN: sed -e 's/in:i32:8/in:i99:8/' %t/split/several.json > %t/words.json
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --launches %t/words.json 2>&1 | FileCheck %s --check-prefix=WORDS
; WORDS: arguments that --args refuses, and says why, at {{.*}}words.json[1].args
; RUN: sed -e 's/0,last/0-9/' %t/split/several.json > %t/blocks.json
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --launches %t/blocks.json 2>&1 | FileCheck %s --check-prefix=BLOCKS
; BLOCKS: '0-9' is outside the 8 blocks of the grid
;
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:5:file=%t/in.bin,out:i32:4 2>&1 | FileCheck %s --check-prefix=SIZE
; SIZE: kernel-run: {{.*}}in.bin has 16 bytes, the buffer needs 20
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4:file=%t/absent,out:i32:4 2>&1 | FileCheck %s --check-prefix=ABSENT
; ABSENT: kernel-run: {{.*}}absent: cannot read: No such file or directory; check the path and its permissions
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4:file=,out:i32:4 2>&1 | FileCheck %s --check-prefix=EMPTY
; EMPTY: kernel-run: --args: argument 'in:i32:4:file=': file= needs a path
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4,out:i32:4 --output absent=%t/x 2>&1 | FileCheck %s --check-prefix=NAME
; NAME: kernel-run: --output: 'absent={{.*}}' does not begin with a buffer's number or name and '='
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4,out:i32:4 --output out=%t/absent/x 2>&1 | FileCheck %s --check-prefix=WRITE
; WRITE: kernel-run: --output: {{.*}}absent/x: cannot write: there is no folder '{{.*}}absent'
; RUN: sed -e 's/"grids": "smaller"/"grids": "odd"/' %t/launches.json > %t/odd.json
; RUN: not %kernel-run %t/split/kernels.ll --kernel smaller --launches %t/odd.json 2>&1 | FileCheck %s --check-prefix=GRIDS
; GRIDS: expected huge, any, smaller or this
;
; What has no end, or another size, is not read.
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4:file=/dev/zero,out:i32:4 2>&1 | FileCheck %s --check-prefix=DEVICE
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --launches /dev/zero 2>&1 | FileCheck %s --check-prefix=DEVICE
; RUN: not %kernel-run /dev/zero --kernel doubled --grid 1 --block 4 --args in:i32:4,out:i32:4 2>&1 | FileCheck %s --check-prefix=DEVICE
; DEVICE: kernel-run: /dev/zero: cannot read: it is a device; copy what it holds to a file and name that
; RUN: %python -c "open(r'%t/large.bin', 'wb').truncate(1 << 40)"
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --grid 1 --block 4 --args in:i32:4:file=%t/large.bin,out:i32:4 2>&1 | FileCheck %s --check-prefix=LARGE
; LARGE: kernel-run: {{.*}}large.bin has 1099511627776 bytes, the buffer needs 16
;
; LLVM's JSON parser is recursive.
; RUN: %python -c "print('[' * 300000)" > %t/deep.json
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --launches %t/deep.json 2>&1 | FileCheck %s --check-prefix=DEEP
; RUN: %python -c "print('[\"]\",' * 300000)" > %t/hidden.json
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --launches %t/hidden.json 2>&1 | FileCheck %s --check-prefix=DEEP
; A key that stands twice would lose a value.
; RUN: echo '[{"kernel": "doubled", "kernel": "added"}]' > %t/twice.json
; RUN: not %kernel-run %t/split/kernels.ll --kernel doubled --launches %t/twice.json 2>&1 | FileCheck %s --check-prefix=TWICE
; TWICE: kernel-run: {{.*}}twice.json: two fields "kernel" in one object; leave one out
; DEEP: kernel-run: {{.*}}.json: no launches: more than 64 brackets inside each other; give a list of launches

;--- kernels.ll
target triple = "nvptx64-nvidia-cuda"

@dynamic_tile = external addrspace(3) global [0 x i32], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @doubled(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %to = getelementptr i32, ptr %out, i32 %t
  %x = load i32, ptr %from
  %y = shl i32 %x, 1
  store i32 %y, ptr %to
  ret void
}

define ptx_kernel void @dynamic(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(3) @dynamic_tile, i32 %t
  store i32 %t, ptr addrspace(3) %at
  ret void
}

define ptx_kernel void @guarded(ptr %out, i32 %n) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rows = mul i32 %b, %ny
  %row = add i32 %rows, %ty
  %first = mul i32 %row, %nx
  %i = add i32 %first, %tx
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %write, label %done
write:
  %at = getelementptr i32, ptr %out, i32 %i
  store i32 %i, ptr %at
  ret void
done:
  ret void
}

define ptx_kernel void @smaller(ptr %out, i32 %n) {
  call void @guarded(ptr %out, i32 %n)
  ret void
}

define ptx_kernel void @huge(ptr %out, i32 %n) {
  call void @guarded(ptr %out, i32 %n)
  ret void
}

define ptx_kernel void @fixed(ptr %out, i32 %n) {
  call void @guarded(ptr %out, i32 %n)
  ret void
}

;--- several.json
[
  {"kernel": "doubled", "grid": [1], "block": [4], "grids": "this",
   "args": "in:i32:4:values=1;-2;3;40,out:i32:4"},
  {"kernel": "doubled", "grid": [8], "block": [1], "blocks": "0,last",
   "args": "in:i32:8,out:i32:8"}
]

;--- launches.json
[
  {"kernel": "doubled", "grid": [1], "block": [4],
   "args": [{"buffer": "in", "type": "i32", "count": 4, "file": "PATH"},
            {"buffer": "out", "type": "i32", "count": 4}]},
  {"kernel": "dynamic", "grid": [1], "block": [4], "shared": 16,
   "args": [{"buffer": "out", "type": "i32", "count": 4}]},
  {"kernel": "guarded", "grid": [2], "block": [64],
   "args": [{"buffer": "out", "type": "i32", "count": 100},
            {"scalar": "i32", "value": 100, "also": [0, 1]}]},
  {"kernel": "smaller", "grid": [4], "block": [32],
   "args": [{"buffer": "out", "type": "i32", "count": 100},
            {"scalar": "i32", "value": 100}], "grids": "smaller"},
  {"kernel": "huge", "grid": [4], "block": [32], "grids": "huge",
   "args": [{"buffer": "out", "type": "i32", "count": 100},
            {"scalar": "i32", "value": 100}]},
  {"kernel": "fixed", "grid": [4], "block": [32], "grids": "this",
   "args": [{"buffer": "out", "type": "i32", "count": 100},
            {"scalar": "i32", "value": 100}]}
]
