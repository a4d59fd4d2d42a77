; SimplifyCFG sinks the tail of two branches below a phi or a select: each side is
; combined with the tail before it can cancel.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 600 --block 128 --args in:i32:80000,out:i32:80000
; RUN: %{run} --kernel concat %s %t.ll
; RUN: %{run} --kernel concat_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; One quotient is left: (x/75)%34 < 13 is x%2550 < 975.
; CHECK-LABEL: define ptx_kernel void @concat(
; CHECK-NOT: {{udiv|urem}}
; CHECK: call i32 @llvm.nvvm.mulhi.ui
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: ret void
define ptx_kernel void @concat(ptr noundef %in, ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %x = add i32 %s, %t
  %inside = icmp ult i32 %x, 76500
  br i1 %inside, label %body, label %done
body:
  %a = udiv i32 %x, 2550
  %q = udiv i32 %x, 75
  %m = urem i32 %q, 34
  %c = urem i32 %x, 75
  %left = icmp ult i32 %m, 13
  %a21 = mul nuw nsw i32 %a, 21
  %ra = add nsw i32 %a21, -13
  %la = mul nuw nsw i32 %a, 13
  %base = select i1 %left, i32 %la, i32 %ra
  %row = add nsw i32 %base, %m
  %scaled = mul nuw nsw i32 %row, 75
  %i = add nuw nsw i32 %scaled, %c
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %xe = zext i32 %x to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %xe
  store i32 %v, ptr %o
  br label %done
done:
  ret void
}

; The sides have nothing in common with the tail: the select stays.
; CHECK-LABEL: define ptx_kernel void @concat_negative(
; CHECK: select i1 %{{.*}}, i32 7, i32 9
define ptx_kernel void @concat_negative(ptr noundef %in, ptr noundef %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %left = icmp ult i32 %x, 13
  %base = select i1 %left, i32 7, i32 9
  %i = add nuw nsw i32 %base, %x
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}
