; Guards of neighbouring elements are one if their low bits are known.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=index-simplify -S %t.ll | FileCheck %s
; RUN: %unravel-opt -passes=index-simplify -debug-counter=index-simplify-aligned-compares=0 -S %s | FileCheck %s --check-prefix=COUNTER
; DEFINE: %{run} = %kernel-run --grid 3 --block 32 --args out:i32:512,i32:80
; RUN: %{run} --kernel neighbours %s %t.ll
; RUN: %{run} --kernel backwards %s %t.ll
; RUN: %{run} --kernel run_time %s %t.ll
; RUN: %{run} --kernel odd_size_negative %s %t.ll
; RUN: %{run} --kernel no_multiple_negative %s %t.ll
; RUN: %{run} --kernel signs_negative %s %t.ll
; RUN: %{run} --kernel value_negative %s %t.ll
; RUN: %{run} --kernel rewritten_first %s %t.ll
; RUN: %{run} --kernel rewritten_first_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @neighbours(
; CHECK: [[C:%.*]] = icmp ult i32 {{%[^,]*}}, 300
; CHECK-NOT: icmp
; CHECK: br i1 [[C]], label %a, label %then
; CHECK-NOT: icmp
; CHECK: br i1 [[C]], label %b, label %done
; COUNTER-LABEL: @neighbours(
; COUNTER: icmp ult i32 {{%[^,]*}}, 300
define ptx_kernel void @neighbours(ptr %out, i32 %n) {
entry:
  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %b0, 7
  %four = shl nuw nsw i32 %t, 2
  %i = or disjoint i32 %base, %four
  %c = icmp ult i32 %i, 300
  br i1 %c, label %a, label %then
a:
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 1, ptr %p
  br label %then
then:
  %j = or disjoint i32 %i, 3
  %d = icmp ult i32 %j, 300
  br i1 %d, label %b, label %done
b:
  %q = getelementptr i32, ptr %out, i32 %j
  store i32 2, ptr %q
  br label %done
done:
  ret void
}

; The other direction, of the value in front: as LLVM leaves `i + 3 < 300`.
; CHECK-LABEL: define ptx_kernel void @backwards(
; CHECK: [[C:%.*]] = icmp slt i32 {{%[^,]*}}, 300
; CHECK-NOT: icmp
; CHECK: [[D:%.*]] = xor i1 [[C]], true
; CHECK: br i1 [[D]], label %done, label %b
define ptx_kernel void @backwards(ptr %out, i32 %n) {
entry:
  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %b0, 7
  %four = shl nuw nsw i32 %t, 2
  %i = or disjoint i32 %base, %four
  %c = icmp slt i32 %i, 300
  br i1 %c, label %a, label %then
a:
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 1, ptr %p
  br label %then
then:
  %d = icmp sgt i32 %i, 296
  br i1 %d, label %done, label %b
b:
  %j = or disjoint i32 %i, 3
  %q = getelementptr i32, ptr %out, i32 %j
  store i32 2, ptr %q
  br label %done
done:
  ret void
}

; A size that is a multiple of 4.
; CHECK-LABEL: define ptx_kernel void @run_time(
; CHECK: [[C:%.*]] = icmp slt i32 {{%[^,]*}}, %size
; CHECK-NOT: icmp
; CHECK: br i1 [[C]], label %b, label %done
define ptx_kernel void @run_time(ptr %out, i32 %n) {
entry:
  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = shl i32 %n, 2
  %base = shl i32 %b0, 7
  %four = shl nuw nsw i32 %t, 2
  %i = or disjoint i32 %base, %four
  %c = icmp slt i32 %i, %size
  br i1 %c, label %a, label %then
a:
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 1, ptr %p
  br label %then
then:
  %j = or disjoint i32 %i, 3
  %d = icmp slt i32 %j, %size
  br i1 %d, label %b, label %done
b:
  %q = getelementptr i32, ptr %out, i32 %j
  store i32 2, ptr %q
  br label %done
done:
  ret void
}

; The last element of the last thread is beyond 302.
; CHECK-LABEL: define ptx_kernel void @odd_size_negative(
; CHECK: icmp ult i32 {{%[^,]*}}, 304
; CHECK: icmp ult i32 {{%[^,]*}}, 300
define ptx_kernel void @odd_size_negative(ptr %out, i32 %n) {
entry:
  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %b0, 7
  %four = shl nuw nsw i32 %t, 2
  %i = or disjoint i32 %base, %four
  %c = icmp ult i32 %i, 302
  br i1 %c, label %a, label %then
a:
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 1, ptr %p
  br label %then
then:
  %j = or disjoint i32 %i, 3
  %d = icmp ult i32 %j, 302
  br i1 %d, label %b, label %done
b:
  %q = getelementptr i32, ptr %out, i32 %j
  store i32 2, ptr %q
  br label %done
done:
  ret void
}

; A size of which no bit is known.
; CHECK-LABEL: define ptx_kernel void @no_multiple_negative(
; CHECK: icmp ult i32 {{%[^,]*}}, %n
; CHECK: icmp ult i32 {{%[^,]*}}, %n
define ptx_kernel void @no_multiple_negative(ptr %out, i32 %n) {
entry:
  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %b0, 7
  %four = shl nuw nsw i32 %t, 2
  %i = or disjoint i32 %base, %four
  %c = icmp ult i32 %i, %n
  br i1 %c, label %a, label %then
a:
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 1, ptr %p
  br label %then
then:
  %j = or disjoint i32 %i, 3
  %d = icmp ult i32 %j, %n
  br i1 %d, label %b, label %done
b:
  %q = getelementptr i32, ptr %out, i32 %j
  store i32 2, ptr %q
  br label %done
done:
  ret void
}

; Signed and unsigned order differ for negative numbers.
; CHECK-LABEL: define ptx_kernel void @signs_negative(
; CHECK: icmp ult i32 {{%[^,]*}}, 300
; CHECK: icmp slt i32 {{%[^,]*}}, 300
define ptx_kernel void @signs_negative(ptr %out, i32 %n) {
entry:
  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %b0, 7
  %four = shl nuw nsw i32 %t, 2
  %up = or disjoint i32 %base, %four
  %i = sub i32 %up, 128
  %at = and i32 %i, 511
  %c = icmp ult i32 %i, 300
  br i1 %c, label %a, label %then
a:
  %p = getelementptr i32, ptr %out, i32 %at
  store i32 1, ptr %p
  br label %then
then:
  %j = or disjoint i32 %i, 3
  %d = icmp slt i32 %j, 300
  br i1 %d, label %b, label %done
b:
  %w = or disjoint i32 %at, 3
  %q = getelementptr i32, ptr %out, i32 %w
  store i32 2, ptr %q
  br label %done
done:
  ret void
}

; The opposite as a number is an instruction more.
; CHECK-LABEL: define ptx_kernel void @value_negative(
; CHECK: icmp slt i32 {{%[^,]*}}, 300
; CHECK: [[D:%.*]] = icmp slt i32 299, 
; CHECK: zext i1 [[D]] to i32
define ptx_kernel void @value_negative(ptr %out, i32 %n) {
entry:
  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %b0, 7
  %four = shl nuw nsw i32 %t, 2
  %i = or disjoint i32 %base, %four
  %c = icmp slt i32 %i, 300
  br i1 %c, label %a, label %then
a:
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 1, ptr %p
  br label %then
then:
  %d = icmp sgt i32 %i, 298
  %z = zext i1 %d to i32
  %j = or disjoint i32 %i, 3
  %q = getelementptr i32, ptr %out, i32 %j
  store i32 %z, ptr %q
  ret void
}

; The bits of %phi are known only once %x has become 4 * t.
; CHECK-LABEL: define ptx_kernel void @rewritten_first(
; CHECK: icmp ult i32 {{%[^,]*}}, 172
define ptx_kernel void @rewritten_first(ptr %out, i32 %n) {
entry:
  %b0 = call range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 3
  %r = urem i32 %t, 3
  %q12 = mul nuw nsw i32 %q, 12
  %r4 = mul nuw nsw i32 %r, 4
  %x = add nuw nsw i32 %q12, %r4
  %s = icmp ult i32 %b0, 2
  br i1 %s, label %one, label %other
one:
  %z = mul nuw nsw i32 %b0, 4
  br label %other
other:
  %phi = phi i32 [ %x, %entry ], [ %z, %one ]
  %m = urem i32 %phi, 300
  %c = icmp ult i32 %m, 169
  br i1 %c, label %a, label %done
a:
  %p = getelementptr i32, ptr %out, i32 %m
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @rewritten_first_negative(
; CHECK: icmp ult i32 {{%[^,]*}}, 169
define ptx_kernel void @rewritten_first_negative(ptr %out, i32 %n) {
entry:
  %b0 = call range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 3
  %r = urem i32 %t, 3
  %q12 = mul nuw nsw i32 %q, 12
  %r4 = mul nuw nsw i32 %r, 4
  %x = add nuw nsw i32 %q12, %r4
  %s = icmp ult i32 %b0, 2
  br i1 %s, label %one, label %other
one:
  %z = mul nuw nsw i32 %b0, 5
  br label %other
other:
  %phi = phi i32 [ %x, %entry ], [ %z, %one ]
  %m = urem i32 %phi, 300
  %c = icmp ult i32 %m, 169
  br i1 %c, label %a, label %done
a:
  %p = getelementptr i32, ptr %out, i32 %m
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
