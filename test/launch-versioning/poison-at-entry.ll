; What the test computes at entry the kernel may compute later, or never: there
; poison does no harm, here it would decide a branch.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; What other passes make of it: of a branch on poison, nothing.
; RUN: %unravel-opt -passes=launch-versioning,instcombine,simplifycfg -index-simplify-versioning=always -S %s -o %t.late.ll
; DEFINE: %{kernel} = shift
; DEFINE: %{run} = %kernel-run --kernel %{kernel} --grid 3 --block 40 --args out:i32:120,i32:500,i32:7,i32:0 %s %t.ll %t.late.ll
; RUN: %{run}
; REDEFINE: %{kernel} = shift_negative
; RUN: %{run}
; REDEFINE: %{kernel} = operand_range
; RUN: %{run}
; RUN: %kernel-run --kernel float_negative --grid 3 --block 40 --args out:i32:120,i32:5,i32:30,f32:1e30 %s %t.ll
; RUN: %kernel-run --kernel float_negative --grid 3 --block 40 --args out:i32:120,i32:5,i32:30,f32:2 %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @shift(
; CHECK: %[[SHIFT:.*]] = lshr i32 %W, 4
; CHECK: %[[SIZE:.*]] = sub i32 %H, %[[SHIFT]]
; CHECK: icmp sgt i32 %[[SIZE]], 0
; CHECK: fast:
define ptx_kernel void @shift(ptr noundef %out, i32 noundef %W, i32 noundef %H, i32 noundef %c) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  %x = srem i32 %i, %H
  %y = sdiv i32 %x, %W
  store i32 %y, ptr %p
  %cold = icmp ne i32 %c, 0
  br i1 %cold, label %more, label %done
more:
  %s = lshr exact i32 %W, 4
  %d = sub nuw i32 %H, %s
  %z = sdiv i32 %i, %d
  store i32 %z, ptr %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @shift_negative(
; CHECK-NOT: lshr
; CHECK: fast:
define ptx_kernel void @shift_negative(ptr noundef %out, i32 noundef %W, i32 noundef %H, i32 noundef %c) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  %x = srem i32 %i, %H
  %y = sdiv i32 %x, %W
  store i32 %y, ptr %p
  %cold = icmp ne i32 %c, 0
  br i1 %cold, label %more, label %done
more:
  %s = lshr i32 %W, 40
  %d = sub i32 %H, %s
  %z = sdiv i32 %i, %d
  store i32 %z, ptr %p
  br label %done
done:
  ret void
}

; The range of an operand is a flag as well, and with noundef a promise of the
; cold block.
; CHECK-LABEL: define ptx_kernel void @operand_range(
; CHECK: call i32 @llvm.smax.i32(i32 %W, i32 1)
; CHECK: fast:
define ptx_kernel void @operand_range(ptr noundef %out, i32 noundef %W, i32 noundef %H, i32 noundef %c) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  %x = srem i32 %i, %H
  store i32 %x, ptr %p
  %cold = icmp ne i32 %c, 0
  br i1 %cold, label %more, label %done
more:
  %d = call i32 @llvm.smax.i32(i32 noundef range(i32 0, 10) %W, i32 1)
  %size = mul i32 %d, %H
  %z = sdiv i32 %i, %size
  store i32 %z, ptr %p
  br label %done
done:
  ret void
}

; A float that is no int makes poison, also of its low bits, and of a quotient
; that is not looked at then. An assumption would look at it.
; CHECK-LABEL: define ptx_kernel void @float_negative(
; CHECK: fast:
; CHECK-NOT: llvm.assume
; CHECK: {{^}}fallback:
define ptx_kernel void @float_negative(ptr noundef %out, i32 noundef %W, i32 noundef %H, float noundef %f) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %n = fptosi float %f to i32
  %low = and i32 %n, 7
  %j = add i32 %i, %low
  %y = sdiv i32 %j, %W
  %y1 = add i32 %y, 1
  %north = srem i32 %y1, %H
  %z = sdiv i32 %i, %W
  %fits = fcmp olt float %f, 1.0e6
  %kept = select i1 %fits, i32 %north, i32 %z
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %kept, ptr %p
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
