; div-rem-pairs writes x % c as x - (x/c)*c, and freezes x where it has to.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128
; RUN: %{run} --args out:i32:6000 --kernel decomposed %s %t.ll
; RUN: %{run} --args out:i32:6000 --kernel decomposed_negative %s %t.ll
; RUN: %{run} --args out:i32:6000 --kernel signed %s %t.ll
; RUN: %{run} --args out:i32:6000 --kernel signed_negative %s %t.ll
; RUN: %{run} --args out:i32:6000 --kernel frozen %s %t.ll
; RUN: %{run} --args out:i32:6000,i32:5432 --kernel frozen_negative %s %t.ll

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

; CHECK-LABEL: define ptx_kernel void @decomposed(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @decomposed(ptr %out) {
  %x = call i32 @id()
  %z = udiv i32 %x, 3000
  %q = udiv i32 %x, 75
  %q75 = mul i32 %q, 75
  %w = sub i32 %x, %q75
  %z40 = mul i32 %z, 40
  %y = sub i32 %q, %z40
  %z3000 = mul i32 %z, 3000
  %y75 = mul i32 %y, 75
  %high = add i32 %z3000, %y75
  %i = add i32 %high, %w
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; Multiplied by another number than it was divided by: no remainder, and behind
; the guard alone not negative.
; CHECK-LABEL: define ptx_kernel void @decomposed_negative(
; CHECK: udiv i32 %x, 75
; CHECK: sext
; CHECK: store
define ptx_kernel void @decomposed_negative(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %q76 = mul i32 %q, 76
  %w = sub i32 %x, %q76
  %inside = icmp ult i32 %w, 75
  br i1 %inside, label %write, label %done
write:
  %e = zext i32 %w to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @signed(
; CHECK-NOT: {{div|rem|mulhi| add }}
; CHECK: sext i32 %s to i64
; CHECK-NOT: {{div|rem|mulhi| add }}
; CHECK: store
define ptx_kernel void @signed(ptr %out) {
  %x = call i32 @id()
  %s = sub i32 %x, 2560
  %q = sdiv i32 %s, 75
  %q75 = mul nsw i32 %q, 75
  %w = sub nsw i32 %s, %q75
  %row = sext i32 %q to i64
  %col = sext i32 %w to i64
  %middle = getelementptr inbounds i32, ptr %out, i64 2560
  %p1 = getelementptr inbounds [75 x i32], ptr %middle, i64 %row
  %p = getelementptr inbounds i32, ptr %p1, i64 %col
  store i32 %x, ptr %p
  ret void
}

; With an unsigned quotient s - 75*(s/75) is not the remainder of the signed s.
; CHECK-LABEL: define ptx_kernel void @signed_negative(
; CHECK-DAG: udiv i32 %s, 75
; CHECK-DAG: {{sdiv|srem}} i32 %s, 75
; CHECK: store
define ptx_kernel void @signed_negative(ptr %out) {
  %x = call i32 @id()
  %s = sub i32 %x, 2560
  %q = udiv i32 %s, 75
  %q75 = mul nuw i32 %q, 75
  %w = sub nuw i32 %s, %q75
  %v = srem i32 %s, 75
  %a = zext i32 %w to i64
  %b = sext i32 %v to i64
  %middle = getelementptr inbounds i32, ptr %out, i64 75
  %p1 = getelementptr inbounds [76 x i32], ptr %middle, i64 %a
  %p = getelementptr inbounds i32, ptr %p1, i64 %b
  store i32 1, ptr %p
  ret void
}

; A freeze of what is neither undef nor poison is that value.
; CHECK-LABEL: define ptx_kernel void @frozen(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @frozen(ptr %out) {
  %x = call i32 @id()
  %x.fr = freeze i32 %x
  %q = udiv i32 %x.fr, 75
  %q75 = mul i32 %q, 75
  %w = sub i32 %x.fr, %q75
  %z = udiv i32 %x, 75
  %z75 = mul i32 %z, 75
  %i = add i32 %z75, %w
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; The argument may be undef, so each use of it may see another value: the
; address has to be made from the frozen one.
; CHECK-LABEL: define ptx_kernel void @frozen_negative(
; CHECK: [[F:%.*]] = freeze i32 %a
; CHECK-NOT: {{.*}}= {{[a-z]+.* i32 %a\b}}
; CHECK: store
define ptx_kernel void @frozen_negative(ptr %out, i32 %a) {
  %a.fr = freeze i32 %a
  %q = udiv i32 %a.fr, 75
  %q75 = mul i32 %q, 75
  %w = sub i32 %a.fr, %q75
  %i = add i32 %q75, %w
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}
