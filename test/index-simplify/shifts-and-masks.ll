; Shifts and masks are divisions and remainders by powers of two.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128 --args out:i32:6000
; RUN: %{run} --kernel fields %s %t.ll
; RUN: %{run} --kernel fields_negative %s %t.ll
; RUN: %{run} --kernel high_mask %s %t.ll
; RUN: %{run} --kernel high_mask_negative %s %t.ll
; RUN: %{run} --kernel gaps %s %t.ll
; RUN: %{run} --kernel gaps_negative %s %t.ll
; RUN: %{run} --kernel arithmetic %s %t.ll
; RUN: %{run} --kernel arithmetic_negative %s %t.ll
; RUN: %{run} --kernel mirror %s %t.ll
; RUN: %{run} --kernel mirror_negative %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:1,i32:-123456,i32:255 --kernel masked %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:1,i32:-123456,i32:3 --kernel shifted %s %t.ll

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

; Three bit fields, joined with the strides they had.
; CHECK-LABEL: define ptx_kernel void @fields(
; CHECK-NOT: {{lshr| and | or | add | sub }}
; CHECK: store
define ptx_kernel void @fields(ptr %out) {
  %x = call i32 @id()
  %a = lshr i32 %x, 7
  %bs = lshr i32 %x, 3
  %b = and i32 %bs, 15
  %c = and i32 %x, 7
  %a128 = mul i32 %a, 128
  %b8 = mul i32 %b, 8
  %ab = add i32 %a128, %b8
  %i = add i32 %ab, %c
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; The upper three bits are gone after the left shift.
; CHECK-LABEL: define ptx_kernel void @fields_negative(
; CHECK: {{lshr i32|and i32}} {{.*}}, {{3|536870911}}
; CHECK: store
define ptx_kernel void @fields_negative(ptr %out) {
  %x = call i32 @id()
  %l = shl i32 %x, 3
  %i = lshr i32 %l, 3
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; (x & -8) + (x & 7), among digits of another radix.
; CHECK-LABEL: define ptx_kernel void @high_mask(
; CHECK-NOT: {{div|rem|mulhi| and | or | add | sub }}
; CHECK: store
define ptx_kernel void @high_mask(ptr %out) {
  %x = call i32 @id()
  %h = and i32 %x, -8
  %l = and i32 %x, 7
  %y = add i32 %h, %l
  %q = udiv i32 %y, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; Not adjacent bits: no digit.
; CHECK-LABEL: define ptx_kernel void @high_mask_negative(
; CHECK: and i32 %x, 4085
; CHECK: store
define ptx_kernel void @high_mask_negative(ptr %out) {
  %x = call i32 @id()
  %i = and i32 %x, 4085
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; Bit 1 of 4*x + 1 is 0, so a mask without it is the digit all the same.
; CHECK-LABEL: define ptx_kernel void @gaps(
; CHECK-NOT: {{lshr i32 %y|and i32}}
; CHECK: store
define ptx_kernel void @gaps(ptr %out) {
  %x = call i32 @id()
  %x4 = shl i32 %x, 2
  %y = or disjoint i32 %x4, 1
  %low = and i32 %y, 29
  %high = lshr i32 %y, 5
  %high32 = shl i32 %high, 5
  %i = or disjoint i32 %high32, %low
  %part = udiv i32 %i, 4
  %e = zext i32 %part to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; Bit 1 of 2*x + 1 is one of x.
; CHECK-LABEL: define ptx_kernel void @gaps_negative(
; CHECK: and i32 %{{.*}}, 29
; CHECK: store
define ptx_kernel void @gaps_negative(ptr %out) {
  %x = call i32 @id()
  %x2 = shl i32 %x, 1
  %y = or disjoint i32 %x2, 1
  %low = and i32 %y, 29
  %high = lshr i32 %y, 5
  %high32 = shl i32 %high, 5
  %i = or disjoint i32 %high32, %low
  %part = udiv i32 %i, 4
  %e = zext i32 %part to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; ashr rounds down, and so does the mask: they fit together for every sign.
; CHECK-LABEL: define ptx_kernel void @arithmetic(
; CHECK-NOT: {{ashr|lshr| and | or | add }}
; CHECK: sext i32 %s to i64
; CHECK-NOT: {{ashr|lshr| and | or | add }}
; CHECK: store
define ptx_kernel void @arithmetic(ptr %out) {
  %x = call i32 @id()
  %s = sub i32 %x, 2560
  %q = ashr i32 %s, 3
  %r = and i32 %s, 7
  %q8 = shl nsw i32 %q, 3
  %i = or disjoint i32 %q8, %r
  %e = sext i32 %i to i64
  %middle = getelementptr inbounds i32, ptr %out, i64 2560
  %p = getelementptr inbounds i32, ptr %middle, i64 %e
  store i32 %x, ptr %p
  ret void
}

; lshr reads the same bits as a large unsigned number.
; CHECK-LABEL: define ptx_kernel void @arithmetic_negative(
; CHECK-DAG: lshr i32 %{{.*}}, 3
; CHECK-DAG: {{ashr|and}} i{{32|64}} %
; CHECK: store
define ptx_kernel void @arithmetic_negative(ptr %out) {
  %x = call i32 @id()
  %s = sub i32 %x, 2560
  %q = lshr i32 %s, 3
  %h = ashr i32 %s, 3
  %q64 = zext i32 %q to i64
  %h64 = sext i32 %h to i64
  %d = sub i64 %q64, %h64
  %small = and i64 %d, 511
  %p = getelementptr inbounds i32, ptr %out, i64 %small
  store i32 1, ptr %p
  ret void
}

; xor with all ones of a digit mirrors it: twice is where it was.
; CHECK-LABEL: define ptx_kernel void @mirror(
; CHECK-NOT: {{xor|lshr| and | or | add | sub }}
; CHECK: store
define ptx_kernel void @mirror(ptr %out) {
  %x = call i32 @id()
  %q = lshr i32 %x, 3
  %r = and i32 %x, 7
  %m = xor i32 %r, 7
  %r2 = sub i32 7, %m
  %q8 = shl i32 %q, 3
  %i = add i32 %q8, %r2
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  ret void
}

; 4 and 1 are not all the bits of the digit.
; CHECK-LABEL: define ptx_kernel void @mirror_negative(
; CHECK: xor i32 {{.*}}, 5
; CHECK: store
define ptx_kernel void @mirror_negative(ptr %out) {
  %x = call i32 @id()
  %r = and i32 %x, 7
  %m = xor i32 %r, 5
  %e = zext i32 %m to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; What is not known of a mask or an amount ends the form, not the index in front.
; CHECK-LABEL: define ptx_kernel void @masked(
; CHECK-NEXT: and i32 %x, %m
; CHECK-NEXT: store
define ptx_kernel void @masked(ptr noundef %out, i32 noundef %x, i32 noundef %m) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %a = and i32 %i, %m
  store i32 %a, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @shifted(
; CHECK-NEXT: lshr i32 %x, %m
; CHECK-NEXT: store
define ptx_kernel void @shifted(ptr noundef %out, i32 noundef %x, i32 noundef %m) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %a = lshr i32 %i, %m
  store i32 %a, ptr %out
  ret void
}
