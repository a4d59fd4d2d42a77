; Sizes of 64 bits that fit 31: divisions are done in 32 bits, which is a
; quarter of the work.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{kernel} = upsample
; DEFINE: %{sizes} =
; DEFINE: %{run} = %kernel-run --kernel %{kernel} --grid 3 --block 40 --args out:i64:120,%{sizes} %s %t.ll
; REDEFINE: %{sizes} = i64:3,i64:5
; RUN: %{run}
; REDEFINE: %{sizes} = i64:4294967297,i64:5
; RUN: %{run}
; REDEFINE: %{sizes} = i64:2147483648,i64:1
; RUN: %{run}
; REDEFINE: %{sizes} = i64:65536,i64:65536
; RUN: %{run}
; REDEFINE: %{sizes} = i64:4294967296,i64:4294967297
; RUN: %{run}
; REDEFINE: %{sizes} = i64:-1,i64:-1
; RUN: %{run}
; REDEFINE: %{sizes} = i64:2147483647,i64:1
; RUN: %{run}
; REDEFINE: %{kernel} = wide_loop
; REDEFINE: %{sizes} = i32:110,i32:7
; RUN: %{run}
; REDEFINE: %{sizes} = i32:110,i32:-7
; RUN: %{run}
; REDEFINE: %{sizes} = i32:0,i32:0
; RUN: %{run}
; REDEFINE: %{kernel} = signed_sizes
; REDEFINE: %{sizes} = i64:7
; RUN: %{run}
; REDEFINE: %{sizes} = i64:-7
; RUN: %{run}
; REDEFINE: %{sizes} = i64:-9223372036854775808
; RUN: %{run}
; REDEFINE: %{sizes} = i64:8589934595
; RUN: %{run}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @upsample(
; CHECK-DAG: icmp sgt i64 %W, 0
; CHECK-DAG: icmp sle i64 %W, 2147483647
; CHECK-DAG: icmp sgt i64 %H, 0
; CHECK-DAG: icmp sle i64 %H, 2147483647
; CHECK: icmp ule i64 {{.*}}, 2147483647
; CHECK: fast:
; CHECK-NOT: {{(div|rem) i64}}
; CHECK: udiv i32
; CHECK-NOT: {{(div|rem) i64}}
; CHECK: {{^}}fallback:
; CHECK: udiv i64
define ptx_kernel void @upsample(ptr noundef %out, i64 noundef %W, i64 noundef %H) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %f = zext i32 %x to i64
  %hw = mul i64 %W, %H
  %none = icmp eq i64 %hw, 0
  br i1 %none, label %done, label %body
body:
  %c = udiv i64 %f, %hw
  %q = udiv i64 %f, %W
  %y = urem i64 %q, %H
  %r = urem i64 %f, %W
  %v0 = mul i64 %c, 7
  %v1 = xor i64 %v0, %y
  %v2 = mul i64 %v1, 11
  %v3 = xor i64 %v2, %r
  %p = getelementptr inbounds i64, ptr %out, i64 %f
  store i64 %v3, ptr %p
  br label %done
done:
  ret void
}

; A size_t loop over an int: the size is not negative, so the counter fits.
; CHECK-LABEL: define ptx_kernel void @wide_loop(
; CHECK: fast:
; CHECK: %i{{.*}} = phi i32
; CHECK-NOT: {{(div|rem) i64}}
; CHECK: add nuw nsw i32 %i
; CHECK: icmp ult i32 %{{.*}}, %n
; CHECK: {{^}}fallback:
; CHECK: udiv i64
define ptx_kernel void @wide_loop(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %start = zext i32 %x to i64
  %end = sext i32 %n to i64
  %w64 = sext i32 %w to i64
  %any = icmp ult i64 %start, %end
  br i1 %any, label %head, label %done
head:
  %gs = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %s = mul i32 %bs, %gs
  %step = zext i32 %s to i64
  br label %loop
loop:
  %i = phi i64 [ %start, %head ], [ %next, %loop ]
  %q = udiv i64 %i, %w64
  %p = getelementptr inbounds i64, ptr %out, i64 %i
  store i64 %q, ptr %p
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @signed_sizes(
; CHECK: fast:
; CHECK: udiv i32
; CHECK: {{^}}fallback:
; CHECK: sdiv i64
define ptx_kernel void @signed_sizes(ptr noundef %out, i64 noundef %w) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %f = zext i32 %x to i64
  %q = sdiv i64 %f, %w
  %p = getelementptr inbounds i64, ptr %out, i64 %f
  store i64 %q, ptr %p
  ret void
}
