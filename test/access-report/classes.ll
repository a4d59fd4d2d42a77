; What the trace of kernel-run showed to be missing or wrong; each in its smallest
; form.

; RUN: access-report --block 128 %s | FileCheck %s --implicit-check-not="not understood"

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.smin.i32(i32, i32)

; The request of the worst efficiency has one lane; others have more sectors.
; CHECK-LABEL: kernel few_lanes,
; CHECK: sectors: 1 to 4, ideal: 1 to 4, efficiency: 0.12 to 1.00
define ptx_kernel void @few_lanes(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 33
  br i1 %c, label %yes, label %no
yes:
  %a = getelementptr float, ptr addrspace(1) %p, i32 %t
  %v = load volatile float, ptr addrspace(1) %a
  br label %no
no:
  ret void
}

; Only the second of four warps is special.
; CHECK-LABEL: kernel every_warp,
; CHECK: sectors: 4 to 32, ideal: 4,
define ptx_kernel void @every_warp(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 5
  %c = icmp eq i32 %w, 2
  %s = select i1 %c, i32 16, i32 1
  %i = mul i32 %t, %s
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load volatile float, ptr addrspace(1) %a
  ret void
}

; Two divisors with 9,797 residues together, but the guard leaves 40 blocks.
; CHECK-LABEL: kernel guarded,
; CHECK: load, global, 4 bytes a lane
; CHECK-NEXT: sectors:
define ptx_kernel void @guarded(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = shl i32 %b, 7
  %n = add i32 %first, %t
  %c = icmp ult i32 %n, 5120
  br i1 %c, label %yes, label %no
yes:
  %q = udiv i32 %n, 97
  %r = urem i32 %n, 101
  %m = mul nuw nsw i32 %q, 1000
  %i = add nuw nsw i32 %m, %r
  %x = zext i32 %i to i64
  %a = getelementptr float, ptr addrspace(1) %p, i64 %x
  %v = load volatile float, ptr addrspace(1) %a
  br label %no
no:
  ret void
}

; What all lanes share is one number that is not known, if its residues are too
; many.
; CHECK-LABEL: kernel coarse,
; CHECK: load, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT: sectors: 4 to 5,
define ptx_kernel void @coarse(ptr addrspace(1) %p, i32 %u, i32 %w) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = urem i32 %u, 101
  %s = urem i32 %w, 103
  %m = mul nuw nsw i32 %s, 3
  %k = add nuw nsw i32 %r, %m
  %i = add nuw nsw i32 %k, %t
  %x = zext i32 %i to i64
  %a = getelementptr float, ptr addrspace(1) %p, i64 %x
  %v = load volatile float, ptr addrspace(1) %a
  ret void
}

; A pointer that moves by what no rule knows, but by the same in all lanes.
; CHECK-LABEL: kernel moved,
; CHECK: load, global, 4 bytes a lane: stride 8 bytes
define ptx_kernel void @moved(ptr addrspace(1) %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = shl nuw nsw i32 %t, 1
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %k = phi i32 [ 1, %entry ], [ %square, %loop ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load volatile float, ptr addrspace(1) %a
  %square = mul i32 %k, %k
  %step = add i32 %square, %n
  %next = add i32 %i, %step
  %more = icmp ult i32 %k, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; One of three values, the same one in all lanes.
; CHECK-LABEL: kernel joined,
; CHECK: load, global, 4 bytes a lane: consecutive, 4 bytes apart, or otherwise
; CHECK-NOT: address
; CHECK: assumed: all lanes of a warp come to %i from one block
define ptx_kernel void @joined(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %n, label %one [ i32 2, label %two
                              i32 3, label %three ]
one:
  br label %join
two:
  %twice = shl nuw nsw i32 %t, 1
  br label %join
three:
  %thrice = mul nuw nsw i32 %t, 3
  br label %join
join:
  %i = phi i32 [ %t, %one ], [ %twice, %two ], [ %thrice, %three ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load volatile float, ptr addrspace(1) %a
  ret void
}

; Lanes leave the loop together where the minimum is %k: the other case is left out.
; CHECK-LABEL: kernel left_together,
; CHECK: load, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK: assumed: all lanes of a warp leave the loop of %i together
define ptx_kernel void @left_together(ptr addrspace(1) %p, i32 %n, i32 %k) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %left = sub nsw i32 %n, %t
  %last = call i32 @llvm.smin.i32(i32 %k, i32 %left)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %last
  br i1 %more, label %loop, label %exit
exit:
  %j = add i32 %i, %t
  %a = getelementptr float, ptr addrspace(1) %p, i32 %j
  %v = load volatile float, ptr addrspace(1) %a
  ret void
}
