; Floor division and its remainder by a size that is only known at run time, for
; dividends of either sign, in the spellings of C, Python and MLIR as LLVM leaves
; them: one division is left, and quotient * size + remainder is the dividend
; again. All sizes up to 40, all dividends from -500 to 523 are executed. The
; twins correct for another comparison, by another number, or by a size of which
; the sign is not known, and keep what they compute.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 1024 --args out:i32:40960
; RUN: %{run} --kernel by_remainder %s %t.ll
; RUN: %{run} --kernel by_remainder_negative %s %t.ll
; RUN: %{run} --kernel multiple_of_remainder_negative %s %t.ll
; RUN: %{run} --kernel by_sign_mask %s %t.ll
; RUN: %{run} --kernel by_sign_mask_negative %s %t.ll
; RUN: %{run} --kernel python %s %t.ll
; RUN: %{run} --kernel python_negative %s %t.ll
; RUN: %{run} --kernel remainder_of_64_bits %s %t.ll
; RUN: %{run} --kernel low_word_of_64_bits %s %t.ll
; RUN: %{run} --kernel python_64 %s %t.ll
; RUN: %{run} --kernel complement %s %t.ll
; RUN: %{run} --kernel lowered_dividend %s %t.ll
; RUN: %{run} --kernel lowered_dividend_negative %s %t.ll
; RUN: %{run} --kernel wrapped_twice %s %t.ll
; RUN: %{run} --kernel wrapped_twice_negative %s %t.ll
; RUN: %{run} --kernel corrected_remainder %s %t.ll
; RUN: %{run} --kernel corrected_by_other_negative %s %t.ll
; RUN: %{run} --kernel unknown_sign_negative %s %t.ll
; RUN: %{run} --kernel branches %s %t.ll
; RUN: %{run} --kernel branches_negative %s %t.ll
; RUN: %{run} --kernel one_target_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @by_remainder(
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @by_remainder(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %q0 = sdiv i32 %x, %d
  %r = srem i32 %x, %d
  %n = icmp slt i32 %r, 0
  %c = sext i1 %n to i32
  %q = add nsw i32 %q0, %c
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @by_remainder_negative(
; CHECK: {{[su]}}div i
; CHECK: ret void
define ptx_kernel void @by_remainder_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %q0 = sdiv i32 %x, %d
  %r = srem i32 %x, %d
  %n = icmp slt i32 %r, 1
  %c = sext i1 %n to i32
  %q = add nsw i32 %q0, %c
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @multiple_of_remainder_negative(
; CHECK: udiv i
; CHECK: ret void
define ptx_kernel void @multiple_of_remainder_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %x1 = add nuw nsw i32 %t, 1
  %q = udiv i32 %x1, %d
  %r = urem i32 %x1, %d
  %r3 = mul nuw nsw i32 %r, 3
  %g = add nsw i32 %r3, -1
  %n = icmp slt i32 %g, 0
  %c = zext i1 %n to i32
  %x3 = mul nuw nsw i32 %x1, 3
  %x31 = add nsw i32 %x3, -1
  %q3 = udiv i32 %x31, %d
  %q33 = mul nuw nsw i32 %q, 3
  %a = sub nsw i32 %q3, %q33
  %v = add nsw i32 %a, %c
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @by_sign_mask(
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @by_sign_mask(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %q0 = sdiv i32 %x, %d
  %f = mul nsw i32 %q0, %d
  %r = sub nsw i32 %x, %f
  %c = ashr i32 %r, 31
  %q = add nsw i32 %q0, %c
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @by_sign_mask_negative(
; CHECK: {{[su]}}div i
; CHECK: ret void
define ptx_kernel void @by_sign_mask_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %q0 = sdiv i32 %x, %d
  %f = mul nsw i32 %q0, %d
  %r = sub nsw i32 %x, %f
  %c = ashr i32 %r, 30
  %c2 = ashr i32 %x, 31
  %q = add nsw i32 %q0, %c2
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @python(
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @python(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %q0 = sdiv i32 %x, %d
  %f = mul i32 %q0, %d
  %r = sub i32 %x, %f
  %nz = icmp ne i32 %r, 0
  %n = icmp slt i32 %x, 0
  %both = and i1 %n, %nz
  %c = sext i1 %both to i32
  %q = add nsw i32 %q0, %c
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @python_negative(
; CHECK: {{[su]}}div i
; CHECK: ret void
define ptx_kernel void @python_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %q0 = sdiv i32 %x, %d
  %f = mul i32 %q0, %d
  %r = sub i32 %x, %f
  %nz = icmp ne i32 %r, -1
  %n = icmp slt i32 %x, 0
  %both = and i1 %n, %nz
  %c = sext i1 %both to i32
  %q = add nsw i32 %q0, %c
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @remainder_of_64_bits(
; CHECK: sdiv i64
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ashr i64 %{{.*}}, 63
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @remainder_of_64_bits(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d3 = add nuw nsw i32 %b, 1
  %x3 = add nsw i32 %t, -500
  %d = zext nneg i32 %d3 to i64
  %x = sext i32 %x3 to i64
  %dw = shl nuw nsw i64 %d, 40
  %x38 = shl nsw i64 %x, 38
  %xw = add nsw i64 %x38, %x
  %r = srem i64 %xw, %dw
  %rd = add nsw i64 %r, %dw
  %m = srem i64 %rd, %dw
  %v = lshr i64 %m, 20
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  %v3 = trunc i64 %v to i32
  store i32 %v3, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @low_word_of_64_bits(
; CHECK: sdiv i64
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @low_word_of_64_bits(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d3 = add nuw nsw i32 %b, 1
  %x3 = add nsw i32 %t, -500
  %d = zext nneg i32 %d3 to i64
  %x = sext i32 %x3 to i64
  %d40 = shl nuw nsw i64 %d, 40
  %dw = or disjoint i64 %d40, 1
  %xw = shl nsw i64 %x, 38
  %r = srem i64 %xw, %dw
  %rd = add nsw i64 %r, %dw
  %v = srem i64 %rd, %dw
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  %v3 = trunc i64 %v to i32
  store i32 %v3, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @python_64(
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @python_64(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d3 = add nuw nsw i32 %b, 1
  %x3 = add nsw i32 %t, -500
  %d = zext nneg i32 %d3 to i64
  %x = sext i32 %x3 to i64
  %q0 = sdiv i64 %x, %d
  %f = mul i64 %q0, %d
  %r = sub i64 %x, %f
  %z = icmp eq i64 %r, 0
  %s = ashr i64 %x, 63
  %c = select i1 %z, i64 0, i64 %s
  %q = add nsw i64 %q0, %c
  %fr0 = srem i64 %x, %d
  %fn = icmp slt i64 %fr0, 0
  %frd = add nsw i64 %fr0, %d
  %m = select i1 %fn, i64 %frd, i64 %fr0
  %fq = mul nsw i64 %q, %d
  %v = add nsw i64 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  %v3 = trunc i64 %v to i32
  store i32 %v3, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @complement(
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @complement(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %n = icmp slt i32 %x, 0
  %s = sext i1 %n to i32
  %y = xor i32 %x, %s
  %q0 = udiv i32 %y, %d
  %q = xor i32 %q0, %s
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @lowered_dividend(
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @lowered_dividend(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %n = icmp slt i32 %x, 0
  %x1 = sub nsw i32 %x, %d
  %x2 = add nsw i32 %x1, 1
  %y = select i1 %n, i32 %x2, i32 %x
  %q = sdiv i32 %y, %d
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @lowered_dividend_negative(
; CHECK: {{[su]}}div i
; CHECK: ret void
define ptx_kernel void @lowered_dividend_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %n = icmp slt i32 %x, 0
  %x1 = sub nsw i32 %x, %d
  %y = select i1 %n, i32 %x1, i32 %x
  %q = sdiv i32 %y, %d
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @wrapped_twice(
; CHECK: {{[su]}}{{div|rem}} i32
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @wrapped_twice(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %r = srem i32 %x, %d
  %rd = add nsw i32 %r, %d
  %v = srem i32 %rd, %d
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @wrapped_twice_negative(
; CHECK: {{[su]}}{{div|rem}} i
; CHECK: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @wrapped_twice_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %r = srem i32 %x, %d
  %rd = add nsw i32 %r, %d
  %d1 = add nuw nsw i32 %d, 1
  %v = srem i32 %rd, %d1
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @corrected_remainder(
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @corrected_remainder(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %r = srem i32 %x, %d
  %rd = add nsw i32 %r, %d
  %rr = srem i32 %rd, %d
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m1 = select i1 %fn, i32 %frd, i32 %fr0
  %v = sub nsw i32 %rr, %m1
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @corrected_by_other_negative(
; CHECK: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @corrected_by_other_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %r = srem i32 %x, %d
  %rd = add nsw i32 %r, %d
  %rr = srem i32 %rd, %d
  %d1 = add nuw nsw i32 %d, 1
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d1
  %m1 = select i1 %fn, i32 %frd, i32 %fr0
  %v = sub nsw i32 %rr, %m1
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unknown_sign_negative(
; CHECK: {{[su]}}{{div|rem}} i
; CHECK: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @unknown_sign_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = sub nsw i32 20, %b
  %z = icmp eq i32 %e, 0
  %d = select i1 %z, i32 21, i32 %e
  %x = add nsw i32 %t, -500
  %r = srem i32 %x, %d
  %rd = add nsw i32 %r, %d
  %v = srem i32 %rd, %d
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @branches(
; CHECK-NOT: {{[su]}}{{div|rem}} i
; CHECK: ret void
define ptx_kernel void @branches(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %q0 = sdiv i32 %x, %d
  %n = icmp slt i32 %x, 0
  br i1 %n, label %below, label %join

below:
  %nx = xor i32 %x, -1
  %nq = udiv i32 %nx, %d
  %cq = xor i32 %nq, -1
  br label %join

join:
  %q = phi i32 [ %cq, %below ], [ %q0, %0 ]
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @branches_negative(
; CHECK: {{[su]}}div i
; CHECK: ret void
define ptx_kernel void @branches_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %q0 = sdiv i32 %x, %d
  %n = icmp slt i32 %x, 1
  br i1 %n, label %below, label %join

below:
  %nx = sub i32 0, %x
  %nq = udiv i32 %nx, %d
  %cq = xor i32 %nq, -1
  br label %join

join:
  %q = phi i32 [ %cq, %below ], [ %q0, %0 ]
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @one_target_negative(
; CHECK: {{[su]}}div i
; CHECK: ret void
define ptx_kernel void @one_target_negative(ptr noundef %out) {
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = add nuw nsw i32 %b, 1
  %x = add nsw i32 %t, -500
  %q0 = sdiv i32 %x, %d
  %n = icmp sge i32 %x, 0
  br i1 %n, label %join, label %join

join:
  %q = phi i32 [ %q0, %0 ], [ %q0, %0 ]
  %fr0 = srem i32 %x, %d
  %fn = icmp slt i32 %fr0, 0
  %frd = add nsw i32 %fr0, %d
  %m = select i1 %fn, i32 %frd, i32 %fr0
  %fq = mul nsw i32 %q, %d
  %v = add nsw i32 %fq, %m
  %row = shl nuw nsw i32 %b, 10
  %at = or disjoint i32 %row, %t
  %p = getelementptr inbounds i32, ptr %out, i32 %at
  store i32 %v, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
