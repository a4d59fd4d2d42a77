; A signed quotient that is divided again: the magnitude of a number that was
; given a sign is what it was before. Nothing is said about its sign, which is
; lost in the lowest number by -1.

; RUN: %unravel-opt -passes=index-reciprocals,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='index-reciprocals,index-reciprocals' -S %s -o %t.again.ll
; RUN: diff %t.ll %t.again.ll
; DEFINE: %{run} = %kernel-run --grid 64 --block 32 --args out:i32:16384,i32:8
; RUN: %{run} --kernel quotients %s %t.ll
; RUN: %{run} --kernel remainders %s %t.ll
; RUN: %{run} --kernel later_group %s %t.ll
; RUN: %{run} --kernel guarded %s %t.ll
; RUN: %{run} --kernel by_product_negative %s %t.ll
; RUN: %{run} --kernel another_number_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@numbers = internal constant [8 x i32] [i32 -2147483648, i32 2147483647, i32 -1, i32 1, i32 1000, i32 -1000, i32 -2147483647, i32 7]

define internal noundef i32 @number(i32 noundef %j) memory(none) nounwind willreturn {
  %m = and i32 %j, 7
  %e = zext nneg i32 %m to i64
  %p = getelementptr inbounds i32, ptr @numbers, i64 %e
  %d = load i32, ptr %p
  ret i32 %d
}

; All pairs of divisors; not -1, which the lowest number cannot be divided by.
define internal noundef i32 @divisor(i32 noundef %which) memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %h = lshr i32 %b, %which
  %d = call i32 @number(i32 %h)
  %minus = icmp eq i32 %d, -1
  %r = select i1 %minus, i32 3, i32 %d
  ret i32 %r
}

define internal noundef i32 @dividend(i32 noundef %j) memory(none) nounwind willreturn {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = add i32 %t, %j
  %d = call i32 @number(i32 %s)
  %more = lshr i32 %t, 3
  %x = sub i32 %d, %more
  ret i32 %x
}

define internal void @keep(ptr %out, i32 noundef %j, i32 noundef %q) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b32 = shl i32 %b, 5
  %thread = add i32 %b32, %t
  %first = shl i32 %thread, 3
  %at = add i32 %first, %j
  %e = zext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @quotients(
; CHECK: loop:
; CHECK: %[[X:.*]] = call i32 @llvm.abs.i32(i32 %x, i1 false)
; CHECK: call i32 @llvm.nvvm.mulhi.ui(i32 %[[X]], i32
; CHECK: %[[M:.*]] = select i1 %{{.*}}, i32 %{{.*}}, i32 %{{.*}}
; CHECK: %[[N:.*]] = sub i32 0, %[[M]]
; CHECK: select i1 %{{.*}}, i32 %[[N]], i32 %[[M]]
; CHECK-NOT: abs
; CHECK: call i32 @llvm.nvvm.mulhi.ui(i32 %[[M]], i32
; CHECK-NOT: abs
; CHECK: ret void
define ptx_kernel void @quotients(ptr %out, i32 noundef %n) {
entry:
  %d = call i32 @divisor(i32 0)
  %e = call i32 @divisor(i32 3)
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %q = sdiv i32 %x, %d
  %p = sdiv i32 %q, %e
  call void @keep(ptr %out, i32 %j, i32 %p)
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @remainders(
; CHECK: loop:
; CHECK: abs
; CHECK: %[[M:.*]] = call i32 @llvm.umin.i32
; CHECK-NOT: abs
; CHECK: call i32 @llvm.nvvm.mulhi.ui(i32 %[[M]], i32
; CHECK-NOT: abs
; CHECK: ret void
define ptx_kernel void @remainders(ptr %out, i32 noundef %n) {
entry:
  %d = call i32 @divisor(i32 0)
  %e = call i32 @divisor(i32 3)
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %q = srem i32 %x, %d
  %p = sdiv i32 %q, %e
  call void @keep(ptr %out, i32 %j, i32 %p)
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The divisor of the second division leaves more loops than that of the first,
; so it gets its reciprocal first.
; CHECK-LABEL: define ptx_kernel void @later_group(
; CHECK: loop:
; CHECK: abs.i32(i32 %x, i1 false)
; CHECK: abs.i32(i32 %y, i1 false)
; CHECK-NOT: abs
; CHECK: ret void
define ptx_kernel void @later_group(ptr %out, i32 noundef %n) {
entry:
  %e = call i32 @divisor(i32 3)
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %v = add i32 %j, 1
  %d = call i32 @number(i32 %v)
  %lowest = icmp eq i32 %d, -1
  %d2 = select i1 %lowest, i32 3, i32 %d
  %q = sdiv i32 %x, %d2
  %y = add i32 %x, 1
  %r = sdiv i32 %y, %d2
  %p = sdiv i32 %q, %e
  %s = add i32 %p, %r
  call void @keep(ptr %out, i32 %j, i32 %s)
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; With the guards of PTX. The lowest number by -1 is itself, negative although
; both were: its sign is not that of the numbers.
; CHECK-LABEL: define ptx_kernel void @guarded(
; CHECK: loop:
; CHECK: abs.i32(i32 %x, i1 false)
; CHECK: %q = xor
; CHECK-NOT: abs
; CHECK: xor i32 %q, %e
; CHECK: ret void
define ptx_kernel void @guarded(ptr %out, i32 noundef %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @number(i32 %b)
  %h = lshr i32 %b, 3
  %e = call i32 @number(i32 %h)
  %minus.d = icmp eq i32 %d, -1
  %minus.e = icmp eq i32 %e, -1
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %lx = icmp eq i32 %x, -2147483648
  %cx = and i1 %lx, %minus.d
  %dx = select i1 %cx, i32 1, i32 %d
  %q = sdiv i32 %x, %dx
  %lq = icmp eq i32 %q, -2147483648
  %cq = and i1 %lq, %minus.e
  %eq = select i1 %cq, i32 1, i32 %e
  %p = sdiv i32 %q, %eq
  call void @keep(ptr %out, i32 %j, i32 %p)
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The remainder comes from the quotient here, and has no magnitude of its own.
; CHECK-LABEL: define ptx_kernel void @by_product_negative(
; CHECK: loop:
; CHECK: abs
; CHECK: %r = xor
; CHECK: abs.i32(i32 %r, i1 false)
; CHECK: ret void
define ptx_kernel void @by_product_negative(ptr %out, i32 noundef %n) {
entry:
  %d = call i32 @divisor(i32 0)
  %e = call i32 @divisor(i32 3)
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %q = sdiv i32 %x, %d
  %r = srem i32 %x, %d
  %p = sdiv i32 %r, %e
  %s = add i32 %p, %q
  call void @keep(ptr %out, i32 %j, i32 %s)
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @another_number_negative(
; CHECK: loop:
; CHECK: abs
; CHECK: abs.i32(i32 %q1, i1 false)
; CHECK: ret void
define ptx_kernel void @another_number_negative(ptr %out, i32 noundef %n) {
entry:
  %d = call i32 @divisor(i32 0)
  %e = call i32 @divisor(i32 3)
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = call i32 @dividend(i32 %j)
  %q = sdiv i32 %x, %d
  %q1 = sub i32 %q, 1
  %p = sdiv i32 %q1, %e
  call void @keep(ptr %out, i32 %j, i32 %p)
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() memory(none) nounwind willreturn speculatable
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() memory(none) nounwind willreturn speculatable
