; What is assumed about the grid becomes a range of the block index, at the calls
; that are sure to reach the assumption.

; RUN: %unravel-opt -passes=index-facts -S %s | FileCheck %s
; And so survives -O3, which drops the assumption.
; (In a pipeline the contradiction of @more_negative is an error.)
; RUN: sed 's/%%d = icmp eq/%%d = icmp ne/' %s > %t.ll
; RUN: %unravel-opt -passes='default<O3>' -mcpu=sm_90 -S %t.ll | FileCheck %s --check-prefix=O3

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @grid(
; CHECK: call range(i32 0, 469) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; O3-LABEL: define {{.*}}ptx_kernel void @grid(
; O3-NOT: {{sdiv|srem}}
; O3: ret void
define ptx_kernel void @grid(ptr noundef %out) "nvvm.maxntid"="128" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %c = icmp eq i32 %g, 469
  call void @llvm.assume(i1 %c)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl i32 %b, 7
  %x = add i32 %b128, %t
  %q = sdiv i32 %x, 75
  %e = sext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; Behind a branch the assumption says nothing about the call in front of it.
; CHECK-LABEL: define ptx_kernel void @grid_negative(
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; O3-LABEL: define {{.*}}ptx_kernel void @grid_negative(
define ptx_kernel void @grid_negative(ptr noundef %out, i1 noundef %maybe) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr %out
  br i1 %maybe, label %known, label %done
known:
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %c = icmp eq i32 %g, 469
  call void @llvm.assume(i1 %c)
  br label %done
done:
  ret void
}

; The size of the grid says nothing about the block, nor the size in x about y.
; CHECK-LABEL: define ptx_kernel void @others_negative(
; CHECK: = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK: = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
; CHECK: = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
; CHECK: call range(i32 469, 470) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
define ptx_kernel void @others_negative(ptr noundef %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %h = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %c = icmp eq i32 %g, 469
  call void @llvm.assume(i1 %c)
  store i32 %g, ptr %out
  ret void
}

; More than 10 threads: tid is below the largest size, not below the least.
; CHECK-LABEL: define ptx_kernel void @more(
; CHECK: = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: call range(i32 11, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @more(ptr noundef %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %c = icmp ugt i32 %n, 10
  call void @llvm.assume(i1 %c)
  store i32 %n, ptr %out
  ret void
}

; Assumptions that contradict each other leave the first.
; CHECK-LABEL: define ptx_kernel void @more_negative(
; CHECK: call range(i32 5, 6) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @more_negative(ptr noundef %out) {
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %c = icmp eq i32 %n, 5
  call void @llvm.assume(i1 %c)
  %d = icmp eq i32 %n, 7
  call void @llvm.assume(i1 %d)
  store i32 %n, ptr %out
  ret void
}

; Not every call of one intrinsic returns the same number.
; CHECK-LABEL: define ptx_kernel void @no_register_negative(
; CHECK: = call i32 @llvm.ctpop.i32(i32 %x)
; CHECK: = call i32 @llvm.ctpop.i32(i32 %y)
define ptx_kernel void @no_register_negative(i32 noundef %x, i32 noundef %y) {
  %a = call i32 @llvm.ctpop.i32(i32 %x)
  %b = call i32 @llvm.ctpop.i32(i32 %y)
  %c = icmp ult i32 %a, 5
  call void @llvm.assume(i1 %c)
  ret void
}
