; `x + y >= 1`, the guard in front of a padded row, arrives as `(x | y) != 0`.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=VERIFY --allow-empty
; VERIFY-NOT: warning
; DEFINE: %{run} = %kernel-run --grid 3 --block 9 --args out:i32:100
; RUN: %{run} --kernel row %s %t.ll
; RUN: %{run} --kernel row_negative %s %t.ll
; RUN: %{run},i32:0 --kernel three %s %t.ll
; RUN: %{run},i32:3 --kernel three %s %t.ll
; RUN: %{run} --kernel both_negative %s %t.ll
; RUN: %{run} --kernel sign_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @row(
; CHECK: inside:
; CHECK-NOT: {{div|mulhi|mul }}
; CHECK: store
define ptx_kernel void @row(ptr %out) {
  %i = call range(i32 0, 3) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %r = call range(i32 0, 9) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = or i32 %i, %r
  %is.inside = icmp ne i32 %any, 0
  br i1 %is.inside, label %inside, label %done
inside:
  %s = add nuw nsw i32 %i, %r
  %m = mul nuw nsw i32 %s, 75
  %b = add nsw i32 %m, -70
  %q = sdiv i32 %b, 75
  %e = sext i32 %q to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  br label %done
done:
  ret void
}

; Without the guard i = r = 0 gives -70 / 75 = 0, not -1.
; CHECK-LABEL: define ptx_kernel void @row_negative(
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @row_negative(ptr %out) {
  %i = call range(i32 0, 3) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %r = call range(i32 0, 9) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = add nuw nsw i32 %i, %r
  %m = mul nuw nsw i32 %s, 75
  %b = add nsw i32 %m, -70
  %q = sdiv i32 %b, 75
  %e = sext i32 %q to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  ret void
}

; Of three, extended.
; CHECK-LABEL: define ptx_kernel void @three(
; CHECK: inside:
; CHECK-NOT: {{div|mulhi|mul }}
; CHECK: store
define ptx_kernel void @three(ptr %out, i32 noundef range(i32 0, 5) %k) {
  %i = call range(i32 0, 3) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %r = call range(i32 0, 9) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i64 = zext i32 %i to i64
  %r64 = zext i32 %r to i64
  %k64 = zext i32 %k to i64
  %two = or i64 %i64, %r64
  %any = or i64 %k64, %two
  %is.outside = icmp eq i64 %any, 0
  br i1 %is.outside, label %done, label %inside
inside:
  %s2 = add nuw nsw i32 %i, %r
  %s = add nuw nsw i32 %s2, %k
  %m = mul nuw nsw i32 %s, 75
  %b = add nsw i32 %m, -70
  %q = sdiv i32 %b, 75
  %e = sext i32 %q to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  br label %done
done:
  ret void
}

; x & y says that of both, and nothing of the sum if it is 0.
; CHECK-LABEL: define ptx_kernel void @both_negative(
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @both_negative(ptr %out) {
  %i = call range(i32 0, 3) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %r = call range(i32 0, 9) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %both = and i32 %i, %r
  %is.outside = icmp ne i32 %both, 0
  br i1 %is.outside, label %done, label %inside
inside:
  %s = add nuw nsw i32 %i, %r
  %m = mul nuw nsw i32 %s, 75
  %b = add nsw i32 %m, -70
  %q = sdiv i32 %b, 75
  %e = sext i32 %q to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  br label %done
done:
  ret void
}

; -1 | 1 is not 0, -1 + 1 is.
; CHECK-LABEL: define ptx_kernel void @sign_negative(
; CHECK: inside:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @sign_negative(ptr %out) {
  %c = call range(i32 0, 3) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = add nsw i32 %c, -1
  %r = call range(i32 0, 9) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = or i32 %i, %r
  %is.inside = icmp ne i32 %any, 0
  br i1 %is.inside, label %inside, label %done
inside:
  %s = add nsw i32 %i, %r
  %m = mul nsw i32 %s, 75
  %b = add nsw i32 %m, 4
  %q = sdiv i32 %b, 75
  %q1 = add nsw i32 %q, 1
  %e = sext i32 %q1 to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
