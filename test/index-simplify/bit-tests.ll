; Tests of bits of one index become one test.
; RUN: %unravel-opt -passes=index-simplify -S %s | FileCheck %s
; RUN: %unravel-opt -passes=index-simplify,index-simplify -S %s | FileCheck %s
; RUN: %unravel-opt -passes=index-simplify -debug-counter=index-simplify-bit-tests=0 -S %s | FileCheck %s --check-prefix=COUNTER

target triple = "nvptx64-nvidia-cuda"

; padding of rows and columns by powers of two: row - 1 is 0, 2, 4, or 6, and the
; column is in [4, 8).
; CHECK-LABEL: @row_and_column(
; CHECK-NEXT: [[M:%.*]] = and i32 %i, -100
; CHECK-NEXT: [[C:%.*]] = icmp eq i32 [[M]], 20
; CHECK-NEXT: ret i1 [[C]]
; COUNTER-LABEL: @row_and_column(
; COUNTER: and i1
define i1 @row_and_column(i32 %i) {
  %row = lshr i32 %i, 4
  %r = add nsw i32 %row, -1
  %rm = and i32 %r, -7
  %rc = icmp eq i32 %rm, 0
  %cm = and i32 %i, 12
  %cc = icmp eq i32 %cm, 4
  %c = and i1 %cc, %rc
  ret i1 %c
}

; Its negation: outside, the value of the padding.
; CHECK-LABEL: @outside(
; CHECK-NEXT: [[M:%.*]] = and i32 %i, -100
; CHECK-NEXT: [[C:%.*]] = icmp ne i32 [[M]], 20
; CHECK-NEXT: ret i1 [[C]]
define i1 @outside(i32 %i) {
  %row = lshr i32 %i, 4
  %r = add nsw i32 %row, -1
  %rm = and i32 %r, -7
  %rc = icmp ne i32 %rm, 0
  %cm = and i32 %i, 12
  %cc = icmp ne i32 %cm, 4
  %c = or i1 %rc, %cc
  ret i1 %c
}

; The thread's bits are those of the index, too.
; CHECK-LABEL: @part(
; CHECK: [[I:%.*]] = or disjoint i32 %b, %t
; CHECK-NEXT: [[M:%.*]] = and i32 [[I]], -100
; CHECK-NEXT: icmp eq i32 [[M]], 20
define i1 @part(i32 %block, i32 %thread) {
  %t = and i32 %thread, 127
  %b = shl i32 %block, 7
  %i = or disjoint i32 %b, %t
  %rm = and i32 %i, -112
  %rc = icmp eq i32 %rm, 16
  %cm = and i32 %t, 12
  %cc = icmp eq i32 %cm, 4
  %c = and i1 %rc, %cc
  ret i1 %c
}

; Bit 7 is not the thread's alone.
; CHECK-LABEL: @part_negative(
; CHECK: and i1
define i1 @part_negative(i32 %block, i32 %t) {
  %b = shl i32 %block, 7
  %i = add i32 %b, %t
  %rm = and i32 %i, -112
  %rc = icmp eq i32 %rm, 16
  %cm = and i32 %t, 140
  %cc = icmp eq i32 %cm, 4
  %c = and i1 %rc, %cc
  ret i1 %c
}

; A range from a power of two on is a test of the higher bits. What cannot be
; merged stays; three conditions, of which the first and the last are merged.
; CHECK-LABEL: @three(
; CHECK: [[M:%.*]] = and i32 %i, -29
; CHECK-NEXT: [[C:%.*]] = icmp eq i32 [[M]], 1
; CHECK-NEXT: and i1 %other, [[C]]
; CHECK-NEXT: ret
define i1 @three(i32 %i, i1 %other) {
  %small = icmp ult i32 %i, 32
  %both = and i1 %small, %other
  %low = and i32 %i, 3
  %one = icmp eq i32 %low, 1
  %c = and i1 %both, %one
  ret i1 %c
}

; row - 3 is 0 or 2 if row is 3 or 5: no bits that are given.
; CHECK-LABEL: @carry_negative(
; CHECK: and i1
define i1 @carry_negative(i32 %i) {
  %row = lshr i32 %i, 4
  %r = add nsw i32 %row, -3
  %rm = and i32 %r, -3
  %rc = icmp eq i32 %rm, 0
  %cm = and i32 %i, 12
  %cc = icmp eq i32 %cm, 4
  %c = and i1 %cc, %rc
  ret i1 %c
}

; No index has bits above those that are left of it.
; CHECK-LABEL: @shifted_in_negative(
; CHECK: and i1
define i1 @shifted_in_negative(i32 %i) {
  %high = lshr i32 %i, 28
  %hm = and i32 %high, 24
  %hc = icmp eq i32 %hm, 16
  %cm = and i32 %i, 12
  %cc = icmp eq i32 %cm, 4
  %c = and i1 %cc, %hc
  ret i1 %c
}

; Both tests want something else of bit 2.
; CHECK-LABEL: @contradiction_negative(
; CHECK: and i1
define i1 @contradiction_negative(i32 %i) {
  %row = lshr i32 %i, 2
  %r = add i32 %row, -1
  %rm = and i32 %r, -7
  %rc = icmp eq i32 %rm, 0
  %cm = and i32 %i, 6
  %cc = icmp eq i32 %cm, 2
  %c = and i1 %cc, %rc
  ret i1 %c
}

; A conjunction of negations is no test of bits.
; CHECK-LABEL: @neither_negative(
; CHECK: and i1
define i1 @neither_negative(i32 %i) {
  %row = lshr i32 %i, 4
  %r = add i32 %row, -1
  %rm = and i32 %r, -7
  %rc = icmp ne i32 %rm, 0
  %cm = and i32 %i, 12
  %cc = icmp ne i32 %cm, 4
  %c = and i1 %cc, %rc
  ret i1 %c
}

; A test that is used elsewhere would be computed twice.
; CHECK-LABEL: @shared_negative(
; CHECK: and i1
define i1 @shared_negative(i32 %i, ptr %p) {
  %row = lshr i32 %i, 4
  %r = add i32 %row, -1
  %rm = and i32 %r, -7
  %rc = icmp eq i32 %rm, 0
  store i1 %rc, ptr %p
  %cm = and i32 %i, 12
  %cc = icmp eq i32 %cm, 4
  %c = and i1 %cc, %rc
  ret i1 %c
}

; What does not change in a loop is not tested in it.
; CHECK-LABEL: @loop_negative(
; CHECK: loop:
; CHECK: %c = and i1 %rc, %cc
define void @loop_negative(i32 %i, ptr %p) {
entry:
  %row = lshr i32 %i, 4
  %r = add i32 %row, -1
  %rm = and i32 %r, -7
  %rc = icmp eq i32 %rm, 0
  %cm = and i32 %i, 12
  %cc = icmp eq i32 %cm, 4
  br label %loop
loop:
  %c = and i1 %rc, %cc
  %more = load volatile i1, ptr %p
  %go = and i1 %more, %c
  br i1 %go, label %loop, label %exit
exit:
  ret void
}

; The thread's test and the grid's are both of parts of %j; with the block's
; between them, all three are one.
; CHECK-LABEL: @part_of_part(
; CHECK: [[M:%.*]] = and i32 %j, 260
; CHECK-NEXT: [[C:%.*]] = icmp eq i32 [[M]], 4
; CHECK-NEXT: ret i1 [[C]]
define i1 @part_of_part(i32 %grid, i32 %block, i32 %thread) {
  %t = and i32 %thread, 127
  %b = shl i32 %block, 7
  %i = or disjoint i32 %b, %t
  %g = shl i32 %grid, 14
  %j = add i32 %g, %i
  %tm = and i32 %t, 4
  %tc = icmp eq i32 %tm, 4
  %jm = and i32 %j, 260
  %jc = icmp eq i32 %jm, 4
  %c1 = and i1 %tc, %jc
  %im = and i32 %i, 256
  %ic = icmp eq i32 %im, 0
  %c = and i1 %c1, %ic
  ret i1 %c
}

; Bit 14 of %i is not that of %j.
; CHECK-LABEL: @part_of_part_negative(
; CHECK: and i1
define i1 @part_of_part_negative(i32 %grid, i32 %i) {
  %g = shl i32 %grid, 14
  %j = add i32 %g, %i
  %jm = and i32 %j, 260
  %jc = icmp eq i32 %jm, 4
  %im = and i32 %i, 16384
  %ic = icmp eq i32 %im, 0
  %c = and i1 %jc, %ic
  ret i1 %c
}

; What is in front of the loop is merged there.
; CHECK-LABEL: @outside_loop(
; CHECK: entry:
; CHECK-NEXT: [[M:%.*]] = and i32 %i, -100
; CHECK-NEXT: [[C:%.*]] = icmp eq i32 [[M]], 20
; CHECK: loop:
; CHECK-NEXT: %more = load
; CHECK-NEXT: and i1 %more, [[C]]
; CHECK-NEXT: br
define void @outside_loop(i32 %i, ptr %p) {
entry:
  %row = lshr i32 %i, 4
  %r = add i32 %row, -1
  %rm = and i32 %r, -7
  %rc = icmp eq i32 %rm, 0
  %cm = and i32 %i, 12
  %cc = icmp eq i32 %cm, 4
  %c = and i1 %rc, %cc
  br label %loop
loop:
  %more = load volatile i1, ptr %p
  %go = and i1 %more, %c
  br i1 %go, label %loop, label %exit
exit:
  ret void
}

; %a & %b stays in front of the loop when two tests in it are merged.
; CHECK-LABEL: @outside_loop_negative(
; CHECK: entry:
; CHECK-NEXT: %ab = and i1 %a, %b
; CHECK: loop:
; CHECK: [[M:%.*]] = and i32 %x, 3
; CHECK-NEXT: [[C:%.*]] = icmp eq i32 [[M]], 1
; CHECK-NEXT: and i1 %ab, [[C]]
define void @outside_loop_negative(i1 %a, i1 %b, ptr %p) {
entry:
  %ab = and i1 %a, %b
  br label %loop
loop:
  %x = load volatile i32, ptr %p
  %m1 = and i32 %x, 1
  %t1 = icmp eq i32 %m1, 1
  %m2 = and i32 %x, 2
  %t2 = icmp eq i32 %m2, 0
  %two = and i1 %t1, %ab
  %go = and i1 %two, %t2
  br i1 %go, label %loop, label %exit
exit:
  ret void
}
