; A linear index taken apart into digits and put together again is the index:
; no division is left, and the address is the base plus 4 times the index.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128 --args out:i32:6000
; RUN: %{run} --kernel two_digits %s %t.ll
; RUN: %{run} --kernel two_digits_negative %s %t.ll
; RUN: %{run} --kernel three_digits %s %t.ll
; RUN: %{run} --kernel three_digits_negative %s %t.ll
; RUN: %{run} --kernel four_digits %s %t.ll
; RUN: %{run} --kernel four_digits_negative %s %t.ll
; RUN: %{run} --kernel digits_of_places %s %t.ll
; RUN: %{run} --kernel digits_of_places_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The global thread id: any 32-bit number, for all that the pass knows.
define internal noundef i32 @id() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  ret i32 %i
}

; CHECK-LABEL: define ptx_kernel void @two_digits(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: zext {{.*}}i32 %x to i64
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @two_digits(ptr %out) {
  %x = call i32 @id()
  %c = udiv i32 %x, 75
  %d = urem i32 %x, 75
  %c75 = mul nuw i32 %c, 75
  %i = add nuw i32 %c75, %d
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; x + 75 may wrap, so its quotient is not one more than that of x.
; CHECK-LABEL: define ptx_kernel void @two_digits_negative(
; CHECK-DAG: udiv i32 %y, 75
; CHECK-DAG: {{udiv|urem}} i32 %x, 75
; CHECK: store
define ptx_kernel void @two_digits_negative(ptr %out) {
  %x = call i32 @id()
  %y = add i32 %x, 75
  %c = udiv i32 %y, 75
  %d = urem i32 %x, 75
  %c75 = mul nuw i32 %c, 75
  %i = add nuw i32 %c75, %d
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; Needs no nuw: the cancelled sum is x, and x fits.
; CHECK-LABEL: define ptx_kernel void @three_digits(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: zext {{.*}}i32 %x to i64
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @three_digits(ptr %out) {
  %x = call i32 @id()
  %z = udiv i32 %x, 3000
  %q = udiv i32 %x, 75
  %y = urem i32 %q, 40
  %w = urem i32 %x, 75
  %z40 = mul i32 %z, 40
  %zy = add i32 %z40, %y
  %zy75 = mul i32 %zy, 75
  %i = add i32 %zy75, %w
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; The upper digits are those of the signed x, the last one is of the unsigned.
; CHECK-LABEL: define ptx_kernel void @three_digits_negative(
; CHECK-DAG: sdiv i32
; CHECK-DAG: {{udiv|urem}} i32
; CHECK: store
define ptx_kernel void @three_digits_negative(ptr %out) {
  %x = call i32 @id()
  %z = sdiv i32 %x, 3000
  %q = sdiv i32 %x, 75
  %y = srem i32 %q, 40
  %w = urem i32 %x, 75
  %z40 = mul i32 %z, 40
  %zy = add i32 %z40, %y
  %zy75 = mul i32 %zy, 75
  %i = add i32 %zy75, %w
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @four_digits(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: zext {{.*}}i32 %x to i64
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @four_digits(ptr %out) {
  %x = call i32 @id()
  %a = udiv i32 %x, 1386
  %q99 = udiv i32 %x, 99
  %b = urem i32 %q99, 14
  %q9 = udiv i32 %x, 9
  %c = urem i32 %q9, 11
  %d = urem i32 %x, 9
  %a14 = mul nuw nsw i32 %a, 14
  %ab = add nuw nsw i32 %a14, %b
  %ab11 = mul nuw nsw i32 %ab, 11
  %abc = add nuw nsw i32 %ab11, %c
  %abc9 = mul nuw i32 %abc, 9
  %i = add nuw i32 %abc9, %d
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; The lower digits are those of the low 16 bits only.
; CHECK-LABEL: define ptx_kernel void @four_digits_negative(
; CHECK-DAG: udiv i32 %x, 1386
; CHECK-DAG: {{trunc i32 %x to i16|and i32 %x, 65535}}
; CHECK: store
define ptx_kernel void @four_digits_negative(ptr %out) {
  %x = call i32 @id()
  %a = udiv i32 %x, 1386
  %x16 = trunc i32 %x to i16
  %q99 = udiv i16 %x16, 99
  %b16 = urem i16 %q99, 14
  %r16 = urem i16 %x16, 99
  %b = zext i16 %b16 to i32
  %r = zext i16 %r16 to i32
  %a14 = mul nuw nsw i32 %a, 14
  %ab = add nuw nsw i32 %a14, %b
  %ab99 = mul nuw nsw i32 %ab, 99
  %i = add nuw i32 %ab99, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; The index of [330,14] is a place of [14,330], that one of [21,10,22], and the
; place of [10,21,22] is taken apart as one of [6,35,22]: to no avail.
; CHECK-LABEL: define ptx_kernel void @digits_of_places(
; CHECK-NOT: 35
; CHECK-NOT: {{i32 .*, 770$}}
; CHECK: store
define ptx_kernel void @digits_of_places(ptr %out) {
  %x = call i32 @id()
  %i = urem i32 %x, 4620
  %column = urem i32 %i, 14
  %row = udiv i32 %i, 14
  %column330 = mul nuw nsw i32 %column, 330
  %n = add nuw nsw i32 %column330, %row
  %c = urem i32 %n, 22
  %line = udiv i32 %n, 22
  %b = urem i32 %line, 10
  %a = udiv i32 %n, 220
  %b21 = mul nuw nsw i32 %b, 21
  %ba = add nuw nsw i32 %b21, %a
  %ba22 = mul nuw nsw i32 %ba, 22
  %place = add nuw nsw i32 %ba22, %c
  %c2 = urem i32 %place, 22
  %line2 = udiv i32 %place, 22
  %b2 = urem i32 %line2, 35
  %a2 = udiv i32 %place, 770
  %a35 = mul nuw nsw i32 %a2, 35
  %a35b = add nuw nsw i32 %a35, %b2
  %ab22 = mul nuw nsw i32 %a35b, 22
  %again = add nuw nsw i32 %ab22, %c2
  %e = zext i32 %again to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; A digit of 23 values may carry into the next one.
; CHECK-LABEL: define ptx_kernel void @digits_of_places_negative(
; CHECK: {{div|rem}} i32 {{.*}}, 770
; CHECK: store
define ptx_kernel void @digits_of_places_negative(ptr %out) {
  %x = call i32 @id()
  %i = urem i32 %x, 4620
  %column = urem i32 %i, 14
  %row = udiv i32 %i, 14
  %column330 = mul nuw nsw i32 %column, 330
  %n = add nuw nsw i32 %column330, %row
  %c = urem i32 %n, 23
  %line = udiv i32 %n, 22
  %b = urem i32 %line, 10
  %a = udiv i32 %n, 220
  %b21 = mul nuw nsw i32 %b, 21
  %ba = add nuw nsw i32 %b21, %a
  %ba22 = mul nuw nsw i32 %ba, 22
  %place = add nuw nsw i32 %ba22, %c
  %c2 = urem i32 %place, 22
  %line2 = udiv i32 %place, 22
  %b2 = urem i32 %line2, 35
  %a2 = udiv i32 %place, 770
  %a35 = mul nuw nsw i32 %a2, 35
  %a35b = add nuw nsw i32 %a35, %b2
  %ab22 = mul nuw nsw i32 %a35b, 22
  %again = add nuw nsw i32 %ab22, %c2
  %e = zext i32 %again to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}
