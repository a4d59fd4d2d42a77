; How a quotient is computed that the source does not have: in which word, lifted
; above zero or not, shifted, or not at all.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1 --args
; RUN: %{run} out:i64:100,i64:1099511627775 --kernel truncating %s %t.ll
; RUN: %{run} out:i64:100,i64:-1099511627775 --kernel truncating %s %t.ll
; RUN: %{run} out:i64:100,i64:1099511627775 --kernel arithmetic %s %t.ll
; RUN: %{run} out:i64:100,i64:-1099511627775 --kernel arithmetic %s %t.ll
; RUN: %{run} out:i64:100,i32:858993458 --kernel large_divisor %s %t.ll
; RUN: %{run} out:i64:100,i32:400000000 --kernel signed_divisor %s %t.ll
; RUN: %{run} out:i64:100,i64:-5 --kernel large_mask %s %t.ll
; RUN: %{run} out:i64:100,i64:-4294967291 --kernel large_mask %s %t.ll
; RUN: %{run} out:i64:100,i32:2000000000 --kernel large_truncating %s %t.ll
; RUN: %{run} out:i64:100,i32:-2147483648 --kernel large_truncating %s %t.ll
; RUN: %{run} out:i64:100,i32:1259999 --kernel nested %s %t.ll
; RUN: %{run} out:i64:100,i32:419999 --kernel nested %s %t.ll
; RUN: %{run} out:i64:100,i32:1259999 --kernel nested_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @truncating(
; CHECK: sdiv i64 %x, 75
; CHECK-NOT: sdiv
; CHECK: store
define ptx_kernel void @truncating(ptr noundef %out, i64 noundef %x) {
  %q = sdiv i64 %x, 5
  %r = sdiv i64 %q, 15
  store i64 %r, ptr %out
  ret void
}

; x/420000 takes a multiplication and a shift, (x/21000)/20 no shift.
; CHECK-LABEL: define ptx_kernel void @nested(
; CHECK: [[Q:%.*]] = udiv i32 %x, 21000
; CHECK: call i32 @llvm.nvvm.mulhi.ui(i32 [[Q]], i32 214748365)
; CHECK: store
define ptx_kernel void @nested(ptr noundef %out, i32 noundef range(i32 0, 1260000) %x) {
  %a = udiv i32 %x, 21000
  %b = udiv i32 %x, 420000
  %b20 = mul nuw nsw i32 %b, 20
  %r = sub nsw i32 %a, %b20
  store i32 %r, ptr %out
  ret void
}

; 21000 does not divide 310000.
; CHECK-LABEL: define ptx_kernel void @nested_negative(
; CHECK-DAG: {{udiv|mulhi}}{{.*}} %x
; CHECK-DAG: {{udiv|mulhi}}{{.*}} %x
; CHECK: store
define ptx_kernel void @nested_negative(ptr noundef %out, i32 noundef range(i32 0, 1260000) %x) {
  %a = udiv i32 %x, 21000
  %b = udiv i32 %x, 310000
  %b20 = mul nuw nsw i32 %b, 20
  %r = sub nsw i32 %a, %b20
  store i32 %r, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @arithmetic(
; CHECK: ashr i64 %x, 5
; CHECK: sdiv i64
; CHECK: store
define ptx_kernel void @arithmetic(ptr noundef %out, i64 noundef %x) {
  %a = ashr i64 %x, 2
  %b = ashr i64 %a, 3
  %r = sdiv i64 %b, 7
  store i64 %r, ptr %out
  ret void
}

; 5*x + 1 is a 32-bit number by its flags, and 5000000001 none.
; CHECK-LABEL: define ptx_kernel void @large_divisor(
; CHECK: store i64 3, ptr %out
define ptx_kernel void @large_divisor(ptr noundef %out, i32 noundef %x) {
  %m = mul nuw i32 %x, 5
  %a = add nuw i32 %m, 1
  %z = zext i32 %a to i64
  %q = udiv i64 %z, 5000000001
  %i = add i64 %q, 3
  store i64 %i, ptr %out
  ret void
}

; Neither is it a signed divisor of 32 bits.
; CHECK-LABEL: define ptx_kernel void @signed_divisor(
; CHECK-NOT: div i32
; CHECK: store
define ptx_kernel void @signed_divisor(ptr noundef %out, i32 noundef %x) {
  %m = mul nsw i32 %x, 5
  %a = add nsw i32 %m, 1
  %s = sext i32 %a to i64
  %q = sdiv i64 %s, 3
  %r = sdiv i64 %q, 1666666667
  store i64 %r, ptr %out
  ret void
}

; A signed word that no divisor of 2^31 and more fits.
; CHECK-LABEL: define ptx_kernel void @large_truncating(
; CHECK: store i64 3, ptr %out
define ptx_kernel void @large_truncating(ptr noundef %out, i32 noundef %x) {
  %m = mul nsw i32 %x, 1
  %s = sext i32 %m to i64
  %q = sdiv i64 %s, 46341
  %r = sdiv i64 %q, 46341
  %t = add i64 %r, 3
  store i64 %t, ptr %out
  ret void
}

; x mod 2^33 is no mask of 32 bits.
; CHECK-LABEL: define ptx_kernel void @large_mask(
; CHECK-NOT: {{udiv|urem}}
; CHECK: {{and i64 %x, 8589934591|shl}}
; CHECK: store
define ptx_kernel void @large_mask(ptr noundef %out, i64 noundef %x) {
  %m = and i64 %x, 8589934591
  %q = udiv i64 %m, 75
  %r = urem i64 %m, 75
  %q75 = mul i64 %q, 75
  %i = add i64 %q75, %r
  store i64 %i, ptr %out
  ret void
}
