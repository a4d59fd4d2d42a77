; x | c = c + (x & ~c): InstCombine's way to write 112 + x % 16 for x below 128,
; and b*16 | (t + 16) for b / 2 * 32 + t + 16.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; DEFINE: %{run} = %kernel-run --grid 17 --block 128 --args out:i32:70000
; RUN: %{run} --kernel last_row %s %t.ll
; RUN: %{run} --kernel last_row_negative %s %t.ll
; RUN: %{run} --kernel sign_bit %s %t.ll
; RUN: %{run} --kernel sign_bit_negative %s %t.ll
; RUN: %{run} --kernel pair %s %t.ll
; DEFINE: %{tiles} = %kernel-run --grid 4 --block 128 --args out:i32:70000
; RUN: %{tiles} --kernel tile %s %t.ll
; RUN: %{tiles} --kernel tile_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The second address is the first one and 448.
; CHECK-LABEL: define ptx_kernel void @last_row(
; CHECK-NOT: or i32
; CHECK: getelementptr inbounds nuw i8, ptr %{{.*}}, i64 448
; CHECK: ret void
define ptx_kernel void @last_row(ptr noundef %out) {
  %b = call range(i32 0, 17) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = shl nuw nsw i32 %b, 7
  %x = or disjoint i32 %m, %t
  %q = lshr i32 %x, 4
  %lane = and i32 %t, 15
  %row = mul nuw nsw i32 %q, 125
  %i = add nuw nsw i32 %row, %lane
  %w = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %w
  store i32 %x, ptr %p
  %last = or i32 %t, 112
  %j = add nuw nsw i32 %row, %last
  %wj = zext nneg i32 %j to i64
  %r = getelementptr inbounds i32, ptr %out, i64 %wj
  store i32 %lane, ptr %r
  ret void
}

; Of x below 256 one bit above 112 is left: no digit.
; CHECK-LABEL: define ptx_kernel void @last_row_negative(
; CHECK: or i32 %{{.*}}, 112
; CHECK: ret void
define ptx_kernel void @last_row_negative(ptr noundef %out) {
  %b = call range(i32 0, 17) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = shl nuw nsw i32 %b, 8
  %x = or disjoint i32 %m, %t
  %q = lshr i32 %x, 4
  %lane = and i32 %t, 15
  %row = mul nuw nsw i32 %q, 125
  %i = add nuw nsw i32 %row, %lane
  %w = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %w
  store i32 %lane, ptr %p
  %last = or i32 %t, 112
  %j = add nuw nsw i32 %row, %last
  %wj = zext nneg i32 %j to i64
  %r = getelementptr inbounds i32, ptr %out, i64 %wj
  store i32 1, ptr %r
  ret void
}

; With the sign bit the sum is a negative number: t%16 - 16, and 16 more is t%16.
; CHECK-LABEL: define ptx_kernel void @sign_bit(
; CHECK-NOT: or i32
; CHECK: and i32 %t, 15
; CHECK-NOT: {{or|add}} i32
; CHECK: ret void
define ptx_kernel void @sign_bit(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = or i32 %t, -16
  %i = add i32 %low, 16
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; Read as unsigned it is not.
; CHECK-LABEL: define ptx_kernel void @sign_bit_negative(
; CHECK: lshr i32
; CHECK: ret void
define ptx_kernel void @sign_bit_negative(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = or i32 %t, -16
  %high = lshr i32 %low, 14
  %i = sub i32 %high, 262143
  %s = mul i32 %i, 3
  %lane = and i32 %t, 127
  %j = add i32 %s, %lane
  %e = zext i32 %j to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %j, ptr %p
  ret void
}

; Two elements of each thread: the second pair of addresses is the first and 768.
; CHECK-LABEL: define ptx_kernel void @pair(
; CHECK-NOT: or i32
; CHECK: getelementptr inbounds nuw i8, ptr %{{.*}}, i64 768
; CHECK: getelementptr inbounds nuw i8, ptr %{{.*}}, i64 772
; CHECK: ret void
define ptx_kernel void @pair(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %t, 5
  %row = mul nuw nsw i32 %warp, 250
  %two = shl nuw nsw i32 %t, 1
  %lane = and i32 %two, 62
  %i = add nuw nsw i32 %row, %lane
  %w = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %w
  store i32 %t, ptr %p
  %third = or i32 %two, 192
  %j = add nuw nsw i32 %row, %third
  %wj = zext nneg i32 %j to i64
  %q = getelementptr inbounds i32, ptr %out, i64 %wj
  store i32 %lane, ptr %q
  %fourth = or i32 %two, 193
  %k = add nuw nsw i32 %row, %fourth
  %wk = zext nneg i32 %k to i64
  %r = getelementptr inbounds i32, ptr %out, i64 %wk
  store i32 %warp, ptr %r
  ret void
}

; Rows 16 + t/32 of the tile b/2: 4096 bytes behind rows t/32.
; CHECK-LABEL: define ptx_kernel void @tile(
; CHECK-NOT: or i32
; CHECK: getelementptr inbounds nuw i8, ptr %{{.*}}, i64 4096
; CHECK: ret void
define ptx_kernel void @tile(ptr noundef %out) {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %t, 5
  %lane = and i32 %t, 31
  %tiles = shl nuw nsw i32 %b, 4
  %top = and i32 %tiles, 32
  %row = or disjoint i32 %top, %warp
  %place = shl nuw nsw i32 %row, 6
  %i = or disjoint i32 %place, %lane
  %w = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %w
  store i32 %t, ptr %p
  %below = or disjoint i32 %warp, 16
  %lower = or i32 %below, %tiles
  %there = shl nuw nsw i32 %lower, 6
  %j = or disjoint i32 %there, %lane
  %wj = zext nneg i32 %j to i64
  %q = getelementptr inbounds i32, ptr %out, i64 %wj
  store i32 %warp, ptr %q
  ret void
}

; The other side may have the bit 32, and it may not.
; CHECK-LABEL: define ptx_kernel void @tile_negative(
; CHECK: or i32
; CHECK: ret void
define ptx_kernel void @tile_negative(ptr noundef %out) {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = and i32 %t, 35
  %lane = and i32 %t, 31
  %tiles = shl nuw nsw i32 %b, 4
  %below = or disjoint i32 %warp, 16
  %lower = or i32 %below, %tiles
  %there = shl nuw nsw i32 %lower, 6
  %j = or disjoint i32 %there, %lane
  %wj = zext nneg i32 %j to i64
  %q = getelementptr inbounds i32, ptr %out, i64 %wj
  store i32 1, ptr %q
  ret void
}
