; x/n*n + x%n is x for every divisor that divides, whatever the signs are: no
; fact is needed.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:1,i32:-7,i32:3 --kernel signed %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7,i32:-3 --kernel signed %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-2147483648,i32:2147483647 --kernel signed %s %t.ll
; RUN: %{run} --args out:i32:1,i32:5,i32:1 --kernel signed %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-7,i32:3 --kernel signed_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-1,i32:2147483647 --kernel signed_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7,i32:3 --kernel signed_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-7,i32:3 --kernel unsigned %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7,i32:-3 --kernel unsigned %s %t.ll
; RUN: %{run} --args out:i32:1,i32:2147483647,i32:1 --kernel unsigned %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-7,i32:3,i32:4 --kernel unsigned_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7,i32:-3,i32:-3 --kernel unsigned_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-12345,i32:3,i32:-5,i32:7 --kernel four_digits %s %t.ll
; RUN: %{run} --args out:i32:1,i32:2147483647,i32:1,i32:1,i32:1 --kernel four_digits %s %t.ll
; RUN: %{run} --args out:i32:1,i32:12345,i32:13,i32:11,i32:2 --kernel four_digits %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-12345,i32:3,i32:-5,i32:7 --kernel four_digits_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:12345,i32:13,i32:11,i32:2 --kernel four_digits_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-12345,i32:7 --kernel frozen %s %t.ll
; RUN: %{run} --args out:i32:1,i32:2147483647,i32:-1 --kernel frozen %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-12345,i32:7,i32:7 --kernel frozen_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:12345,i32:7,i32:9 --kernel frozen_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i32:-12345,i32:7 --kernel sign_extended %s %t.ll
; RUN: %{run} --args out:i64:1,i32:-2147483648,i32:2 --kernel sign_extended %s %t.ll
; RUN: %{run} --args out:i64:1,i32:12,i32:-1 --kernel sign_extended %s %t.ll
; RUN: %{run} --args out:i64:1,i32:-12345,i32:7 --kernel sign_extended_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i32:12,i32:5 --kernel sign_extended_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i32:-12345,i32:7 --kernel zero_extended %s %t.ll
; RUN: %{run} --args out:i64:1,i32:-1,i32:1 --kernel zero_extended %s %t.ll
; RUN: %{run} --args out:i64:1,i32:12,i32:5 --kernel zero_extended %s %t.ll
; RUN: %{run} --args out:i64:1,i32:-12345,i32:7 --kernel zero_extended_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i32:12,i32:5 --kernel zero_extended_negative %s %t.ll
; RUN: %{run} --args out:i32:200,i32:99,i32:7 --kernel addresses %s %t.ll
; RUN: %{run} --args out:i32:200,i32:0,i32:1 --kernel addresses %s %t.ll
; RUN: %{run} --args out:i32:200,i32:-97,i32:13 --kernel addresses %s %t.ll
; RUN: %{run} --args out:i32:200,i32:-97,i32:-13 --kernel addresses %s %t.ll
; RUN: %{run} --args out:i32:200,i32:99,i32:7 --kernel addresses_negative %s %t.ll
; RUN: %{run} --args out:i32:200,i32:-90,i32:13 --kernel addresses_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i64:-1234567890123,i64:77777777 --kernel wide %s %t.ll
; RUN: %{run} --args out:i64:1,i64:-9223372036854775808,i64:3 --kernel wide %s %t.ll
; RUN: %{run} --args out:i64:1,i64:12,i64:-5 --kernel wide %s %t.ll
; RUN: %{run} --args out:i64:1,i64:-1234567890123,i64:77777777 --kernel wide_negative %s %t.ll
; RUN: %{run} --args out:i64:1,i64:12,i64:5 --kernel wide_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @signed(
; CHECK-NEXT: store i32 %x, ptr %out
define ptx_kernel void @signed(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %q = sdiv i32 %x, %n
  %r = srem i32 %x, %n
  %qn = mul i32 %q, %n
  %s = add i32 %qn, %r
  store i32 %s, ptr %out
  ret void
}

; A quotient of one kind, a remainder of the other: no digits of one number.
; CHECK-LABEL: define ptx_kernel void @signed_negative(
; CHECK: sdiv i32 %x, %n
; CHECK: {{urem|udiv}} i32 %x, %n
; CHECK: store
define ptx_kernel void @signed_negative(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %q = sdiv i32 %x, %n
  %r = urem i32 %x, %n
  %qn = mul i32 %q, %n
  %s = add i32 %qn, %r
  store i32 %s, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unsigned(
; CHECK-NEXT: store i32 %x, ptr %out
define ptx_kernel void @unsigned(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %q = udiv i32 %x, %n
  %r = urem i32 %x, %n
  %qn = mul nuw i32 %q, %n
  %s = add nuw i32 %qn, %r
  store i32 %s, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unsigned_negative(
; CHECK: udiv i32 %x, %n
; CHECK: {{urem|udiv}} i32 %x, %m
; CHECK: store
define ptx_kernel void @unsigned_negative(ptr noundef %out, i32 noundef %x, i32 noundef %n, i32 noundef %m) {
  %q = udiv i32 %x, %n
  %r = urem i32 %x, %m
  %qn = mul i32 %q, %n
  %s = add i32 %qn, %r
  store i32 %s, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @four_digits(
; CHECK-NEXT: store i32 %x, ptr %out
define ptx_kernel void @four_digits(ptr noundef %out, i32 noundef %x, i32 noundef %C, i32 noundef %H, i32 noundef %W) {
  %w = srem i32 %x, %W
  %a = sdiv i32 %x, %W
  %h = srem i32 %a, %H
  %b = sdiv i32 %a, %H
  %c = srem i32 %b, %C
  %n = sdiv i32 %b, %C
  %i1 = mul nsw i32 %n, %C
  %i2 = add nsw i32 %i1, %c
  %i3 = mul nsw i32 %i2, %H
  %i4 = add nsw i32 %i3, %h
  %i5 = mul nsw i32 %i4, %W
  %i6 = add nsw i32 %i5, %w
  store i32 %i6, ptr %out
  ret void
}

; The digits of h and c change places.
; CHECK-LABEL: define ptx_kernel void @four_digits_negative(
; CHECK: sdiv i32 %x, %W
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @four_digits_negative(ptr noundef %out, i32 noundef %x, i32 noundef %C, i32 noundef %H, i32 noundef %W) {
  %w = srem i32 %x, %W
  %a = sdiv i32 %x, %W
  %h = srem i32 %a, %H
  %b = sdiv i32 %a, %H
  %i3 = mul i32 %h, %H
  %i4 = add i32 %i3, %b
  %i5 = mul i32 %i4, %W
  %i6 = add i32 %i5, %w
  store i32 %i6, ptr %out
  ret void
}

; One freeze, one value: the divisor is no poison behind it.
; CHECK-LABEL: define ptx_kernel void @frozen(
; CHECK-NOT: {{div|rem}}
; CHECK: store i32 %x, ptr %out
define ptx_kernel void @frozen(ptr noundef %out, i32 noundef %x, i32 %n) {
  %nf = freeze i32 %n
  %q = sdiv i32 %x, %nf
  %r = srem i32 %x, %nf
  %rf = freeze i32 %r
  %qn = mul i32 %q, %nf
  %s = add i32 %qn, %rf
  store i32 %s, ptr %out
  ret void
}

; Two freezes of what may be poison are two values.
; CHECK-LABEL: define ptx_kernel void @frozen_negative(
; CHECK: sdiv i32 %x, %n1
; CHECK: {{srem|sdiv}} i32 %x, %n2
; CHECK: store
define ptx_kernel void @frozen_negative(ptr noundef %out, i32 noundef %x, i32 %n, i32 %m) {
  %n1 = freeze i32 %n
  %n2 = freeze i32 %m
  %q = sdiv i32 %x, %n1
  %r = srem i32 %x, %n2
  %qn = mul i32 %q, %n1
  %s = add i32 %qn, %r
  store i32 %s, ptr %out
  ret void
}

; The digits are extended one by one, |n| * |x/n| is no more than |x|.
; CHECK-LABEL: define ptx_kernel void @sign_extended(
; CHECK-NOT: {{div|rem}}
; CHECK: sext i32 %x to i64
; CHECK-NOT: {{div|rem}}
; CHECK: store
define ptx_kernel void @sign_extended(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %q = sdiv i32 %x, %n
  %r = srem i32 %x, %n
  %qe = sext i32 %q to i64
  %ne = sext i32 %n to i64
  %re = sext i32 %r to i64
  %qn = mul nsw i64 %qe, %ne
  %s = add nsw i64 %qn, %re
  store i64 %s, ptr %out
  ret void
}

; Zero-extended digits of a negative x make another number.
; CHECK-LABEL: define ptx_kernel void @sign_extended_negative(
; CHECK: {{sdiv|srem}} i32 %x, %n
; CHECK: store
define ptx_kernel void @sign_extended_negative(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %q = sdiv i32 %x, %n
  %r = srem i32 %x, %n
  %qe = sext i32 %q to i64
  %ne = sext i32 %n to i64
  %re = zext i32 %r to i64
  %qn = mul nsw i64 %qe, %ne
  %s = add nsw i64 %qn, %re
  store i64 %s, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @zero_extended(
; CHECK-NOT: {{div|rem}}
; CHECK: zext i32 %x to i64
; CHECK-NOT: {{div|rem}}
; CHECK: store
define ptx_kernel void @zero_extended(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %q = udiv i32 %x, %n
  %r = urem i32 %x, %n
  %qe = zext i32 %q to i64
  %ne = zext i32 %n to i64
  %re = zext i32 %r to i64
  %qn = mul nuw nsw i64 %qe, %ne
  %s = add nuw nsw i64 %qn, %re
  store i64 %s, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @zero_extended_negative(
; CHECK: {{udiv|urem}} i32 %x, %n
; CHECK: store
define ptx_kernel void @zero_extended_negative(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %q = udiv i32 %x, %n
  %r = urem i32 %x, %n
  %qe = sext i32 %q to i64
  %ne = zext i32 %n to i64
  %re = zext i32 %r to i64
  %qn = mul i64 %qe, %ne
  %s = add i64 %qn, %re
  store i64 %s, ptr %out
  ret void
}

; The sum is made by two GEPs.
; CHECK-LABEL: define ptx_kernel void @addresses(
; CHECK-NOT: {{div|rem}}
; CHECK: store
define ptx_kernel void @addresses(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %q = sdiv i32 %x, %n
  %r = srem i32 %x, %n
  %qe = sext i32 %q to i64
  %ne = sext i32 %n to i64
  %re = sext i32 %r to i64
  %qn = mul nsw i64 %qe, %ne
  %middle = getelementptr i32, ptr %out, i64 100
  %row = getelementptr i32, ptr %middle, i64 %qn
  %p = getelementptr i32, ptr %row, i64 %re
  store i32 1, ptr %p
  ret void
}

; Rows of bytes: no round trip.
; CHECK-LABEL: define ptx_kernel void @addresses_negative(
; CHECK: {{sdiv|srem}} i32 %x, %n
; CHECK: store
define ptx_kernel void @addresses_negative(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %q = sdiv i32 %x, %n
  %r = srem i32 %x, %n
  %qe = sext i32 %q to i64
  %ne = sext i32 %n to i64
  %re = sext i32 %r to i64
  %qn = mul nsw i64 %qe, %ne
  %middle = getelementptr i32, ptr %out, i64 100
  %row = getelementptr i8, ptr %middle, i64 %qn
  %p = getelementptr i32, ptr %row, i64 %re
  store i32 1, ptr %p, align 1
  ret void
}

; CHECK-LABEL: define ptx_kernel void @wide(
; CHECK-NEXT: store i64 %x, ptr %out
define ptx_kernel void @wide(ptr noundef %out, i64 noundef %x, i64 noundef %n) {
  %q = sdiv i64 %x, %n
  %r = srem i64 %x, %n
  %qn = mul nsw i64 %q, %n
  %s = add nsw i64 %qn, %r
  store i64 %s, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @wide_negative(
; CHECK: {{sdiv|srem}} i64 %x, %n
; CHECK: store
define ptx_kernel void @wide_negative(ptr noundef %out, i64 noundef %x, i64 noundef %n) {
  %q = sdiv i64 %x, %n
  %r = srem i64 %x, %n
  %qn = mul nsw i64 %q, %n
  %s = sub nsw i64 %qn, %r
  store i64 %s, ptr %out
  ret void
}
