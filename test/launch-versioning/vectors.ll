; What the divisions of vectors of indices need is asked for as well: Triton's
; indices are in vectors, and nothing bounds its grids.

; RUN: %unravel-opt -passes=launch-versioning -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %kernel-run --grid 9 --block 128 --args out:i32:40000 --kernel tile %s %t.ll
; RUN: %kernel-run --grid 9 --block 128 --args out:i32:40000 --kernel tile_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @tile(
; CHECK: [[G:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; CHECK: [[FITS:%.*]] = icmp ule i64
; CHECK: br i1 [[FITS]], label %fast
; CHECK: fast:
; CHECK-NOT: {{sdiv|srem|x i32>}}
; CHECK: {{^}}fallback:
define ptx_kernel void @tile(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b1 = shl i32 %b, 10
  %t1 = shl nuw nsw i32 %t, 2
  %i = or disjoint i32 %b1, %t1
  %i2 = or disjoint i32 %i, 512
  %v0 = insertelement <2 x i32> poison, i32 %i, i64 0
  %v = insertelement <2 x i32> %v0, i32 %i2, i64 1
  %q = sdiv <2 x i32> %v, splat (i32 75)
  %r = srem <2 x i32> %q, splat (i32 40)
  %q2 = sdiv <2 x i32> %v, splat (i32 3000)
  %m2 = mul nsw <2 x i32> %q2, splat (i32 3000)
  %r2 = srem <2 x i32> %v, splat (i32 75)
  %m = mul nsw <2 x i32> %r2, splat (i32 40)
  %s = add nsw <2 x i32> %m, %m2
  %s1 = add nsw <2 x i32> %s, %r
  %x0 = extractelement <2 x i32> %s1, i64 0
  %x1 = extractelement <2 x i32> %s1, i64 1
  %a0 = sext i32 %x0 to i64
  %a1 = sext i32 %x1 to i64
  %p0 = getelementptr i32, ptr %out, i64 %a0
  %p1 = getelementptr i32, ptr %out, i64 %a1
  store i32 %i, ptr %p0
  store i32 %t, ptr %p1
  ret void
}

; Where memory holds the vector, nothing is taken apart and nothing asked for.
; CHECK-LABEL: define ptx_kernel void @tile_negative(
; CHECK-NOT: fast:
; CHECK: sdiv <2 x i32>
define ptx_kernel void @tile_negative(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %a = sext i32 %b to i64
  %p = getelementptr <2 x i32>, ptr %out, i64 %a
  %v = load <2 x i32>, ptr %p
  %q = sdiv <2 x i32> %v, splat (i32 75)
  %r = srem <2 x i32> %q, splat (i32 40)
  store <2 x i32> %r, ptr %p
  ret void
}
