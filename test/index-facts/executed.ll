; What is stated holds while the kernel runs: kernel-run checks assumptions.

; RUN: %unravel-opt -passes='index-facts,index-facts<state>' -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; CHECK-COUNT-4: call void @llvm.assume(i1 %{{.*}}), !unravel.stated
; DEFINE: %{run} = %kernel-run --grid 3 --block 32
; RUN: %{run} --args out:i32:96,i32:90,i32:7,i32:5,i32:2 %s %t.ll
; RUN: %{run} --args out:i32:96,i32:96,i32:1,i32:1,i32:1 %s %t.ll
; RUN: %{run} --args out:i32:96,i32:90,i32:-7,i32:-5,i32:-2 %s %t.ll
; RUN: %{run} --args out:i32:96,i32:90,i32:46341,i32:-46340,i32:1 %s %t.ll
; RUN: %{run} --args out:i32:96,i32:90,i32:-65536,i32:16384,i32:2 %s %t.ll
; No code divides: the product may wrap, and be zero.
; RUN: %{run} --args out:i32:96,i32:0,i32:65536,i32:65536,i32:0 %s %t.ll
; This launch breaks the fact, and so does the source.
; RUN: not %{run} --args out:i32:96,i32:90,i32:46341,i32:46341,i32:1 %t.ll 2>&1 | FileCheck %s --check-prefix=BROKEN
; BROKEN: assum

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr noundef %out, i32 noundef %n, i32 noundef %a, i32 noundef %b, i32 noundef %c) {
entry:
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %g, %m
  %x = add i32 %s, %t
  %in = icmp slt i32 %x, %n
  br i1 %in, label %body, label %done
body:
  %ab = mul nsw i32 %a, %b
  %abc = mul nsw i32 %ab, %c
  %q = sdiv i32 %x, %abc
  %e = sext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}
