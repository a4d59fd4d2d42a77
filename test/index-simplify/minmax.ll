; Clamped indices: a clamp that cannot act is gone, one that can stays.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 128 --args out:i32:6000
; RUN: %{run} --kernel clamp %s %t.ll
; RUN: %{run} --kernel clamp_negative %s %t.ll
; RUN: %{run} --kernel unsigned_clamp %s %t.ll
; RUN: %{run} --kernel unsigned_clamp_negative %s %t.ll

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

; CHECK-LABEL: define ptx_kernel void @clamp(
; CHECK-NOT: {{smin|smax|select|div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @clamp(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, 12
  %r = srem i32 %t, 12
  %qa = call i32 @llvm.smax.i32(i32 %q, i32 0)
  %qb = call i32 @llvm.smin.i32(i32 %qa, i32 85)
  %ra = call i32 @llvm.smax.i32(i32 %r, i32 0)
  %rb = call i32 @llvm.smin.i32(i32 %ra, i32 11)
  %q12 = mul nsw i32 %qb, 12
  %i = add nsw i32 %q12, %rb
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %t, ptr %p
  ret void
}

; The last quotient is 85 (1023 / 12), so a limit of 84 acts.
; CHECK-LABEL: define ptx_kernel void @clamp_negative(
; CHECK: {{min|max|select}}
; CHECK: store
define ptx_kernel void @clamp_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, 12
  %r = srem i32 %t, 12
  %qb = call i32 @llvm.smin.i32(i32 %q, i32 84)
  %q12 = mul nsw i32 %qb, 12
  %i = add nsw i32 %q12, %r
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %t, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unsigned_clamp(
; CHECK-NOT: {{umin|umax|select|div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @unsigned_clamp(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %rb = call i32 @llvm.umin.i32(i32 %r, i32 74)
  %qb = call i32 @llvm.umin.i32(i32 %q, i32 57266230)
  %q75 = mul i32 %qb, 75
  %i = add i32 %q75, %rb
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; 73 is below the largest remainder.
; CHECK-LABEL: define ptx_kernel void @unsigned_clamp_negative(
; CHECK: {{min|select}}
; CHECK: store
define ptx_kernel void @unsigned_clamp_negative(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %rb = call i32 @llvm.umin.i32(i32 %r, i32 73)
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %rb
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}
