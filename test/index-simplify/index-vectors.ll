; Indices in vectors, as LLVM's SLP vectorizer leaves them, are simplified like
; scalars; vectors of data stay.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 128 --args out:i32:9000
; RUN: %{run} --kernel pair %s %t.ll
; RUN: %{run} --kernel pair_negative %s %t.ll
; RUN: %{run} --kernel lanes %s %t.ll
; RUN: %{run} --kernel loop %s %t.ll
; RUN: %{run} --kernel whole %s %t.ll
; RUN: %{run} --kernel narrow_negative %s %t.ll
; RUN: %{run} --kernel digits %s %t.ll
; RUN: %{run} --kernel mirrored %s %t.ll
; RUN: %{run} --kernel added %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 75*(v/75) + v%75 is v, in both lanes.
; CHECK-LABEL: define ptx_kernel void @pair(
; CHECK-NOT: {{<2 x i32>|div|rem}}
; CHECK: ret void
define ptx_kernel void @pair(ptr %out) {
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b1 = shl nuw nsw i32 %b, 8
  %i = or disjoint i32 %b1, %t
  %i2 = or disjoint i32 %i, 128
  %v0 = insertelement <2 x i32> poison, i32 %i, i64 0
  %v = insertelement <2 x i32> %v0, i32 %i2, i64 1
  %q = sdiv <2 x i32> %v, splat (i32 75)
  %r = srem <2 x i32> %v, splat (i32 75)
  %m = mul nsw <2 x i32> %q, splat (i32 75)
  %s = add nsw <2 x i32> %m, %r
  %s0 = extractelement <2 x i32> %s, i64 0
  %s1 = extractelement <2 x i32> %s, i64 1
  %a0 = sext i32 %s0 to i64
  %a1 = sext i32 %s1 to i64
  %p0 = getelementptr i32, ptr %out, i64 %a0
  %p1 = getelementptr i32, ptr %out, i64 %a1
  store i32 %i, ptr %p0
  store i32 %t, ptr %p1
  ret void
}

; The vector is data that memory holds: it stays in one piece.
; CHECK-LABEL: define ptx_kernel void @pair_negative(
; CHECK: [[V:%.*]] = load <2 x i32>
; CHECK: [[M:%.*]] = mul <2 x i32> [[V]]
; CHECK: extractelement <2 x i32> [[M]], i64 1
define ptx_kernel void @pair_negative(ptr %out) {
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b1 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b1, %t
  %a = zext nneg i32 %i to i64
  %p = getelementptr <2 x i32>, ptr %out, i64 %a
  %v = load <2 x i32>, ptr %p
  %m = mul <2 x i32> %v, splat (i32 75)
  %s0 = extractelement <2 x i32> %m, i64 0
  %s1 = extractelement <2 x i32> %m, i64 1
  %s = xor i32 %s0, %s1
  store i32 %s, ptr %p
  ret void
}

; All operations that are seen through: lane 1 is i, lane 3 is i + 3.
; CHECK-LABEL: define ptx_kernel void @lanes(
; CHECK-NOT: {{<[24] x |div|rem|freeze}}
; CHECK: ret void
define ptx_kernel void @lanes(ptr %out) {
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b1 = shl nuw nsw i32 %b, 9
  %t4 = shl nuw nsw i32 %t, 2
  %i = or disjoint i32 %b1, %t4
  %i1 = or disjoint i32 %i, 1
  %v0 = insertelement <2 x i32> poison, i32 %i1, i64 0
  %v = insertelement <2 x i32> %v0, i32 %i, i64 1
  %w = shufflevector <2 x i32> %v, <2 x i32> <i32 7, i32 poison>, <4 x i32> <i32 0, i32 1, i32 2, i32 0>
  %o = add nuw nsw <4 x i32> %w, <i32 poison, i32 0, i32 5, i32 2>
  %z = zext nneg <4 x i32> %o to <4 x i64>
  %q = udiv <4 x i64> %z, splat (i64 12)
  %r = urem <4 x i64> %z, splat (i64 12)
  %m = mul nuw nsw <4 x i64> %q, splat (i64 12)
  %s = add nuw nsw <4 x i64> %m, %r
  %c = icmp ult <4 x i64> %s, splat (i64 100000)
  %f = select <4 x i1> %c, <4 x i64> %s, <4 x i64> zeroinitializer
  %g = call <4 x i64> @llvm.umin.v4i64(<4 x i64> %f, <4 x i64> splat (i64 200000))
  %a1 = extractelement <4 x i64> %g, i64 1
  %a3 = extractelement <4 x i64> %g, i64 3
  %p1 = getelementptr i32, ptr %out, i64 %a1
  %p3 = getelementptr i32, ptr %out, i64 %a3
  store i32 %i, ptr %p1
  store i32 %i, ptr %p3
  ret void
}

; A vector that a loop carries; a lane inserted into the next one.
; CHECK-LABEL: define ptx_kernel void @loop(
; CHECK-NOT: {{<2 x i32>|div|rem}}
; CHECK: ret void
define ptx_kernel void @loop(ptr %out) {
entry:
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v0 = insertelement <2 x i32> poison, i32 %t, i64 0
  %v = insertelement <2 x i32> %v0, i32 0, i64 1
  br label %body
body:
  %x = phi <2 x i32> [ %v, %entry ], [ %next, %body ]
  %x0 = extractelement <2 x i32> %x, i64 0
  %k = extractelement <2 x i32> %x, i64 1
  %a = zext nneg i32 %x0 to i64
  %p = getelementptr i32, ptr %out, i64 %a
  store i32 %k, ptr %p
  %again = insertelement <2 x i32> %x, i32 %x0, i64 0
  %next = add nuw nsw <2 x i32> %again, <i32 128, i32 1>
  %go = icmp samesign ult i32 %k, 7
  br i1 %go, label %body, label %end
end:
  ret void
}

; A user of the whole vector gets one made of the lanes.
; CHECK-LABEL: define ptx_kernel void @whole(
; CHECK-NOT: {{div|rem}}
; CHECK: [[W:%.*]] = insertelement <2 x i32> poison, i32 [[A:%.*]], i64 0
; CHECK: [[V:%.*]] = insertelement <2 x i32> [[W]]
; CHECK: store <2 x i32> [[V]]
define ptx_kernel void @whole(ptr %out) {
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b1 = shl nuw nsw i32 %b, 8
  %t2 = shl nuw nsw i32 %t, 1
  %i = or disjoint i32 %b1, %t2
  %v0 = insertelement <2 x i32> poison, i32 %i, i64 0
  %v = insertelement <2 x i32> %v0, i32 %b, i64 1
  %q = udiv <2 x i32> %v, splat (i32 75)
  %r = urem <2 x i32> %v, splat (i32 75)
  %m = mul nuw nsw <2 x i32> %q, splat (i32 75)
  %s = add nuw nsw <2 x i32> %m, %r
  %s0 = extractelement <2 x i32> %s, i64 0
  %a0 = zext nneg i32 %s0 to i64
  %p0 = getelementptr i32, ptr %out, i64 %a0
  store <2 x i32> %s, ptr %p0
  ret void
}

; There are instructions for pairs of 16 bits.
; CHECK-LABEL: define ptx_kernel void @narrow_negative(
; CHECK: add <2 x i16>
define ptx_kernel void @narrow_negative(ptr %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = trunc nuw nsw i32 %t to i16
  %v0 = insertelement <2 x i16> poison, i16 %n, i64 0
  %c = trunc nuw nsw i32 %b to i16
  %v = insertelement <2 x i16> %v0, i16 %c, i64 1
  %s = add <2 x i16> %v, <i16 17, i16 3>
  %s0 = extractelement <2 x i16> %s, i64 0
  %s1 = extractelement <2 x i16> %s, i64 1
  %x = xor i16 %s0, %s1
  %a = zext i16 %x to i64
  %p = getelementptr i32, ptr %out, i64 %a
  store i32 7, ptr %p
  ret void
}

; Digits that LLVM narrowed, of a wider vector of indices.
; CHECK-LABEL: define ptx_kernel void @digits(
; CHECK-NOT: {{<2 x i}}
; CHECK: ret void
define ptx_kernel void @digits(ptr %out) {
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b1 = shl nuw nsw i32 %b, 8
  %i = or disjoint i32 %b1, %t
  %i2 = or disjoint i32 %i, 128
  %v0 = insertelement <2 x i32> poison, i32 %i, i64 0
  %v = insertelement <2 x i32> %v0, i32 %i2, i64 1
  %r = urem <2 x i32> %v, splat (i32 56)
  %n = trunc nuw nsw <2 x i32> %r to <2 x i8>
  %s = add nuw nsw <2 x i8> %n, splat (i8 3)
  %m = urem <2 x i8> %s, splat (i8 56)
  %w = zext nneg <2 x i8> %m to <2 x i32>
  %s0 = extractelement <2 x i32> %w, i64 0
  %s1 = extractelement <2 x i32> %w, i64 1
  %x = add nuw nsw i32 %s0, %s1
  %a = zext nneg i32 %x to i64
  %p = getelementptr i32, ptr %out, i64 %a
  store i32 7, ptr %p
  ret void
}

; Intrinsics that act on each lane.
; CHECK-LABEL: define ptx_kernel void @mirrored(
; CHECK-NOT: {{<2 x i}}
; CHECK: ret void
define ptx_kernel void @mirrored(ptr %out) {
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v0 = insertelement <2 x i32> poison, i32 %t, i64 0
  %v = insertelement <2 x i32> %v0, i32 %b, i64 1
  %s = add nsw <2 x i32> %v, <i32 -63, i32 -3>
  %abs = call <2 x i32> @llvm.abs.v2i32(<2 x i32> %s, i1 true)
  %c = call <2 x i32> @llvm.umin.v2i32(<2 x i32> %abs, <2 x i32> <i32 40, i32 4>)
  %s0 = extractelement <2 x i32> %c, i64 0
  %s1 = extractelement <2 x i32> %c, i64 1
  %m = mul nuw nsw i32 %s1, 50
  %x = add nuw nsw i32 %m, %s0
  %a = zext nneg i32 %x to i64
  %p = getelementptr i32, ptr %out, i64 %a
  store i32 7, ptr %p
  ret void
}

; The sum of all lanes, and their maximum. 75*(v/75) + v%75 is v.
; CHECK-LABEL: define ptx_kernel void @added(
; CHECK-NOT: {{<2 x i|reduce|div|rem|mulhi}}
; CHECK: ret void
define ptx_kernel void @added(ptr %out) {
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b1 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b1, %t
  %q = udiv i32 %i, 75
  %r = urem i32 %i, 75
  %v0 = insertelement <2 x i32> poison, i32 %q, i64 0
  %v = insertelement <2 x i32> %v0, i32 %r, i64 1
  %m = mul nuw nsw <2 x i32> %v, <i32 75, i32 1>
  %s = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %m)
  %w0 = insertelement <2 x i32> poison, i32 %s, i64 0
  %w = insertelement <2 x i32> %w0, i32 200, i64 1
  %c = call i32 @llvm.vector.reduce.umax.v2i32(<2 x i32> %w)
  %a = zext nneg i32 %c to i64
  %p = getelementptr i32, ptr %out, i64 %a
  store i32 7, ptr %p
  ret void
}
