; Where a dividend stays below twice the divisor, LLVM divides by comparing. The
; selects and extensions are quotients again, and cancel.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=VERIFY --allow-empty
; VERIFY-NOT: warning
; DEFINE: %{run} = %kernel-run --grid 9 --block 128 --args in:i32:3000,out:i32:3000
; RUN: %{run} --kernel round_trip %s %t.ll
; RUN: %{run} --kernel round_trip_negative %s %t.ll
; RUN: %{run} --kernel signed_order %s %t.ll
; RUN: %{run} --kernel lowest_bit %s %t.ll
; RUN: %{run} --kernel lowest_bit_negative %s %t.ll
; RUN: %{run} --kernel equal_to_first %s %t.ll
; RUN: %{run} --kernel equal_to_first_negative %s %t.ll
; RUN: %{run} --kernel frozen_order %s %t.ll
; RUN: %{run} --kernel digits_in_another_order %s %t.ll
; RUN: %{run} --kernel clamped %s %t.ll
; DEFINE: %{tiles} = %kernel-run --grid 32 --block 128 --args out:i32:70000
; RUN: %{tiles} --kernel guarded_digit %s %t.ll
; RUN: %{tiles} --kernel guarded_digit_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 5*(x/420) + (x/84) mod 5 is x/84, and 84*(x/84) + x mod 84 is x.
; CHECK-LABEL: define ptx_kernel void @round_trip(
; CHECK-NOT: {{udiv|urem|mulhi|select}}
; CHECK: ret void
define ptx_kernel void @round_trip(ptr noundef %in, ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %x = add i32 %s, %t
  %inside = icmp ult i32 %x, 840
  br i1 %inside, label %body, label %done
body:
  %q = udiv i32 %x, 84
  %r = urem i32 %x, 84
  %q5 = add nsw i32 %q, -5
  %below = icmp samesign ult i32 %x, 420
  %minor = select i1 %below, i32 %q, i32 %q5
  %above = icmp samesign ugt i32 %x, 419
  %major = select i1 %above, i32 5, i32 0
  %row = add nuw nsw i32 %minor, %major
  %scaled = mul nuw nsw i32 %row, 84
  %i = add nuw nsw i32 %scaled, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %xe = zext nneg i32 %x to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %xe
  store i32 %v, ptr %o
  br label %done
done:
  ret void
}

; One bound is another: at x = 419 both selects add, and nothing cancels.
; CHECK-LABEL: define ptx_kernel void @round_trip_negative(
; CHECK: {{select|mulhi}}
; CHECK: ret void
define ptx_kernel void @round_trip_negative(ptr noundef %in, ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %x = add i32 %s, %t
  %inside = icmp ult i32 %x, 840
  br i1 %inside, label %body, label %done
body:
  %q = udiv i32 %x, 84
  %r = urem i32 %x, 84
  %q5 = add nsw i32 %q, -5
  %below = icmp samesign ult i32 %x, 420
  %minor = select i1 %below, i32 %q, i32 %q5
  %above = icmp samesign ugt i32 %x, 418
  %major = select i1 %above, i32 5, i32 0
  %row = add nuw nsw i32 %minor, %major
  %scaled = mul nuw nsw i32 %row, 84
  %i = add nuw nsw i32 %scaled, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %xe = zext nneg i32 %x to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %xe
  store i32 %v, ptr %o
  br label %done
done:
  ret void
}

; A dividend that may be negative, and the outcomes as numbers, 1 and -1.
; CHECK-LABEL: define ptx_kernel void @signed_order(
; CHECK-NOT: {{sext i1|zext i1|icmp}}
; CHECK: ret void
define ptx_kernel void @signed_order(ptr noundef %in, ptr noundef %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 3
  %s = sub nsw i32 %q, 100
  %less = icmp slt i32 %s, 7
  %more = icmp sge i32 %s, 7
  %a = sext i1 %less to i32
  %m = zext i1 %more to i32
  %ab = sub nsw i32 %m, %a
  %r = urem i32 %t, 3
  %q3 = mul nuw nsw i32 %q, 3
  %x = add nuw nsw i32 %q3, %r
  %i = add nuw nsw i32 %x, %ab
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %xe = zext nneg i32 %t to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %xe
  store i32 %v, ptr %o
  ret void
}

; The remainder by two as a bit: 2*(x/2) + (x mod 2) is x.
; CHECK-LABEL: define ptx_kernel void @lowest_bit(
; CHECK-NOT: {{select|trunc|lshr|and }}
; CHECK: ret void
define ptx_kernel void @lowest_bit(ptr noundef %in, ptr noundef %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = lshr i32 %x, 1
  %bit = trunc i32 %x to i1
  %r = select i1 %bit, i32 3, i32 0
  %h6 = mul nuw nsw i32 %h, 6
  %i = add nuw nsw i32 %h6, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i8, ptr %in, i64 %e
  %v = load i8, ptr %p
  %xe = zext nneg i32 %x to i64
  %o = getelementptr inbounds i8, ptr %out, i64 %xe
  store i8 %v, ptr %o
  ret void
}

; Arms the other way round: 2*(x/2) + 1 - (x mod 2).
; CHECK-LABEL: define ptx_kernel void @lowest_bit_negative(
; CHECK: {{lshr|select|and |xor }}
; CHECK: ret void
define ptx_kernel void @lowest_bit_negative(ptr noundef %in, ptr noundef %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = lshr i32 %x, 1
  %bit = trunc i32 %x to i1
  %r = select i1 %bit, i32 0, i32 3
  %h6 = mul nuw nsw i32 %h, 6
  %i = add nuw nsw i32 %h6, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i8, ptr %in, i64 %e
  %v = load i8, ptr %p
  %xe = zext nneg i32 %x to i64
  %o = getelementptr inbounds i8, ptr %out, i64 %xe
  store i8 %v, ptr %o
  ret void
}

; x/512 = 0 is x < 512, if x/512 is 0 or 1: the row is its opposite.
; CHECK-LABEL: define ptx_kernel void @equal_to_first(
; CHECK-NOT: {{select|icmp}}
; CHECK: ret void
define ptx_kernel void @equal_to_first(ptr noundef %in, ptr noundef %out) {
  %x = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = lshr i32 %x, 9
  %zero = icmp eq i32 %h, 0
  %row = select i1 %zero, i32 0, i32 512
  %r = urem i32 %x, 512
  %i = add nuw nsw i32 %row, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %xe = zext nneg i32 %x to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %xe
  store i32 %v, ptr %o
  ret void
}

; One of the values in the middle is no order.
; CHECK-LABEL: define ptx_kernel void @equal_to_first_negative(
; CHECK: icmp eq
; CHECK: select
; CHECK: ret void
define ptx_kernel void @equal_to_first_negative(ptr noundef %in, ptr noundef %out) {
  %x = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = lshr i32 %x, 8
  %one = icmp eq i32 %h, 1
  %row = select i1 %one, i32 0, i32 512
  %r = urem i32 %x, 512
  %i = add nuw nsw i32 %row, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %xe = zext nneg i32 %x to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %xe
  store i32 %v, ptr %o
  ret void
}

; `samesign` makes no poison where nothing is negative, so the freeze changes
; nothing; narrow words as InstCombine makes them.
; CHECK-LABEL: define ptx_kernel void @frozen_order(
; CHECK-NOT: {{select|mulhi|udiv|urem|freeze}}
; CHECK: ret void
define ptx_kernel void @frozen_order(ptr noundef %in, ptr noundef %out) {
  %b = call range(i32 0, 7) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = shl nuw nsw i32 %b, 7
  %x = or disjoint i32 %s, %t
  %inside = icmp samesign ult i32 %x, 840
  br i1 %inside, label %body, label %done
body:
  %w = trunc nuw nsw i32 %x to i16
  %q = udiv i16 %w, 84
  %q5 = add nsw i16 %q, -5
  %below = icmp samesign ult i32 %x, 420
  %minor = select i1 %below, i16 %q, i16 %q5
  %above = icmp samesign ugt i32 %x, 419
  %major = select i1 %above, i16 5, i16 0
  %row = add nsw i16 %minor, %major
  %frozen = freeze i16 %row
  %h = udiv i16 %frozen, 5
  %h5 = mul i16 %h, 5
  %l = sub i16 %frozen, %h5
  %again = add i16 %h5, %l
  %r = urem i16 %w, 84
  %scaled = mul i16 %again, 84
  %i = add i16 %scaled, %r
  %e = zext i16 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %xe = zext nneg i32 %x to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %xe
  store i32 %v, ptr %o
  br label %done
done:
  ret void
}

; Blocks of pixels become features: the sum of the digits stays below 840, as its
; parts show, so the word is the number and divides again.
; CHECK-LABEL: define ptx_kernel void @digits_in_another_order(
; CHECK-NOT: {{freeze|sdiv|srem}}
; CHECK: ret void
define ptx_kernel void @digits_in_another_order(ptr noundef %in, ptr noundef %out) {
  %b = call range(i32 0, 7) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = shl nuw nsw i32 %b, 7
  %x = or disjoint i32 %s, %t
  %inside = icmp samesign ult i32 %x, 840
  br i1 %inside, label %body, label %done
body:
  %q6 = udiv i32 %x, 6
  %m2 = and i32 %q6, 1
  %q12 = udiv i32 %x, 12
  %m7 = urem i32 %q12, 7
  %q84 = udiv i32 %x, 84
  %a = shl nuw nsw i32 %q84, 1
  %ab = or disjoint i32 %a, %m2
  %ab7 = mul nuw nsw i32 %ab, 7
  %abc = add i32 %ab7, %m7
  %fr = freeze i32 %abc
  %r = sdiv i32 %fr, 70
  %rem = srem i32 %fr, 70
  %r70 = mul i32 %r, 70
  %i = add i32 %r70, %rem
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %xe = zext nneg i32 %x to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %xe
  store i32 %v, ptr %o
  br label %done
done:
  ret void
}

; A clamp below a product: the maximum stays one.
; CHECK-LABEL: define ptx_kernel void @clamped(
; CHECK: call i32 @llvm.smax
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: ret void
define ptx_kernel void @clamped(ptr noundef %in, ptr noundef %out) {
  %x = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = load i32, ptr %in, !noundef !0
  %low = call i32 @llvm.smax.i32(i32 %start, i32 0)
  %clamp = call i32 @llvm.smin.i32(i32 %low, i32 4)
  %q = udiv i32 %x, 36
  %r = urem i32 %x, 36
  %row = add nsw i32 %q, %clamp
  %scaled = mul nsw i32 %row, 36
  %i = add nsw i32 %scaled, %r
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %xe = zext nneg i32 %x to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %xe
  store i32 %v, ptr %o
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)

!0 = !{}

; The rows are below 512 and the columns below 60, so y > 15359 is row / 256. That
; y is below 30720 is known from its digits, which its difference to 15359 does
; not show any more.
; CHECK-LABEL: define ptx_kernel void @guarded_digit(
; CHECK-NOT: 15359
; CHECK: ret void
define ptx_kernel void @guarded_digit(ptr noundef %out) {
  %b = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %shifted = shl nuw nsw i32 %b, 4
  %half = and i32 %shifted, 32
  %lane = and i32 %t, 31
  %column = or disjoint i32 %half, %lane
  %inside = icmp samesign ult i32 %column, 60
  br i1 %inside, label %then, label %done

then:
  %warp = lshr i32 %t, 5
  %plane = lshr i32 %b, 2
  %odd = and i32 %plane, 1
  %top = shl nuw nsw i32 %odd, 8
  %pair = lshr i32 %b, 3
  %middle = shl nuw nsw i32 %pair, 6
  %high = or disjoint i32 %top, %middle
  %both = shl nuw nsw i32 %b, 5
  %low = and i32 %both, 32
  %last = or disjoint i32 %warp, 28
  %rest = or disjoint i32 %low, %last
  %row = or disjoint i32 %high, %rest
  %tens = mul nuw nsw i32 %row, 10
  %six = udiv i32 %column, 6
  %digits = add nuw nsw i32 %tens, %six
  %sixes = mul nuw nsw i32 %digits, 6
  %digit = urem i32 %column, 6
  %y = add nuw nsw i32 %sixes, %digit
  %p = getelementptr inbounds i32, ptr %out, i32 %y
  store i32 %column, ptr %p
  %large = icmp samesign ugt i32 %y, 15359
  %q = zext i1 %large to i32
  %place = shl nuw nsw i32 %b, 1
  %i = or disjoint i32 %place, %q
  %shift = add nuw nsw i32 %i, 40000
  %r = getelementptr inbounds i32, ptr %out, i32 %shift
  store i32 %odd, ptr %r
  br label %done

done:
  ret void
}

; Columns up to 63 reach the next row.
; CHECK-LABEL: define ptx_kernel void @guarded_digit_negative(
; CHECK: icmp{{.*}} 15359
; CHECK: ret void
define ptx_kernel void @guarded_digit_negative(ptr noundef %out) {
  %b = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %shifted = shl nuw nsw i32 %b, 4
  %half = and i32 %shifted, 32
  %lane = and i32 %t, 31
  %column = or disjoint i32 %half, %lane
  %inside = icmp samesign ult i32 %column, 64
  br i1 %inside, label %then, label %done

then:
  %warp = lshr i32 %t, 5
  %plane = lshr i32 %b, 2
  %odd = and i32 %plane, 1
  %top = shl nuw nsw i32 %odd, 8
  %pair = lshr i32 %b, 3
  %middle = shl nuw nsw i32 %pair, 6
  %high = or disjoint i32 %top, %middle
  %both = shl nuw nsw i32 %b, 5
  %low = and i32 %both, 32
  %last = or disjoint i32 %warp, 28
  %rest = or disjoint i32 %low, %last
  %row = or disjoint i32 %high, %rest
  %tens = mul nuw nsw i32 %row, 10
  %six = udiv i32 %column, 6
  %digits = add nuw nsw i32 %tens, %six
  %sixes = mul nuw nsw i32 %digits, 6
  %digit = urem i32 %column, 6
  %y = add nuw nsw i32 %sixes, %digit
  %p = getelementptr inbounds i32, ptr %out, i32 %y
  store i32 %column, ptr %p
  %large = icmp samesign ugt i32 %y, 15359
  %q = zext i1 %large to i32
  %place = shl nuw nsw i32 %b, 1
  %i = or disjoint i32 %place, %q
  %shift = add nuw nsw i32 %i, 40000
  %r = getelementptr inbounds i32, ptr %out, i32 %shift
  store i32 %odd, ptr %r
  br label %done

done:
  ret void
}
