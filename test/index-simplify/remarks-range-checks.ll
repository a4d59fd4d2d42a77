; `x <u n` of an x that may be negative asks whether x is in [0, n): remarks name
; both sides, and what may wrap in either.

; RUN: %unravel-opt -passes='index-simplify<no-values>' -disable-output -pass-remarks=index-simplify -pass-remarks-missed=index-simplify %s 2>&1 | FileCheck %s
; RUN: %unravel-opt -passes='index-simplify<no-values>' -disable-output -pass-remarks-analysis=index-simplify %s 2>&1 | FileCheck %s --check-prefix=SEEN
; CHECK: remark: {{.*}}: comparison simplified to x in [0, 1000){{$}}
; SEEN: remark: {{.*}}: comparison is x in [0, 1000); new code costs {{.*}} and replaces the old
; CHECK: remark: {{.*}}: comparison simplified to x not in [0, 1001){{$}}
; SEEN: remark: {{.*}}: comparison is x not in [0, 1001); new code costs {{.*}} and replaces the old
; CHECK: remark: {{.*}}: comparison simplified to x - 1000 compared with 0{{$}}
; SEEN: remark: {{.*}}: comparison is x - 1000; new code costs {{.*}} and replaces the old
; CHECK: remark: {{.*}}: nothing cancels through this product of u(x) floordiv 7 and 300 in the comparison: it may wrap around its 32 bits. Compute it in int, which does not wrap, or in 64 bits. Predicted saving: 1 of 9
; SEEN: remark: {{.*}}: comparison is b + a in [0, u(s) floordiv 2); new code costs {{.*}}, the old is kept

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i1 @inside(i32 noundef %x) {
  %q = sdiv i32 %x, 75
  %r = srem i32 %x, 75
  %q75 = mul nsw i32 %q, 75
  %i = add nsw i32 %q75, %r
  %c = icmp ult i32 %i, 1000
  ret i1 %c
}

define i1 @outside(i32 noundef %x) {
  %q = sdiv i32 %x, 75
  %r = srem i32 %x, 75
  %q75 = mul nsw i32 %q, 75
  %i = add nsw i32 %q75, %r
  %c = icmp ugt i32 %i, 1000
  ret i1 %c
}

; A signed comparison is no range check.
define i1 @signed_negative(i32 noundef %x) {
  %q = sdiv i32 %x, 75
  %r = srem i32 %x, 75
  %q75 = mul nsw i32 %q, 75
  %i = add nsw i32 %q75, %r
  %c = icmp slt i32 %i, 1000
  ret i1 %c
}

define i1 @limit_may_wrap(i32 noundef %a, i32 noundef %b, i32 noundef %x) {
  %i = add nsw i32 %a, %b
  %q = udiv i32 %x, 7
  %s = mul i32 %q, 300
  %l = lshr i32 %s, 1
  %c = icmp ult i32 %i, %l
  ret i1 %c
}
