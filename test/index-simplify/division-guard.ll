; Division by zero is undefined behaviour at once: a runtime division stays
; behind the guard that protects it.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 128
; RUN: %{run} --args out:i32:9000,i32:0 --kernel guarded %s %t.ll
; RUN: %{run} --args out:i32:9000,i32:5 --kernel guarded %s %t.ll
; RUN: %{run} --args out:i32:9000,i32:7,i32:1 --kernel guarded_negative %s %t.ll
; RUN: %{run} --args out:i32:9000,i32:0 --kernel shared %s %t.ll
; RUN: %{run} --args out:i32:9000,i32:7 --kernel shared %s %t.ll
; RUN: %{run} --args out:i32:9000,i32:0 --kernel in_loop %s %t.ll
; RUN: %{run} --args out:i32:9000,i32:7 --kernel in_loop %s %t.ll
; RUN: %{run} --args out:i32:9000,i32:0 --kernel in_loop_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The global thread id: any 32-bit number, for all that the pass knows.
define internal noundef i32 @id() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  ret i32 %i
}

; The digits of x in base 75 go, the division by w stays where it is.
; CHECK-LABEL: define ptx_kernel void @guarded(
; CHECK-NOT: {{udiv|urem}}
; CHECK: br i1
; CHECK: {{^write}}
; CHECK-NOT: {{, 75$|mulhi}}
; CHECK: udiv i32 %{{.*}}, %w
; CHECK-NOT: {{, 75$|mulhi}}
; CHECK: store
define ptx_kernel void @guarded(ptr %out, i32 noundef %w) {
  %x = call i32 @id()
  %safe = icmp ne i32 %w, 0
  br i1 %safe, label %write, label %done
write:
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %row = udiv i32 %i, %w
  %e = zext i32 %row to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}

; Both sides divide by w, but nothing says that all threads may.
; CHECK-LABEL: define ptx_kernel void @guarded_negative(
; CHECK-NOT: {{udiv|urem}}
; CHECK: br i1
; CHECK: {{^safe}}
; CHECK: udiv i32 {{%.*}}, %w
; CHECK: {{^never}}
; CHECK: udiv i32 {{%.*}}, %w
define ptx_kernel void @guarded_negative(ptr %out, i32 noundef %w, i32 noundef %n) {
  %x = call i32 @id()
  br label %choose
choose:
  %small = icmp ult i32 %x, 64
  br i1 %small, label %safe, label %else
else:
  %more = icmp ne i32 %n, 0
  br i1 %more, label %never, label %done
safe:
  %q = udiv i32 %x, %w
  %e = zext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
never:
  %q2 = udiv i32 %x, %w
  %e2 = zext i32 %q2 to i64
  %p2 = getelementptr inbounds i8, ptr %out, i64 %e2
  store i8 7, ptr %p2
  br label %done
done:
  ret void
}

; Where w is known not to be zero both sides can share the division.
; CHECK-LABEL: define ptx_kernel void @shared(
; CHECK-NOT: {{udiv|urem}}
; CHECK: br i1
; CHECK: {{^choose}}
; CHECK: udiv i32 {{%.*}}, %w
; CHECK-NOT: {{udiv|urem}}
; CHECK: ret void
define ptx_kernel void @shared(ptr %out, i32 noundef %w) {
  %x = call i32 @id()
  %zero = icmp eq i32 %w, 0
  br i1 %zero, label %done, label %choose
choose:
  %small = icmp ult i32 %x, 64
  br i1 %small, label %safe, label %never
safe:
  %q = udiv i32 %x, %w
  %e = zext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
never:
  %q2 = udiv i32 %x, %w
  %e2 = zext i32 %q2 to i64
  %p2 = getelementptr inbounds i8, ptr %out, i64 %e2
  store i8 7, ptr %p2
  br label %done
done:
  ret void
}

; Invariant in the loop, and still behind the guard in it.
; CHECK-LABEL: define ptx_kernel void @in_loop(
; CHECK-NOT: udiv
; CHECK: {{^loop}}
; CHECK-NOT: udiv
; CHECK: {{^write}}
; CHECK: udiv i32 {{.*}}, %w
; CHECK: store
define ptx_kernel void @in_loop(ptr %out, i32 noundef %w) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %safe = icmp ult i32 %j, %w
  br i1 %safe, label %write, label %latch
write:
  %q = udiv i32 1024, %w
  %j75 = mul nuw nsw i32 %j, 75
  %jt = add nuw nsw i32 %j75, %t
  %jq = udiv i32 %jt, 75
  %jr = urem i32 %jt, 75
  %jq75 = mul nuw nsw i32 %jq, 75
  %i = add nuw nsw i32 %jq75, %jr
  %k = add nuw nsw i32 %i, %q
  %e = zext i32 %k to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A division by the constant 0 is never executed here, and no crash.
; CHECK-LABEL: define ptx_kernel void @in_loop_negative(
; CHECK: br i1
; CHECK: {{^write}}
; CHECK: ret void
define ptx_kernel void @in_loop_negative(ptr %out, i32 noundef %w) {
  %x = call i32 @id()
  %never = icmp ne i32 %w, 0
  br i1 %never, label %write, label %done
write:
  %q = udiv i32 %x, 0
  %r = srem i32 %x, 0
  %s = add i32 %q, %r
  %e = zext i32 %s to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  br label %done
done:
  ret void
}
