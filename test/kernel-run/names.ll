; A kernel has its symbol, its demangled name, and the plain part of that, on the
; command line and in a file of launches, as in a facts file.
;
; DEFINE: %{run} = %kernel-run %s --grid 1 --block 1 --args out:i32:1
; RUN: %{run} --kernel _Z5firstPi | FileCheck %s --check-prefix=FIRST
; RUN: %{run} --kernel 'first(int*)' | FileCheck %s --check-prefix=FIRST
; RUN: %{run} --kernel first | FileCheck %s --check-prefix=FIRST
; FIRST: _Z5firstPi: 1 threads, 4 of 4 bytes changed
; RUN: %{run} --kernel first --also-kernel 'second<int>'
;
; A plain name that two kernels have is no name of one.
; RUN: not %{run} --kernel second 2>&1 | FileCheck %s --check-prefix=SEVERAL
; SEVERAL: kernel-run: {{.*}}names.ll has several kernels second, choose one of _Z6secondIiEvPT_, _Z6secondIjEvPT_
; RUN: %{run} --kernel 'second<unsigned int>'
;
; RUN: echo '[{"kernel": "first", "grid": [1, 1, 1], "block": [1, 1, 1], "args": [{"buffer": "out", "type": "i32", "count": 1}]}]' > %t.json
; RUN: %kernel-run %s --kernel first --launches %t.json | FileCheck %s --check-prefix=FIRST
;
; The list says what mangled names mean; of several files it lists each.
; RUN: %kernel-run %s %S/several-kernels.ll --list | FileCheck %s --check-prefix=LIST
; LIST:      names.ll:
; LIST-NEXT: _Z5firstPi(ptr %out) = first(int*)
; LIST-NEXT: _Z6secondIiEvPT_(ptr %out) = void second<int>(int*)
; LIST-NEXT: _Z6secondIjEvPT_(ptr %out) = void second<unsigned int>(unsigned int*)
; LIST-NEXT: several-kernels.ll:
; LIST-NEXT: first(ptr %out)
;
; What is no IR, and passes without their plugin: the message says what to do.
; RUN: echo '__global__ void k() {}' > %t.cu
; RUN: not %kernel-run %t.cu --list 2>&1 | FileCheck %s --check-prefix=CUDA
; CUDA: kernel-run: [[FILE:.*\.cu]]: this is CUDA, and kernel-run reads LLVM IR; compile it: clang++-{{[0-9]+}} -x cuda [[FILE]] --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -S -emit-llvm -o names.ll.tmp.ll
; RUN: not %{run} --kernel first --passes index-simplify 2>&1 | FileCheck %s --check-prefix=PLUGIN
; PLUGIN: kernel-run: --passes: unknown {{.*}}pass{{.*}}index-simplify{{.*}}; passes of a plugin need --load-pass-plugin, those of Unravel --load-pass-plugin=Unravel.so

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @_Z5firstPi(ptr %out) {
  store i32 7, ptr %out
  ret void
}
define ptx_kernel void @_Z6secondIiEvPT_(ptr %out) {
  store i32 7, ptr %out
  ret void
}
define ptx_kernel void @_Z6secondIjEvPT_(ptr %out) {
  store i32 7, ptr %out
  ret void
}
