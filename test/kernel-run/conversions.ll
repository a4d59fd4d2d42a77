; Integers become floats in the rounding mode that the intrinsic names.

; RUN: %kernel-run %s --kernel up --also-kernel up_expected --grid 1 --block 1 --args out:f32:4 | FileCheck %s
; CHECK: identical in 2 versions (16 changed)

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 2^24 + 1 is between two floats, 2^32 - 1 below a power of two.
@numbers = internal constant [4 x i32] [i32 0, i32 16777216, i32 16777217, i32 -1]

define ptx_kernel void @up(ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i32, ptr @numbers, i64 %i
  %n = load i32, ptr %from
  %f = call float @llvm.nvvm.ui2f.rp(i32 %n)
  %to = getelementptr float, ptr %out, i64 %i
  store float %f, ptr %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %done
done:
  ret void
}

define ptx_kernel void @up_expected(ptr %out) {
  store <4 x float> <float 0.0, float 16777216.0, float 16777218.0, float 4294967296.0>, ptr %out, align 4
  ret void
}
