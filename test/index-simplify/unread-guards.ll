; What a guard says of an index is read again where a later guard, or a later
; part of the same one, makes it readable: `x <u w` says that x is not negative
; once w is known to be a signed number, and `x <u w*h` once w*h does not wrap.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %kernel-run --kernel outer --grid 60 --block 128 --args out:i32:9000,i32:3000 %s %t.ll
; RUN: %kernel-run --kernel outer_negative --grid 60 --block 128 --args out:i32:9000,i32:-1 %s %t.ll
; RUN: %kernel-run --kernel other_width_negative --grid 60 --block 128 --args out:i32:9000,i32:-1,i32:5 %s %t.ll
; RUN: %kernel-run --kernel product --grid 60 --block 128 --args out:i32:9000,i32:100,i32:30 %s %t.ll
; RUN: %kernel-run --kernel product_negative --grid 60 --block 128 --args out:i32:9000,i32:65535,i32:65535 %s %t.ll
; RUN: %kernel-run --kernel chain --grid 60 --block 128 --args out:i32:9000,i32:3000,i32:8000 %s %t.ll
; RUN: %kernel-run --kernel chain_negative --grid 60 --block 128 --args out:i32:9000,i32:-1,i32:8000 %s %t.ll
; RUN: %kernel-run --kernel any_order --grid 60 --block 128 --args out:i32:9000,i32:3000 %s %t.ll
; RUN: %kernel-run --kernel any_order_negative --grid 60 --block 128 --args out:i32:9000,i32:-1 %s %t.ll
; RUN: %kernel-run --kernel not_equal --grid 60 --block 128 --args out:i32:9000,i32:0 %s %t.ll
; RUN: %kernel-run --kernel not_equal_negative --grid 60 --block 128 --args out:i32:9000,i32:0 %s %t.ll
; RUN: %kernel-run --kernel between --grid 60 --block 128 --args out:i32:9000,i32:3000,i32:4 %s %t.ll
; RUN: %kernel-run --kernel signed_product --grid 60 --block 128 --args out:i32:9000,i32:999,i32:999 %s %t.ll
; RUN: %kernel-run --kernel signed_product_negative --grid 60 --block 128 --args out:i32:9000,i32:1000,i32:999 %s %t.ll

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

; 0 <= x < w.
; CHECK-LABEL: define ptx_kernel void @outer(
; CHECK: write:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @outer(ptr %out, i32 noundef %w) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %c0 = icmp ult i32 %x, %w
  br i1 %c0, label %then0, label %done
then0:
  %c1 = icmp sgt i32 %w, 0
  br i1 %c1, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; w may be a large unsigned number.
; CHECK-LABEL: define ptx_kernel void @outer_negative(
; CHECK: write:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @outer_negative(ptr %out, i32 noundef %w) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %c0 = icmp ult i32 %x, %w
  br i1 %c0, label %then0, label %done
then0:
  %c1 = icmp ne i32 %w, 7
  br i1 %c1, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; Nothing is said of w.
; CHECK-LABEL: define ptx_kernel void @other_width_negative(
; CHECK: write:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @other_width_negative(ptr %out, i32 noundef %w, i32 noundef %h) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %c0 = icmp ult i32 %x, %w
  br i1 %c0, label %then0, label %done
then0:
  %c1 = icmp sgt i32 %h, 0
  br i1 %c1, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; w*h is below 2^24 in the inner guard.
; CHECK-LABEL: define ptx_kernel void @product(
; CHECK: write:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @product(ptr %out, i32 noundef %w, i32 noundef %h) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %n = mul i32 %w, %h
  %c0 = icmp ult i32 %x, %n
  br i1 %c0, label %then0, label %done
then0:
  %cw = icmp ult i32 %w, 4096
  %ch = icmp ult i32 %h, 4096
  %c1 = and i1 %cw, %ch
  br i1 %c1, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; It may be above 2^31.
; CHECK-LABEL: define ptx_kernel void @product_negative(
; CHECK: write:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @product_negative(ptr %out, i32 noundef %w, i32 noundef %h) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %n = mul i32 %w, %h
  %c0 = icmp ult i32 %x, %n
  br i1 %c0, label %then0, label %done
then0:
  %cw = icmp ult i32 %w, 65536
  %ch = icmp ult i32 %h, 65536
  %c1 = and i1 %cw, %ch
  br i1 %c1, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; h bounds w, which bounds x.
; CHECK-LABEL: define ptx_kernel void @chain(
; CHECK: write:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @chain(ptr %out, i32 noundef %w, i32 noundef %h) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %c0 = icmp ult i32 %x, %w
  br i1 %c0, label %then0, label %done
then0:
  %c1 = icmp ult i32 %w, %h
  br i1 %c1, label %then1, label %done
then1:
  %c2 = icmp slt i32 %h, 9000
  %c3 = icmp sgt i32 %h, 0
  %c4 = and i1 %c2, %c3
  br i1 %c4, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; h is no upper bound of w.
; CHECK-LABEL: define ptx_kernel void @chain_negative(
; CHECK: write:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @chain_negative(ptr %out, i32 noundef %w, i32 noundef %h) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %c0 = icmp ult i32 %x, %w
  br i1 %c0, label %then0, label %done
then0:
  %c1 = icmp ugt i32 %w, %h
  br i1 %c1, label %then1, label %done
then1:
  %c2 = icmp slt i32 %h, 9000
  %c3 = icmp sgt i32 %h, 0
  %c4 = and i1 %c2, %c3
  br i1 %c4, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; One guard, in this order.
; CHECK-LABEL: define ptx_kernel void @any_order(
; CHECK: write:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @any_order(ptr %out, i32 noundef %w) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %below = icmp uge i32 %x, %w
  %none = icmp slt i32 %w, 1
  %outside = or i1 %below, %none
  %c0 = xor i1 %outside, true
  br i1 %c0, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; The other part says nothing of the sign.
; CHECK-LABEL: define ptx_kernel void @any_order_negative(
; CHECK: write:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @any_order_negative(ptr %out, i32 noundef %w) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %below = icmp uge i32 %x, %w
  %none = icmp eq i32 %w, 1
  %outside = or i1 %below, %none
  %c0 = xor i1 %outside, true
  br i1 %c0, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; x != -1 and x >= -1.
; CHECK-LABEL: define ptx_kernel void @not_equal(
; CHECK: write:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @not_equal(ptr %out, i32 noundef %w) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %c0 = icmp ne i32 %x, -1
  br i1 %c0, label %then0, label %done
then0:
  %c1 = icmp sgt i32 %x, -2
  br i1 %c1, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; x may be -2.
; CHECK-LABEL: define ptx_kernel void @not_equal_negative(
; CHECK: write:
; CHECK: sdiv
; CHECK: store
define ptx_kernel void @not_equal_negative(ptr %out, i32 noundef %w) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %c0 = icmp ne i32 %x, -1
  br i1 %c0, label %then0, label %done
then0:
  %c1 = icmp sgt i32 %x, -3
  br i1 %c1, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; The guard in between is about something else.
; CHECK-LABEL: define ptx_kernel void @between(
; CHECK: write:
; CHECK-NOT: sdiv
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @between(ptr %out, i32 noundef %w, i32 noundef %g) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %c0 = icmp ult i32 %x, %w
  br i1 %c0, label %then0, label %done
then0:
  %c1 = icmp sgt i32 %g, 3
  br i1 %c1, label %then1, label %done
then1:
  %c2 = icmp sgt i32 %w, 0
  br i1 %c2, label %write, label %done
write:
  %q = sdiv i32 %x, 77
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; A signed comparison with a product: w*h is at most 998001.
; CHECK-LABEL: define ptx_kernel void @signed_product(
; CHECK: write:
; CHECK-NOT: div
; CHECK: store i32 0
define ptx_kernel void @signed_product(ptr %out, i32 noundef %w, i32 noundef %h) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %n = mul i32 %w, %h
  %c0 = icmp slt i32 %x, %n
  br i1 %c0, label %then0, label %done
then0:
  %cw = icmp ult i32 %w, 1000
  %ch = icmp ult i32 %h, 1000
  %cb = and i1 %cw, %ch
  %c1 = icmp sgt i32 %x, -1
  %c2 = and i1 %cb, %c1
  br i1 %c2, label %write, label %done
write:
  %q = sdiv i32 %x, 998001
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

; It may be 999000.
; CHECK-LABEL: define ptx_kernel void @signed_product_negative(
; CHECK: write:
; CHECK: {{div|mulhi}}
; CHECK: store i32
define ptx_kernel void @signed_product_negative(ptr %out, i32 noundef %w, i32 noundef %h) {
  %i = call i32 @id()
  %x = sub i32 %i, 2000
  %n = mul i32 %w, %h
  %c0 = icmp slt i32 %x, %n
  br i1 %c0, label %then0, label %done
then0:
  %cw = icmp ult i32 %w, 1001
  %ch = icmp ult i32 %h, 1000
  %cb = and i1 %cw, %ch
  %c1 = icmp sgt i32 %x, -1
  %c2 = and i1 %cb, %c1
  br i1 %c2, label %write, label %done
write:
  %q = sdiv i32 %x, 998001
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
