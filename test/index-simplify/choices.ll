; Selects whose arms meet, or that differ from each other by a number.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 2 --block 256
; RUN: %{run} --args out:i32:2048,i32:0 --kernel arms_meet %s %t.ll
; RUN: %{run} --args out:i32:2048,i32:0 --kernel arms_meet_negative %s %t.ll
; RUN: %{run} --args out:i32:4096,i32:4,in:i32:4096,in:i32:4096 --kernel neighbours %s %t.ll
; RUN: %{run} --args out:i32:4096,i32:4,in:i32:4096,in:i32:4096 --kernel neighbours_negative %s %t.ll
; RUN: %{run} --args out:i32:4096,i32:4,in:i32:4096,in:i32:4096 --kernel poison_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Block 0 has the first half, block 1 the second one, 1024 elements further on:
; the place in the half is the same number. (LLVM writes b < 1 as b == 0.)
; CHECK-LABEL: define ptx_kernel void @arms_meet(
; CHECK-NOT: select
; CHECK: ret void
define ptx_kernel void @arms_meet(ptr %out, i32 %unused) {
  %b = call range(i32 0, 2) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %b, 0
  %t4 = shl nuw nsw i32 %t, 2
  %b1024 = shl nuw nsw i32 %b, 10
  %before = add nsw i32 %b1024, -1024
  %behind = add nsw i32 %before, %t4
  %i = select i1 %c, i32 %t4, i32 %behind
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; Of three blocks, the third one has a place of its own.
; CHECK-LABEL: define ptx_kernel void @arms_meet_negative(
; CHECK: select
; CHECK: ret void
define ptx_kernel void @arms_meet_negative(ptr %out, i32 %unused) {
  %b = call range(i32 0, 3) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %b, 0
  %t4 = shl nuw nsw i32 %t, 2
  %b1024 = shl nuw nsw i32 %b, 10
  %before = add nsw i32 %b1024, -1024
  %behind = add nsw i32 %before, %t4
  %i = select i1 %c, i32 %t4, i32 %behind
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; Both elements are in one of two arrays, next to each other.
; CHECK-LABEL: define ptx_kernel void @neighbours(
; CHECK: select i1
; CHECK: select i1
; CHECK-NOT: select i1 {{.*}}i32
; CHECK: getelementptr inbounds nuw i8, ptr {{.*}}, i64 4
; CHECK: ret void
define ptx_kernel void @neighbours(ptr %out, i32 noundef %n, ptr %x, ptr %y) {
  %b = call range(i32 0, 2) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t2 = shl nuw nsw i32 %t, 1
  %b512 = shl nuw nsw i32 %b, 9
  %i = or disjoint i32 %b512, %t2
  %back = add nsw i32 %i, -320
  %c = icmp ult i32 %back, 600
  %s = select i1 %c, i32 %back, i32 %i
  %z = select i1 %c, ptr %x, ptr %y
  %e = zext nneg i32 %s to i64
  %p = getelementptr inbounds nuw i32, ptr %z, i64 %e
  %v = load i32, ptr %p
  %i1 = or disjoint i32 %i, 1
  %back1 = add nsw i32 %i, -319
  %s1 = select i1 %c, i32 %back1, i32 %i1
  %e1 = zext nneg i32 %s1 to i64
  %p1 = getelementptr inbounds nuw i32, ptr %z, i64 %e1
  %v1 = load i32, ptr %p1
  %sum = add i32 %v, %v1
  %o = zext nneg i32 %i to i64
  %q = getelementptr inbounds nuw i32, ptr %out, i64 %o
  store i32 %sum, ptr %q
  ret void
}

; The arms do not differ by the same number.
; CHECK-LABEL: define ptx_kernel void @neighbours_negative(
; CHECK-COUNT-2: select i1 {{.*}}i32
; CHECK: ret void
define ptx_kernel void @neighbours_negative(ptr %out, i32 noundef %n, ptr %x, ptr %y) {
  %b = call range(i32 0, 2) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t2 = shl nuw nsw i32 %t, 1
  %b512 = shl nuw nsw i32 %b, 9
  %i = or disjoint i32 %b512, %t2
  %back = add nsw i32 %i, -320
  %c = icmp ult i32 %back, 600
  %s = select i1 %c, i32 %back, i32 %i
  %z = select i1 %c, ptr %x, ptr %y
  %e = zext nneg i32 %s to i64
  %p = getelementptr inbounds nuw i32, ptr %z, i64 %e
  %v = load i32, ptr %p
  %i1 = or disjoint i32 %i, 1
  %back1 = add nsw i32 %i, -318
  %s1 = select i1 %c, i32 %back1, i32 %i1
  %e1 = zext nneg i32 %s1 to i64
  %p1 = getelementptr inbounds nuw i32, ptr %z, i64 %e1
  %v1 = load i32, ptr %p1
  %sum = add i32 %v, %v1
  %o = zext nneg i32 %i to i64
  %q = getelementptr inbounds nuw i32, ptr %out, i64 %o
  store i32 %sum, ptr %q
  ret void
}

; n + i may wrap where n + i - 1, which the second element needs, does not.
; CHECK-LABEL: define ptx_kernel void @poison_negative(
; CHECK-COUNT-2: select i1 {{.*}}i32
; CHECK: ret void
define ptx_kernel void @poison_negative(ptr %out, i32 noundef %n, ptr %x, ptr %y) {
  %b = call range(i32 0, 2) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t2 = shl nuw nsw i32 %t, 1
  %b512 = shl nuw nsw i32 %b, 9
  %i = or disjoint i32 %b512, %t2
  %c = icmp ult i32 %i, 600
  %far = add nsw i32 %i, %n
  %s = select i1 %c, i32 %far, i32 %i
  %z = select i1 %c, ptr %x, ptr %y
  %e = sext i32 %s to i64
  %p = getelementptr inbounds i32, ptr %z, i64 %e
  %v = load i32, ptr %p
  %i1 = sub nsw i32 %i, 1
  %far1 = add nsw i32 %i1, %n
  %s1 = select i1 %c, i32 %far1, i32 %i1
  %e1 = sext i32 %s1 to i64
  %p1 = getelementptr inbounds i32, ptr %z, i64 %e1
  %near = getelementptr inbounds i32, ptr %p1, i64 1
  %v1 = load i32, ptr %near
  %sum = add i32 %v, %v1
  %o = zext nneg i32 %i to i64
  %q = getelementptr inbounds nuw i32, ptr %out, i64 %o
  store i32 %sum, ptr %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
