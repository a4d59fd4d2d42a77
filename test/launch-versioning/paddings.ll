; A divisor that is a sum needs one positive summand. Of `w + 2 * pad` that is w:
; 0 is an ordinary padding, and takes the fast body.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @padded(
; CHECK-DAG: icmp sge i32 %pad, 0
; CHECK-DAG: icmp sgt i32 %w, 0
; CHECK: fast:
; CHECK: udiv i32
; CHECK: {{^}}fallback:
; CHECK: sdiv i32
; RUN: %kernel-run --kernel padded --grid 2 --block 64 --args out:i32:128,i32:9,i32:0 %s %t.ll
; RUN: %kernel-run --kernel padded --grid 2 --block 64 --args out:i32:128,i32:9,i32:3 %s %t.ll
; RUN: %kernel-run --kernel padded --grid 2 --block 64 --args out:i32:128,i32:9,i32:-3 %s %t.ll
; RUN: %kernel-run --kernel padded --grid 2 --block 64 --args out:i32:128,i32:0,i32:3 %s %t.ll
; RUN: %kernel-run --kernel padded --grid 2 --block 64 --args out:i32:128,i32:-9,i32:3 %s %t.ll
; RUN: %kernel-run --kernel padded --grid 2 --block 64 --args out:i32:128,i32:9,i32:1073741823 %s %t.ll
; RUN: %kernel-run --kernel padded --grid 2 --block 64 --args out:i32:128,i32:9,i32:1073741824 %s %t.ll
define ptx_kernel void @padded(ptr noundef %out, i32 noundef %w, i32 noundef %pad) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %twice = shl i32 %pad, 1
  %wide = add i32 %twice, %w
  %q = sdiv i32 %i, %wide
  %r = srem i32 %i, %wide
  %v = xor i32 %q, %r
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %v, ptr %p
  ret void
}

; Of a product both factors have to be positive: the sum may overflow where its
; product with 0 rows is small.
; CHECK-LABEL: define ptx_kernel void @product_negative(
; CHECK-DAG: icmp sgt i32 %rows, 0
; CHECK-DAG: icmp sg{{[te]}} i32 %w, 0
; CHECK-DAG: icmp sg{{[te]}} i32 %pad, 0
; CHECK: fast:
; RUN: %kernel-run --kernel product_negative --grid 2 --block 64 --args out:i32:128,i32:9,i32:3,i32:5 %s %t.ll
; RUN: %kernel-run --kernel product_negative --grid 2 --block 64 --args out:i32:128,i32:1073741824,i32:1073741824,i32:0 %s %t.ll
; RUN: %kernel-run --kernel product_negative --grid 2 --block 64 --args out:i32:128,i32:-9,i32:3,i32:5 %s %t.ll
; RUN: %kernel-run --kernel product_negative --grid 2 --block 64 --args out:i32:128,i32:65536,i32:0,i32:32769 %s %t.ll
define ptx_kernel void @product_negative(ptr noundef %out, i32 noundef %w, i32 noundef %pad, i32 noundef %rows) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %wide = add i32 %pad, %w
  %area = mul i32 %wide, %rows
  %x = add i32 %area, %i
  %q = sdiv i32 %x, 75
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}
