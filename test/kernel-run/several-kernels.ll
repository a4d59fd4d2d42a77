; A module with several kernels: which there are, which one runs.
;
; RUN: %kernel-run %s --list | FileCheck %s --check-prefix=LIST --match-full-lines
; LIST:      first(ptr %out)
; LIST-NEXT: second(ptr %in, ptr addrspace(1) %out, i32 %n, float %0)
; LIST-NEXT: by_value(8 bytes by value %pair, ptr %out)
; LIST-NOT: {{.+}}
;
; RUN: not %kernel-run %s --grid 1 --block 1 --args out:i32:1 2>&1 | FileCheck %s --check-prefix=CHOOSE
; CHOOSE: kernel-run: {{.*}}several-kernels.ll has several kernels, choose with --kernel: first, second, by_value
; RUN: not %kernel-run %s --kernel thrid --grid 1 --block 1 --args out:i32:1 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: kernel-run: {{.*}} defines no kernel thrid; it has first, second, by_value
; RUN: %kernel-run %s --kernel first --grid 1 --block 1 --args out:i32:1 | FileCheck %s --check-prefix=FIRST
; FIRST: first: 1 threads, 4 of 4 bytes changed
; A function that is no kernel runs as well, if it is named.
; RUN: %kernel-run %s --kernel helper --grid 1 --block 1 --args out:i32:1,i32:5
;
; One kernel needs no name; neither does one function without any kernel.
; RUN: llvm-extract --func=first --recursive %s -S -o %t.one.ll
; RUN: %kernel-run %t.one.ll --grid 1 --block 1 --args out:i32:1 | FileCheck %s --check-prefix=FIRST
; RUN: llvm-extract --func=helper %s -o %t.bc
; RUN: %kernel-run %t.bc --grid 1 --block 1 --args out:i32:1,i32:5 | FileCheck %s --check-prefix=HELPER
; HELPER: helper: 1 threads, 4 of 4 bytes changed
; RUN: echo 'target triple = "nvptx64-nvidia-cuda"' > %t.empty.ll
; RUN: not %kernel-run %t.empty.ll --grid 1 --block 1 --args out:i32:1 2>&1 | FileCheck %s --check-prefix=EMPTY
; EMPTY: kernel-run: {{.*}}empty.ll has no kernel
;
; A struct by value is given by its bytes; each thread has its own copy.
; RUN: %python -c "import struct; open(r'%t.pair', 'wb').write(struct.pack('<2i', 30, 12))"
; RUN: %kernel-run %s --kernel by_value --grid 2 --block 3 --args in:i32:2:file=%t.pair,out:i32:1 --output out=%t.sum
; RUN: od -A n -t d4 %t.sum | FileCheck %s --check-prefix=SUM
; SUM: {{^ *}}42{{$}}
; RUN: not %kernel-run %s --kernel by_value --grid 1 --block 1 --args in:i32:3,out:i32:1 2>&1 | FileCheck %s --check-prefix=STRUCT
; STRUCT: parameter 0 is a struct of 8 bytes, the launch gives 12

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @first(ptr %out) {
  call void @helper(ptr %out, i32 7)
  ret void
}

define void @helper(ptr %out, i32 %x) {
  store i32 %x, ptr %out
  ret void
}

define ptx_kernel void @second(ptr %in, ptr addrspace(1) %out, i32 %n, float) {
  ret void
}

define ptx_kernel void @by_value(ptr byval({ i32, i32 }) align 4 %pair, ptr %out) {
  %second.at = getelementptr i8, ptr %pair, i64 4
  %first = load i32, ptr %pair
  %second = load i32, ptr %second.at
  %sum = add i32 %first, %second
  store i32 0, ptr %pair
  store i32 %sum, ptr %out
  ret void
}
