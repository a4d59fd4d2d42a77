; A loop index that starts at a bounded value of run time and moves by a
; constant, a bounded number of times, is bounded: scalar evolution bounds the
; trips, guards and the hardware the start.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 2 --block 32 --args out:i32:9000
; RUN: %{run},i32:64 --kernel thread %s %t.ll
; RUN: %{run},i32:7 --kernel thread_negative %s %t.ll
; RUN: %{run},i32:4095 --kernel guarded_start %s %t.ll
; RUN: %{run},i32:4095 --kernel undef_start_negative %s %t.ll
; RUN: %{run},i32:100 --kernel guarded_start_negative %s %t.ll
; RUN: %{run},i32:-100 --kernel guarded_start_negative %s %t.ll
; RUN: %{run},i32:90 --kernel downwards %s %t.ll
; RUN: %{run},i32:90 --kernel downwards_negative %s %t.ll
; RUN: %{run},i32:44 --kernel downwards_negative %s %t.ll
; RUN: %{run},i32:12,i32:20 --kernel late_counter %s %t.ll
; RUN: %{run},i32:11,i32:20 --kernel late_counter_negative %s %t.ll
; RUN: %{run},i32:11,i32:20 --kernel endless_negative %s %t.ll
; RUN: %{run},i32:2147483600 --kernel wraps_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; j <= 1023 + 63 * 3.
; CHECK-LABEL: define ptx_kernel void @thread(
; CHECK: loop:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @thread(ptr %out, i32 noundef %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %n, 65
  %some = icmp sgt i32 %n, 0
  %both = and i1 %few, %some
  br i1 %both, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %j = phi i32 [ %t, %entry ], [ %j1, %loop ]
  %q = sdiv i32 %j, 77
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, 3
  %k1 = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k1, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}

; Nothing bounds the trips.
; CHECK-LABEL: define ptx_kernel void @thread_negative(
; CHECK: loop:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @thread_negative(ptr %out, i32 noundef %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %j = phi i32 [ %t, %entry ], [ %j1, %loop ]
  %q = sdiv i32 %j, 77
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, 3
  %k1 = add i32 %k, 1
  %again = icmp ne i32 %k1, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @guarded_start(
; CHECK: loop:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @guarded_start(ptr %out, i32 noundef %s) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp ult i32 %s, 4096
  br i1 %small, label %before, label %done
before:
  br label %loop
loop:
  %k = phi i32 [ 0, %before ], [ %k1, %loop ]
  %j = phi i32 [ %s, %before ], [ %j1, %loop ]
  %q = sdiv i32 %j, 77
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, 3
  %k1 = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k1, 16
  br i1 %again, label %loop, label %done
done:
  ret void
}

; The loop may see another number than the guard.
; CHECK-LABEL: define ptx_kernel void @undef_start_negative(
; CHECK: loop:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @undef_start_negative(ptr %out, i32 %s) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp ult i32 %s, 4096
  br i1 %small, label %before, label %done
before:
  br label %loop
loop:
  %k = phi i32 [ 0, %before ], [ %k1, %loop ]
  %j = phi i32 [ %s, %before ], [ %j1, %loop ]
  %q = sdiv i32 %j, 77
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, 3
  %k1 = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k1, 16
  br i1 %again, label %loop, label %done
done:
  ret void
}

; The guard says nothing of the sign of the start.
; CHECK-LABEL: define ptx_kernel void @guarded_start_negative(
; CHECK: loop:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @guarded_start_negative(ptr %out, i32 noundef %s) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp slt i32 %s, 4096
  br i1 %small, label %before, label %done
before:
  br label %loop
loop:
  %k = phi i32 [ 0, %before ], [ %k1, %loop ]
  %j = phi i32 [ %s, %before ], [ %j1, %loop ]
  %q = sdiv i32 %j, 77
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, 3
  %k1 = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k1, 16
  br i1 %again, label %loop, label %done
done:
  ret void
}

; j >= 45 - 15 * 3.
; CHECK-LABEL: define ptx_kernel void @downwards(
; CHECK: loop:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @downwards(ptr %out, i32 noundef %s) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %large = icmp sgt i32 %s, 44
  br i1 %large, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %j = phi i32 [ %s, %entry ], [ %j1, %loop ]
  %q = sdiv i32 %j, 7
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, -3
  %k1 = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k1, 16
  br i1 %again, label %loop, label %done
done:
  ret void
}

; j may be -1.
; CHECK-LABEL: define ptx_kernel void @downwards_negative(
; CHECK: loop:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @downwards_negative(ptr %out, i32 noundef %s) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %large = icmp sgt i32 %s, 43
  br i1 %large, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %j = phi i32 [ %s, %entry ], [ %j1, %loop ]
  %q = sdiv i32 %j, 7
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, -3
  %k1 = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k1, 16
  br i1 %again, label %loop, label %done
done:
  ret void
}

; The last iterations wrap: s + 15 * 4 may be 2^31.
; CHECK-LABEL: define ptx_kernel void @wraps_negative(
; CHECK: loop:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @wraps_negative(ptr %out, i32 noundef %s) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %natural = icmp sgt i32 %s, -1
  %small = icmp slt i32 %s, 2147483601
  %both = and i1 %natural, %small
  br i1 %both, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %j = phi i32 [ %s, %entry ], [ %j1, %loop ]
  %q = sdiv i32 %j, 7
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, 4
  %k1 = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k1, 16
  br i1 %again, label %loop, label %done
done:
  ret void
}

; k is 10, 12, 14, 16 or 18, and j at least 12 - 4 * 3.
; CHECK-LABEL: define ptx_kernel void @late_counter(
; CHECK: loop:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @late_counter(ptr %out, i32 noundef %s, i32 noundef %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %large = icmp sgt i32 %s, 11
  %few = icmp slt i32 %n, 21
  %some = icmp sgt i32 %n, 10
  %loops = and i1 %few, %some
  %both = and i1 %large, %loops
  br i1 %both, label %loop, label %done
loop:
  %k = phi i32 [ 10, %entry ], [ %k1, %loop ]
  %j = phi i32 [ %s, %entry ], [ %j1, %loop ]
  %q = sdiv i32 %j, 7
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, -3
  %k1 = add nuw nsw i32 %k, 2
  %again = icmp slt i32 %k1, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}

; j may be -1.
; CHECK-LABEL: define ptx_kernel void @late_counter_negative(
; CHECK: loop:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @late_counter_negative(ptr %out, i32 noundef %s, i32 noundef %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %large = icmp sgt i32 %s, 10
  %few = icmp slt i32 %n, 21
  %some = icmp sgt i32 %n, 10
  %loops = and i1 %few, %some
  %both = and i1 %large, %loops
  br i1 %both, label %loop, label %done
loop:
  %k = phi i32 [ 10, %entry ], [ %k1, %loop ]
  %j = phi i32 [ %s, %entry ], [ %j1, %loop ]
  %q = sdiv i32 %j, 7
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, -3
  %k1 = add nuw nsw i32 %k, 2
  %again = icmp slt i32 %k1, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}

; Nothing says that k does not wrap, so there may be 2^31 iterations and more.
; CHECK-LABEL: define ptx_kernel void @endless_negative(
; CHECK: loop:
; CHECK: udiv
; CHECK: store
define ptx_kernel void @endless_negative(ptr %out, i32 noundef %s, i32 noundef %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp ult i32 %s, 100
  br i1 %small, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %j = phi i32 [ %s, %entry ], [ %j1, %loop ]
  %q = udiv i32 %j, 2147483748
  %k64 = shl i32 %k, 6
  %index = add i32 %k64, %t
  %p = getelementptr i32, ptr %out, i32 %index
  store i32 %q, ptr %p
  %j1 = add i32 %j, 1
  %k1 = add i32 %k, 1
  %again = icmp ne i32 %k1, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
