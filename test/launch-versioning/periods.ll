; Neighbours of a row modulo the number of rows, in a kernel without a guard: its
; grid fits the lattice, or it would write behind the end. With one question
; about that, the neighbours need no division.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -disable-output -pass-remarks=index-simplify %s 2>&1 | FileCheck %s --check-prefix=REMARK
; DEFINE: %{kernel} = rows
; DEFINE: %{type} = i32
; DEFINE: %{sizes} =
; DEFINE: %{run} = %kernel-run --kernel %{kernel} --grid 3 --block 40 --args out:%{type}:240,%{sizes} %s %t.ll
; REDEFINE: %{sizes} = i32:12,i32:10
; RUN: %{run}
; REDEFINE: %{sizes} = i32:13,i32:10
; RUN: %{run}
; REDEFINE: %{sizes} = i32:11,i32:10
; RUN: %{run}
; REDEFINE: %{sizes} = i32:1,i32:120
; RUN: %{run}
; REDEFINE: %{sizes} = i32:120,i32:1
; RUN: %{run}
; REDEFINE: %{sizes} = i32:1,i32:119
; RUN: %{run}
; REDEFINE: %{sizes} = i32:7,i32:-3
; RUN: %{run}
; REDEFINE: %{sizes} = i32:-7,i32:3
; RUN: %{run}
; REDEFINE: %{sizes} = i32:32768,i32:65535
; RUN: %{run}
; REDEFINE: %{sizes} = i32:65535,i32:32768
; RUN: %{run}
; REDEFINE: %{sizes} = i32:65536,i32:65536
; RUN: %{run}
; REDEFINE: %{sizes} = i32:65536,i32:65537
; RUN: %{run}
; REDEFINE: %{sizes} = i32:2147483647,i32:1
; RUN: %{run}
; REDEFINE: %{kernel} = guarded_negative
; REDEFINE: %{sizes} = i32:12,i32:9
; RUN: %{run}
; REDEFINE: %{sizes} = i32:3,i32:7
; RUN: %{run}
; REDEFINE: %{kernel} = guarded_write_negative
; RUN: %{run}
; REDEFINE: %{sizes} = i32:12,i32:9
; RUN: %{run}
; REDEFINE: %{kernel} = guarded_remainder_negative
; RUN: %{run}
; REDEFINE: %{kernel} = own_remainder_negative
; REDEFINE: %{sizes} = i32:12,i32:10
; RUN: %{run}
; REDEFINE: %{sizes} = i32:3,i32:7
; RUN: %{run}
; REDEFINE: %{kernel} = poison_negative
; REDEFINE: %{sizes} = i32:12,i32:10
; RUN: %{run}
; REDEFINE: %{kernel} = wide
; REDEFINE: %{type} = i64
; REDEFINE: %{sizes} = i64:12,i64:10
; RUN: %{run}
; REDEFINE: %{sizes} = i64:4294967308,i64:10
; RUN: %{run}
; REDEFINE: %{sizes} = i64:12,i64:4294967306
; RUN: %{run}
; REDEFINE: %{sizes} = i64:12,i64:9
; RUN: %{run}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Not even the row itself is needed: x + north*W is i + W or, from the last row,
; i + W - W*H.
; REMARK: launches with {{.*}}, gridDim.x*blockDim.x <= W*H take a faster body
; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK: fast:
; CHECK-NOT: {{(div|rem) i32}}
; CHECK: umin
; CHECK: umin
; CHECK-NOT: {{(div|rem) i32}}
; CHECK: {{^}}fallback:
; CHECK: rem i32
define ptx_kernel void @rows(ptr noundef %out, i32 noundef %W, i32 noundef %H) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %x = srem i32 %i, %W
  %y = sdiv i32 %i, %W
  %y1 = add nsw i32 %y, 1
  %north = srem i32 %y1, %H
  %yh = add i32 %y, %H
  %y0 = add i32 %yh, -1
  %south = srem i32 %y0, %H
  %n = mul i32 %north, %W
  %nx = add i32 %n, %x
  %s = mul i32 %south, %W
  %sx = add i32 %s, %x
  %i2 = shl i32 %i, 1
  %e = zext i32 %i2 to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %nx, ptr %p
  %p1 = getelementptr inbounds i8, ptr %p, i64 4
  store i32 %sx, ptr %p1
  ret void
}

; With a guard the grid is larger than the lattice as a rule, and the guard
; says all that is needed.
; REMARK: launches with
; REMARK-NOT: <= W*H
; REMARK-SAME: take a faster body
; CHECK-LABEL: define ptx_kernel void @guarded_negative(
define ptx_kernel void @guarded_negative(ptr noundef %out, i32 noundef %W, i32 noundef %H) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %size = mul i32 %W, %H
  %inside = icmp slt i32 %i, %size
  br i1 %inside, label %body, label %done
body:
  %y = sdiv i32 %i, %W
  %y1 = add nsw i32 %y, 1
  %north = srem i32 %y1, %H
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %north, ptr %p
  br label %done
done:
  ret void
}

; The same with the index computed in front of the guard.
; REMARK: launches with
; REMARK-NOT: <= W*H
; REMARK-SAME: take a faster body
; CHECK-LABEL: define ptx_kernel void @guarded_write_negative(
define ptx_kernel void @guarded_write_negative(ptr noundef %out, i32 noundef %W, i32 noundef %H) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %y = sdiv i32 %i, %W
  %y1 = add nsw i32 %y, 1
  %north = srem i32 %y1, %H
  %size = mul i32 %W, %H
  %inside = icmp slt i32 %i, %size
  br i1 %inside, label %body, label %done
body:
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %north, ptr %p
  br label %done
done:
  ret void
}

; And with a write in any case, but a guard in front of the remainder.
; REMARK: launches with
; REMARK-NOT: <= W*H
; REMARK-SAME: take a faster body
; CHECK-LABEL: define ptx_kernel void @guarded_remainder_negative(
define ptx_kernel void @guarded_remainder_negative(ptr noundef %out, i32 noundef %W, i32 noundef %H) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %y = sdiv i32 %i, %W
  %inside = icmp slt i32 %y, %H
  br i1 %inside, label %body, label %done
body:
  %y1 = add nsw i32 %y, 1
  %wrapped = srem i32 %y1, %H
  br label %done
done:
  %north = phi i32 [ %wrapped, %body ], [ -1, %0 ]
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %north, ptr %p
  ret void
}

; Who takes y modulo H itself knows of larger ones.
; REMARK: launches with
; REMARK-NOT: <= W*H
; REMARK-SAME: take a faster body
; CHECK-LABEL: define ptx_kernel void @own_remainder_negative(
define ptx_kernel void @own_remainder_negative(ptr noundef %out, i32 noundef %W, i32 noundef %H) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %q = sdiv i32 %i, %W
  %y = srem i32 %q, %H
  %y1 = add nsw i32 %q, 1
  %north = srem i32 %y1, %H
  %s = mul i32 %y, 1000
  %sum = add i32 %s, %north
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %sum, ptr %p
  ret void
}

; An index that may be poison must not decide what an assumption says.
; REMARK: launches with
; REMARK-NOT: <= W*H
; REMARK-SAME: take a faster body
; CHECK-LABEL: define ptx_kernel void @poison_negative(
define ptx_kernel void @poison_negative(ptr noundef %out, i32 noundef %W, i32 noundef %H) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i = add i32 %m, %t
  %j = lshr exact i32 %i, 1
  %y = sdiv i32 %j, %W
  %y1 = add nsw i32 %y, 1
  %north = srem i32 %y1, %H
  %z = sdiv i32 %i, %W
  %low = and i32 %i, 1
  %odd = icmp eq i32 %low, 1
  %kept = select i1 %odd, i32 %z, i32 %north
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %kept, ptr %p
  ret void
}

; The same in 64 bits.
; CHECK-LABEL: define ptx_kernel void @wide(
; CHECK: fast:
; CHECK-NOT: {{(div|rem) i}}
; CHECK: {{^}}fallback:
; CHECK: rem i64
define ptx_kernel void @wide(ptr noundef %out, i64 noundef %W, i64 noundef %H) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %i32 = add i32 %m, %t
  %i = zext i32 %i32 to i64
  %x = srem i64 %i, %W
  %y = sdiv i64 %i, %W
  %y1 = add nsw i64 %y, 1
  %north = srem i64 %y1, %H
  %n = mul i64 %north, %W
  %nx = add i64 %n, %x
  %p = getelementptr inbounds i64, ptr %out, i64 %i
  store i64 %nx, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
