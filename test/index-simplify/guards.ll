; A branch tells what holds behind it, in both directions.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 60 --block 128 --args out:i32:9000
; RUN: %{run} --kernel taken %s %t.ll
; RUN: %{run} --kernel taken_negative %s %t.ll
; RUN: %{run} --kernel not_taken %s %t.ll
; RUN: %{run} --kernel not_taken_negative %s %t.ll
; RUN: %{run} --kernel both %s %t.ll
; RUN: %{run} --kernel both_negative %s %t.ll
; RUN: %{run} --kernel neither %s %t.ll
; RUN: %{run} --kernel neither_negative %s %t.ll
; RUN: %{run} --kernel one_compare %s %t.ll
; RUN: %{run} --kernel one_compare_negative %s %t.ll
; RUN: %{run} --kernel masked_wrap %s %t.ll
; RUN: %{run} --kernel masked_wrap_negative %s %t.ll
; RUN: %{run} --kernel case %s %t.ll
; RUN: %{run} --kernel case_negative %s %t.ll

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

; x < 3000: the upper digit is 0, and the signed division an identity.
; CHECK-LABEL: define ptx_kernel void @taken(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @taken(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 3000
  br i1 %inside, label %write, label %done
write:
  %z = sdiv i32 %x, 3000
  %w = srem i32 %x, 3000
  %z5000 = mul nsw i32 %z, 5000
  %i = add nsw i32 %z5000, %w
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; Behind the join of both ways x may be anything.
; CHECK-LABEL: define ptx_kernel void @taken_negative(
; CHECK: {{^join}}
; CHECK: {{urem|udiv}} i32 %x, 3000
define ptx_kernel void @taken_negative(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 3000
  br i1 %inside, label %write, label %join
write:
  store i32 %x, ptr %out
  br label %join
join:
  %w = urem i32 %x, 3000
  %e = zext nneg i32 %w to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; Behind the other edge x >= 3000, and then x < 6000: the quotient is 1.
; CHECK-LABEL: define ptx_kernel void @not_taken(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @not_taken(ptr %out) {
  %x = call i32 @id()
  %low = icmp ult i32 %x, 3000
  br i1 %low, label %done, label %upper
upper:
  %high = icmp ugt i32 %x, 5999
  br i1 %high, label %done, label %write
write:
  %q = udiv i32 %x, 3000
  %r = urem i32 %x, 3000
  %i = add nuw nsw i32 %q, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; Up to 6000 included the quotient may be 2.
; CHECK-LABEL: define ptx_kernel void @not_taken_negative(
; CHECK: {{^write}}
; CHECK: {{udiv|urem|mulhi}}
; CHECK: store
define ptx_kernel void @not_taken_negative(ptr %out) {
  %x = call i32 @id()
  %low = icmp ult i32 %x, 3000
  br i1 %low, label %done, label %upper
upper:
  %high = icmp ugt i32 %x, 6000
  br i1 %high, label %done, label %write
write:
  %q = udiv i32 %x, 3000
  %e = zext nneg i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; Both operands of a true `and`, the plain one and the logical one.
; CHECK-LABEL: define ptx_kernel void @both(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @both(ptr %out) {
  %x = call i32 @id()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ult i32 %x, 75
  %b = icmp ult i32 %t, 40
  %even = and i32 %x, 1
  %c = icmp eq i32 %even, 0
  %ab = and i1 %a, %b
  %abc = select i1 %ab, i1 %c, i1 false
  br i1 %abc, label %write, label %done
write:
  %x75 = urem i32 %x, 75
  %t40 = urem i32 %t, 40
  %t75 = mul nuw nsw i32 %t40, 75
  %i = add nuw nsw i32 %t75, %x75
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; Of a true `or` only one operand needs to be true.
; CHECK-LABEL: define ptx_kernel void @both_negative(
; CHECK: {{^write}}
; CHECK: {{urem|udiv}} i32 %x, 75
; CHECK: store
define ptx_kernel void @both_negative(ptr %out) {
  %x = call i32 @id()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ult i32 %x, 75
  %b = icmp ult i32 %t, 40
  %ab = or i1 %a, %b
  br i1 %ab, label %write, label %done
write:
  %x75 = urem i32 %x, 75
  %e = zext nneg i32 %x75 to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; A false `or` makes both false; `not` turns a condition around.
; CHECK-LABEL: define ptx_kernel void @neither(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @neither(ptr %out) {
  %x = call i32 @id()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ugt i32 %x, 74
  %b = icmp ult i32 %t, 40
  %not.b = xor i1 %b, true
  %ab = or i1 %a, %not.b
  br i1 %ab, label %done, label %write
write:
  %x75 = urem i32 %x, 75
  %t40 = urem i32 %t, 40
  %t75 = mul nuw nsw i32 %t40, 75
  %i = add nuw nsw i32 %t75, %x75
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; A false `and` leaves one of them open.
; CHECK-LABEL: define ptx_kernel void @neither_negative(
; CHECK: {{^write}}
; CHECK: {{urem|udiv}} i32 %x, 75
; CHECK: store
define ptx_kernel void @neither_negative(ptr %out) {
  %x = call i32 @id()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ugt i32 %x, 74
  %b = icmp ugt i32 %t, 39
  %ab = and i1 %a, %b
  br i1 %ab, label %done, label %write
write:
  %x75 = urem i32 %x, 75
  %e = zext nneg i32 %x75 to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; 52 <= x < 127 as one compare: x - 52 is in [0, 75), its digits are known.
; CHECK-LABEL: define ptx_kernel void @one_compare(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: store
define ptx_kernel void @one_compare(ptr %out) {
  %x = call i32 @id()
  %y = add i32 %x, -52
  %inside = icmp ult i32 %y, 75
  br i1 %inside, label %write, label %done
write:
  %q = udiv i32 %y, 75
  %r = urem i32 %y, 75
  %i = add nuw nsw i32 %q, %r
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; The signed compare lets a negative x - 52 pass.
; CHECK-LABEL: define ptx_kernel void @one_compare_negative(
; CHECK: {{^write}}
; CHECK: {{urem|udiv}} i32 %y, 75
; CHECK: store
define ptx_kernel void @one_compare_negative(ptr %out) {
  %x = call i32 @id()
  %y = add i32 %x, -52
  %inside = icmp slt i32 %y, 75
  br i1 %inside, label %write, label %done
write:
  %r = urem i32 %y, 75
  %e = zext nneg i32 %r to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; InstCombine moves the zext in front of x - 52 and masks the wrap: with the guard
; there is none, and -4*52 is the constant of the address.
; CHECK-LABEL: define ptx_kernel void @masked_wrap(
; CHECK: br i1
; CHECK-NOT: {{ and |4294967}}
; CHECK: i64 -208
; CHECK: store
define ptx_kernel void @masked_wrap(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t16 = trunc nuw nsw i32 %t to i16
  %y = add nsw i16 %t16, -52
  %inside = icmp ult i16 %y, 75
  br i1 %inside, label %write, label %done
write:
  %t64 = zext nneg i16 %t16 to i64
  %wrapped = add nuw nsw i64 %t64, 4294967244
  %i = and i64 %wrapped, 4294967295
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; Without a lower bound the wrap happens, and the mask acts.
; CHECK-LABEL: define ptx_kernel void @masked_wrap_negative(
; CHECK: {{^write}}
; CHECK: {{lshr|ashr|icmp}}
; CHECK: store
define ptx_kernel void @masked_wrap_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp ult i32 %t, 75
  br i1 %inside, label %write, label %done
write:
  %t64 = zext nneg i32 %t to i64
  %wrapped = add nuw nsw i64 %t64, 4294967244
  %i = and i64 %wrapped, 4294967295
  %r = lshr i64 %i, 20
  %p = getelementptr inbounds i32, ptr %out, i64 %r
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; In its case the switch knows the whole address.
; CHECK-LABEL: define ptx_kernel void @case(
; CHECK: switch
; CHECK-NOT: {{mul|shl|udiv}}
; CHECK: store i32 7
define ptx_kernel void @case(ptr %out) {
  %x = call i32 @id()
  switch i32 %x, label %done [
    i32 77, label %write
    i32 99, label %done
  ]
write:
  %q = udiv i32 %x, 75
  %q300 = mul i32 %q, 300
  %r = urem i32 %x, 75
  %i = add i32 %q300, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; Two cases lead here.
; CHECK-LABEL: define ptx_kernel void @case_negative(
; CHECK: {{^write}}
; CHECK: {{udiv|urem|mulhi}}
; CHECK: store i32 7
define ptx_kernel void @case_negative(ptr %out) {
  %x = call i32 @id()
  switch i32 %x, label %done [
    i32 77, label %write
    i32 99, label %write
  ]
write:
  %q = udiv i32 %x, 11
  %e = zext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}
