; Addresses of a loop that begin at an unsigned quotient: strength reduction
; makes steps of them if it cannot look into the quotient.

; RUN: %unravel-opt -passes=index-hidden-quotients -S < %s > %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 2 --block 32 --args out:i32:4096,i32:8,i32:12,i32:16
; RUN: %{run} --kernel rows %s %t.ll
; RUN: %{run} --kernel rows_negative %s %t.ll
; RUN: %{run} --kernel straight_negative %s %t.ll
; RUN: %{run} --kernel inside_negative %s %t.ll
; RUN: %{run} --kernel two_bodies %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args in:i32:4096,out:i32:4096,i32:1000,i32:12,i32:16,i32:5 --kernel inside %s %t.ll

; A second run finds nothing more to hide.
; RUN: %unravel-opt -passes=index-hidden-quotients -S < %t.ll > %t2.ll
; RUN: diff %t.ll %t2.ll

; Nor where the backend leaves loops as they are.
; RUN: %unravel-opt -passes=index-hidden-quotients -disable-lsr -S < %s | FileCheck %s --check-prefix=KEPT
; KEPT-LABEL: define ptx_kernel void @rows(
; KEPT-NOT: expect
; KEPT: mul i32 %q, %h

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK: %q = udiv i32 %x, %w
; CHECK-NEXT: [[ZERO:%.*]] = call i32 @llvm.expect.i32(i32 0, i32 1)
; CHECK-NEXT: [[HIDDEN:%.*]] = xor i32 %q, [[ZERO]]
; CHECK: mul i32 [[HIDDEN]], %h
define ptx_kernel void @rows(ptr %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %d
  %x = add i32 %s, %t
  %q = udiv i32 %x, %w
  %qw = mul i32 %q, %w
  %r = sub i32 %x, %qw
  %first = mul i32 %q, %h
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i0 = add i32 %k, %first
  %m0 = mul i32 %i0, %w
  %a0 = add i32 %m0, %r
  %e0 = zext i32 %a0 to i64
  %p0 = getelementptr inbounds nuw i32, ptr %out, i64 %e0
  store i32 %k, ptr %p0
  %k1 = or disjoint i32 %k, 1
  %i1 = add i32 %k1, %first
  %m1 = mul i32 %i1, %w
  %a1 = add i32 %m1, %r
  %e1 = zext i32 %a1 to i64
  %p1 = getelementptr inbounds nuw i32, ptr %out, i64 %e1
  store i32 %k1, ptr %p1
  %next = add nuw i32 %k, 2
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Nothing is to be seen in a signed division.
; CHECK-LABEL: define ptx_kernel void @rows_negative(
; CHECK-NOT: expect
; CHECK: ret void
define ptx_kernel void @rows_negative(ptr %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, %w
  %first = mul i32 %q, %h
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i0 = add i32 %k, %first
  %e0 = zext i32 %i0 to i64
  %p0 = getelementptr inbounds nuw i32, ptr %out, i64 %e0
  store i32 %k, ptr %p0
  %next = add nuw i32 %k, 2
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Without a loop there is no strength reduction.
; CHECK-LABEL: define ptx_kernel void @straight_negative(
; CHECK-NOT: expect
; CHECK: ret void
define ptx_kernel void @straight_negative(ptr %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, %w
  %e = zext i32 %q to i64
  %p = getelementptr inbounds nuw i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; A quotient in the loop: strength reduction takes sums apart that contain it.
; CHECK-LABEL: define ptx_kernel void @inside(
; CHECK: %q = udiv i32 %k, %w
; CHECK: xor i32 %q, %{{[0-9]+}}
define ptx_kernel void @inside(ptr noalias %in, ptr noalias %out, i32 noundef %n, i32 noundef %h, i32 noundef %w, i32 noundef %c) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = udiv i32 %k, %w
  %qw = mul nuw i32 %q, %w
  %r = sub nuw nsw i32 %k, %qw
  %qh = mul nuw nsw i32 %q, %h
  %s = add nuw nsw i32 %qh, %r
  %t = add nuw nsw i32 %s, %c
  %e0 = zext nneg i32 %t to i64
  %p0 = getelementptr inbounds nuw i32, ptr %in, i64 %e0
  %v = load i32, ptr %p0
  %e1 = zext nneg i32 %k to i64
  %p1 = getelementptr inbounds nuw i32, ptr %out, i64 %e1
  store i32 %v, ptr %p1
  %next = add nuw nsw i32 %k, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Here that does not matter.
; CHECK-LABEL: define ptx_kernel void @inside_negative(
; CHECK-NOT: expect
; CHECK: ret void
define ptx_kernel void @inside_negative(ptr %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = udiv i32 %k, %w
  %first = mul i32 %q, %h
  %e0 = zext i32 %first to i64
  %p0 = getelementptr inbounds nuw i32, ptr %out, i64 %e0
  store i32 %k, ptr %p0
  %next = add nuw i32 %k, 2
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Of two bodies each is looked at alone.
; CHECK-LABEL: define ptx_kernel void @two_bodies(
; CHECK: fast:
; CHECK: %q = udiv i32 %x, %w
; CHECK: [[HIDDEN:%.*]] = xor i32 %q, %{{[0-9]+}}
; CHECK: mul i32 [[HIDDEN]], %h
; CHECK: fallback:
define ptx_kernel void @two_bodies(ptr %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) "unravel-versioned" {
entry:
  %ordinary = icmp sgt i32 %w, 0
  br i1 %ordinary, label %fast, label %fallback
fast:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %d
  %x = add i32 %s, %t
  %q = udiv i32 %x, %w
  %qw = mul i32 %q, %w
  %r = sub i32 %x, %qw
  %first = mul i32 %q, %h
  br label %loop
loop:
  %k = phi i32 [ 0, %fast ], [ %next, %loop ]
  %i0 = add i32 %k, %first
  %m0 = mul i32 %i0, %w
  %a0 = add i32 %m0, %r
  %e0 = zext i32 %a0 to i64
  %p0 = getelementptr inbounds nuw i32, ptr %out, i64 %e0
  store i32 %k, ptr %p0
  %k1 = or disjoint i32 %k, 1
  %i1 = add i32 %k1, %first
  %m1 = mul i32 %i1, %w
  %a1 = add i32 %m1, %r
  %e1 = zext i32 %a1 to i64
  %p1 = getelementptr inbounds nuw i32, ptr %out, i64 %e1
  store i32 %k1, ptr %p1
  %next = add nuw i32 %k, 2
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
fallback:
  %sq = sdiv i32 %n, %w
  store i32 %sq, ptr %out
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
