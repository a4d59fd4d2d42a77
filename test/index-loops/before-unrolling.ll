; LLVM decides by the size of a loop whether it unrolls it, so before-unrolling
; makes loops small in front of that. What facts were recorded stays.

; RUN: %unravel-opt -passes=before-unrolling -S %s | FileCheck %s
; RUN: %unravel-opt -passes='default<O3>' -S %s | FileCheck %s --check-prefix=UNROLLED
; RUN: %unravel-opt -passes='default<O3>' -index-simplify-at=none -S %s | FileCheck %s --check-prefix=LLVM
; RUN: %unravel-opt -passes='default<O3>' -index-simplify-at=scalar-optimizer-late -S %s | FileCheck %s --check-prefix=LLVM
; RUN: %unravel-opt -passes=before-unrolling -mtriple=x86_64-unknown-linux-gnu -S %s | FileCheck %s --check-prefix=HOST

; A number is taken apart as one of [10, 20, 30, 4] and put together again.
; CHECK-LABEL: @window(
; CHECK: loop:
; CHECK-NOT: {{div|rem}}
; CHECK: load float
; UNROLLED-LABEL: @window(
; UNROLLED-NOT: br
; UNROLLED-COUNT-24: load float
; UNROLLED: ret void
; LLVM-LABEL: @window(
; LLVM: br i1 %{{.*}}, label %loop
; HOST-LABEL: @window(
; HOST: udiv

; How often this loop runs is not known, so that LLVM does not unroll it wholly.
; CHECK-LABEL: @unknown_negative(
; CHECK: udiv
; UNROLLED-LABEL: @unknown_negative(
; UNROLLED: br i1

; This one must not be unrolled.
; CHECK-LABEL: @disabled_negative(
; CHECK: udiv
; UNROLLED-LABEL: @disabled_negative(
; UNROLLED: br i1 %{{.*}}, label %loop
; UNROLLED-LABEL: @recorded(

; What was recorded is used, and is still there: n * m is no more than a word.
; RUN: %unravel-opt -passes='index-facts,before-unrolling' -S %s | FileCheck %s --check-prefix=FACTS
; FACTS-LABEL: @recorded(
; FACTS: loop:
; FACTS-NOT: sdiv
; FACTS: asm "// unravel.
; FACTS: ret void
; FACTS-NOT: unravel.stated

; Only the run behind unrolling says what stays as it is.
; RUN: %unravel-opt -passes=before-unrolling -pass-remarks=index-simplify -pass-remarks-missed=index-simplify -pass-remarks-analysis=index-simplify -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK
; REMARK: address simplified to base + 4 * k + 96 * th_x
; REMARK-NOT: {{kept|state|cannot}}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @window(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
entry:
  %t = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %t24 = mul nuw nsw i32 %t, 24
  %x = add nuw nsw i32 %t24, %k
  ; as [10, 20, 30, 4], and back
  %d = urem i32 %x, 4
  %x4 = udiv i32 %x, 4
  %c = urem i32 %x4, 30
  %x30 = udiv i32 %x4, 30
  %b = urem i32 %x30, 20
  %a = udiv i32 %x30, 20
  %a20 = mul nuw nsw i32 %a, 20
  %ab = add nuw nsw i32 %a20, %b
  %ab30 = mul nuw nsw i32 %ab, 30
  %abc = add nuw nsw i32 %ab30, %c
  %abc4 = mul nuw nsw i32 %abc, 4
  %abcd = add nuw nsw i32 %abc4, %d
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i32 %abcd
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %go = icmp ne i32 %next, 24
  br i1 %go, label %loop, label %done

done:
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i32 %t
  store float %more, ptr addrspace(1) %q, align 4
  ret void
}

define ptx_kernel void @unknown_negative(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 noundef %n) {
entry:
  %t = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %t24 = mul nuw nsw i32 %t, 24
  %x = add nuw nsw i32 %t24, %k
  ; as [10, 20, 30, 4], and back
  %d = urem i32 %x, 4
  %x4 = udiv i32 %x, 4
  %c = urem i32 %x4, 30
  %x30 = udiv i32 %x4, 30
  %b = urem i32 %x30, 20
  %a = udiv i32 %x30, 20
  %a20 = mul nuw nsw i32 %a, 20
  %ab = add nuw nsw i32 %a20, %b
  %ab30 = mul nuw nsw i32 %ab, 30
  %abc = add nuw nsw i32 %ab30, %c
  %abc4 = mul nuw nsw i32 %abc, 4
  %abcd = add nuw nsw i32 %abc4, %d
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i32 %abcd
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %go = icmp ne i32 %next, %n
  br i1 %go, label %loop, label %done

done:
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i32 %t
  store float %more, ptr addrspace(1) %q, align 4
  ret void
}

define ptx_kernel void @disabled_negative(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
entry:
  %t = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %t24 = mul nuw nsw i32 %t, 24
  %x = add nuw nsw i32 %t24, %k
  ; as [10, 20, 30, 4], and back
  %d = urem i32 %x, 4
  %x4 = udiv i32 %x, 4
  %c = urem i32 %x4, 30
  %x30 = udiv i32 %x4, 30
  %b = urem i32 %x30, 20
  %a = udiv i32 %x30, 20
  %a20 = mul nuw nsw i32 %a, 20
  %ab = add nuw nsw i32 %a20, %b
  %ab30 = mul nuw nsw i32 %ab, 30
  %abc = add nuw nsw i32 %ab30, %c
  %abc4 = mul nuw nsw i32 %abc, 4
  %abcd = add nuw nsw i32 %abc4, %d
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i32 %abcd
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %go = icmp ne i32 %next, 24
  br i1 %go, label %loop, label %done, !llvm.loop !0

done:
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i32 %t
  store float %more, ptr addrspace(1) %q, align 4
  ret void
}

define ptx_kernel void @recorded(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 noundef %n, i32 noundef %m) {
entry:
  %t = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %nm = mul nsw i32 %n, %m
  %tn = mul nsw i32 %t, %nm
  %x = add nsw i32 %tn, %k
  %b = sdiv i32 %x, %nm
  %c = srem i32 %x, %nm
  %bn = mul nsw i32 %b, %nm
  %i = add nsw i32 %bn, %c
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i32 %i
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %go = icmp ne i32 %next, 24
  br i1 %go, label %loop, label %done

done:
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i32 %t
  store float %more, ptr addrspace(1) %q, align 4
  ret void
}

; The clean-up of a copy declares intrinsics, which go with it.
; CHECK-LABEL: @declares(
define ptx_kernel void @declares(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
entry:
  %t = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %t24 = mul nuw nsw i32 %t, 24
  %x = add nuw nsw i32 %t24, %k
  %d = urem i32 %x, 4
  %x4 = udiv i32 %x, 4
  %c = urem i32 %x4, 30
  %x30 = udiv i32 %x4, 30
  %b = urem i32 %x30, 20
  %a = udiv i32 %x30, 20
  %a20 = mul nuw nsw i32 %a, 20
  %ab = add nuw nsw i32 %a20, %b
  %ab30 = mul nuw nsw i32 %ab, 30
  %abc = add nuw nsw i32 %ab30, %c
  %abc4 = mul nuw nsw i32 %abc, 4
  %abcd = add nuw nsw i32 %abc4, %d
  %mc = icmp slt i32 %t, 77
  %m = select i1 %mc, i32 77, i32 %t
  %uc = icmp ult i32 %m, %t24
  %u = select i1 %uc, i32 %m, i32 %t24
  %s1 = shl i32 %u, 7
  %s2 = lshr i32 %u, 25
  %rot = or i32 %s1, %s2
  %neg = sub i32 0, %rot
  %ac = icmp slt i32 %rot, 0
  %ab_ = select i1 %ac, i32 %neg, i32 %rot
  store i32 %ab_, ptr addrspace(1) %out
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i32 %abcd
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %go = icmp ne i32 %next, 24
  br i1 %go, label %loop, label %done

done:
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i32 %t
  store float %more, ptr addrspace(1) %q, align 4
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
