; x < m*n guards the elements of a matrix, x / n < m its rows. For n > 0 they are
; the same condition, so the second one needs no division by n.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=VERIFY --allow-empty
; VERIFY-NOT: warning
; DEFINE: %{run} = %kernel-run --grid 5 --block 64 --args out:i32:320
; RUN: %{run},i32:9,i32:31 --kernel in_front %s %t.ll
; RUN: %{run},i32:1,i32:1 --kernel in_front %s %t.ll
; RUN: %{run},i32:9,i32:31 --kernel alone %s %t.ll
; RUN: %{run},i32:300,i32:1 --kernel alone %s %t.ll
; RUN: %{run},i32:9,i32:31 --kernel other_side %s %t.ll
; RUN: %{run},i32:9,i32:31 --kernel quotient_negative %s %t.ll
; RUN: %{run},i32:9,i32:31 --kernel sign_negative %s %t.ll
; RUN: %{run},i32:9,i32:-31 --kernel sign_negative %s %t.ll
; RUN: %{run},i32:1073741824,i32:4 --kernel wraps_negative %s %t.ll
; RUN: %{run},i32:9,i32:31 --kernel wraps_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The guard in front decides.
; CHECK-LABEL: define ptx_kernel void @in_front(
; CHECK-NOT: udiv
; CHECK: body:
; CHECK-NEXT: br i1 true,
; CHECK: ret void
define ptx_kernel void @in_front(ptr %out, i32 noundef range(i32 1, 30001) %m, i32 noundef range(i32 1, 30001) %n) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %w
  %x = add i32 %s, %t
  %all = mul nuw nsw i32 %m, %n
  %inside = icmp ult i32 %x, %all
  br i1 %inside, label %body, label %done
body:
  %row = udiv i32 %x, %n
  %is.row = icmp ult i32 %row, %m
  br i1 %is.row, label %store, label %done
store:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; A product is cheaper than the quotient.
; CHECK-LABEL: define ptx_kernel void @alone(
; CHECK-NOT: udiv
; CHECK: [[ALL:%.*]] = mul nuw nsw i32 %n, %m
; CHECK: icmp {{.*}}ult i32 %x, [[ALL]]
; CHECK: ret void
define ptx_kernel void @alone(ptr %out, i32 noundef range(i32 1, 30001) %m, i32 noundef range(i32 1, 30001) %n) {
  %b = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, 64
  %x = add i32 %s, %t
  %row = udiv i32 %x, %n
  %is.row = icmp ult i32 %row, %m
  br i1 %is.row, label %store, label %done
store:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; m <= x / n is m*n <= x.
; CHECK-LABEL: define ptx_kernel void @other_side(
; CHECK-NOT: udiv
; CHECK: icmp {{.*}}i32
; CHECK-NOT: udiv
; CHECK: ret void
define ptx_kernel void @other_side(ptr %out, i32 noundef range(i32 1, 30001) %m, i32 noundef range(i32 1, 30001) %n) {
  %b = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, 64
  %x = add i32 %s, %t
  %row = udiv i32 %x, %n
  %is.behind = icmp ule i32 %m, %row
  br i1 %is.behind, label %store, label %done
store:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; Other code needs the quotient, so the comparison with it is cheapest.
; CHECK-LABEL: define ptx_kernel void @quotient_negative(
; CHECK: [[ROW:%.*]] = udiv i32 %x, %n
; CHECK-NOT: mul
; CHECK: icmp {{.*}}i32 [[ROW]], %m
; CHECK: ret void
define ptx_kernel void @quotient_negative(ptr %out, i32 noundef range(i32 1, 30001) %m, i32 noundef range(i32 1, 30001) %n) {
  %b = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = shl i32 %b, 6
  %x = add i32 %s, %t
  %row = udiv i32 %x, %n
  %is.row = icmp ult i32 %row, %m
  br i1 %is.row, label %store, label %done
store:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %row, ptr %p
  br label %done
done:
  ret void
}

; x / -31 < 9 holds for all x >= 0, x < 9 * -31 for none.
; CHECK-LABEL: define ptx_kernel void @sign_negative(
; CHECK: sdiv
; CHECK: ret void
define ptx_kernel void @sign_negative(ptr %out, i32 noundef range(i32 1, 30001) %m, i32 noundef range(i32 -30000, 30001) %n) {
  %b = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, 64
  %x = add i32 %s, %t
  %row = sdiv i32 %x, %n
  %is.row = icmp slt i32 %row, %m
  br i1 %is.row, label %store, label %done
store:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; 2^30 rows of 4: the product of the guard is 0, in 32 bits. The one of the rows
; takes 64, and is cheaper than a division even so.
; CHECK-LABEL: define ptx_kernel void @wraps_negative(
; CHECK: body:
; CHECK-NOT: br i1 true
; CHECK: [[ALL:%.*]] = mul nuw nsw i64
; CHECK: icmp {{.*}}ult i64 {{.*}}, [[ALL]]
; CHECK: ret void
define ptx_kernel void @wraps_negative(ptr %out, i32 noundef range(i32 1, -2147483648) %m, i32 noundef range(i32 1, -2147483648) %n) {
  %b = call range(i32 0, 1000) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, 64
  %x = add i32 %s, %t
  %all = mul i32 %m, %n
  %outside = icmp uge i32 %x, %all
  br i1 %outside, label %body, label %done
body:
  %row = udiv i32 %x, %n
  %is.row = icmp ult i32 %row, %m
  br i1 %is.row, label %store, label %done
store:
  %e = zext nneg i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
