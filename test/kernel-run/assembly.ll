; PTX text that compilers put into IR: accesses with predicates, as Triton and
; XLA write them, copies, shuffles, conversions. Each kernel has a twin without
; text, which must leave the same bytes.

; RUN: %kernel-run %s --kernel guarded --also-kernel guarded_plain --grid 2 --block 64 --args inout:f32:512,out:f32:512,i32:77
; RUN: %kernel-run %s --kernel vectors --also-kernel vectors_plain --grid 1 --block 32 --args in:i32:128,out:i32:128
; RUN: %kernel-run %s --kernel rounded --also-kernel rounded_plain --grid 1 --block 32 --args in:f32:32,out:i32:32
; RUN: %kernel-run %s --kernel compared --also-kernel compared_plain --grid 1 --block 32 --args in:f32:32,out:i32:32
; RUN: %kernel-run %s --kernel summed --also-kernel summed_plain --grid 1 --block 32 --args inout:i32:4:min=0:max=9
; RUN: %kernel-run %s --kernel copied --also-kernel copied_plain --grid 1 --block 32 --args in:i32:32,out:i32:32
; RUN: %kernel-run %s --kernel lanes --also-kernel lanes_plain --grid 1 --block 32 --args in:i32:32,out:i32:32
; RUN: %kernel-run %s --kernel packed --also-kernel packed_plain --grid 1 --block 32 --args in:i32:64,out:i32:128

; Where the predicate does not hold, nothing is accessed; elsewhere it is checked.
; RUN: %kernel-run %s --kernel guarded --grid 2 --block 64 --args inout:f32:77,out:f32:77,i32:77
; RUN: not %kernel-run %s --kernel guarded --grid 2 --block 64 --args inout:f32:76,out:f32:77,i32:77 2>&1 | FileCheck %s --check-prefix=OUTSIDE
; OUTSIDE: thread (12, 0, 0) of block (1, 0, 0) reads 4 bytes at byte 304 of argument 0 (inout), which has 304 bytes

; What is refused has a name.
; RUN: not %kernel-run %s --kernel matrix --grid 1 --block 32 --args out:i32:32 2>&1 | FileCheck %s --check-prefix=MATRIX
; MATRIX: matrix uses the inline assembly 'ldmatrix.sync.aligned.m8n8.x1.shared.b16 $0, $1;', which kernel-run does not run
; RUN: not %kernel-run %s --kernel jumps --grid 1 --block 32 --args out:i32:32 2>&1 | FileCheck %s --check-prefix=JUMPS
; JUMPS: jumps uses the inline assembly '{ here: bra here; mov.u32 $0, 1; }', which kernel-run does not run

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define internal i32 @index() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, 64
  %i = add i32 %first, %t
  ret i32 %i
}

; The result of the load is 1.0 where there is none.
define ptx_kernel void @guarded(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %i = call i32 @index()
  %in.range = icmp slt i32 %i, %n
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %bits = call i32 asm sideeffect "mov.u32 $0, 0x3F800000;\0A\09@$2 ld.global.L1::evict_last.L2::cache_hint.b32 { $0 }, [ $1 + 0 ], $3;", "=r,l,b,l"(ptr addrspace(1) %from, i1 %in.range, i64 0)
  %x = bitcast i32 %bits to float
  %y = fadd float %x, 1.0
  %z = call float asm "fma.rn.f32 $0, $1, $1, 0f40000000;", "=f,f"(float %y)
  %z.bits = bitcast float %z to i32
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %z.bits, ptr addrspace(1) %to, i1 %in.range)
  %not = xor i1 %in.range, true
  call void asm sideeffect "@!$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %z.bits, ptr addrspace(1) %to, i1 true)
  ret void
}

define ptx_kernel void @guarded_plain(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %i = call i32 @index()
  %in.range = icmp slt i32 %i, %n
  br i1 %in.range, label %inside, label %exit
inside:
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %from
  %y = fadd float %x, 1.0
  %z = call float @llvm.fma.f32(float %y, float %y, float 2.0)
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %z, ptr addrspace(1) %to
  br label %exit
exit:
  ret void
}
declare float @llvm.fma.f32(float, float, float)

; In another order, at an offset from the address.
define ptx_kernel void @vectors(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %i
  %all = call { i32, i32, i32, i32 } asm sideeffect "mov.u32 $0, $5; ld.global.v4.b32 { $0, $1, $2, $3 }, [ $4 + 0 ];", "=r,=r,=r,=r,l,r"(ptr addrspace(1) %from, i32 0)
  %a = extractvalue { i32, i32, i32, i32 } %all, 0
  %b = extractvalue { i32, i32, i32, i32 } %all, 1
  %c = extractvalue { i32, i32, i32, i32 } %all, 2
  %d = extractvalue { i32, i32, i32, i32 } %all, 3
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %i
  %number = ptrtoint ptr addrspace(1) %to to i64
  call void asm sideeffect "st.global.v2.b32 [ $0 + 0 ], { $1, $2 }; st.global.v2.b32 [ $0 + 8 ], { $3, $4 };", "l,r,r,r,r"(i64 %number, i32 %d, i32 %c, i32 %b, i32 %a)
  ret void
}

define ptx_kernel void @vectors_plain(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %i
  %all = load <4 x i32>, ptr addrspace(1) %from
  %reversed = shufflevector <4 x i32> %all, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %i
  store <4 x i32> %reversed, ptr addrspace(1) %to
  ret void
}

; tf32: ten bits of the fraction. Then towards zero, to an integer.
define ptx_kernel void @rounded(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %from
  %short = call i32 asm "cvt.rna.tf32.f32 $0, $1;", "=r,f"(float %x)
  %y = bitcast i32 %short to float
  %hundred = fmul float %y, 100.0
  %whole = call i32 asm "cvt.rzi.s32.f32 $0, $1;", "=r,f"(float %hundred)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %whole, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @rounded_plain(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %x = load i32, ptr addrspace(1) %from
  %carry = add i32 %x, 4096
  %short = and i32 %carry, -8192
  %y = bitcast i32 %short to float
  %hundred = fmul float %y, 100.0
  %whole = fptosi float %hundred to i32
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %whole, ptr addrspace(1) %to
  ret void
}

; Registers of its own, a predicate that is the third operand, and one negated.
define ptx_kernel void @compared(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %from
  %v = call i32 asm "{\0A\09.reg .pred p, q;\0A\09setp.lt.f32 p, $1, 0f3F800000;\0A\09setp.gt.and.f32 q, $1, 0fBF800000, p;\0A\09selp.b32 $0, 3, 5, q;\0A\09@!p mov.b32 $0, 7;\0A\09}", "=r,f"(float %x)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @compared_plain(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %from
  %p = fcmp olt float %x, 1.0
  %above = fcmp ogt float %x, -1.0
  %q = and i1 %above, %p
  %small = select i1 %q, i32 3, i32 5
  %v = select i1 %p, i32 %small, i32 7
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; 32 threads add 1 + 2 + 3 to three numbers, and add up the last one by shuffles.
define ptx_kernel void @summed(ptr addrspace(1) %out) {
  %i = call i32 @index()
  %two = getelementptr i32, ptr addrspace(1) %out, i32 1
  %three = getelementptr i32, ptr addrspace(1) %out, i32 2
  call void asm sideeffect "red.global.add.u32 [ $0 ], 1;", "l"(ptr addrspace(1) %out)
  %old = call i32 asm sideeffect "atom.global.add.u32 $0, [ $1 ], $2;", "=r,l,r"(ptr addrspace(1) %two, i32 2)
  %first = icmp eq i32 %i, 5
  call void asm sideeffect "@$1 atom.global.max.s32 $2, [ $0 ], 100;", "l,b,r"(ptr addrspace(1) %three, i1 %first, i32 0)
  %a = call i32 asm sideeffect "shfl.sync.bfly.b32 $0, $1, 16, 0x1f, -1;", "=r,r"(i32 %i)
  %i.a = add i32 %i, %a
  %b = call i32 asm sideeffect "{ .reg .pred p; shfl.sync.bfly.b32 $0|p, $1, 1, 31, 0xffffffff; @!p mov.b32 $0, 1000; }", "=r,r"(i32 %i.a)
  call void asm sideeffect "bar.sync 0;", ""()
  %is.zero = icmp eq i32 %i, 0
  br i1 %is.zero, label %zero, label %exit
zero:
  %four = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %b, ptr addrspace(1) %four
  br label %exit
exit:
  ret void
}

define ptx_kernel void @summed_plain(ptr addrspace(1) %out) {
  %i = call i32 @index()
  %is.zero = icmp eq i32 %i, 0
  br i1 %is.zero, label %zero, label %exit
zero:
  %two = getelementptr i32, ptr addrspace(1) %out, i32 1
  %three = getelementptr i32, ptr addrspace(1) %out, i32 2
  %four = getelementptr i32, ptr addrspace(1) %out, i32 3
  %x = load i32, ptr addrspace(1) %out
  %x.new = add i32 %x, 32
  store i32 %x.new, ptr addrspace(1) %out
  %y = load i32, ptr addrspace(1) %two
  %y.new = add i32 %y, 64
  store i32 %y.new, ptr addrspace(1) %two
  store i32 100, ptr addrspace(1) %three
  store i32 18, ptr addrspace(1) %four
  br label %exit
exit:
  ret void
}

; Eight bytes, of which four come from global memory; short pointers.
@tile = internal addrspace(3) global [64 x i32] poison, align 16
define ptx_kernel void @copied(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %aligned = and i32 %i, -2
  %from.aligned = getelementptr i32, ptr addrspace(1) %in, i32 %aligned
  %twice = shl i32 %i, 1
  %place = getelementptr i32, ptr addrspace(3) @tile, i32 %twice
  call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %place, ptr addrspace(1) %from.aligned, i32 4)
  call void asm sideeffect "cp.async.commit_group; cp.async.wait_group 0;", ""()
  %number = ptrtoint ptr addrspace(3) %place to i32
  %wide = zext i32 %number to i64
  %short = trunc i64 %wide to i32
  %again = inttoptr i32 %short to ptr addrspace(3)
  %far = getelementptr i8, ptr addrspace(3) %again, i32 -2147483648
  %near = getelementptr i8, ptr addrspace(3) %far, i32 -2147483648
  %x = load i32, ptr addrspace(3) %near
  %second = getelementptr i32, ptr addrspace(3) %near, i32 1
  %zero = load i32, ptr addrspace(3) %second
  %sum = add i32 %x, %zero
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @copied_plain(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %aligned = and i32 %i, -2
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %aligned
  %x = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @lanes(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %x = load i32, ptr addrspace(1) %from
  %sum = call i32 asm "add.u16x2 $0, $1, $2;", "=r,r,r"(i32 %x, i32 65537)
  %most = call i32 asm "max.s16x2 $0, $1, $2;", "=r,r,r"(i32 %sum, i32 %x)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %most, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @lanes_plain(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %x = load <2 x i16>, ptr addrspace(1) %from
  %sum = add <2 x i16> %x, splat (i16 1)
  %most = call <2 x i16> @llvm.smax.v2i16(<2 x i16> %sum, <2 x i16> %x)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store <2 x i16> %most, ptr addrspace(1) %to
  ret void
}
declare <2 x i16> @llvm.smax.v2i16(<2 x i16>, <2 x i16>)

; Words of 64 bits and halves of 32, put together and taken apart.
define ptx_kernel void @packed(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %i2 = mul i32 %i, 2
  %i4 = mul i32 %i, 4
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i2
  %a = load i32, ptr addrspace(1) %from
  %from2 = getelementptr i32, ptr addrspace(1) %from, i32 1
  %b = load i32, ptr addrspace(1) %from2
  %whole = call i64 asm "mov.b64 $0, {$1, $2};", "=l,r,r"(i32 %a, i32 %b)
  %parts = call { i32, i32 } asm "{ .reg .b64 d; add.s64 d, $2, 5; mov.b64 {$0, $1}, d; }", "=r,=r,l"(i64 %whole)
  %halves = call i32 asm "{ .reg .b16 l, h; mov.b32 {l, h}, $1; mov.b32 $0, {h, l}; }", "=r,r"(i32 %a)
  %low = extractvalue { i32, i32 } %parts, 0
  %high = extractvalue { i32, i32 } %parts, 1
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i4
  store i32 %low, ptr addrspace(1) %to
  %to1 = getelementptr i32, ptr addrspace(1) %to, i32 1
  store i32 %high, ptr addrspace(1) %to1
  %to2 = getelementptr i32, ptr addrspace(1) %to, i32 2
  store i32 %halves, ptr addrspace(1) %to2
  ret void
}
define ptx_kernel void @packed_plain(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i32 @index()
  %i2 = mul i32 %i, 2
  %i4 = mul i32 %i, 4
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i2
  %a = load i32, ptr addrspace(1) %from
  %from2 = getelementptr i32, ptr addrspace(1) %from, i32 1
  %b = load i32, ptr addrspace(1) %from2
  %a64 = zext i32 %a to i64
  %b64 = zext i32 %b to i64
  %above = shl i64 %b64, 32
  %whole = or i64 %above, %a64
  %sum = add i64 %whole, 5
  %low = trunc i64 %sum to i32
  %upper = lshr i64 %sum, 32
  %high = trunc i64 %upper to i32
  %halves = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 16)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i4
  store i32 %low, ptr addrspace(1) %to
  %to1 = getelementptr i32, ptr addrspace(1) %to, i32 1
  store i32 %high, ptr addrspace(1) %to1
  %to2 = getelementptr i32, ptr addrspace(1) %to, i32 2
  store i32 %halves, ptr addrspace(1) %to2
  ret void
}
declare i32 @llvm.fshl.i32(i32, i32, i32)

define ptx_kernel void @matrix(ptr addrspace(1) %out) {
  %v = call i32 asm sideeffect "mov.u32 $0, 0; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];", "=r,r"(i32 0)
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @jumps(ptr addrspace(1) %out) {
  %v = call i32 asm sideeffect "{ here: bra here; mov.u32 $0, 1; }", "=r"()
  store i32 %v, ptr addrspace(1) %out
  ret void
}
