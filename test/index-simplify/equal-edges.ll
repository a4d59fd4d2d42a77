; A phi of one form is that form: GVN's PRE leaves such phis behind a guard.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; DEFINE: %{run} = %kernel-run --grid 5 --block 128 --args out:i32:80000
; RUN: %{run} --kernel computed_twice %s %t.ll
; RUN: %{run} --kernel computed_twice_negative %s %t.ll
; RUN: %{run} --kernel three_edges %s %t.ll
; RUN: %{run} --kernel three_edges_negative %s %t.ll
; RUN: %{run} --kernel nested %s %t.ll
; RUN: %{run} --kernel variable_of_an_arm_negative %s %t.ll
; RUN: %{run} --kernel fact_of_an_arm_negative %s %t.ll
; RUN: %{run} --kernel loop_negative %s %t.ll
; RUN: %{run} --kernel tangled_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; CHECK-LABEL: define ptx_kernel void @computed_twice(
; CHECK: behind:
; CHECK-NOT: phi
; CHECK: getelementptr inbounds nuw i8, ptr %{{.*}}, i64 1600
; CHECK: ret void
define ptx_kernel void @computed_twice(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %line = lshr i32 %t, 5
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %guard = icmp ult i32 %b, 3
  br i1 %guard, label %inside, label %outside
outside:
  %line4.pre = or disjoint i32 %line, 4
  br label %behind
inside:
  %line4 = or disjoint i32 %line, 4
  %at = mul nuw nsw i32 %line4, 33
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 3, ptr %p
  br label %behind
behind:
  %phi = phi i32 [ %line4.pre, %outside ], [ %line4, %inside ]
  %first = mul nuw nsw i32 %line, 100
  %i = add nuw nsw i32 %first, %t
  %q = getelementptr inbounds i32, ptr %out, i32 %i
  store i32 %t, ptr %q
  %later = mul nuw nsw i32 %phi, 100
  %j = add nuw nsw i32 %later, %t
  %r = getelementptr inbounds i32, ptr %out, i32 %j
  store i32 %t, ptr %r
  ret void
}

; CHECK-LABEL: define ptx_kernel void @computed_twice_negative(
; CHECK: behind:
; CHECK: phi
; CHECK: ret void
define ptx_kernel void @computed_twice_negative(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %line = lshr i32 %t, 5
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %guard = icmp ult i32 %b, 3
  br i1 %guard, label %inside, label %outside
outside:
  %line8.pre = or disjoint i32 %line, 8
  br label %behind
inside:
  %line4 = or disjoint i32 %line, 4
  br label %behind
behind:
  %phi = phi i32 [ %line8.pre, %outside ], [ %line4, %inside ]
  %later = mul nuw nsw i32 %phi, 100
  %j = add nuw nsw i32 %later, %t
  %r = getelementptr inbounds i32, ptr %out, i32 %j
  store i32 %t, ptr %r
  ret void
}

; Written in three ways.
; CHECK-LABEL: define ptx_kernel void @three_edges(
; CHECK: behind:
; CHECK-NOT: phi
; CHECK: ret void
define ptx_kernel void @three_edges(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  switch i32 %b, label %c [
    i32 0, label %a
    i32 1, label %b1
  ]
a:
  %q = udiv i32 %t, 7
  %q7 = mul nuw nsw i32 %q, 7
  %m = urem i32 %t, 7
  %xa = add nuw nsw i32 %q7, %m
  br label %behind
b1:
  %t3 = mul nuw nsw i32 %t, 3
  %t2 = shl nuw nsw i32 %t, 1
  %xb = sub nuw nsw i32 %t3, %t2
  br label %behind
c:
  br label %behind
behind:
  %phi = phi i32 [ %xa, %a ], [ %xb, %b1 ], [ %t, %c ]
  %p = getelementptr inbounds i32, ptr %out, i32 %phi
  store i32 %t, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @three_edges_negative(
; CHECK: phi
; CHECK: ret void
define ptx_kernel void @three_edges_negative(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  switch i32 %b, label %c [
    i32 0, label %a
    i32 1, label %b1
  ]
a:
  %q = udiv i32 %t, 7
  %q7 = mul nuw nsw i32 %q, 7
  %m = urem i32 %t, 7
  %xa = add nuw nsw i32 %q7, %m
  br label %behind
b1:
  %t3 = mul nuw nsw i32 %t, 3
  br label %behind
c:
  br label %behind
behind:
  %phi = phi i32 [ %xa, %a ], [ %t3, %b1 ], [ %t, %c ]
  %p = getelementptr inbounds i32, ptr %out, i32 %phi
  store i32 %t, ptr %p
  ret void
}

; A phi of phis.
; CHECK-LABEL: define ptx_kernel void @nested(
; CHECK-NOT: {{phi|udiv|urem|mulhi}}
; CHECK: ret void
define ptx_kernel void @nested(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %outer = icmp ult i32 %b, 3
  br i1 %outer, label %inside, label %beside
inside:
  %inner = icmp ult i32 %t, 77
  br i1 %inner, label %left, label %right
left:
  %ql = udiv i32 %t, 9
  br label %joined
right:
  %qr = udiv i32 %t, 9
  br label %joined
joined:
  %qi = phi i32 [ %ql, %left ], [ %qr, %right ]
  br label %behind
beside:
  %qb = udiv i32 %t, 9
  br label %behind
behind:
  %phi = phi i32 [ %qi, %joined ], [ %qb, %beside ]
  %r = urem i32 %t, 9
  %m = mul nuw nsw i32 %phi, 9
  %i = add nuw nsw i32 %m, %r
  %p = getelementptr inbounds i32, ptr %out, i32 %i
  store i32 %t, ptr %p
  ret void
}

; What is loaded in one arm is not there behind it.
; CHECK-LABEL: define ptx_kernel void @variable_of_an_arm_negative(
; CHECK: phi
; CHECK: ret void
define ptx_kernel void @variable_of_an_arm_negative(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %guard = icmp ult i32 %t, 100
  br i1 %guard, label %inside, label %outside
inside:
  %p = getelementptr inbounds i32, ptr %out, i32 %t
  %word = load i32, ptr %p
  %v = and i32 %word, 1023
  br label %behind
outside:
  %p2 = getelementptr inbounds i32, ptr %out, i32 100
  %word2 = load i32, ptr %p2
  %v2 = and i32 %word2, 1023
  br label %behind
behind:
  %phi = phi i32 [ %v, %inside ], [ %v2, %outside ]
  %at = add nuw nsw i32 %phi, %t
  %q = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 1, ptr %q
  ret void
}

; In the arm t is 5, which says nothing about the other edge.
; CHECK-LABEL: define ptx_kernel void @fact_of_an_arm_negative(
; CHECK: phi
; CHECK: ret void
define ptx_kernel void @fact_of_an_arm_negative(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %guard = icmp eq i32 %t, 5
  br i1 %guard, label %inside, label %outside
inside:
  %same = add nuw nsw i32 %t, 0
  br label %behind
outside:
  br label %behind
behind:
  %phi = phi i32 [ %same, %inside ], [ 7, %outside ]
  %at = mul nuw nsw i32 %phi, 3
  %q = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 1, ptr %q
  ret void
}

; The value of the last iteration, and of the first: not those of this one.
; CHECK-LABEL: define ptx_kernel void @loop_negative(
; CHECK: loop:
; CHECK: %i = phi
; CHECK: %before = phi
; CHECK: ret void
define ptx_kernel void @loop_negative(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %before = phi i32 [ 0, %0 ], [ %i, %loop ]
  %row = mul nuw nsw i32 %before, 128
  %at = add nuw nsw i32 %row, %t
  %q = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 7
  br i1 %again, label %loop, label %done
done:
  ret void
}

; A cycle with two entries: each phi comes from the other one.
; CHECK-LABEL: define ptx_kernel void @tangled_negative(
; CHECK: ret void
define ptx_kernel void @tangled_negative(ptr noundef %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %side = icmp ult i32 %t, 64
  br i1 %side, label %left, label %right
left:
  %l = phi i32 [ %t, %0 ], [ %r1, %right ]
  %l1 = add nuw nsw i32 %l, 3
  %p = getelementptr inbounds i32, ptr %out, i32 %l1
  store i32 %t, ptr %p
  %more = icmp ult i32 %l1, 400
  br i1 %more, label %right, label %done
right:
  %r = phi i32 [ %t, %0 ], [ %l1, %left ]
  %r1 = add nuw nsw i32 %r, 5
  %q = getelementptr inbounds i32, ptr %out, i32 %r1
  store i32 %t, ptr %q
  br label %left
done:
  ret void
}
