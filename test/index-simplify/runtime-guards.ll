; A division stays behind what makes it defined: a guard, a division by the same
; divisor, a divisor that is neither poison nor undef. Most of the negative twins
; would trap where the source does not: with a divisor of zero, or with INT_MIN
; and -1.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:4000,i32:3,i32:5,i32:-77 --kernel evidence %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:-1,i32:1,i32:-2147483647 --kernel evidence %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:-1,i32:-1,i32:2147483647 --kernel evidence %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:-1,i32:1,i32:-2147483648 --kernel evidence_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:3,i32:5,i32:-77 --kernel evidence_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:-1,i32:1,i32:-2147483648,i32:0 --kernel joined_guards_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:-1,i32:1,i32:-2147483648,i32:1 --kernel joined_guards_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:3,i32:5,i32:-77,i32:1 --kernel joined_guards_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:0,i32:5,i32:77 --kernel not_dominating_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:5,i32:77 --kernel not_dominating_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:11,i32:77 --kernel not_dominating_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:0,i32:0,i32:77 --kernel not_dominating_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:997 --kernel word_behind_guard %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:1,i32:77 --kernel word_behind_guard %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:1073741824,i32:5 --kernel word_behind_guard_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:997 --kernel word_behind_guard_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:1,i32:77 --kernel word_behind_guard_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:65536,i32:65536,i32:5 --kernel product_behind_guard_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:11,i32:997 --kernel product_behind_guard_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:1,i32:1,i32:5 --kernel product_behind_guard_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:11,i32:997 --kernel in_loop %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:1,i32:1,i32:997 --kernel in_loop %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:0,i32:11,i32:997 --kernel in_loop_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:0,i32:997 --kernel in_loop_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:11,i32:997 --kernel in_loop_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:0,i32:11,i32:997,i32:0 --kernel zero_trips_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:11,i32:997,i32:9 --kernel zero_trips_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:11,i32:99 --kernel poison_divisor_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:7,i32:11,i32:99 --kernel poison_divisor %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:1,i32:1,i32:99 --kernel poison_divisor %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The entry divides by h*w: x/h/w in the loop is one division by it, and x is
; above INT_MIN everywhere. It is invariant.
; CHECK-LABEL: define ptx_kernel void @evidence(
; CHECK: sdiv i32 100, [[HW:%.*]]
; CHECK: sdiv i32 %x, [[HW]]
; CHECK: {{^head}}
; CHECK-NOT: sdiv
; CHECK: ret void
define ptx_kernel void @evidence(ptr noundef %out, i32 noundef range(i32 -100, 101) %h, i32 noundef range(i32 -100, 101) %w, i32 noundef range(i32 -2147483647, -2147483648) %x) {
entry:
  %hw = mul nsw i32 %h, %w
  %q0 = sdiv i32 100, %hw
  store volatile i32 %q0, ptr %out
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %next, %head ]
  %q = sdiv i32 %x, %h
  %q2 = sdiv i32 %q, %w
  %s = add i32 %q2, %j
  %e = zext i32 %j to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %head, label %done
done:
  ret void
}

; That x is above INT_MIN is known behind the guard only.
; CHECK-LABEL: define ptx_kernel void @evidence_negative(
; CHECK: sdiv i32 100,
; CHECK-NOT: sdiv
; CHECK: {{^write}}
; CHECK: sdiv i32
; CHECK: ret void
define ptx_kernel void @evidence_negative(ptr noundef %out, i32 noundef range(i32 -100, 101) %h, i32 noundef range(i32 -100, 101) %w, i32 noundef %x) {
entry:
  %hw = mul nsw i32 %h, %w
  %q0 = sdiv i32 100, %hw
  store volatile i32 %q0, ptr %out
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %safe = icmp sgt i32 %x, -50000
  br i1 %safe, label %write, label %latch
write:
  %q = sdiv i32 %x, %h
  %q2 = sdiv i32 %q, %w
  %s = add i32 %q2, %j
  %e = zext i32 %j to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %head, label %done
done:
  ret void
}

; Two guards in front of the same division, nothing in front of both.
; CHECK-LABEL: define ptx_kernel void @joined_guards_negative(
; CHECK: sdiv i32 100,
; CHECK-NOT: sdiv
; CHECK: {{^a}}:
; CHECK: sdiv i32
; CHECK: {{^b}}:
; CHECK: sdiv i32
define ptx_kernel void @joined_guards_negative(ptr noundef %out, i32 noundef range(i32 -100, 101) %h, i32 noundef range(i32 -100, 101) %w, i32 noundef %x, i32 noundef %m) {
entry:
  %hw = mul nsw i32 %h, %w
  %q0 = sdiv i32 100, %hw
  store volatile i32 %q0, ptr %out
  %first = icmp eq i32 %m, 0
  %safe = icmp sgt i32 %x, -50000
  br i1 %first, label %a0, label %b0
a0:
  br i1 %safe, label %a, label %done
a:
  %q = sdiv i32 %x, %h
  %q2 = sdiv i32 %q, %w
  store i32 %q2, ptr %out
  br label %done
b0:
  br i1 %safe, label %b, label %done
b:
  %r = sdiv i32 %x, %h
  %r2 = sdiv i32 %r, %w
  %r3 = add i32 %r2, 9
  store i32 %r3, ptr %out
  br label %done
done:
  ret void
}

; One branch divides by n; that says nothing where the branches have met.
; CHECK-LABEL: define ptx_kernel void @not_dominating_negative(
; CHECK-NOT: udiv
; CHECK: {{^divides}}
; CHECK: {{^meet}}
; CHECK-NOT: udiv
; CHECK: {{^write}}
; CHECK: udiv i32 {{.*}}, %n
define ptx_kernel void @not_dominating_negative(ptr noundef %out, i32 noundef %n, i32 noundef %m, i32 noundef %x) {
entry:
  %same = icmp eq i32 %m, 11
  br i1 %same, label %divides, label %meet
divides:
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %done, label %divide
divide:
  %q0 = udiv i32 100, %n
  store volatile i32 %q0, ptr %out
  br label %meet
meet:
  %other = icmp ugt i32 %n, %m
  br i1 %other, label %write, label %done
write:
  %q = udiv i32 %x, %n
  %r = urem i32 %x, %n
  %qn = mul nuw i32 %q, %n
  %i = add nuw i32 %qn, %r
  %q2 = udiv i32 %i, %n
  store i32 %q2, ptr %out
  br label %done
done:
  ret void
}

; 4*w is a word and not zero everywhere: the address is invariant.
; CHECK-LABEL: define ptx_kernel void @word_behind_guard(
; CHECK: udiv i32 %x,
; CHECK: {{^head}}
; CHECK-NOT: udiv
; CHECK: ret void
define ptx_kernel void @word_behind_guard(ptr noundef %out, i32 noundef range(i32 1, 1000) %w, i32 noundef %x) {
entry:
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %small = icmp ult i32 %w, 1000
  br i1 %small, label %write, label %latch
write:
  %d = mul i32 %w, 4
  %q = udiv i32 %x, %d
  %r = urem i32 %x, %d
  %qd = mul nuw i32 %q, %d
  %i = add nuw i32 %qd, %r
  %q2 = udiv i32 %i, %d
  %s = add i32 %q2, %j
  %e = zext i32 %s to i64
  %p = getelementptr i8, ptr %out, i64 %e
  store i8 1, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %head, label %done
done:
  ret void
}

; The number 4*w is positive everywhere; the word is 0 for w = 2^30. (x/w/4 may
; leave the loop.)
; CHECK-LABEL: define ptx_kernel void @word_behind_guard_negative(
; CHECK-NOT: {{shl|mul}}
; CHECK: {{^write}}
; CHECK: ret void
define ptx_kernel void @word_behind_guard_negative(ptr noundef %out, i32 noundef range(i32 1, 2147483647) %w, i32 noundef %x) {
entry:
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %small = icmp ult i32 %w, 1000
  br i1 %small, label %write, label %latch
write:
  %d = mul i32 %w, 4
  %q = udiv i32 %x, %d
  %r = urem i32 %x, %d
  %qd = mul nuw i32 %q, %d
  %i = add nuw i32 %qd, %r
  %q2 = udiv i32 %i, %d
  %s = add i32 %q2, %j
  %e = zext i32 %s to i64
  %p = getelementptr i8, ptr %out, i64 %e
  store i8 1, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %head, label %done
done:
  ret void
}

; So is h*w, and 0 as a word for 65536 * 65536: in front of the guards x may be
; divided by one after the other, but not by the product.
; CHECK-LABEL: define ptx_kernel void @product_behind_guard_negative(
; CHECK: [[LINE:%.*]] = udiv i32 %x, %w
; CHECK: udiv i32 [[LINE]], %h
; CHECK: {{^head}}
; CHECK-NOT: {{div|rem}} i
; CHECK: ret void
define ptx_kernel void @product_behind_guard_negative(ptr noundef %out, i32 noundef range(i32 1, 2147483647) %h, i32 noundef range(i32 1, 2147483647) %w, i32 noundef %x) {
entry:
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %low = icmp ult i32 %h, 1000
  br i1 %low, label %second, label %latch
second:
  %narrow = icmp ult i32 %w, 1000
  br i1 %narrow, label %write, label %latch
write:
  %hw = mul nuw nsw i32 %w, %h
  %q = udiv i32 %x, %hw
  %r = urem i32 %x, %hw
  %r1 = udiv i32 %r, %w
  %r2 = urem i32 %r, %w
  %m1 = mul i32 %q, %h
  %m2 = add i32 %m1, %r1
  %m3 = mul i32 %m2, %w
  %m4 = add i32 %m3, %r2
  %m5 = add i32 %q, %m4
  %s = add i32 %m5, %j
  %e = zext i32 %s to i64
  %p = getelementptr i8, ptr %out, i64 %e
  store i8 1, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %head, label %done
done:
  ret void
}

; Sizes that are positive: the division may leave the loop.
; CHECK-LABEL: define ptx_kernel void @in_loop(
; CHECK: udiv i32 %x,
; CHECK: {{^loop}}
; CHECK-NOT: udiv
; CHECK: ret void
define ptx_kernel void @in_loop(ptr noundef %out, i32 noundef range(i32 1, 1000) %h, i32 noundef range(i32 1, 1000) %w, i32 noundef range(i32 0, 100000) %x) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = and i32 %j, 1
  %skip = icmp eq i32 %odd, 0
  br i1 %skip, label %latch, label %write
write:
  %q = udiv i32 %x, %w
  %q2 = udiv i32 %q, %h
  %s = add i32 %q2, %j
  %e = zext i32 %j to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The guard in the loop is all that keeps h*w from being zero.
; CHECK-LABEL: define ptx_kernel void @in_loop_negative(
; CHECK-NOT: udiv
; CHECK: {{^write}}
; CHECK: udiv i32 %x,
; CHECK: ret void
define ptx_kernel void @in_loop_negative(ptr noundef %out, i32 noundef range(i32 0, 1000) %h, i32 noundef range(i32 0, 1000) %w, i32 noundef range(i32 0, 100000) %x) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %hj = icmp eq i32 %h, 0
  br i1 %hj, label %latch, label %second
second:
  %wj = icmp eq i32 %w, 0
  br i1 %wj, label %latch, label %write
write:
  %q = udiv i32 %x, %w
  %q2 = udiv i32 %q, %h
  %s = add i32 %q2, %j
  %e = zext i32 %j to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A loop that may not run at all divides nothing.
; CHECK-LABEL: define ptx_kernel void @zero_trips_negative(
; CHECK-NOT: udiv
; CHECK: {{^loop}}
; CHECK: udiv i32
; CHECK: ret void
define ptx_kernel void @zero_trips_negative(ptr noundef %out, i32 noundef range(i32 0, 1000) %h, i32 noundef range(i32 0, 1000) %w, i32 noundef range(i32 0, 100000) %x, i32 noundef range(i32 0, 1000) %count) {
entry:
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %more = icmp ult i32 %j, %count
  br i1 %more, label %loop, label %done
loop:
  %q = udiv i32 %x, %w
  %q2 = udiv i32 %q, %h
  %s = add i32 %q2, %j
  %e = zext i32 %j to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  %next = add nuw nsw i32 %j, 1
  br label %head
done:
  ret void
}

; Arguments that may be poison are positive, or poison: no division by them in
; front of the guard that the program branches on.
; CHECK-LABEL: define ptx_kernel void @poison_divisor_negative(
; CHECK-NOT: udiv
; CHECK: {{^write}}
; CHECK: udiv i32
; CHECK: ret void
define ptx_kernel void @poison_divisor_negative(ptr noundef %out, i32 range(i32 1, 1000) %h, i32 range(i32 1, 1000) %w, i32 noundef range(i32 0, 100000) %x) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %large = icmp ugt i32 %x, 50
  br i1 %large, label %write, label %latch
write:
  %q = udiv i32 %x, %w
  %q2 = udiv i32 %q, %h
  %s = add i32 %q2, %j
  %e = zext i32 %j to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @poison_divisor(
; CHECK: udiv i32 %x,
; CHECK: {{^loop}}
; CHECK-NOT: udiv
; CHECK: ret void
define ptx_kernel void @poison_divisor(ptr noundef %out, i32 noundef range(i32 1, 1000) %h, i32 noundef range(i32 1, 1000) %w, i32 noundef range(i32 0, 100000) %x) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %large = icmp ugt i32 %x, 50
  br i1 %large, label %write, label %latch
write:
  %q = udiv i32 %x, %w
  %q2 = udiv i32 %q, %h
  %s = add i32 %q2, %j
  %e = zext i32 %j to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}
