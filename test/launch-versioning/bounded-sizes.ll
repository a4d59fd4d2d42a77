; max(size, 1) is a size like any other: the test asks for it to be small, and
; not for its sign, and the chain of divisions by it and by another is joined.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -disable-output -pass-remarks=index-simplify %s 2>&1 | FileCheck %s --check-prefix=REMARK
; DEFINE: %{kernel} = at_least_one
; DEFINE: %{sizes} =
; DEFINE: %{run} = %kernel-run --kernel %{kernel} --grid 3 --block 40 --args out:i64:500,%{sizes} %s %t.ll
; REDEFINE: %{sizes} = i64:3,i64:5
; RUN: %{run}
; REDEFINE: %{sizes} = i64:0,i64:5
; RUN: %{run}
; REDEFINE: %{sizes} = i64:-9223372036854775808,i64:7
; RUN: %{run}
; REDEFINE: %{sizes} = i64:4294967297,i64:5
; RUN: %{run}
; REDEFINE: %{sizes} = i64:65536,i64:65536
; RUN: %{run}
; REDEFINE: %{sizes} = i64:2147483647,i64:1
; RUN: %{run}
; REDEFINE: %{sizes} = i64:2147483648,i64:1
; RUN: %{run}
; REDEFINE: %{sizes} = i64:3,i64:-1
; RUN: %{run}
; REDEFINE: %{kernel} = at_least_one_negative
; REDEFINE: %{sizes} = i64:3,i64:5
; RUN: %{run}
; REDEFINE: %{sizes} = i64:1,i64:5
; RUN: %{run}
; REDEFINE: %{sizes} = i64:4294967297,i64:5
; RUN: %{run}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REMARK: launches with max(K, 1) <= 2147483647, W > 0, W <= 2147483647, max(K, 1)*W <= 2147483647,
; CHECK-LABEL: define ptx_kernel void @at_least_one(
; CHECK: %[[MAX:.*]] = call i64 @llvm.smax.i64(i64 %K, i64 1)
; CHECK-NOT: icmp sg{{[te]}} i64 %[[MAX]],
; CHECK: icmp sle i64 %[[MAX]], 2147483647
; CHECK-NOT: icmp sg{{[te]}} i64 %[[MAX]],
; CHECK: fast:
; CHECK-COUNT-2: udiv i32
; CHECK-NOT: {{(div|rem) i}}
; CHECK: {{^}}fallback:
; CHECK: sdiv i64
define ptx_kernel void @at_least_one(ptr noundef %out, i64 noundef %K, i64 noundef %W) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %x = zext i32 %i to i64
  %k = call i64 @llvm.smax.i64(i64 %K, i64 1)
  %size = mul nsw i64 %k, %W
  %plane = sdiv i64 %x, %size
  %done = mul nsw i64 %plane, %size
  %left = sub nsw i64 %x, %done
  %row = sdiv i64 %left, %W
  %column = srem i64 %x, %W
  %four = mul i64 %plane, 4
  %two = mul i64 %row, 2
  %s1 = add i64 %four, %two
  %s2 = add i64 %s1, %column
  %p = getelementptr inbounds i64, ptr %out, i64 %x
  store i64 %s2, ptr %p
  ret void
}

; Of min(K, 1) the sign is not known.
; REMARK: launches with min(K, 1) > 0,
; CHECK-LABEL: define ptx_kernel void @at_least_one_negative(
; CHECK: %[[MIN:.*]] = call i64 @llvm.smin.i64(i64 %K, i64 1)
; CHECK-NOT: icmp sle i64 %[[MIN]],
; CHECK: icmp sgt i64 %[[MIN]], 0
; CHECK-NOT: icmp sle i64 %[[MIN]],
; CHECK: {{^}}fallback:
define ptx_kernel void @at_least_one_negative(ptr noundef %out, i64 noundef %K, i64 noundef %W) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %x = zext i32 %i to i64
  %k = call i64 @llvm.smin.i64(i64 %K, i64 1)
  %plane = sdiv i64 %x, %k
  %column = srem i64 %x, %W
  %s = add i64 %plane, %column
  %p = getelementptr inbounds i64, ptr %out, i64 %x
  store i64 %s, ptr %p
  ret void
}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
