; Integer arithmetic as text, with carries as CUDA's headers have them: each
; kernel has a twin without text, which must leave the same bytes.

; RUN: %kernel-run %s --kernel carries --also-kernel carries_plain --grid 4 --block 64 --args in:i32:768,out:i64:768
; RUN: %kernel-run %s --kernel bits --also-kernel bits_plain --grid 4 --block 64 --args in:i32:768:min=-99:max=99,out:i32:1536
; RUN: not %kernel-run %s --kernel wrong_negative --also-kernel carries_plain --grid 4 --block 64 --args in:i32:768,out:i64:768 | FileCheck %s --check-prefix=WRONG
; WRONG: differs at element
; A carry that nothing left, and one with a predicate.
; RUN: not %kernel-run %s --kernel nothing_negative --grid 1 --block 1 --args out:i32:1 2>&1 | FileCheck %s --check-prefix=NOTHING
; NOTHING: uses the inline assembly 'addc.u32
; RUN: not %kernel-run %s --kernel guarded_negative --grid 1 --block 1 --args out:i32:1 2>&1 | FileCheck %s --check-prefix=GUARDED
; GUARDED: uses the inline assembly 'add.cc.u32

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)

define internal i32 @index() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, 64
  %i = add i32 %first, %t
  %i3 = mul i32 %i, 3
  ret i32 %i3
}
define internal i32 @value(ptr %in, i32 %n) {
  %i = call i32 @index()
  %j = add i32 %i, %n
  %p = getelementptr i32, ptr %in, i32 %j
  %v = load i32, ptr %p
  ret i32 %v
}
define internal void @put(ptr %out, i32 %n, i64 %v) {
  %i = call i32 @index()
  %j = add i32 %i, %n
  %p = getelementptr i64, ptr %out, i32 %j
  store i64 %v, ptr %p
  ret void
}

define ptx_kernel void @carries(ptr %in, ptr %out) {
  %a = call i32 @value(ptr %in, i32 0)
  %b = call i32 @value(ptr %in, i32 1)
  %c = call i32 @value(ptr %in, i32 2)
  %sum = call i64 asm "{ .reg .b32 l, h; add.cc.u32 l, $1, $2; addc.u32 h, $2, $3; mov.b64 $0, {l, h}; }", "=l,r,r,r"(i32 %a, i32 %b, i32 %c)
  call void @put(ptr %out, i32 0, i64 %sum)
  %difference = call i64 asm "{ .reg .b32 l, h; sub.cc.u32 l, $1, $2; subc.u32 h, $2, $3; mov.b64 $0, {l, h}; }", "=l,r,r,r"(i32 %a, i32 %b, i32 %c)
  call void @put(ptr %out, i32 1, i64 %difference)
  %product = call i64 asm "{ .reg .b32 l, h; mad.lo.cc.u32 l, $1, $2, $3; madc.hi.u32 h, $1, $2, 7; mov.b64 $0, {l, h}; }", "=l,r,r,r"(i32 %a, i32 %b, i32 %c)
  call void @put(ptr %out, i32 2, i64 %product)
  ret void
}
; The carry of the difference is left out.
define ptx_kernel void @wrong_negative(ptr %in, ptr %out) {
  %a = call i32 @value(ptr %in, i32 0)
  %b = call i32 @value(ptr %in, i32 1)
  %c = call i32 @value(ptr %in, i32 2)
  %sum = call i64 asm "{ .reg .b32 l, h; add.cc.u32 l, $1, $2; addc.u32 h, $2, $3; mov.b64 $0, {l, h}; }", "=l,r,r,r"(i32 %a, i32 %b, i32 %c)
  call void @put(ptr %out, i32 0, i64 %sum)
  %difference = call i64 asm "{ .reg .b32 l, h; sub.cc.u32 l, $1, $2; sub.u32 h, $2, $3; mov.b64 $0, {l, h}; }", "=l,r,r,r"(i32 %a, i32 %b, i32 %c)
  call void @put(ptr %out, i32 1, i64 %difference)
  %product = call i64 asm "{ .reg .b32 l, h; mad.lo.cc.u32 l, $1, $2, $3; madc.hi.u32 h, $1, $2, 7; mov.b64 $0, {l, h}; }", "=l,r,r,r"(i32 %a, i32 %b, i32 %c)
  call void @put(ptr %out, i32 2, i64 %product)
  ret void
}
define ptx_kernel void @carries_plain(ptr %in, ptr %out) {
  %a = call i32 @value(ptr %in, i32 0)
  %b = call i32 @value(ptr %in, i32 1)
  %c = call i32 @value(ptr %in, i32 2)
  %a64 = zext i32 %a to i64
  %b64 = zext i32 %b to i64
  %c64 = zext i32 %c to i64
  %bUp = shl i64 %b64, 32
  %cUp = shl i64 %c64, 32
  %ba = or i64 %bUp, %a64
  %cb = or i64 %cUp, %b64
  %sum = add i64 %ba, %cb
  call void @put(ptr %out, i32 0, i64 %sum)
  %difference = sub i64 %ba, %cb
  call void @put(ptr %out, i32 1, i64 %difference)
  %ab = mul i64 %a64, %b64
  %abc = add i64 %ab, %c64
  %product = add i64 %abc, 30064771072
  call void @put(ptr %out, i32 2, i64 %product)
  ret void
}

define ptx_kernel void @bits(ptr %in, ptr %out) {
  %a = call i32 @value(ptr %in, i32 0)
  %b = call i32 @value(ptr %in, i32 1)
  %shifts = call i64 asm "{ .reg .b32 l, h; shl.b32 l, $1, $2; shr.s32 h, $1, $2; mov.b64 $0, {l, h}; }", "=l,r,r"(i32 %a, i32 %b)
  call void @put(ptr %out, i32 0, i64 %shifts)
  %extrema = call i64 asm "{ .reg .b32 l, h; min.s32 l, $1, $2; max.u32 h, $1, $2; neg.s32 l, l; not.b32 h, h; mov.b64 $0, {l, h}; }", "=l,r,r"(i32 %a, i32 %b)
  call void @put(ptr %out, i32 1, i64 %extrema)
  %wide = call i64 asm "{ .reg .b64 d; mul.wide.s32 d, $1, $2; mad.wide.u32 $0, $1, $2, d; xor.b64 $0, $0, 255; }", "=l,r,r"(i32 %a, i32 %b)
  call void @put(ptr %out, i32 2, i64 %wide)
  ret void
}
define ptx_kernel void @bits_plain(ptr %in, ptr %out) {
  %a = call i32 @value(ptr %in, i32 0)
  %b = call i32 @value(ptr %in, i32 1)
  %fits = icmp ult i32 %b, 32
  %by = select i1 %fits, i32 %b, i32 31
  %left = shl i32 %a, %by
  %l = select i1 %fits, i32 %left, i32 0
  %h = ashr i32 %a, %by
  %l64 = zext i32 %l to i64
  %h64 = zext i32 %h to i64
  %hUp = shl i64 %h64, 32
  %shifts = or i64 %hUp, %l64
  call void @put(ptr %out, i32 0, i64 %shifts)
  %min = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %max = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %l2 = sub i32 0, %min
  %h2 = xor i32 %max, -1
  %l2w = zext i32 %l2 to i64
  %h2w = zext i32 %h2 to i64
  %h2Up = shl i64 %h2w, 32
  %extrema = or i64 %h2Up, %l2w
  call void @put(ptr %out, i32 1, i64 %extrema)
  %as = sext i32 %a to i64
  %bs = sext i32 %b to i64
  %signed = mul i64 %as, %bs
  %au = zext i32 %a to i64
  %bu = zext i32 %b to i64
  %unsigned = mul i64 %au, %bu
  %both = add i64 %unsigned, %signed
  %wide = xor i64 %both, 255
  call void @put(ptr %out, i32 2, i64 %wide)
  ret void
}

define ptx_kernel void @nothing_negative(ptr %out) {
  %v = call i32 asm sideeffect "addc.u32 $0, $1, 1;", "=r,r"(i32 4)
  store i32 %v, ptr %out
  ret void
}
define ptx_kernel void @guarded_negative(ptr %out) {
  %v = call i32 asm sideeffect "{ .reg .pred p; setp.eq.u32 p, $1, 4; mov.u32 $0, 1; @p add.cc.u32 $0, $1, 1; }", "=r,r"(i32 4)
  store i32 %v, ptr %out
  ret void
}
