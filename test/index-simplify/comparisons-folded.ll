; Bounds checks on digits are always true, always false, or simpler.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 500 --block 128 --args out:i32:64000
; RUN: %{run} --kernel always %s %t.ll
; RUN: %{run} --kernel always_negative %s %t.ll
; RUN: %{run} --kernel never %s %t.ll
; RUN: %{run} --kernel never_negative %s %t.ll
; RUN: %{run} --kernel lanes %s %t.ll
; RUN: %{run} --kernel lanes_negative %s %t.ll
; RUN: %{run} --kernel quotient %s %t.ll
; RUN: %{run} --kernel quotient_negative %s %t.ll
; RUN: %{run} --kernel digit %s %t.ll
; RUN: %{run} --kernel digit_negative %s %t.ll
; RUN: %kernel-run --grid 1 --block 128 --args out:i32:128 --kernel narrow_quotient %s %t.ll
; RUN: %{run} --kernel equality %s %t.ll
; RUN: %{run} --kernel equality_negative %s %t.ll

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

; CHECK-LABEL: define ptx_kernel void @always(
; CHECK-NOT: {{icmp|rem|div|mulhi}}
; CHECK: br i1 true
define ptx_kernel void @always(ptr %out) {
  %x = call i32 @id()
  %r = urem i32 %x, 75
  %c = icmp ult i32 %r, 75
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; srem is negative for negative x.
; CHECK-LABEL: define ptx_kernel void @always_negative(
; CHECK: {{srem|sdiv}} i32 %{{.*}}, 75
; CHECK: icmp
; CHECK: br i1 %
define ptx_kernel void @always_negative(ptr %out) {
  %x = call i32 @id()
  %s = sub i32 %x, 2560
  %r = srem i32 %s, 75
  %c = icmp ult i32 %r, 75
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; 40*floor(x/3000) + (x/75)%40 > x/75 cannot be.
; CHECK-LABEL: define ptx_kernel void @never(
; CHECK-NOT: {{icmp|rem|div|mulhi}}
; CHECK: br i1 false
define ptx_kernel void @never(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %z = udiv i32 %x, 3000
  %y = urem i32 %q, 40
  %z40 = mul nuw nsw i32 %z, 40
  %i = add nuw nsw i32 %z40, %y
  %c = icmp ugt i32 %i, %q
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; x + 1 > x is false for the largest x: there it wraps.
; CHECK-LABEL: define ptx_kernel void @never_negative(
; CHECK: icmp
; CHECK: br i1 %
define ptx_kernel void @never_negative(ptr %out) {
  %x = call i32 @id()
  %y = add i32 %x, 1
  %c = icmp ule i32 %y, %x
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; Four lanes, one check: 4*x + v < 240000 is x < 60000 for v = 0 .. 3.
; CHECK-LABEL: define ptx_kernel void @lanes(
; CHECK-NOT: 240000
; CHECK: [[C:%.*]] = icmp u{{.* 60000|.* 59999}}
; CHECK-NEXT: br i1 [[C]]
define ptx_kernel void @lanes(ptr %out) "nvvm.maxntid"="128" {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %known = icmp ult i32 %b, 500
  call void @llvm.assume(i1 %known)
  %b128 = shl i32 %b, 7
  %x = or disjoint i32 %b128, %t
  %x4 = shl i32 %x, 2
  %i = or disjoint i32 %x4, 3
  %c = icmp slt i32 %i, 240000
  br i1 %c, label %write, label %done
write:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; 4*x wraps for large x, so the check is one of the low 30 bits.
; CHECK-LABEL: define ptx_kernel void @lanes_negative(
; CHECK: {{shl i32 %x, 2|mul i32 %x, 4|and i32 %x}}
; CHECK: icmp
; CHECK: br i1
define ptx_kernel void @lanes_negative(ptr %out) {
  %x = call i32 @id()
  %x4 = shl i32 %x, 2
  %i = or disjoint i32 %x4, 3
  %c = icmp ult i32 %i, 240000
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; x/75 < 13 is x < 975, and x/75 >= 13 the opposite.
; CHECK-LABEL: define ptx_kernel void @quotient(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: icmp u{{.*}} i32 {{%x, 97[45]|97[45], %x}}
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: br i1
define ptx_kernel void @quotient(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %c = icmp ult i32 %q, 13
  br i1 %c, label %write, label %done
write:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; x/-3 < 13, but x is no less than -39.
; CHECK-LABEL: define ptx_kernel void @quotient_negative(
; CHECK: sdiv i32 %x, %d
; CHECK: icmp
; CHECK: br i1
define ptx_kernel void @quotient_negative(ptr %out) {
  %x = call i32 @id()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %d = sub nsw i32 %n, 131
  %q = sdiv i32 %x, %d
  %c = icmp slt i32 %q, 13
  br i1 %c, label %write, label %done
write:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; (x/75)%34 < 13 is x%2550 < 975: one division less.
; CHECK-LABEL: define ptx_kernel void @digit(
; CHECK-NOT: i32 %x, {{75|34$}}
; CHECK: {{udiv|urem}} i32 %x, 2550
; CHECK-NOT: {{udiv i|urem i|mulhi}}
; CHECK: icmp
; CHECK: br i1
define ptx_kernel void @digit(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %y = urem i32 %q, 34
  %c = icmp ult i32 %y, 13
  br i1 %c, label %write, label %done
write:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; Equality with one digit holds in the middle of every period: no multiple of
; 75 can be compared instead.
; CHECK-LABEL: define ptx_kernel void @digit_negative(
; CHECK: {{urem|udiv|mulhi}}
; CHECK: icmp
; CHECK: br i1
define ptx_kernel void @digit_negative(ptr %out) {
  %x = call i32 @id()
  %y = urem i32 %x, 34
  %c = icmp eq i32 %y, 13
  br i1 %c, label %write, label %done
write:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; 4*y + 1 is odd: it is never 6*z.
; CHECK-LABEL: define ptx_kernel void @equality(
; CHECK-NOT: icmp
; CHECK: br i1 false
define ptx_kernel void @equality(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %t4 = shl nuw nsw i32 %t, 2
  %odd = or disjoint i32 %t4, 1
  %even = mul nuw nsw i32 %u, 6
  %c = icmp eq i32 %odd, %even
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; 4*y + 2 can be 6*z.
; CHECK-LABEL: define ptx_kernel void @equality_negative(
; CHECK: icmp
; CHECK: br i1 %
define ptx_kernel void @equality_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %t4 = shl nuw nsw i32 %t, 2
  %odd = or disjoint i32 %t4, 2
  %even = mul nuw nsw i32 %u, 6
  %c = icmp eq i32 %odd, %even
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; (t + 48) / 16 < h + 3 is t / 16 < h. Without the quotient it would be
; t < 16 * h, in 64 bits.
; CHECK-LABEL: define ptx_kernel void @narrow_quotient(
; CHECK: %[[Q:.*]] = lshr i32 %t, 4
; CHECK-NEXT: icmp {{.*}}i32
; CHECK-NOT: i64
; CHECK: br i1
define ptx_kernel void @narrow_quotient(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr inbounds i32, ptr %out, i32 %t
  %h = load i32, ptr %a
  %t48 = add nuw nsw i32 %t, 48
  %q = lshr i32 %t48, 4
  %h3 = add nsw i32 %h, 3
  %c = icmp slt i32 %q, %h3
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %a
  br label %done
done:
  ret void
}
