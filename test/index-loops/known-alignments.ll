; Accesses have the alignment of their addresses, however far away the reason is.

; RUN: %unravel-opt -passes=known-alignments -S %s | FileCheck %s
; RUN: %unravel-opt -passes=infer-alignment -S %s | FileCheck %s --check-prefix=LLVM
; RUN: %unravel-opt -passes=known-alignments -mtriple=x86_64-linux-gnu -S %s | FileCheck %s --check-prefix=HOST
; HOST: load i32, ptr addrspace(1) %p, align 4

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @deep(
; CHECK: load i32, ptr addrspace(1) %p, align 16
; CHECK: load i32, ptr addrspace(1) %p1, align 4
; CHECK: load i32, ptr addrspace(1) %p2, align 8
; CHECK: load i32, ptr addrspace(1) %p4, align 4
; LLVM-LABEL: @deep(
; LLVM: load i32, ptr addrspace(1) %p, align 4
define ptx_kernel void @deep(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %x, ptr addrspace(1) align 4 %y, i32 %n, i1 %c) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = shl i32 %t, 3
  %a1 = mul i32 %n, 12
  %a2 = add i32 %a, %a1
  %a3 = sub i32 %a2, 16
  %a4 = or i32 %a3, %a
  %a5 = xor i32 %a4, 4
  %a6 = add i32 %a5, %a
  %a7 = add i32 %a6, %a2
  br i1 %c, label %then, label %join

then:
  %a8 = lshr i32 %a7, 1
  %a9 = shl i32 %a8, 2
  br label %join

join:
  %i = phi i32 [ %a7, %entry ], [ %a9, %then ]
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %w
  %v = load i32, ptr addrspace(1) %p, align 4
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v2 = load i32, ptr addrspace(1) %p2, align 4
  %p4 = getelementptr i32, ptr addrspace(1) %y, i64 %w
  %v4 = load i32, ptr addrspace(1) %p4, align 4
  %s = add i32 %v, %v1
  %s1 = add i32 %s, %v2
  %s2 = add i32 %s1, %v4
  store i32 %s2, ptr addrspace(1) %out, align 4
  ret void
}

; What a division, a shift to the right or an odd number leaves is not known.
; CHECK-LABEL: @shallow_negative(
; CHECK: load i32, ptr addrspace(1) %p, align 4
; CHECK: load i32, ptr addrspace(1) %p1, align 8
; CHECK: load i32, ptr addrspace(1) %p2, align 4
; CHECK: load i32, ptr addrspace(1) %p3, align 4
define ptx_kernel void @shallow_negative(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %x, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = shl i32 %t, 3
  %b = udiv i32 %a, %n
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %b
  %v = load i32, ptr addrspace(1) %p, align 4
  %c = lshr i32 %a, 2
  %p1 = getelementptr i32, ptr addrspace(1) %x, i32 %c
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %d = lshr i32 %a, 4
  %p2 = getelementptr i32, ptr addrspace(1) %x, i32 %d
  %v2 = load i32, ptr addrspace(1) %p2, align 4
  %e = shl i32 8, %m
  %f = or i32 %e, 1
  %p3 = getelementptr i32, ptr addrspace(1) %x, i32 %f
  %v3 = load i32, ptr addrspace(1) %p3, align 4
  %s = add i32 %v, %v1
  %s1 = add i32 %s, %v2
  %s2 = add i32 %s1, %v3
  store i32 %s2, ptr addrspace(1) %out, align 4
  ret void
}
