; IR goes through opt and llc without and with the plugin: with the pass and the
; clean-up that the pipeline has behind it, or at its extension point in a
; pipeline. The index below is %t itself, and its guard always true.

; RUN: %ptx-compare --plugin %plugin %s --fail-if-worse --keep %t.keep | FileCheck %s
; RUN: FileCheck %s --check-prefix=BEFORE < %t.keep/ir.ll.before.ptx
; RUN: FileCheck %s --check-prefix=AFTER < %t.keep/ir.ll.after.ptx
; RUN: %ptx-compare --plugin %plugin %s --pipeline 'default<O3>' | FileCheck %s
; RUN: opt -passes=verify %s -o %t.bc
; RUN: %ptx-compare --plugin %plugin %t.bc --arch=sm_80 | FileCheck %s

; Without a triple, as Triton and mlir-translate make it.
; RUN: sed '/^target triple/d' %s > %t.no-triple.ll
; RUN: %ptx-compare --plugin %plugin %t.no-triple.ll --fail-if-worse | FileCheck %s

; CHECK: kernel
; CHECK: {{^}}roundtrip {{ *}}[[#]] -> {{ *}}[[#]]  {{ *}}[[#]] -> {{ *}}0 {{.*}}0.{{[0-9][0-9]$}}

; BEFORE: .target sm_90
; BEFORE: mul.hi.u32
; BEFORE: bra
; AFTER: .target sm_90
; AFTER-NOT: mul.hi
; AFTER-NOT: bra

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @roundtrip(ptr addrspace(1) %p,
                                    i32 range(i32 0, 60000) %t) {
  %z = udiv i32 %t, 3000
  %t75 = udiv i32 %t, 75
  %y = urem i32 %t75, 40
  %x = urem i32 %t, 75
  %z40 = mul nuw i32 %z, 40
  %zy = add nuw i32 %z40, %y
  %zy75 = mul nuw i32 %zy, 75
  %i = add nuw i32 %zy75, %x
  %inside = icmp ult i32 %i, 60000
  br i1 %inside, label %body, label %done
body:
  %i64 = zext i32 %i to i64
  %g = getelementptr inbounds float, ptr addrspace(1) %p, i64 %i64
  store float 1.0, ptr addrspace(1) %g, align 4
  br label %done
done:
  ret void
}
