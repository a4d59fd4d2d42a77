; Kernels as clang -O3 leaves them (test/Inputs): what is left of their index
; arithmetic, equal results, and nothing to do for a second run.

; DEFINE: %{run} = %unravel-opt -passes=index-simplify,verify -S
; DEFINE: %{twice} = %unravel-opt -passes=index-simplify,index-simplify,verify -S

; RUN: %{run} %S/../Inputs/reshape.ll -o %t.ll && FileCheck %s --check-prefix=RESHAPE < %t.ll
; RUN: %{twice} %S/../Inputs/reshape.ll -o %t.2.ll && diff %t.ll %t.2.ll
; RUN: %kernel-run --grid 235 --block 256 --args in:f32:60000,out:f32:60000 --kernel reshape %S/../Inputs/reshape.ll %t.ll
; RESHAPE-LABEL: define ptx_kernel void @reshape(
; RESHAPE-NOT: {{div |rem |trunc|mulhi|i16}}
; RESHAPE: ret void

; Two quotients, and the write goes to the linear index.
; RUN: %{run} %S/../Inputs/transposed.ll -o %t.ll && FileCheck %s --check-prefix=TRANSPOSED < %t.ll
; RUN: %{twice} %S/../Inputs/transposed.ll -o %t.2.ll && diff %t.ll %t.2.ll
; RUN: %kernel-run --grid 119 --block 256 --args in:f32:30240,out:f32:30240 --kernel transposed %S/../Inputs/transposed.ll %t.ll
; TRANSPOSED-LABEL: define ptx_kernel void @transposed(
; TRANSPOSED-NOT: {{[su]rem|i16}}
; TRANSPOSED-DAG: sdiv i32 %{{.*}}, 24
; TRANSPOSED-DAG: sdiv i32 %{{.*}}, 7560
; TRANSPOSED-NOT: {{[su]rem|[su]div|i16}}
; TRANSPOSED: ret void

; One register for all reads: 4, 304 and 308 bytes apart.
; RUN: %{run} %S/../Inputs/pooling.ll -o %t.ll && FileCheck %s --check-prefix=POOLING < %t.ll
; RUN: %{twice} %S/../Inputs/pooling.ll -o %t.2.ll && diff %t.ll %t.2.ll
; RUN: %kernel-run --grid 107 --block 128 --args in:f32:54720,out:f32:13680 --kernel pooling %S/../Inputs/pooling.ll %t.ll
; POOLING-LABEL: define ptx_kernel void @pooling(
; POOLING-NOT: {{urem|freeze|i16}}
; POOLING: ret void
