; Sizes whose product does not fit 32 bits: the index has wrapped before it is
; divided or extended.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:40000,i32:32767,i32:64999 --kernel rows %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:0,i32:0 --kernel rows %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:2999,i32:64999 --kernel rows %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:2999,i32:64999 --kernel rows_negative %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:66076,i32:50000 --kernel rows_negative %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:131071,i32:64999 --kernel rows_negative %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:0 --kernel extended %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:31 --kernel extended %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:32 --kernel extended %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:63 --kernel extended %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:0 --kernel extended_negative %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:31 --kernel extended_negative %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:32 --kernel extended_negative %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:63 --kernel extended_negative %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:64 --kernel extended_negative %s %t.ll
; RUN: %{run} --args out:i32:40000,i32:95 --kernel extended_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 32768 rows of 65000 columns: their index fits 32 bits, unsigned.
; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK-NOT: {{mul|div}}
; CHECK: sext i32 %row
; CHECK: store
define ptx_kernel void @rows(ptr noundef %out, i32 noundef %row, i32 noundef %column) {
  %r.in = icmp ult i32 %row, 32768
  %c.in = icmp ult i32 %column, 65000
  %in = and i1 %r.in, %c.in
  br i1 %in, label %work, label %done
work:
  %m = mul i32 %row, 65000
  %i = add i32 %m, %column
  %q = udiv i32 %i, 65000
  %e = zext i32 %q to i64
  %p = getelementptr inbounds i8, ptr %out, i64 %e
  store i8 7, ptr %p
  br label %done
done:
  ret void
}

; 131072 rows do not: the index has wrapped before it is divided.
; CHECK-LABEL: define ptx_kernel void @rows_negative(
; CHECK: mul i32 %row, 65000
; CHECK: udiv i32
; CHECK: store
define ptx_kernel void @rows_negative(ptr noundef %out, i32 noundef %row, i32 noundef %column) {
  %r.in = icmp ult i32 %row, 131072
  %c.in = icmp ult i32 %column, 65000
  %in = and i1 %r.in, %c.in
  br i1 %in, label %work, label %done
work:
  %m = mul i32 %row, 65000
  %i = add i32 %m, %column
  %q = udiv i32 %i, 65000
  %e = zext i32 %q to i64
  %p = getelementptr inbounds i8, ptr %out, i64 %e
  store i8 7, ptr %p
  br label %done
done:
  ret void
}

; (x - 32) * 2^20 with 0 <= x < 64 stays in the word: its parts can be extended
; one by one, and the constant goes into the address.
; CHECK-LABEL: define ptx_kernel void @extended(
; CHECK-NOT: {{div|sext}}
; CHECK: sext i32 %x
; CHECK: store
define ptx_kernel void @extended(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 64
  br i1 %in, label %work, label %done
work:
  %d = add i32 %x, -32
  %s = shl i32 %d, 20
  %w = sext i32 %s to i64
  %back = sdiv i64 %w, 1048576
  %i = add i64 %back, 32
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; With x < 96 the shift by 26 leaves the word: what is extended is no product.
; CHECK-LABEL: define ptx_kernel void @extended_negative(
; CHECK: [[D:%.*]] = add i32 %x, -32
; CHECK: shl i32 [[D]], 26
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @extended_negative(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 96
  br i1 %in, label %work, label %done
work:
  %d = add i32 %x, -32
  %s = shl i32 %d, 26
  %w = sext i32 %s to i64
  %back = sdiv i64 %w, 67108864
  %i = add i64 %back, 32
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 7, ptr %p
  br label %done
done:
  ret void
}
