; The thread index: every spelling of blockIdx*blockDim + threadIdx, over several
; dimensions, scaled, and what of it is known anyway.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; One block of 2^31 threads would do; one more would not.
; CHECK-LABEL: define ptx_kernel void @one_dimension(
; CHECK: [[P:%.*]] = mul nuw nsw i64
; CHECK: icmp ule i64 [[P]], 2147483648
; CHECK: fast:
; CHECK-NOT: sdiv
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel one_dimension --grid 3 --block 40 --args out:i32:120 %s %t.ll
; RUN: %kernel-run --kernel one_dimension --grid 2097152 --block 1024 --blocks 0,1,last --args out:i32:64 %s %t.ll
; RUN: %kernel-run --kernel one_dimension --grid 2147483647 --block 1024 --blocks 0,1,2097151,2097152,last --args out:i32:64 %s %t.ll
define ptx_kernel void @one_dimension(ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %bs, %b
  %x = add i32 %t, %m
  %q = sdiv i32 %x, 75
  %low = icmp ult i32 %t, 40
  br i1 %low, label %body, label %done
body:
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; With a constant in place of the size, which no thread index reaches, the test
; is of the blocks alone.
; CHECK-LABEL: define ptx_kernel void @constant_block(
; CHECK: [[P:%.*]] = mul nuw nsw i64 {{.*}}, 256
; CHECK: icmp ule i64 [[P]], 2147483648
; CHECK-NOT: icmp
; CHECK: fast:
; CHECK: shl nuw nsw i32
; CHECK-NOT: sdiv
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel constant_block --grid 3 --block 256 --blocks 0,1,last --args out:i32:64 %s %t.ll
; RUN: %kernel-run --kernel constant_block --grid 8388608 --block 256 --blocks 0,1,last --args out:i32:64 %s %t.ll
; RUN: %kernel-run --kernel constant_block --grid 8388609 --block 256 --blocks 0,1,last --args out:i32:64 %s %t.ll
define ptx_kernel void @constant_block(ptr noundef %out) "nvvm.maxntid"="256" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = shl i32 %b, 8
  %x = or disjoint i32 %m, %t
  %q = sdiv i32 %x, 75
  %low = icmp ult i32 %t, 40
  br i1 %low, label %body, label %done
body:
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; No power of two.
; CHECK-LABEL: define ptx_kernel void @constant_factor(
; CHECK: [[P:%.*]] = mul nuw nsw i64 {{.*}}, 100
; CHECK: icmp ule i64 [[P]], 2147483648
; CHECK-NOT: icmp
; CHECK: fast:
; CHECK: mul nuw nsw i32
; CHECK: add nuw nsw i32
; CHECK-NOT: sdiv
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel constant_factor --grid 3 --block 96 --blocks 0,1,last --args out:i32:64 %s %t.ll
; RUN: %kernel-run --kernel constant_factor --grid 21474836 --block 96 --blocks 0,1,last --args out:i32:64 %s %t.ll
; RUN: %kernel-run --kernel constant_factor --grid 21474837 --block 96 --blocks 0,1,last --args out:i32:64 %s %t.ll
define ptx_kernel void @constant_factor(ptr noundef %out) "nvvm.maxntid"="96" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, 100
  %x = add i32 %m, %t
  %q = sdiv i32 %x, 75
  %low = icmp ult i32 %t, 40
  br i1 %low, label %body, label %done
body:
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; Here a thread index may reach it: the block is part of the test.
; CHECK-LABEL: define ptx_kernel void @larger_block_negative(
; CHECK: [[B:%.*]] = call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK: icmp ule i64 {{.*}}, 2147483648
; CHECK: fast:
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel larger_block_negative --grid 3 --block 512 --blocks 0,1,last --args out:i32:64 %s %t.ll
; RUN: %kernel-run --kernel larger_block_negative --grid 8388607 --block 512 --blocks 0,1,last --args out:i32:64 %s %t.ll
; RUN: %kernel-run --kernel larger_block_negative --grid 8388608 --block 512 --blocks 0,1,last --args out:i32:64 %s %t.ll
define ptx_kernel void @larger_block_negative(ptr noundef %out) "nvvm.maxntid"="512" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = shl i32 %b, 8
  %x = add i32 %m, %t
  %q = sdiv i32 %x, 75
  %low = icmp ult i32 %t, 40
  br i1 %low, label %body, label %done
body:
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; ((z*Gy + y)*Gx + x)*B + t: each is a digit of the next.
; CHECK-LABEL: define ptx_kernel void @two_dimensions(
; CHECK: [[P:%.*]] = mul nuw nsw i64
; CHECK: mul nuw
; CHECK: icmp ule i64 {{.*}}, 2147483648
; CHECK-NOT: icmp
; CHECK: fast:
; CHECK: mul nuw nsw i32
; CHECK: add nuw nsw i32
; CHECK: mul nuw nsw i32
; CHECK: add nuw nsw i32
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel two_dimensions --grid 3,2 --block 20 --args out:i32:120 %s %t.ll
define ptx_kernel void @two_dimensions(ptr noundef %out) {
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul i32 %by, %gx
  %block = add i32 %row, %bx
  %m = mul i32 %block, %bs
  %x = add i32 %m, %t
  %q = sdiv i32 %x, 75
  %r = srem i32 %x, 75
  %v = xor i32 %q, %r
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %v, ptr %p
  ret void
}

; 4*x + 3 of the last thread has to fit.
; CHECK-LABEL: define ptx_kernel void @scaled(
; CHECK: icmp ule i64 {{.*}}, 214748364{{[0-9]}}
; CHECK: fast:
; CHECK: shl nuw nsw i32 {{.*}}, 2
; CHECK-NOT: sdiv
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel scaled --grid 3 --block 40 --args out:i32:120,i32:7 %s %t.ll
; RUN: %kernel-run --kernel scaled --grid 524288 --block 1024 --blocks 0,1,last --args out:i32:120,i32:7 %s %t.ll
; RUN: %kernel-run --kernel scaled --grid 524289 --block 1024 --blocks 0,1,last --args out:i32:120,i32:7 %s %t.ll
define ptx_kernel void @scaled(ptr noundef %out, i32 noundef %w) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %x4 = shl i32 %x, 2
  %x43 = or disjoint i32 %x4, 3
  %q = sdiv i32 %x43, %w
  %low = icmp ult i32 %x, 120
  br i1 %low, label %body, label %done
body:
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; Threads of another dimension are no digit of blockDim.x: y*Bx + y' is bounded
; by the largest of both.
; CHECK-LABEL: define ptx_kernel void @mixed_dimensions(
; CHECK: add nuw nsw i64
; CHECK: fast:
; CHECK-NOT: sdiv
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel mixed_dimensions --grid 3 --block 20,2 --args out:i32:120,i32:7 %s %t.ll
define ptx_kernel void @mixed_dimensions(ptr noundef %out, i32 noundef %w) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %q = sdiv i32 %x, %w
  %b2 = shl i32 %b, 1
  %by = add i32 %b2, %t
  %at0 = mul i32 %by, 20
  %at = add i32 %at0, %tx
  %e = zext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}

; The launch bounds and the range of the block index leave nothing to ask.
; CHECK-LABEL: define ptx_kernel void @known_launch_negative(
; CHECK-NOT: {{^}}fallback:
; CHECK: ret void
define ptx_kernel void @known_launch_negative(ptr noundef %out) "nvvm.reqntid"="256" {
  %b = call range(i32 0, 4096) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = shl i32 %b, 8
  %x = add i32 %t, %m
  %q = sdiv i32 %x, 75
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}

; No grid is so high that its y index wraps, also where nothing reads its size.
; CHECK-LABEL: define ptx_kernel void @rows_negative(
; CHECK-NOT: {{^}}fallback:
; CHECK: ret void
define ptx_kernel void @rows_negative(ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %m = mul i32 %b, 1024
  %x = add i32 %t, %m
  %e = sext i32 %x to i64
  %q = udiv i64 %e, 75
  %p = getelementptr inbounds i64, ptr %out, i64 %e
  store i64 %q, ptr %p
  ret void
}
