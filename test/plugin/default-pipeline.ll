; At its extension point, in the pipelines that users run: an unoptimised kernel
; with helper functions not yet inlined. Nothing happens at O0.

; DEFINE: %{o3} = %unravel-opt -passes='default<O3>' -mcpu=sm_90 -S %s
; RUN: %{o3} -o %t.ll && FileCheck %s < %t.ll
; RUN: %{o3} -index-simplify-at=scalar-optimizer-late -o %t.late.ll && FileCheck %s < %t.late.ll
; RUN: %{o3} -index-simplify-at=none | FileCheck %s --check-prefix=NONE
; RUN: %unravel-opt -passes='default<O1>' -mcpu=sm_90 -S %s | FileCheck %s
; DEFINE: %{run} = %kernel-run --grid 235 --block 256 --args in:f32:60000,out:f32:60000
; RUN: %{run} --kernel reshape %s %t.ll
; RUN: %{run} --kernel reshape %s %t.late.ll

; RUN: opt -passes='default<O0>' -S %s -o %t.before.ll
; RUN: %unravel-opt -passes='default<O0>' -S %s -o %t.after.ll
; RUN: diff %t.before.ll %t.after.ll

; CHECK-LABEL: define {{.*}}@reshape(
; CHECK-NOT: {{[us]div|[us]rem|mulhi}}
; CHECK: ret void
; NONE-LABEL: define {{.*}}@reshape(
; NONE: {{[us]div}}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define internal i32 @id() {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  ret i32 %i
}

define internal i32 @ravel(i32 %z, i32 %y, i32 %x) {
  %z40 = mul i32 %z, 40
  %zy = add i32 %z40, %y
  %zy75 = mul i32 %zy, 75
  %i = add i32 %zy75, %x
  ret i32 %i
}

define ptx_kernel void @reshape(ptr noalias %in, ptr noalias %out) {
entry:
  %i.at = alloca i32
  %i = call i32 @id()
  store i32 %i, ptr %i.at
  %inside = icmp ult i32 %i, 60000
  br i1 %inside, label %body, label %done
body:
  %i1 = load i32, ptr %i.at
  %z = udiv i32 %i1, 3000
  %q = udiv i32 %i1, 75
  %y = urem i32 %q, 40
  %x = urem i32 %i1, 75
  %j = call i32 @ravel(i32 %z, i32 %y, i32 %x)
  %e = zext i32 %j to i64
  %p = getelementptr inbounds float, ptr %in, i64 %e
  %v = load float, ptr %p
  %i2 = load i32, ptr %i.at
  %f = zext i32 %i2 to i64
  %o = getelementptr inbounds float, ptr %out, i64 %f
  store float %v, ptr %o
  br label %done
done:
  ret void
}
