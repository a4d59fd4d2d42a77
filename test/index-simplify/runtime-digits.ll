; Digits that are all used by addresses which are best left as they are, with
; strides of run time: of two remainders and two quotients one chain is left.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=index-simplify -S < %t.ll > %t.twice.ll
; RUN: %unravel-opt -passes=verify -S < %t.ll | diff - %t.twice.ll
; DEFINE: %{run} = %kernel-run --grid 2 --block 40
; RUN: %{run} --args in:i32:4000,out:i32:4000,i32:5,i32:7,i32:11,i32:100,i32:13 --kernel digits %s %t.ll
; RUN: %{run} --args in:i32:4000,out:i32:4000,i32:1,i32:1,i32:1,i32:1,i32:1 --kernel digits %s %t.ll
; RUN: %{run} --args in:i32:4000,out:i32:4000,i32:5,i32:7,i32:11,i32:100,i32:13 --kernel digits_negative %s %t.ll
; RUN: %{run} --args in:i32:4000,out:i32:4000,i32:65536,i32:65536,i32:11,i32:100,i32:13 --kernel digits_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @digits(
; CHECK-COUNT-2: udiv
; CHECK-NOT: {{div|rem}} i
; CHECK: ret void
define ptx_kernel void @digits(ptr noundef %in, ptr noundef %out, i32 noundef range(i32 1, 1000) %w, i32 noundef range(i32 1, 1000) %h, i32 noundef range(i32 -1000, 1000) %sx, i32 noundef range(i32 -1000, 1000) %sy, i32 noundef range(i32 -1000, 1000) %sz) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = urem i32 %i, %w
  %line = udiv i32 %i, %w
  %y = urem i32 %line, %h
  %wh = mul nuw nsw i32 %w, %h
  %z = udiv i32 %i, %wh
  %zs = mul nsw i32 %z, %sz
  %ys = mul nsw i32 %y, %sy
  %xs = mul nsw i32 %x, %sx
  %zy = add nsw i32 %zs, %ys
  %zyx = add nsw i32 %zy, %xs
  %e = sext i32 %zyx to i64
  %p = getelementptr i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %i64 = zext i32 %i to i64
  %q = getelementptr i32, ptr %out, i64 %i64
  store i32 %v, ptr %q
  ret void
}

; w*h may wrap: i / (w*h) is no digit of the chain.
; CHECK-LABEL: define ptx_kernel void @digits_negative(
; CHECK: [[WH:%.*]] = mul i32 {{%w, %h|%h, %w}}
; CHECK: udiv i32 %{{.*}}, [[SAFE:%.*]]
; CHECK: ret void
define ptx_kernel void @digits_negative(ptr noundef %in, ptr noundef %out, i32 noundef range(i32 1, 100000) %w, i32 noundef range(i32 1, 100000) %h, i32 noundef range(i32 -1000, 1000) %sx, i32 noundef range(i32 -1000, 1000) %sy, i32 noundef range(i32 -1000, 1000) %sz) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = urem i32 %i, %w
  %line = udiv i32 %i, %w
  %y = urem i32 %line, %h
  %wh = mul i32 %w, %h
  %safe = call i32 @llvm.umax.i32(i32 %wh, i32 1)
  %z = udiv i32 %i, %safe
  %zs = mul nsw i32 %z, %sz
  %ys = mul nsw i32 %y, %sy
  %xs = mul nsw i32 %x, %sx
  %zy = add nsw i32 %zs, %ys
  %zyx = add nsw i32 %zy, %xs
  %e = sext i32 %zyx to i64
  %p = getelementptr i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %i64 = zext i32 %i to i64
  %q = getelementptr i32, ptr %out, i64 %i64
  store i32 %v, ptr %q
  ret void
}
