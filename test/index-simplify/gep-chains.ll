; Late IR spreads one address over a chain of GEPs with different element
; types. Together they are one byte offset, with the constant last.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 40 --block 128 --args out:i64:9000
; RUN: %{run} --kernel mixed_types %s %t.ll
; RUN: %{run} --kernel mixed_types_negative %s %t.ll
; RUN: %{run} --kernel struct %s %t.ll
; RUN: %{run} --kernel padded_struct %s %t.ll
; RUN: %{run} --kernel constant_last %s %t.ll
; RUN: %{run} --kernel constant_last_negative %s %t.ll

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

; What clang -O3 makes of out[(k/3000)*3000 + (k/75%40)*75 + k%75]: 4*k bytes.
; CHECK-LABEL: define ptx_kernel void @mixed_types(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: getelementptr {{.*}} ptr %out
; CHECK-NOT: getelementptr
; CHECK: store
define ptx_kernel void @mixed_types(ptr %out) {
  %k = call i32 @id()
  %r3000 = urem i32 %k, 3000
  %high = sub nuw i32 %k, %r3000
  %high64 = zext i32 %high to i64
  %p1 = getelementptr inbounds nuw float, ptr %out, i64 %high64
  %q = udiv i32 %k, 75
  %y = urem i32 %q, 40
  %y300 = mul nuw nsw i32 %y, 300
  %y64 = zext nneg i32 %y300 to i64
  %p2 = getelementptr inbounds nuw i8, ptr %p1, i64 %y64
  %w = urem i32 %k, 75
  %w64 = zext nneg i32 %w to i64
  %p3 = getelementptr inbounds nuw float, ptr %p2, i64 %w64
  store i32 %k, ptr %p3
  ret void
}

; A load in between decides where the chain goes on.
; CHECK-LABEL: define ptx_kernel void @mixed_types_negative(
; CHECK: {{urem|udiv}} i32 %k, 75
; CHECK: load ptr
; CHECK: store
define ptx_kernel void @mixed_types_negative(ptr %out) {
  %k = call i32 @id()
  %slot = alloca [75 x ptr]
  %w = urem i32 %k, 75
  %w64 = zext nneg i32 %w to i64
  %s = getelementptr inbounds [75 x ptr], ptr %slot, i64 0, i64 %w64
  store ptr %out, ptr %s
  %base = load ptr, ptr %s
  %p = getelementptr inbounds float, ptr %base, i64 %w64
  store i32 %w, ptr %p
  ret void
}

; An array of pairs, the halves chosen by the lowest digit: 8*k bytes.
; CHECK-LABEL: define ptx_kernel void @struct(
; CHECK-NOT: {{lshr|and i|rem| add | sub }}
; CHECK: store
%pair = type { i64, i64 }
define ptx_kernel void @struct(ptr %out) {
  %k = call i32 @id()
  %q = lshr i32 %k, 1
  %r = and i32 %k, 1
  %q64 = zext nneg i32 %q to i64
  %r64 = zext nneg i32 %r to i64
  %p1 = getelementptr inbounds %pair, ptr %out, i64 %q64
  %p2 = getelementptr inbounds i64, ptr %p1, i64 %r64
  store i32 %k, ptr %p2
  ret void
}

; With padding the halves are no digits of the offset: 12*q + 4*r is 4*k + 4*q.
; CHECK-LABEL: define ptx_kernel void @padded_struct(
; CHECK-DAG: [[Q:%.*]] = lshr i32 %k, 1
; CHECK-DAG: [[Q64:%.*]] = sext i32 [[Q]] to i64
; CHECK-DAG: [[K64:%.*]] = zext i32 %k to i64
; CHECK: [[P:%.*]] = getelementptr inbounds nuw i32, ptr %out, i64 [[K64]]
; CHECK: getelementptr inbounds nuw i32, ptr [[P]], i64 [[Q64]]
%padded = type { i32, i32, i32 }
define ptx_kernel void @padded_struct(ptr %out) {
  %k = call i32 @id()
  %q = lshr i32 %k, 1
  %r = and i32 %k, 1
  %q64 = zext nneg i32 %q to i64
  %r64 = zext nneg i32 %r to i64
  %p1 = getelementptr inbounds %padded, ptr %out, i64 %q64
  %p2 = getelementptr inbounds i32, ptr %p1, i64 %r64
  store i32 %k, ptr %p2
  ret void
}

; 4*(k + 3) + 8, the digits of k apart: 20 goes into the immediate field.
; CHECK-LABEL: define ptx_kernel void @constant_last(
; CHECK-NOT: {{div|rem|mulhi| add | sub }}
; CHECK: [[P:%.*]] = getelementptr {{.*}}i64 20
; CHECK-NEXT: store i32 %k, ptr [[P]]
define ptx_kernel void @constant_last(ptr %out) {
  %k = call i32 @id()
  %k64 = zext i32 %k to i64
  %q = udiv i64 %k64, 75
  %w = urem i64 %k64, 75
  %w3 = add nuw nsw i64 %w, 3
  %p1 = getelementptr inbounds i32, ptr %out, i64 %w3
  %p2 = getelementptr inbounds i8, ptr %p1, i64 8
  %p3 = getelementptr inbounds [75 x i32], ptr %p2, i64 %q
  store i32 %k, ptr %p3
  ret void
}

; k + 3 may wrap in 32 bits: the 3 cannot be moved behind the zext.
; CHECK-LABEL: define ptx_kernel void @constant_last_negative(
; CHECK: [[K3:%.*]] = add i32 %k, 3
; CHECK: zext i32 [[K3]] to i64
; CHECK-NOT: i64 12
; CHECK: store
define ptx_kernel void @constant_last_negative(ptr %out) {
  %k = call i32 @id()
  %k3 = add i32 %k, 3
  %q = udiv i32 %k3, 75
  %w = urem i32 %k3, 75
  %q64 = zext i32 %q to i64
  %w64 = zext i32 %w to i64
  %p1 = getelementptr inbounds [75 x i32], ptr %out, i64 %q64
  %p2 = getelementptr inbounds i32, ptr %p1, i64 %w64
  store i32 %k, ptr %p2
  ret void
}
