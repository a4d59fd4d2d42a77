; Which products do not wrap, recorded at the division, the branch or the access
; that could not be executed if they did. 42 is '*', 43 '+', 115 a sext.

; RUN: %unravel-opt -passes=index-facts -S %s -o %t.ll && FileCheck %s < %t.ll
; A second run finds everything recorded.
; RUN: %unravel-opt -passes='index-facts,index-facts' -S %s | diff %t.ll -
; Nothing stays behind.
; RUN: %unravel-opt -passes='index-facts<forget>' -S %t.ll | FileCheck %s --check-prefix=FORGET
; FORGET-NOT: {{call.*(unravel|assume)}}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @divisor(
; CHECK: %[[H:.*]] = call ptr addrspace(1) asm "// unravel.exact.signed 42 42 $1 $2 $3", "{{[^"]*}}"(i32 %a, i32 %b, i32 %c)
; CHECK-NEXT: %[[C:.*]] = icmp ne ptr addrspace(1) %[[H]], @unravel.facts
; CHECK-NEXT: call void @llvm.assume(i1 %[[C]])
; CHECK-NEXT: sdiv
define ptx_kernel void @divisor(ptr noundef %out, i32 noundef %x, i32 noundef %a, i32 noundef %b, i32 noundef %c) {
  %ab = mul nsw i32 %a, %b
  %abc = mul nsw i32 %ab, %c
  %q = sdiv i32 %x, %abc
  store i32 %q, ptr %out
  ret void
}

; A product that is not the divisor, nor divides anything, may have wrapped.
; CHECK-LABEL: define ptx_kernel void @divisor_negative(
; CHECK-NOT: unravel
; CHECK: ret void
define ptx_kernel void @divisor_negative(ptr noundef %out, i32 noundef %x, i32 noundef %a, i32 noundef %b) {
  %ab = mul nsw i32 %a, %b
  %wraps = mul i32 %a, %x
  %q = sdiv i32 %ab, %x
  %r = sdiv i32 %x, %wraps
  store i32 %q, ptr %out
  store i32 %r, ptr %out
  ret void
}

; The fact is known where the division is, not where the product is.
; CHECK-LABEL: define ptx_kernel void @guarded(
; CHECK: br i1 %g, label %then, label %done
; CHECK: then:
; CHECK-NEXT: call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "{{[^"]*}}"(i32 %a, i32 %b)
; CHECK: done:
; CHECK-NOT: unravel
; CHECK: ret void
define ptx_kernel void @guarded(ptr noundef %out, i1 noundef %g, i32 noundef %x, i32 noundef %a, i32 noundef %b) {
  %ab = mul nsw i32 %a, %b
  br i1 %g, label %then, label %done
then:
  %q = sdiv i32 %x, %ab
  store i32 %q, ptr %out
  br label %done
done:
  ret void
}

; Each arm of a branch needs its own, one block behind the other does not.
; CHECK-LABEL: define ptx_kernel void @arms(
; CHECK-COUNT-2: call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "{{[^"]*}}"(i32 %a, i32 %b)
; CHECK-NOT: call ptr (...) @unravel
; CHECK: ret void
define ptx_kernel void @arms(ptr noundef %out, i1 noundef %g, i32 noundef %x, i32 noundef %a, i32 noundef %b) {
  %ab = mul nsw i32 %a, %b
  br i1 %g, label %then, label %else
then:
  %q = sdiv i32 %x, %ab
  %r = srem i32 %x, %ab
  store i32 %q, ptr %out
  store i32 %r, ptr %out
  br label %done
else:
  %s = srem i32 %x, %ab
  store i32 %s, ptr %out
  br label %done
done:
  ret void
}

; A branch on poison is undefined behaviour as well, and so is an access.
; CHECK-LABEL: define ptx_kernel void @guard(
; CHECK: call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "{{[^"]*}}"(i32 %a, i32 %b)
; CHECK: br i1
; CHECK: call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "{{[^"]*}}"(i32 %a, i32 %c)
; CHECK: store i32 1
define ptx_kernel void @guard(ptr noundef %out, i32 noundef %x, i32 noundef %a, i32 noundef %b, i32 noundef %c) {
  %ab = mul nsw i32 %a, %b
  %inside = icmp slt i32 %x, %ab
  br i1 %inside, label %then, label %done
then:
  %ac = mul nsw i32 %a, %c
  %e = sext i32 %ac to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; What a freeze or the arm of a select hides may be poison.
; CHECK-LABEL: define ptx_kernel void @guard_negative(
; CHECK-NOT: unravel
; CHECK: ret void
define ptx_kernel void @guard_negative(ptr noundef %out, i32 noundef %x, i32 noundef %a, i32 noundef %b) {
  %ab = mul nsw i32 %a, %b
  %in = icmp slt i32 %x, %ab
  %frozen = freeze i1 %in
  br i1 %frozen, label %then, label %done
then:
  %pos = icmp sgt i32 %a, 0
  %both = select i1 %pos, i1 %in, i1 false
  br i1 %both, label %more, label %done
more:
  %d = freeze i32 %ab
  %q = sdiv i32 %x, %d
  store i32 %q, ptr %out
  br label %done
done:
  ret void
}

; Only what is the same for all threads: a fact about an index is no shape.
; CHECK-LABEL: define ptx_kernel void @index_negative(
; CHECK-NOT: unravel
; CHECK: ret void
define ptx_kernel void @index_negative(ptr noundef %out, i32 noundef %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ta = mul nsw i32 %t, %a
  %e = sext i32 %ta to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; Sums in divisors, shifts, 64-bit words, nuw, fields of structs by value.
; CHECK-LABEL: define ptx_kernel void @kinds(
; CHECK: asm "// unravel.exact.signed 43 $1 $2", "{{[^"]*}}"(i32 %a, i32 %b)
; CHECK: asm "// unravel.exact.signed 42 $1 $2", "{{[^"]*}}"(i32 4, i32 %a)
; CHECK: asm "// unravel.exact.signed 42 $1 115 $2", "{{[^"]*}}"(i64 %l, i32 %a)
; CHECK: asm "// unravel.exact.unsigned 42 $1 $2", "{{[^"]*}}"(i32 %a, i32 %b)
; CHECK: asm "// unravel.exact.signed 42 $1 $2", "{{[^"]*}}"(i32 %f, i32 %a)
define ptx_kernel void @kinds(ptr noundef %out, i32 noundef %x, i32 noundef %a, i32 noundef %b, i64 noundef %l, ptr byval({i32, i32}) %s) {
  %sum = add nsw i32 %a, %b
  %q = sdiv i32 %x, %sum
  store i32 %q, ptr %out
  %a4 = shl nsw i32 %a, 2
  %q4 = sdiv i32 %x, %a4
  store i32 %q4, ptr %out
  %wide = sext i32 %a to i64
  %la = mul nsw i64 %l, %wide
  %ql = sdiv i64 %l, %la
  store i64 %ql, ptr %out
  %u = mul nuw i32 %a, %b
  %qu = udiv i32 %x, %u
  store i32 %qu, ptr %out
  %f = load i32, ptr %s
  %fa = mul nsw i32 %f, %a
  %qf = srem i32 %x, %fa
  store i32 %qf, ptr %out
  ret void
}

; A shift by 31 is no product by a positive number; two extended words never
; wrap; the sum in a guard says nothing; memory may change.
; CHECK-LABEL: define ptx_kernel void @kinds_negative(
; CHECK-NOT: unravel
; CHECK: ret void
define ptx_kernel void @kinds_negative(ptr noundef %out, i32 noundef %x, i32 noundef %a, i32 noundef %b) {
  %high = shl nsw i32 %a, 31
  %q = sdiv i32 %x, %high
  store i32 %q, ptr %out
  %wide = sext i32 %a to i64
  %wider = sext i32 %b to i64
  %w = mul nsw i64 %wide, %wider
  %x64 = sext i32 %x to i64
  %qw = sdiv i64 %x64, %w
  store i64 %qw, ptr %out
  %f = load i32, ptr %out
  %fa = mul nsw i32 %f, %a
  %qf = srem i32 %x, %fa
  store i32 %qf, ptr %out
  %last = add nsw i32 %a, -1
  %g = icmp slt i32 %x, %last
  br i1 %g, label %then, label %done
then:
  store i32 1, ptr %out
  br label %done
done:
  ret void
}

; A pure function that stays a function stays pure.
; CHECK-LABEL: define i32 @helper_negative(
; CHECK-NOT: call ptr
define i32 @helper_negative(i32 noundef %x, i32 noundef %a, i32 noundef %b) noinline {
  %ab = mul nsw i32 %a, %b
  %q = sdiv i32 %x, %ab
  ret i32 %q
}
