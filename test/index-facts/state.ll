; Markers become assumptions for index-simplify, operations get their flags back,
; and then all of it is removed.

; RUN: %unravel-opt -passes='index-facts<state>' -S %s | FileCheck %s
; RUN: %unravel-opt -passes='index-facts<state>,index-facts<forget>' -S %s | FileCheck %s --check-prefix=FORGET
; FORGET-NOT: call {{.*}}assume
; FORGET-NOT: sext
; FORGET-NOT: call {{.*}}with.overflow

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@unravel.facts = private addrspace(1) constant i8 0, section "llvm.metadata"

; CHECK-LABEL: define ptx_kernel void @words(
; The product in front of the fact keeps its doubt.
; CHECK: %early = mul i32 %b, %a
; CHECK: %[[A:.*]] = sext i32 %a to i64
; CHECK: %[[B:.*]] = sext i32 %b to i64
; CHECK: %[[AB:.*]] = mul nsw i64 %[[A]], %[[B]]
; CHECK: %[[HI:.*]] = icmp sle i64 %[[AB]], 2147483647
; CHECK: call void @llvm.assume(i1 %[[HI]]), !unravel.stated
; CHECK: %[[LO:.*]] = icmp sge i64 %[[AB]], -2147483648
; CHECK: call void @llvm.assume(i1 %[[LO]]), !unravel.stated
; CHECK: mul nsw i64 %[[AB]],
; CHECK: %ab = mul nsw i32 %b, %a
; CHECK: %abc = mul nsw i32 %ab, %c
; CHECK: %other = mul i32 %a, %c
define ptx_kernel void @words(ptr noundef %out, i32 noundef %x, i32 noundef %a, i32 noundef %b, i32 noundef %c) {
  %early = mul i32 %b, %a
  store i32 %early, ptr %out
  %h = call ptr addrspace(1) asm "// unravel.exact.signed 42 42 $1 $2 $3", "=l,r,r,r"(i32 %a, i32 %b, i32 %c) nounwind willreturn memory(none)
  %t = icmp ne ptr addrspace(1) %h, @unravel.facts
  call void @llvm.assume(i1 %t)
  %ab = mul i32 %b, %a
  %abc = mul i32 %ab, %c
  %other = mul i32 %a, %c
  %q = sdiv i32 %x, %abc
  store i32 %q, ptr %out
  store i32 %other, ptr %out
  ret void
}

; Repeated behind itself it is stated once, in the other arm again.
; CHECK-LABEL: define ptx_kernel void @repeated(
; CHECK-COUNT-4: call void @llvm.assume({{.*}}), !unravel.stated
; CHECK-NOT: call void @llvm.assume
; CHECK: ret void
define ptx_kernel void @repeated(i1 noundef %g, i32 noundef %a, i32 noundef %b) {
  br i1 %g, label %then, label %else
then:
  %h = call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "=l,r,r"(i32 %a, i32 %b) nounwind willreturn memory(none)
  %t = icmp ne ptr addrspace(1) %h, @unravel.facts
  call void @llvm.assume(i1 %t)
  %h2 = call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "=l,r,r"(i32 %b, i32 %a) nounwind willreturn memory(none)
  %t2 = icmp ne ptr addrspace(1) %h2, @unravel.facts
  call void @llvm.assume(i1 %t2)
  br label %done
else:
  %h3 = call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "=l,r,r"(i32 %b, i32 %a) nounwind willreturn memory(none)
  %t3 = icmp ne ptr addrspace(1) %h3, @unravel.facts
  call void @llvm.assume(i1 %t3)
  br label %done
done:
  ret void
}

; As Reassociate groups it: all of a * (c * b) fits, but c * b alone need not,
; unless it is known to.
; CHECK-LABEL: define ptx_kernel void @regrouped(
; CHECK: %cb = mul i32 %c, %b
; CHECK: %acb = mul i32 %a, %cb
; CHECK: %ca = mul nsw i32 %c, %a
; CHECK: %bca = mul nsw i32 %b, %ca
; CHECK: %bcab = mul i32 %bca, %b
define ptx_kernel void @regrouped(ptr noundef %out, i32 noundef %x, i32 noundef %a, i32 noundef %b, i32 noundef %c) {
  %h = call ptr addrspace(1) asm "// unravel.exact.signed 42 42 $1 $2 $3", "=l,r,r,r"(i32 %a, i32 %b, i32 %c) nounwind willreturn memory(none)
  %t = icmp ne ptr addrspace(1) %h, @unravel.facts
  call void @llvm.assume(i1 %t)
  %h2 = call ptr addrspace(1) asm "// unravel.exact.signed 43 $1 42 $2 $3", "=l,r,r,r"(i32 %x, i32 %a, i32 %c) nounwind willreturn memory(none)
  %t2 = icmp ne ptr addrspace(1) %h2, @unravel.facts
  call void @llvm.assume(i1 %t2)
  %cb = mul i32 %c, %b
  %acb = mul i32 %a, %cb
  %ca = mul i32 %c, %a
  %bca = mul i32 %b, %ca
  %bcab = mul i32 %bca, %b
  store i32 %acb, ptr %out
  store i32 %bcab, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @wide(
; CHECK: %[[P:.*]] = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
; CHECK: %[[O:.*]] = extractvalue { i64, i1 } %[[P]], 1
; CHECK: %[[N:.*]] = xor i1 %[[O]], true
; CHECK: call void @llvm.assume(i1 %[[N]]), !unravel.stated
; CHECK: %ab = mul nsw i64 %a, %b
define ptx_kernel void @wide(ptr noundef %out, i64 noundef %x, i64 noundef %a, i64 noundef %b) {
  %h = call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "=l,l,l"(i64 %a, i64 %b) nounwind willreturn memory(none)
  %t = icmp ne ptr addrspace(1) %h, @unravel.facts
  call void @llvm.assume(i1 %t)
  %ab = mul i64 %a, %b
  %q = sdiv i64 %x, %ab
  store i64 %q, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unsigned(
; CHECK: %[[P:.*]] = mul nuw i64
; CHECK: %[[C:.*]] = icmp ule i64 %[[P]], 4294967295
; CHECK: call void @llvm.assume(i1 %[[C]])
; CHECK: %[[D:.*]] = icmp uge i64
; CHECK: call void @llvm.assume(i1 %[[D]])
; CHECK: sub nuw i64
define ptx_kernel void @unsigned(ptr noundef %out, i32 noundef %a, i32 noundef %b, i32 noundef %c) {
  %h = call ptr addrspace(1) asm "// unravel.exact.unsigned 45 42 $1 $2 $3", "=l,r,r,r"(i32 %a, i32 %b, i32 %c) nounwind willreturn memory(none)
  %t = icmp ne ptr addrspace(1) %h, @unravel.facts
  call void @llvm.assume(i1 %t)
  ret void
}

; sgt (38) (a * sext b) 7, and one by hand with the operands exchanged.
; CHECK-LABEL: define ptx_kernel void @holds(
; CHECK: %[[S:.*]] = sext i32 %b to i64
; CHECK: %[[M:.*]] = mul i64 %a, %[[S]]
; CHECK: %[[C:.*]] = icmp sgt i64 %[[M]], 7
; CHECK: call void @llvm.assume(i1 %[[C]])
define ptx_kernel void @holds(ptr noundef %out, i64 noundef %a, i32 noundef %b) {
  %h = call ptr addrspace(1) asm "// unravel.holds 38 42 $1 115 $2 $3", "=l,l,r,l"(i64 %a, i32 %b, i64 7) nounwind willreturn memory(none)
  %t = icmp ne ptr addrspace(1) @unravel.facts, %h
  call void @llvm.assume(i1 %t)
  ret void
}
