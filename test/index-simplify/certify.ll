; index-simplify<certify> commits only what it can prove equal to the old code.
; What it must not prove is in
; test/unit/transforms/simplify/RewriteCertifierTest.cpp.

; RUN: %unravel-opt -passes='index-simplify<certify>' -pass-remarks-analysis=index-simplify -pass-remarks-missed=index-simplify -S %s 2>%t.remarks | FileCheck %s
; RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
; RUN: %unravel-opt -passes=index-simplify -index-simplify-certify -pass-remarks-analysis=index-simplify -pass-remarks-missed=index-simplify -S %s 2>%t.option | FileCheck %s
; RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.option
; RUN: %unravel-opt -passes='index-simplify<no-certify>' -index-simplify-certify -pass-remarks-analysis=index-simplify -pass-remarks-missed=index-simplify -S %s 2>%t.off | FileCheck %s --check-prefix=OFF
; RUN: FileCheck %s --check-prefix=QUIET --input-file=%t.off --implicit-check-not=proved --implicit-check-not='want of a proof'
; RUN: %unravel-opt -passes=index-simplify -S %s 2>&1 | FileCheck %s --check-prefix=OFF
; RUN: %unravel-opt -passes='index-simplify<certify;verify>' -pass-remarks-analysis=index-simplify -S %s 2>&1 | FileCheck %s --check-prefix=BOTH --implicit-check-not=warning

target triple = "nvptx64-nvidia-cuda"

; QUIET: remark:
; BOTH: 1 of 1 rewrites proved

; Quotient and remainder are put together again.
; CHECK-LABEL: define void @round_trip(
; CHECK-NOT: udiv
; CHECK: ret void
; OFF-LABEL: define void @round_trip(
; OFF-NOT: udiv
; OFF: ret void
; REMARK: 1 of 1 rewrites proved, in 1 cases with {{[0-9]+}} certificates of {{[0-9]+}} nodes
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

; The same, behind a cycle with two entries: of its values nothing is known, and
; of this function nothing is proved.
; CHECK-LABEL: define void @round_trip_behind_strange_cycle_negative(
; CHECK: udiv i32 %x, 75
; CHECK: ret void
; OFF-LABEL: define void @round_trip_behind_strange_cycle_negative(
; OFF-NOT: udiv
; OFF: ret void
; REMARK: not rewritten, for want of a proof: a cycle that is no natural loop
; REMARK: 0 of 1 rewrites proved
define void @round_trip_behind_strange_cycle_negative(ptr %in, i32 noundef %x,
                                                      i1 noundef %b) {
entry:
  br i1 %b, label %left, label %right
left:
  %again = call i1 @again()
  br i1 %again, label %right, label %done
right:
  br label %left
done:
  %c = udiv i32 %x, 75
  %d = urem i32 %x, 75
  %m = mul i32 %c, 75
  %i = add i32 %m, %d
  %e = zext i32 %i to i64
  %p = getelementptr float, ptr %in, i64 %e
  store float 0.0, ptr %p
  ret void
}
declare i1 @again()

; A guard decides a comparison.
; CHECK-LABEL: define i1 @guarded(
; CHECK: ret i1 true
; OFF-LABEL: define i1 @guarded(
; OFF: ret i1 true
; REMARK: 1 of 1 rewrites proved
define i1 @guarded(i32 noundef %x) {
  %small = icmp ult i32 %x, 750
  call void @llvm.assume(i1 %small)
  %c = udiv i32 %x, 75
  %old = icmp ult i32 %c, 10
  ret i1 %old
}

; Nothing to rewrite, nothing to prove.
; CHECK-LABEL: define void @unchanged_negative(
; REMARK-NOT: rewrites proved
define void @unchanged_negative(ptr %in, i32 noundef %x) {
  %e = zext i32 %x to i64
  %p = getelementptr float, ptr %in, i64 %e
  store float 0.0, ptr %p
  ret void
}
