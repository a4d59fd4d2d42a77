; A sum is taken through a phi or a select, each way with what is known there, and
; only if everything that it needs is there.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1 --args out:i32:100
; RUN: %{run},i32:10000,i32:-80 --kernel two_ways %s %t.ll
; RUN: %{run},i32:100,i32:80 --kernel two_ways %s %t.ll
; RUN: %{run},i32:10000 --kernel three_ways_negative %s %t.ll
; RUN: %{run},i32:100,i32:1 --kernel behind_negative %s %t.ll
; RUN: %{run},i32:100,i32:1 --kernel quotient_behind_negative %s %t.ll
; RUN: %{run},i32:10000,i32:1 --kernel late_join_negative %s %t.ll
; RUN: %{run},i32:10000 --kernel one_way %s %t.ll
; RUN: %{run},i32:10000,i32:1 --kernel two_joins %s %t.ll
; RUN: %{run},i32:100,i32:1000 --kernel two_joins %s %t.ll
; RUN: %{run},i32:10000,i32:1 --kernel two_selects %s %t.ll
; RUN: %{run},i32:9000,i32:1 --kernel two_selects %s %t.ll
; RUN: %{run},i32:10000,i32:1000 --kernel two_selects %s %t.ll
; RUN: %{run},i32:10000 --kernel into_phi %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i8:300,i32:10000,i32:30 --kernel computed_behind %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i8:300,i32:100,i32:999 --kernel computed_behind %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 4*x on one way and 4*x + 13 on the other; 8 and the truncating quotient are
; the same on both.
; CHECK-LABEL: define ptx_kernel void @two_ways(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: phi i32
; CHECK: store
define ptx_kernel void @two_ways(ptr noundef %out, i32 noundef range(i32 0, 30000) %x, i32 noundef range(i32 -1000, 1000) %y) {
  %c = icmp ult i32 %x, 9000
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %t = sdiv i32 %y, 75
  br i1 %c, label %then, label %else
then:
  %p1 = mul i32 %a, 300
  br label %merge
else:
  %a2 = mul i32 %a, 300
  %p2 = add i32 %a2, 13
  br label %merge
merge:
  %p = phi i32 [ %p1, %then ], [ %p2, %else ]
  %r4 = mul i32 %r, 4
  %i = add i32 %p, %r4
  %j = add i32 %i, %t
  %k = add i32 %j, 8
  store i32 %k, ptr %out
  ret void
}

; Three ways are not taken apart.
; CHECK-LABEL: define ptx_kernel void @three_ways_negative(
; CHECK: phi i32 {{.*}}, {{.*}}, {{.*}} ]
; CHECK: store
define ptx_kernel void @three_ways_negative(ptr noundef %out, i32 noundef range(i32 0, 30000) %x) {
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %p1 = mul i32 %a, 300
  switch i32 %x, label %else [ i32 5, label %then
                               i32 7, label %other ]
then:
  br label %merge
other:
  %p3 = add i32 %p1, 26
  br label %merge
else:
  %p2 = add i32 %p1, 13
  br label %merge
merge:
  %p = phi i32 [ %p1, %then ], [ %p2, %else ], [ %p3, %other ]
  %r4 = mul i32 %r, 4
  %i = add i32 %p, %r4
  store i32 %i, ptr %out
  ret void
}

; What is read behind the join is not there on the ways to it.
; CHECK-LABEL: define ptx_kernel void @behind_negative(
; CHECK: phi i32
; CHECK: load i32
; CHECK: store
define ptx_kernel void @behind_negative(ptr noundef %out, i32 noundef range(i32 0, 30000) %x, i32 noundef %n) {
  %c = icmp ult i32 %x, 9000
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  br i1 %c, label %then, label %else
then:
  %p1 = mul i32 %a, 300
  br label %merge
else:
  %a2 = mul i32 %a, 300
  %p2 = add i32 %a2, 13
  br label %merge
merge:
  %p = phi i32 [ %p1, %then ], [ %p2, %else ]
  %v = load i32, ptr %out, !range !0, !noundef !1
  %q = udiv i32 %v, 7
  %r4 = mul i32 %r, 4
  %i = add i32 %p, %r4
  %j = add i32 %i, %q
  %k = add i32 %j, %v
  store i32 %k, ptr %out
  ret void
}

; Nor is a quotient of it, though it has been planned for the join.
; CHECK-LABEL: define ptx_kernel void @quotient_behind_negative(
; CHECK: phi i32
; CHECK: load i32
; CHECK: store
define ptx_kernel void @quotient_behind_negative(ptr noundef %out, i32 noundef range(i32 0, 30000) %x, i32 noundef %n) {
  %c = icmp ult i32 %x, 9000
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  br i1 %c, label %then, label %else
then:
  %p1 = mul i32 %a, 300
  br label %merge
else:
  %a2 = mul i32 %a, 300
  %p2 = add i32 %a2, 13
  br label %merge
merge:
  %p = phi i32 [ %p1, %then ], [ %p2, %else ]
  %v = load i32, ptr %out, !range !0, !noundef !1
  %q = udiv i32 %v, 7
  %r4 = mul i32 %r, 4
  %i = add i32 %p, %r4
  %j = add i32 %i, %q
  store i32 %j, ptr %out
  ret void
}

; Two joins, one behind the other: each is taken apart at its own place.
; CHECK-LABEL: define ptx_kernel void @two_joins(
; CHECK: phi i32
; CHECK: phi i32
; CHECK: store
define ptx_kernel void @two_joins(ptr noundef %out, i32 noundef range(i32 0, 30000) %x, i32 noundef range(i32 0, 30000) %y) {
  %c = icmp ult i32 %x, 9000
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %b = udiv i32 %y, 21
  %s = urem i32 %y, 21
  br i1 %c, label %then, label %else
then:
  %p1 = mul i32 %a, 300
  br label %merge
else:
  %a2 = mul i32 %a, 300
  %p2 = add i32 %a2, 13
  br label %merge
merge:
  %p = phi i32 [ %p1, %then ], [ %p2, %else ]
  %d = icmp ult i32 %y, 500
  br i1 %d, label %then2, label %else2
then2:
  %q1 = mul i32 %b, 42
  br label %merge2
else2:
  %b2 = mul i32 %b, 42
  %q2 = add i32 %b2, 17
  br label %merge2
merge2:
  %q = phi i32 [ %q1, %then2 ], [ %q2, %else2 ]
  %r4 = mul i32 %r, 4
  %s2 = mul i32 %s, 2
  %i = add i32 %p, %r4
  %j = add i32 %q, %s2
  %k = add i32 %i, %j
  store i32 %k, ptr %out
  ret void
}

; On the ways to the first join the second one is not there.
; CHECK-LABEL: define ptx_kernel void @late_join_negative(
; CHECK: phi i32
; CHECK: phi i32
; CHECK: store
define ptx_kernel void @late_join_negative(ptr noundef %out, i32 noundef range(i32 0, 30000) %x, i32 noundef range(i32 0, 30000) %y) {
  %c = icmp ult i32 %x, 9000
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %b = udiv i32 %y, 21
  %s = urem i32 %y, 21
  br i1 %c, label %then, label %else
then:
  %p1 = mul i32 %a, 300
  br label %merge
else:
  %a2 = mul i32 %a, 300
  %p2 = add i32 %a2, 13
  br label %merge
merge:
  %p = phi i32 [ %p1, %then ], [ %p2, %else ]
  %d = icmp ult i32 %y, 500
  br i1 %d, label %then2, label %else2
then2:
  %q1 = mul i32 %b, 42
  br label %merge2
else2:
  %b2 = mul i32 %b, 42
  %q2 = add i32 %b2, 17
  br label %merge2
merge2:
  %q = phi i32 [ %q1, %then2 ], [ %q2, %else2 ]
  %r4 = mul i32 %r, 4
  %s2 = mul i32 %s, 2
  %i = add i32 %p, %r4
  %j = add i32 %q, %s2
  %k = add i32 %j, %i
  store i32 %k, ptr %out
  ret void
}

; A way that is never taken is none.
; CHECK-LABEL: define ptx_kernel void @one_way(
; CHECK: store
define ptx_kernel void @one_way(ptr noundef %out, i32 noundef range(i32 0, 30000) %x) {
entry:
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %p1 = mul i32 %a, 300
  br label %merge
dead:
  %p2 = add i32 %p1, 13
  br label %merge
merge:
  %p = phi i32 [ %p1, %entry ], [ %p2, %dead ]
  %r4 = mul i32 %r, 4
  %i = add i32 %p, %r4
  store i32 %i, ptr %out
  ret void
}

; The arms of a select; the one with another condition stays as it is.
; CHECK-LABEL: define ptx_kernel void @two_selects(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: select i1 %d, i32 %y, i32 17
; CHECK: select i1 %c
; CHECK: store
define ptx_kernel void @two_selects(ptr noundef %out, i32 noundef range(i32 0, 30000) %x, i32 noundef range(i32 0, 30000) %y) {
  %c = icmp eq i32 %x, 9000
  %d = icmp ult i32 %y, 500
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %p1 = mul i32 %a, 300
  %p2 = add i32 %p1, 13
  %p = select i1 %c, i32 %p1, i32 %p2
  %q = select i1 %d, i32 %y, i32 17
  %r4 = mul i32 %r, 4
  %i = add i32 %p, %r4
  %k = add i32 %q, %i
  store i32 %k, ptr %out
  ret void
}

; A condition that may be undef might choose differently in a copy.
; CHECK-LABEL: define ptx_kernel void @two_selects_negative(
; CHECK: [[A:%.*]] = {{udiv|call i32 @llvm.nvvm.mulhi}}
; CHECK: select i1 %c
; CHECK: store
define ptx_kernel void @two_selects_negative(ptr noundef %out, i1 %c, i32 noundef range(i32 0, 30000) %x) {
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %p1 = mul i32 %a, 300
  %p2 = add i32 %p1, 13
  %p = select i1 %c, i32 %p1, i32 %p2
  %r4 = mul i32 %r, 4
  %i = add i32 %p, %r4
  store i32 %i, ptr %out
  ret void
}

; A value that only a phi uses is computed in front of the edge.
; CHECK-LABEL: define ptx_kernel void @into_phi(
; CHECK: {{^then}}
; CHECK: {{^merge}}
; CHECK-NEXT: phi i32
; CHECK-NEXT: phi i32
; CHECK: store
define ptx_kernel void @into_phi(ptr noundef %out, i32 noundef range(i32 0, 30000) %x) {
entry:
  %c = icmp ugt i32 %x, 9000
  br i1 %c, label %then, label %merge
then:
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %m = mul i32 %a, 75
  %i = add i32 %m, %r
  %i3 = mul i32 %i, 3
  br label %merge
merge:
  %one = phi i32 [ 1, %then ], [ 2, %entry ]
  %p = phi i32 [ %i3, %then ], [ 0, %entry ]
  %k = add i32 %p, %one
  store i32 %k, ptr %out
  ret void
}

!0 = !{i32 0, i32 1000}
!1 = !{}

; n + 5 is there behind the join, but not on the way to it, where it is computed
; anew.
; CHECK-LABEL: define ptx_kernel void @computed_behind(
; CHECK: {{^then}}
; CHECK-NEXT: [[N5:%.*]] = add nuw nsw i32 %n, 5
; CHECK-NEXT: lshr i32 [[N5]], 3
; CHECK: {{^else}}
; CHECK-NEXT: br label %merge
; CHECK: phi i32 [ {{.*}}, %then ], [ 0, %else ]
; CHECK-NEXT: %n5 = add i32 %n, 5
; CHECK-NOT: lshr
; CHECK: ret void
define ptx_kernel void @computed_behind(ptr noundef %out, i32 noundef range(i32 0, 30000) %x, i32 noundef range(i32 0, 1000) %n) {
entry:
  %c = icmp ult i32 %x, 9000
  br i1 %c, label %then, label %else
then:
  %p1 = add nsw i32 %x, 100
  br label %merge
else:
  %m5 = add i32 %n, 5
  %m = lshr i32 %m5, 3
  %p2 = sub nsw i32 %x, %m
  br label %merge
merge:
  %p = phi i32 [ %p1, %then ], [ %p2, %else ]
  %n5 = add i32 %n, 5
  store volatile i32 %n5, ptr %out
  %q = lshr i32 %n5, 3
  %i = sub nsw i32 %p, %x
  %k = add nsw i32 %i, %q
  %e = sext i32 %k to i64
  %to = getelementptr inbounds i8, ptr %out, i64 %e
  store volatile i8 7, ptr %to
  ret void
}
