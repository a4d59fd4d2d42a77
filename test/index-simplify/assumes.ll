; llvm.assume gives facts, and stays.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 128 --args out:i32:3000
; RUN: %{run} --kernel bound %s %t.ll
; RUN: %{run} --kernel bound_negative %s %t.ll
; RUN: %{run} --kernel sign %s %t.ll
; RUN: %{run} --kernel sign_negative %s %t.ll

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

; CHECK-LABEL: define ptx_kernel void @bound(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: icmp ult i32 %x, 3000
; CHECK: call void @llvm.assume(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @bound(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 3000
  call void @llvm.assume(i1 %inside)
  %z = udiv i32 %x, 3000
  %r = urem i32 %x, 3000
  %z5 = mul nuw nsw i32 %z, 5
  %i = add nuw nsw i32 %z5, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; The call may not return, so in front of it the assumption does not hold.
; CHECK-LABEL: define ptx_kernel void @bound_negative(
; CHECK: {{urem|udiv}} i32 %x, 3000
; CHECK: store
define ptx_kernel void @bound_negative(ptr %out) {
  %x = call i32 @id()
  %r = urem i32 %x, 3000
  %e = zext nneg i32 %r to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  call void @may_not_return(ptr %out)
  %inside = icmp ult i32 %x, 3000
  call void @llvm.assume(i1 %inside)
  ret void
}

define internal void @may_not_return(ptr %out) noinline {
  store volatile i32 1, ptr %out
  ret void
}

; __builtin_assume(s >= 0) makes the signed division an unsigned one: terms can
; be pulled out of it.
; CHECK-LABEL: define ptx_kernel void @sign(
; CHECK: call void @llvm.assume(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @sign(ptr %out) {
  %s = call i32 @id()
  %positive = icmp sgt i32 %s, -1
  call void @llvm.assume(i1 %positive)
  %s4 = shl nsw i32 %s, 2
  %v = add nsw i32 %s4, 3
  %i = sdiv i32 %v, 4
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  ret void
}

; (4*s + 3) / 4 is s + 1 for a negative s, and nothing says that it is not.
; CHECK-LABEL: define ptx_kernel void @sign_negative(
; CHECK: sdiv i32
; CHECK: store
define ptx_kernel void @sign_negative(ptr %out) {
  %s = call i32 @id()
  %odd = icmp ne i32 %s, -1
  call void @llvm.assume(i1 %odd)
  %s4 = shl nsw i32 %s, 2
  %v = add nsw i32 %s4, 3
  %i = sdiv i32 %v, 4
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  ret void
}
