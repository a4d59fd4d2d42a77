; What is assumed is not poison: operations of an assumption that do not wrap are
; recorded as such (110 nsw, 119 nuw), and stated so again.

; RUN: %unravel-opt -passes=index-facts -S %s -o %t.ll && FileCheck %s < %t.ll
; A second run finds everything recorded, with and without flags.
; RUN: %unravel-opt -passes='index-facts,index-facts' -S %s | diff %t.ll -
; RUN: sed 's/ nsw//; s/ nuw//' %s | %unravel-opt -passes=index-facts -S | FileCheck %s --check-prefix=PLAIN
; RUN: %unravel-opt -passes='index-facts<state>' -S %t.ll | FileCheck %s --check-prefix=STATE

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @sum(
; CHECK: asm "// unravel.holds 40 110 43 110 119 42 115 $1 122 $2 115 $3 $4"
; CHECK-NOT: asm
; PLAIN-LABEL: define ptx_kernel void @sum(
; PLAIN: asm "// unravel.holds 40 43 42 115 $1 122 $2 115 $3 $4"
; STATE-LABEL: define ptx_kernel void @sum(
; STATE: %[[P:[0-9]+]] = mul nuw nsw i64
; STATE-NEXT: %[[C64:[0-9]+]] = sext i32 %c to i64
; STATE-NEXT: %[[S:[0-9]+]] = add nsw i64 %[[P]], %[[C64]]
; STATE-NEXT: %[[C:.*]] = icmp slt i64 %[[S]], 2147483649
; STATE-NEXT: call void @llvm.assume(i1 %[[C]]), !unravel.stated
define ptx_kernel void @sum(i32 noundef %a, i32 noundef %b, i32 noundef %c) {
  %a64 = sext i32 %a to i64
  %b64 = zext i32 %b to i64
  %c64 = zext nneg i32 %c to i64
  %ab = mul nuw nsw i64 %a64, %b64
  %s = add nsw i64 %ab, %c64
  %fits = icmp slt i64 %s, 2147483649
  call void @llvm.assume(i1 %fits)
  ret void
}

; LLVM drops flags between two runs.
; CHECK-LABEL: define ptx_kernel void @twice(
; CHECK: asm "// unravel.holds 36 119 42 $1 $2 $3"
; CHECK-NOT: asm
; CHECK: ret void
define ptx_kernel void @twice(i32 noundef %a, i32 noundef %b) {
  %ab = mul nuw i32 %a, %b
  %fits = icmp ult i32 %ab, 1000
  call void @llvm.assume(i1 %fits)
  %ba = mul i32 %b, %a
  %same = icmp ult i32 %ba, 1000
  call void @llvm.assume(i1 %same)
  ret void
}

; The extended factors of a product that is known not to wrap are those of any
; other product of them, of the same width.
; STATE-LABEL: define ptx_kernel void @extended(
; STATE: %again1 = mul nsw i64 %b64, %c64
; STATE-NEXT: %again = mul nsw i64 %a64, %again1
; STATE-NEXT: %narrow = mul i32 %b, %c
; STATE-NEXT: %other = mul i64 %b64, %z64
define ptx_kernel void @extended(ptr noundef %out, i64 noundef %x, i32 noundef %a, i32 noundef %b, i32 noundef %c) {
  %a64 = sext i32 %a to i64
  %b64 = sext i32 %b to i64
  %c64 = sext i32 %c to i64
  %bc = mul nsw i64 %b64, %c64
  %abc = mul nsw i64 %bc, %a64
  %q = sdiv i64 %x, %abc
  %z64 = zext i32 %c to i64
  %again1 = mul i64 %b64, %c64
  %again = mul i64 %a64, %again1
  %narrow = mul i32 %b, %c
  %other = mul i64 %b64, %z64
  store i64 %q, ptr %out
  store i64 %other, ptr %out
  store i64 %again, ptr %out
  store i32 %narrow, ptr %out
  ret void
}
