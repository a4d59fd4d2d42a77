; Chains of divisors of run time: x/(h*w) and x/w/h are one division, and what
; is left of the remainder is linear in the quotients. Only if the product is
; known not to wrap.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:1,i32:999,i32:7,i32:5 --kernel prefix %s %t.ll
; RUN: %{run} --args out:i32:1,i32:0,i32:1,i32:1 --kernel prefix %s %t.ll
; RUN: %{run} --args out:i32:1,i32:999999,i32:997,i32:991 --kernel prefix %s %t.ll
; RUN: %{run} --args out:i32:1,i32:999999,i32:65537,i32:65535 --kernel prefix_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:9999,i32:7,i32:5 --kernel prefix_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:4321,i32:3,i32:5,i32:7 --kernel three %s %t.ll
; RUN: %{run} --args out:i32:1,i32:999,i32:1,i32:1,i32:1 --kernel three %s %t.ll
; RUN: %{run} --args out:i32:1,i32:999999,i32:97,i32:89,i32:83 --kernel three %s %t.ll
; RUN: %{run} --args out:i32:1,i32:4321,i32:13,i32:11 --kernel joined %s %t.ll
; RUN: %{run} --args out:i32:1,i32:1,i32:2147483646,i32:1 --kernel joined %s %t.ll
; RUN: %{run} --args out:i32:1,i32:2147483646,i32:46337,i32:46339 --kernel joined %s %t.ll
; RUN: %{run} --args out:i32:1,i32:2147483646,i32:1048577,i32:4097 --kernel joined_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:4321,i32:13,i32:11 --kernel joined_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-4321,i32:13,i32:-11 --kernel signed_join %s %t.ll
; RUN: %{run} --args out:i32:1,i32:4321,i32:-13,i32:-11 --kernel signed_join %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-2147483647,i32:5,i32:-1 --kernel signed_join %s %t.ll
; RUN: %{run} --args out:i32:1,i32:2147483647,i32:-1,i32:1 --kernel signed_join %s %t.ll
; RUN: %{run} --args out:i32:1,i32:-2147483648,i32:5,i32:-1 --kernel signed_join_negative %s %t.ll
; RUN: %{run} --args out:i32:1,i32:4321,i32:-13,i32:7 --kernel signed_join_negative %s %t.ll
; RUN: %{run} --args in:i64:3:min=0:max=5,out:i32:1000,i64:20,i64:3,i64:7 --kernel whole_product %s %t.ll
; RUN: %{run} --args in:i64:3:min=0:max=5,out:i32:1000,i64:5,i64:1,i64:2 --kernel whole_product %s %t.ll
; RUN: %{run} --args in:i64:3:min=0:max=5,out:i32:1000,i64:20,i64:3,i64:7 --kernel whole_product_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; x/w, x/w%h, x/(h*w) and x/w/h: two divisions.
; CHECK-LABEL: define ptx_kernel void @prefix(
; CHECK: [[LINE:%.*]] = udiv i32 %x, %W
; CHECK: udiv i32 [[LINE]], %H
; CHECK-NOT: {{udiv|urem}}
; CHECK: store
define ptx_kernel void @prefix(ptr noundef %out, i32 noundef range(i32 0, 1000000) %x, i32 noundef range(i32 1, 1000) %H, i32 noundef range(i32 1, 1000) %W) {
  %a = udiv i32 %x, %W
  %c = urem i32 %a, %H
  %hw = mul nuw nsw i32 %H, %W
  %d = udiv i32 %x, %hw
  %b = udiv i32 %a, %H
  %s = add i32 %b, %d
  %s2 = add i32 %s, %c
  store i32 %s2, ptr %out
  ret void
}

; 65537 * 65535 is -1: the wrapped product divides nothing like its factors.
; CHECK-LABEL: define ptx_kernel void @prefix_negative(
; CHECK: udiv i32 %x, %W
; CHECK: udiv i32 %{{.*}}, %H
; CHECK: udiv i32 %x, %{{.*}}
; CHECK: store
define ptx_kernel void @prefix_negative(ptr noundef %out, i32 noundef range(i32 0, 1000000) %x, i32 noundef range(i32 1, 100000) %H, i32 noundef range(i32 1, 100000) %W) {
  %a = udiv i32 %x, %W
  %b = udiv i32 %a, %H
  %hw = mul i32 %H, %W
  %zero = icmp eq i32 %hw, 0
  br i1 %zero, label %done, label %write
write:
  %d = udiv i32 %x, %hw
  %s = add i32 %b, %d
  store i32 %s, ptr %out
  br label %done
done:
  ret void
}

; Four digits of x, three divisions.
; CHECK-LABEL: define ptx_kernel void @three(
; CHECK-COUNT-3: udiv i32
; CHECK-NOT: {{[us]div i32 .*%|urem i32 .*%[A-Z]}}
; CHECK: store
define ptx_kernel void @three(ptr noundef %out, i32 noundef range(i32 0, 1000000) %x, i32 noundef range(i32 1, 100) %C, i32 noundef range(i32 1, 100) %H, i32 noundef range(i32 1, 100) %W) {
  %w = urem i32 %x, %W
  %hw = mul nuw nsw i32 %H, %W
  %xw = udiv i32 %x, %W
  %h = urem i32 %xw, %H
  %xhw = udiv i32 %x, %hw
  %c = urem i32 %xhw, %C
  %chw = mul nuw nsw i32 %C, %hw
  %n = udiv i32 %x, %chw
  %a = mul i32 %w, 7
  %b = mul i32 %h, 5
  %d = mul i32 %c, 3
  %s1 = add i32 %a, %b
  %s2 = add i32 %d, %n
  %s = add i32 %s1, %s2
  store i32 %s, ptr %out
  ret void
}

; (x % (h*w)) / w and (x % (h*w)) % w, by the fact that h*w is an int.
; CHECK-LABEL: define ptx_kernel void @joined(
; CHECK: [[LINE:%.*]] = udiv i32 %x, %W
; CHECK: udiv i32 [[LINE]], %H
; CHECK-NOT: {{udiv i32 .*, %|urem i32 .*, %}}
; CHECK: store
define ptx_kernel void @joined(ptr noundef %out, i32 noundef range(i32 0, 2147483647) %x, i32 noundef range(i32 1, 2147483647) %H, i32 noundef range(i32 1, 2147483647) %W) {
  %hz = zext i32 %H to i64
  %wz = zext i32 %W to i64
  %p64 = mul nuw nsw i64 %hz, %wz
  %fits = icmp ule i64 %p64, 2147483647
  call void @llvm.assume(i1 %fits)
  %hw = mul i32 %H, %W
  %n = udiv i32 %x, %hw
  %r = urem i32 %x, %hw
  %h = udiv i32 %r, %W
  %w = urem i32 %r, %W
  %a = mul i32 %n, 5
  %b = mul i32 %h, 3
  %s = add i32 %a, %b
  %s2 = add i32 %s, %w
  store i32 %s2, ptr %out
  ret void
}

; Without it: 1048577 * 4097 is 2^20 + 2^12 + 1 as a word.
; CHECK-LABEL: define ptx_kernel void @joined_negative(
; CHECK: [[HW:%.*]] = mul i32
; CHECK: udiv i32 %x, [[HW]]
; CHECK-NOT: udiv i32 %x, %W
; CHECK: udiv i32 %{{.*}}, %W
; CHECK-NOT: udiv i32 %x, %W
; CHECK: store
define ptx_kernel void @joined_negative(ptr noundef %out, i32 noundef range(i32 0, 2147483647) %x, i32 noundef range(i32 1, 2147483647) %H, i32 noundef range(i32 1, 2147483647) %W) {
  %hw = mul i32 %H, %W
  %zero = icmp eq i32 %hw, 0
  br i1 %zero, label %done, label %write
write:
  %n = udiv i32 %x, %hw
  %r = urem i32 %x, %hw
  %h = udiv i32 %r, %W
  %w = urem i32 %r, %W
  %a = mul i32 %n, 5
  %b = mul i32 %h, 3
  %s = add i32 %a, %b
  %s2 = add i32 %s, %w
  store i32 %s2, ptr %out
  br label %done
done:
  ret void
}

; Whatever the signs are, x % (h*w) % w is x % w; x is above INT_MIN here.
; CHECK-LABEL: define ptx_kernel void @signed_join(
; CHECK: {{[su]div|[su]rem}} i32 %x, %W
; CHECK-NOT: {{div|rem}} i32 {{.*}}, %
; CHECK: store
define ptx_kernel void @signed_join(ptr noundef %out, i32 noundef %x, i32 noundef range(i32 -1000, 1000) %H, i32 noundef range(i32 -1000, 1000) %W) {
  %greater = icmp sgt i32 %x, -2147483648
  br i1 %greater, label %write, label %done
write:
  %hw = mul nsw i32 %H, %W
  %r = srem i32 %x, %hw
  %w = srem i32 %r, %W
  store i32 %w, ptr %out
  br label %done
done:
  ret void
}

; INT_MIN % -5 is defined, INT_MIN % -1 is not.
; CHECK-LABEL: define ptx_kernel void @signed_join_negative(
; CHECK-NOT: {{div|rem}} i32 %x, %W
; CHECK: store
define ptx_kernel void @signed_join_negative(ptr noundef %out, i32 noundef %x, i32 noundef range(i32 -1000, 1000) %H, i32 noundef range(i32 -1000, 1000) %W) {
  %hw = mul nsw i32 %H, %W
  %r = srem i32 %x, %hw
  %w = srem i32 %r, %W
  store i32 %w, ptr %out
  ret void
}

declare void @llvm.assume(i1)

; The plane size is multiplied once, for the division and for the address, where
; Horner's rule would multiply by one size after the other.
; CHECK-LABEL: define ptx_kernel void @whole_product(
; CHECK-COUNT-2: {{= mul }}
; CHECK-NOT: {{= mul }}
; CHECK: store
define ptx_kernel void @whole_product(ptr noundef %in, ptr noundef %out, i64 noundef range(i64 0, 1000000) %x, i64 noundef range(i64 1, 1000000) %H, i64 noundef range(i64 1, 1000000) %W) {
  %hw = mul nuw nsw i64 %H, %W
  %n = udiv i64 %x, %hw
  %a = udiv i64 %x, %W
  %h = urem i64 %a, %H
  %w = urem i64 %x, %W
  %pn = getelementptr inbounds i64, ptr %in, i64 %n
  %m = load i64, ptr %pn
  %mH = mul i64 %m, %H
  %mh = add i64 %mH, %h
  %mhW = mul i64 %mh, %W
  %i = add i64 %mhW, %w
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 1, ptr %p
  ret void
}

; A quotient by another product is of no use.
; CHECK-LABEL: define ptx_kernel void @whole_product_negative(
; CHECK: %[[D:.*]] = mul i64 %H, %idx
; CHECK: mul i64 %W, %[[D]]
; CHECK: store
define ptx_kernel void @whole_product_negative(ptr noundef %in, ptr noundef %out, i64 noundef range(i64 0, 1000000) %x, i64 noundef range(i64 1, 1000000) %H, i64 noundef range(i64 1, 1000000) %W) {
  %V = add nuw nsw i64 %W, 1
  %hv = mul nuw nsw i64 %H, %V
  %n = udiv i64 %x, %hv
  %pn = getelementptr inbounds i64, ptr %in, i64 %n
  %m = load i64, ptr %pn
  %d = sub i64 %m, %n
  %dH = mul i64 %d, %H
  %dHW = mul i64 %dH, %W
  %i = add i64 %dHW, %x
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 1, ptr %p
  ret void
}
