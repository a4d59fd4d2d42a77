; A grid-stride loop over a run-time shape. The test is exact: sizes are
; positive, and neither the index nor the step behind the last one leaves 31
; bits. In the fast body the index is natural and everything is unsigned.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{sizes} =
; DEFINE: %{run} = %kernel-run --kernel rows --grid 7 --block 32 --args out:i32:3000,%{sizes} %s %t.ll
; REDEFINE: %{sizes} = i32:2000,i32:7,i32:11
; RUN: %{run}
; REDEFINE: %{sizes} = i32:2000,i32:-7,i32:11
; RUN: %{run}
; REDEFINE: %{sizes} = i32:2000,i32:1,i32:-2147483648
; RUN: %{run}
; REDEFINE: %{sizes} = i32:0,i32:0,i32:0
; RUN: %{run}
; REDEFINE: %{sizes} = i32:-1,i32:0,i32:3
; RUN: %{run}
; REDEFINE: %{sizes} = i32:1,i32:1,i32:1
; RUN: %{run}
; REDEFINE: %{sizes} = i32:3000,i32:2147483647,i32:2147483647
; RUN: %{run}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK-NEXT: entry:
; CHECK-NOT: {{div|rem}}
; CHECK-DAG: icmp sgt i32 %W, 0
; CHECK-DAG: icmp sgt i32 %H, 0
; CHECK-DAG: icmp sgt i32 %n, 0
; CHECK-DAG: [[N:%.*]] = zext i32 %n to i64
; CHECK-DAG: [[BLOCK:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK-DAG: [[GRID:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; CHECK-DAG: [[B:%.*]] = zext i32 [[BLOCK]] to i64
; CHECK-DAG: [[G:%.*]] = zext i32 [[GRID]] to i64
; CHECK-DAG: [[STEP:%.*]] = mul nuw nsw i64 [[G]], [[B]]
; CHECK-DAG: [[LAST:%.*]] = add nuw nsw i64 [[STEP]], [[N]]
; CHECK: icmp ule i64 [[LAST]], 2147483648
; CHECK-NOT: {{div|rem}}
; CHECK: br i1 {{.*}}, label %fast, label %fallback, !prof

; CHECK: fast:
; CHECK: mul nuw nsw i32 {{.*}}, [[BLOCK]]
; CHECK: add nuw nsw i32
; CHECK: mul nuw nsw i32 {{.*}}[[GRID]]
; CHECK: loop:
; CHECK-NOT: {{sdiv|srem}}
; CHECK: udiv i32
; CHECK-NOT: {{sdiv|srem}}
; CHECK: add nuw nsw i32
; CHECK: ret void

; CHECK: {{^}}fallback:
; CHECK: loop.fallback:
; CHECK: sdiv i32
; CHECK: ret void
define ptx_kernel void @rows(ptr noundef %out, i32 noundef %n, i32 noundef %W, i32 noundef %H) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %bs
  %x = add i32 %s, %t
  %any = icmp slt i32 %x, %n
  br i1 %any, label %head, label %done
head:
  %gs = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %step = mul i32 %bs, %gs
  br label %loop
loop:
  %i = phi i32 [ %x, %head ], [ %next, %loop ]
  %q = sdiv i32 %i, %W
  %y = srem i32 %q, %H
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %y, ptr %p
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The end of the loop is another one in every iteration: no bound of the index
; is known at entry, so its increment gets no flag.
; CHECK-LABEL: define ptx_kernel void @moving_end_negative(
; CHECK: fast:
; CHECK: %next{{[0-9]*}} = add i32 %i
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel moving_end_negative --grid 2 --block 32 --args out:i32:64,in:i32:64:min=1:max=50,i32:7 %s %t.ll
define ptx_kernel void @moving_end_negative(ptr noundef %out, ptr noundef %ends, i32 noundef %W) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %bs
  %x = add i32 %s, %t
  %start = srem i32 %x, %W
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = sdiv i32 %i, %W
  %e = sext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  %next = add i32 %i, %bs
  %pe = getelementptr inbounds i32, ptr %ends, i64 %e
  %n = load volatile i32, ptr %pe
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; No guard says that the first index is below n: it may be anything.
; CHECK-LABEL: define ptx_kernel void @unguarded_negative(
; CHECK: fast:
; CHECK: %next{{[0-9]*}} = add i32 %i
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel unguarded_negative --grid 2 --block 32 --args out:i32:64,i32:30,i32:7 %s %t.ll
define ptx_kernel void @unguarded_negative(ptr noundef %out, i32 noundef %n, i32 noundef %W) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %bs
  %x = add i32 %s, %t
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %q = sdiv i32 %i, %W
  %e = sext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  %next = add i32 %i, %bs
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK: attributes {{.*}}"unravel-versioned"
