; Quotients leave the loops that their numbers do not change in, and a
; reciprocal has to show beside the loops behind it.

; RUN: %unravel-opt -passes=index-reciprocals,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='index-reciprocals,index-reciprocals' -S %s -o %t.again.ll
; RUN: diff %t.ll %t.again.ll
; DEFINE: %{run} = %kernel-run --grid 2 --block 32 --args out:i32:8192,i32:97
; RUN: %{run},i32:7 --kernel inner %s %t.ll
; RUN: %{run},i32:-7 --kernel inner %s %t.ll
; RUN: %{run},i32:7 --kernel inner_divisor %s %t.ll
; RUN: %{run},i32:-7 --kernel inner_divisor %s %t.ll
; RUN: %{run},i32:7 --kernel inner_negative %s %t.ll
; RUN: %{run},i32:-7 --kernel inner_negative %s %t.ll
; RUN: %{run},i32:7 --kernel short %s %t.ll
; RUN: %{run},i32:7 --kernel short_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The guard of the inner loop kept the division there; its reciprocal and the
; operations of the quotient do not trap.
; CHECK-LABEL: define ptx_kernel void @inner(
; CHECK: outer:
; CHECK: call i32 @llvm.nvvm.mulhi.ui
; CHECK: inner:
; CHECK-NOT: mulhi
; CHECK-NOT: sdiv
; CHECK: ret void
define ptx_kernel void @inner(ptr %out, i32 noundef %n, i32 noundef %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ %t, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %join ]
  %skip = icmp eq i32 %k, 3
  br i1 %skip, label %join, label %divide
divide:
  %q = sdiv i32 %i, %d
  %r = srem i32 %i, %d
  %q2 = sdiv i32 %i, %d
  %s = add i32 %q, %k
  %s2 = xor i32 %s, %r
  %s3 = sub i32 %s2, %q2
  %row = mul i32 %i, 8
  %at = add i32 %row, %k
  %e = sext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %s3, ptr %p
  br label %join
join:
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp slt i32 %k.next, 8
  br i1 %k.more, label %inner, label %latch
latch:
  %i.next = add nsw i32 %i, 32
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %outer, label %done
done:
  ret void
}

; The divisor changes in the outer loop: the reciprocal is just in front of the
; inner one, and the quotient behind it.
; CHECK-LABEL: define ptx_kernel void @inner_divisor(
; CHECK: outer:
; CHECK: call i32 @llvm.nvvm.mulhi.ui
; CHECK: call i32 @llvm.nvvm.mulhi.ui
; CHECK: inner:
; CHECK-NOT: mulhi
; CHECK-NOT: sdiv
; CHECK: ret void
define ptx_kernel void @inner_divisor(ptr %out, i32 noundef %n, i32 noundef %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ %t, %entry ], [ %i.next, %latch ]
  %odd = or i32 %i, 1
  %e0 = xor i32 %odd, %d
  %dd = or i32 %e0, 1
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %join ]
  %skip = icmp eq i32 %k, 3
  br i1 %skip, label %join, label %divide
divide:
  %q = sdiv i32 %i, %dd
  %r = srem i32 %i, %dd
  %q2 = sdiv i32 %i, %dd
  %s = add i32 %q, %k
  %s2 = xor i32 %s, %r
  %s3 = sub i32 %s2, %q2
  %row = mul i32 %i, 8
  %at = add i32 %row, %k
  %e = sext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %s3, ptr %p
  br label %join
join:
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp slt i32 %k.next, 8
  br i1 %k.more, label %inner, label %latch
latch:
  %i.next = add nsw i32 %i, 32
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %outer, label %done
done:
  ret void
}

; The dividend changes in the inner loop.
; CHECK-LABEL: define ptx_kernel void @inner_negative(
; CHECK: divide:
; CHECK: call i32 @llvm.nvvm.mulhi.ui
; CHECK: ret void
define ptx_kernel void @inner_negative(ptr %out, i32 noundef %n, i32 noundef %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ %t, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %join ]
  %skip = icmp eq i32 %k, 3
  br i1 %skip, label %join, label %divide
divide:
  %x = add i32 %i, %k
  %q = sdiv i32 %x, %d
  %row = mul i32 %i, 8
  %at = add i32 %row, %k
  %e = sext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %join
join:
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp slt i32 %k.next, 8
  br i1 %k.more, label %inner, label %latch
latch:
  %i.next = add nsw i32 %i, 32
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %outer, label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @short(
; CHECK: mulhi
; CHECK: ret void
define ptx_kernel void @short(ptr %out, i32 noundef %n, i32 noundef %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ %t, %entry ], [ %i.next, %outer ]
  %q = sdiv i32 %i, %d
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  %i.next = add nsw i32 %i, 32
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %outer, label %done
done:
  ret void
}

; One division in front of an inner loop with a hundred times its work.
; CHECK-LABEL: define ptx_kernel void @short_negative(
; CHECK-NOT: mulhi
; CHECK: sdiv
; CHECK: ret void
define ptx_kernel void @short_negative(ptr %out, i32 noundef %n, i32 noundef %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ %t, %entry ], [ %i.next, %latch ]
  %q = sdiv i32 %i, %d
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %s = phi i32 [ %q, %outer ], [ %s.next, %inner ]
  %s1 = urem i32 %s, 10
  %s2 = udiv i32 %s, 7
  %s3 = urem i32 %s2, 77
  %s4 = mul i32 %s3, %s1
  %s5 = udiv i32 %s4, 11
  %s6 = urem i32 %s5, 13
  %s7 = xor i32 %s6, %s2
  %s8 = udiv i32 %s7, 3
  %s9 = urem i32 %s8, 1001
  %s10 = mul i32 %s9, %s1
  %s11 = urem i32 %s10, 19
  %s12 = xor i32 %s11, %s8
  %s13 = urem i32 %s12, 1003
  %s14 = mul i32 %s13, %s3
  %s15 = urem i32 %s14, 2047
  %s16 = mul i32 %s15, %s12
  %s17 = urem i32 %s16, 1013
  %s18 = mul i32 %s17, %s14
  %s19 = urem i32 %s18, 1019
  %s20 = mul i32 %s19, %s16
  %s21 = urem i32 %s20, 1021
  %s.next = add i32 %s21, %k
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp slt i32 %k.next, 8
  br i1 %k.more, label %inner, label %latch
latch:
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %s.next, ptr %p
  %i.next = add nsw i32 %i, 32
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %outer, label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
