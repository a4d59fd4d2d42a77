; Triton and mlir-translate hand modules over before they have a triple. With a
; data layout they are simplified; the kernel itself computes the same.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll 2>&1 | count 0
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='default<O3>' -S %s | FileCheck %s
; RUN: %kernel-run --grid 4 --block 64 --kernel split --args out:i32:256 %s %t.ll

; Without a layout the offset of a structure's second member is not known yet:
; nothing is changed, and that is said once for the module.
; RUN: sed '/^target datalayout/d' %s > %t.bare.ll
; RUN: %unravel-opt -passes=index-simplify,index-reciprocals -S %t.bare.ll -o %t.bare.out.ll 2> %t.err
; RUN: opt -S %t.bare.ll -o %t.bare.same.ll
; RUN: diff %t.bare.out.ll %t.bare.same.ll
; RUN: FileCheck %s --check-prefix=WARNING --implicit-check-not=warning < %t.err
; RUN: %unravel-opt -passes='default<O3>' -disable-output %t.bare.ll 2> %t.err
; RUN: FileCheck %s --check-prefix=WARNING --implicit-check-not=warning < %t.err
; WARNING: warning: '{{.*}}no-triple.ll.tmp.bare.ll' is code for NVIDIA GPUs without a data layout, so its indices are not simplified; give the module a data layout and the target triple nvptx64-nvidia-cuda

; A host's module has a triple, or nothing of a GPU in it.
; RUN: sed 's/^target datalayout.*/target triple = "x86_64-unknown-linux-gnu"/' %s > %t.host.ll
; RUN: %unravel-opt -passes=index-simplify -S %t.host.ll 2>&1 | FileCheck %s --check-prefix=KEPT --implicit-check-not=warning
; RUN: sed 's/ptx_kernel//; s/@llvm.nvvm.read.ptx.sreg/@other/' %s > %t.plain.ll
; RUN: %unravel-opt -passes=index-simplify -S %t.plain.ll 2>&1 | FileCheck %s --check-prefix=KEPT --implicit-check-not=warning

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

; CHECK-LABEL: define {{.*}}@split(
; CHECK-NOT: {{[us]div|[us]rem}}
; CHECK: ret void
; KEPT-LABEL: define {{.*}}@split(
; KEPT: udiv
; KEPT: urem
define ptx_kernel void @split(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = mul i32 %b, 64
  %i = add i32 %h, %t
  %q = udiv i32 %i, 24
  %r = urem i32 %i, 24
  %s = mul i32 %q, 24
  %x = add i32 %s, %r
  %p = getelementptr i32, ptr %out, i32 %x
  store i32 %x, ptr %p
  ret void
}

; A second function, so that a warning for each would be noticed.
; KEPT-LABEL: define {{.*}}@second(
; KEPT: udiv
define ptx_kernel void @second(ptr %out) {
  %t = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 24
  %r = urem i32 %t, 24
  %s = mul i32 %q, 24
  %x = add i32 %s, %r
  %p = getelementptr i32, ptr %out, i32 %x
  store i32 %x, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
