; Code that guards its divisions against 0 and against the overflow: where the
; entry check says that the divisors are positive, they need no guard.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{kernel} = guarded_sizes
; DEFINE: %{sizes} =
; DEFINE: %{run} = %kernel-run --kernel %{kernel} --grid 3 --block 40 --args out:i64:120,%{sizes} %s %t.ll
; REDEFINE: %{sizes} = i32:110,i32:7,i32:3
; RUN: %{run}
; REDEFINE: %{sizes} = i32:110,i32:1,i32:1
; RUN: %{run}
; REDEFINE: %{sizes} = i32:110,i32:0,i32:0
; RUN: %{run}
; REDEFINE: %{sizes} = i32:110,i32:200,i32:-1
; RUN: %{run}
; REDEFINE: %{kernel} = no_guard_negative
; REDEFINE: %{sizes} = i32:110,i32:5
; RUN: %{run}
; REDEFINE: %{sizes} = i32:110,i32:7
; RUN: %{run}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @guarded_sizes(
; CHECK: fast:
; CHECK-NOT: select
; CHECK: udiv i32
; CHECK-NOT: select
; CHECK: urem i32
; CHECK-NOT: select
; CHECK: udiv i32
; CHECK-NOT: select
; CHECK: {{^}}fallback:
; CHECK: select
define ptx_kernel void @guarded_sizes(ptr noundef %p, i32 noundef %n, i32 noundef %d, i32 noundef %e) {
entry:
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %ctaid, %ntid
  %x = add i32 %first, %tid
  %in = icmp slt i32 %x, %n
  br i1 %in, label %body, label %exit

body:
  %d.zero = icmp eq i32 %d, 0
  %d.one = select i1 %d.zero, i32 1, i32 %d
  %x.lowest = icmp eq i32 %x, -2147483648
  %d.minus = icmp eq i32 %d.one, -1
  %d.bad = and i1 %x.lowest, %d.minus
  %d.safe = select i1 %d.bad, i32 1, i32 %d.one
  %row = sdiv i32 %x, %d.safe
  %row.part = mul i32 %row, %d
  %column = sub i32 %x, %row.part
  %e.wide = sext i32 %e to i64
  %e.zero = icmp eq i32 %e, 0
  %e.one = select i1 %e.zero, i64 1, i64 %e.wide
  %column.wide = sext i32 %column to i64
  %part = sdiv i64 %column.wide, %e.one
  %row.wide = sext i32 %row to i64
  %index = add i64 %row.wide, %part
  %at = getelementptr i64, ptr %p, i32 %x
  store i64 %index, ptr %at
  br label %exit

exit:
  ret void
}

; By 1 where d is 5: that is no guard.
; CHECK-LABEL: define ptx_kernel void @no_guard_negative(
; CHECK: fast:
; CHECK: select
; CHECK: {{^}}fallback:
define ptx_kernel void @no_guard_negative(ptr noundef %p, i32 noundef %n, i32 noundef %d) {
entry:
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %ctaid, %ntid
  %x = add i32 %first, %tid
  %in = icmp slt i32 %x, %n
  br i1 %in, label %body, label %exit

body:
  %d.zero = icmp eq i32 %d, 5
  %d.one = select i1 %d.zero, i32 1, i32 %d
  %x.lowest = icmp eq i32 %x, -2147483648
  %d.minus = icmp eq i32 %d.one, -1
  %d.bad = and i1 %x.lowest, %d.minus
  %d.safe = select i1 %d.bad, i32 1, i32 %d.one
  %row = sdiv i32 %x, %d.safe
  %row.part = mul i32 %row, %d
  %column = sub i32 %x, %row.part
  %index = sext i32 %column to i64
  %at = getelementptr i64, ptr %p, i32 %x
  store i64 %index, ptr %at
  br label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
