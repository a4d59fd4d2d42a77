; Integers of other widths, vectors, other address spaces: what the pass does
; not handle it leaves alone.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 128 --args out:i32:3000
; RUN: %{run} --kernel i33 %s %t.ll
; RUN: %{run} --kernel i128_negative %s %t.ll
; RUN: %{run} --kernel vector_negative %s %t.ll
; RUN: %{run} --kernel global %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The global thread id: any 32-bit number, for all that the pass knows.
define internal noundef i32 @id() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  ret i32 %i
}

; Up to 64 bits any width goes.
; CHECK-LABEL: define ptx_kernel void @i33(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: store
define ptx_kernel void @i33(ptr %out) {
  %x = call i32 @id()
  %x33 = zext i32 %x to i33
  %q = udiv i33 %x33, 75
  %r = urem i33 %x33, 75
  %q75 = mul nuw i33 %q, 75
  %i = add nuw i33 %q75, %r
  %e = zext i33 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; i128 does not fit the checked 64-bit coefficients.
; CHECK-LABEL: define ptx_kernel void @i128_negative(
; CHECK: udiv i128 %x128, 75
; CHECK: urem i128 %x128, 75
; CHECK: store
define ptx_kernel void @i128_negative(ptr %out) {
  %x = call i32 @id()
  %x128 = zext i32 %x to i128
  %q = udiv i128 %x128, 75
  %r = urem i128 %x128, 75
  %q75 = mul nuw i128 %q, 75
  %i = add nuw i128 %q75, %r
  %p = getelementptr inbounds i32, ptr %out, i128 %i
  store i32 %x, ptr %p
  ret void
}

; A vector of indices.
; CHECK-LABEL: define ptx_kernel void @vector_negative(
; CHECK: udiv <2 x i32> {{.*}}, splat (i32 75)
; CHECK: urem <2 x i32> {{.*}}, splat (i32 75)
; CHECK: getelementptr inbounds i32, ptr %out, <2 x i64>
define ptx_kernel void @vector_negative(ptr %out) {
  %x = call i32 @id()
  %one = insertelement <2 x i32> poison, i32 %x, i32 0
  %v = insertelement <2 x i32> %one, i32 %x, i32 1
  %q = udiv <2 x i32> %v, splat (i32 75)
  %r = urem <2 x i32> %v, splat (i32 75)
  %q75 = mul <2 x i32> %q, splat (i32 75)
  %i = add <2 x i32> %q75, %r
  %e = zext <2 x i32> %i to <2 x i64>
  %ps = getelementptr inbounds i32, ptr %out, <2 x i64> %e
  %p = extractelement <2 x ptr> %ps, i32 1
  store i32 %x, ptr %p
  ret void
}

; Pointers keep their address space.
; CHECK-LABEL: define ptx_kernel void @global(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: getelementptr {{.*}}ptr addrspace(1) %g
; CHECK: store i32 %x, ptr addrspace(1)
define ptx_kernel void @global(ptr %out) {
  %x = call i32 @id()
  %g = addrspacecast ptr %out to ptr addrspace(1)
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q64 = zext i32 %q to i64
  %r64 = zext i32 %r to i64
  %p1 = getelementptr inbounds [75 x i32], ptr addrspace(1) %g, i64 %q64
  %p = getelementptr inbounds i32, ptr addrspace(1) %p1, i64 %r64
  store i32 %x, ptr addrspace(1) %p
  ret void
}

; Coefficients beyond 64 bits: given up, not overflowed.
; CHECK-LABEL: define ptx_kernel void @overflow_negative(
; CHECK: mul i64 %x64, 6148914691236517205
; CHECK: store
define ptx_kernel void @overflow_negative(ptr %out) {
  %x = call i32 @id()
  %x64 = zext i32 %x to i64
  %m = mul i64 %x64, 6148914691236517205
  %n = mul i64 %m, 6148914691236517205
  %i = udiv i64 %n, 3
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %x, ptr %p
  ret void
}
