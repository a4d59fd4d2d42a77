; Constants at the ends of their types, undef, and what is undefined behaviour.
; Nothing here may crash the pass or leave it broken IR; a second run, other
; passes and what prints have to cope as well.

; RUN: %unravel-opt -passes='index-simplify,verify,index-simplify,verify,instcombine,verify' -S %s | FileCheck %s
; RUN: %unravel-opt -passes='print<range-facts>,print<indexing-maps>' -disable-output %s 2>&1 | FileCheck --check-prefix=PRINT %s
; RUN: %unravel-opt -passes=index-simplify -disable-output -pass-remarks=index-simplify -pass-remarks-missed=index-simplify -pass-remarks-analysis=index-simplify %s
; RUN: %unravel-opt -passes='default<O3>' -disable-output %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.usub.sat.i64(i64, i64)
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
@g = addrspace(1) global i32 0

; CHECK-LABEL: @huge(
; PRINT-LABEL: Range facts of huge:
define ptx_kernel void @huge(ptr %p, i64 %x, i64 %y) {
  %a = mul i64 %x, 9223372036854775807
  %b = mul i64 %a, 9223372036854775807
  %c = add i64 %b, -9223372036854775808
  %d = sub i64 %c, 9223372036854775807
  %e = sdiv i64 %d, -9223372036854775808
  %f = srem i64 %d, -9223372036854775808
  %g = udiv i64 %d, -9223372036854775808
  %h = urem i64 %d, -9223372036854775807
  %i = add i64 %e, %f
  %j = add i64 %g, %h
  %k = add i64 %i, %j
  %p1 = getelementptr i64, ptr %p, i64 %k
  store i64 %k, ptr %p1
  %l = sdiv i64 %x, 9223372036854775807
  %m = mul nsw i64 %l, 9223372036854775807
  %n = srem i64 %x, 9223372036854775807
  %o = add nsw i64 %m, %n
  %p2 = getelementptr i64, ptr %p, i64 %o
  store i64 %o, ptr %p2
  %q = sdiv i64 %x, -1
  %r = srem i64 %x, -1
  %s = add i64 %q, %r
  %p3 = getelementptr i8, ptr %p, i64 %s
  store i64 %s, ptr %p3
  %t = shl i64 %x, 63
  %u = ashr i64 %t, 63
  %v = lshr i64 %t, 62
  %w = xor i64 %u, %v
  %p4 = getelementptr [9223372036854775807 x i8], ptr %p, i64 %w
  store i64 %w, ptr %p4
  %aa = and i64 %x, -9223372036854775808
  %ab = or i64 %aa, 9223372036854775807
  %ac = and i64 %ab, 6148914691236517205
  %ad = sub i64 -9223372036854775808, %ac
  %p5 = getelementptr i64, ptr %p, i64 %ad
  store i64 %ad, ptr %p5
  %ae = call i64 @llvm.smin.i64(i64 %x, i64 -9223372036854775808)
  %af = call i64 @llvm.abs.i64(i64 %ae, i1 true)
  %ag = call i64 @llvm.usub.sat.i64(i64 %af, i64 -1)
  %ah = sdiv i64 %ag, -9223372036854775807
  %p6 = getelementptr i64, ptr %p, i64 %ah
  store i64 %ah, ptr %p6
  %c1 = icmp slt i64 %x, -9223372036854775808
  %c2 = icmp sle i64 %x, -9223372036854775808
  %c3 = icmp ugt i64 %x, -1
  %c4 = icmp uge i64 %x, -1
  %c5 = icmp sgt i64 %k, 9223372036854775806
  %c6 = icmp ult i64 %o, -9223372036854775808
  %c7 = icmp ule i64 %o, 9223372036854775807
  store volatile i1 %c1, ptr %p
  store volatile i1 %c2, ptr %p
  store volatile i1 %c3, ptr %p
  store volatile i1 %c4, ptr %p
  store volatile i1 %c5, ptr %p
  store volatile i1 %c6, ptr %p
  store volatile i1 %c7, ptr %p
  br i1 %c2, label %min, label %notmin
min:
  %ba = udiv i64 %x, 3
  %p7 = getelementptr i8, ptr %p, i64 %ba
  store i8 0, ptr %p7
  br label %notmin
notmin:
  switch i64 %x, label %other [
    i64 -9223372036854775808, label %s1
    i64 9223372036854775807, label %s2
    i64 0, label %other
  ]
s1:
  %bb = sub i64 0, %x
  %bbd = sdiv i64 %bb, 3
  %p8 = getelementptr i64, ptr %p, i64 %bbd
  store i8 0, ptr %p8
  br label %other
s2:
  %bc = add nsw i64 %x, %x
  %bcd = sdiv i64 %bc, 3
  %p9 = getelementptr i64, ptr %p, i64 %bcd
  store i8 0, ptr %p9
  br label %other
other:
  ret void
}

; CHECK-LABEL: @undefined(
; PRINT-LABEL: Range facts of undefined:
define ptx_kernel void @undefined(ptr %p, i32 %x, i32 %y) {
  %a = udiv i32 %x, 0
  %b = urem i32 %x, 0
  %c = sdiv i32 %x, 0
  %d = srem i32 %x, 0
  %e = add i32 %a, %b
  %f = add i32 %c, %d
  %g = add i32 %e, %f
  %p1 = getelementptr i32, ptr %p, i32 %g
  store i32 %g, ptr %p1
  %h = shl i32 %x, 32
  %i = lshr i32 %x, 33
  %j = ashr i32 %x, -1
  %k = add i32 %h, %i
  %l = add i32 %k, %j
  %p2 = getelementptr i32, ptr %p, i32 %l
  store i32 %l, ptr %p2
  %m = udiv i32 undef, 3
  %n = udiv i32 poison, 3
  %o = udiv i32 %x, undef
  %q = udiv i32 %x, poison
  %r = add i32 %m, %n
  %s = add i32 %o, %q
  %t = add i32 %r, %s
  %p3 = getelementptr i32, ptr %p, i32 %t
  store i32 %t, ptr %p3
  %u = getelementptr i32, ptr %p, i32 undef
  store i32 0, ptr %u
  %v = getelementptr i32, ptr %p, i32 poison
  store i32 0, ptr %v
  %w = icmp ult i32 undef, %x
  store i1 %w, ptr %p
  %z = icmp ult i32 poison, %x
  br i1 %z, label %t1, label %t2
t1:
  %aa = urem i32 %x, 75
  %ab = getelementptr i32, ptr %p, i32 %aa
  store i32 %aa, ptr %ab
  br label %t2
t2:
  %ac = phi i32 [ undef, %0 ], [ poison, %t1 ]
  %ad = urem i32 %ac, 75
  %ae = getelementptr i32, ptr %p, i32 %ad
  store i32 %ad, ptr %ae
  br i1 undef, label %t3, label %t4
t3:
  %af = udiv i32 %ad, 3
  %ag = getelementptr i32, ptr %p, i32 %af
  store i32 %ad, ptr %ag
  br label %t4
t4:
  %ah = select i1 undef, i32 %x, i32 %y
  %ai = select i1 poison, i32 %ah, i32 undef
  %aj = freeze i32 %ai
  %ak = freeze i32 poison
  %al = add i32 %aj, %ak
  %am = urem i32 %al, 3
  %an = getelementptr i32, ptr %p, i32 %am
  store i32 %am, ptr %an
  %ao = lshr i32 %x, undef
  %ap = shl i32 %ao, poison
  %aq = getelementptr i32, ptr %p, i32 %ap
  store i32 %ap, ptr %aq
  %ar = call i32 @llvm.nvvm.mulhi.ui(i32 undef, i32 %x)
  %as = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 -1)
  %at = add i32 %ar, %as
  %au = getelementptr i32, ptr %p, i32 %at
  store i32 %at, ptr %au
  switch i32 undef, label %end [ i32 1, label %end i32 2, label %b2 ]
b2:
  br label %end
end:
  ret void
}

; CHECK-LABEL: @expressions(
; PRINT-LABEL: Range facts of expressions:
define ptx_kernel void @expressions(ptr %p, i64 %x) {
  %a = add i64 %x, ptrtoint (ptr addrspace(1) @g to i64)
  %b = udiv i64 %a, 3
  %c = urem i64 %a, 3
  %d = mul i64 %b, 3
  %e = add i64 %c, %d
  %f = getelementptr i8, ptr %p, i64 %e
  store i8 0, ptr %f
  %h = getelementptr i8, ptr addrspacecast (ptr addrspace(1) @g to ptr), i64 ptrtoint (ptr addrspace(1) @g to i64)
  store i8 0, ptr %h
  %i = udiv i64 ptrtoint (ptr addrspace(1) @g to i64), 7
  %j = getelementptr i8, ptr addrspacecast (ptr addrspace(1) @g to ptr), i64 %i
  store i8 0, ptr %j
  %k = icmp eq i64 %i, sub (i64 0, i64 ptrtoint (ptr addrspace(1) @g to i64))
  store i1 %k, ptr %p
  %l = udiv i64 ptrtoint (ptr blockaddress(@expressions, %bb) to i64), 3
  %m = getelementptr i8, ptr %p, i64 %l
  store i8 0, ptr %m
  %n = getelementptr i8, ptr blockaddress(@expressions, %bb), i64 %e
  store i8 0, ptr %n
  br label %bb
bb:
  %o = getelementptr i8, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @g to ptr), i64 -9223372036854775808), i64 %e
  store i8 0, ptr %o
  ret void
}

; CHECK-LABEL: @constant_operands(
; PRINT-LABEL: Range facts of constant_operands:
define ptx_kernel void @constant_operands(ptr %p, i32 %x) {
  %a = urem i32 100, 7
  %b = udiv i32 100, 7
  %c = add i32 %a, %b
  %g = getelementptr i32, ptr %p, i32 %c
  store i32 0, ptr %g
  %d = srem i32 undef, 7
  %e = icmp slt i32 %d, 7
  store i1 %e, ptr %p
  %f = getelementptr i32, ptr %p, i32 7
  %h = getelementptr i32, ptr %f, i32 undef
  store i32 0, ptr %h
  ret void
}
