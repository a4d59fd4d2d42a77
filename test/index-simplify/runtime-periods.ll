; Neighbours in a period: with 0 <= x < n, (x + 1) % n and (x - 1 + n) % n take
; a comparison instead of a division. One further is too far.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:1,i32:0,i32:1 --kernel next %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel next %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel next %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7,i32:7 --kernel next %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1073741822,i32:1073741823 --kernel next %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1 --kernel next_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel next_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel next_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7,i32:7 --kernel next_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1073741822,i32:1073741823 --kernel next_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1 --kernel next_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel next_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel next_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7,i32:7 --kernel next_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1073741822,i32:1073741823 --kernel next_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1 --kernel next_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel next_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel next_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7,i32:7 --kernel next_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1073741822,i32:1073741823 --kernel next_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1 --kernel previous %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel previous %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1,i32:7 --kernel previous %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel previous %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1073741823 --kernel previous %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1 --kernel previous_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel previous_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1,i32:7 --kernel previous_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel previous_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1073741823 --kernel previous_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1 --kernel previous_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel previous_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1,i32:7 --kernel previous_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel previous_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1073741823 --kernel previous_quotient %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1 --kernel previous_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel previous_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1,i32:7 --kernel previous_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel previous_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1073741823 --kernel previous_quotient_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1073741823,i32:2147483646 --kernel large %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1 --kernel large %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel large %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1,i32:0 --kernel below_two %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7,i32:6 --kernel below_two %s %t.ll
; RUN: %{run} --args out:i32:1,i32:3,i32:7,i32:4 --kernel below_two %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1073741822,i32:1073741823,i32:1073741822 --kernel below_two %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1,i32:1 --kernel below_two_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7,i32:7 --kernel below_two_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:7,i32:7,i32:7 --kernel below_two_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:0,i32:1 --kernel neighbours %s %t.ll
; RUN: %{run} --args out:i32:2,i32:6,i32:7 --kernel neighbours %s %t.ll
; RUN: %{run} --args out:i32:2,i32:7,i32:7 --kernel neighbours %s %t.ll
; RUN: %{run} --args out:i32:2,i32:1000,i32:7 --kernel neighbours %s %t.ll
; RUN: %{run} --args out:i32:2,i32:1073741822,i32:1073741823 --kernel neighbours %s %t.ll
; RUN: %{run} --args out:i32:2,i32:97,i32:89 --kernel neighbours %s %t.ll
; RUN: %{run} --args out:i32:2,i32:0,i32:1 --kernel neighbours_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:6,i32:7 --kernel neighbours_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:7,i32:7 --kernel neighbours_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:1000,i32:7 --kernel neighbours_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:1073741822,i32:1073741823 --kernel neighbours_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:97,i32:89 --kernel neighbours_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:2 --kernel two_periods_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1,i32:2 --kernel two_periods_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel two_periods_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel two_periods_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:3 --kernel two_periods_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:2 --kernel two_periods %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1,i32:2 --kernel two_periods %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:7 --kernel two_periods %s %t.ll
; RUN: %{run} --args out:i32:1,i32:6,i32:7 --kernel two_periods %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:3 --kernel two_periods %s %t.ll
; RUN: %{run} --args out:i32:2,i32:0,i32:1 --kernel wide_quotient %s %t.ll
; RUN: %{run} --args out:i32:2,i32:6,i32:7 --kernel wide_quotient %s %t.ll
; RUN: %{run} --args out:i32:2,i32:7,i32:7 --kernel wide_quotient %s %t.ll
; RUN: %{run} --args out:i32:2,i32:2147483647,i32:-2147483648 --kernel wide_quotient %s %t.ll
; RUN: %{run} --args out:i32:2,i32:-3,i32:-2 --kernel wide_quotient %s %t.ll
; RUN: %{run} --args out:i32:2,i32:-2,i32:-1 --kernel wide_quotient %s %t.ll
; RUN: %{run} --args out:i32:2,i32:1000,i32:3 --kernel wide_quotient %s %t.ll
; RUN: %{run} --args out:i32:2,i32:0,i32:1 --kernel wide_remainder %s %t.ll
; RUN: %{run} --args out:i32:2,i32:6,i32:7 --kernel wide_remainder %s %t.ll
; RUN: %{run} --args out:i32:2,i32:7,i32:7 --kernel wide_remainder %s %t.ll
; RUN: %{run} --args out:i32:2,i32:2147483647,i32:-2147483648 --kernel wide_remainder %s %t.ll
; RUN: %{run} --args out:i32:2,i32:-3,i32:-2 --kernel wide_remainder %s %t.ll
; RUN: %{run} --args out:i32:2,i32:-2,i32:-1 --kernel wide_remainder %s %t.ll
; RUN: %{run} --args out:i32:2,i32:1000,i32:3 --kernel wide_remainder %s %t.ll
; RUN: %{run} --args out:i32:2,i32:0,i32:1 --kernel wide_remainder_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:6,i32:7 --kernel wide_remainder_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:7,i32:7 --kernel wide_remainder_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:2147483647,i32:-2147483648 --kernel wide_remainder_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:-3,i32:-2 --kernel wide_remainder_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:-2,i32:-1 --kernel wide_remainder_negative %s %t.ll
; RUN: %{run} --args out:i32:2,i32:1000,i32:3 --kernel wide_remainder_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"


; CHECK-LABEL: define ptx_kernel void @next(
; CHECK-NOT: {{div i32|rem i32}}
; CHECK: store
define ptx_kernel void @next(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x1 = add nsw i32 %x, 1
  %y = srem i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; For x <= n = 1 the sum is 2*n.
; CHECK-LABEL: define ptx_kernel void @next_negative(
; CHECK: {{div|rem}} i32 %{{.*}}, %n
; CHECK: store
define ptx_kernel void @next_negative(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n) {
  %inside = icmp sle i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x1 = add nsw i32 %x, 1
  %y = srem i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @next_quotient(
; CHECK: icmp uge i32 %{{.*}}, %n
; CHECK-NOT: {{div i32|rem i32}}
; CHECK: store
define ptx_kernel void @next_quotient(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x1 = add nsw i32 %x, 1
  %y = sdiv i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; For n = 1 the quotient is 2.
; CHECK-LABEL: define ptx_kernel void @next_quotient_negative(
; CHECK: div i32 %{{.*}}, %n
; CHECK: store
define ptx_kernel void @next_quotient_negative(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x1 = add nsw i32 %x, 2
  %y = sdiv i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @previous(
; CHECK-NOT: {{div i32 |rem i32 }}%{{.*}}, %n
; CHECK: store
define ptx_kernel void @previous(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x0 = add nsw i32 %x, %n
  %x1 = add nsw i32 %x0, -1
  %y = srem i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; For n = 1 the dividend is -1, two periods back.
; CHECK-LABEL: define ptx_kernel void @previous_negative(
; CHECK: {{div|rem}} i32 %{{.*}}, %n
; CHECK: store
define ptx_kernel void @previous_negative(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x0 = add nsw i32 %x, %n
  %x1 = add nsw i32 %x0, -2
  %y = srem i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @previous_quotient(
; CHECK: ashr i32 %{{.*}}, 31
; CHECK-NOT: div i32 %{{.*}}, %n
; CHECK: store
define ptx_kernel void @previous_quotient(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x0 = add nsw i32 %x, %n
  %x1 = add nsw i32 %x0, -1
  %y = sdiv i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; sdiv -1, n is no floor: 0 for n > 1, and -1 for n = 1.
; CHECK-LABEL: define ptx_kernel void @previous_quotient_negative(
; CHECK-NOT: ashr i32 %{{.*}}, 31
; CHECK: sdiv i32 %{{.*}}, %n
; CHECK: store
define ptx_kernel void @previous_quotient_negative(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x0 = sub nsw i32 %x, 1
  %y = sdiv i32 %x0, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; x + n - 1 is no int, but a word.
; CHECK-LABEL: define ptx_kernel void @large(
; CHECK-NOT: {{div|rem}} i32
; CHECK: umin
; CHECK: store
define ptx_kernel void @large(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 2147483647) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x0 = add i32 %x, %n
  %x1 = add i32 %x0, -1
  %y = urem i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; x + z with both below n: below 2*n, which may be INT_MAX - 1.
; CHECK-LABEL: define ptx_kernel void @below_two(
; CHECK-NOT: {{div i32|rem i32}}
; CHECK: store
define ptx_kernel void @below_two(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n, i32 noundef range(i32 0, 1073741824) %z) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %second, label %done
second:
  %also = icmp slt i32 %z, %n
  br i1 %also, label %write, label %done
write:
  %s = add nsw i32 %x, %z
  %y = srem i32 %s, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; With z <= n and x <= n it may be 2*n.
; CHECK-LABEL: define ptx_kernel void @below_two_negative(
; CHECK: {{div|rem}} i32 %{{.*}}, %n
; CHECK: store
define ptx_kernel void @below_two_negative(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %x, i32 noundef range(i32 1, 1073741824) %n, i32 noundef range(i32 0, 1073741824) %z) {
  %inside = icmp sle i32 %x, %n
  br i1 %inside, label %second, label %done
second:
  %also = icmp sle i32 %z, %n
  br i1 %also, label %write, label %done
write:
  %s = add nsw i32 %x, %z
  %y = srem i32 %s, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; i / n, x = i % n and (x + 1) % n: two divisions at most.
; CHECK-LABEL: define ptx_kernel void @neighbours(
; CHECK: {{div|rem}} i32 %i, %n
; CHECK: ret void
define ptx_kernel void @neighbours(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %i, i32 noundef range(i32 1, 1073741824) %n) {
  %x = urem i32 %i, %n
  %x1 = add nuw nsw i32 %x, 1
  %y = urem i32 %x1, %n
  %x64 = mul i32 %x, 64
  %s = add i32 %x64, %y
  %q = udiv i32 %i, %n
  %q3 = mul i32 %q, 4096
  %all = add i32 %s, %q3
  store i32 %all, ptr %out
  ret void
}

; For n = 1 the sum x + 2 is 2*n.
; CHECK-LABEL: define ptx_kernel void @neighbours_negative(
; CHECK: {{div|rem}} i32
; CHECK: {{div|rem}} i32
; CHECK: ret void
define ptx_kernel void @neighbours_negative(ptr noundef %out, i32 noundef range(i32 0, 1073741824) %i, i32 noundef range(i32 1, 1073741824) %n) {
  %x = urem i32 %i, %n
  %x2 = add nuw nsw i32 %x, 2
  %y = urem i32 %x2, %n
  %x64 = mul i32 %x, 64
  %s = add i32 %x64, %y
  store i32 %s, ptr %out
  ret void
}

; x + 2*n - 2 is one step or two from x, and n is 2 at least.
; CHECK-LABEL: define ptx_kernel void @two_periods(
; CHECK: umin
; CHECK: ret void
define ptx_kernel void @two_periods(ptr noundef %out, i32 noundef range(i32 0, 1000) %x, i32 noundef range(i32 2, 1000) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %n2 = shl nuw nsw i32 %n, 1
  %x0 = add nsw i32 %x, %n2
  %x1 = add nsw i32 %x0, -2
  %y = urem i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; x - 3 is further than n = 2 from x.
; CHECK-LABEL: define ptx_kernel void @two_periods_negative(
; CHECK: {{div|rem}} i32 %{{.*}}, %n
; CHECK: ret void
define ptx_kernel void @two_periods_negative(ptr noundef %out, i32 noundef range(i32 0, 1000) %x, i32 noundef range(i32 2, 1000) %n) {
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %n2 = shl nuw nsw i32 %n, 1
  %x0 = add nsw i32 %x, %n2
  %x1 = add nsw i32 %x0, -3
  %y = urem i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; A divisor of 2^31 and more is a word as well.
; CHECK-LABEL: define ptx_kernel void @wide_quotient(
; CHECK: udiv i32
; CHECK-NOT: {{div|rem}} i32
; CHECK-NOT: i64
; CHECK: ret void
define ptx_kernel void @wide_quotient(ptr noundef %out, i32 noundef %i, i32 noundef range(i32 1, 0) %n) {
  %even = shl i32 %i, 2
  %next = add i32 %even, 1
  %p = udiv i32 %even, %n
  %r = udiv i32 %next, %n
  %p2 = shl i32 %p, 1
  %s = add i32 %p2, %r
  store i32 %s, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @wide_remainder(
; CHECK: icmp ult i32 %x, %n
; CHECK-NOT: {{div|rem}} i32
; CHECK: umin.i32
; CHECK: ret void
define ptx_kernel void @wide_remainder(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %inside = icmp ult i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x1 = add nuw i32 %x, 1
  %y = urem i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}

; x + 2 may be above n = 1, and may be no word.
; CHECK-LABEL: define ptx_kernel void @wide_remainder_negative(
; CHECK: rem i32
; CHECK: ret void
define ptx_kernel void @wide_remainder_negative(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %inside = icmp ult i32 %x, %n
  br i1 %inside, label %write, label %done
write:
  %x1 = add i32 %x, 2
  %y = urem i32 %x1, %n
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}
