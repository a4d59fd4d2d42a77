; What is left of a constant, or of a residue, when multiples are taken out of a
; division counts modulo the gcd of divisor and coefficients, not modulo the divisor.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:3000,i32:0 --kernel residue %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:1 --kernel residue %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2 --kernel residue %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:3 --kernel residue %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:599 --kernel residue %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:0 --kernel residue_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:1 --kernel residue_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2 --kernel residue_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:3 --kernel residue_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:599 --kernel residue_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:0 --kernel solvable %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:1 --kernel solvable %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:3 --kernel solvable %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:599 --kernel solvable %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:0 --kernel solvable_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:1 --kernel solvable_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2 --kernel solvable_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:4 --kernel solvable_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:7 --kernel solvable_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:10 --kernel solvable_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:598 --kernel solvable_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 4*x + 3 is odd, so the 1 in it never decides about a division by 6:
; (4*x + 3)/6 = (2*x + 1)/3.
; CHECK-LABEL: define ptx_kernel void @residue(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store i32 7, ptr %out
define ptx_kernel void @residue(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 600
  br i1 %in, label %work, label %done
work:
  %x4 = mul i32 %x, 4
  %a = add i32 %x4, 3
  %qa = udiv i32 %a, 6
  %x2 = mul i32 %x, 2
  %b = add i32 %x2, 1
  %qb = udiv i32 %b, 3
  %d = sub i32 %qa, %qb
  %e = zext i32 %d to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; The 2 in it does: for x = 1, 7/6 is 1 and 4/6 is 0.
; CHECK-LABEL: define ptx_kernel void @residue_negative(
; CHECK: {{div|mulhi}}
; CHECK: {{div|mulhi}}
; CHECK: store
define ptx_kernel void @residue_negative(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 600
  br i1 %in, label %work, label %done
work:
  %x4 = mul i32 %x, 4
  %a = add i32 %x4, 3
  %qa = udiv i32 %a, 6
  %qb = udiv i32 %x4, 6
  %d = sub i32 %qa, %qb
  %e = zext i32 %d to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; 6*x = 4 (mod 9) has no solution, since 3 does not divide 4.
; CHECK-LABEL: define ptx_kernel void @solvable(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: br i1 false
define ptx_kernel void @solvable(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 600
  br i1 %in, label %work, label %done
work:
  %x6 = mul i32 %x, 6
  %r = urem i32 %x6, 9
  %c = icmp eq i32 %r, 4
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; 6*x = 6 (mod 9) has one for every x = 1 (mod 3), not only for x = 1.
; CHECK-LABEL: define ptx_kernel void @solvable_negative(
; CHECK: br i1 %
; CHECK: {{^write}}
; CHECK: {{%x, -9|%x, 9|mulhi}}
; CHECK: store
define ptx_kernel void @solvable_negative(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 600
  br i1 %in, label %work, label %done
work:
  %x6 = mul i32 %x, 6
  %r = urem i32 %x6, 9
  %c = icmp eq i32 %r, 6
  br i1 %c, label %write, label %done
write:
  %q = urem i32 %x, 9
  %e = zext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}
