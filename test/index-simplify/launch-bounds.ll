; __launch_bounds__ and the launch itself bound thread and block indices.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %kernel-run --grid 8 --block 128 --args out:i32:3000 --kernel most %s %t.ll
; RUN: %kernel-run --grid 8 --block 128 --args out:i32:3000 --kernel most_negative %s %t.ll
; RUN: %kernel-run --grid 8 --block 16,8 --args out:i32:3000 --kernel product %s %t.ll
; RUN: %kernel-run --grid 8 --block 128 --args out:i32:3000 --kernel product_negative %s %t.ll
; RUN: %kernel-run --grid 8 --block 96,4,1 --args out:i32:3000 --kernel exactly %s %t.ll
; RUN: %kernel-run --grid 8 --block 64,4,1 --args out:i32:3000 --kernel exactly_negative %s %t.ll
; RUN: %kernel-run --grid 8 --block 128 --args out:i32:3000 --kernel relation %s %t.ll
; RUN: %kernel-run --grid 8 --block 128 --args out:i32:3000 --kernel relation_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; At most 128 threads: block and thread index are digits in base 128.
; CHECK-LABEL: define ptx_kernel void @most(
; CHECK-NOT: {{lshr|and i|div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @most(ptr %out) "nvvm.maxntid"="128" {
  %b = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %r = and i32 %i, 127
  %e = zext nneg i32 %r to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; 129 threads: the last one is no digit in base 128.
; CHECK-LABEL: define ptx_kernel void @most_negative(
; CHECK: {{lshr|and i32}}
; CHECK: store
define ptx_kernel void @most_negative(ptr %out) "nvvm.maxntid"="129" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl i32 %b, 7
  %i = add i32 %b128, %t
  %r = and i32 %i, 127
  %e = zext nneg i32 %r to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; The bound is on the product of the dimensions: x and y are below 128.
; CHECK-LABEL: define ptx_kernel void @product(
; CHECK-NOT: {{lshr|and i|div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @product(ptr %out) "nvvm.maxntid"="16,8" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %x128 = and i32 %x, 127
  %y128 = urem i32 %y, 128
  %y16 = shl nuw nsw i32 %y128, 4
  %i = add nuw nsw i32 %y16, %x128
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; A block of 128 x 1 is allowed by 16 x 8 as well: x need not be below 16.
; CHECK-LABEL: define ptx_kernel void @product_negative(
; CHECK: {{and i32|urem|lshr}}
; CHECK: store
define ptx_kernel void @product_negative(ptr %out) "nvvm.maxntid"="16,8" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = and i32 %x, 15
  %e = zext nneg i32 %r to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; A required block size is ntid, in each dimension: 4*x + y is a digit pair.
; CHECK-LABEL: define ptx_kernel void @exactly(
; CHECK-NOT: {{lshr|and i|div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @exactly(ptr %out) "nvvm.reqntid"="96,4,1" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %y.nx = mul nuw nsw i32 %y, %nx
  %i = add nuw nsw i32 %y.nx, %x
  %q = udiv i32 %i, 96
  %r = urem i32 %i, 96
  %r4 = shl nuw nsw i32 %r, 2
  %k = add nuw nsw i32 %r4, %q
  %e = zext nneg i32 %k to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %i, ptr %p
  ret void
}

; Only x is below 64; y of the same block size is not below 3.
; CHECK-LABEL: define ptx_kernel void @exactly_negative(
; CHECK: {{urem|udiv|mulhi|select|icmp}}
; CHECK: store
define ptx_kernel void @exactly_negative(ptr %out) "nvvm.reqntid"="64,4,1" {
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %r = urem i32 %y, 3
  %e = zext nneg i32 %r to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; tid.x < ntid.x and ctaid.x < nctaid.x in every launch.
; CHECK-LABEL: define ptx_kernel void @relation(
; CHECK-NOT: icmp
; CHECK: store
define ptx_kernel void @relation(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %t.in = icmp ult i32 %t, %n
  %b.out = icmp sge i32 %b, %g
  %b.in = xor i1 %b.out, true
  %in = and i1 %t.in, %b.in
  br i1 %in, label %write, label %done
write:
  %e = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; Nothing relates x to the size in y.
; CHECK-LABEL: define ptx_kernel void @relation_negative(
; CHECK: icmp {{[us]}}{{[lg]}}{{[te]}} i32
; CHECK: store
define ptx_kernel void @relation_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %in = icmp ult i32 %t, %n
  br i1 %in, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}
