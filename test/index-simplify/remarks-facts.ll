; Which fact is missing: one remark for each, however many divisions miss it,
; with the line that states it.

; RUN: %unravel-opt -passes=index-simplify -disable-output -pass-remarks-missed=index-simplify %s 2>&1 | FileCheck %s --implicit-check-not=remark:
; RUN: %unravel-opt -passes=index-simplify -pass-remarks-output=%t.yaml -disable-output %s && FileCheck %s --check-prefix=YAML < %t.yaml
; RUN: %unravel-opt -passes=index-simplify -disable-output %s 2>&1 | count 0

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; A quotient and its remainder are one division.
; The set comes first, with lines, a file and options that state all of it; then
; its facts, what saves most first. For an unsigned division w >= 0 is enough.
; CHECK: remark: {{.*}}: 3 facts together save 13 of 58 SASS instructions of a thread, those in loops counted by depth (predicted), and none of them can be left out. To state them: UNRAVEL_ASSUME(w >= 0); UNRAVEL_NO_WRAP_GRID(); UNRAVEL_ASSUME(h >= 0); or in a facts file {"kernels": {"signed_sizes": {"args": {"2": {"min": 0}, "1": {"min": 0}}}}} and -Xarch_device -mllvm=-index-simplify-promise-index-fits
; CHECK: remark: {{.*}}: 2 divisions stay signed, because nothing says that w >= 0. To state it: UNRAVEL_ASSUME(w >= 0); or in a facts file {"kernels": {"signed_sizes": {"args": {"2": {"min": 0}}}}}. Predicted saving, with the other facts stated: 12 of 58 SASS instructions
; CHECK: remark: {{.*}}: 2 divisions stay signed, because nothing says that gridDim.x * blockDim.x <= 2147483648. To state it: UNRAVEL_NO_WRAP_GRID(); or -Xarch_device -mllvm=-index-simplify-promise-index-fits. Predicted saving, with the other facts stated: 12 of 58
; CHECK: remark: {{.*}}: 1 division stays signed, because nothing says that h >= 0. To state it: UNRAVEL_ASSUME(h >= 0); {{.*}} stated: 7 of 58
; CHECK: remark: {{.*}}: divisors are known at run time only: w (1 division), hw (1 division).
; YAML: Name: {{.*}}StateFacts
; YAML: Function: {{.*}}signed_sizes
; YAML: - Facts: {{.*}}3
; YAML: - Saving: {{.*}}13
; YAML: - Cost: {{.*}}58
; YAML: - Lines: {{.*}}UNRAVEL_ASSUME(w >= 0); UNRAVEL_NO_WRAP_GRID(); UNRAVEL_ASSUME(h >= 0);
; YAML: Name: {{.*}}MissingFact
; YAML: Function: {{.*}}signed_sizes
; YAML: - Divisions: {{.*}}2 divisions
; YAML: - State: {{.*}}signed
; YAML: - Fact: {{.*}}w >= 0
; YAML: - Line: {{.*}}UNRAVEL_ASSUME(w >= 0);
; YAML: - Saving: {{.*}}12
; YAML: - Cost: {{.*}}58
define ptx_kernel void @signed_sizes(ptr noundef %out, i32 noundef %h, i32 noundef %w) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %bs
  %i = add i32 %s, %t
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %hw = mul nsw i32 %w, %h
  %c = sdiv i32 %i, %hw
  %v = xor i32 %q, %r
  %u = xor i32 %v, %c
  store i32 %u, ptr %out
  ret void
}

; CHECK: remark: {{.*}}: 1 division stays at 64 bits, because nothing says that 0 <= n <= 2147483647. To state it: UNRAVEL_RANGE(n, 0, 2147483647); or in a facts file {"kernels": {"wide": {"args": {"1": {"min": 0, "max": 2147483647}}}}}. Predicted saving: 59 of 80
; CHECK: remark: {{.*}}: divisors are known at run time only: n (1 division).
define ptx_kernel void @wide(ptr noundef %out, i64 noundef %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %q = udiv i64 %i, %n
  store i64 %q, ptr %out
  ret void
}

; What one thread loads is no fact about the launch.
; CHECK: remark: {{.*}}: 2 divisions stay signed, because nothing says that row >= 0. To state it: UNRAVEL_ASSUME(row >= 0);
define ptx_kernel void @loaded(ptr noundef %out, ptr noundef %rows) {
  %row = load i32, ptr %rows
  %q = sdiv i32 %row, 75
  %r = srem i32 %row, 7
  %v = xor i32 %q, %r
  store i32 %v, ptr %out
  ret void
}

; The field of a struct, and an argument, that have no names. An option is all
; that can state a fact about the field, so it stays as strong as the option.
; CHECK: remark: {{.*}}: 2 facts together save 6 of 26 {{.*}} To state them: in a facts file {"kernels": {"unnamed": {"args": {"2": {"min": 0}}}}} and -Xarch_device -mllvm=-index-simplify-promise-positive-sizes
; CHECK: remark: {{.*}}: 1 division stays signed, because nothing says that argument 1[byte 4] > 0. To state it: -Xarch_device -mllvm=-index-simplify-promise-positive-sizes. With -g -Xclang -debug-info-kind=limited, and -S, this remark says its name. Predicted saving, with the other facts stated: 6 of 26
; CHECK: remark: {{.*}}: 1 division stays signed, because nothing says that argument 2 >= 0. To state it: in a facts file {"kernels": {"unnamed": {"args": {"2": {"min": 0}}}}}. With -g -Xclang -debug-info-kind=limited, and -S, this remark says its name. Predicted saving, with the other facts stated: 6 of 26
; CHECK: remark: {{.*}}: divisors are known at run time only: argument 1[byte 4] (1 division).
define ptx_kernel void @unnamed(ptr noundef %0, ptr noundef readonly byval({i32, i32}) align 4 %1, i32 noundef %2) {
  %4 = getelementptr inbounds i8, ptr %1, i64 4
  %5 = load i32, ptr %4
  %6 = sdiv i32 %2, %5
  store i32 %6, ptr %0
  ret void
}

; Nothing is missing where guards, types and assumptions say it, nor where no
; division is left; unsigned divisors are worth knowing all the same.
define ptx_kernel void @guarded_negative(ptr noundef %out, i32 noundef %n) {
  %in = icmp sge i32 %n, 0
  br i1 %in, label %body, label %done
body:
  %q = sdiv i32 %n, 75
  store i32 %q, ptr %out
  br label %done
done:
  ret void
}
; CHECK: remark: {{.*}}: divisors are known at run time only: w (1 division).
define ptx_kernel void @stated_negative(ptr noundef %out, i32 noundef %w) {
  %positive = icmp sgt i32 %w, 0
  call void @llvm.assume(i1 %positive)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, %w
  store i32 %q, ptr %out
  ret void
}
; Nor is a fact asked for that is known to be wrong: with it, all code would go.
; CHECK: remark: {{.*}}: divisors are known at run time only: {{[a-z]+}} (1 division).
define ptx_kernel void @below_zero_negative(ptr noundef %out, i32 noundef %w) {
  %below = icmp slt i32 %w, 0
  call void @llvm.assume(i1 %below)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, %w
  store i32 %q, ptr %out
  ret void
}
; Two rounds, each of which would find something to say.
define ptx_kernel void @gone_negative(ptr noundef %out, i32 noundef %x) {
  %q = sdiv i32 %x, 75
  %m = mul nsw i32 %q, 75
  %r = srem i32 %x, 75
  %i = add nsw i32 %m, %r
  %same = icmp eq i32 %i, %x
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br i1 %same, label %done, label %never
never:
  store i32 8, ptr %out
  br label %done
done:
  ret void
}
declare void @llvm.assume(i1)
