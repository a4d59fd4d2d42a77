; A guard whose branch leads straight to a loop: optimised code has no block in
; between. What it says about values from outside holds in every iteration.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 2 --block 128 --args out:i32:3000
; RUN: %{run} --kernel guarded %s %t.ll
; RUN: %{run} --kernel guarded_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @guarded(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: ret void
define ptx_kernel void @guarded(ptr %out) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %x, 75
  br i1 %low, label %loop, label %done
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  ; (Loop strength reduction would find the quotient of %j itself.)
  %odd = xor i32 %j, 1
  %j75 = mul nuw nsw i32 %odd, 75
  %i = add nuw nsw i32 %j75, %x
  %r = urem i32 %i, 75
  %q = udiv i32 %i, 75
  %r10 = mul nuw nsw i32 %r, 10
  %k = add nuw nsw i32 %r10, %q
  %e = zext nneg i32 %k to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %i, ptr %p
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The loop is entered from two sides, and only one of them is guarded.
; CHECK-LABEL: define ptx_kernel void @guarded_negative(
; CHECK: {{^loop}}
; CHECK: {{urem|udiv|mulhi}}
; CHECK: store
define ptx_kernel void @guarded_negative(ptr %out) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %guard, label %loop
guard:
  %low = icmp ult i32 %x, 75
  br i1 %low, label %loop, label %done
loop:
  %j = phi i32 [ 0, %entry ], [ 0, %guard ], [ %next, %loop ]
  %j75 = mul nuw nsw i32 %j, 75
  %i = add nuw nsw i32 %j75, %x
  %r = urem i32 %i, 75
  %e = zext nneg i32 %r to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}
