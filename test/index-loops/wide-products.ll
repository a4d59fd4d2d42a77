; A product of two words as numbers of 64 bits is one instruction (mul.wide) if
; the code generator sees that both are words: it selects block by block, reads an
; extended word from memory as a number of 64 bits, and extends a word that is not
; negative with zeros.

; RUN: %unravel-opt -passes=wide-products -S < %s > %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: llc -mcpu=sm_90 < %t.ll | FileCheck %s --check-prefix=PTX
; RUN: llc -mcpu=sm_90 < %s | FileCheck %s --check-prefix=BEFORE
; DEFINE: %{run} = %kernel-run --grid 1 --block 32
; DEFINE: %{gather} = --args out:f32:4096,in:i32:64:min=0:max=31,i32:7,i32:64
; RUN: %{run} --kernel signed %{gather} %s %t.ll
; RUN: %{run} --kernel unsigned %{gather} %s %t.ll
; RUN: %{run} --kernel non_negative %{gather} %s %t.ll
; RUN: %{run} --kernel square %{gather} %s %t.ll
; RUN: %{run} --kernel branch %{gather} %s %t.ll
; RUN: %{run} --kernel signs %{gather} %s %t.ll
; RUN: %{run} --kernel stepped_negative %{gather} %s %t.ll
; RUN: %{run} --kernel invariant_negative %{gather} %s %t.ll
; RUN: %{run} --kernel mixed_negative %{gather} %s %t.ll
; RUN: %{run} --kernel rows_negative %{gather} %s %t.ll
; RUN: %{run} --kernel repeated_negative %{gather} %s %t.ll
; RUN: %{run} --kernel seen_negative %{gather} %s %t.ll

; A second run finds nothing more; other targets are left alone.
; RUN: %unravel-opt -passes=wide-products -S < %t.ll > %t2.ll
; RUN: diff %t.ll %t2.ll
; RUN: %unravel-opt -passes=wide-products -mtriple=x86_64-linux-gnu -S < %s | FileCheck %s --check-prefix=HOST
; HOST-NOT: asm

; The default pipelines run it at their end; in front of a link, its passes still
; look into products.
; DEFINE: %{show} = %unravel-opt -disable-output -print-pipeline-passes %s
; RUN: %{show} -passes='default<O3>' | FileCheck %s --check-prefix=ON
; RUN: %{show} -passes='lto<O3>' | FileCheck %s --check-prefix=LINK
; RUN: %{show} -passes='default<O0>' | FileCheck %s --check-prefix=OFF
; RUN: %{show} -passes='lto-pre-link<O3>' | FileCheck %s --check-prefix=OFF
; RUN: %{show} -passes='thinlto-pre-link<O3>' | FileCheck %s --check-prefix=OFF
; ON: latch-branches,wide-products
; LINK: wide-products
; OFF-NOT: wide-products

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The factor that the loop does not change is extended in front of it, the other
; one by the load.
; CHECK-LABEL: define ptx_kernel void @signed(
; CHECK-NOT: sext i32 %n
; CHECK: loop:
; CHECK: %index = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %n, i32 %row)
; PTX-LABEL: .entry signed(
; PTX-NOT: mul.lo.s64
; PTX: mul.wide.s32
; PTX: ret
; BEFORE-LABEL: .entry signed(
; BEFORE: mul.lo.s64
define ptx_kernel void @signed(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %n.wide = sext i32 %n to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at.row = getelementptr i32, ptr %in, i32 %i
  %row = load i32, ptr %at.row
  %row.wide = sext i32 %row to i64
  %index = mul nsw i64 %n.wide, %row.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unsigned(
; CHECK: loop:
; CHECK: %index = call i64 asm "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %row, i32 %n)
; PTX-LABEL: .entry unsigned(
; PTX-NOT: mul.lo.s64
; PTX: mul.wide.u32
; PTX: ret
define ptx_kernel void @unsigned(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %n.wide = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at.row = getelementptr i32, ptr %in, i32 %i
  %row = load i32, ptr %at.row
  %row.wide = zext i32 %row to i64
  %index = mul i64 %row.wide, %n.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A number that is not negative is the same either way.
; CHECK-LABEL: define ptx_kernel void @non_negative(
; CHECK: loop:
; CHECK: %index = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %row, i32 %n)
; PTX-LABEL: .entry non_negative(
; PTX-NOT: mul.lo.s64
; PTX: mul.wide.s32
; PTX: ret
define ptx_kernel void @non_negative(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %n.wide = zext nneg i32 %n to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at.row = getelementptr i32, ptr %in, i32 %i
  %row = load i32, ptr %at.row
  %row.wide = sext i32 %row to i64
  %index = mul i64 %row.wide, %n.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Both factors are one word.
; CHECK-LABEL: define ptx_kernel void @square(
; CHECK: then:
; CHECK-NEXT: %index = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %row, i32 %row)
; PTX-LABEL: .entry square(
; PTX-NOT: mul.lo.s64
; PTX: mul.wide.s32
; PTX: ret
define ptx_kernel void @square(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %row = load i32, ptr %in
  %row.wide = sext i32 %row to i64
  %small = icmp slt i32 %row, %m
  br i1 %small, label %then, label %exit
then:
  %index = mul nsw i64 %row.wide, %row.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  br label %exit
exit:
  ret void
}

; Without a loop: one use in each branch.
; CHECK-LABEL: define ptx_kernel void @branch(
; CHECK: then:
; CHECK-NEXT: %there = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %t, i32 %m)
; CHECK: else:
; CHECK-NEXT: %here = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %t, i32 %n)
; PTX-LABEL: .entry branch(
; PTX-NOT: mul.lo.s64
; PTX: ret
define ptx_kernel void @branch(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t.wide = sext i32 %t to i64
  %low = icmp slt i32 %t, 16
  br i1 %low, label %then, label %else
then:
  %m.wide = sext i32 %m to i64
  %there = mul nsw i64 %t.wide, %m.wide
  %at.there = getelementptr float, ptr %out, i64 %there
  store float 1.0, ptr %at.there
  br label %exit
else:
  %n.wide = sext i32 %n to i64
  %here = mul nsw i64 %t.wide, %n.wide
  %at.here = getelementptr float, ptr %out, i64 %here
  store float 2.0, ptr %at.here
  br label %exit
exit:
  ret void
}

; The loop adds n to the product that it had.
; CHECK-LABEL: define ptx_kernel void @stepped_negative(
; CHECK: %index = mul nuw nsw i64 %i, %n.wide
define ptx_kernel void @stepped_negative(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %n.wide = zext nneg i32 %n to i64
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = zext nneg i32 %j to i64
  %index = mul nuw nsw i64 %i, %n.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The loop does not change the product.
; CHECK-LABEL: define ptx_kernel void @invariant_negative(
; CHECK: %index = mul nsw i64 %m.wide, %n.wide
define ptx_kernel void @invariant_negative(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %n.wide = sext i32 %n to i64
  %m.wide = sext i32 %m to i64
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %index = mul nsw i64 %m.wide, %n.wide
  %at = getelementptr float, ptr %out, i64 %index
  store volatile float 1.0, ptr %at
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; One may be negative, the other is unsigned.
; CHECK-LABEL: define ptx_kernel void @mixed_negative(
; CHECK: %index = mul i64 %row.wide, %n.wide
define ptx_kernel void @mixed_negative(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %n.wide = zext i32 %n to i64
  %row = load i32, ptr %in
  %row.wide = sext i32 %row to i64
  %small = icmp slt i32 %row, %m
  br i1 %small, label %then, label %exit
then:
  %index = mul i64 %row.wide, %n.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  br label %exit
exit:
  ret void
}

; A word that may be negative, and one that may not, in one block.
; CHECK-LABEL: define ptx_kernel void @signs(
; CHECK: %index = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %t, i32 %n)
; PTX-LABEL: .entry signs(
; PTX-NOT: mul.lo.s64
; PTX: ret
define ptx_kernel void @signs(ptr %out, ptr %in, i32 %n, i32 %m) {
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t.wide = zext i32 %t to i64
  %n.wide = sext i32 %n to i64
  %index = mul nsw i64 %t.wide, %n.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  ret void
}

; The next row is n further.
; CHECK-LABEL: define ptx_kernel void @rows_negative(
; CHECK: then:
; CHECK: %index = mul nsw i64 %t.wide, %n.wide
; CHECK: %below = mul nsw i64 %next.wide, %n.wide
define ptx_kernel void @rows_negative(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n.wide = sext i32 %n to i64
  %small = icmp slt i32 %t, %m
  br i1 %small, label %then, label %exit
then:
  %t.wide = sext i32 %t to i64
  %index = mul nsw i64 %t.wide, %n.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  %next = add nsw i32 %t, 1
  %next.wide = sext i32 %next to i64
  %below = mul nsw i64 %next.wide, %n.wide
  %at.below = getelementptr float, ptr %out, i64 %below
  store float 1.0, ptr %at.below
  br label %exit
exit:
  ret void
}

; The code generator makes one of this product and the one in front of it.
; CHECK-LABEL: define ptx_kernel void @repeated_negative(
; CHECK: then:
; CHECK: %index = mul nuw nsw i64 %again.wide, %d.wide
define ptx_kernel void @repeated_negative(ptr %out, ptr %in, i32 %n, i32 %m) {
entry:
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d.wide = zext i32 %d to i64
  %t.wide = zext i32 %t to i64
  %size = mul nuw nsw i64 %d.wide, %t.wide
  %small = icmp ult i64 %size, 2048
  br i1 %small, label %then, label %exit
then:
  %again = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %again.wide = zext i32 %again to i64
  %index = mul nuw nsw i64 %again.wide, %d.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  br label %exit
exit:
  ret void
}

; Seen as it is.
; CHECK-LABEL: define ptx_kernel void @seen_negative(
; CHECK: %index = mul nsw i64 %s.wide, %n.wide
; PTX-LABEL: .entry seen_negative(
; PTX: mul.wide.s32
define ptx_kernel void @seen_negative(ptr %out, ptr %in, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = add i32 %t, %m
  %s.wide = sext i32 %s to i64
  %n.wide = sext i32 %n to i64
  %index = mul nsw i64 %s.wide, %n.wide
  %at = getelementptr float, ptr %out, i64 %index
  store float 1.0, ptr %at
  ret void
}
