; Neighbours in one of two arrays share the choice between these.

; RUN: %unravel-opt -passes=shared-choices,known-alignments -S < %s > %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 4 --block 32 --args out:i32:512,in:i32:520,in:i32:520
; RUN: %{run} --kernel neighbours %s %t.ll
; RUN: %{run} --kernel neighbours_negative %s %t.ll
; RUN: %{run} --kernel branches_negative %s %t.ll
; RUN: %{run} --kernel diamonds %s %t.ll
; RUN: %{run} --kernel diamonds_negative %s %t.ll

; A second run finds nothing more; other targets are left alone.
; RUN: %unravel-opt -passes=shared-choices,known-alignments -S < %t.ll > %t2.ll
; RUN: diff %t.ll %t2.ll
; RUN: %unravel-opt -passes=shared-choices -mtriple=x86_64-linux-gnu -S < %s | FileCheck %s --check-prefix=HOST
; HOST-LABEL: @neighbours(
; HOST-COUNT-4: select i1 %c

; With the pipeline behind it they are one vector.
; RUN: %unravel-opt -passes='shared-choices,known-alignments,load-store-vectorizer' -mcpu=sm_90 -S %s | FileCheck %s --check-prefix=VECTOR
; VECTOR-LABEL: define ptx_kernel void @neighbours(
; VECTOR: load <4 x i32>
; VECTOR-LABEL: define ptx_kernel void @diamonds(
; VECTOR: load <2 x i32>

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The addresses in %y are 16 bytes further on; the first ones may have been
; poison where those of the others are not, so their flags go. What is loaded
; through both has the alignment of both.
; CHECK-LABEL: define ptx_kernel void @neighbours(
; CHECK: %y2 = getelementptr i8, ptr addrspace(1) %y1, i64 16
; CHECK: %p = select
; CHECK-NEXT: load i32, ptr addrspace(1) %p, align 16
; CHECK-NOT: select
; CHECK: getelementptr i8, ptr addrspace(1) %p, i64 4
; CHECK: getelementptr i8, ptr addrspace(1) %p, i64 8
; CHECK: getelementptr i8, ptr addrspace(1) %p, i64 12
; CHECK-NOT: select
; CHECK: ret void
define ptx_kernel void @neighbours(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %x, ptr addrspace(1) align 16 %y) {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b32 = shl nuw nsw i32 %b, 5
  %n = or disjoint i32 %b32, %t
  %i = shl nuw nsw i32 %n, 2
  %c = icmp ult i32 %b, 2
  %e = zext nneg i32 %i to i64
  %x1 = getelementptr inbounds nuw i32, ptr addrspace(1) %x, i64 %e
  %y1 = getelementptr inbounds nuw i32, ptr addrspace(1) %y, i64 %e
  %y2 = getelementptr inbounds nuw i8, ptr addrspace(1) %y1, i64 16
  %p = select i1 %c, ptr addrspace(1) %x1, ptr addrspace(1) %y2
  %v = load i32, ptr addrspace(1) %p, align 4
  %x3 = getelementptr inbounds nuw i8, ptr addrspace(1) %x1, i64 4
  %y3 = getelementptr inbounds nuw i8, ptr addrspace(1) %y1, i64 20
  %p1 = select i1 %c, ptr addrspace(1) %x3, ptr addrspace(1) %y3
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %x4 = getelementptr inbounds nuw i8, ptr addrspace(1) %x1, i64 8
  %y4 = getelementptr inbounds nuw i8, ptr addrspace(1) %y1, i64 24
  %p2 = select i1 %c, ptr addrspace(1) %x4, ptr addrspace(1) %y4
  %v2 = load i32, ptr addrspace(1) %p2, align 4
  %x5 = getelementptr inbounds nuw i8, ptr addrspace(1) %x1, i64 12
  %y5 = getelementptr inbounds nuw i8, ptr addrspace(1) %y1, i64 28
  %p3 = select i1 %c, ptr addrspace(1) %x5, ptr addrspace(1) %y5
  %v3 = load i32, ptr addrspace(1) %p3, align 4
  %s = add i32 %v, %v1
  %s1 = add i32 %s, %v2
  %s2 = add i32 %s1, %v3
  %o = zext nneg i32 %n to i64
  %q = getelementptr inbounds nuw i32, ptr addrspace(1) %out, i64 %o
  store i32 %s2, ptr addrspace(1) %q, align 4
  ret void
}

; Other distances, and another condition: nothing is shared.
; CHECK-LABEL: define ptx_kernel void @neighbours_negative(
; CHECK-COUNT-3: select
; CHECK: ret void
define ptx_kernel void @neighbours_negative(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %x, ptr addrspace(1) align 16 %y) {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b32 = shl nuw nsw i32 %b, 5
  %n = or disjoint i32 %b32, %t
  %i = shl nuw nsw i32 %n, 2
  %c = icmp ult i32 %b, 2
  %d = icmp ult i32 %b, 3
  %e = zext nneg i32 %i to i64
  %x1 = getelementptr inbounds nuw i32, ptr addrspace(1) %x, i64 %e
  %y1 = getelementptr inbounds nuw i32, ptr addrspace(1) %y, i64 %e
  %y2 = getelementptr inbounds nuw i8, ptr addrspace(1) %y1, i64 16
  %p = select i1 %c, ptr addrspace(1) %x1, ptr addrspace(1) %y2
  %v = load i32, ptr addrspace(1) %p, align 4
  %x3 = getelementptr inbounds nuw i8, ptr addrspace(1) %x1, i64 4
  %y3 = getelementptr inbounds nuw i8, ptr addrspace(1) %y1, i64 24
  %p1 = select i1 %c, ptr addrspace(1) %x3, ptr addrspace(1) %y3
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %x4 = getelementptr inbounds nuw i8, ptr addrspace(1) %x1, i64 8
  %y4 = getelementptr inbounds nuw i8, ptr addrspace(1) %y1, i64 24
  %p2 = select i1 %d, ptr addrspace(1) %x4, ptr addrspace(1) %y4
  %v2 = load i32, ptr addrspace(1) %p2, align 4
  %s = add i32 %v, %v1
  %s1 = add i32 %s, %v2
  %o = zext nneg i32 %n to i64
  %q = getelementptr inbounds nuw i32, ptr addrspace(1) %out, i64 %o
  store i32 %s1, ptr addrspace(1) %q, align 4
  ret void
}

; Neither of the choices dominates the other one.
; CHECK-LABEL: define ptx_kernel void @branches_negative(
; CHECK: left:
; CHECK: select
; CHECK: right:
; CHECK: select
; CHECK: ret void
define ptx_kernel void @branches_negative(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %x, ptr addrspace(1) align 16 %y) {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b32 = shl nuw nsw i32 %b, 5
  %n = or disjoint i32 %b32, %t
  %c = icmp ult i32 %b, 2
  %d = icmp ult i32 %t, 7
  %e = zext nneg i32 %n to i64
  %x1 = getelementptr inbounds nuw i32, ptr addrspace(1) %x, i64 %e
  %y1 = getelementptr inbounds nuw i32, ptr addrspace(1) %y, i64 %e
  br i1 %d, label %left, label %right
left:
  %p = select i1 %c, ptr addrspace(1) %x1, ptr addrspace(1) %y1
  br label %end
right:
  %x3 = getelementptr inbounds nuw i8, ptr addrspace(1) %x1, i64 4
  %y3 = getelementptr inbounds nuw i8, ptr addrspace(1) %y1, i64 4
  %p1 = select i1 %c, ptr addrspace(1) %x3, ptr addrspace(1) %y3
  br label %end
end:
  %at = phi ptr addrspace(1) [ %p, %left ], [ %p1, %right ]
  %v = load i32, ptr addrspace(1) %at, align 4
  %q = getelementptr inbounds nuw i32, ptr addrspace(1) %out, i64 %e
  store i32 %v, ptr addrspace(1) %q, align 4
  ret void
}

; An if-else that computes what an earlier one did is none.
; CHECK-LABEL: define ptx_kernel void @diamonds(
; CHECK: br i1
; CHECK: join:
; CHECK: load i32, ptr addrspace(1) %{{.*}}, align 8
; CHECK-NOT: br
; CHECK: load i32
; CHECK: ret void
define ptx_kernel void @diamonds(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %x, ptr addrspace(1) align 16 %y) {
entry:
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %b, 2
  br i1 %c, label %then, label %else

then:
  %x1 = shl nuw nsw i32 %t, 3
  %x2 = or disjoint i32 %x1, 4
  br label %join

else:
  %y1 = shl nuw nsw i32 %t, 1
  br label %join

join:
  %from = phi ptr addrspace(1) [ %x, %then ], [ %y, %else ]
  %i = phi i32 [ %x2, %then ], [ %y1, %else ]
  %w = zext nneg i32 %i to i64
  %p = getelementptr inbounds nuw i32, ptr addrspace(1) %from, i64 %w
  %v = load i32, ptr addrspace(1) %p, align 4
  br i1 %c, label %then2, label %else2

then2:
  %x3 = shl nuw nsw i32 %t, 3
  %x4 = or disjoint i32 %x3, 4
  br label %join2

else2:
  %y3 = shl nuw nsw i32 %t, 1
  br label %join2

join2:
  %from2 = phi ptr addrspace(1) [ %y, %else2 ], [ %x, %then2 ]
  %i2 = phi i32 [ %x4, %then2 ], [ %y3, %else2 ]
  %w2 = zext nneg i32 %i2 to i64
  %p2 = getelementptr inbounds nuw i32, ptr addrspace(1) %from2, i64 %w2
  %p3 = getelementptr inbounds nuw i8, ptr addrspace(1) %p2, i64 4
  %v2 = load i32, ptr addrspace(1) %p3, align 4
  %s = sub i32 %v, %v2
  %b32 = shl nuw nsw i32 %b, 5
  %n = or disjoint i32 %b32, %t
  %o = zext nneg i32 %n to i64
  %q = getelementptr inbounds nuw i32, ptr addrspace(1) %out, i64 %o
  store i32 %s, ptr addrspace(1) %q, align 4
  ret void
}

; The first number may be poison where the second one is not.
; CHECK-LABEL: define ptx_kernel void @diamonds_negative(
; CHECK: br i1
; CHECK: br i1
; CHECK: phi i32
; CHECK: ret void
define ptx_kernel void @diamonds_negative(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %x, ptr addrspace(1) align 16 %y) {
entry:
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %b, 2
  br i1 %c, label %then, label %else

then:
  %x1 = shl nuw nsw i32 %t, 3
  %x2 = or disjoint i32 %x1, 4
  br label %join

else:
  %y1 = shl nuw nsw i32 %t, 1
  br label %join

join:
  %from = phi ptr addrspace(1) [ %x, %then ], [ %y, %else ]
  %i = phi i32 [ %x2, %then ], [ %y1, %else ]
  %w = zext nneg i32 %i to i64
  %p = getelementptr inbounds nuw i32, ptr addrspace(1) %from, i64 %w
  %v = load i32, ptr addrspace(1) %p, align 4
  br i1 %c, label %then2, label %else2

then2:
  %x3 = shl nuw nsw i32 %t, 3
  %x4 = or disjoint i32 %x3, 4
  br label %join2

else2:
  %y3 = shl i32 %t, 1
  br label %join2

join2:
  %from2 = phi ptr addrspace(1) [ %y, %else2 ], [ %x, %then2 ]
  %i2 = phi i32 [ %x4, %then2 ], [ %y3, %else2 ]
  %w2 = zext nneg i32 %i2 to i64
  %p2 = getelementptr inbounds nuw i32, ptr addrspace(1) %from2, i64 %w2
  %p3 = getelementptr inbounds nuw i8, ptr addrspace(1) %p2, i64 4
  %v2 = load i32, ptr addrspace(1) %p3, align 4
  %s = sub i32 %v, %v2
  %b32 = shl nuw nsw i32 %b, 5
  %n = or disjoint i32 %b32, %t
  %o = zext nneg i32 %n to i64
  %q = getelementptr inbounds nuw i32, ptr addrspace(1) %out, i64 %o
  store i32 %s, ptr addrspace(1) %q, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A choice that may be poison does not stand for one that is none.
; CHECK-LABEL: define ptx_kernel void @fast_negative(
; CHECK: select nnan
; CHECK: select i1
define ptx_kernel void @fast_negative(ptr addrspace(1) %out, float %x, float %y, i32 %n) {
  %c = icmp slt i32 %n, 3
  %a = select nnan i1 %c, float %x, float %y
  %b = select i1 %c, float %x, float %y
  store float %a, ptr addrspace(1) %out
  %p = getelementptr i8, ptr addrspace(1) %out, i64 4
  store float %b, ptr addrspace(1) %p
  ret void
}

; A side that does something stays.
; CHECK-LABEL: define ptx_kernel void @trap_negative(
; CHECK: callbr
define ptx_kernel void @trap_negative(ptr addrspace(1) %out, i1 %c, i32 %x, i32 %y) {
  %a = select i1 %c, i32 %x, i32 %y
  store i32 %a, ptr addrspace(1) %out
  br i1 %c, label %side, label %join

side:
  callbr void asm sideeffect "trap;", ""() to label %join []

join:
  %b = phi i32 [ %x, %side ], [ %y, %0 ]
  store i32 %b, ptr addrspace(1) %out
  ret void
}
