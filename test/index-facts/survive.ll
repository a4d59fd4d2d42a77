; Facts survive -O3 up to index-simplify, and nothing of them reaches PTX.

; RUN: %unravel-opt -passes='default<O3>' -mcpu=sm_90 -print-before=launch-versioning -disable-output %s 2>&1 | FileCheck %s
; RUN: %unravel-opt -passes='default<O3>' -mcpu=sm_90 -index-simplify-at=scalar-optimizer-late -S %s | FileCheck %s --check-prefix=AFTER
; RUN: %unravel-opt -passes='thinlto-pre-link<O3>' -mcpu=sm_90 -S %s | FileCheck %s --check-prefix=AFTER
; RUN: opt -passes='default<O3>' -mcpu=sm_90 -S %s | llc -mcpu=sm_90 -o %t.plain.ptx
; RUN: %unravel-opt -passes='default<O3>' -mcpu=sm_90 -index-simplify-max-rounds=0 -index-simplify-versioning=off -S %s | llc -mcpu=sm_90 -o %t.facts.ptx
; RUN: diff %t.plain.ptx %t.facts.ptx
; AFTER-NOT: {{call.*unravel}}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define internal i32 @divide(i32 noundef %x, i32 noundef %d) {
  %q = sdiv i32 %x, %d
  ret i32 %q
}

; The product and the division that shows its fact meet by inlining; then
; reassociation takes the product apart.
; CHECK-LABEL: define {{.*}}@inlined(
; CHECK: icmp sle i64 %{{.*}}, 2147483647
; CHECK: call void @llvm.assume({{.*}}), !unravel.stated
define ptx_kernel void @inlined(ptr noundef %out, i32 noundef %n, i32 noundef %a, i32 noundef %b, i32 noundef %c) {
entry:
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %g, %m
  %x = add i32 %s, %t
  %in = icmp slt i32 %x, %n
  br i1 %in, label %body, label %done
body:
  %ab = mul nsw i32 %a, %b
  %abc = mul nsw i32 %ab, %c
  %q = call i32 @divide(i32 %x, i32 %abc)
  %r = srem i32 %x, %ab
  %k = add i32 %q, %r
  %e = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; An assumption about what nothing else uses.
; CHECK-LABEL: define {{.*}}@assumed(
; CHECK: mul nsw i64
; CHECK-NEXT: icmp {{s|u}}l
; CHECK-NEXT: call void @llvm.assume({{.*}}), !unravel.stated
define ptx_kernel void @assumed(ptr noundef %out, i32 noundef %a, i32 noundef %b) {
  %a64 = sext i32 %a to i64
  %b64 = sext i32 %b to i64
  %ab = mul nsw i64 %a64, %b64
  %fits = icmp sle i64 %ab, 2147483647
  call void @llvm.assume(i1 %fits)
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %q = sdiv i32 %g, %a
  %r = sdiv i32 %q, %b
  store i32 %r, ptr %out
  ret void
}
