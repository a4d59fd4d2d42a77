; Which values a test may look at: arguments (frozen if they may be undef),
; fields of structs passed by value, constant memory.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@dims = addrspace(4) constant [4 x i32] [i32 3, i32 5, i32 7, i32 9], align 4

; CHECK-LABEL: define ptx_kernel void @may_be_undef(
; CHECK: [[W:%.*]] = freeze i32 %w
; CHECK: icmp sgt i32 [[W]], 0
; CHECK: fast:
; CHECK: udiv i32 %t{{[0-9]*}}, [[W]]
; CHECK: {{^}}fallback:
; CHECK: sdiv i32 %t, %w
; RUN: %kernel-run --kernel may_be_undef --grid 1 --block 64 --args out:i32:64,i32:7 %s %t.ll
; RUN: %kernel-run --kernel may_be_undef --grid 1 --block 64 --args out:i32:64,i32:-7 %s %t.ll
define ptx_kernel void @may_be_undef(ptr noundef %out, i32 %w) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, %w
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}

; The copy that the kernel gets of a struct may be read before its guard.
; CHECK-LABEL: define ptx_kernel void @field(
; CHECK: [[P:%.*]] = getelementptr inbounds i8, ptr %s, i64 4
; CHECK: [[L:%.*]] = load i32, ptr [[P]], align 4
; CHECK: [[D:%.*]] = freeze i32 [[L]]
; CHECK: icmp sgt i32 [[D]], 0
; CHECK: fast:
; CHECK-NOT: load
; CHECK: udiv i32 %t{{[0-9]*}}, [[D]]
; CHECK: {{^}}fallback:
; CHECK: load i32
; CHECK: sdiv
; RUN: %kernel-run --kernel field --grid 1 --block 64 --args out:i32:64,in:i32:2:min=1:max=9,i32:50 %s %t.ll
; RUN: %kernel-run --kernel field --grid 1 --block 64 --args out:i32:64,in:i32:2:min=-9:max=-1,i32:50 %s %t.ll
; RUN: %kernel-run --kernel field --grid 1 --block 64 --args out:i32:64,in:i32:2:min=0:max=0,i32:-1 %s %t.ll
define ptx_kernel void @field(ptr noundef %out, ptr noundef readonly byval({i32, i32}) align 4 %s, i32 noundef %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %body, label %done
body:
  %pd = getelementptr inbounds {i32, i32}, ptr %s, i32 0, i32 1
  %d = load i32, ptr %pd
  %q = sdiv i32 %t, %d
  %pd2 = getelementptr inbounds i8, ptr %s, i64 4
  %d2 = load i32, ptr %pd2
  %r = srem i32 %t, %d2
  %v = xor i32 %q, %r
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %v, ptr %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @constant_memory(
; CHECK: load i32, ptr addrspace(4)
; CHECK: fast:
; CHECK: udiv
; RUN: %kernel-run --kernel constant_memory --grid 1 --block 64 --args out:i32:64 %s %t.ll
define ptx_kernel void @constant_memory(ptr noundef %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = load i32, ptr addrspacecast (ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @dims, i64 8) to ptr)
  %q = sdiv i32 %t, %d
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}

; The kernel writes into its copy; a place behind the struct; memory that may
; not be readable without the guard, or that other code writes. None is tested.
; CHECK-LABEL: define ptx_kernel void @written_field_negative(
; CHECK-NOT: {{^}}fallback:
; CHECK-LABEL: define ptx_kernel void @behind_field_negative(
; CHECK-NOT: {{^}}fallback:
; CHECK-LABEL: define ptx_kernel void @guarded_load_negative(
; CHECK-NOT: {{^}}fallback:
; CHECK-LABEL: define ptx_kernel void @behind_constant_negative(
; CHECK-NOT: {{^}}fallback:
; CHECK-LABEL: define ptx_kernel void @volatile_negative(
; CHECK-NOT: {{^}}fallback:
; CHECK: {{^}}}
define ptx_kernel void @written_field_negative(ptr noundef %out, ptr noundef byval({i32, i32}) align 4 %s, i32 noundef %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 3, ptr %s
  %d = load i32, ptr %s
  %q = sdiv i32 %t, %d
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}
define ptx_kernel void @behind_field_negative(ptr noundef %out, ptr noundef readonly byval({i32, i32}) align 4 %s, i32 noundef %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, 0
  br i1 %in, label %body, label %done
body:
  %pd = getelementptr inbounds i8, ptr %s, i64 6
  %d = load i32, ptr %pd, align 2
  %q = sdiv i32 %t, %d
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}
define ptx_kernel void @guarded_load_negative(ptr noundef %out, ptr noundef readonly noalias %dims, i32 noundef %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %body, label %done
body:
  %d = load i32, ptr %dims
  %q = sdiv i32 %t, %d
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}
define ptx_kernel void @behind_constant_negative(ptr noundef %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp ult i32 %t, 0
  br i1 %in, label %body, label %done
body:
  %d = load i32, ptr addrspacecast (ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @dims, i64 16) to ptr)
  %q = sdiv i32 %t, %d
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  br label %done
done:
  ret void
}
define ptx_kernel void @volatile_negative(ptr noundef %out, ptr noundef readonly byval({i32, i32}) align 4 %s) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = load volatile i32, ptr %s
  %q = sdiv i32 %t, %d
  %e = zext i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p
  ret void
}

; x + n - 1 is natural if n is not 0, which is asked, and not only n >= 0.
; CHECK-LABEL: define ptx_kernel void @one_less(
; CHECK: icmp sgt i32 %n, 0
; CHECK: fast:
; CHECK-NOT: {{sdiv|srem}}
; CHECK: {{^}}fallback:
; RUN: %kernel-run --kernel one_less --grid 3 --block 40 --args out:i32:120,i32:0 %s %t.ll
; RUN: %kernel-run --kernel one_less --grid 3 --block 40 --args out:i32:120,i32:1 %s %t.ll
; RUN: %kernel-run --kernel one_less --grid 3 --block 40 --args out:i32:120,i32:-7 %s %t.ll
; RUN: %kernel-run --kernel one_less --grid 3 --block 40 --args out:i32:120,i32:2147483647 %s %t.ll
define ptx_kernel void @one_less(ptr noundef %out, i32 noundef %n) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %y = add i32 %x, %n
  %z = add i32 %y, -1
  %q = sdiv i32 %z, 75
  %r = srem i32 %z, 2
  %v = add i32 %q, %r
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %v, ptr %p
  ret void
}
