; A quotient by a constant is one nvvm.mulhi.ui if the dividend is bounded well
; enough; LLVM's own expansion of udiv serves every dividend. Quotients that are
; written this way already are recognised.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 512 --block 128 --args out:i32:75000
; RUN: %{run} --kernel bounded %s %t.ll
; RUN: %{run} --kernel bounded_negative %s %t.ll
; RUN: %{run} --kernel existing %s %t.ll
; RUN: %{run} --kernel existing_negative %s %t.ll
; DEFINE: %{digits} = %kernel-run --grid 1 --block 1
; RUN: %{digits} --args out:i32:32768,i32:0 --kernel inexact_digit %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:1 --kernel inexact_digit %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:839 --kernel inexact_digit %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:840 --kernel inexact_digit %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:20159 --kernel inexact_digit %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:20160 --kernel inexact_digit %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:100000 --kernel inexact_digit %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:-1 --kernel inexact_digit %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:-2147483648 --kernel inexact_digit %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:0 --kernel shifted_magic %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:1 --kernel shifted_magic %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:839 --kernel shifted_magic %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:840 --kernel shifted_magic %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:20159 --kernel shifted_magic %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:20160 --kernel shifted_magic %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:100000 --kernel shifted_magic %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:-1 --kernel shifted_magic %s %t.ll
; RUN: %{digits} --args out:i32:32768,i32:-2147483648 --kernel shifted_magic %s %t.ll

; NVPTX selects it as one instruction.
; RUN: %if nvptx %{ llc -mcpu=sm_90 %t.ll -o - | FileCheck %s --check-prefix=PTX %}
; PTX-LABEL: .entry bounded(
; PTX: mul.hi.u32
; PTX-LABEL: .entry bounded_negative(

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

; x < 65536. 613566757 is 2^32 / 7, rounded up. The unbounded expansion would
; be mul.hi, sub, shr, add, shr.
; CHECK-LABEL: define ptx_kernel void @bounded(
; CHECK: br i1
; CHECK-NOT: udiv
; CHECK: call i32 @llvm.nvvm.mulhi.ui(i32 {{.*}}, i32 613566757)
; CHECK-NOT: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @bounded(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 65536
  br i1 %inside, label %write, label %done
write:
  %q = udiv i32 %x, 7
  %r = urem i32 %x, 7
  %q8 = shl nuw nsw i32 %q, 3
  %i = add nuw nsw i32 %q8, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; Any x: no single multiplication serves them all.
; CHECK-LABEL: define ptx_kernel void @bounded_negative(
; CHECK-NOT: mulhi
; CHECK: udiv i32 %x, 7
; CHECK-NOT: mulhi
; CHECK: store
define ptx_kernel void @bounded_negative(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 7
  %e = zext nneg i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; x < 65536: this is x/75, and 75*(x/75) + x%75 is x.
; CHECK-LABEL: define ptx_kernel void @existing(
; CHECK: br i1
; CHECK-NOT: {{udiv|urem|mulhi| add | sub }}
; CHECK: store
define ptx_kernel void @existing(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 65536
  br i1 %inside, label %write, label %done
write:
  %q = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 57266231)
  %q75 = mul nuw nsw i32 %q, 75
  %r = urem i32 %x, 75
  %i = add nuw nsw i32 %q75, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; For large x the product with the rounded factor is not the quotient.
; CHECK-LABEL: define ptx_kernel void @existing_negative(
; CHECK: mulhi.ui(i32 %x, i32 57266231)
; CHECK: {{urem|udiv}} i32 %x, 75
; CHECK: store
define ptx_kernel void @existing_negative(ptr %out) {
  %x = call i32 @id()
  %q = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 57266231)
  %q75 = mul i32 %q, 75
  %r = urem i32 %x, 75
  %i = add i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; The factor is no magic number for all x: what it gives is a value whose digits
; are taken, as LLVM merged them. The dividend of the second one is small.
; CHECK-LABEL: define ptx_kernel void @inexact_digit(
; CHECK: mulhi.ui(i32 %x, i32 -1677082467)
; CHECK: lshr i32 %{{.*}}, 9
; CHECK: mulhi.ui(i32 %{{.*}}, i32 178956971)
; CHECK-NOT: {{lshr|udiv|urem}} i32
; CHECK: store
define ptx_kernel void @inexact_digit(ptr noundef %out, i32 noundef %x) {
  %h = call noundef i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 -1677082467)
  %q = lshr i32 %h, 9
  %d = udiv i32 %h, 12288
  %m = mul i32 %d, -24
  %s = add i32 %m, %q
  %e = zext i32 %s to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; Factor and shift together are one: x / 3 for every x.
; CHECK-LABEL: define ptx_kernel void @shifted_magic(
; CHECK-NOT: mul i32
; CHECK: store
define ptx_kernel void @shifted_magic(ptr noundef %out, i32 noundef %y) {
  %x = and i32 %y, 32767
  %h = call noundef i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 -1431655765)
  %q = lshr i32 %h, 1
  %q3 = mul i32 %q, 3
  %r = urem i32 %x, 3
  %i = add i32 %q3, %r
  %e = zext i32 %i to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
