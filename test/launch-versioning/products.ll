; Products of sizes that are divisors, also without any promise of the source
; that they do not overflow. The test multiplies in 64 bits and cuts off in time.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{sizes} =
; DEFINE: %{run} = %kernel-run --kernel heads --grid 3 --block 40 --args out:i32:120,%{sizes} %s %t.ll
; REDEFINE: %{sizes} = i32:3,i32:4,i32:5
; RUN: %{run}
; REDEFINE: %{sizes} = i32:65536,i32:32767,i32:1
; RUN: %{run}
; REDEFINE: %{sizes} = i32:65537,i32:65537,i32:65537
; RUN: %{run}
; REDEFINE: %{sizes} = i32:65536,i32:-1,i32:3
; RUN: %{run}
; REDEFINE: %{sizes} = i32:-3,i32:-5,i32:-7
; RUN: %{run}
; REDEFINE: %{sizes} = i32:2147483647,i32:2147483647,i32:2147483647
; RUN: %{run}
; REDEFINE: %{sizes} = i32:46341,i32:46341,i32:1
; RUN: %{run}
; REDEFINE: %{sizes} = i32:1073741824,i32:1,i32:2
; RUN: %{run}
; REDEFINE: %{sizes} = i32:1073741824,i32:3,i32:1
; RUN: %{run}
; REDEFINE: %{sizes} = i32:2147483647,i32:1,i32:1
; RUN: %{run}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @heads(
; CHECK: [[AB:%.*]] = mul nuw i64
; CHECK: icmp ule i64 [[AB]], 2147483648
; CHECK: [[LOW:%.*]] = trunc i64 [[AB]] to i32
; CHECK: [[CUT:%.*]] = zext i32 [[LOW]] to i64
; CHECK: [[ABC:%.*]] = mul nuw i64 [[CUT]],
; CHECK: icmp ule i64 [[ABC]], 2147483647
; CHECK: br i1 {{.*}}, label %fast, label %fallback
; CHECK: fast:
; CHECK-COUNT-3: udiv
; CHECK-NOT: {{div|rem}} i
; CHECK: {{^}}fallback:
; CHECK: sdiv
define ptx_kernel void @heads(ptr noundef %out, i32 noundef %h, i32 noundef %s, i32 noundef %z) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %sz = mul i32 %s, %z
  %hsz = mul i32 %sz, %h
  %bad.sz = icmp eq i32 %sz, 0
  %bad.hsz = icmp eq i32 %hsz, 0
  %bad = or i1 %bad.sz, %bad.hsz
  br i1 %bad, label %done, label %body
body:
  %n = sdiv i32 %x, %hsz
  %r = srem i32 %x, %hsz
  %hd = sdiv i32 %r, %sz
  %r2 = srem i32 %r, %sz
  %sq = sdiv i32 %r2, %z
  %id = srem i32 %x, %z
  %v0 = mul i32 %n, 7
  %v1 = xor i32 %v0, %hd
  %v2 = mul i32 %v1, 11
  %v3 = xor i32 %v2, %sq
  %v4 = mul i32 %v3, 13
  %v5 = xor i32 %v4, %id
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %v5, ptr %p
  br label %done
done:
  ret void
}

; What has nsw already is not tested: where sizes are positive the product is.
; CHECK-LABEL: define ptx_kernel void @exact_product(
; CHECK: icmp sgt i32 %
; CHECK: icmp sgt i32 %
; CHECK-NOT: {{mul .*i64 .*%w}}
; CHECK: br i1
; CHECK: fast:
; CHECK: udiv
; RUN: %kernel-run --kernel exact_product --grid 3 --block 40 --args out:i32:120,i32:3,i32:5 %s %t.ll
; RUN: %kernel-run --kernel exact_product --grid 3 --block 40 --args out:i32:120,i32:-3,i32:5 %s %t.ll
define ptx_kernel void @exact_product(ptr noundef %out, i32 noundef %w, i32 noundef %h) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %wh = mul nsw i32 %w, %h
  %q = sdiv i32 %x, %wh
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}

; A factor that differs between threads is no question for the whole launch.
; CHECK-LABEL: define ptx_kernel void @loaded_factor_negative(
; CHECK: fast:
; CHECK: = mul i32 %w, %f
; CHECK: sdiv i32
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel loaded_factor_negative --grid 3 --block 40 --args out:i32:120,in:i32:120:min=1:max=9,i32:5 %s %t.ll
define ptx_kernel void @loaded_factor_negative(ptr noundef %out, ptr noundef %in, i32 noundef %w) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %e = zext i32 %x to i64
  %pf = getelementptr inbounds i32, ptr %in, i64 %e
  %f = load i32, ptr %pf
  %wf = mul i32 %w, %f
  %q = sdiv i32 %x, %wf
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}

; x - 1 is natural for a size x > 0; of something else that is a question of its
; own.
; CHECK-LABEL: define ptx_kernel void @less_one(
; CHECK: fast:
; CHECK-NOT: sdiv
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel less_one --grid 3 --block 40 --args out:i32:120,i32:9 %s %t.ll
; RUN: %kernel-run --kernel less_one --grid 3 --block 40 --args out:i32:120,i32:1 %s %t.ll
; RUN: %kernel-run --kernel less_one --grid 3 --block 40 --args out:i32:120,i32:-4 %s %t.ll
define ptx_kernel void @less_one(ptr noundef %out, i32 noundef %w) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %w1 = add nsw i32 %w, -1
  %up = add nsw i32 %x, %w1
  %q = sdiv i32 %up, %w
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}
; CHECK-LABEL: define ptx_kernel void @less_one_tested(
; CHECK: [[W1:%.*]] = add i32 {{.*}}, -1
; CHECK: icmp sge i32 [[W1]], 0
; CHECK: fast:
; CHECK: udiv i32 %up{{[0-9]*}}, %d
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel less_one_tested --grid 3 --block 40 --args out:i32:120,i32:8,i32:4 %s %t.ll
; RUN: %kernel-run --kernel less_one_tested --grid 3 --block 40 --args out:i32:120,i32:3,i32:4 %s %t.ll
define ptx_kernel void @less_one_tested(ptr noundef %out, i32 noundef %w, i32 noundef %d) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %low = and i32 %w, 7
  %w1 = add nsw i32 %low, -1
  %up = add nsw i32 %x, %w1
  %q = sdiv i32 %up, %d
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}
