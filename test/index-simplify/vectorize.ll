; Four neighbours on one base register are what LoadStoreVectorizer needs: with
; the alignment known, one 16-byte access instead of four.

; REQUIRES: nvptx
; RUN: llc -mcpu=sm_90 %s -o - | FileCheck %s --check-prefix=BEFORE
; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: llc -mcpu=sm_90 %t.ll -o - | FileCheck %s
; DEFINE: %{run} = %kernel-run --grid 40 --block 128 --args in:i32:24000:align=16,out:i32:24000:align=16
; RUN: %{run} --kernel four %s %t.ll
; RUN: %{run} --kernel four_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; BEFORE-LABEL: .entry four(
; BEFORE-NOT: .v4
; BEFORE-LABEL: .entry four_negative(

; CHECK-LABEL: .entry four(
; CHECK-NOT: {{ld.*global.*(b32|f32|u32)}}
; CHECK: ld.global{{.*}}.v4
; CHECK: st.global{{.*}}.v4
; CHECK-NOT: {{st.*global}}
; CHECK-LABEL: .entry four_negative(
define ptx_kernel void @four(ptr %in, ptr %out) "nvvm.maxntid"="128" {
  call void @llvm.assume(i1 true) [ "align"(ptr %in, i64 16) ]
  call void @llvm.assume(i1 true) [ "align"(ptr %out, i64 16) ]
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b.few = icmp ult i32 %b, 1000
  call void @llvm.assume(i1 %b.few)
  %b128 = shl nuw nsw i32 %b, 7
  %x = or disjoint i32 %b128, %t
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q300 = mul nuw nsw i32 %q, 300
  %r4 = shl nuw nsw i32 %r, 2
  %i0 = add nuw nsw i32 %q300, %r4
  %i1 = add nuw nsw i32 %i0, 1
  %i2 = add nuw nsw i32 %i0, 2
  %i3 = add nuw nsw i32 %i0, 3
  %e0 = zext nneg i32 %i0 to i64
  %e1 = zext nneg i32 %i1 to i64
  %e2 = zext nneg i32 %i2 to i64
  %e3 = zext nneg i32 %i3 to i64
  %a0 = getelementptr inbounds i32, ptr %in, i64 %e0
  %a1 = getelementptr inbounds i32, ptr %in, i64 %e1
  %a2 = getelementptr inbounds i32, ptr %in, i64 %e2
  %a3 = getelementptr inbounds i32, ptr %in, i64 %e3
  %v0 = load i32, ptr %a0, align 4
  %v1 = load i32, ptr %a1, align 4
  %v2 = load i32, ptr %a2, align 4
  %v3 = load i32, ptr %a3, align 4
  %p0 = getelementptr inbounds i32, ptr %out, i64 %e0
  %p1 = getelementptr inbounds i32, ptr %out, i64 %e1
  %p2 = getelementptr inbounds i32, ptr %out, i64 %e2
  %p3 = getelementptr inbounds i32, ptr %out, i64 %e3
  store i32 %v0, ptr %p0, align 4
  store i32 %v1, ptr %p1, align 4
  store i32 %v2, ptr %p2, align 4
  store i32 %v3, ptr %p3, align 4
  ret void
}

; The pointers are aligned to 4 bytes only: no wider access is allowed.
; CHECK-NOT: .v4
; CHECK-NOT: .v2
define ptx_kernel void @four_negative(ptr %in, ptr %out) "nvvm.maxntid"="128" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b.few = icmp ult i32 %b, 1000
  call void @llvm.assume(i1 %b.few)
  %b128 = shl nuw nsw i32 %b, 7
  %x = or disjoint i32 %b128, %t
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q300 = mul nuw nsw i32 %q, 300
  %r4 = shl nuw nsw i32 %r, 2
  %i0 = add nuw nsw i32 %q300, %r4
  %i1 = add nuw nsw i32 %i0, 1
  %e0 = zext nneg i32 %i0 to i64
  %e1 = zext nneg i32 %i1 to i64
  %a0 = getelementptr inbounds i32, ptr %in, i64 %e0
  %a1 = getelementptr inbounds i32, ptr %in, i64 %e1
  %v0 = load i32, ptr %a0, align 4
  %v1 = load i32, ptr %a1, align 4
  %p0 = getelementptr inbounds i32, ptr %out, i64 %e0
  %p1 = getelementptr inbounds i32, ptr %out, i64 %e1
  store i32 %v0, ptr %p0, align 4
  store i32 %v1, ptr %p1, align 4
  ret void
}
