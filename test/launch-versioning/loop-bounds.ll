; Counters of loops that the entry test can bound: what ends the loop need not be a
; `<` on the counter itself.

; RUN: %unravel-opt -passes=launch-versioning,verify -index-simplify-versioning=always -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 20 --args out:i32:4000
; RUN: %{run},i32:90,i32:7 --kernel up_to %s %t.ll
; RUN: %{run},i32:64,i32:-7 --kernel up_to %s %t.ll
; RUN: %{run},i32:-1,i32:7 --kernel up_to %s %t.ll
; RUN: %{run},i32:96,i32:1 --kernel up_to %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel up_to_negative %s %t.ll
; RUN: %{run},i32:-2147483648,i32:7 --kernel up_to_negative %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel unequal %s %t.ll
; RUN: %{run},i32:0,i32:7 --kernel unequal %s %t.ll
; RUN: %{run},i32:1,i32:7 --kernel unequal %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel unequal_negative %s %t.ll
; RUN: %{run},i32:0,i32:7 --kernel unequal_negative %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel whole_steps %s %t.ll
; RUN: %{run},i32:3,i32:7 --kernel whole_steps %s %t.ll
; RUN: %{run},i32:4,i32:7 --kernel whole_steps %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel whole_steps_negative %s %t.ll
; RUN: %{run},i32:4,i32:7 --kernel whole_steps_negative %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel beside %s %t.ll
; RUN: %{run},i32:0,i32:7 --kernel beside %s %t.ll
; RUN: %{run},i32:1,i32:7 --kernel beside %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel beside_negative %s %t.ll
; RUN: %{run},i32:1,i32:7 --kernel beside_negative %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel down %s %t.ll
; RUN: %{run},i32:0,i32:7 --kernel down %s %t.ll
; RUN: %{run},i32:1,i32:7 --kernel down %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel down_negative %s %t.ll
; RUN: %{run},i32:1,i32:7 --kernel down_negative %s %t.ll
; RUN: %{run},i32:90,i32:7,i32:11 --kernel joined %s %t.ll
; RUN: %{run},i32:90,i32:7,i32:-11 --kernel joined %s %t.ll
; RUN: %{run},i32:90,i32:7,i32:95 --kernel joined %s %t.ll
; RUN: %{run},i32:90,i32:7 --kernel joined_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; i <= n.
; CHECK-LABEL: define ptx_kernel void @up_to(
; CHECK: fast:
; CHECK-NOT: {{sdiv|srem}}
; CHECK: {{^}}fallback:
define ptx_kernel void @up_to(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sle i32 %t, %n
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ %t, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 32
  %more = icmp sle i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; The first index may be above n.
; CHECK-LABEL: define ptx_kernel void @up_to_negative(
; CHECK: fast:
; CHECK: {{sdiv|srem}} i32
; CHECK: {{^}}fallback:
define ptx_kernel void @up_to_negative(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %pre
pre:
  br label %body
body:
  %i = phi i32 [ %t, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 32
  %more = icmp sle i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; i != n, one by one.
; CHECK-LABEL: define ptx_kernel void @unequal(
; CHECK: fast:
; CHECK-NOT: {{sdiv|srem}}
; CHECK: {{^}}fallback:
define ptx_kernel void @unequal(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp ne i32 %n, 0
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ 0, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; By twos, which may miss n.
; CHECK-LABEL: define ptx_kernel void @unequal_negative(
; CHECK: fast:
; CHECK: {{sdiv|srem}} i32
; CHECK: {{^}}fallback:
define ptx_kernel void @unequal_negative(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp ne i32 %n, 0
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ 0, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 2
  %more = icmp ne i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; As unrolled loops end: n without its remainder by the step.
; CHECK-LABEL: define ptx_kernel void @whole_steps(
; CHECK: fast:
; CHECK-NOT: {{sdiv|srem}}
; CHECK: {{^}}fallback:
define ptx_kernel void @whole_steps(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp uge i32 %n, 4
  %m = and i32 %n, -4
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ 0, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 4
  %more = icmp ne i32 %next, %m
  br i1 %more, label %body, label %done
done:
  ret void
}

; There may be no whole step: then the loop ends after 2^32 of them.
; CHECK-LABEL: define ptx_kernel void @whole_steps_negative(
; CHECK: fast:
; CHECK: {{sdiv|srem}} i32
; CHECK: {{^}}fallback:
define ptx_kernel void @whole_steps_negative(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp uge i32 %n, 2
  %m = and i32 %n, -4
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ 0, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 4
  %more = icmp ne i32 %next, %m
  br i1 %more, label %body, label %done
done:
  ret void
}

; Another counter ends the loop: i = t + 3 * c.
; CHECK-LABEL: define ptx_kernel void @beside(
; CHECK: fast:
; CHECK-NOT: {{sdiv|srem}}
; CHECK: {{^}}fallback:
define ptx_kernel void @beside(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ %t, %pre ], [ %next, %body ]
  %c = phi i32 [ 0, %pre ], [ %c.next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 3
  %c.next = add i32 %c, 1
  %more = icmp slt i32 %c.next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; i grows faster than a multiple of c that is known.
; CHECK-LABEL: define ptx_kernel void @beside_negative(
; CHECK: fast:
; CHECK: {{sdiv|srem}} i32
; CHECK: {{^}}fallback:
define ptx_kernel void @beside_negative(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ %t, %pre ], [ %next, %body ]
  %c = phi i32 [ 0, %pre ], [ %c.next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 3
  %c.next = add i32 %c, 2
  %more = icmp slt i32 %c.next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; From n - 1 down to zero.
; CHECK-LABEL: define ptx_kernel void @down(
; CHECK: fast:
; CHECK-NOT: {{sdiv|srem}}
; CHECK: {{^}}fallback:
define ptx_kernel void @down(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sgt i32 %n, 0
  %last = add i32 %n, -1
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ %last, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, -1
  %more = icmp sgt i32 %i, 0
  br i1 %more, label %body, label %done
done:
  ret void
}

; Down to -5.
; CHECK-LABEL: define ptx_kernel void @down_negative(
; CHECK: fast:
; CHECK: {{sdiv|srem}} i32
; CHECK: {{^}}fallback:
define ptx_kernel void @down_negative(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sgt i32 %n, 0
  %last = add i32 %n, -1
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ %last, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, -1
  %more = icmp sgt i32 %i, -5
  br i1 %more, label %body, label %done
done:
  ret void
}

; One of two starts.
; CHECK-LABEL: define ptx_kernel void @joined(
; CHECK: fast:
; CHECK-NOT: {{sdiv|srem}}
; CHECK: {{^}}fallback:
define ptx_kernel void @joined(ptr noundef %out, i32 noundef %n, i32 noundef %w, i32 noundef %first) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  %start = select i1 %odd, i32 %t, i32 %first
  %any = icmp slt i32 %start, %n
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ %start, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; One of them is data.
; CHECK-LABEL: define ptx_kernel void @joined_negative(
; CHECK: fast:
; CHECK: {{sdiv|srem}} i32
; CHECK: {{^}}fallback:
define ptx_kernel void @joined_negative(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  %data = load volatile i32, ptr %out
  %start = select i1 %odd, i32 %t, i32 %data
  %any = icmp slt i32 %start, %n
  br i1 %any, label %pre, label %done
pre:
  br label %body
body:
  %i = phi i32 [ %start, %pre ], [ %next, %body ]
  %q = sdiv i32 %i, %w
  %r = srem i32 %i, %w
  %at = and i32 %r, 1023
  %p = getelementptr i32, ptr %out, i32 %at
  store volatile i32 %q, ptr %p
  %next = add i32 %i, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
