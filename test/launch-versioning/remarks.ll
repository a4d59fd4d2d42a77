; The body that ordinary launches take speaks for the kernel: what the other one
; is missing, the test has established. Where no body is added, or would gain
; nothing, the facts are asked for.

; RUN: %unravel-opt -passes=launch-versioning -disable-output -pass-remarks-missed=index-simplify %s 2>&1 | FileCheck %s --implicit-check-not=remark:
; RUN: %unravel-opt -passes=launch-versioning,index-simplify -disable-output -pass-remarks-missed=index-simplify %s 2>&1 | FileCheck %s --implicit-check-not='says that W'
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=off -disable-output -pass-remarks-missed=index-simplify %s 2>&1 | FileCheck %s --check-prefix=OFF
; OFF: 1 division stays at 64 bits, because nothing says that 0 <= W <= 2147483647. To state it: UNRAVEL_RANGE(W, 0, 2147483647);
; OFF: 1 division stays signed, because nothing says that w >= 0

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: remark: {{.*}}: divisors are known at run time only: W (1 division).
define ptx_kernel void @versioned_negative(ptr noundef %out, i64 noundef %W) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = zext i32 %t to i64
  %q = udiv i64 %f, %W
  %p = getelementptr inbounds i64, ptr %out, i64 %f
  store i64 %q, ptr %p
  ret void
}

; No test at kernel entry can know the row.
; CHECK: remark: {{.*}}: 1 division stays {{.*}}because nothing says that {{.*}}row{{.*}} To state it: UNRAVEL_
; CHECK: remark: {{.*}}: divisors are known at run time only: {{.*}}W
define ptx_kernel void @versioned_gap(ptr noundef %out, ptr noundef %rows, i64 noundef %W) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = zext i32 %t to i64
  %row = load i32, ptr %rows
  %h = srem i32 %row, 75
  %q = udiv i64 %f, %W
  %e = sext i32 %h to i64
  %v = xor i64 %q, %e
  %p = getelementptr inbounds i64, ptr %out, i64 %f
  store i64 %v, ptr %p
  ret void
}

; CHECK: remark: {{.*}}: 1 division stays signed, because nothing says that w >= 0. To state it: UNRAVEL_ASSUME(w >= 0);
; CHECK: remark: {{.*}}: divisors are known at run time only: w (1 division).
define ptx_kernel void @left_alone(ptr noundef %out, i32 noundef %w) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, %w
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}
