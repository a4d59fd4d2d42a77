; Counters that start at an argument, in one of two bodies: the other body keeps
; its guard, and may become the only one again. Local variables stay in the entry
; whatever is computed there. Unreachable code is no reason to hang.

; RUN: %unravel-opt -passes=launch-versioning,verify -index-simplify-versioning=always -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=launch-versioning,verify -S %s -o %t.auto.ll
; RUN: %unravel-opt -passes=launch-versioning,verify -index-simplify-versioning-growth=1 -S %s -o %t.one.ll
; DEFINE: %{versions} = %s %t.ll %t.auto.ll %t.one.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:4000,i64:3,i64:100,i64:7,i64:5 --kernel of_argument %{versions}
; RUN: %{run} --args out:i32:4000,i64:3,i64:100,i64:7,i64:5 --kernel unreachable %{versions}
; RUN: %{run} --args out:i32:4000,i64:3,i64:100,i64:7,i64:5,i32:17,i32:3 --kernel local %{versions}
; RUN: %{run} --args out:i32:4000,i32:90,i32:17,i32:3 --kernel frozen %{versions}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @of_argument(
; CHECK: {{^}}fallback:
; CHECK: icmp ult i64 %first, %n
define ptx_kernel void @of_argument(ptr noundef %out, i64 noundef range(i64 0, 2147483648) %first, i64 noundef range(i64 0, 2147483648) %n, i64 noundef %step, i64 noundef %w) {
entry:
  %any = icmp ult i64 %first, %n
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %first, %entry ], [ %next, %body ]
  %q = sdiv i64 %i, %w
  %r = srem i64 %i, %w
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i64 %r
  store volatile i32 %q.lo, ptr %p
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unreachable(
define ptx_kernel void @unreachable(ptr noundef %out, i64 noundef range(i64 0, 2147483648) %first, i64 noundef range(i64 0, 2147483648) %n, i64 noundef range(i64 1, 1000) %step, i64 noundef range(i64 1, 1000) %w) {
entry:
  %any = icmp ult i64 %first, %n
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %first, %entry ], [ %next, %body ]
  %q = udiv i64 %i, %w
  %q.lo = trunc i64 %q to i32
  %p = getelementptr i32, ptr %out, i64 %i
  store volatile i32 %q.lo, ptr %p
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
dead:
  %x = add i64 %x, 1
  %c = icmp ult i64 %x, %first
  br i1 %c, label %dead, label %done
}

; CHECK-LABEL: define ptx_kernel void @local(
; CHECK-NEXT: entry:
; CHECK-NEXT: alloca
define ptx_kernel void @local(ptr noundef %out, i64 noundef range(i64 0, 2147483648) %first, i64 noundef range(i64 0, 2147483648) %n, i64 noundef range(i64 1, 1000) %step, i64 noundef range(i64 1, 1000) %w, i32 noundef %a, i32 noundef %b) {
entry:
  %buf = alloca [8 x i32]
  %any = icmp ult i64 %first, %n
  br i1 %any, label %body, label %done
body:
  %i = phi i64 [ %first, %entry ], [ %next, %body ]
  %q = udiv i64 %i, %w
  %q.lo = trunc i64 %q to i32
  %m = and i32 %q.lo, 7
  %p = getelementptr i32, ptr %buf, i32 %m
  %v = sdiv i32 %a, %b
  %v2 = srem i32 %v, %b
  %v3 = sdiv i32 %v2, %a
  store volatile i32 %v3, ptr %p
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  %l = load volatile i32, ptr %buf
  store i32 %l, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @frozen(
; CHECK-NEXT: entry:
; CHECK-NEXT: alloca
define ptx_kernel void @frozen(ptr %out, i32 %x, i32 noundef %a, i32 noundef %b) {
entry:
  %buf = alloca [8 x i32]
  store volatile i32 1, ptr %buf
  %c = udiv i32 %x, 75
  %d = urem i32 %x, 75
  %m = mul nuw nsw i32 %c, 300
  %n = shl nuw nsw i32 %d, 2
  %i = add nuw nsw i32 %m, %n
  %e = zext nneg i32 %i to i64
  %p = getelementptr inbounds float, ptr %out, i64 %e
  store float 1.0, ptr %p
  %s = sdiv i32 %a, %b
  %r = srem i32 %a, %b
  %f = sext i32 %r to i64
  %o = getelementptr i32, ptr %out, i64 %f
  store i32 %s, ptr %o
  %l = load volatile i32, ptr %buf
  store i32 %l, ptr %out
  ret void
}
