; index-simplify<verify> compares each rewrite with the code it replaces.
; What it refuses is in test/unit/transforms/simplify/RewriteVerifierTest.cpp.

; RUN: %unravel-opt -passes='index-simplify<verify>' -pass-remarks-analysis=index-simplify -S %s 2>&1 | FileCheck %s
; RUN: %unravel-opt -passes=index-simplify -index-simplify-verify -pass-remarks-analysis=index-simplify -S %s 2>&1 | FileCheck %s
; RUN: %unravel-opt -passes=index-simplify -index-simplify-verify -index-simplify-verify-points=10 -pass-remarks-analysis=index-simplify -disable-output %s 2>&1 | FileCheck %s --check-prefix=POINTS
; RUN: %unravel-opt -passes='index-simplify<no-verify>' -index-simplify-verify -pass-remarks-analysis=index-simplify -S %s 2>&1 | FileCheck %s --check-prefix=OFF
; RUN: not %unravel-opt -passes=index-simplify -index-simplify-verify-points=4000000000 -disable-output %s 2>&1 | FileCheck %s --check-prefix=MANY
; MANY: '4000000000' is not in [0, 1048576]
; RUN: %unravel-opt -passes='index-simplify<verify>' -S %s 2>&1 | FileCheck %s --check-prefix=LENGTH --implicit-check-not=warning

; What was compared is told without a request for remarks.
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SUMMARY
; SUMMARY: index-simplify: round_trip: 1 of 1 rewrites agree with the old code, compared at 256 points

target triple = "nvptx64-nvidia-cuda"

; CHECK: remark: {{.*}}: 1 rewrites compared with the old code at 256 points
; CHECK-NOT: warning
; POINTS: 1 rewrites compared with the old code at 10 points
; OFF-NOT: compared

; CHECK-LABEL: define void @round_trip
; CHECK-NOT: udiv
; OFF-LABEL: define void @round_trip
; OFF-NOT: udiv
define void @round_trip(ptr %in, i32 noundef %x) {
  %c = udiv i32 %x, 75
  %d = urem i32 %x, 75
  %m = mul i32 %c, 75
  %i = add i32 %m, %d
  %e = zext i32 %i to i64
  %p = getelementptr float, ptr %in, i64 %e
  store float 0.0, ptr %p
  ret void
}

; Nothing to rewrite, nothing to say.
; CHECK-LABEL: define void @unchanged_negative
; OFF-LABEL: define void @unchanged_negative
define void @unchanged_negative(ptr %in, i32 noundef %x) {
  %e = zext i32 %x to i64
  %p = getelementptr float, ptr %in, i64 %e
  store float 0.0, ptr %p
  ret void
}

; The points are values that can be: vscale is never 0.
declare i64 @llvm.vscale.i64()
; LENGTH-LABEL: define i1 @vector_length
; LENGTH: ret i1 true
define i1 @vector_length() {
  %v = call i64 @llvm.vscale.i64()
  %a = add nsw nuw i64 %v, 1
  %s = shl nsw nuw i64 %v, 3
  %c = icmp ult i64 %a, %s
  ret i1 %c
}

; If %y is poison, the first store is undefined: the second one may rely on it.
; LENGTH-LABEL: define void @stored_before(
; LENGTH-NOT: udiv
define void @stored_before(ptr %out, i32 noundef %a, i1 noundef %c) {
  %y = add nsw i32 %a, 1
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %v = phi i32 [ %y, %then ], [ 0, %0 ]
  %e = zext i32 %v to i64
  %p = getelementptr i8, ptr %out, i64 %e
  store i8 0, ptr %p
  %frozen = freeze i32 %v
  %q = udiv i32 %frozen, 12
  %r = urem i32 %v, 12
  %m = mul i32 %q, 12
  %s = add i32 %m, %r
  %e2 = zext i32 %s to i64
  %p2 = getelementptr float, ptr %out, i64 %e2
  store float 0.0, ptr %p2
  %r2 = urem i32 %frozen, 12
  %s2 = add i32 %m, %r2
  %e3 = zext i32 %s2 to i64
  %p3 = getelementptr double, ptr %out, i64 %e3
  store double 0.0, ptr %p3
  ret void
}

; A range has no holes, bits do: %lane is below 256, or that and 2^58.
; LENGTH-LABEL: define void @known_bits(
; LENGTH: call i32 @llvm.nvvm.mulhi.ui(i32 %small, i32 1431655766)
define void @known_bits(ptr %out, <2 x i64> noundef %v) {
  %bits = and <2 x i64> %v, splat (i64 288230376151711999)
  %lane = extractelement <2 x i64> %bits, i64 0
  %small = trunc i64 %lane to i32
  %r = urem i32 %small, 3
  %e = zext i32 %r to i64
  %p = getelementptr float, ptr %out, i64 %e
  store float 0.0, ptr %p
  ret void
}

; Where nothing is known of them, the same rewrite would be wrong.
; LENGTH-LABEL: define void @known_bits_negative(
; LENGTH: udiv i32 %small, 3
define void @known_bits_negative(ptr %out, <2 x i64> noundef %v) {
  %lane = extractelement <2 x i64> %v, i64 0
  %small = trunc i64 %lane to i32
  %r = urem i32 %small, 3
  %e = zext i32 %r to i64
  %p = getelementptr float, ptr %out, i64 %e
  store float 0.0, ptr %p
  ret void
}
