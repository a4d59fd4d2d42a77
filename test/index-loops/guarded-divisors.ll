; Divisors behind guards against the lowest number by -1: a reciprocal needs no
; guard, so that divisions of several dividends share one.

; RUN: %unravel-opt -passes=index-reciprocals,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='index-reciprocals,index-reciprocals' -S %s -o %t.again.ll
; RUN: diff %t.ll %t.again.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 32 --args out:i32:2048,i32:8
; RUN: %{run} --kernel shared %s %t.ll
; RUN: %{run} --kernel remainder %s %t.ll
; RUN: %{run} --kernel frozen %s %t.ll
; RUN: %{run} --kernel quotient %s %t.ll
; RUN: %{run} --kernel guard_of_another_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; -1 as well: the lowest number by it is itself, without remainder.
@divisors = internal constant [8 x i32] [i32 -1, i32 1, i32 3, i32 -7, i32 -2147483648, i32 2147483647, i32 65536, i32 -2]
@dividends = internal constant [8 x i32] [i32 -2147483648, i32 2147483647, i32 -1, i32 0, i32 1000, i32 -1000, i32 -2147483647, i32 7]

define internal noundef i32 @divisor() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %e = zext nneg i32 %b to i64
  %p = getelementptr inbounds i32, ptr @divisors, i64 %e
  %d = load i32, ptr %p
  ret i32 %d
}

define internal noundef i32 @dividend(i32 noundef %j) memory(none) nounwind willreturn {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = add i32 %t, %j
  %m = and i32 %s, 7
  %e = zext nneg i32 %m to i64
  %p = getelementptr inbounds i32, ptr @dividends, i64 %e
  %d = load i32, ptr %p
  ret i32 %d
}

; CHECK-LABEL: define ptx_kernel void @shared(
; CHECK: loop:
; CHECK-NOT: {{[su](div|rem) }}
; CHECK: mulhi.ui
; CHECK: mulhi.ui
; CHECK-NOT: {{[su](div|rem) }}
; CHECK: ret void
define ptx_kernel void @shared(ptr %out, i32 noundef %n) {
entry:
  %d = call i32 @divisor()
  %minus = icmp eq i32 %d, -1
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %lx = icmp eq i32 %x, -2147483648
  %cx = and i1 %lx, %minus
  %dx = select i1 %cx, i32 1, i32 %d
  %q = sdiv i32 %x, %dx
  %y = xor i32 %x, 1
  %ly = icmp eq i32 %y, -2147483648
  %sy = select i1 %ly, i32 1, i32 %d
  %dy = select i1 %minus, i32 %sy, i32 %d
  %r = srem i32 %y, %dy
  %w = xor i32 %q, %dx
  %v = xor i32 %w, %r
  call void @keep(ptr %out, i32 %j, i32 %v)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The remainder that was made of the quotient takes the divisor without guard.
; CHECK-LABEL: define ptx_kernel void @remainder(
; CHECK: loop:
; CHECK-NOT: {{[su](div|rem) }}
; CHECK: mul i32 %q, %d
; CHECK: ret void
define ptx_kernel void @remainder(ptr %out, i32 noundef %n) {
entry:
  %d = call i32 @divisor()
  %minus = icmp eq i32 %d, -1
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %lx = icmp eq i32 %x, -2147483648
  %cx = and i1 %lx, %minus
  %dx = select i1 %cx, i32 1, i32 %d
  %q = sdiv i32 %x, %dx
  %m = mul nsw i32 %q, %dx
  %r = sub nsw i32 %x, %m
  %v = xor i32 %q, %r
  call void @keep(ptr %out, i32 %j, i32 %v)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; As LLVM writes the quotient that it made a remainder of.
; CHECK-LABEL: define ptx_kernel void @frozen(
; CHECK: loop:
; CHECK-NOT: {{[su](div|rem) }}
; CHECK: ret void
define ptx_kernel void @frozen(ptr %out, i32 noundef %n) {
entry:
  %d = call i32 @divisor()
  %minus = icmp eq i32 %d, -1
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %lx = icmp eq i32 %x, -2147483648
  %cx = and i1 %lx, %minus
  %dx = select i1 %cx, i32 1, i32 %d
  %xf = freeze i32 %x
  %df = freeze i32 %dx
  %q = sdiv i32 %xf, %df
  %m = mul i32 %q, %df
  %r = sub i32 %xf, %m
  %v = xor i32 %q, %r
  call void @keep(ptr %out, i32 %j, i32 %v)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A divisor that is a quotient itself, replaced before it divides.
; CHECK-LABEL: define ptx_kernel void @quotient(
; CHECK: loop:
; CHECK: %e = udiv i32 %{{[0-9]+}}, %{{[0-9]+}}
; CHECK: ui2f.rp(i32 %e)
; CHECK: ret void
define ptx_kernel void @quotient(ptr %out, i32 noundef %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = add nuw nsw i32 %b, 3
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %big = add nuw nsw i32 %j, 1000000
  %e = udiv i32 %big, %d
  %x = call i32 @dividend(i32 %j)
  %f = udiv i32 %x, %d
  %q = udiv i32 %x, %e
  %y = xor i32 %x, 12345
  %r = urem i32 %y, %e
  %qr = xor i32 %q, %r
  %v = xor i32 %qr, %f
  call void @keep(ptr %out, i32 %j, i32 %v)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The divisor is 1 also where another number is the lowest one: it changes in the
; loop.
; CHECK-LABEL: define ptx_kernel void @guard_of_another_negative(
; CHECK: sdiv i32 %x, %dx
; CHECK: ret void
define ptx_kernel void @guard_of_another_negative(ptr %out, i32 noundef %n) {
entry:
  %d0 = call i32 @divisor()
  %d1 = and i32 %d0, 2147483647
  %d = or i32 %d1, 1
  %minus = icmp eq i32 %d0, -1
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %y = xor i32 %x, 1
  %ly = icmp eq i32 %y, -2147483648
  %cy = and i1 %ly, %minus
  %dx = select i1 %cy, i32 1, i32 %d
  %q = sdiv i32 %x, %dx
  call void @keep(ptr %out, i32 %j, i32 %q)
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define internal void @keep(ptr %out, i32 %j, i32 %v) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bt = shl i32 %b, 5
  %i = or disjoint i32 %bt, %t
  %i8 = shl i32 %i, 3
  %at = add i32 %i8, %j
  %e = zext i32 %at to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %v, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
