; Addresses of 32 bits, as shared memory has them in most PTX: offsets wrap at
; 2^32 there, so any number that is congruent to one will do.

; RUN: %unravel-opt -passes=index-facts,index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 128 --args out:i32:3000
; RUN: %{run} --kernel rows %s %t.ll
; RUN: %{run} --kernel neighbours %s %t.ll
; RUN: %{run} --kernel neighbours_negative %s %t.ll
; RUN: %{run} --kernel below %s %t.ll
; RUN: %{run} --kernel wide_index %s %t.ll
; RUN: %{run} --kernel wrapped %s %t.ll

target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [16384 x i8] undef, align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; 75 * (x / 75) + x % 75 is x.
; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: getelementptr i32, ptr addrspace(3) @tile, i32 %x
define ptx_kernel void @rows(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %p1 = getelementptr [75 x i32], ptr addrspace(3) @tile, i32 %q
  %p = getelementptr i32, ptr addrspace(3) %p1, i32 %r
  store i32 %x, ptr addrspace(3) %p
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %x
  store i32 %v, ptr %o
  ret void
}

; (2t + 64) / 32 is t / 16 + 2: the other address, and the immediate field.
; CHECK-LABEL: define ptx_kernel void @neighbours(
; CHECK: %[[Q:.*]] = lshr i32 %t, 4
; CHECK: %[[P:.*]] = getelementptr [36 x i8], ptr addrspace(3) @tile, i32 %[[Q]]
; CHECK: getelementptr i8, ptr addrspace(3) %[[P]], i32 72
; CHECK-NOT: lshr
; CHECK: ret void
define ptx_kernel void @neighbours(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = lshr i32 %t, 4
  %m = mul i32 %q, 36
  %p = getelementptr i8, ptr addrspace(3) @tile, i32 %m
  store i32 7, ptr addrspace(3) %p
  %d = shl i32 %t, 1
  %e = add i32 %d, 64
  %q2 = lshr i32 %e, 5
  %m2 = mul i32 %q2, 36
  %p2 = getelementptr i8, ptr addrspace(3) @tile, i32 %m2
  store i32 %q, ptr addrspace(3) %p2
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

; Of any word: 2x + 64 may wrap, and its quotient is another one then.
; CHECK-LABEL: define ptx_kernel void @neighbours_negative(
; CHECK: lshr i32 %{{.*}}, 4
; CHECK: lshr i32 %{{.*}}, 5
define ptx_kernel void @neighbours_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = getelementptr i32, ptr %out, i32 %t
  %w = load i32, ptr %i
  %x = mul i32 %w, 286331153
  %q = lshr i32 %x, 4
  %m = and i32 %q, 1020
  %p = getelementptr i8, ptr addrspace(3) @tile, i32 %m
  store i32 7, ptr addrspace(3) %p
  %d = shl i32 %x, 1
  %e = add i32 %d, 64
  %q2 = lshr i32 %e, 5
  %m2 = and i32 %q2, 1020
  %p2 = getelementptr i8, ptr addrspace(3) @tile, i32 %m2
  store i32 8, ptr addrspace(3) %p2
  %s = sub i32 %m2, %m
  store i32 %s, ptr %i
  ret void
}

; What is subtracted is a large offset that wraps.
; CHECK-LABEL: define ptx_kernel void @below(
; CHECK: %[[Q:.*]] = call i32 @llvm.nvvm.mulhi.ui(i32 %t,
; CHECK: %[[P:.*]] = getelementptr i32, ptr addrspace(3) @tile, i32 %[[Q]]
; CHECK: getelementptr i8, ptr addrspace(3) %[[P]], i32 68
; CHECK-NOT: getelementptr {{.*}}addrspace(3)
; CHECK: ret void
define ptx_kernel void @below(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = add i32 %t, 85
  %q = udiv i32 %x, 5
  %m = mul i32 %q, 4
  %p = getelementptr i8, ptr addrspace(3) @tile, i32 %m
  store i32 %q, ptr addrspace(3) %p
  %m2 = add i32 %m, 4294967228
  %p2 = getelementptr i8, ptr addrspace(3) @tile, i32 %m2
  store i32 %m, ptr addrspace(3) %p2
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

; An index of 64 bits is cut to 32.
; CHECK-LABEL: define ptx_kernel void @wide_index(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: store i32 %t, ptr addrspace(3)
define ptx_kernel void @wide_index(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %q = udiv i64 %w, 10
  %r = urem i64 %w, 10
  %m = mul i64 %q, 4294967306
  %i = add i64 %m, %r
  %p = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  store i32 %t, ptr addrspace(3) %p
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

; (t - 64) * 2^30 * 4 is 0 modulo 2^32.
; CHECK-LABEL: define ptx_kernel void @wrapped(
; CHECK: %[[P:.*]] = getelementptr i32, ptr addrspace(3) @tile, i32 %t
; CHECK-NOT: sub
; CHECK: ret void
define ptx_kernel void @wrapped(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = sub i32 %t, 64
  %m = mul i32 %b, 1073741824
  %i = add i32 %m, %t
  %p = getelementptr i32, ptr addrspace(3) @tile, i32 %i
  store i32 %t, ptr addrspace(3) %p
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}
