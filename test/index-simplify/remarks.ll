; What was rewritten, and which fact is missing where a division stays.

; RUN: %unravel-opt -passes=index-simplify -disable-output -pass-remarks=index-simplify -pass-remarks-missed=index-simplify %s 2>&1 | FileCheck %s

; CHECK-DAG: remark: {{.*}}: comparison is always true
; CHECK-DAG: remark: {{.*}}: address simplified to base + 4 * th_x
; CHECK-DAG: remark: {{.*}}: 1 division stays signed, because nothing says that n >= 0. To state it: UNRAVEL_ASSUME(n >= 0);
; CHECK-DAG: remark: {{.*}}: divisors are known at run time only: w (1 division). {{.*}}constexpr

; Nothing to say where nothing is missing.
; RUN: %unravel-opt -passes=index-simplify -disable-output -pass-remarks-missed=index-simplify %s 2>&1 | FileCheck %s --check-prefix=MISSED
; MISSED-COUNT-2: remark
; MISSED-NOT: remark

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @round_trip(ptr noundef %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %inside = icmp ult i32 %i, 1024
  br i1 %inside, label %write, label %done
write:
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

define ptx_kernel void @unknown_sign(ptr noundef %out, i32 noundef %n) {
  %q = sdiv i32 %n, 75
  %e = sext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

define ptx_kernel void @runtime_divisor(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
  %q = udiv i32 %n, %w
  %e = zext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}
