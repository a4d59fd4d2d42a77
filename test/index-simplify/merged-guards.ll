; `x >= 0 && y >= 0` is one comparison, of x | y, by the time of the pass; each
; of the two is not negative behind it. The same for other bounds of x | y from
; above, and of x & y from below; and `x >= 0 && x % 4 == 0` is a test of bits.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 60 --block 128 --args out:i32:9000
; RUN: %{run} --kernel signs %s %t.ll
; RUN: %{run} --kernel signs_negative %s %t.ll
; RUN: %{run} --kernel three_signs %s %t.ll
; RUN: %{run} --kernel three_signs_negative %s %t.ll
; RUN: %{run} --kernel other_way %s %t.ll
; RUN: %{run} --kernel other_way_negative %s %t.ll
; RUN: %{run} --kernel upper_bound %s %t.ll
; RUN: %{run} --kernel upper_bound_negative %s %t.ll
; RUN: %{run} --kernel lower_bound %s %t.ll
; RUN: %{run} --kernel lower_bound_negative %s %t.ll
; RUN: %{run} --kernel zero %s %t.ll
; RUN: %{run} --kernel zero_negative %s %t.ll
; RUN: %{run} --kernel all_ones %s %t.ll
; RUN: %{run} --kernel all_ones_negative %s %t.ll
; RUN: %{run} --kernel high_bits %s %t.ll
; RUN: %{run} --kernel high_bits_negative %s %t.ll
; RUN: %{run} --kernel low_bits %s %t.ll
; RUN: %{run} --kernel low_bits_negative %s %t.ll
; RUN: %{run} --kernel negative_bits %s %t.ll
; RUN: %{run} --kernel negative_bits_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Any 32-bit number, for all that the pass knows.
define internal noundef i32 @id() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  ret i32 %i
}

; 0 <= x < 3000.
; CHECK-LABEL: define ptx_kernel void @signs(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @signs(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %y = sub i32 %i, 2500
  %both = or i32 %x, %y
  %natural = icmp sgt i32 %both, -1
  %small = icmp slt i32 %x, 3000
  %inside = and i1 %natural, %small
  br i1 %inside, label %write, label %done
write:
  %z = sdiv i32 %x, 3000
  %w = srem i32 %x, 3000
  %z5000 = mul nsw i32 %z, 5000
  %index = add nsw i32 %z5000, %w
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; x | y > -2 holds for any x beside y = -1.
; CHECK-LABEL: define ptx_kernel void @signs_negative(
; CHECK: sdiv i32 %x, 1000
define ptx_kernel void @signs_negative(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 4000
  %h = lshr i32 %i, 4
  %y = sub i32 %h, 250
  %both = or i32 %x, %y
  %natural = icmp sgt i32 %both, -2
  %small = icmp slt i32 %x, 1000
  %inside = and i1 %natural, %small
  br i1 %inside, label %write, label %done
write:
  %z = sdiv i32 %x, 1000
  %w = srem i32 %x, 1000
  %z1500 = mul nsw i32 %z, 1500
  %sum = add nsw i32 %z1500, %w
  %index = add nsw i32 %sum, 7000
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @three_signs(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @three_signs(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %y = sub i32 %i, 2500
  %z = sub i32 %i, 2200
  %two = or i32 %y, %x
  %three = or i32 %z, %two
  %natural = icmp sge i32 %three, 0
  %small = icmp slt i32 %x, 3000
  %inside = and i1 %natural, %small
  br i1 %inside, label %write, label %done
write:
  %q = sdiv i32 %x, 3000
  %w = srem i32 %x, 3000
  %q5000 = mul nsw i32 %q, 5000
  %index = add nsw i32 %q5000, %w
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; Of an `and` that is not negative one operand may be.
; CHECK-LABEL: define ptx_kernel void @three_signs_negative(
; CHECK: sdiv i32 %x, 1000
define ptx_kernel void @three_signs_negative(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 4000
  %two = and i32 %x, %i
  %three = or i32 %two, %i
  %natural = icmp sge i32 %three, 0
  %small = icmp slt i32 %x, 1000
  %inside = and i1 %natural, %small
  br i1 %inside, label %write, label %done
write:
  %z = sdiv i32 %x, 1000
  %w = srem i32 %x, 1000
  %z1500 = mul nsw i32 %z, 1500
  %sum = add nsw i32 %z1500, %w
  %index = add nsw i32 %sum, 7000
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; The code behind `if ((x | y) < 0) return;`.
; CHECK-LABEL: define ptx_kernel void @other_way(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @other_way(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %y = sub i32 %i, 2500
  %both = or i32 %x, %y
  %signed = icmp slt i32 %both, 0
  %large = icmp sgt i32 %x, 2999
  %outside = or i1 %signed, %large
  br i1 %outside, label %done, label %write
write:
  %z = sdiv i32 %x, 3000
  %w = srem i32 %x, 3000
  %z5000 = mul nsw i32 %z, 5000
  %index = add nsw i32 %z5000, %w
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; Behind `if ((x & y) < 0) return;` one of them may still be negative.
; CHECK-LABEL: define ptx_kernel void @other_way_negative(
; CHECK: sdiv i32 %x, 1000
define ptx_kernel void @other_way_negative(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 4000
  %both = and i32 %x, %i
  %signed = icmp slt i32 %both, 0
  %large = icmp sgt i32 %x, 999
  %outside = or i1 %signed, %large
  br i1 %outside, label %done, label %write
write:
  %z = sdiv i32 %x, 1000
  %w = srem i32 %x, 1000
  %z1500 = mul nsw i32 %z, 1500
  %sum = add nsw i32 %z1500, %w
  %index = add nsw i32 %sum, 7000
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @upper_bound(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @upper_bound(ptr %out) {
  %x = call i32 @id()
  %y = lshr i32 %x, 1
  %both = or i32 %x, %y
  %inside = icmp ult i32 %both, 3000
  br i1 %inside, label %write, label %done
write:
  %z = udiv i32 %x, 3000
  %w = urem i32 %x, 3000
  %z5000 = mul nuw i32 %z, 5000
  %index = add nuw i32 %z5000, %w
  %e = zext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; x & y says nothing of the larger one.
; CHECK-LABEL: define ptx_kernel void @upper_bound_negative(
; CHECK: udiv i32 %x, 3000
define ptx_kernel void @upper_bound_negative(ptr %out) {
  %x = call i32 @id()
  %y = lshr i32 %x, 1
  %both = and i32 %x, %y
  %inside = icmp ult i32 %both, 3000
  br i1 %inside, label %write, label %done
write:
  %z = udiv i32 %x, 3000
  %w = urem i32 %x, 3000
  %z2990 = mul nuw i32 %z, 2990
  %index = add nuw i32 %z2990, %w
  %e = zext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; x & y > 2999: so are x and y, and x / 3000 is 1 for an x < 6000.
; CHECK-LABEL: define ptx_kernel void @lower_bound(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @lower_bound(ptr %out) {
  %x = call i32 @id()
  %y = or i32 %x, 8
  %both = and i32 %x, %y
  %large = icmp ugt i32 %both, 2999
  %small = icmp ult i32 %x, 6000
  %inside = and i1 %large, %small
  br i1 %inside, label %write, label %done
write:
  %z = udiv i32 %x, 3000
  %w = urem i32 %x, 3000
  %z5000 = mul nuw i32 %z, 5000
  %index = add nuw i32 %z5000, %w
  %e = zext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; x | y says nothing of the smaller one.
; CHECK-LABEL: define ptx_kernel void @lower_bound_negative(
; CHECK: {{write:}}
; CHECK: {{udiv i32 %x, 3000|mulhi.ui\(i32 %x}}
define ptx_kernel void @lower_bound_negative(ptr %out) {
  %x = call i32 @id()
  %y = or i32 %x, 4096
  %both = or i32 %x, %y
  %large = icmp ugt i32 %both, 2999
  %small = icmp ult i32 %x, 6000
  %inside = and i1 %large, %small
  br i1 %inside, label %write, label %done
write:
  %z = udiv i32 %x, 3000
  %w = urem i32 %x, 3000
  %z5000 = mul nuw i32 %z, 5000
  %index = add nuw i32 %z5000, %w
  %e = zext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; x | y = 0: both are.
; CHECK-LABEL: define ptx_kernel void @zero(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @zero(ptr %out) {
  %x = call i32 @id()
  %y = lshr i32 %x, 1
  %both = or i32 %x, %y
  %inside = icmp eq i32 %both, 0
  br i1 %inside, label %write, label %done
write:
  %z = udiv i32 %x, 3000
  %z5000 = mul nuw i32 %z, 5000
  %e = zext i32 %z5000 to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @zero_negative(
; CHECK: {{write:}}
; CHECK: {{udiv i32 %x, 3000|mulhi.ui\(i32 %x}}
define ptx_kernel void @zero_negative(ptr %out) {
  %x = call i32 @id()
  %y = lshr i32 %x, 1
  %both = and i32 %x, %y
  %inside = icmp eq i32 %both, 0
  br i1 %inside, label %write, label %done
write:
  %z = udiv i32 %x, 3000
  %z3000 = mul nuw i32 %z, 3000
  %e = zext i32 %z3000 to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; x & y = -1: both are. (No thread is there.)
; CHECK-LABEL: define ptx_kernel void @all_ones(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @all_ones(ptr %out) {
  %x = call i32 @id()
  %y = mul i32 %x, 7
  %two = and i32 %y, %x
  %inside = icmp eq i32 %two, -1
  br i1 %inside, label %write, label %done
write:
  %z = sdiv i32 %x, 3000
  %w = srem i32 %x, 3000
  %z5000 = mul nsw i32 %z, 5000
  %index = add nsw i32 %z5000, %w
  %positive = add nsw i32 %index, 1
  %e = sext i32 %positive to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; x | y = -1: neither is known.
; CHECK-LABEL: define ptx_kernel void @all_ones_negative(
; CHECK: sdiv i32 %x, 3000
define ptx_kernel void @all_ones_negative(ptr %out) {
  %x = call i32 @id()
  %y = xor i32 %x, -1
  %h = and i32 %y, -16
  %l = or i32 %h, 15
  %two = or i32 %x, %l
  %inside = icmp eq i32 %two, -1
  br i1 %inside, label %write, label %done
write:
  %z = sdiv i32 %x, 3000
  %w = srem i32 %x, 3000
  %z2990 = mul nsw i32 %z, 2990
  %index = add nsw i32 %z2990, %w
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; 0 <= x < 4096 and x % 8 = 0: the upper digit is 0.
; CHECK-LABEL: define ptx_kernel void @high_bits(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi|ashr|lshr}}
; CHECK: store
define ptx_kernel void @high_bits(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 3000
  %bits = and i32 %x, -4089
  %inside = icmp eq i32 %bits, 0
  br i1 %inside, label %write, label %done
write:
  %z = sdiv i32 %x, 4096
  %w = srem i32 %x, 4096
  %z5000 = mul nsw i32 %z, 5000
  %index = add nsw i32 %z5000, %w
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; Without the highest bit x may be negative.
; CHECK-LABEL: define ptx_kernel void @high_bits_negative(
; CHECK: {{write:}}
; CHECK: {{div|rem|ashr}}
define ptx_kernel void @high_bits_negative(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 3000
  %bits = and i32 %x, 2147479559
  %inside = icmp eq i32 %bits, 0
  br i1 %inside, label %write, label %done
write:
  %z = sdiv i32 %x, 4096
  %w = srem i32 %x, 4096
  %z4000 = mul nsw i32 %z, 4000
  %s = add nsw i32 %z4000, %w
  %index = add nsw i32 %s, 3000
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; x is 5 modulo 8, beside bit 6: x/8*8 + x%8*5 is x - 5 + 25.
; CHECK-LABEL: define ptx_kernel void @low_bits(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi|ashr|lshr}}
; CHECK: store
define ptx_kernel void @low_bits(ptr %out) {
  %i = call i32 @id()
  %x = and i32 %i, 65535
  %bits = and i32 %x, 49223
  %inside = icmp eq i32 %bits, 5
  br i1 %inside, label %write, label %done
write:
  %z = udiv i32 %x, 8
  %w = urem i32 %x, 8
  %z8 = mul nsw i32 %z, 8
  %w5 = mul nsw i32 %w, 5
  %index = add nsw i32 %z8, %w5
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; It is 1 or 5.
; CHECK-LABEL: define ptx_kernel void @low_bits_negative(
; CHECK: {{write:}}
; CHECK: and i32 %i, 7
define ptx_kernel void @low_bits_negative(ptr %out) {
  %i = call i32 @id()
  %x = and i32 %i, 65535
  %bits = and i32 %x, 49219
  %inside = icmp eq i32 %bits, 1
  br i1 %inside, label %write, label %done
write:
  %z = udiv i32 %x, 8
  %w = urem i32 %x, 8
  %z8 = mul nsw i32 %z, 8
  %w5 = mul nsw i32 %w, 5
  %index = add nsw i32 %z8, %w5
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; -4096 <= x < 0: -1 - x is a digit.
; CHECK-LABEL: define ptx_kernel void @negative_bits(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi|ashr|lshr}}
; CHECK: store
define ptx_kernel void @negative_bits(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 3000
  %bits = and i32 %x, -4089
  %inside = icmp eq i32 %bits, -4096
  br i1 %inside, label %write, label %done
write:
  %n = sub nsw i32 -1, %x
  %z = sdiv i32 %n, 4096
  %w = srem i32 %n, 4096
  %z5000 = mul nsw i32 %z, 5000
  %index = add nsw i32 %z5000, %w
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; -8192 <= x < 0.
; CHECK-LABEL: define ptx_kernel void @negative_bits_negative(
; CHECK: {{write:}}
; CHECK: {{div|rem|ashr|lshr}}
define ptx_kernel void @negative_bits_negative(ptr %out) {
  %i = call i32 @id()
  %x = sub i32 %i, 7000
  %bits = and i32 %x, -8185
  %inside = icmp eq i32 %bits, -8192
  br i1 %inside, label %write, label %done
write:
  %n = sub nsw i32 -1, %x
  %z = sdiv i32 %n, 4096
  %w = srem i32 %n, 4096
  %z4000 = mul nsw i32 %z, 4000
  %index = add nsw i32 %z4000, %w
  %e = sext i32 %index to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
