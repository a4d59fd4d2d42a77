; A request of fewer lanes moves as many sectors for fewer bytes: of 32 lanes 11
; are a multiple of 3, or 10. The efficiency is that of all requests, though no
; other order of the data would need less than one sector.
; RUN: access-report %s | FileCheck %s
; RUN: access-report %s --json | FileCheck %s --check-prefix=JSON

; CHECK:      kernel thirds
; CHECK-NEXT:   store, global, 1 byte a lane: consecutive, 1 byte apart
; CHECK-NEXT:     sectors: 1, ideal: 1, efficiency: 0.31 to 0.34
; JSON:      "efficiency": [
; JSON-NEXT:   0.3125,
; JSON-NEXT:   0.3438
; JSON-NEXT: ]

; Copies of an unrolled loop walk along memory together.
; CHECK:      kernel unrolled
; CHECK-NEXT:   load, global, 4 bytes a lane: stride 4000 bytes
; CHECK:          vector: 16 bytes with the accesses beside it
; CHECK-NEXT:     hint: the loop walks along memory and the lanes across it: exchange the loop and the lanes

; Those of other rows do not.
; CHECK:      kernel unrolled_negative
; CHECK-NEXT:   load, global, 4 bytes a lane: stride 4000 bytes
; CHECK:          hint: neighbouring lanes are a row apart: exchange the indices

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @thirds(ptr addrspace(1) align 256 %out) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = urem i32 %t, 3
  %c = icmp eq i32 %r, 0
  br i1 %c, label %then, label %done
then:
  %w = zext nneg i32 %t to i64
  %p = getelementptr i8, ptr addrspace(1) %out, i64 %w
  store i8 1, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

define ptx_kernel void @unrolled(ptr addrspace(1) align 256 %in, ptr addrspace(1) align 256 %out) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nuw nsw i32 %t, 1000
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %s3, %loop ]
  %i = add nuw nsw i32 %row, %j
  %w = zext nneg i32 %i to i64
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 %w
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 4
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 12
  %v0 = load float, ptr addrspace(1) %p0, align 16
  %v1 = load float, ptr addrspace(1) %p1, align 4
  %v2 = load float, ptr addrspace(1) %p2, align 8
  %v3 = load float, ptr addrspace(1) %p3, align 4
  %s0 = fadd float %sum, %v0
  %s1 = fadd float %s0, %v1
  %s2 = fadd float %s1, %v2
  %s3 = fadd float %s2, %v3
  %next = add nuw nsw i32 %j, 4
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %done
done:
  %tw = zext nneg i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %out, i64 %tw
  store float %s3, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @unrolled_negative(ptr addrspace(1) align 256 %in, ptr addrspace(1) align 256 %out) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nuw nsw i32 %t, 1000
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %s, %loop ]
  %i = add nuw nsw i32 %row, %j
  %w = zext nneg i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %w
  %v = load float, ptr addrspace(1) %p
  %s = fadd float %sum, %v
  %next = add nuw nsw i32 %j, 4
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %done
done:
  %tw = zext nneg i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %out, i64 %tw
  store float %s, ptr addrspace(1) %q
  ret void
}
attributes #0 = { "nvvm.reqntid"="128" }
