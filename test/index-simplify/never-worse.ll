; Code that is as short as it gets stays as it is, to the letter.

; RUN: opt -S %s -o %t.before.ll
; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.after.ll
; RUN: diff %t.before.ll %t.after.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @copy(ptr noundef %in, ptr noundef %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %in, i64 %e
  %v = load float, ptr %p
  %o = getelementptr inbounds float, ptr %out, i64 %e
  store float %v, ptr %o
  ret void
}

; A quotient that is needed, of a dividend that nothing bounds.
define ptx_kernel void @quotient(ptr noundef %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  store i32 %q, ptr %out
  ret void
}

; The exit test of a loop belongs to loop strength reduction.
define ptx_kernel void @loop(ptr noundef %out) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr inbounds i8, ptr %out, i64 %i
  store i8 1, ptr %p
  %next = add nuw nsw i64 %i, 16
  %last = icmp eq i64 %next, 240
  br i1 %last, label %done, label %body
done:
  ret void
}

; Even where the index in front of it would do.
define ptx_kernel void @scaled_exit(ptr noundef %out) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %out, i32 %j
  store i32 7, ptr %p
  %next = add nuw nsw i32 %j, 1
  %scaled = mul nuw nsw i32 %next, 12
  %more = icmp ult i32 %scaled, 1200
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The remainder and the sum with the quotient are shared by both addresses: written
; apart, each address costs more. The range of ctaid makes the quotient cheap.
define ptx_kernel void @shared_remainder(ptr %out, ptr %in) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %a = mul nuw nsw i32 %z, 9408
  %q = udiv i32 %x, 7
  %q7 = mul i32 %q, 7
  %r = sub i32 %x, %q7
  %aq = add nuw nsw i32 %a, %q
  %y1 = mul nuw nsw i32 %y, 168
  %s1 = add nuw nsw i32 %aq, %y1
  %r1 = mul nuw nsw i32 %r, 1344
  %i1 = add nuw nsw i32 %s1, %r1
  %e1 = zext nneg i32 %i1 to i64
  %p1 = getelementptr inbounds nuw float, ptr %in, i64 %e1
  %v = load float, ptr %p1
  %y2 = mul nuw nsw i32 %y, 1176
  %r2 = mul nuw nsw i32 %r, 168
  %s2 = add nuw nsw i32 %aq, %y2
  %i2 = add nuw nsw i32 %s2, %r2
  %e2 = zext nneg i32 %i2 to i64
  %p2 = getelementptr inbounds nuw float, ptr %out, i64 %e2
  store float %v, ptr %p2
  ret void
}
