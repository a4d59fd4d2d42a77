; A value that may be undef must be the same in all of its new uses; a flag says
; nothing about values that the flagged instruction does not compute.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:3000,i32:1234 --kernel frozen_once %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:3000,i32:1234 --kernel frozen_once_negative %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:3000,i32:2147483646 --kernel flag %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:3000,i32:2147483647 --kernel flag_negative %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:3000,i32:1234 --kernel freeze %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:3000,i32:1234 --kernel freeze_negative %s %t.ll
; RUN: %kernel-run --grid 40 --block 64 --args out:i32:3000 --kernel disjoint %s %t.ll
; RUN: %kernel-run --grid 1 --block 4 --args 'out:i32:3000,in:i32:4:values=200;200;-1;7' --kernel case_negative %s %t.ll
; RUN: %kernel-run --grid 1 --block 5 --args 'out:i32:3000,in:i32:5:values=3;2;1;0;3' --kernel case %s %t.ll
; RUN: %kernel-run --grid 40 --block 64 --args out:i32:3000 --kernel disjoint_negative %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:3000,i32:99 --kernel range_of_call_negative %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:3000,i32:99 --kernel range_of_call %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; a % 8 * 3 + a % 8 / 2 needs a twice: from one freeze.
; CHECK-LABEL: define ptx_kernel void @frozen_once(
; CHECK: [[F:%.*]] = freeze i32 %a
; CHECK-NOT: freeze
; CHECK-NOT: i32 %a{{[,) ]}}
; CHECK: ret void
define ptx_kernel void @frozen_once(ptr %out, i32 %a) {
  %q = udiv i32 %a, 75
  %r = urem i32 %a, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %d = and i32 %i, 1023
  %h = udiv i32 %i, 3000
  %h2 = and i32 %h, 1023
  %s = add nuw nsw i32 %d, %h2
  %e = zext nneg i32 %s to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; noundef: no freeze is needed.
; CHECK-LABEL: define ptx_kernel void @frozen_once_negative(
; CHECK-NOT: freeze
; CHECK: ret void
define ptx_kernel void @frozen_once_negative(ptr %out, i32 noundef %a) {
  %q = udiv i32 %a, 75
  %r = urem i32 %a, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %d = and i32 %i, 1023
  %h = udiv i32 %i, 3000
  %h2 = and i32 %h, 1023
  %s = add nuw nsw i32 %d, %h2
  %e = zext nneg i32 %s to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; a +nsw 1 > a, by the flag of that very addition.
; CHECK-LABEL: define ptx_kernel void @flag(
; CHECK-NOT: icmp
; CHECK: br i1 true
define ptx_kernel void @flag(ptr %out, i32 noundef %a) {
  %next = add nsw i32 %a, 1
  %c = icmp sgt i32 %next, %a
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; Another addition has the flag: that a + 1 overflows makes it poison, no more.
; CHECK-LABEL: define ptx_kernel void @flag_negative(
; CHECK: icmp
; CHECK: br i1 %
define ptx_kernel void @flag_negative(ptr %out, i32 noundef %a) {
  %flagged = add nsw i32 %a, 1
  %unused = icmp sgt i32 %flagged, 3
  %next = add i32 %a, 1
  %c = icmp sgt i32 %next, %a
  %v = select i1 %unused, i32 7, i32 8
  br i1 %c, label %write, label %done
write:
  store i32 %v, ptr %out
  br label %done
done:
  ret void
}

; The frozen value is one value: its digits are those of itself.
; CHECK-LABEL: define ptx_kernel void @freeze(
; CHECK: [[F:%.*]] = freeze i32 {{%a|%next}}
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: ret void
define ptx_kernel void @freeze(ptr %out, i32 %a) {
  %next = add nsw i32 %a, 1
  %f = freeze i32 %next
  %q = udiv i32 %f, 75
  %r = urem i32 %f, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; If a + 1 overflows, the freeze is any number: it need not be above a.
; CHECK-LABEL: define ptx_kernel void @freeze_negative(
; CHECK: freeze i32
; CHECK: icmp
; CHECK: br i1 %
define ptx_kernel void @freeze_negative(ptr %out, i32 noundef %a) {
  %next = add nsw i32 %a, 1
  %f = freeze i32 %next
  %c = icmp sgt i32 %f, %a
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; Outside of the range that a call promises its result is poison, and a freeze
; of that is any number: also a negative one.
; CHECK-LABEL: define ptx_kernel void @range_of_call_negative(
; CHECK: [[F:%.*]] = freeze i32
; CHECK: zext i32 [[F]] to i64
define ptx_kernel void @range_of_call_negative(ptr %out, i32 noundef %a) {
  %m = call range(i32 0, 100) i32 @llvm.umin.i32(i32 %a, i32 1000)
  %f = freeze i32 %m
  %q = udiv i32 %f, 5
  %r = urem i32 %f, 5
  %q5 = mul i32 %q, 5
  %i = add i32 %q5, %r
  %e = zext i32 %i to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %f, ptr %p
  ret void
}

; With noundef it would be undefined behaviour: the range is a fact.
; CHECK-LABEL: define ptx_kernel void @range_of_call(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: sext i32 %{{m|f}} to i64
define ptx_kernel void @range_of_call(ptr %out, i32 noundef %a) {
  %m = call noundef range(i32 0, 100) i32 @llvm.umin.i32(i32 %a, i32 1000)
  %f = freeze i32 %m
  %q = udiv i32 %f, 5
  %r = urem i32 %f, 5
  %q5 = mul i32 %q, 5
  %i = add i32 %q5, %r
  %e = zext i32 %i to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %f, ptr %p
  ret void
}

; No bit of 4*(t % 64) is one of 257, though that is larger: the sum is never
; poison, and frozen it is itself.
; CHECK-LABEL: define ptx_kernel void @disjoint(
; CHECK-NOT: {{freeze|div|mulhi}}
; CHECK: ret void
define ptx_kernel void @disjoint(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = and i32 %b, 31
  %first = mul nuw nsw i32 %row, 768
  %u = and i32 %t, 63
  %x = shl nuw nsw i32 %u, 2
  %y = or disjoint i32 %x, 257
  %sum = add nuw nsw i32 %first, %y
  %f = freeze i32 %sum
  %q = udiv i32 %f, 768
  %e = zext nneg i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; 4*(t % 128) has a bit of 257 from t = 64 on.
; CHECK-LABEL: define ptx_kernel void @disjoint_negative(
; CHECK: freeze
; CHECK: div
; CHECK: ret void
define ptx_kernel void @disjoint_negative(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = and i32 %b, 31
  %first = mul nuw nsw i32 %row, 768
  %u = and i32 %t, 127
  %x = shl nuw nsw i32 %u, 2
  %y = or disjoint i32 %x, 257
  %sum = add nuw nsw i32 %first, %y
  %f = freeze i32 %sum
  %q = udiv i32 %f, 768
  %e = zext nneg i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; %y is poison if it is not in its range, and of no matter where %x is small:
; the quotient is 0 there, whatever %y is, but not if it is poison.
; CHECK-LABEL: define ptx_kernel void @case_negative(
; CHECK: select
; CHECK: ret void
define ptx_kernel void @case_negative(ptr %out, ptr %in) {
  %x = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds i32, ptr %in, i32 %x
  %y = load i32, ptr %p, align 4, !range !{i32 0, i32 4}
  %x4 = mul nuw nsw i32 %x, 4
  %m = add nuw nsw i32 %x4, %y
  %q = udiv i32 %m, 17
  %c = icmp ult i32 %x, 4
  %s = select i1 %c, i32 0, i32 %q
  %e = zext nneg i32 %s to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %o
  ret void
}

; As above, but %y is never poison.
; CHECK-LABEL: define ptx_kernel void @case(
; CHECK-NOT: select
; CHECK: ret void
define ptx_kernel void @case(ptr %out, ptr %in) {
  %x = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds i32, ptr %in, i32 %x
  %y = load i32, ptr %p, align 4, !range !{i32 0, i32 4}, !noundef !{}
  %x4 = mul nuw nsw i32 %x, 4
  %m = add nuw nsw i32 %x4, %y
  %q = udiv i32 %m, 17
  %c = icmp ult i32 %x, 4
  %s = select i1 %c, i32 0, i32 %q
  %e = zext nneg i32 %s to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %o
  ret void
}
