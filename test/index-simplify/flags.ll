; nuw and nsw are emitted where they are proved, and nowhere else.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 128 --args in:i32:1024,out:i32:3000
; DEFINE: %{run1} = %kernel-run --grid 8 --block 128 --args out:i32:3000
; RUN: %{run1} --kernel bounded %s %t.ll
; RUN: %{run} --kernel bounded_negative %s %t.ll
; RUN: %{run1} --kernel unsigned %s %t.ll
; RUN: %{run1} --kernel unsigned_negative %s %t.ll

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

; x < 1024: 2*x + 5 is computed without any wrap.
; CHECK-LABEL: define ptx_kernel void @bounded(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: getelementptr inbounds nuw i64, ptr %out
; CHECK-NOT: {{(shl|mul|add) (i|nuw i|nsw i)}}
; CHECK: store
define ptx_kernel void @bounded(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 1024
  call void @llvm.assume(i1 %inside)
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q150 = mul i32 %q, 150
  %r2 = mul i32 %r, 2
  %i = add i32 %q150, %r2
  %i5 = add i32 %i, 5
  %e = zext i32 %i5 to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; Any x: what is stored is 2*x + 5 modulo 2^32, and it may wrap.
; CHECK-LABEL: define ptx_kernel void @bounded_negative(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: {{(shl|mul) i32}}
; CHECK: add i32
; CHECK: store
define ptx_kernel void @bounded_negative(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  %a = getelementptr inbounds i32, ptr %in, i64 %t64
  %x.any = load i32, ptr %a
  %x = freeze i32 %x.any
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q150 = mul i32 %q, 150
  %r2 = mul i32 %r, 2
  %i = add i32 %q150, %r2
  %i5 = add i32 %i, 5
  %p = getelementptr inbounds i32, ptr %out, i64 %t64
  store i32 %i5, ptr %p
  ret void
}

; x < 2^31 + 8: 32-bit sums may exceed the signed range, but not the unsigned.
; CHECK-LABEL: define ptx_kernel void @unsigned(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: add nuw i32 %x, 5
; CHECK: store
define ptx_kernel void @unsigned(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 2147483656
  call void @llvm.assume(i1 %inside)
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %i5 = add i32 %i, 5
  %low = and i32 %x, 1023
  %e = zext i32 %low to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %i5, ptr %p
  ret void
}

; Signed: -2^31 <= x < 2^30 cannot wrap upwards, but it is no unsigned sum.
; CHECK-LABEL: define ptx_kernel void @unsigned_negative(
; CHECK-NOT: {{sdiv|srem|mulhi| nuw }}
; CHECK: add nsw i32 %x, 5
; CHECK: store
define ptx_kernel void @unsigned_negative(ptr %out) {
  %x = call i32 @id()
  %inside = icmp slt i32 %x, 1073741824
  call void @llvm.assume(i1 %inside)
  %q = sdiv i32 %x, 75
  %r = srem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %i5 = add i32 %i, 5
  %low = and i32 %x, 1023
  %e = zext i32 %low to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %i5, ptr %p
  ret void
}
