; Addresses are one base and a constant, for the immediate field of the access;
; inbounds and nuw stay only where every step had them.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 128 --args out:i32:9000
; RUN: %{run} --kernel four %s %t.ll
; RUN: %{run} --kernel four_negative %s %t.ll
; RUN: %{run} --kernel inbounds %s %t.ll
; RUN: %{run} --kernel inbounds_negative %s %t.ll
; RUN: %{run} --kernel below %s %t.ll
; RUN: %{run} --kernel below_negative %s %t.ll
; RUN: %{run} --kernel digit %s %t.ll
; RUN: %{run} --kernel digit_negative %s %t.ll

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

; Four elements a thread, each index taken apart on its own: one register.
; CHECK-LABEL: define ptx_kernel void @four(
; CHECK-NOT: {{div|rem|mulhi}}
; CHECK: getelementptr {{.*}}ptr [[BASE:%.*]], i64 4
; CHECK-NOT: {{div|rem|mulhi| or | add | shl }}
; CHECK: getelementptr {{.*}}ptr [[BASE]], i64 8
; CHECK-NOT: {{div|rem|mulhi| or | add | shl }}
; CHECK: getelementptr {{.*}}ptr [[BASE]], i64 12
; CHECK: ret void
define ptx_kernel void @four(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 2000
  call void @llvm.assume(i1 %inside)
  %i0 = shl nuw nsw i32 %x, 2
  %i1 = or disjoint i32 %i0, 1
  %i2 = or disjoint i32 %i0, 2
  %i3 = or disjoint i32 %i0, 3
  %q0 = udiv i32 %i0, 300
  %q1 = udiv i32 %i1, 300
  %q2 = udiv i32 %i2, 300
  %q3 = udiv i32 %i3, 300
  %r0 = urem i32 %i0, 300
  %r1 = urem i32 %i1, 300
  %r2 = urem i32 %i2, 300
  %r3 = urem i32 %i3, 300
  %q0e = zext nneg i32 %q0 to i64
  %q1e = zext nneg i32 %q1 to i64
  %q2e = zext nneg i32 %q2 to i64
  %q3e = zext nneg i32 %q3 to i64
  %r0e = zext nneg i32 %r0 to i64
  %r1e = zext nneg i32 %r1 to i64
  %r2e = zext nneg i32 %r2 to i64
  %r3e = zext nneg i32 %r3 to i64
  %p0 = getelementptr inbounds [300 x i32], ptr %out, i64 %q0e, i64 %r0e
  %p1 = getelementptr inbounds [300 x i32], ptr %out, i64 %q1e, i64 %r1e
  %p2 = getelementptr inbounds [300 x i32], ptr %out, i64 %q2e, i64 %r2e
  %p3 = getelementptr inbounds [300 x i32], ptr %out, i64 %q3e, i64 %r3e
  store i32 %i0, ptr %p0
  store i32 %i1, ptr %p1
  store i32 %i2, ptr %p2
  store i32 %i3, ptr %p3
  ret void
}

; x + 1 may wrap to 0: it is no neighbour of x then.
; CHECK-LABEL: define ptx_kernel void @four_negative(
; CHECK: [[X1:%.*]] = add i32 %x, 1
; CHECK: zext i32 [[X1]] to i64
; CHECK-NOT: i64 4{{$}}
; CHECK: ret void
define ptx_kernel void @four_negative(ptr %out) {
  %x = call i32 @id()
  %x1 = add i32 %x, 1
  %q = udiv i32 %x, 300
  %r = urem i32 %x, 300
  %q1 = udiv i32 %x1, 300
  %r1 = urem i32 %x1, 300
  %qe = zext i32 %q to i64
  %re = zext i32 %r to i64
  %q1e = zext i32 %q1 to i64
  %r1e = zext i32 %r1 to i64
  %p0 = getelementptr inbounds [300 x i32], ptr %out, i64 %qe, i64 %re
  %p1 = getelementptr inbounds [300 x i32], ptr %out, i64 %q1e, i64 %r1e
  store i32 1, ptr %p0
  store i32 1, ptr %p1
  ret void
}

; Every step is inbounds and no part of the offset negative.
; CHECK-LABEL: define ptx_kernel void @inbounds(
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: getelementptr inbounds nuw {{.*}}ptr %out
; CHECK: store
define ptx_kernel void @inbounds(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %qe = zext i32 %q to i64
  %re = zext i32 %r to i64
  %p0 = getelementptr inbounds [75 x i32], ptr %out, i64 %qe
  %p = getelementptr inbounds i32, ptr %p0, i64 %re
  store i32 %x, ptr %p
  ret void
}

; The first step may leave the object.
; CHECK-LABEL: define ptx_kernel void @inbounds_negative(
; CHECK-NOT: {{udiv|urem|mulhi|inbounds|nusw|getelementptr nuw}}
; CHECK: getelementptr {{.*}}ptr %out
; CHECK-NOT: {{inbounds|nusw|getelementptr nuw}}
; CHECK: store
define ptx_kernel void @inbounds_negative(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %qe = zext i32 %q to i64
  %re = zext i32 %r to i64
  %p0 = getelementptr [75 x i32], ptr %out, i64 %qe
  %p = getelementptr inbounds i32, ptr %p0, i64 %re
  store i32 %x, ptr %p
  ret void
}

; All inbounds, and 300*q + 4*r - 40 is at least 0 behind the guard: with its
; parts apart, out + 4*x and that - 40 are both inside.
; CHECK-LABEL: define ptx_kernel void @below(
; CHECK: br i1
; CHECK-NOT: {{udiv|urem|mulhi}}
; CHECK: getelementptr {{.*}}i64 -40
; CHECK: store
define ptx_kernel void @below(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ugt i32 %x, 9
  br i1 %inside, label %write, label %done
write:
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %qe = zext i32 %q to i64
  %re = zext i32 %r to i64
  %p0 = getelementptr inbounds [75 x i32], ptr %out, i64 %qe
  %p1 = getelementptr inbounds i32, ptr %p0, i64 %re
  %p = getelementptr inbounds i8, ptr %p1, i64 -40
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; -40 came first: out + 4*x may be outside although the sum of all is inside.
; CHECK-LABEL: define ptx_kernel void @below_negative(
; CHECK: br i1
; CHECK-NOT: {{getelementptr (inbounds )?nuw}}
; CHECK: store
define ptx_kernel void @below_negative(ptr %out) {
  %x = call i32 @id()
  %middle = getelementptr inbounds i8, ptr %out, i64 40
  %inside = icmp ult i32 %x, 2000
  br i1 %inside, label %write, label %done
write:
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %qe = zext i32 %q to i64
  %re = zext i32 %r to i64
  %p0 = getelementptr inbounds i8, ptr %middle, i64 -40
  %p1 = getelementptr inbounds [75 x i32], ptr %p0, i64 %qe
  %p2 = getelementptr inbounds i32, ptr %p1, i64 %re
  %p = getelementptr inbounds i8, ptr %p2, i64 -40
  %ok = icmp ugt i32 %x, 9
  br i1 %ok, label %store, label %done
store:
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; The 4 belongs to the digit, so it cannot go into the immediate: no term may
; take it back.
; CHECK-LABEL: define ptx_kernel void @digit(
; CHECK-NOT: {{udiv|urem|mulhi|sub | -[0-9]}}
; CHECK: and i{{32|64}} {{.*}}, 7
; CHECK-NOT: {{ add | sub | -[0-9]}}
; CHECK: getelementptr inbounds nuw {{.*}}ptr %out
; CHECK: store
define ptx_kernel void @digit(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = udiv i32 %t, 75
  %r = urem i32 %t, 75
  %q75 = mul nuw nsw i32 %q, 75
  %i = add nuw nsw i32 %q75, %r
  %i4 = add nuw nsw i32 %i, 4
  %d = urem i32 %i4, 8
  %e = zext nneg i32 %d to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}

; Already as short as it gets.
; CHECK-LABEL: define ptx_kernel void @digit_negative(
; CHECK: [[T4:%.*]] = add nuw nsw i32 %t, 4
; CHECK-NEXT: [[D:%.*]] = and i32 [[T4]], 7
; CHECK-NEXT: [[E:%.*]] = zext nneg i32 [[D]] to i64
; CHECK-NEXT: getelementptr inbounds i32, ptr %out, i64 [[E]]
define ptx_kernel void @digit_negative(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t4 = add nuw nsw i32 %t, 4
  %d = and i32 %t4, 7
  %e = zext nneg i32 %d to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}
