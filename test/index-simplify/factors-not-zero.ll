; A product that is not 0 has no factor that is 0, even where it wraps. So a
; guard `i < n*h*w` makes max(w, 1) the w that it is, and digits by max(w, 1)
; times w are i again. Executed with sizes of 0, too,
; and with products that wrap to 0.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='print<range-facts>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FACTS
; DEFINE: %{run} = %kernel-run --grid 3 --block 32 %s %t.ll
; RUN: %{run} --args out:i32:4000,i32:2,i32:5,i32:7 --kernel product
; RUN: %{run} --args out:i32:4000,i32:2,i32:0,i32:7 --kernel product
; RUN: %{run} --args out:i32:4000,i32:2,i32:65536,i32:65536 --kernel product
; RUN: %{run} --args out:i32:4000,i32:2,i32:5,i32:7 --kernel in_words
; RUN: %{run} --args out:i32:4000,i32:0,i32:5,i32:7 --kernel in_words
; RUN: %{run} --args out:i32:4000,i32:2,i32:5,i32:7 --kernel signed_guard
; RUN: %{run} --args out:i32:4000,i32:-2,i32:5,i32:-7 --kernel signed_guard
; RUN: %{run} --args out:i32:4000,i32:2,i32:0,i32:7 --kernel signed_guard
; RUN: %{run} --args out:i32:4000,i32:0,i32:0,i32:0 --kernel at_most_negative
; RUN: %{run} --args out:i32:4000,i32:2,i32:5,i32:7 --kernel at_most_negative
; RUN: %{run} --args out:i32:4000,i32:9,i32:40,i32:0 --kernel sum_negative
; RUN: %{run} --args out:i32:4000,i32:9,i32:0,i32:40 --kernel sum_negative
; RUN: %{run} --args out:i32:4000,i32:-9,i32:0,i32:7 --kernel signed_guard_negative
; RUN: %{run} --args out:i32:4000,i32:-9,i32:5,i32:0 --kernel signed_guard_negative
; RUN: %{run} --args out:i32:4000,i32:2,i32:0,i32:7 --kernel other_edge_negative
; RUN: %{run} --args out:i32:4000,i32:2,i32:5,i32:0 --kernel other_edge_negative

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; at is i.
; CHECK-LABEL: define ptx_kernel void @product(
; CHECK-NOT: umax
; CHECK-NOT: udiv i32 {{.*}}, %
; CHECK: ret void
; FACTS-LABEL: Range facts of product:
; FACTS: %in:
; FACTS: %plane = {{.*}} floordiv (u(w) * u(h))
define ptx_kernel void @product(ptr noundef %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  %dw = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %dh = call i32 @llvm.umax.i32(i32 %h, i32 1)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %d
  %i = add i32 %first, %t
  %size.hw = mul i32 %h, %w
  %size = mul i32 %size.hw, %n
  %c = icmp ult i32 %i, %size
  br i1 %c, label %in, label %exit
in:
  %row = udiv i32 %i, %dw
  %plane = udiv i32 %row, %dh
  %x = urem i32 %i, %dw
  %y = urem i32 %row, %dh
  %first.row = mul i32 %plane, %h
  %yz = add i32 %first.row, %y
  %yz.w = mul i32 %yz, %w
  %at = add i32 %yz.w, %x
  %at.small = urem i32 %at, 1000
  %to = getelementptr i32, ptr %out, i32 %at.small
  store i32 %i, ptr %to
  br label %exit
exit:
  ret void
}

; Through extensions, a shift, and a test that the size is not 0.
; FACTS-LABEL: Range facts of in_words:
; FACTS: %in:
; FACTS: %plane = {{.*}} floordiv (u(w) * u(h))
define ptx_kernel void @in_words(ptr noundef %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  %dw = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %dh = call i32 @llvm.umax.i32(i32 %h, i32 1)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %d
  %i = add i32 %first, %t
  %w.wide = zext i32 %w to i64
  %h.wide = sext i32 %h to i64
  %size.hw = mul i64 %w.wide, %h.wide
  %n.wide = zext i32 %n to i64
  %size = mul i64 %size.hw, %n.wide
  %size.bytes = shl i64 %size, 2
  %c = icmp eq i64 %size.bytes, 0
  br i1 %c, label %exit, label %in
in:
  %row = udiv i32 %i, %dw
  %plane = udiv i32 %row, %dh
  %x = urem i32 %i, %dw
  %y = urem i32 %row, %dh
  %first.row = mul i32 %plane, %h
  %yz = add i32 %first.row, %y
  %yz.w = mul i32 %yz, %w
  %at = add i32 %yz.w, %x
  %at.small = urem i32 %at, 1000
  %to = getelementptr i32, ptr %out, i32 %at.small
  store i32 %i, ptr %to
  br label %exit
exit:
  ret void
}

; A signed guard of what is not negative.
; FACTS-LABEL: Range facts of signed_guard:
; FACTS: %in:
; FACTS: %plane = {{.*}} floordiv (u(w) * u(h))
define ptx_kernel void @signed_guard(ptr noundef %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  %dw = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %dh = call i32 @llvm.umax.i32(i32 %h, i32 1)
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size.hw = mul i32 %h, %w
  %size = mul i32 %size.hw, %n
  %c = icmp slt i32 %i, %size
  br i1 %c, label %in, label %exit
in:
  %row = udiv i32 %i, %dw
  %plane = udiv i32 %row, %dh
  %x = urem i32 %i, %dw
  %y = urem i32 %row, %dh
  %first.row = mul i32 %plane, %h
  %yz = add i32 %first.row, %y
  %yz.w = mul i32 %yz, %w
  %at = add i32 %yz.w, %x
  %at.small = urem i32 %at, 1000
  %to = getelementptr i32, ptr %out, i32 %at.small
  store i32 %i, ptr %to
  br label %exit
exit:
  ret void
}

; The size may be 0.
; CHECK-LABEL: define ptx_kernel void @at_most_negative(
; CHECK: umax
; CHECK: {{udiv|urem}} i32 %i, %dw
; FACTS-LABEL: Range facts of at_most_negative:
; FACTS: %in:
; FACTS: %plane = {{.*}} floordiv (u(dw) * u(dh))
define ptx_kernel void @at_most_negative(ptr noundef %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  %dw = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %dh = call i32 @llvm.umax.i32(i32 %h, i32 1)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %d
  %i = add i32 %first, %t
  %size.hw = mul i32 %h, %w
  %size = mul i32 %size.hw, %n
  %c = icmp ule i32 %i, %size
  br i1 %c, label %in, label %exit
in:
  %row = udiv i32 %i, %dw
  %plane = udiv i32 %row, %dh
  %x = urem i32 %i, %dw
  %y = urem i32 %row, %dh
  %first.row = mul i32 %plane, %h
  %yz = add i32 %first.row, %y
  %yz.w = mul i32 %yz, %w
  %at = add i32 %yz.w, %x
  %at.small = urem i32 %at, 1000
  %to = getelementptr i32, ptr %out, i32 %at.small
  store i32 %i, ptr %to
  br label %exit
exit:
  ret void
}

; A sum that is not 0 may have a part that is.
; CHECK-LABEL: define ptx_kernel void @sum_negative(
; CHECK: umax
; CHECK: {{udiv|urem}} i32 %i, %dw
; FACTS-LABEL: Range facts of sum_negative:
; FACTS: %in:
; FACTS: %plane = {{.*}} floordiv (u(dw) * u(dh))
define ptx_kernel void @sum_negative(ptr noundef %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  %dw = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %dh = call i32 @llvm.umax.i32(i32 %h, i32 1)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %d
  %i = add i32 %first, %t
  %size = add i32 %h, %w
  %c = icmp ult i32 %i, %size
  br i1 %c, label %in, label %exit
in:
  %row = udiv i32 %i, %dw
  %plane = udiv i32 %row, %dh
  %x = urem i32 %i, %dw
  %y = urem i32 %row, %dh
  %first.row = mul i32 %plane, %h
  %yz = add i32 %first.row, %y
  %yz.w = mul i32 %yz, %w
  %at = add i32 %yz.w, %x
  %at.small = urem i32 %at, 1000
  %to = getelementptr i32, ptr %out, i32 %at.small
  store i32 %i, ptr %to
  br label %exit
exit:
  ret void
}

; What may be negative is below 0 * w, too.
; CHECK-LABEL: define ptx_kernel void @signed_guard_negative(
; CHECK: umax
; CHECK: {{udiv|urem}} i32 %i, %dw
; FACTS-LABEL: Range facts of signed_guard_negative:
; FACTS: %in:
; FACTS: %plane = {{.*}} floordiv (u(dw) * u(dh))
define ptx_kernel void @signed_guard_negative(ptr noundef %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  %dw = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %dh = call i32 @llvm.umax.i32(i32 %h, i32 1)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %n
  %size.hw = mul i32 %h, %w
  %size = mul i32 %size.hw, %n
  %c = icmp slt i32 %i, %size
  br i1 %c, label %in, label %exit
in:
  %row = udiv i32 %i, %dw
  %plane = udiv i32 %row, %dh
  %x = urem i32 %i, %dw
  %y = urem i32 %row, %dh
  %first.row = mul i32 %plane, %h
  %yz = add i32 %first.row, %y
  %yz.w = mul i32 %yz, %w
  %at = add i32 %yz.w, %x
  %at.small = urem i32 %at, 1000
  %to = getelementptr i32, ptr %out, i32 %at.small
  store i32 %i, ptr %to
  br label %exit
exit:
  ret void
}

; Where i is not below the size, that may be 0.
; CHECK-LABEL: define ptx_kernel void @other_edge_negative(
; CHECK: umax
; CHECK: {{udiv|urem}} i32 %i, %dw
; FACTS-LABEL: Range facts of other_edge_negative:
; FACTS: %in:
; FACTS: %plane = {{.*}} floordiv (u(dw) * u(dh))
define ptx_kernel void @other_edge_negative(ptr noundef %out, i32 noundef %n, i32 noundef %h, i32 noundef %w) {
entry:
  %dw = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %dh = call i32 @llvm.umax.i32(i32 %h, i32 1)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %d
  %i = add i32 %first, %t
  %size.hw = mul i32 %h, %w
  %size = mul i32 %size.hw, %n
  %c = icmp ult i32 %i, %size
  br i1 %c, label %exit, label %in
in:
  %row = udiv i32 %i, %dw
  %plane = udiv i32 %row, %dh
  %x = urem i32 %i, %dw
  %y = urem i32 %row, %dh
  %first.row = mul i32 %plane, %h
  %yz = add i32 %first.row, %y
  %yz.w = mul i32 %yz, %w
  %at = add i32 %yz.w, %x
  %at.small = urem i32 %at, 1000
  %to = getelementptr i32, ptr %out, i32 %at.small
  store i32 %i, ptr %to
  br label %exit
exit:
  ret void
}

