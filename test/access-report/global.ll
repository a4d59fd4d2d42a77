; How lanes lie in global memory, and what a request needs.

; RUN: access-report %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; The ordinary index: it may wrap, but not inside of a warp.
; CHECK-LABEL: kernel copy, blocks of 256 x 1 x 1 threads (assumed; --block says otherwise)
; CHECK-NEXT:   load, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:     sectors: 4, ideal: 4, efficiency: 1.00
; CHECK-NEXT:     address: %in + 4 * %i + 4 * lane
; CHECK-NEXT:     assumed: %in is aligned to 256 bytes, as cudaMalloc does
; CHECK-NEXT:   store, global, 8 bytes a lane: consecutive, 8 bytes apart
; CHECK-NEXT:     sectors: 8, ideal: 8, efficiency: 1.00
define ptx_kernel void @copy(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = shl i32 %b, 8
  %i = add i32 %m, %t
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr addrspace(1) %in, i64 %e
  %v = load float, ptr addrspace(1) %a
  %w = fpext float %v to double
  %c = getelementptr double, ptr addrspace(1) %out, i64 %e
  store double %w, ptr addrspace(1) %c
  ret void
}

; A column of a matrix with rows of n, in a loop along the row.
; CHECK-LABEL: kernel rows,
; CHECK:        load, global, 4 bytes a lane: stride 4 * %n bytes
; CHECK-NEXT:     sectors: 32, ideal: 4, efficiency: 0.12
; CHECK-NEXT:     address: %in + 4 * iteration of loop + 4 * %n * lane
; CHECK:          assumed: lanes that are a multiple of %n apart share no sector and no word
; CHECK-NEXT:     hint: the loop walks along memory and the lanes across it: exchange the loop and the lanes
define ptx_kernel void @rows(ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul nsw i32 %t, %n
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nsw i32 %m, %j
  %e = sext i32 %i to i64
  %a = getelementptr float, ptr addrspace(1) %in, i64 %e
  %v = load volatile float, ptr addrspace(1) %a
  %next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: kernel fields,
; CHECK-NEXT:   load, global, 4 bytes a lane: stride 16 bytes
; CHECK-NEXT:     sectors: 16, ideal: 4, efficiency: 0.25
; CHECK:          hint: array of structures of 16 bytes: give each field an array of its own, or access all fields as vectors
; CHECK-NEXT:   load, global, 4 bytes a lane: stride 16 bytes
; CHECK:          address: %in + 16 * lane + 8
define ptx_kernel void @fields(ptr addrspace(1) %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %a = getelementptr [4 x float], ptr addrspace(1) %in, i64 %e
  %v = load volatile float, ptr addrspace(1) %a
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %w = load volatile float, ptr addrspace(1) %c
  ret void
}

; What is unknown but the same in all lanes: best and worst alignment.
; CHECK-LABEL: kernel shifted,
; CHECK-NEXT:   load, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:     sectors: 4 to 5, ideal: 4, efficiency: 0.80 to 1.00
; CHECK:        load, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:     sectors: 5, ideal: 4, efficiency: 0.80
; CHECK:          hint: the request begins inside of a sector: align where rows begin
; CHECK:        load, global, 4 bytes a lane: permuted within 128 bytes
; CHECK-NEXT:     sectors: 4, ideal: 4, efficiency: 1.00
; CHECK:        load, global, 4 bytes a lane: same address
; CHECK-NEXT:     sectors: 1, ideal: 1, efficiency: 0.12
; CHECK-NOT:      hint
; CHECK:        load, global, 4 bytes a lane: consecutive backwards, 4 bytes apart
; CHECK-NEXT:     sectors: 4, ideal: 4, efficiency: 1.00
define ptx_kernel void @shifted(ptr addrspace(1) %in, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %i = add nsw i64 %e, %n
  %a = getelementptr float, ptr addrspace(1) %in, i64 %i
  %v = load volatile float, ptr addrspace(1) %a
  %j = add nsw i64 %e, 1
  %b = getelementptr float, ptr addrspace(1) %in, i64 %j
  %w = load volatile float, ptr addrspace(1) %b
  %k = xor i64 %e, 5
  %c = getelementptr float, ptr addrspace(1) %in, i64 %k
  %x = load volatile float, ptr addrspace(1) %c
  %d = getelementptr float, ptr addrspace(1) %in, i64 %n
  %y = load volatile float, ptr addrspace(1) %d
  %l = sub nsw i64 1023, %e
  %f = getelementptr float, ptr addrspace(1) %in, i64 %l
  %z = load volatile float, ptr addrspace(1) %f
  ret void
}

; Lanes that a guard holds back are inactive.
; CHECK-LABEL: kernel guarded,
; CHECK-NEXT:   store, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:     sectors: 1, ideal: 1, efficiency: 1.00
; CHECK:        store, global, 4 bytes a lane: one lane
; CHECK-NEXT:     sectors: 1, ideal: 1, efficiency: 0.12
; CHECK:        store, global, 4 bytes a lane: no lane
define ptx_kernel void @guarded(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %a = getelementptr i32, ptr addrspace(1) %out, i64 %e
  %few = icmp ult i32 %t, 8
  br i1 %few, label %first, label %exit
first:
  store i32 1, ptr addrspace(1) %a
  %zero = icmp eq i32 %t, 0
  br i1 %zero, label %one, label %exit
one:
  store i32 2, ptr addrspace(1) %a
  %never = icmp sgt i32 %t, 5
  br i1 %never, label %none, label %exit
none:
  store i32 3, ptr addrspace(1) %a
  br label %exit
exit:
  ret void
}

; Division by what is not known: one row is an assumption.
; CHECK-LABEL: kernel row_of_n,
; CHECK-NEXT:   store, global, 4 bytes a lane: consecutive, 4 bytes apart
; CHECK-NEXT:     sectors: 4 to 5, ideal: 4, efficiency: 0.80 to 1.00
; CHECK:          assumed: %t / %n is the same in all lanes of a warp
define ptx_kernel void @row_of_n(ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = urem i32 %t, %n
  %e = zext i32 %r to i64
  %a = getelementptr i32, ptr addrspace(1) %out, i64 %e
  store i32 1, ptr addrspace(1) %a
  ret void
}

; Some warps cross a multiple of 1000, most do not. None crosses 8000, where the
; next sector begins.
; CHECK-LABEL: kernel crossing,
; CHECK-NEXT:   store, global, 4 bytes a lane: same address or repeated within 8 bytes
; CHECK-NEXT:     sectors: 1, ideal: 1, efficiency: 0.12
; CHECK:          assumed: %i is not negative
define ptx_kernel void @crossing(ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = shl i32 %b, 8
  %i = add i32 %m, %t
  %q = sdiv i32 %i, 1000
  %e = sext i32 %q to i64
  %a = getelementptr i32, ptr addrspace(1) %out, i64 %e
  store i32 1, ptr addrspace(1) %a
  ret void
}
