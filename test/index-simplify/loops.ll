; Loop counters with known bounds are digits; what does not depend on the
; counter is computed in front of the loop.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 2 --block 8 --args out:i32:6000
; RUN: %{run} --kernel counter %s %t.ll
; RUN: %{run} --kernel counter_negative %s %t.ll
; RUN: %{run} --kernel stride %s %t.ll
; RUN: %{run} --kernel stride_negative %s %t.ll
; RUN: %{run} --kernel hoisted %s %t.ll
; RUN: %{run} --kernel hoisted_negative %s %t.ll

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

; j counts from 0 to 74: x and j are the digits of 75*x + j.
; CHECK-LABEL: define ptx_kernel void @counter(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: ret void
define ptx_kernel void @counter(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t75 = mul nuw nsw i32 %t, 75
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nuw nsw i32 %t75, %j
  %q = udiv i32 %i, 75
  %r = urem i32 %i, 75
  %r16 = shl nuw nsw i32 %r, 4
  %k = add nuw nsw i32 %r16, %q
  %e = zext i32 %k to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %i, ptr %p
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 75
  br i1 %more, label %loop, label %done
done:
  ret void
}

; j reaches 75, which is no digit in base 75.
; CHECK-LABEL: define ptx_kernel void @counter_negative(
; CHECK: {{^loop}}
; CHECK: {{udiv|mulhi|select|icmp}}
; CHECK: store
define ptx_kernel void @counter_negative(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t75 = mul nuw nsw i32 %t, 75
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nuw nsw i32 %t75, %j
  %q = udiv i32 %i, 75
  %r = urem i32 %i, 75
  %r16 = shl nuw nsw i32 %r, 4
  %k = add nuw nsw i32 %r16, %q
  %e = zext i32 %k to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %i, ptr %p
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 76
  br i1 %more, label %loop, label %done
done:
  ret void
}

; j is a multiple of 12: a stride is a congruence.
; CHECK-LABEL: define ptx_kernel void @stride(
; CHECK-NOT: {{urem|srem|mulhi| -12}}
; CHECK: store
define ptx_kernel void @stride(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t12 = mul nuw nsw i32 %t, 12
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nuw nsw i32 %j, %t12
  %i5 = add nuw nsw i32 %i, 5
  %r = urem i32 %i5, 12
  %k = add nuw nsw i32 %r, %t
  %e = zext i32 %k to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %t, ptr %p
  %next = add nuw nsw i32 %j, 12
  %more = icmp ult i32 %next, 600
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The stride is 8, the divisor 12.
; CHECK-LABEL: define ptx_kernel void @stride_negative(
; CHECK: {{^loop}}
; CHECK: {{urem|udiv|mulhi}}
; CHECK: store
define ptx_kernel void @stride_negative(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t12 = mul nuw nsw i32 %t, 12
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nuw nsw i32 %j, %t12
  %i5 = add nuw nsw i32 %i, 5
  %r = urem i32 %i5, 12
  %k = add nuw nsw i32 %r, %i
  %e = zext i32 %k to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %t, ptr %p
  %next = add nuw nsw i32 %j, 8
  %more = icmp ult i32 %next, 600
  br i1 %more, label %loop, label %done
done:
  ret void
}

; (x + 75*j) / 75 is x/75 + j: the quotient of x is computed once, in front.
; CHECK-LABEL: define ptx_kernel void @hoisted(
; CHECK: {{udiv|mulhi}}
; CHECK: {{^loop}}
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
; CHECK: br i1
define ptx_kernel void @hoisted(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %j75 = mul nuw nsw i32 %j, 75
  %i = add nuw nsw i32 %j75, %t
  %q = udiv i32 %i, 75
  %r = urem i32 %i, 75
  %r16 = shl nuw nsw i32 %r, 4
  %k = add nuw nsw i32 %r16, %q
  %e = zext i32 %k to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %i, ptr %p
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}

; What is loaded in the loop cannot be computed in front of it.
; CHECK-LABEL: define ptx_kernel void @hoisted_negative(
; CHECK: {{^loop}}
; CHECK: load
; CHECK: {{udiv|urem}}
; CHECK: store
define ptx_kernel void @hoisted_negative(ptr %out) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %j64 = zext nneg i32 %j to i64
  %in = getelementptr inbounds i32, ptr %out, i64 %j64
  %x = load i32, ptr %in
  %r = urem i32 %x, 75
  %e = zext nneg i32 %r to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %j, ptr %p
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}
