; Guards narrow the domain of the accesses behind them; a loop counter, a value
; of unknown sign and an atomic access.

; RUN: %unravel-opt -passes='print<indexing-maps>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %unravel-opt -passes='print<indexing-maps>' -S %s -o %t.after 2>/dev/null && opt -S %s -o %t.before && diff %t.before %t.after

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: Indexing maps of guarded:
; CHECK-NEXT: store i32 %out: (th_x) -> (th_x), domain: th_x in [0, 1023]
; CHECK-NEXT: store i32 %out: (th_x) -> (th_x), domain: th_x in [0, 74]
; CHECK-NEXT: store i32 %out: (th_x) -> (th_x * 12 - (th_x floordiv 75) * 899), domain: th_x in [75, 1023]
; CHECK-NOT: load
define ptx_kernel void @guarded(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  %low = icmp ult i32 %t, 75
  br i1 %low, label %below, label %above
below:
  %r = urem i32 %t, 75
  %re = zext nneg i32 %r to i64
  %pr = getelementptr inbounds i32, ptr %out, i64 %re
  store i32 2, ptr %pr
  ret void
above:
  %q = udiv i32 %t, 75
  %s = urem i32 %t, 75
  %s12 = mul nuw nsw i32 %s, 12
  %i = add nuw nsw i32 %s12, %q
  %ie = zext nneg i32 %i to i64
  %pi = getelementptr inbounds i32, ptr %out, i64 %ie
  store i32 3, ptr %pi
  ret void
}

; CHECK-LABEL: Indexing maps of loop:
; CHECK-NEXT: load float %in: (th_x)[j] -> (th_x + j * 12), domain: th_x in [0, 11], j in [0, 9]
; CHECK-NEXT: atomic float %out: (th_x) -> (th_x), domain: th_x in [0, 11]
define ptx_kernel void @loop(ptr %in, ptr %out) "nvvm.reqntid"="12" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %j64 = zext nneg i32 %j to i64
  %p = getelementptr inbounds [12 x float], ptr %in, i64 %j64, i64 %t64
  %v = load float, ptr %p
  %o = getelementptr inbounds float, ptr %out, i64 %t64
  %old = atomicrmw fadd ptr %o, float %v monotonic
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A sign that is not known leaves C's division in the map.
; CHECK-LABEL: Indexing maps of signed:
; CHECK-NEXT: store i32 %out: (){n} -> (truncdiv(n, 75)){{$}}
define ptx_kernel void @signed(ptr %out, i32 noundef %n) {
  %q = sdiv i32 %n, 75
  %e = sext i32 %q to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}

; The step of a loop counter is part of the domain.
; CHECK: Indexing maps of step:
; CHECK-NEXT: load float %in: ()[i] -> (i), domain: i in [0, 120], i mod 5 in [0, 0]
define ptx_kernel void @step(ptr %in) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds float, ptr %in, i64 %i
  %v = load float, ptr %p
  %next = add nuw nsw i64 %i, 5
  %done = icmp eq i64 %next, 125
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Behind guards that contradict each other nothing is executed.
; CHECK: Indexing maps of contradictory:
; CHECK-NEXT: store i32 %p: never executed
define ptx_kernel void @contradictory(ptr %out, i32 noundef %n) {
  %small = icmp ult i32 %n, 5
  br i1 %small, label %below, label %done
below:
  %large = icmp ugt i32 %n, 10
  br i1 %large, label %above, label %done
above:
  %e = zext nneg i32 %n to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}
