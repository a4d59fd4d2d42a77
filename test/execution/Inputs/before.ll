; Kernels for selftest.py. after.ll has the same names: some of its kernels do
; the same in another way, some are broken in ways the check must notice.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; out[i % 12][i / 12] = in[i] for i < n.
define ptx_kernel void @transpose(ptr readonly %in, ptr %out, i32 %n) memory(argmem: readwrite) {
  %i = call i32 @global_id()
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %store, label %done
store:
  %row = udiv i32 %i, 12
  %column = urem i32 %i, 12
  %major = mul i32 %column, 12
  %to = add i32 %major, %row
  %value.at = getelementptr float, ptr %in, i32 %i
  %value = load float, ptr %value.at
  %out.at = getelementptr float, ptr %out, i32 %to
  store float %value, ptr %out.at
  br label %done
done:
  ret void
}

; One that does the same, and one that does not.
define ptx_kernel void @transpose_ideal(ptr readonly %in, ptr %out, i32 %n) {
  call void @transpose(ptr %in, ptr %out, i32 %n)
  ret void
}

define ptx_kernel void @transpose_wrong(ptr readonly %in, ptr %out, i32 %n) {
  %m = sub i32 %n, 1
  call void @transpose(ptr %in, ptr %out, i32 %m)
  ret void
}

; out[linear id] = linear id, over all six dimensions.
define ptx_kernel void @ids(ptr %counter, ptr %out) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %ntx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %nty = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %ntz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %nbx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %nby = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %b.z = mul i32 %bz, %nby
  %b.zy = add i32 %b.z, %by
  %b.y = mul i32 %b.zy, %nbx
  %b = add i32 %b.y, %bx
  %t.b = mul i32 %b, %ntz
  %t.bz = add i32 %t.b, %tz
  %t.z = mul i32 %t.bz, %nty
  %t.zy = add i32 %t.z, %ty
  %t.y = mul i32 %t.zy, %ntx
  %t = add i32 %t.y, %tx
  %old = atomicrmw add ptr %counter, i32 1 monotonic
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %at
  ret void
}

; Lane and warp size.
define ptx_kernel void @lanes(ptr %out) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %both = mul i32 %lane, %warp
  %at = getelementptr i32, ptr %out, i32 %tx
  store i32 %both, ptr %at
  ret void
}

; Address spaces, tables and a callee that claims to read no memory.
@table = internal addrspace(4) constant [4 x i32] [i32 3, i32 1, i32 0, i32 2]
@pairs = internal addrspace(1) constant [2 x { i8, i64 }] [{ i8, i64 } { i8 1, i64 10 }, { i8, i64 } { i8 2, i64 20 }]

define internal i32 @permuted(i32 %i) memory(none) {
  %at = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %i
  %value = load i32, ptr addrspace(4) %at, !invariant.load !0
  ret i32 %value
}

define internal i32 @global_id() memory(none) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %b, %n
  %i = add i32 %start, %t
  ret i32 %i
}

define internal void @put(ptr addrspace(1) %to, i64 %value) {
  store i64 %value, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @spaces(ptr %out) {
  %local = alloca [4 x i32]
  %i = call i32 @global_id() memory(none)
  %digit = and i32 %i, 3
  %p = call i32 @permuted(i32 %digit) memory(none)
  %slot = getelementptr i32, ptr %local, i32 %p
  %slot.local = addrspacecast ptr %slot to ptr addrspace(5)
  store i32 %p, ptr addrspace(5) %slot.local
  %again = load i32, ptr %slot
  %bit = and i32 %again, 1
  %pair = getelementptr { i8, i64 }, ptr addrspacecast (ptr addrspace(1) @pairs to ptr), i32 %bit, i32 1
  %second = load i64, ptr %pair
  %wide = zext i32 %again to i64
  %sum = add i64 %second, %wide
  %out.global = addrspacecast ptr %out to ptr addrspace(1)
  %at = getelementptr i64, ptr addrspace(1) %out.global, i32 %i
  call void @put(ptr addrspace(1) %at, i64 %sum)
  ret void
}

; Integer operations that are calls on the GPU.
define ptx_kernel void @integers(ptr %in, ptr %out) {
  %i = call i32 @global_id()
  %in.at = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %in.at
  %hi = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 -1431655765)
  %low = call i32 @llvm.nvvm.mul24.ui(i32 %x, i32 77)
  %swapped = call i32 @llvm.nvvm.prmt(i32 %x, i32 0, i32 291)
  %clz = call i32 asm "bfind.shiftamt.u32 $0, $1;", "=r,r"(i32 %x)
  %a = xor i32 %hi, %low
  %b = xor i32 %a, %swapped
  %c = xor i32 %b, %clz
  %out.at = getelementptr i32, ptr %out, i32 %i
  store i32 %c, ptr %out.at
  ret void
}

; Floating point: what __expf and __half make of themselves.
define ptx_kernel void @reals(ptr %in, ptr %half, ptr %out) {
  %i = call i32 @global_id()
  %in.at = getelementptr float, ptr %in, i32 %i
  %x = load float, ptr %in.at
  %e = call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)
  %r = call float asm "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %e)
  %half.at = getelementptr i16, ptr %half, i32 %i
  %h = load i16, ptr %half.at
  %hh = call i16 asm "{mul.f16 $0,$1,$2;\0A}", "=h,h,h"(i16 %h, i16 %h)
  %y = call float asm "{  cvt.f32.f16 $0, $1;}\0A", "=f,h"(i16 %hh)
  %z = fmul contract float %r, %y
  %s = fadd contract float %z, %x
  %out.at = getelementptr float, ptr %out, i32 %i
  store float %s, ptr %out.at
  ret void
}

; NaNs differ in their bits only.
define ptx_kernel void @nans(ptr %out) {
  store float 0x7FF8000000000000, ptr %out
  ret void
}

; Broken in after.ll.
define ptx_kernel void @spill(ptr %out) {
  %i = call i32 @global_id()
  %at = getelementptr i32, ptr %out, i32 %i
  store i32 7, ptr %at
  ret void
}

define ptx_kernel void @wild(ptr %out, i32 %n) {
  %i = call i32 @global_id()
  %at = getelementptr i32, ptr %out, i32 %i
  store i32 %n, ptr %at
  ret void
}

define ptx_kernel void @trapped(ptr %out) {
  %i = call i32 @global_id()
  %at = getelementptr i32, ptr %out, i32 %i
  store i32 7, ptr %at
  ret void
}

; Compiled for certain launches.
define ptx_kernel void @bounded(ptr align 16 %out) "nvvm.maxntid"="128" {
  store i32 7, ptr %out
  ret void
}

define ptx_kernel void @fixed(ptr %out) "nvvm.reqntid"="8,4" {
  store i32 7, ptr %out
  ret void
}

; Not for a CPU.

define ptx_kernel void @libdevice(ptr %out) {
  %x = load float, ptr %out
  %y = call float @__nv_j0f(float %x)
  store float %y, ptr %out
  ret void
}

define ptx_kernel void @assembly(ptr %out) {
  %x = call i32 asm "mov.u32 $0, %clock;", "=r"()
  store i32 %x, ptr %out
  ret void
}

declare float @__nv_j0f(float)

!0 = !{}
