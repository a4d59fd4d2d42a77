; Divisions by a run-time divisor that does not change in the loop share a
; reciprocal, which is computed in front of it. (Divisions by llvm.expect(1) keep
; scalar evolution out; PTX has none of them.)

; RUN: %unravel-opt -passes=index-reciprocals -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=index-reciprocals,index-reciprocals -S %s -o %t.again.ll
; RUN: diff %t.ll %t.again.ll
; RUN: %if nvptx %{ llc -mcpu=sm_90 < %t.ll | FileCheck %s --check-prefix=PTX %}
; DEFINE: %{run} = %kernel-run --grid 24 --block 32 --args out:i32:196608
; RUN: %{run} --kernel unsigned %s %t.ll
; RUN: %{run} --kernel remainder_first %s %t.ll
; RUN: %{run} --kernel signed %s %t.ll
; RUN: %{run} --kernel signed_by_unsigned %s %t.ll
; RUN: %{run} --kernel by_negative %s %t.ll
; RUN: %{run} --kernel nested %s %t.ll
; RUN: %{run} --kernel guarded %s %t.ll
; RUN: %{run} --kernel straight_line %s %t.ll
; RUN: %kernel-run --grid 24 --block 32 --args out:i32:196608,i32:-7,i32:2147483647 --kernel partly_undef %s %t.ll
; RUN: %{run} --kernel chain %s %t.ll
; RUN: %{run} --kernel behind_loop %s %t.ll
; RUN: %{run} --kernel copies %s %t.ll
; RUN: %{run} --kernel conditional %s %t.ll
; RUN: %unravel-opt -passes='lcssa,index-reciprocals' -verify-loop-lcssa -verify-dom-info -verify-loop-info -disable-output %s
; RUN: %unravel-opt -passes='debugify,function(index-reciprocals),check-debugify' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DEBUG
; DEBUG-NOT: {{ERROR|Instruction with empty DebugLoc}}
; DEBUG: CheckModuleDebugify
; DEBUG-NOT: {{ERROR|Instruction with empty DebugLoc}}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 1, 2, 3, 5, 7, 2^k, 2^k -+ 1, primes, the greatest of both readings.
@divisors = internal constant [24 x i32] [
  i32 1, i32 2, i32 3, i32 5, i32 7, i32 10, i32 641, i32 65535, i32 65536, i32 65537,
  i32 6700417, i32 1073741823, i32 1073741824, i32 1073741825, i32 2147483646, i32 2147483647,
  i32 -2147483648, i32 -2147483647, i32 -2147483646, i32 -3, i32 -1431655765, i32 -65536, i32 16777217, i32 -2]

; Not -1, with which the least integer cannot be divided.
define internal noundef i32 @divisor() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %e = zext nneg i32 %b to i64
  %p = getelementptr inbounds i32, ptr @divisors, i64 %e
  %d = load i32, ptr %p
  ret i32 %d
}

; Multiples of the divisor, one less, numbers from the ends of the range, any.
define internal noundef i32 @dividend(i32 noundef %j, i32 noundef %d) memory(none) nounwind willreturn {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j32 = shl i32 %j, 5
  %n = add i32 %j32, %t
  %hash = mul i32 %n, -1640531535
  %multiple = mul i32 %hash, %d
  %less = sub i32 %multiple, 1
  %end = xor i32 %n, 2147483647
  %top = xor i32 %t, -1
  %kind = and i32 %j, 7
  switch i32 %kind, label %e [ i32 0, label %a
                               i32 1, label %b
                               i32 2, label %c
                               i32 3, label %f
                               i32 4, label %g ]
a:
  ret i32 %multiple
b:
  ret i32 %less
c:
  ret i32 %end
e:
  ret i32 %hash
f:
  ret i32 %top
g:
  ret i32 %n
}

define internal i32 @anything(i32 noundef %j, i32 noundef %d) memory(none) nounwind willreturn {
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  ret i32 %x
}

define internal void @keep(ptr %out, i32 noundef %j, i32 noundef %q, i32 noundef %r) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b32 = shl i32 %b, 5
  %thread = add i32 %b32, %t
  %first = shl i32 %thread, 7
  %at = add i32 %first, %j
  %e = zext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  %p2 = getelementptr inbounds i32, ptr %p, i64 98304
  store i32 %r, ptr %p2
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unsigned(
; CHECK: entry:
; CHECK: [[F:%.*]] = call float @llvm.nvvm.ui2f.rp(i32 %d)
; CHECK: call float @llvm.nvvm.rcp.approx.ftz.f(float [[F]])
; CHECK: %neg.divisor = sub i32 0, %d
; CHECK: %reciprocal = select
; CHECK: {{^loop}}
; CHECK: [[Q0:%.*]] = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 %reciprocal)
; CHECK: [[P:%.*]] = mul i32 [[Q0]], %neg.divisor
; CHECK: [[R:%.*]] = add i32 [[P]], %x
; CHECK: [[ONE:%.*]] = call i32 @llvm.expect.i32(i32 1, i32 1)
; CHECK: [[R0:%.*]] = udiv i32 [[R]], [[ONE]]
; CHECK: [[C:%.*]] = icmp uge i32 [[R0]], %d
; CHECK: [[Q1:%.*]] = add i32 [[Q0]], 1
; CHECK: [[Q:%.*]] = select i1 [[C]], i32 [[Q1]], i32 [[Q0]]
; CHECK: [[ONE2:%.*]] = call i32 @llvm.expect.i32(i32 1, i32 2)
; CHECK: %q = udiv i32 [[Q]], [[ONE2]]
; CHECK: [[R1:%.*]] = sub i32 [[R0]], %d
; CHECK: %r = call i32 @llvm.umin.i32(i32 [[R0]], i32 [[R1]])
; CHECK-NOT: {{div i32 %[a-z]|urem|mulhi}}
; CHECK: ret void
; PTX-LABEL: .entry unsigned(
; PTX-NOT: {{div[.]|rem[.]}}
; PTX: rcp.approx.ftz.f32
; PTX-NOT: {{div[.]|rem[.]}}
; PTX: min.u32
; PTX-NOT: {{div[.]|rem[.]}}
; PTX: .entry remainder_first(
define ptx_kernel void @unsigned(ptr %out) {
entry:
  %d = call i32 @divisor()
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  %q = udiv i32 %x, %d
  %r = urem i32 %x, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %r)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

; What may be undef is frozen, once for both.
; CHECK-LABEL: define ptx_kernel void @remainder_first(
; CHECK: {{^loop}}
; CHECK: %x.fr = freeze i32 %x
; CHECK: @llvm.nvvm.mulhi.ui(i32 %x.fr, i32 %reciprocal)
; CHECK-NOT: {{div i32 %[a-z]|urem|mulhi|freeze}}
; CHECK: ret void
define ptx_kernel void @remainder_first(ptr %out) {
entry:
  %d = call i32 @divisor()
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @anything(i32 %j, i32 %d)
  %r = urem i32 %x, %d
  %q = udiv i32 %x, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %r)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Magnitudes are divided; a quotient that has its sign gives the remainder too.
; CHECK-LABEL: define ptx_kernel void @signed(
; CHECK: entry:
; CHECK: [[D:%.*]] = call i32 @llvm.abs.i32(i32 %d, i1 false)
; CHECK: call float @llvm.nvvm.ui2f.rp(i32 [[D]])
; CHECK: [[N:%.*]] = sub i32 0, %d
; CHECK: {{^loop}}
; CHECK: [[X:%.*]] = call i32 @llvm.abs.i32(i32 %x, i1 false)
; CHECK: @llvm.nvvm.mulhi.ui(i32 [[X]], i32 %reciprocal)
; CHECK: [[S:%.*]] = xor i32 %x, %d
; CHECK: icmp slt i32 [[S]], 0
; CHECK: mul i32 %{{.*}}, [[N]]
; CHECK-NOT: {{sdiv|srem|mulhi|umin}}
; CHECK: ret void
define ptx_kernel void @signed(ptr %out) {
entry:
  %d = call i32 @divisor()
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  %r = srem i32 %x, %d
  %q = sdiv i32 %x, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %r)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A divisor that is no negative number needs no magnitude, nor does a dividend.
; CHECK-LABEL: define ptx_kernel void @signed_by_unsigned(
; CHECK: call float @llvm.nvvm.ui2f.rp(i32 %d)
; CHECK: {{^loop}}
; CHECK: call i32 @llvm.abs.i32(i32 %x, i1 false)
; CHECK-NOT: xor i32 {{%[xyd], %|.*, %d}}
; CHECK: @llvm.nvvm.mulhi.ui(i32 %y, i32 %reciprocal)
; CHECK-NOT: {{sdiv|srem|slt}}
; CHECK: ret void
define ptx_kernel void @signed_by_unsigned(ptr %out) {
entry:
  %any = call i32 @divisor()
  %low = and i32 %any, 2147483647
  %d = call i32 @llvm.umax.i32(i32 %low, i32 1)
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  %q = sdiv i32 %x, %d
  %y = and i32 %x, 2147483647
  %r = srem i32 %y, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %r)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The sign of the quotient is that of the divisor, of the remainder none.
; CHECK-LABEL: define ptx_kernel void @by_negative(
; CHECK: {{^loop}}
; CHECK-NOT: abs
; CHECK: @llvm.nvvm.mulhi.ui(i32 %y, i32 %reciprocal)
; CHECK: icmp slt i32 %d, 0
; CHECK: umin
; CHECK-NOT: {{sdiv|srem|mulhi}}
; CHECK: ret void
define ptx_kernel void @by_negative(ptr %out) {
entry:
  %d = call i32 @divisor()
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  %y = lshr i32 %x, 1
  %q = sdiv i32 %y, %d
  %r = srem i32 %y, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %r)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Out of both loops; what changes in the outer one, out of the inner one.
; CHECK-LABEL: define ptx_kernel void @nested(
; CHECK: entry:
; CHECK: ui2f.rp(i32 %d)
; CHECK: {{^outer}}
; CHECK: ui2f.rp(i32 %d2)
; CHECK: {{^inner}}
; CHECK-NOT: {{ui2f|div i32 %[a-z]|urem}}
; CHECK: ret void
define ptx_kernel void @nested(ptr %out) {
entry:
  %d = call i32 @divisor()
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %outer.latch ]
  %d2 = add nuw nsw i32 %k, 3
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  %k16 = shl nuw nsw i32 %k, 4
  %j = add nuw nsw i32 %k16, %i
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  %q = udiv i32 %x, %d
  %r = urem i32 %q, %d2
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %r)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %inner, label %outer.latch
outer.latch:
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp ult i32 %k.next, 8
  br i1 %k.more, label %outer, label %done
done:
  ret void
}

; In front of the loop although not every round divides, and here often none:
; the reciprocal of zero does no harm.
; CHECK-LABEL: define ptx_kernel void @guarded(
; CHECK: entry:
; CHECK: rcp
; CHECK: {{^loop}}
; CHECK-NOT: {{rcp|div i32 %[a-z]}}
; CHECK: ret void
define ptx_kernel void @guarded(ptr %out) {
entry:
  %any = call i32 @divisor()
  %d = and i32 %any, 2
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  %zero = icmp eq i32 %d, 0
  br i1 %zero, label %latch, label %body
body:
  %q = udiv i32 %x, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %q)
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A division that is hardly ever executed stays.
; CHECK-LABEL: define ptx_kernel void @rare_negative(
; CHECK-NOT: rcp
; CHECK: udiv i32 %x, %d
; CHECK-NOT: rcp
; CHECK: ret void
define ptx_kernel void @rare_negative(ptr %out, i32 noundef %d) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  %zero = icmp ne i32 %x, 7
  br i1 %zero, label %latch, label %body, !prof !0
body:
  %q = udiv i32 %x, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %q)
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The reciprocal is computed where the first division was, behind its guard.
; CHECK-LABEL: define ptx_kernel void @straight_line(
; CHECK-NOT: rcp
; CHECK: {{^body}}
; CHECK: rcp
; CHECK-NOT: {{div i32 %[a-z]|urem|rcp}}
; CHECK: ret void
define ptx_kernel void @straight_line(ptr %out) {
entry:
  %d = call i32 @divisor()
  %x = call noundef i32 @dividend(i32 3, i32 %d)
  %y = call noundef i32 @dividend(i32 4, i32 %d)
  %zero = icmp eq i32 %d, 0
  br i1 %zero, label %done, label %body
body:
  %q = udiv i32 %x, %d
  %odd = trunc i32 %q to i1
  br i1 %odd, label %more, label %done
more:
  %r = urem i32 %y, %d
  call void @keep(ptr %out, i32 7, i32 %q, i32 %r)
  br label %done
done:
  ret void
}

; An undef divisor is undefined only if it may be zero; one that is an odd number
; each time has to be the same one wherever the reciprocal is used.
; CHECK-LABEL: define ptx_kernel void @partly_undef(
; CHECK: %d.fr = freeze i32 %d
; CHECK-NOT: i32 %d{{[,)]}}
; CHECK: ui2f.rp(i32 %d.fr)
; CHECK: sub i32 0, %d.fr
; CHECK-NOT: i32 %d{{[,)]}}
; CHECK: icmp uge i32 %{{[0-9]+}}, %d.fr
; CHECK-NOT: {{, %d$}}
; CHECK: ret void
define ptx_kernel void @partly_undef(ptr %out, i32 noundef %x, i32 noundef %y) {
entry:
  %any = call i32 @anything(i32 2, i32 3)
  %d = or i32 %any, 1
  %q = udiv i32 %x, %d
  %r = urem i32 %y, %d
  call void @keep(ptr %out, i32 7, i32 %q, i32 %r)
  ret void
}

; A quotient divided again by the same divisor, signs and all.
; CHECK-LABEL: define ptx_kernel void @chain(
; CHECK: entry:
; CHECK: rcp
; CHECK: {{^loop}}
; CHECK-NOT: {{sdiv|srem|rcp}}
; CHECK: ret void
define ptx_kernel void @chain(ptr %out) {
entry:
  %d = call i32 @divisor()
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  %q = sdiv i32 %x, %d
  %r = srem i32 %q, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %r)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

; What is computed in a loop is not used behind it: that would take a phi.
; CHECK-LABEL: define ptx_kernel void @behind_loop(
; CHECK: {{^inside}}
; CHECK: mulhi
; CHECK: {{^done}}
; CHECK: mulhi
; CHECK: ret void
define ptx_kernel void @behind_loop(ptr %out) {
entry:
  %d = call i32 @divisor()
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %inside ]
  %x = call noundef i32 @dividend(i32 3, i32 %d)
  br label %inside
inside:
  %q = udiv i32 %x, %d
  call void @keep(ptr %out, i32 %j, i32 %q, i32 %j)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 127
  br i1 %more, label %loop, label %done
done:
  %r = urem i32 %x, %d
  call void @keep(ptr %out, i32 127, i32 %r, i32 %r)
  ret void
}

; Copies behind guards: in front of all of them, so that a zero divisor may come
; to the reciprocal, though to no division.
; CHECK-LABEL: define ptx_kernel void @copies(
; CHECK: entry:
; CHECK: ui2f.rp(i32 %d)
; CHECK-NOT: {{ui2f|div i32 %[a-z]|urem}}
; CHECK: ret void
define ptx_kernel void @copies(ptr %out) {
entry:
  %any = call i32 @divisor()
  %zero = and i32 %any, 4
  %choice = icmp eq i32 %zero, 0
  %d = select i1 %choice, i32 %any, i32 0
  %x0 = call noundef i32 @dividend(i32 5, i32 %any)
  %n0 = icmp ne i32 %d, 0
  br i1 %n0, label %a, label %a.done
a:
  %q0 = udiv i32 %x0, %d
  call void @keep(ptr %out, i32 0, i32 %q0, i32 1)
  br label %a.done
a.done:
  %x1 = add i32 %x0, 128
  %n1 = icmp ne i32 %d, 0
  br i1 %n1, label %b, label %b.done
b:
  %q1 = udiv i32 %x1, %d
  call void @keep(ptr %out, i32 1, i32 %q1, i32 1)
  br label %b.done
b.done:
  %x2 = add i32 %x0, 256
  %n2 = icmp ne i32 %d, 0
  br i1 %n2, label %c, label %c.done
c:
  %q2 = urem i32 %x2, %d
  call void @keep(ptr %out, i32 2, i32 %q2, i32 1)
  br label %c.done
c.done:
  %x3 = add i32 %x0, 384
  %n3 = icmp ne i32 %d, 0
  br i1 %n3, label %e, label %done
e:
  %q3 = udiv i32 %x3, %d
  call void @keep(ptr %out, i32 3, i32 %q3, i32 1)
  br label %done
done:
  ret void
}

; Three of them are too few for code that may be of no use.
; CHECK-LABEL: define ptx_kernel void @copies_negative(
; CHECK-NOT: rcp
; CHECK: ret void
define ptx_kernel void @copies_negative(ptr %out, i32 noundef %x0, i32 noundef %d, i32 noundef %n) {
entry:
  %n0 = icmp ult i32 %x0, %n
  br i1 %n0, label %a, label %a.done
a:
  %q0 = udiv i32 %x0, %d
  call void @keep(ptr %out, i32 0, i32 %q0, i32 1)
  br label %a.done
a.done:
  %x1 = add i32 %x0, 128
  %n1 = icmp ult i32 %x1, %n
  br i1 %n1, label %b, label %b.done
b:
  %q1 = udiv i32 %x1, %d
  call void @keep(ptr %out, i32 1, i32 %q1, i32 1)
  br label %b.done
b.done:
  %x2 = add i32 %x0, 256
  %n2 = icmp ult i32 %x2, %n
  br i1 %n2, label %c, label %done
c:
  %q2 = urem i32 %x2, %d
  call void @keep(ptr %out, i32 2, i32 %q2, i32 1)
  br label %done
done:
  ret void
}

; A division that few rounds come to finds the reciprocal of one that all do.
; CHECK-LABEL: define ptx_kernel void @conditional(
; CHECK: entry:
; CHECK: rcp
; CHECK: {{^loop}}
; CHECK-NOT: {{rcp|div i32 %[a-z]|urem}}
; CHECK: ret void
define ptx_kernel void @conditional(ptr %out) {
entry:
  %d = call i32 @divisor()
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = call noundef i32 @dividend(i32 %j, i32 %d)
  %odd = trunc i32 %x to i1
  br i1 %odd, label %body, label %latch, !prof !1
body:
  %q = udiv i32 %j, %d
  br label %latch
latch:
  %v = phi i32 [ 7, %loop ], [ %q, %body ]
  %r = urem i32 %x, %d
  call void @keep(ptr %out, i32 %j, i32 %v, i32 %r)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}

!0 = !{!"branch_weights", i32 1000000, i32 1}
!1 = !{!"branch_weights", i32 1, i32 1000000}
