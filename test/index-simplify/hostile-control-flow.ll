; Calls, exceptions, dead and irreducible code, tokens. Nothing here may crash
; the pass or leave it broken IR; a second run, other passes and what prints
; have to cope as well.

; RUN: %unravel-opt -passes='index-simplify,verify,index-simplify,verify,instcombine,verify' -S %s | FileCheck %s
; RUN: %unravel-opt -passes='print<range-facts>,print<indexing-maps>' -disable-output %s 2>&1 | FileCheck --check-prefix=PRINT %s
; RUN: %unravel-opt -passes=index-simplify -disable-output -pass-remarks=index-simplify -pass-remarks-missed=index-simplify -pass-remarks-analysis=index-simplify %s
; RUN: %unravel-opt -passes='default<O3>' -disable-output %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @f(ptr)
declare void @sink(ptr, i32)
declare void @llvm.assume(i1)
declare i32 @__gxx_personality_v0(...)
declare i32 @__CxxFrameHandler3(...)
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()

; CHECK-LABEL: @musttail(
; PRINT-LABEL: Range facts of musttail:
define i32 @musttail(ptr %p, i32 %x) {
  %q = udiv i32 %x, 3
  %r = urem i32 %x, 3
  %m = mul i32 %q, 3
  %s = add i32 %m, %r
  %g = getelementptr i32, ptr %p, i32 %s
  %v = musttail call i32 @musttail(ptr %g, i32 %s)
  ret i32 %v
}

; CHECK-LABEL: @indirect(
; PRINT-LABEL: Range facts of indirect:
define i32 @indirect(ptr %p, i32 %x) {
  %q = udiv i32 %x, 3
  %r = urem i32 %x, 3
  %m = mul i32 %q, 3
  %s = add i32 %m, %r
  %g = getelementptr i32, ptr %p, i32 %s
  %v = call i32 %g(ptr %g, i32 %s)
  %z = call i32 @indirect(ptr %g, i32 %v)
  ret i32 %z
}

; CHECK-LABEL: @callbr(
; PRINT-LABEL: Range facts of callbr:
define void @callbr(ptr %p, i32 %x) {
entry:
  %q = udiv i32 %x, 3
  %r = urem i32 %x, 3
  %m = mul i32 %q, 3
  %s = add i32 %m, %r
  %v = callbr i32 asm sideeffect "", "=r,r,!i"(i32 %s) to label %next [label %other]
next:
  %a = udiv i32 %v, 7
  %b = urem i32 %v, 7
  %c = mul i32 %a, 7
  %d = add i32 %b, %c
  %g = getelementptr i32, ptr %p, i32 %d
  store i32 0, ptr %g
  br label %end
other:
  %a2 = udiv i32 %v, 7
  %b2 = urem i32 %v, 7
  %c2 = mul i32 %a2, 7
  %d2 = add i32 %b2, %c2
  %g2 = getelementptr i32, ptr %p, i32 %d2
  store i32 0, ptr %g2
  br label %end
end:
  %phi = phi i32 [ %v, %next ], [ %x, %other ]
  %ph = udiv i32 %phi, 3
  %g3 = getelementptr i32, ptr %p, i32 %ph
  store i32 0, ptr %g3
  ret void
}

; CHECK-LABEL: @invoke(
; PRINT-LABEL: Range facts of invoke:
define void @invoke(ptr %p, i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  %q = udiv i32 %x, 3
  %r = urem i32 %x, 3
  %m = mul i32 %q, 3
  %s = add i32 %m, %r
  %g = getelementptr i32, ptr %p, i32 %s
  %v = invoke i32 @f(ptr %g) to label %next unwind label %lpad
next:
  %a = udiv i32 %v, 7
  %b = urem i32 %v, 7
  %c = mul i32 %a, 7
  %d = add i32 %b, %c
  %g2 = getelementptr i32, ptr %p, i32 %d
  %w = invoke i32 @f(ptr %g2) to label %end unwind label %lpad
lpad:
  %l = phi i32 [ %s, %entry ], [ %d, %next ]
  %lp = landingpad { ptr, i32 } cleanup
  %e = udiv i32 %l, 5
  %g3 = getelementptr i32, ptr %p, i32 %e
  store i32 0, ptr %g3
  resume { ptr, i32 } %lp
end:
  ret void
}

; CHECK-LABEL: @funclets(
; PRINT-LABEL: Range facts of funclets:
; There is no room in front of a catchswitch or a catchpad.
; CHECK: dispatch:
; CHECK-NEXT: catchswitch
define void @funclets(ptr %p, i32 %x, i1 %cond) personality ptr @__CxxFrameHandler3 {
entry:
  %q = udiv i32 %x, 3
  %r = urem i32 %x, 3
  %m = mul i32 %q, 3
  %s = add i32 %m, %r
  %g = getelementptr i32, ptr %p, i32 %s
  %v = invoke i32 @f(ptr null) to label %next unwind label %dispatch
next:
  %v2 = invoke i32 @f(ptr null) to label %end unwind label %dispatch
dispatch:
  %pp = phi i32 [ 1, %entry ], [ 2, %next ]
  %cs = catchswitch within none [label %handler, label %handler2] unwind label %cleanup
handler:
  %cp = catchpad within %cs [ptr %g, i32 %s, ptr null]
  %h = getelementptr i32, ptr %p, i32 %s
  store i32 0, ptr %h
  catchret from %cp to label %end
handler2:
  %cp2 = catchpad within %cs [ptr null, i32 %s, ptr %g]
  catchret from %cp2 to label %end
cleanup:
  %u = phi i32 [ %s, %dispatch ]
  %up = phi ptr [ %g, %dispatch ]
  %cl = cleanuppad within none [ptr %g, i32 %s]
  store i32 %u, ptr %up
  cleanupret from %cl unwind to caller
end:
  ret void
}

; CHECK-LABEL: @convergence(
; PRINT-LABEL: Range facts of convergence:
define void @convergence(ptr %p, i32 %x, i32 %n) convergent {
entry:
  %tok = call token @llvm.experimental.convergence.entry()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %lt = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %tok) ]
  %q = udiv i32 %i, 3
  %r = urem i32 %i, 3
  %m = mul i32 %q, 3
  %s = add i32 %m, %r
  %g = getelementptr i32, ptr %p, i32 %s
  call void @sink(ptr %g, i32 %s) convergent [ "convergencectrl"(token %lt) ]
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @bundles(
; PRINT-LABEL: Range facts of bundles:
define void @bundles(ptr %p, i32 %x, i64 %a) {
  %q = udiv i32 %x, 3
  %r = urem i32 %x, 3
  %m = mul i32 %q, 3
  %s = add i32 %m, %r
  %g = getelementptr i32, ptr %p, i32 %s
  call void @llvm.assume(i1 true) [ "align"(ptr %g, i64 16), "dereferenceable"(ptr %g, i64 64) ]
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %p), "separate_storage"(ptr %p, ptr %g) ]
  call void @llvm.assume(i1 false)
  call void @llvm.assume(i1 poison)
  %c = icmp ult i32 %s, 100
  call void @llvm.assume(i1 %c)
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 %a) ]
  store i32 0, ptr %g
  %g2 = getelementptr <4 x float>, ptr %g, i32 %q
  %ld = load <4 x float>, ptr %g2
  store <4 x float> %ld, ptr %p
  %asm = call i32 asm sideeffect "mov $0, $1;", "=r,r"(i32 %s)
  %as = urem i32 %asm, 3
  %g3 = getelementptr i32, ptr %p, i32 %as
  store i32 0, ptr %g3
  ret void
}

; CHECK-LABEL: @dead(
; PRINT-LABEL: Range facts of dead:
define void @dead(ptr %p, i32 %x) {
entry:
  br label %end
ring:
  %a = add i32 %a, 1
  %b = udiv i32 %b, 3
  %g = getelementptr i32, ptr %g, i32 %b
  store i32 %a, ptr %g
  %c = icmp ult i32 %a, 7
  %s = select i1 %c, i32 %s, i32 %a
  br i1 %c, label %ring, label %end
end:
  %ph = phi i32 [ %x, %entry ], [ %b, %ring ]
  %pg = phi ptr [ %p, %entry ], [ %g, %ring ]
  %q = udiv i32 %ph, 3
  %r = urem i32 %ph, 3
  %m = mul i32 %q, 3
  %t = add i32 %m, %r
  %g2 = getelementptr i32, ptr %pg, i32 %t
  store i32 0, ptr %g2
  ret void
}

; CHECK-LABEL: @dead_ring_two(
; PRINT-LABEL: Range facts of dead_ring_two:
define void @dead_ring_two(ptr %p, i32 %x) {
entry:
  ret void
one:
  %a = add i32 %b, 1
  br label %two
two:
  %b = mul i32 %a, 3
  %g = getelementptr i32, ptr %p, i32 %b
  store i32 0, ptr %g
  br label %one
}

; CHECK-LABEL: @indirectbr(
; PRINT-LABEL: Range facts of indirectbr:
define void @indirectbr(ptr %p, i32 %x, ptr %to) {
entry:
  %q = udiv i32 %x, 3
  indirectbr ptr %to, [label %a, label %b]
a:
  %phi = phi i32 [ %q, %entry ], [ %w, %b ]
  %r = udiv i32 %phi, 5
  %g = getelementptr i32, ptr %p, i32 %r
  store i32 0, ptr %g
  br label %b
b:
  %w = phi i32 [ %x, %entry ], [ %r, %a ]
  %y = urem i32 %w, 5
  %g2 = getelementptr i32, ptr %p, i32 %y
  store i32 0, ptr %g2
  indirectbr ptr %to, [label %a, label %end]
end:
  ret void
}

; CHECK-LABEL: @target_types(
; PRINT-LABEL: Range facts of target_types:
define void @target_types(ptr %p, i32 %x, target("nvptx.foo", i32, 7) %t) {
  %q = udiv i32 %x, 3
  %g = getelementptr i32, ptr %p, i32 %q
  call void @takes(target("nvptx.foo", i32, 7) %t, ptr %g)
  ret void
}
declare void @takes(target("nvptx.foo", i32, 7), ptr)

; CHECK-LABEL: @phi_twice(
; PRINT-LABEL: Range facts of phi_twice:
define void @phi_twice(ptr %p, i32 %x) {
entry:
  %q = udiv i32 %x, 3
  %r = urem i32 %x, 3
  %m = mul i32 %q, 3
  %s = add i32 %m, %r
  %g = getelementptr i32, ptr %p, i32 %s
  switch i32 %x, label %b [ i32 1, label %end i32 2, label %end i32 3, label %end ]
b:
  br label %end
end:
  %ph = phi ptr [ %g, %entry ], [ %g, %entry ], [ %g, %entry ], [ %p, %b ]
  %pi = phi i32 [ %s, %entry ], [ %s, %entry ], [ %s, %entry ], [ 7, %b ]
  store i32 %pi, ptr %ph
  ret void
}

