; What kernel-run writes: whole or not at all, never over what it reads, and
; what cannot be written is said before anything runs.
;
; RUN: rm -rf %t && mkdir -p %t/full && cp %s %t/k.ll && ln -s k.ll %t/link.ll && ln %t/k.ll %t/hard.ll
; DEFINE: %{run} = %kernel-run %t/k.ll --kernel one --grid 1 --block 1 --args out:i32:4
; RUN: echo '[{"kernel": "one", "grid": [1], "block": [1], "args": "out:i32:4"}]' > %t/launches.json
; RUN: echo 0123456789abcde > %t/in.bin
;
; The same file by any name. Each would be lost.
; RUN: not %{run} --output 0=%t/k.ll 2>&1 | FileCheck %s --check-prefix=SAME
; RUN: not %{run} --output 0=%t/link.ll 2>&1 | FileCheck %s --check-prefix=SAME
; RUN: not %{run} --output 0=%t/hard.ll 2>&1 | FileCheck %s --check-prefix=SAME
; RUN: not %{run} --output 0=%t/full/../k.ll 2>&1 | FileCheck %s --check-prefix=SAME
; SAME: kernel-run: --output: {{.*}}.ll: cannot write: it is the same file as the input '{{.*}}k.ll', which would be lost; name another file
; RUN: not %{run} --passes dce --save-after %t/k.ll 2>&1 | FileCheck %s --check-prefix=SAVE
; SAVE: kernel-run: --save-after: {{.*}}k.ll: cannot write: it is the same file as the input
; RUN: not %{run} --launches %t/launches.json --output 0=%t/launches.json 2>&1 | FileCheck %s --check-prefix=LAUNCHES
; LAUNCHES: the input '{{.*}}launches.json' of --launches, which would be lost
; RUN: cp %s %t/other.ll
; RUN: not %{run} --compare %t/other.ll --output 0=%t/other.ll 2>&1 | FileCheck %s --check-prefix=COMPARE
; COMPARE: the input '{{.*}}other.ll' of --compare, which would be lost
; RUN: not %kernel-run %t/k.ll --kernel one --grid 1 --block 1 --args inout:i32:4:file=%t/in.bin --output 0=%t/in.bin 2>&1 | FileCheck %s --check-prefix=BUFFER
; BUFFER: the input '{{.*}}in.bin' of an argument, which would be lost
; RUN: not %{run} --output 0=%t/twice --output out=%t/twice 2>&1 | FileCheck %s --check-prefix=TWICE
; TWICE: --output: {{.*}}twice: cannot write: --output writes the same file, '{{.*}}twice'; name another file
; RUN: cmp %s %t/k.ll
; RUN: cmp %s %t/other.ll
; RUN: FileCheck %s --check-prefix=IN < %t/in.bin
; IN: 0123456789abcde
;
; Other names are fine, and so is what is no file.
; RUN: %{run} --launches %t/launches.json --compare %t/other.ll --output 0=%t/new --output out=%t/new2 --output out=/dev/null --passes dce --save-after %t/saved.ll
; RUN: cmp %t/new %t/new2
; RUN: FileCheck %s --check-prefix=SAVED < %t/saved.ll
; SAVED: define ptx_kernel void @one
; A link stays one; what it leads to is written.
; RUN: echo old > %t/target && ln -s target %t/to-target
; RUN: %{run} --output 0=%t/to-target
; RUN: test -h %t/to-target
; RUN: cmp %t/new %t/target
;
; Said before the kernel runs: it would find an error.
; RUN: not %kernel-run %t/k.ll --kernel wrong --grid 1 --block 1 --args out:i32:4 --output 0=%t 2>&1 | FileCheck %s --check-prefix=FOLDER
; FOLDER-NOT: wrong
; FOLDER: kernel-run: --output: {{.*}}: cannot write: it is a folder; name a file in a folder that you may write to
; RUN: not %{run} --output %t/x 2>&1 | FileCheck %s --check-prefix=NAME
; NAME: kernel-run: --output: '{{.*}}x' does not begin with a buffer's number or name and '='
;
; The disk is full: the old file is there still, and nothing else.
; RUN: echo old > %t/full/out
; RUN: not sh -c "trap '' XFSZ; ulimit -f 100; exec %kernel-run %t/k.ll --kernel one --grid 1 --block 1 --args out:i32:64000 --output 0=%t/full/out" 2>&1 | FileCheck %s --check-prefix=FULL
; FULL: {{^}}kernel-run: --output: {{.*}}out: cannot write: File too large
; RUN: FileCheck %s --check-prefix=OLD < %t/full/out
; OLD: old
; RUN: ls %t/full | FileCheck %s --check-prefix=LEFT
; LEFT: out
; LEFT-NOT: {{.}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @one(ptr %out) {
  store i32 1, ptr %out
  ret void
}

define ptx_kernel void @wrong(ptr %out) {
  %outside = getelementptr i32, ptr %out, i32 4
  store i32 1, ptr %outside
  ret void
}
