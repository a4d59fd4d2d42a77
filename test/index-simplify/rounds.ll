; Each round looks at the code that the one before left, with facts of its own.

; RUN: %unravel-opt -passes=index-simplify -debug-pass-manager -disable-output %s 2>&1 | FileCheck %s
; CHECK: Running analysis: LazyValueAnalysis on changed
; CHECK: Invalidating analysis: LazyValueAnalysis on changed
; CHECK: Running analysis: LazyValueAnalysis on changed
; CHECK-NOT: Running analysis: LazyValueAnalysis on changed

; Where nothing changes there is one.
; CHECK: Running analysis: LazyValueAnalysis on unchanged_negative
; CHECK-NOT: Running analysis: LazyValueAnalysis on unchanged_negative

target triple = "nvptx64-nvidia-cuda"

define void @changed(ptr %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

define void @unchanged_negative(ptr %out, i32 noundef %x) {
  %e = zext i32 %x to i64
  %o = shl nuw nsw i64 %e, 2
  %p = getelementptr i8, ptr %out, i64 %o
  store i32 1, ptr %p
  ret void
}
