; A program that divides by h and then by w may be written as one that divides by
; h*w once, if that is a number of the word: neither factor is zero, and where
; the product is -1 one of the two divisions would have overflowed as well. No
; sign is known of anything.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:64,i32:3,i32:5,i32:-77 --kernel chain %s %t.ll
; RUN: %{run} --args out:i32:64,i32:-1,i32:1,i32:-2147483647 --kernel chain %s %t.ll
; RUN: %{run} --args out:i32:64,i32:1,i32:-1,i32:2147483647 --kernel chain %s %t.ll
; RUN: %{run} --args out:i32:64,i32:-1,i32:-1,i32:2147483647 --kernel chain %s %t.ll
; RUN: %{run} --args out:i32:64,i32:32768,i32:-65536,i32:-2147483648 --kernel chain %s %t.ll
; RUN: %{run} --args out:i32:64,i32:65536,i32:65536,i32:2147483647 --kernel chain_negative %s %t.ll
; RUN: %{run} --args out:i32:64,i32:3,i32:-5,i32:77 --kernel chain_negative %s %t.ll
; RUN: %{run} --args out:i32:64,i32:3,i32:-5,i32:7,i32:-2147483647 --kernel three_links %s %t.ll
; RUN: %{run} --args out:i32:64,i32:1,i32:-1,i32:1,i32:2147483647 --kernel three_links %s %t.ll
; RUN: %{run} --args out:i32:64,i32:-1,i32:1,i64:-2147483648 --kernel widths_negative %s %t.ll
; RUN: %{run} --args out:i32:64,i32:1,i32:1,i64:-2147483648 --kernel widths_negative %s %t.ll
; RUN: %{run} --args out:i32:64,i32:3,i32:5,i32:4000000000 --kernel unsigned_chain %s %t.ll
; RUN: %{run} --args out:i32:64,i32:65536,i32:65535,i32:4294967295 --kernel unsigned_chain %s %t.ll
; RUN: %{run} --args out:i32:64,i32:77,i32:3,i32:5,i32:7,i32:1,i32:0 --kernel another_divisor_negative %s %t.ll
; RUN: %{run} --args out:i32:64,i32:77,i32:0,i32:5,i32:7,i32:0,i32:0 --kernel another_divisor_negative %s %t.ll
; RUN: %{run} --args out:i32:64,i32:10000,i32:77,i32:5,i32:0,i32:1 --kernel division_behind_negative %s %t.ll
; RUN: %{run} --args out:i32:64,i32:10000,i32:77,i32:0,i32:0,i32:0 --kernel division_behind_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @chain(
; CHECK: [[HW:%.*]] = mul i32 {{%h, %w|%w, %h}}
; CHECK: sdiv i32 %x, [[HW]]
; CHECK-NOT: sdiv
; CHECK: ret void
define ptx_kernel void @chain(ptr noundef %out, i32 noundef %h, i32 noundef %w, i32 noundef %x) {
  %h64 = sext i32 %h to i64
  %w64 = sext i32 %w to i64
  %hw = mul nsw i64 %h64, %w64
  %low = icmp sge i64 %hw, -2147483648
  call void @llvm.assume(i1 %low)
  %high = icmp sle i64 %hw, 2147483647
  call void @llvm.assume(i1 %high)
  %q = sdiv i32 %x, %h
  %q2 = sdiv i32 %q, %w
  store i32 %q2, ptr %out
  ret void
}

; h*w may wrap, to zero for example.
; CHECK-LABEL: define ptx_kernel void @chain_negative(
; CHECK: sdiv
; CHECK: sdiv
; CHECK: ret void
define ptx_kernel void @chain_negative(ptr noundef %out, i32 noundef %h, i32 noundef %w, i32 noundef %x) {
  %q = sdiv i32 %x, %h
  %q2 = sdiv i32 %q, %w
  store i32 %q2, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @three_links(
; CHECK: sdiv
; CHECK-NOT: sdiv
; CHECK: ret void
define ptx_kernel void @three_links(ptr noundef %out, i32 noundef %a, i32 noundef %b, i32 noundef %c, i32 noundef %x) {
  %a64 = sext i32 %a to i64
  %b64 = sext i32 %b to i64
  %c64 = sext i32 %c to i64
  %ab = mul nsw i64 %a64, %b64
  %lowab = icmp sge i64 %ab, -2147483648
  call void @llvm.assume(i1 %lowab)
  %highab = icmp sle i64 %ab, 2147483647
  call void @llvm.assume(i1 %highab)
  %abc = mul nsw i64 %ab, %c64
  %low = icmp sge i64 %abc, -2147483648
  call void @llvm.assume(i1 %low)
  %high = icmp sle i64 %abc, 2147483647
  call void @llvm.assume(i1 %high)
  %q = sdiv i32 %x, %a
  %q2 = sdiv i32 %q, %b
  %q3 = sdiv i32 %q2, %c
  store i32 %q3, ptr %out
  ret void
}

; The first division is one of 64 bits, which INT_MIN / -1 does not overflow:
; with h = -1 and w = 1 one of 32 bits would.
; CHECK-LABEL: define ptx_kernel void @widths_negative(
; CHECK: sdiv i64
; CHECK: sdiv i32
; CHECK: ret void
define ptx_kernel void @widths_negative(ptr noundef %out, i32 noundef %h, i32 noundef %w, i64 noundef range(i64 -2147483648, 2147483648) %x) {
  %h64 = sext i32 %h to i64
  %w64 = sext i32 %w to i64
  %hw = mul nsw i64 %h64, %w64
  %low = icmp sge i64 %hw, -2147483648
  call void @llvm.assume(i1 %low)
  %high = icmp sle i64 %hw, 2147483647
  call void @llvm.assume(i1 %high)
  %q = sdiv i64 %x, %h64
  %t = trunc i64 %q to i32
  %q2 = sdiv i32 %t, %w
  store i32 %q2, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unsigned_chain(
; CHECK: udiv i32 %x, %{{.*}}
; CHECK-NOT: udiv
; CHECK: ret void
define ptx_kernel void @unsigned_chain(ptr noundef %out, i32 noundef %h, i32 noundef %w, i32 noundef %x) {
  %h64 = zext i32 %h to i64
  %w64 = zext i32 %w to i64
  %hw = mul nuw i64 %h64, %w64
  %high = icmp ule i64 %hw, 4294967295
  call void @llvm.assume(i1 %high)
  %q = udiv i32 %x, %h
  %q2 = udiv i32 %q, %w
  store i32 %q2, ptr %out
  ret void
}

; Evidence is a division by the divisor or a multiple of it. The chain is, and it
; stays where it was (no guard of one edge says more); the division by k is not.
; CHECK-LABEL: define ptx_kernel void @another_divisor_negative(
; CHECK: udiv i32 %x, %k
; CHECK-NOT: udiv
; CHECK: {{^divide}}
; CHECK: udiv i32 %x, %idx
; CHECK-NOT: udiv
; CHECK: ret void
define ptx_kernel void @another_divisor_negative(ptr noundef %out, i32 noundef %x, i32 noundef range(i32 0, 1000) %h, i32 noundef range(i32 0, 1000) %w, i32 noundef %k, i32 noundef %first, i32 noundef %second) {
entry:
  %e = udiv i32 %x, %k
  store volatile i32 %e, ptr %out
  br label %head
head:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c1 = icmp ne i32 %first, 0
  br i1 %c1, label %divide, label %other
other:
  %c2 = icmp ne i32 %second, 0
  br i1 %c2, label %divide, label %latch
divide:
  %q = udiv i32 %x, %h
  %q2 = udiv i32 %q, %w
  store volatile i32 %q2, ptr %out
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %head, label %done
done:
  ret void
}

; Nor is one that comes later: on the two ways into the join, where 4*x is summed
; up cheaper, h may be zero.
; CHECK-LABEL: define ptx_kernel void @division_behind_negative(
; CHECK-NOT: udiv
; CHECK: {{^divide}}
; CHECK: udiv i32 %n, %h
; CHECK-NOT: udiv
; CHECK: ret void
define ptx_kernel void @division_behind_negative(ptr noundef %out, i32 noundef range(i32 0, 30000) %x, i32 noundef range(i32 0, 1000) %n, i32 noundef %h, i32 noundef %first, i32 noundef %second) {
entry:
  %c = icmp ult i32 %x, 9000
  %a = udiv i32 %x, 75
  %r = urem i32 %x, 75
  br i1 %c, label %then, label %else
then:
  %p1 = mul i32 %a, 300
  br label %merge
else:
  %a2 = mul i32 %a, 300
  %p2 = add i32 %a2, 13
  br label %merge
merge:
  %p = phi i32 [ %p1, %then ], [ %p2, %else ]
  %c1 = icmp ne i32 %first, 0
  br i1 %c1, label %divide, label %other
other:
  %c2 = icmp ne i32 %second, 0
  br i1 %c2, label %divide, label %done
divide:
  %q = udiv i32 %n, %h
  %r4 = mul i32 %r, 4
  %i = add i32 %p, %r4
  %k = add i32 %i, %q
  store i32 %k, ptr %out
  br label %done
done:
  ret void
}
