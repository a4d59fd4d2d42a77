; Truncating division: the digits of a number of unknown sign add up to it, but
; no term can be pulled out of the division without knowing the sign.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128 --args out:i32:6000
; RUN: %{run} --kernel digits %s %t.ll
; RUN: %{run} --kernel digits_negative %s %t.ll
; RUN: %{run} --kernel exact %s %t.ll
; RUN: %{run} --kernel exact_negative %s %t.ll

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

; s runs from -2560 to 2559 where this is executed.
; CHECK-LABEL: define ptx_kernel void @digits(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: sext i32 %s to i64
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @digits(ptr %out) {
  %x = call i32 @id()
  %s = sub i32 %x, 2560
  %z = sdiv i32 %s, 3000
  %q = sdiv i32 %s, 75
  %y = srem i32 %q, 40
  %w = srem i32 %s, 75
  %z40 = mul nsw i32 %z, 40
  %zy = add nsw i32 %z40, %y
  %zy75 = mul nsw i32 %zy, 75
  %i = add nsw i32 %zy75, %w
  %e = sext i32 %i to i64
  %middle = getelementptr inbounds i32, ptr %out, i64 2560
  %p = getelementptr inbounds i32, ptr %middle, i64 %e
  store i32 %x, ptr %p
  ret void
}

; An arithmetic shift rounds down, srem is the rest of rounding to zero.
; CHECK-LABEL: define ptx_kernel void @digits_negative(
; CHECK-DAG: {{ashr|and}} i32 %s
; CHECK-DAG: {{srem|sdiv}} i32 %s, 8
; CHECK: store
define ptx_kernel void @digits_negative(ptr %out) {
  %x = call i32 @id()
  %s = sub i32 %x, 2560
  %q = ashr i32 %s, 3
  %r = srem i32 %s, 8
  %q8 = shl nsw i32 %q, 3
  %i = add nsw i32 %q8, %r
  %e = sext i32 %i to i64
  %middle = getelementptr inbounds i32, ptr %out, i64 2568
  %p = getelementptr inbounds i32, ptr %middle, i64 %e
  store i32 %x, ptr %p
  ret void
}

; (300*s + 75) / 75 leaves no remainder: 4*s + 1 for every sign.
; CHECK-LABEL: define ptx_kernel void @exact(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @exact(ptr %out) {
  %x = call i32 @id()
  %s = ashr i32 %x, 3
  %m = mul nsw i32 %s, 300
  %a = add nsw i32 %m, 75
  %i = sdiv i32 %a, 75
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %s, ptr %p
  ret void
}

; (4*s + 1) / 4 is s for s >= 0, but s + 1 for a negative s.
; CHECK-LABEL: define ptx_kernel void @exact_negative(
; CHECK: sdiv i32
; CHECK: store
define ptx_kernel void @exact_negative(ptr %out) {
  %x = call i32 @id()
  %s = sub i32 %x, 2560
  %m = shl nsw i32 %s, 2
  %a = add nsw i32 %m, 1
  %i = sdiv i32 %a, 4
  %e = sext i32 %i to i64
  %middle = getelementptr inbounds i32, ptr %out, i64 2560
  %p = getelementptr inbounds i32, ptr %middle, i64 %e
  %once = icmp ne i32 %s, -1
  br i1 %once, label %write, label %done
write:
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}
