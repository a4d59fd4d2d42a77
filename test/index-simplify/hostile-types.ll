; Odd widths, address spaces, vectors, and types of any size. Nothing here may
; crash the pass or leave it broken IR; a second run, other passes and what
; prints have to cope as well.

; RUN: %unravel-opt -passes='index-simplify,verify,index-simplify,verify,instcombine,verify' -S %s | FileCheck %s
; RUN: %unravel-opt -passes='print<range-facts>,print<indexing-maps>' -disable-output %s 2>&1 | FileCheck --check-prefix=PRINT %s
; RUN: %unravel-opt -passes=index-simplify -disable-output -pass-remarks=index-simplify -pass-remarks-missed=index-simplify -pass-remarks-analysis=index-simplify %s
; RUN: %unravel-opt -passes='default<O3>' -disable-output %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
%opaque = type opaque
@a3 = addrspace(3) global [64 x i32] undef
@a4 = addrspace(4) constant [64 x i32] zeroinitializer
@ext = external addrspace(1) global %opaque
@al = alias i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @tgt, i64 4)
@tgt = addrspace(1) global [4 x i32] zeroinitializer

; CHECK-LABEL: @wide(
; PRINT-LABEL: Range facts of wide:
define ptx_kernel void @wide(ptr %p, i128 %x, i256 %y, i65 %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = udiv i128 %x, 18446744073709551616
  %a2 = trunc i128 %a to i64
  %b = udiv i128 %x, 36893488147419103232
  %b2 = trunc i128 %b to i32
  %c = urem i256 %y, 340282366920938463463374607431768211456
  %c2 = trunc i256 %c to i64
  %d = sdiv i65 %z, -18446744073709551616
  %d2 = trunc i65 %d to i64
  %d3 = urem i65 %z, 18446744073709551616
  %d4 = trunc i65 %d3 to i64
  %e = udiv i64 %a2, 75
  %f = urem i64 %a2, 75
  %g = mul i64 %e, 75
  %h = add i64 %g, %f
  %p1 = getelementptr i32, ptr %p, i64 %h
  store i32 0, ptr %p1
  %b3 = udiv i32 %b2, 3
  %b4 = mul i32 %b3, 3
  %b5 = urem i32 %b2, 3
  %b6 = add i32 %b4, %b5
  %p2 = getelementptr i32, ptr %p, i32 %b6
  store i32 0, ptr %p2
  %c3 = udiv i64 %c2, 7
  %c4 = urem i64 %c2, 7
  %c5 = mul i64 %c3, 7
  %c6 = add i64 %c4, %c5
  %p3 = getelementptr i8, ptr %p, i64 %c6
  store i8 0, ptr %p3
  %d5 = udiv i64 %d2, 7
  %d6 = urem i64 %d2, 7
  %d7 = mul i64 %d5, 7
  %d8 = add i64 %d6, %d7
  %p4 = getelementptr i8, ptr %p, i64 %d8
  store i8 0, ptr %p4
  %d9 = udiv i64 %d4, 7
  %d10 = urem i64 %d4, 7
  %d11 = mul i64 %d9, 7
  %d12 = add i64 %d10, %d11
  %p5 = getelementptr i8, ptr %p, i64 %d12
  store i8 0, ptr %p5
  %cmp = icmp ult i128 %x, 100
  store i1 %cmp, ptr %p
  %cmp2 = icmp ult i256 %c, %y
  store i1 %cmp2, ptr %p
  %gw = getelementptr i8, ptr %p, i128 %x
  store i8 0, ptr %gw
  %gw2 = getelementptr i8, ptr %gw, i65 %z
  store i8 0, ptr %gw2
  %zz = zext i64 %h to i128
  %zz2 = mul i128 %zz, 340282366920938463463374607431768211455
  %gz = getelementptr i8, ptr %p, i128 %zz2
  store i8 0, ptr %gz
  ret void
}

; CHECK-LABEL: @odd(
; PRINT-LABEL: Range facts of odd:
define ptx_kernel void @odd(ptr %p, i1 %i1, i3 %i3, i33 %i33, i7 %i7, i63 %i63) {
  %a = udiv i3 %i3, 3
  %b = urem i3 %i3, 3
  %c = mul i3 %a, 3
  %d = add i3 %c, %b
  %g0 = getelementptr i32, ptr %p, i3 %d
  store i3 %d, ptr %g0
  %e = udiv i33 %i33, 4294967297
  %f = urem i33 %i33, 4294967297
  %h = mul i33 %e, 4294967297
  %i = add i33 %h, %f
  %g1 = getelementptr i32, ptr %p, i33 %i
  store i33 %i, ptr %g1
  %j = udiv i1 %i1, true
  %k = urem i1 %i1, true
  %l = sdiv i1 %i1, true
  %m = srem i1 %i1, true
  %n = add i1 %j, %k
  %o = mul i1 %l, %m
  %q = xor i1 %n, %o
  %g2 = getelementptr i32, ptr %p, i1 %q
  store i1 %q, ptr %g2
  %cmp = icmp slt i1 %q, %i1
  %s = select i1 %cmp, i63 %i63, i63 -4611686018427387904
  %u = sdiv i63 %s, 4611686018427387903
  %v = shl i63 %u, 62
  %w = ashr i63 %v, 61
  %g3 = getelementptr i64, ptr %p, i63 %w
  store i63 %w, ptr %g3
  %x = sext i1 %i1 to i64
  %y = zext i1 %cmp to i64
  %z = sub i64 %x, %y
  %g4 = getelementptr i64, ptr %p, i64 %z
  store i64 %z, ptr %g4
  %ab = and i7 %i7, -64
  %ac = or i7 %ab, 63
  %ad = sdiv i7 %ac, -64
  %ae = srem i7 %ad, -64
  %g5 = getelementptr i64, ptr %p, i7 %ae
  store i7 %ae, ptr %g5
  ret void
}

; CHECK-LABEL: @spaces(
; PRINT-LABEL: Range facts of spaces:
define ptx_kernel void @spaces(ptr addrspace(1) %g, ptr addrspace(3) %s, ptr addrspace(4) %c, ptr addrspace(5) %l, ptr addrspace(6) %t6, ptr addrspace(101) %pp) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 5
  %r = urem i32 %t, 5
  %m = mul i32 %q, 5
  %x = add i32 %m, %r
  %g1 = getelementptr i32, ptr addrspace(1) %g, i32 %x
  %g3 = getelementptr i32, ptr addrspace(3) %s, i32 %x
  %g4 = getelementptr i32, ptr addrspace(4) %c, i32 %x
  %g5 = getelementptr i32, ptr addrspace(5) %l, i32 %x
  %g6 = getelementptr i32, ptr addrspace(6) %t6, i32 %x
  %g7 = getelementptr i32, ptr addrspace(101) %pp, i32 %x
  %a3 = getelementptr i32, ptr addrspace(3) @a3, i32 %x
  %v = load i32, ptr addrspace(4) %g4
  store i32 %v, ptr addrspace(1) %g1
  store i32 %v, ptr addrspace(3) %g3
  store i32 %v, ptr addrspace(5) %g5
  store i32 %v, ptr addrspace(6) %g6
  store i32 %v, ptr addrspace(101) %g7
  store i32 %v, ptr addrspace(3) %a3
  %cast = addrspacecast ptr addrspace(3) %g3 to ptr
  %cg = getelementptr i32, ptr %cast, i32 %x
  store i32 0, ptr %cg
  %pi = ptrtoint ptr %cg to i64
  %pd = udiv i64 %pi, 4
  %ip = inttoptr i64 %pd to ptr
  %ig = getelementptr i8, ptr %ip, i64 %pd
  store i8 0, ptr %ig
  %al = getelementptr i32, ptr addrspace(1) @al, i32 %x
  store i32 0, ptr addrspace(1) %al
  %op = getelementptr i8, ptr addrspace(1) @ext, i32 %x
  store i32 0, ptr addrspace(1) %op
  %n = getelementptr i32, ptr null, i32 %x
  store i32 0, ptr %n
  %u = getelementptr i32, ptr undef, i32 %x
  store i32 0, ptr %u
  %po = getelementptr i32, ptr poison, i32 %x
  store i32 0, ptr %po
  %n5 = getelementptr i32, ptr addrspace(5) null, i32 %x
  store i32 0, ptr addrspace(5) %n5
  ret void
}

; CHECK-LABEL: @vectors(
; PRINT-LABEL: Range facts of vectors:
define ptx_kernel void @vectors(ptr %p, <4 x ptr> %vp, <4 x i32> %vi, <vscale x 4 x i32> %si, <vscale x 2 x ptr> %sp, <4 x i128> %wi) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 5
  %a = getelementptr i32, ptr %p, <4 x i32> %vi
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %vi, <4 x ptr> align 4 %a, <4 x i1> splat (i1 true))
  %b = getelementptr i32, <4 x ptr> %vp, i32 %q
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %vi, <4 x ptr> align 4 %b, <4 x i1> splat (i1 true))
  %c = getelementptr i32, <4 x ptr> %b, <4 x i32> %vi
  %d = udiv <4 x i32> %vi, splat (i32 3)
  %e = getelementptr i32, <4 x ptr> %c, <4 x i32> %d
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %d, <4 x ptr> align 4 %e, <4 x i1> splat (i1 true))
  %f = icmp ult <4 x i32> %vi, splat (i32 7)
  %g = extractelement <4 x i1> %f, i32 %q
  store i1 %g, ptr %p
  %h = extractelement <4 x ptr> %e, i32 0
  %i = getelementptr i32, ptr %h, i32 %q
  store i32 0, ptr %i
  %j = getelementptr <4 x i32>, ptr %p, i32 %q, i32 %q
  store i32 0, ptr %j
  %k = getelementptr <vscale x 4 x i32>, ptr %p, i32 %q
  store i32 0, ptr %k
  %l = getelementptr <vscale x 4 x i32>, ptr %k, i32 %q, i32 2
  store i32 0, ptr %l
  %m = getelementptr i32, <vscale x 2 x ptr> %sp, i32 %q
  %n = getelementptr i8, ptr %l, i32 %q
  store <vscale x 4 x i32> %si, ptr %n
  %o = getelementptr <vscale x 4 x i32>, ptr %p, i32 7
  store i32 0, ptr %o
  %ld = load <vscale x 4 x i32>, ptr %o
  %r = udiv <4 x i128> %wi, splat (i128 18446744073709551616)
  store <4 x i128> %r, ptr %p
  ret void
}

; CHECK-LABEL: @sizes(
; PRINT-LABEL: Range facts of sizes:
define ptx_kernel void @sizes(ptr %p, i64 %w) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 5
  %qq = zext i32 %q to i64
  %a = getelementptr {}, ptr %p, i32 %q
  store i32 0, ptr %a
  %b = getelementptr [0 x i32], ptr %p, i32 %q
  store i32 0, ptr %b
  %c = getelementptr [0 x i32], ptr %b, i32 %q, i64 %w
  store i32 0, ptr %c
  %d = getelementptr [1099511627776 x i32], ptr %p, i32 %q
  store i32 0, ptr %d
  %e = getelementptr [1099511627776 x i32], ptr %d, i64 %w, i64 %qq
  store i32 0, ptr %e
  %f = getelementptr [4611686018427387904 x i8], ptr %p, i64 %w, i64 %qq
  store i32 0, ptr %f
  %g = getelementptr [9223372036854775807 x i8], ptr %p, i64 %w, i64 %qq
  store i32 0, ptr %g
  %h = getelementptr [9223372036854775808 x i8], ptr %p, i64 %w, i64 %qq
  store i32 0, ptr %h
  %i = getelementptr { {}, [0 x i8], [1099511627776 x [1048576 x i8]] }, ptr %p, i64 %w, i32 2, i64 %w, i64 %qq
  store i32 0, ptr %i
  %j = getelementptr i8, ptr %p, i64 -9223372036854775808
  %k = getelementptr i8, ptr %j, i64 %qq
  store i32 0, ptr %k
  %l = getelementptr i8, ptr %k, i64 -9223372036854775808
  store i32 0, ptr %l
  %m = getelementptr i8, ptr %l, i64 9223372036854775807
  store i32 0, ptr %m
  %n = getelementptr [9223372036854775808 x i8], ptr %m, i64 1
  store i32 0, ptr %n
  %o = getelementptr i8, ptr %n, i64 %qq
  store i32 0, ptr %o
  ret void
}

; CHECK-LABEL: @dead_wide_divisions(
; PRINT-LABEL: Range facts of dead_wide_divisions:
; Their prices are asked for when the code dies that uses them.
; CHECK-NOT: div
; CHECK: ret void
define ptx_kernel void @dead_wide_divisions(ptr %p, i128 %x) {
  %a = udiv i128 %x, 18446744073709551616
  %b = trunc i128 %a to i32
  %c = urem i32 %b, 75
  %d = icmp ult i32 %c, 75
  store i1 %d, ptr %p
  %a1 = urem i128 %x, 36893488147419103232
  %b1 = trunc i128 %a1 to i32
  %c1 = urem i32 %b1, 75
  %d1 = icmp ult i32 %c1, 75
  store i1 %d1, ptr %p
  %a2 = sdiv i128 %x, -36893488147419103232
  %b2 = trunc i128 %a2 to i32
  %c2 = urem i32 %b2, 75
  %d2 = icmp ult i32 %c2, 75
  store i1 %d2, ptr %p
  ret void
}
