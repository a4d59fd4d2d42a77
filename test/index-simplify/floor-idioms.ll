; Floor division and its remainder, as compilers write them for a dividend of
; either sign and as LLVM leaves them at -O3: the quotient is one, times 40 plus
; the remainder is the dividend again, and no division stays. The twins correct
; for another comparison and keep what they compute.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 4 --block 128 --args out:f32:512,in:f32:2048
; RUN: %{run} --kernel chosen_dividend %s %t.ll
; RUN: %{run} --kernel chosen_dividend_negative %s %t.ll
; RUN: %{run} --kernel masked_dividend %s %t.ll
; RUN: %{run} --kernel masked_dividend_negative %s %t.ll
; RUN: %{run} --kernel inexact_below_zero %s %t.ll
; RUN: %{run} --kernel inexact_below_zero_negative %s %t.ll
; RUN: %{run} --kernel sign_of_remainder %s %t.ll
; RUN: %{run} --kernel sign_of_remainder_negative %s %t.ll
; RUN: %{run} --kernel joined_arms %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @chosen_dividend(
; CHECK-NOT: {{[su]}}{{div|rem}} i32
; CHECK: ret void
define ptx_kernel void @chosen_dividend(ptr noundef %out, ptr noundef %in) #0 {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %j = sub nsw i32 39, %i
  %n = icmp samesign ugt i32 %i, 39
  %nj = add nsw i32 %i, -40
  %d = select i1 %n, i32 %nj, i32 %j
  %q = sdiv i32 %d, 40
  %nq = sext i1 %n to i32
  %f = xor i32 %q, %nq
  %r = srem i32 %j, 40
  %rn = icmp slt i32 %r, 0
  %r40 = add nsw i32 %r, 40
  %m = select i1 %rn, i32 %r40, i32 %r
  %f40 = mul nsw i32 %f, -40
  %back = sub nsw i32 %f40, %m
  %o = add nsw i32 %back, 39
  %a = sext i32 %o to i64
  %p = getelementptr float, ptr %in, i64 %a
  %v = load float, ptr %p
  %y = zext nneg i32 %i to i64
  %q.y = getelementptr float, ptr %out, i64 %y
  store float %v, ptr %q.y
  ret void
}

; CHECK-LABEL: define ptx_kernel void @chosen_dividend_negative(
; CHECK: {{[su]}}div i32
; CHECK: ret void
define ptx_kernel void @chosen_dividend_negative(ptr noundef %out, ptr noundef %in) #0 {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %j = sub nsw i32 39, %i
  %n = icmp samesign ugt i32 %i, 79
  %nj = add nsw i32 %i, -40
  %d = select i1 %n, i32 %nj, i32 %j
  %q = sdiv i32 %d, 40
  %nq = sext i1 %n to i32
  %f = xor i32 %q, %nq
  %r = srem i32 %j, 40
  %rn = icmp slt i32 %r, 0
  %r40 = add nsw i32 %r, 40
  %m = select i1 %rn, i32 %r40, i32 %r
  %f40 = mul nsw i32 %f, -40
  %back = sub nsw i32 %f40, %m
  %o = add nsw i32 %back, 700
  %a = sext i32 %o to i64
  %p = getelementptr float, ptr %in, i64 %a
  %v = load float, ptr %p
  %y = zext nneg i32 %i to i64
  %q.y = getelementptr float, ptr %out, i64 %y
  store float %v, ptr %q.y
  ret void
}

; CHECK-LABEL: define ptx_kernel void @masked_dividend(
; CHECK-NOT: {{[su]}}{{div|rem}} i32
; CHECK: ret void
define ptx_kernel void @masked_dividend(ptr noundef %out, ptr noundef %in) #0 {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %j = sub nsw i32 39, %i
  %s = ashr i32 %j, 31
  %d = xor i32 %j, %s
  %q = udiv i32 %d, 40
  %f = xor i32 %q, %s
  %r = srem i32 %j, 40
  %rn = icmp slt i32 %r, 0
  %r40 = add nsw i32 %r, 40
  %m = select i1 %rn, i32 %r40, i32 %r
  %f40 = mul nsw i32 %f, -40
  %back = sub nsw i32 %f40, %m
  %o = add nsw i32 %back, 39
  %a = sext i32 %o to i64
  %p = getelementptr float, ptr %in, i64 %a
  %v = load float, ptr %p
  %y = zext nneg i32 %i to i64
  %q.y = getelementptr float, ptr %out, i64 %y
  store float %v, ptr %q.y
  ret void
}

; CHECK-LABEL: define ptx_kernel void @masked_dividend_negative(
; CHECK: mul
; CHECK: ret void
define ptx_kernel void @masked_dividend_negative(ptr noundef %out, ptr noundef %in) #0 {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %j = sub nsw i32 39, %i
  %s = ashr i32 %j, 31
  %d = xor i32 %j, %s
  %q = udiv i32 %d, 39
  %f = xor i32 %q, %s
  %r = srem i32 %j, 40
  %rn = icmp slt i32 %r, 0
  %r40 = add nsw i32 %r, 40
  %m = select i1 %rn, i32 %r40, i32 %r
  %f40 = mul nsw i32 %f, -40
  %back = sub nsw i32 %f40, %m
  %o = add nsw i32 %back, 700
  %a = sext i32 %o to i64
  %p = getelementptr float, ptr %in, i64 %a
  %v = load float, ptr %p
  %y = zext nneg i32 %i to i64
  %q.y = getelementptr float, ptr %out, i64 %y
  store float %v, ptr %q.y
  ret void
}

; CHECK-LABEL: define ptx_kernel void @inexact_below_zero(
; CHECK-NOT: {{[su]}}{{div|rem}} i32
; CHECK: ret void
define ptx_kernel void @inexact_below_zero(ptr noundef %out, ptr noundef %in) #0 {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %j = sub nsw i32 39, %i
  %q = sdiv i32 %j, 40
  %e = mul nsw i32 %q, 40
  %ne = icmp ne i32 %j, %e
  %n = icmp samesign ugt i32 %i, 39
  %c = and i1 %n, %ne
  %l = sext i1 %c to i32
  %f = add nsw i32 %q, %l
  %r = srem i32 %j, 40
  %rn = icmp slt i32 %r, 0
  %r40 = add nsw i32 %r, 40
  %m = select i1 %rn, i32 %r40, i32 %r
  %f40 = mul nsw i32 %f, -40
  %back = sub nsw i32 %f40, %m
  %o = add nsw i32 %back, 39
  %a = sext i32 %o to i64
  %p = getelementptr float, ptr %in, i64 %a
  %v = load float, ptr %p
  %y = zext nneg i32 %i to i64
  %q.y = getelementptr float, ptr %out, i64 %y
  store float %v, ptr %q.y
  ret void
}

; CHECK-LABEL: define ptx_kernel void @inexact_below_zero_negative(
; CHECK: {{[su]}}div i32
; CHECK: ret void
define ptx_kernel void @inexact_below_zero_negative(ptr noundef %out, ptr noundef %in) #0 {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %j = sub nsw i32 39, %i
  %q = sdiv i32 %j, 40
  %e = mul nsw i32 %q, 40
  %ne = icmp ne i32 %j, %e
  %n = icmp samesign ugt i32 %i, 139
  %c = and i1 %n, %ne
  %l = sext i1 %c to i32
  %f = add nsw i32 %q, %l
  %r = srem i32 %j, 40
  %rn = icmp slt i32 %r, 0
  %r40 = add nsw i32 %r, 40
  %m = select i1 %rn, i32 %r40, i32 %r
  %f40 = mul nsw i32 %f, -40
  %back = sub nsw i32 %f40, %m
  %o = add nsw i32 %back, 700
  %a = sext i32 %o to i64
  %p = getelementptr float, ptr %in, i64 %a
  %v = load float, ptr %p
  %y = zext nneg i32 %i to i64
  %q.y = getelementptr float, ptr %out, i64 %y
  store float %v, ptr %q.y
  ret void
}

; CHECK-LABEL: define ptx_kernel void @sign_of_remainder(
; CHECK-NOT: {{[su]}}{{div|rem}} i32
; CHECK: ret void
define ptx_kernel void @sign_of_remainder(ptr noundef %out, ptr noundef %in) #0 {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %j = sub nsw i32 39, %i
  %q = sdiv i32 %j, 40
  %e = mul i32 %q, 40
  %fr = sub i32 %j, %e
  %l = ashr i32 %fr, 31
  %f = add nsw i32 %l, %q
  %r = srem i32 %j, 40
  %rn = icmp slt i32 %r, 0
  %r40 = add nsw i32 %r, 40
  %m = select i1 %rn, i32 %r40, i32 %r
  %f40 = mul nsw i32 %f, -40
  %back = sub nsw i32 %f40, %m
  %o = add nsw i32 %back, 39
  %a = sext i32 %o to i64
  %p = getelementptr float, ptr %in, i64 %a
  %v = load float, ptr %p
  %y = zext nneg i32 %i to i64
  %q.y = getelementptr float, ptr %out, i64 %y
  store float %v, ptr %q.y
  ret void
}

; CHECK-LABEL: define ptx_kernel void @sign_of_remainder_negative(
; CHECK: {{[su]}}div i32
; CHECK: ret void
define ptx_kernel void @sign_of_remainder_negative(ptr noundef %out, ptr noundef %in) #0 {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %j = sub nsw i32 39, %i
  %q = sdiv i32 %j, 40
  %e = mul i32 %q, 40
  %fr = sub i32 %j, %e
  %l = ashr i32 %fr, 3
  %f = add nsw i32 %l, %q
  %r = srem i32 %j, 40
  %rn = icmp slt i32 %r, 0
  %r40 = add nsw i32 %r, 40
  %m = select i1 %rn, i32 %r40, i32 %r
  %f40 = mul nsw i32 %f, -40
  %back = sub nsw i32 %f40, %m
  %o = add nsw i32 %back, 700
  %a = sext i32 %o to i64
  %p = getelementptr float, ptr %in, i64 %a
  %v = load float, ptr %p
  %y = zext nneg i32 %i to i64
  %q.y = getelementptr float, ptr %out, i64 %y
  store float %v, ptr %q.y
  ret void
}

; The same with a branch in place of the select.
; CHECK-LABEL: define ptx_kernel void @joined_arms(
; CHECK-NOT: {{[su]}}{{div|rem}} i32
; CHECK: ret void
define ptx_kernel void @joined_arms(ptr noundef %out, ptr noundef %in) #0 {
  %b = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b128 = shl nuw nsw i32 %b, 7
  %i = or disjoint i32 %b128, %t
  %j = sub nsw i32 39, %i
  %n = icmp slt i32 %j, 0
  br i1 %n, label %below, label %above
below:
  %nj = xor i32 %j, -1
  %nd = udiv i32 %nj, 40
  %nf = xor i32 %nd, -1
  br label %join
above:
  %d = udiv i32 %j, 40
  br label %join
join:
  %f = phi i32 [ %nf, %below ], [ %d, %above ]
  %r = srem i32 %j, 40
  %rn = icmp slt i32 %r, 0
  %r40 = add nsw i32 %r, 40
  %m = select i1 %rn, i32 %r40, i32 %r
  %f40 = mul nsw i32 %f, -40
  %back = sub nsw i32 %f40, %m
  %o = add nsw i32 %back, 39
  %a = sext i32 %o to i64
  %p = getelementptr float, ptr %in, i64 %a
  %v = load float, ptr %p
  %y = zext nneg i32 %i to i64
  %q.y = getelementptr float, ptr %out, i64 %y
  store float %v, ptr %q.y
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.reqntid"="128" }
