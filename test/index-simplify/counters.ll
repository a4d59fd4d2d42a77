; A 64-bit counter of a grid-stride loop whose digits are taken counts in 32 bits
; where it and its next value stay below 2^32. The negative twins would wrap, or
; are none of these counters.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=index-simplify -S < %t.ll > %t.twice.ll
; RUN: %unravel-opt -passes=verify -S < %t.ll | diff - %t.twice.ll
; DEFINE: %{run} = %kernel-run --grid 3 --block 7
; RUN: %{run} --args out:i32:4000,i64:997,i64:13 --kernel stride %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:1,i64:1 --kernel stride %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:0,i64:1 --kernel stride %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:4294967290,i64:4294967293 --kernel ends %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:2147483640,i64:2147483647 --kernel ends %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:4294967290,i64:4294967299 --kernel ends_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:4294967290,i64:4294967293,i64:4 --kernel next_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:4294967290,i64:4294967293,i64:2147483648 --kernel next_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:4294967303,i64:7 --kernel phi_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:3,i64:7 --kernel phi_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:100,i64:-3 --kernel down %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:4294967300 --kernel bound_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:300 --kernel bound_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,i64:997 --kernel not_divided_negative %s %t.ll
; RUN: %{run} --args out:i32:4000,in:i32:2:values=97\;12 --kernel structure %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The guard in front of the loop is narrowed as well: it is what bounds the phi.
; CHECK-LABEL: define ptx_kernel void @stride(
; CHECK: icmp ult i32
; CHECK: body:
; CHECK: [[I:%.*]] = phi i32
; CHECK: udiv i32 [[I]],
; CHECK: add nuw nsw i32 [[I]],
; CHECK: icmp ult i32
; CHECK: ret void
define ptx_kernel void @stride(ptr noundef %out, i64 noundef range(i64 0, 2147483648) %n, i64 noundef range(i64 1, 1000) %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = zext i32 %t to i64
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %step = zext i32 %s to i64
  %sum = add i64 %n, %step
  %fits = icmp sle i64 %sum, 2147483648
  call void @llvm.assume(i1 %fits)
  %any = icmp slt i64 %start, %n
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %start, %entry ], [ %next, %body ]
  %q = udiv i64 %i, %w
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %q.lo, ptr %p
  %next = add nuw nsw i64 %i, %step
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; Up to the last number of 32 bits; as signed the sum would wrap.
; CHECK-LABEL: define ptx_kernel void @ends(
; CHECK: %i = phi i32
; CHECK: %next = add nuw i32
; CHECK: ret void
define ptx_kernel void @ends(ptr noundef %out, i64 noundef range(i64 0, 4294967295) %first, i64 noundef range(i64 0, 4294967295) %n) {
entry:
  %one = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %step1 = zext i32 %one to i64
  %is1 = icmp eq i32 %one, 1
  call void @llvm.assume(i1 %is1)
  %any = icmp ult i64 %first, %n
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %first, %entry ], [ %next, %body ]
  %k = phi i32 [ 0, %entry ], [ %k1, %body ]
  %q = udiv i64 %i, 10
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i32 %k
  store i32 %q.lo, ptr %p
  %k1 = add i32 %k, 1
  %next = add i64 %i, %step1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @ends_negative(
; CHECK: %i = phi i64
; CHECK: ret void
define ptx_kernel void @ends_negative(ptr noundef %out, i64 noundef range(i64 0, 4294967296) %first, i64 noundef range(i64 0, 4294967300) %n) {
entry:
  %one = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %step1 = zext i32 %one to i64
  %is1 = icmp eq i32 %one, 1
  call void @llvm.assume(i1 %is1)
  %any = icmp ult i64 %first, %n
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %first, %entry ], [ %next, %body ]
  %k = phi i32 [ 0, %entry ], [ %k1, %body ]
  %q = udiv i64 %i, 10
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i32 %k
  store i32 %q.lo, ptr %p
  %k1 = add i32 %k, 1
  %next = add i64 %i, %step1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; The counter fits, but not what it becomes at last.
; CHECK-LABEL: define ptx_kernel void @next_negative(
; CHECK: %i = phi i64
; CHECK: ret void
define ptx_kernel void @next_negative(ptr noundef %out, i64 noundef range(i64 0, 4294967295) %first, i64 noundef range(i64 0, 4294967295) %n, i64 noundef range(i64 1, 4294967295) %step) {
entry:
  %any = icmp ult i64 %first, %n
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %first, %entry ], [ %next, %body ]
  %k = phi i32 [ 0, %entry ], [ %k1, %body ]
  %q = udiv i64 %i, 10
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i32 %k
  store i32 %q.lo, ptr %p
  %k1 = add i32 %k, 1
  %next = add nuw nsw i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; What the counter becomes fits, where it is computed: the loop is left in front of
; that if the counter itself does not.
; CHECK-LABEL: define ptx_kernel void @phi_negative(
; CHECK: %i = phi i64
; CHECK: ret void
define ptx_kernel void @phi_negative(ptr noundef %out, i64 noundef range(i64 0, 8589934592) %first, i64 noundef range(i64 1, 100) %step) {
entry:
  br label %body
body:
  %i = phi i64 [ %first, %entry ], [ %next, %latch ]
  %k = phi i32 [ 0, %entry ], [ %k1, %latch ]
  %q = udiv i64 %i, 10
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i32 %k
  store i32 %q.lo, ptr %p
  %more = icmp ult i64 %i, 1000
  br i1 %more, label %latch, label %done
latch:
  %k1 = add i32 %k, 1
  %next = add nuw nsw i64 %i, %step
  br label %body
done:
  ret void
}

; Downwards, by a step that is no low half of its own: nothing is said of the
; narrow sum.
; CHECK-LABEL: define ptx_kernel void @down(
; CHECK: %i = phi i32
; CHECK: %next = add i32
; CHECK: ret void
define ptx_kernel void @down(ptr noundef %out, i64 noundef range(i64 10, 2000) %first, i64 noundef range(i64 -10, 0) %step) {
entry:
  %any = icmp sge i64 %first, 10
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %first, %entry ], [ %next, %body ]
  %bounded = icmp sle i64 %i, 2000
  call void @llvm.assume(i1 %bounded)
  %q = udiv i64 %i, 7
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %q.lo, ptr %p
  %next = add nsw i64 %i, %step
  %more = icmp sge i64 %next, 10
  br i1 %more, label %body, label %done
done:
  ret void
}

; The counter is narrow, but not what it is compared with.
; CHECK-LABEL: define ptx_kernel void @bound_negative(
; CHECK: %i = phi i32
; CHECK: icmp ult i64 %{{.*}}, %n
; CHECK: ret void
define ptx_kernel void @bound_negative(ptr noundef %out, i64 noundef %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = zext i32 %t to i64
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %step = zext i32 %s to i64
  br label %body
body:
  %i = phi i64 [ %start, %entry ], [ %next, %body ]
  %low = icmp ult i64 %i, 2000
  call void @llvm.assume(i1 %low)
  %q = udiv i64 %i, 7
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %q.lo, ptr %p
  %next = add nuw nsw i64 %i, %step
  %more.n = icmp ult i64 %next, %n
  %more.k = icmp ult i64 %next, 1000
  %more = and i1 %more.n, %more.k
  br i1 %more, label %body, label %done
done:
  ret void
}

; Nothing takes the digits of it: its address grows by a constant.
; CHECK-LABEL: define ptx_kernel void @not_divided_negative(
; CHECK: %i = phi i64
; CHECK: ret void
define ptx_kernel void @not_divided_negative(ptr noundef %out, i64 noundef range(i64 0, 1000) %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = zext i32 %t to i64
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %step = zext i32 %s to i64
  %any = icmp slt i64 %start, %n
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %start, %entry ], [ %next, %body ]
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 7, ptr %p
  %next = add nuw nsw i64 %i, %step
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; What is loaded may be undef: each use of it another number.
; CHECK-LABEL: define ptx_kernel void @undef_negative(
; CHECK: %i = phi i64
; CHECK: ret void
define ptx_kernel void @undef_negative(ptr noundef %out, ptr noundef %from) {
entry:
  %start = load i64, ptr %from
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %step = zext i32 %s to i64
  %any = icmp ult i64 %start, 1000
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %start, %entry ], [ %next, %body ]
  %q = udiv i64 %i, 7
  %p = getelementptr i32, ptr %out, i64 %q
  store i32 7, ptr %p
  %next = add nuw nsw i64 %i, %step
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %body, label %done
done:
  ret void
}

; A structure that the launch hands over has the same bits at each read.
; CHECK-LABEL: define ptx_kernel void @structure(
; CHECK: body:
; CHECK: [[I:%.*]] = phi i32
; CHECK: icmp ult i32
; CHECK: ret void
define ptx_kernel void @structure(ptr noundef %out, ptr noundef readonly byval({ i32, i32 }) align 8 %sizes) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = zext i32 %t to i64
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %step = zext i32 %s to i64
  %n32 = load i32, ptr %sizes
  %w.at = getelementptr inbounds i8, ptr %sizes, i64 4
  %w32 = load i32, ptr %w.at
  %n.fits = icmp ult i32 %n32, 2000000
  call void @llvm.assume(i1 %n.fits)
  %w.fits = icmp ult i32 %w32, 1000
  call void @llvm.assume(i1 %w.fits)
  %n = sext i32 %n32 to i64
  %w64 = sext i32 %w32 to i64
  %w = add i64 %w64, 1
  %nn = mul i64 %n, %w
  %any = icmp slt i64 %start, %nn
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %start, %entry ], [ %next, %body ]
  %q = sdiv i64 %i, %w
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %q.lo, ptr %p
  %next = add i64 %i, %step
  %more = icmp slt i64 %next, %nn
  br i1 %more, label %body, label %done
done:
  ret void
}

; What is written to may be undef, and differ from read to read.
; CHECK-LABEL: define ptx_kernel void @structure_negative(
; CHECK: body:
; CHECK: [[I:%.*]] = phi i32
; CHECK: icmp slt i64
; CHECK: ret void
define ptx_kernel void @structure_negative(ptr noundef %out, ptr noundef byval({ i32, i32 }) align 8 %sizes) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = zext i32 %t to i64
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %step = zext i32 %s to i64
  %n32 = load i32, ptr %sizes
  %w.at = getelementptr inbounds i8, ptr %sizes, i64 4
  %w32 = load i32, ptr %w.at
  %n.fits = icmp ult i32 %n32, 2000000
  call void @llvm.assume(i1 %n.fits)
  %w.fits = icmp ult i32 %w32, 1000
  call void @llvm.assume(i1 %w.fits)
  %n = sext i32 %n32 to i64
  %w64 = sext i32 %w32 to i64
  %w = add i64 %w64, 1
  %nn = mul i64 %n, %w
  %any = icmp slt i64 %start, %nn
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %start, %entry ], [ %next, %body ]
  %q = sdiv i64 %i, %w
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %q.lo, ptr %p
  %next = add i64 %i, %step
  %more = icmp slt i64 %next, %nn
  br i1 %more, label %body, label %done
done:
  ret void
}

; So may what another function of the module hands over.
; CHECK-LABEL: define void @handed_negative(
; CHECK: body:
; CHECK: [[I:%.*]] = phi i32
; CHECK: icmp slt i64
; CHECK: ret void
define void @handed_negative(ptr noundef %out, ptr noundef readonly byval({ i32, i32 }) align 8 %sizes) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = zext i32 %t to i64
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %step = zext i32 %s to i64
  %n32 = load i32, ptr %sizes
  %w.at = getelementptr inbounds i8, ptr %sizes, i64 4
  %w32 = load i32, ptr %w.at
  %n.fits = icmp ult i32 %n32, 2000000
  call void @llvm.assume(i1 %n.fits)
  %w.fits = icmp ult i32 %w32, 1000
  call void @llvm.assume(i1 %w.fits)
  %n = sext i32 %n32 to i64
  %w64 = sext i32 %w32 to i64
  %w = add i64 %w64, 1
  %nn = mul i64 %n, %w
  %any = icmp slt i64 %start, %nn
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %start, %entry ], [ %next, %body ]
  %q = sdiv i64 %i, %w
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %q.lo, ptr %p
  %next = add i64 %i, %step
  %more = icmp slt i64 %next, %nn
  br i1 %more, label %body, label %done
done:
  ret void
}
