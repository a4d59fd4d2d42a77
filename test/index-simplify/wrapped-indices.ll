; A loaded index that counts from the end where it is negative, v < 0 ? v + n :
; v, is v - n * (v >> 31), also where a guard behind it is what says that v is in
; [-n, n). With one more number below, the sign is no quotient.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:2048,in:i32:1:values=-1001 --kernel guarded %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=-1000 --kernel guarded %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=-1 --kernel guarded %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=0 --kernel guarded %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=999 --kernel guarded %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=1000 --kernel guarded %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=-1001 --kernel guarded_negative %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=-1000 --kernel guarded_negative %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=-1 --kernel guarded_negative %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=999 --kernel guarded_negative %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=-1001 --kernel clamped %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=-1000 --kernel clamped %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=-1 --kernel clamped %s %t.ll
; RUN: %{run} --args out:i32:2048,in:i32:1:values=2000000000 --kernel clamped %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @guarded(
; CHECK-NOT: {{select|mulhi|div i|rem i}}
; CHECK: ashr i32 %{{.*}}, 31
; CHECK-NOT: {{select|mulhi|div i|rem i}}
; CHECK: ret void
define ptx_kernel void @guarded(ptr noundef %out, ptr noundef %in) {
  %v = load i32, ptr %in, !noundef !{}
  %below = icmp slt i32 %v, 0
  %v1000 = add nsw i32 %v, 1000
  %w = select i1 %below, i32 %v1000, i32 %v
  %outside = icmp ugt i32 %w, 999
  br i1 %outside, label %done, label %write
write:
  %e = sext i32 %w to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; -1001 is not refused here, and has the quotient -2.
; CHECK-LABEL: define ptx_kernel void @guarded_negative(
; CHECK-NOT: ashr i32 %{{.*}}, 31
; CHECK: mulhi
; CHECK: ret void
define ptx_kernel void @guarded_negative(ptr noundef %out, ptr noundef %in) {
  %v = load i32, ptr %in, !range !0, !noundef !{}
  %v2000 = add nsw i32 %v, 2000
  %r = urem i32 %v2000, 1000
  %e = sext i32 %r to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; The lower clamp stays one operation: max(w, 0), not w - min(w, 0).
; CHECK-LABEL: define ptx_kernel void @clamped(
; CHECK: ashr i32 %{{.*}}, 31
; CHECK: call i32 @llvm.smax.i32(i32 %{{.*}}, i32 0)
; CHECK-NOT: {{select|sub}}
; CHECK: ret void
define ptx_kernel void @clamped(ptr noundef %out, ptr noundef %in) {
  %v = load i32, ptr %in, !noundef !{}
  %below = icmp slt i32 %v, 0
  %v1000 = add nsw i32 %v, 1000
  %w = select i1 %below, i32 %v1000, i32 %v
  %lower = call i32 @llvm.smax.i32(i32 %w, i32 0)
  %both = call i32 @llvm.smin.i32(i32 %lower, i32 999)
  %e = sext i32 %both to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

!0 = !{i32 -1001, i32 1000}
