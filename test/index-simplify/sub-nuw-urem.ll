; LLVM writes (x/c)*c as x - x%c.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128 --args out:i32:6000
; RUN: %{run} --kernel rounded %s %t.ll
; RUN: %{run} --kernel rounded_negative %s %t.ll
; RUN: %{run} --kernel nested %s %t.ll
; RUN: %{run} --kernel nested_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The global thread id: any 32-bit number, for all that the pass knows.
define internal noundef i32 @id() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  ret i32 %i
}

; CHECK-LABEL: define ptx_kernel void @rounded(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @rounded(ptr %out) {
  %x = call i32 @id()
  %r = urem i32 %x, 75
  %base = sub nuw i32 %x, %r
  %base64 = zext i32 %base to i64
  %r64 = zext nneg i32 %r to i64
  %p1 = getelementptr inbounds nuw i32, ptr %out, i64 %base64
  %p = getelementptr inbounds nuw i32, ptr %p1, i64 %r64
  store i32 %x, ptr %p
  ret void
}

; The remainder of another number: it must stay, and so must the subtraction.
; CHECK-LABEL: define ptx_kernel void @rounded_negative(
; CHECK: {{udiv|urem|mulhi}}
; CHECK: {{ sub | mul .*, -}}
; CHECK: store
define ptx_kernel void @rounded_negative(ptr %out) {
  %x = call i32 @id()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = urem i32 %t, 75
  %base = sub nuw i32 %x, %r
  %e = zext i32 %base to i64
  %p = getelementptr inbounds nuw i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; A multiple of 3000, and the digits below it.
; CHECK-LABEL: define ptx_kernel void @nested(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @nested(ptr %out) {
  %x = call i32 @id()
  %r3000 = urem i32 %x, 3000
  %r75 = urem i32 %r3000, 75
  %high = sub nuw i32 %x, %r3000
  %mid = sub nuw nsw i32 %r3000, %r75
  %a = add nuw i32 %high, %mid
  %i = add nuw i32 %a, %r75
  %e = zext i32 %i to i64
  %p = getelementptr inbounds nuw i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; 70 does not divide 3000: x % 3000 % 70 is no digit of x.
; CHECK-LABEL: define ptx_kernel void @nested_negative(
; CHECK-DAG: {{urem|udiv}} i32 %x, 3000
; CHECK-DAG: {{urem|udiv}} i32 %{{.*}}, 70
; CHECK: store
define ptx_kernel void @nested_negative(ptr %out) {
  %x = call i32 @id()
  %r3000 = urem i32 %x, 3000
  %r70 = urem i32 %r3000, 70
  %e = zext i32 %r70 to i64
  %p = getelementptr inbounds nuw i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}
