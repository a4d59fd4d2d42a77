; A grid is made of whole clusters, whose size is a constant of the kernel.

; RUN: %unravel-opt -passes=index-facts,index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --block 4 --args out:i32:4096
; RUN: %{run} --grid 12,4 --kernel ceiling %s %t.ll
; RUN: %{run} --grid 12,4 --kernel ceiling_negative %s %t.ll
; RUN: %{run} --grid 12,4 --kernel registers %s %t.ll
; RUN: not %{run} --grid 10,4 --kernel ceiling %s %t.ll 2>&1 | FileCheck %s --check-prefix=GRID
; GRID: the grid is not made of whole clusters of 4,2,1 blocks (nvvm.cluster_dim)

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; ceil(gridDim.x / 4) is gridDim.x / 4.
; CHECK-LABEL: define ptx_kernel void @ceiling(
; CHECK-NOT: {{udiv|lshr}}
; CHECK: %idx.ext = sext i32 %b to i64
; CHECK-NEXT: getelementptr {{.*}}, i64 %idx.ext
; CHECK: ret void
define ptx_kernel void @ceiling(ptr noundef %out) "nvvm.cluster_dim"="4,2" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.x()
  %clusters = udiv i32 %g, %c
  %g3 = add i32 %g, 3
  %up = udiv i32 %g3, %c
  %more = sub i32 %up, %clusters
  %at = add i32 %b, %more
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 1, ptr %p
  ret void
}

; In y a cluster has two blocks.
; CHECK-LABEL: define ptx_kernel void @ceiling_negative(
; CHECK: {{udiv|lshr}} i32
; CHECK: {{udiv|lshr}} i32
; CHECK: ret void
define ptx_kernel void @ceiling_negative(ptr noundef %out) "nvvm.cluster_dim"="4,2" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.x()
  %clusters = udiv i32 %g, %c
  %g3 = add i32 %g, 3
  %up = udiv i32 %g3, %c
  %more = sub i32 %up, %clusters
  %at = add i32 %b, %more
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 1, ptr %p
  ret void
}

; What the registers are; kernel-run knows that as well.
; CHECK-LABEL: define ptx_kernel void @registers(
; CHECK: call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
; CHECK: call range(i32 0, 2) i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.y()
; CHECK: call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
; CHECK-NOT: call {{.*}}cluster.nctarank
; CHECK: ret void
define ptx_kernel void @registers(ptr noundef %out) "nvvm.cluster_dim"="4,2" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.y()
  %r = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
  %i = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
  %j = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.y()
  %m = call i32 @llvm.nvvm.read.ptx.sreg.nclusterid.x()
  %i4 = shl i32 %i, 2
  %bx = add i32 %i4, %x
  %j2 = shl i32 %j, 1
  %by = add i32 %j2, %y
  %y4 = shl i32 %y, 2
  %ry = add i32 %y4, %x
  %e0 = icmp eq i32 %b, %bx
  %e1 = icmp eq i32 %d, %by
  %e2 = icmp eq i32 %r, %ry
  %e3 = icmp eq i32 %n, 8
  %e4 = icmp eq i32 %m, 3
  %a0 = and i1 %e0, %e1
  %a1 = and i1 %a0, %e2
  %a2 = and i1 %a1, %e3
  %a3 = and i1 %a2, %e4
  br i1 %a3, label %right, label %wrong

right:
  %p = getelementptr inbounds i32, ptr %out, i32 %b
  store i32 1, ptr %p
  ret void

wrong:
  call void @llvm.trap()
  unreachable
}
