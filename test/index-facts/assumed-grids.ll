; gridDim * blockDim <= 2^31, which UNRAVEL_NO_WRAP_GRID() states: the index of
; every thread fits a signed integer, and so does the first of each block.

; RUN: %unravel-opt -passes=index-facts -S %s -o %t.ll && FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=index-facts,index-facts -S %s | FileCheck %s
; RUN: %unravel-opt -passes='index-facts,index-facts<state>,index-simplify,index-facts<forget>' -S %s -o %t.done.ll
; DEFINE: %{run} = %kernel-run --grid 3,2 --block 31,2 --args out:i32:400
; RUN: %{run} --kernel stated %s %t.done.ll
; RUN: %{run} --kernel behind %s %t.done.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:400 --kernel stated %s %t.done.ll
; A launch that breaks what is stated is told so, as before.
; RUN: not %kernel-run --kernel stated --grid 2147483647 --block 32 --blocks 0 --args out:i32:400 %t.done.ll 2>&1 | FileCheck %s --check-prefix=BROKEN
; BROKEN: breaks an assumption

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @stated(
; CHECK: %m = mul nuw nsw i32 %b, %bs
; CHECK: %i = add nuw nsw i32 %t, %m
define ptx_kernel void @stated(ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %gs = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide.gs = zext i32 %gs to i64
  %wide.bs = zext i32 %bs to i64
  %all = mul i64 %wide.gs, %wide.bs
  %fits = icmp ult i64 %all, 2147483649
  call void @llvm.assume(i1 %fits)
  %m = mul i32 %b, %bs
  %i = add i32 %t, %m
  %q = sdiv i32 %i, 75
  %e = sext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; Also where it is stated behind the index, in y, and as <=.
; CHECK-LABEL: define ptx_kernel void @behind(
; CHECK: %m = mul nuw nsw i32 %bs, %b
; CHECK: %i = add nuw nsw i32 %m, %t
define ptx_kernel void @behind(ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %m = mul i32 %bs, %b
  %i = add i32 %m, %t
  %gs = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %wide.gs = zext i32 %gs to i64
  %wide.bs = zext i32 %bs to i64
  %all = mul nuw nsw i64 %wide.bs, %wide.gs
  %fits = icmp ule i64 %all, 2147483648
  call void @llvm.assume(i1 %fits)
  %q = sdiv i32 %i, 3
  %e = sext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; One thread too many; another dimension; a product of 32 bits, which may wrap;
; an index that is computed whether or not the assumption is reached.
; CHECK-LABEL: define ptx_kernel void @larger_negative(
; CHECK: %m = mul i32
; CHECK: %i = add i32
define ptx_kernel void @larger_negative(ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %gs = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide.gs = zext i32 %gs to i64
  %wide.bs = zext i32 %bs to i64
  %all = mul i64 %wide.gs, %wide.bs
  %fits = icmp ule i64 %all, 2147483649
  call void @llvm.assume(i1 %fits)
  %m = mul i32 %b, %bs
  %i = add i32 %t, %m
  %q = sdiv i32 %i, 75
  store i32 %q, ptr %out
  ret void
}
; CHECK-LABEL: define ptx_kernel void @other_dimension_negative(
; CHECK: %m = mul i32
; CHECK: %i = add i32
define ptx_kernel void @other_dimension_negative(ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %gs = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide.gs = zext i32 %gs to i64
  %wide.bs = zext i32 %bs to i64
  %all = mul i64 %wide.gs, %wide.bs
  %fits = icmp ult i64 %all, 2147483649
  call void @llvm.assume(i1 %fits)
  %m = mul i32 %b, %bs
  %i = add i32 %t, %m
  %q = sdiv i32 %i, 75
  store i32 %q, ptr %out
  ret void
}
; CHECK-LABEL: define ptx_kernel void @narrow_negative(
; CHECK: %m = mul i32
; CHECK: %i = add i32
define ptx_kernel void @narrow_negative(ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %gs = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %all = mul i32 %gs, %bs
  %fits = icmp ule i32 %all, 2147483647
  call void @llvm.assume(i1 %fits)
  %m = mul i32 %b, %bs
  %i = add i32 %t, %m
  %q = sdiv i32 %i, 75
  store i32 %q, ptr %out
  ret void
}
; CHECK-LABEL: define ptx_kernel void @not_reached_negative(
; CHECK: %m = mul i32
; CHECK: %i = add i32
define ptx_kernel void @not_reached_negative(ptr noundef %out, i1 noundef %small) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %gs = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %t, %m
  br i1 %small, label %body, label %done
body:
  %wide.gs = zext i32 %gs to i64
  %wide.bs = zext i32 %bs to i64
  %all = mul i64 %wide.gs, %wide.bs
  %fits = icmp ult i64 %all, 2147483649
  call void @llvm.assume(i1 %fits)
  br label %done
done:
  %q = sdiv i32 %i, 75
  store i32 %q, ptr %out
  ret void
}
declare void @llvm.assume(i1)
