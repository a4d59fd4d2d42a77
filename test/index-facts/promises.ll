; The two promises. Off by default; then the thread index may wrap and sizes may
; be negative.

; DEFINE: %{fits} = %unravel-opt -index-simplify-promise-index-fits
; DEFINE: %{positive} = %unravel-opt -index-simplify-promise-positive-sizes
; RUN: %{fits} -passes=index-facts -S %s | FileCheck %s --check-prefixes=CHECK,FITS
; RUN: %{fits} -passes='index-facts,index-facts<state>' -S %s | FileCheck %s --check-prefix=STATED
; RUN: %{fits} -passes='index-facts,index-facts<state>,index-facts<forget>' -S %s | FileCheck %s --check-prefix=FORGET
; RUN: %{positive} -passes=index-facts -S %s | FileCheck %s --check-prefixes=CHECK,POSITIVE
; RUN: %{positive} -passes=index-facts,index-facts -S %s | FileCheck %s --check-prefixes=CHECK,POSITIVE
; RUN: %unravel-opt -passes='index-facts,index-facts<state>' -S %s | FileCheck %s --check-prefix=NEITHER
; NEITHER-NOT: call void @llvm.assume
; NEITHER-NOT: {{(mul|add) nuw}}

; A launch that keeps both promises, and one that breaks each.
; RUN: %{fits} -index-simplify-promise-positive-sizes -passes='index-facts,index-facts<state>' -S %s -o %t.ll
; RUN: %kernel-run --kernel index --grid 3 --block 32 --args out:i32:96,i32:7,i32:5 %s %t.ll
; RUN: not %kernel-run --kernel index --grid 3 --block 32 --args out:i32:96,i32:7,i32:-5 %t.ll 2>&1 | FileCheck %s --check-prefix=BROKEN
; RUN: not %kernel-run --kernel index --grid 2147483647 --block 32 --blocks 0 --args out:i32:96,i32:7,i32:5 %t.ll 2>&1 | FileCheck %s --check-prefix=BROKEN
; BROKEN: assum

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @index(
; POSITIVE: %[[A:.*]] = icmp sgt i32 %a, 0
; POSITIVE-NEXT: call void @llvm.assume(i1 %[[A]])
; POSITIVE-NEXT: %[[B:.*]] = icmp sgt i32 %b, 0
; POSITIVE-NEXT: call void @llvm.assume(i1 %[[B]])
; POSITIVE-NOT: assume
; FITS: %p = mul nuw nsw i32 %t, %g
; FITS: %x = add nuw nsw i32 %i, %p
; STATED-LABEL: define ptx_kernel void @index(
; STATED: call {{.*}}@llvm.nvvm.read.ptx.sreg.nctaid.x()
; STATED: call {{.*}}@llvm.nvvm.read.ptx.sreg.ntid.x()
; STATED: mul nuw i64
; STATED: icmp ule i64 {{.*}}, 2147483648
; STATED: call void @llvm.assume
; FORGET-LABEL: define ptx_kernel void @index(
; FORGET-NOT: nctaid
; FORGET-NOT: assume
; FORGET: ret void
define ptx_kernel void @index(ptr noundef %out, i32 noundef %a, i32 noundef %b) {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = mul i32 %t, %g
  %x = add i32 %i, %p
  %ab = mul i32 %a, %b
  %q = sdiv i32 %x, %ab
  %u = udiv i32 %x, %b
  %e = zext i32 %x to i64
  %o = getelementptr i32, ptr %out, i64 %e
  store i32 %q, ptr %o
  store i32 %u, ptr %o
  ret void
}

; Another dimension, another summand, another width, an unsigned size.
; CHECK-LABEL: define ptx_kernel void @index_negative(
; POSITIVE-NOT: assume
; FITS: %p = mul i32 %g, %ty
; FITS: %s = mul nuw nsw i32 %g, %tx
; FITS: %x = add i32 %s, %n
; FITS: %y = add i32 %s, %iy
; CHECK: ret void
define ptx_kernel void @index_negative(ptr noundef %out, i32 noundef %n, i32 noundef %u) {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %iy = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %p = mul i32 %g, %ty
  %s = mul i32 %g, %tx
  %x = add i32 %s, %n
  %y = add i32 %s, %iy
  %q = udiv i32 %x, %u
  store i32 %p, ptr %out
  store i32 %q, ptr %out
  store i32 %y, ptr %out
  ret void
}

; Fields of structs by value, and what is extended.
; CHECK-LABEL: define ptx_kernel void @fields(
; POSITIVE: %[[W:.*]] = icmp sgt i32 %w, 0
; POSITIVE: call void @llvm.assume(i1 %[[W]])
; POSITIVE: %f = load i32, ptr %s
; POSITIVE-NEXT: %[[F:.*]] = icmp sgt i32 %f, 0
; POSITIVE: call void @llvm.assume(i1 %[[F]])
; POSITIVE-NOT: assume
; CHECK: ret void
define ptx_kernel void @fields(ptr noundef %out, i64 noundef %x, i32 noundef %w, ptr byval({i32, i32}) %s) {
  %f = load i32, ptr %s
  %t = trunc i64 %x to i32
  %q = srem i32 %t, %f
  store i32 %q, ptr %out
  %wide = sext i32 %w to i64
  %r = udiv i64 %x, %wide
  store i64 %r, ptr %out
  %other = load i32, ptr %out
  %z = srem i32 %t, %other
  store i32 %z, ptr %out
  ret void
}

; Where the number of threads is known, the promise bounds the grid.
; CHECK-LABEL: define ptx_kernel void @known_block(
; FITS: call range(i32 0, 16777216) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; FITS: call range(i32 1, 16777217) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; POSITIVE-NOT: call range
; CHECK: ret void
define ptx_kernel void @known_block(ptr noundef %out) "nvvm.reqntid"="128" {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  store i32 %g, ptr %out
  store i32 %n, ptr %out
  ret void
}

; The largest number of threads says nothing, and that of another dimension.
; CHECK-LABEL: define ptx_kernel void @known_block_negative(
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: ret void
define ptx_kernel void @known_block_negative(ptr noundef %out) "nvvm.maxntid"="128" {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %g, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @other_dimension_negative(
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: ret void
define ptx_kernel void @other_dimension_negative(ptr noundef %out) "nvvm.reqntid"="1,128" {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %g, ptr %out
  ret void
}
