; Loads that one condition guards, in one block: they are in flight together, and
; the backend makes a vector of neighbours.

; RUN: %unravel-opt -passes=merged-guards -S < %s > %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: llc -mcpu=sm_90 < %t.ll | FileCheck %s --check-prefix=PTX
; DEFINE: %{run} = %kernel-run --grid 2 --block 32 --args in:f32:512,out:f32:512,i32:20:also=0:also=64
; RUN: %{run} --kernel neighbours %s %t.ll
; RUN: %{run} --kernel addresses %s %t.ll
; RUN: %{run} --kernel chosen %s %t.ll
; RUN: %{run} --kernel promised %s %t.ll
; RUN: %{run} --kernel other_condition_negative %s %t.ll
; RUN: %{run} --kernel opposite_negative %s %t.ll
; RUN: %{run} --kernel store_negative %s %t.ll
; RUN: %{run} --kernel volatile_negative %s %t.ll
; RUN: %{run} --kernel barrier_negative %s %t.ll
; RUN: %{run} --kernel loaded_address_negative %s %t.ll

; A second run finds nothing more to merge; other targets are left alone.
; RUN: %unravel-opt -passes=merged-guards -S < %t.ll > %t2.ll
; RUN: diff %t.ll %t2.ll
; RUN: %unravel-opt -passes=merged-guards -mtriple=x86_64-linux-gnu -S < %s | FileCheck %s --check-prefix=HOST
; HOST-LABEL: @neighbours(
; HOST-COUNT-4: br i1 %c

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define ptx_kernel void @neighbours(
; CHECK-COUNT-1: br i1 %c
; CHECK: a1:
; CHECK-COUNT-4: load float
; CHECK: br label %b1
; CHECK: b1:
; CHECK-COUNT-4: phi float
; CHECK-NOT: br i1
; PTX-LABEL: .entry neighbours(
; PTX: ld.global{{.*}}.v4
; PTX: st.global{{.*}}.v4
define ptx_kernel void @neighbours(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = shl nuw nsw i32 %t, 2
  %p = getelementptr float, ptr addrspace(1) %in, i32 %i
  %q = getelementptr float, ptr addrspace(1) %out, i32 %i
  %c = icmp ult i32 %t, %n
  br i1 %c, label %a1, label %b1
a1:
  %x1 = load float, ptr addrspace(1) %p, align 16
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 1.0, %0 ]
  br i1 %c, label %a2, label %b2
a2:
  %p2 = getelementptr i8, ptr addrspace(1) %p, i32 4
  %x2 = load float, ptr addrspace(1) %p2
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ 2.0, %b1 ]
  br i1 %c, label %a3, label %b3
a3:
  %p3 = getelementptr i8, ptr addrspace(1) %p, i32 8
  %x3 = load float, ptr addrspace(1) %p3
  br label %b3
b3:
  %y3 = phi float [ 3.0, %b2 ], [ %x3, %a3 ]
  br i1 %c, label %a4, label %b4
a4:
  %p4 = getelementptr i8, ptr addrspace(1) %p, i32 12
  %x4 = load float, ptr addrspace(1) %p4
  br label %b4
b4:
  %y4 = phi float [ %x4, %a4 ], [ 4.0, %b3 ]
  store float %y1, ptr addrspace(1) %q, align 16
  %q2 = getelementptr i8, ptr addrspace(1) %q, i32 4
  store float %y2, ptr addrspace(1) %q2
  %q3 = getelementptr i8, ptr addrspace(1) %q, i32 8
  store float %y3, ptr addrspace(1) %q3
  %q4 = getelementptr i8, ptr addrspace(1) %q, i32 12
  store float %y4, ptr addrspace(1) %q4
  ret void
}

; What the address needs moves in front of the test.
; CHECK-LABEL: define ptx_kernel void @addresses(
; CHECK: %j = add i32 %t, 7
; CHECK: %p2 = getelementptr float, ptr addrspace(1) %in, i32 %j
; CHECK: br i1 %c, label %b1, label %a1
; CHECK: a1:
; CHECK-COUNT-2: load float
define ptx_kernel void @addresses(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  %c = icmp uge i32 %t, %n
  br i1 %c, label %b1, label %a1
a1:
  %x1 = load float, ptr addrspace(1) %p
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 1.0, %0 ]
  %j = add i32 %t, 7
  %p2 = getelementptr float, ptr addrspace(1) %in, i32 %j
  %s = fmul float %y1, 2.0
  br i1 %c, label %b2, label %a2
a2:
  %x2 = load float, ptr addrspace(1) %p2
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ 2.0, %b1 ]
  %r = fadd float %s, %y2
  store float %r, ptr addrspace(1) %q
  ret void
}

; What the code between promised holds no longer where the code moves to.
; CHECK-LABEL: define ptx_kernel void @promised(
; CHECK: %j = call range(i32 0, 8) i32 @llvm.umin.i32(i32 %t, i32 7)
; CHECK: br i1 %c, label %b1, label %a1
define ptx_kernel void @promised(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  %c = icmp uge i32 %t, %n
  br i1 %c, label %b1, label %a1
a1:
  %x1 = load float, ptr addrspace(1) %p
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 1.0, %0 ]
  %j = call noundef range(i32 0, 8) i32 @llvm.umin.i32(i32 noundef %t, i32 7)
  %p2 = getelementptr float, ptr addrspace(1) %in, i32 %j
  br i1 %c, label %b2, label %a2
a2:
  %x2 = load float, ptr addrspace(1) %p2
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ 2.0, %b1 ]
  %r = fadd float %y1, %y2
  store float %r, ptr addrspace(1) %q
  ret void
}

; Values that the first guard chooses are those of its path.
; CHECK-LABEL: define ptx_kernel void @chosen(
; CHECK: a1:
; CHECK: %p2 = getelementptr float, ptr addrspace(1) %in, i32 5
; CHECK-NEXT: %x2 = load float
; CHECK: b1:
; CHECK-NEXT: %y2 = phi float [ %x2, %a1 ], [ 9.000000e+00, %0 ]
define ptx_kernel void @chosen(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  %c = icmp ult i32 %t, %n
  br i1 %c, label %a1, label %b1
a1:
  %x1 = load float, ptr addrspace(1) %p
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 9.0, %0 ]
  %k = phi i32 [ 5, %a1 ], [ 6, %0 ]
  br i1 %c, label %a2, label %b2
a2:
  %p2 = getelementptr float, ptr addrspace(1) %in, i32 %k
  %x2 = load float, ptr addrspace(1) %p2
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ %y1, %b1 ]
  %r = fadd float %y1, %y2
  store float %r, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define ptx_kernel void @other_condition_negative(
; CHECK: br i1 %c
; CHECK: br i1 %d
define ptx_kernel void @other_condition_negative(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  %c = icmp ult i32 %t, %n
  %d = icmp ugt i32 %t, 9
  br i1 %c, label %a1, label %b1
a1:
  %x1 = load float, ptr addrspace(1) %p
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 1.0, %0 ]
  br i1 %d, label %a2, label %b2
a2:
  %x2 = load float, ptr addrspace(1) %p
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ 2.0, %b1 ]
  %r = fadd float %y1, %y2
  store float %r, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define ptx_kernel void @opposite_negative(
; CHECK: br i1 %c, label %a1, label %b1
; CHECK: br i1 %c, label %b2, label %a2
define ptx_kernel void @opposite_negative(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  %c = icmp ult i32 %t, %n
  br i1 %c, label %a1, label %b1
a1:
  %x1 = load float, ptr addrspace(1) %p
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 1.0, %0 ]
  br i1 %c, label %b2, label %a2
a2:
  %x2 = load float, ptr addrspace(1) %p
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ 2.0, %b1 ]
  %r = fadd float %y1, %y2
  store float %r, ptr addrspace(1) %q
  ret void
}

; The store between them may be to what is loaded.
; CHECK-LABEL: define ptx_kernel void @store_negative(
; CHECK-COUNT-2: br i1 %c
define ptx_kernel void @store_negative(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  %c = icmp ult i32 %t, %n
  br i1 %c, label %a1, label %b1
a1:
  %x1 = load float, ptr addrspace(1) %p
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 1.0, %0 ]
  store float 5.0, ptr addrspace(1) %q
  br i1 %c, label %a2, label %b2
a2:
  %x2 = load float, ptr addrspace(1) %q
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ 2.0, %b1 ]
  %r = fadd float %y1, %y2
  store float %r, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define ptx_kernel void @volatile_negative(
; CHECK-COUNT-2: br i1 %c
define ptx_kernel void @volatile_negative(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  %c = icmp ult i32 %t, %n
  br i1 %c, label %a1, label %b1
a1:
  %x1 = load float, ptr addrspace(1) %p
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 1.0, %0 ]
  br i1 %c, label %a2, label %b2
a2:
  %x2 = load volatile float, ptr addrspace(1) %p
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ 2.0, %b1 ]
  %r = fadd float %y1, %y2
  store float %r, ptr addrspace(1) %q
  ret void
}

; Behind a barrier, memory may be another thread's.
; CHECK-LABEL: define ptx_kernel void @barrier_negative(
; CHECK-COUNT-2: br i1 %c
define ptx_kernel void @barrier_negative(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  %c = icmp ult i32 %t, %n
  br i1 %c, label %a1, label %b1
a1:
  %x1 = load float, ptr addrspace(1) %p
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 1.0, %0 ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %a2, label %b2
a2:
  %x2 = load float, ptr addrspace(1) %p
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ 2.0, %b1 ]
  %r = fadd float %y1, %y2
  store float %r, ptr addrspace(1) %q
  ret void
}

; The address comes out of memory between them.
; CHECK-LABEL: define ptx_kernel void @loaded_address_negative(
; CHECK-COUNT-2: br i1 %c
define ptx_kernel void @loaded_address_negative(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr float, ptr addrspace(1) %out, i32 %t
  %c = icmp ult i32 %t, %n
  br i1 %c, label %a1, label %b1
a1:
  %x1 = load float, ptr addrspace(1) %p
  br label %b1
b1:
  %y1 = phi float [ %x1, %a1 ], [ 1.0, %0 ]
  %f = load float, ptr addrspace(1) %in
  %k = fptoui float %f to i2
  %z = zext i2 %k to i32
  %p2 = getelementptr float, ptr addrspace(1) %in, i32 %z
  br i1 %c, label %a2, label %b2
a2:
  %x2 = load float, ptr addrspace(1) %p2
  br label %b2
b2:
  %y2 = phi float [ %x2, %a2 ], [ 2.0, %b1 ]
  %r = fadd float %y1, %y2
  store float %r, ptr addrspace(1) %q
  ret void
}
