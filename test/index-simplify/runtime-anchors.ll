; The divisor of a division is computed by what holds at its anchor, and not by
; what holds at the root: by a guard in between, or by a flag of what only the
; root depends on. All of these kernels divide by something that may wrap to zero
; outside of the guard; none may divide there.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:8,i16:3,i32:3,i32:3,i32:4 --kernel guard_negative %s %t.ll
; RUN: %{run} --args out:i32:8,i16:3,i32:-70000,i32:3,i32:4 --kernel guard_negative %s %t.ll
; RUN: %{run} --args out:i32:8,i32:-2147483648,i32:-2147483648,i32:3,i32:4 --kernel two_guards_negative %s %t.ll
; RUN: %{run} --args out:i32:8,i32:1073741824,i32:1073741830,i32:3,i32:4 --kernel two_guards_negative %s %t.ll
; RUN: %{run} --args out:i32:8,in:i32:8:min=0:max=0,i32:-2147483648,i32:-2147483648,i32:100,i32:4 --kernel flags_evidence_negative %s %t.ll
; RUN: %{run} --args out:i32:8,in:i32:8:min=5:max=7,i32:70,i32:80,i32:100,i32:4 --kernel flags_evidence_negative %s %t.ll
; RUN: %{run} --args out:i32:8,in:i32:8:min=0:max=0,i32:-2147483648,i32:-2147483648,i32:100,i32:4 --kernel flags_range_negative %s %t.ll
; RUN: %{run} --args out:i32:8,in:i32:8:min=1:max=1,i32:1073741824,i32:1073741824,i32:100,i32:4 --kernel flags_range_negative %s %t.ll
; RUN: %{run} --args out:i32:64,i32:1,i32:3,i32:5,i32:100,i32:7 --kernel joined_evidence %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The quotient is invariant, and its divisor a word behind the guard only.
define ptx_kernel void @guard_negative(ptr noundef %out, i16 noundef %x16, i32 noundef %y, i32 noundef %z, i32 noundef %n) {
entry:
  %x = zext i16 %x16 to i32
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = add i32 %x, %y
  %c = icmp slt i32 %y, -65536
  br i1 %c, label %then, label %latch
then:
  %d = lshr i32 %s, 3
  %q = udiv i32 %z, %d
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; Both places share the quotient: it may not be computed in front of both.
define ptx_kernel void @two_guards_negative(ptr noundef %out, i32 noundef range(i32 1073741824, -1) %x, i32 noundef range(i32 1073741824, -1) %y, i32 noundef %z, i32 noundef %n) {
entry:
  %x64 = zext i32 %x to i64
  %y64 = zext i32 %y to i64
  %t = add nuw nsw i64 %x64, %y64
  %c1 = icmp ult i64 %t, 4294967296
  br i1 %c1, label %then, label %mid
then:
  %s = add i32 %x, %y
  %d = udiv i32 %s, 10
  %q = udiv i32 %z, %d
  %q1 = mul i32 %d, %q
  %r1 = sub i32 %z, %q1
  %e1 = zext i32 %r1 to i64
  %p = getelementptr i32, ptr %out, i64 %e1
  store i32 %q, ptr %p
  br label %mid
mid:
  %c2 = icmp ult i64 %t, 4294967286
  br i1 %c2, label %then2, label %done
then2:
  %s2 = add i32 %x, %y
  %d2 = udiv i32 %s2, 10
  %q2 = udiv i32 %z, %d2
  %r2 = urem i32 %z, %d2
  %p2 = getelementptr i32, ptr %out, i32 %r2
  store i32 %q2, ptr %p2
  br label %done
done:
  ret void
}

; The entry divides by the same number, which it computes in 64 bits.
define ptx_kernel void @flags_evidence_negative(ptr noundef %out, ptr noundef %in, i32 noundef %x, i32 noundef %y, i32 noundef %z, i32 noundef %n) {
entry:
  %x64 = zext i32 %x to i64
  %y64 = zext i32 %y to i64
  %t = add nuw nsw i64 %x64, %y64
  %d64 = udiv i64 %t, 10
  %d = trunc i64 %d64 to i32
  %q0 = udiv i32 %n, %d
  store volatile i32 %q0, ptr %in
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %pc = getelementptr i32, ptr %in, i32 %i
  %c = load i32, ptr %pc
  %c1 = icmp eq i32 %c, 5
  br i1 %c1, label %then, label %b2
b2:
  %c2 = icmp eq i32 %c, 7
  br i1 %c2, label %then, label %latch
then:
  %s = add nuw i32 %x, %y
  %ds = udiv i32 %s, 10
  %q = udiv i32 %z, %ds
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

define ptx_kernel void @flags_range_negative(ptr noundef %out, ptr noundef %in, i32 noundef range(i32 1073741824, -1) %x, i32 noundef range(i32 1073741824, -1) %y, i32 noundef %z, i32 noundef %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %pc = getelementptr i32, ptr %in, i32 %i
  %c = load i32, ptr %pc
  %c1 = icmp ne i32 %c, 0
  br i1 %c1, label %then, label %latch
then:
  %s = add nuw i32 %x, %y
  %d = udiv i32 %s, 10
  %q = udiv i32 %z, %d
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; Looking for a plan in front of the join must keep the evidence behind it.
define ptx_kernel void @joined_evidence(ptr noundef %out, i32 noundef %c32, i32 noundef %a, i32 noundef %b, i32 noundef range(i32 0, 100000) %x0, i32 noundef range(i32 0, 100000) %x1) {
entry:
  %c = icmp ne i32 %c32, 0
  br i1 %c, label %l, label %r
l:
  br label %m
r:
  br label %m
m:
  %x = phi i32 [ %x0, %l ], [ %x1, %r ]
  %xs = add nuw nsw i32 %x, 7
  %q1 = udiv i32 %xs, %a
  %q12 = udiv i32 %q1, %b
  %e12 = zext i32 %q12 to i64
  %g2 = getelementptr i32, ptr %out, i64 %e12
  store volatile i32 2, ptr %g2
  ret void
}
