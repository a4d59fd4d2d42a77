; max(size, 1) is a symbol of its own, but what a guard says of min(size, 256)
; it says of the size, and a row of a pitch max(size, 16) is one of the size.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{kernel} =
; DEFINE: %{n} =
; DEFINE: %{run} = %kernel-run --kernel %{kernel} --grid 3 --block 200 --args out:i32:600,in:i32:1200000,i32:%{n} %s %t.ll
; REDEFINE: %{kernel} = below_minimum
; REDEFINE: %{n} = 7
; RUN: %{run}
; REDEFINE: %{n} = 300
; RUN: %{run}
; REDEFINE: %{n} = 0
; RUN: %{run}
; REDEFINE: %{kernel} = below_minimum_negative
; REDEFINE: %{n} = 7
; RUN: %{run}
; REDEFINE: %{n} = 300
; RUN: %{run}
; REDEFINE: %{kernel} = above_maximum
; REDEFINE: %{n} = 7
; RUN: %{run}
; REDEFINE: %{n} = 300
; RUN: %{run}
; REDEFINE: %{n} = -2147483648
; RUN: %{run}
; REDEFINE: %{kernel} = cold_negative
; REDEFINE: %{n} = -77
; RUN: %{run}
; REDEFINE: %{n} = 600
; RUN: %{run}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @below_minimum(
; CHECK: br i1
; CHECK-NOT: {{div|rem}}
; CHECK: store
define ptx_kernel void @below_minimum(ptr noundef %out, ptr noundef %in, i32 noundef %n) {
  %i = call i32 @id(), !range !0
  %end = call i32 @llvm.smin.i32(i32 %n, i32 256)
  %inside = icmp slt i32 %i, %end
  br i1 %inside, label %write, label %done
write:
  %q = udiv i32 %i, %n
  %r = urem i32 %i, %n
  %row = mul i32 %q, 1000
  %index = add i32 %row, %r
  %e = zext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %o = zext i32 %i to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %o
  store i32 %v, ptr %to
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @below_minimum_negative(
; CHECK: br i1
; CHECK: {{div|rem}} i32 %i, %n
; CHECK: store
define ptx_kernel void @below_minimum_negative(ptr noundef %out, ptr noundef %in, i32 noundef %n) {
  %i = call i32 @id(), !range !0
  %end = call i32 @llvm.smax.i32(i32 %n, i32 256)
  %inside = icmp slt i32 %i, %end
  br i1 %inside, label %write, label %done
write:
  %q = udiv i32 %i, %n
  %r = urem i32 %i, %n
  %row = mul i32 %q, 1000
  %index = add i32 %row, %r
  %e = zext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %o = zext i32 %i to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %o
  store i32 %v, ptr %to
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @above_maximum(
; CHECK: br i1
; CHECK-NOT: {{div|rem}}
; CHECK: store
define ptx_kernel void @above_maximum(ptr noundef %out, ptr noundef %in, i32 noundef %n) {
  %i = call i32 @id(), !range !0
  %pitch = call i32 @llvm.smax.i32(i32 %n, i32 16)
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %write, label %done
write:
  %q = udiv i32 %i, %pitch
  %r = urem i32 %i, %pitch
  %row = mul i32 %q, 1000
  %index = add i32 %row, %r
  %e = zext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %o = zext i32 %i to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %o
  store i32 %v, ptr %to
  br label %done
done:
  ret void
}

; What a cold block promises of the minimum says nothing of the size in front of
; it.
; CHECK-LABEL: define ptx_kernel void @cold_negative(
; CHECK: sdiv i32 %n, 75
; CHECK: store
define ptx_kernel void @cold_negative(ptr noundef %out, ptr noundef %in, i32 noundef %n) {
  %i = call i32 @id(), !range !0
  %q = sdiv i32 %n, 75
  %q150 = mul i32 %q, 150
  %r = srem i32 %n, 75
  %v = add i32 %q150, %r
  %o = zext i32 %i to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %o
  store i32 %v, ptr %to
  %cold = icmp eq i32 %n, 1000
  br i1 %cold, label %more, label %done
more:
  %m = call noundef range(i32 0, 10) i32 @llvm.smin.i32(i32 %n, i32 256)
  %w = udiv i32 %i, %m
  store i32 %w, ptr %to
  br label %done
done:
  ret void
}

; Below 2^26 + 1024.
define internal noundef i32 @id() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %low = and i32 %b, 65535
  %s = mul nuw nsw i32 %low, 200
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add nuw nsw i32 %s, %t
  ret i32 %i
}

!0 = !{i32 0, i32 67109888}

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
