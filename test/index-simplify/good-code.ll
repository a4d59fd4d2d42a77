; What well-written kernels contain is not touched, to the byte.

; RUN: opt -S %s -o %t.before
; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.after
; RUN: diff %t.before %t.after
; RUN: %unravel-opt -passes=index-simplify -pass-remarks=index-simplify -disable-output %s 2>&1 | count 0

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The global thread id: any 32-bit number, for all that the pass knows.
define internal noundef i32 @id() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  ret i32 %i
}

; The identity.
define ptx_kernel void @identity_negative(ptr %in, ptr %out) {
  %x = call i32 @id()
  %e = zext i32 %x to i64
  %p = getelementptr inbounds float, ptr %in, i64 %e
  %o = getelementptr inbounds float, ptr %out, i64 %e
  %v = load float, ptr %p
  store float %v, ptr %o
  ret void
}

; Four elements on one register.
define ptx_kernel void @four_negative(ptr %out) {
  %x = call i32 @id()
  %e = zext i32 %x to i64
  %p0 = getelementptr inbounds [4 x float], ptr %out, i64 %e
  %p1 = getelementptr inbounds nuw i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds nuw i8, ptr %p0, i64 8
  %p3 = getelementptr inbounds nuw i8, ptr %p0, i64 12
  store float 0.0, ptr %p0
  store float 1.0, ptr %p1
  store float 2.0, ptr %p2
  store float 3.0, ptr %p3
  ret void
}

; A tree reduction's stride, a swizzle, a ring buffer: masks that do act.
define ptx_kernel void @masks_negative(ptr %out) {
  %x = call i32 @id()
  %low = and i32 %x, 31
  %high = lshr i32 %x, 5
  %swizzle = xor i32 %low, %high
  %ring = and i32 %swizzle, 127
  %e = zext nneg i32 %ring to i64
  %p = getelementptr inbounds float, ptr %out, i64 %e
  store float 0.0, ptr %p
  ret void
}

; A bounds check of a runtime size, a loop with a runtime stride.
define ptx_kernel void @grid_stride_negative(ptr %out, i32 noundef %n) {
entry:
  %x = call i32 @id()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %any = icmp ult i32 %x, %n
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %e = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr %out, i64 %e
  store float 0.0, ptr %p
  %next = add nuw i32 %i, %b
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
