; The thread index is kept as the value that the program has, also where its
; flags or a fact make it a polynomial of the launch.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 7 --block 96
; RUN: %{run} --args out:i32:2000,i32:1,i32:1 --kernel whole %s %t.ll
; RUN: %{run} --args out:i32:2000,i32:13,i32:7 --kernel whole %s %t.ll
; RUN: %{run} --args out:i32:2000,i32:1000,i32:3 --kernel whole %s %t.ll
; RUN: %{run} --args out:i32:2000,i32:13 --kernel other_sum_negative %s %t.ll
; RUN: %{run} --args out:i32:2000,i32:1 --kernel other_sum_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @whole(
; CHECK: mul nuw nsw i32 %block, %ntid
; CHECK: [[I:%.*]] = add nuw nsw i32
; CHECK-NOT: mul
; CHECK: udiv i32 [[I]], %w
; CHECK-NOT: {{ (mul|udiv|sdiv|urem|srem) }}
; CHECK: ret void
define ptx_kernel void @whole(ptr noundef %out, i32 noundef range(i32 1, 2000) %w, i32 noundef range(i32 1, 2000) %h) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %block, %ntid
  %i = add nuw nsw i32 %first, %tid
  %x = urem i32 %i, %w
  %y = udiv i32 %i, %w
  %y2 = urem i32 %y, %h
  %z = udiv i32 %y, %h
  %zh = mul nuw nsw i32 %z, %h
  %row = add nuw nsw i32 %zh, %y2
  %rw = mul nuw nsw i32 %row, %w
  %j = add nuw nsw i32 %rw, %x
  %v = add nuw nsw i32 %row, 1
  %e = zext i32 %j to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %v, ptr %p
  ret void
}

; A sum that the pass writes anew is as good.
; CHECK-LABEL: define ptx_kernel void @other_sum_negative(
; CHECK: mul nuw nsw i32 %tid, 7
; CHECK-NOT: {{div|rem}}
; CHECK: ret void
define ptx_kernel void @other_sum_negative(ptr noundef %out, i32 noundef range(i32 1, 2000) %w) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %tid, 7
  %i = add nuw nsw i32 %first, %block
  %x = urem i32 %i, %w
  %y = udiv i32 %i, %w
  %yw = mul nuw nsw i32 %y, %w
  %j = add nuw nsw i32 %yw, %x
  %e = zext i32 %j to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %j, ptr %p
  ret void
}
