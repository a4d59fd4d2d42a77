; A loop of one block goes back where a comparison is true: NVPTX prints one jump
; for that, and two for a loop that ends where a comparison is true. ptxas unrolls
; only loops of one jump.

; RUN: %unravel-opt -passes=latch-branches -S < %s > %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: llc -mcpu=sm_90 < %t.ll | FileCheck %s --check-prefix=PTX
; DEFINE: %{run} = %kernel-run --grid 2 --block 32 --args out:f32:4096,i32:8
; RUN: %{run} --kernel equal %s %t.ll
; RUN: %{run} --kernel shared %s %t.ll
; RUN: %{run} --kernel floats %s %t.ll
; RUN: %{run} --kernel back_negative %s %t.ll
; RUN: %{run} --kernel blocks_negative %s %t.ll
; RUN: %{run} --kernel logic_negative %s %t.ll

; A second run finds nothing more to turn around; other targets are left alone.
; RUN: %unravel-opt -passes=latch-branches -S < %t.ll > %t2.ll
; RUN: diff %t.ll %t2.ll
; RUN: %unravel-opt -passes=latch-branches -mtriple=x86_64-linux-gnu -S < %s | FileCheck %s --check-prefix=HOST
; HOST: icmp eq
; HOST-NOT: icmp ne

; The default pipelines run it at their end.
; DEFINE: %{show} = %unravel-opt -disable-output -print-pipeline-passes %s
; RUN: %{show} -passes='default<O3>' | FileCheck %s --check-prefix=ON
; RUN: %{show} -passes='default<O0>' | FileCheck %s --check-prefix=OFF
; RUN: %{show} -passes='default<O3>' -index-simplify-at=none | FileCheck %s --check-prefix=OFF
; ON: launch-versioning{{.*}}latch-branches
; OFF-NOT: latch-branches

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @equal(
; CHECK: %last = icmp samesign ne i32 %next, %n
; CHECK-NEXT: br i1 %last, label %loop, label %exit, !prof [[TURNED:!.*]]
; PTX-LABEL: .entry equal(
; PTX: [[LOOP:\$L__BB[0-9_]+]]:
; PTX: setp.ne.b32 [[P:%p[0-9]+]]
; PTX-NEXT: @[[P]] bra [[LOOP]];
; PTX-NOT: bra.uni
; PTX: ret
define ptx_kernel void @equal(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %out, i32 %i
  store volatile float 1.0, ptr %at
  %next = add nuw nsw i32 %i, 1
  %last = icmp samesign eq i32 %next, %n
  br i1 %last, label %exit, label %loop, !prof !0
exit:
  ret void
}

; The comparison has another user, which keeps it.
; CHECK-LABEL: define ptx_kernel void @shared(
; CHECK: %last = icmp uge i32 %next, %n
; CHECK-NEXT: %f = uitofp i1 %last to float
; CHECK: %last.not = icmp ult i32 %next, %n
; CHECK-NEXT: br i1 %last.not, label %loop, label %exit
define ptx_kernel void @shared(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %last = icmp uge i32 %next, %n
  %f = uitofp i1 %last to float
  %at = getelementptr float, ptr %out, i32 %i
  store volatile float %f, ptr %at
  br i1 %last, label %exit, label %loop
exit:
  ret void
}

; A debugger shows the variable as it was.
; CHECK-LABEL: define ptx_kernel void @shown(
; CHECK: %last = icmp uge i32 %next, %n
; CHECK-NEXT: #dbg_value(i1 %last,
; CHECK-NEXT: %last.not = icmp ult i32 %next, %n
; CHECK-NEXT: br i1 %last.not, label %loop, label %exit
define ptx_kernel void @shown(ptr %out, i32 %n) !dbg !3 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %out, i32 %i
  store volatile float 1.0, ptr %at
  %next = add i32 %i, 1
  %last = icmp uge i32 %next, %n
    #dbg_value(i1 %last, !5, !DIExpression(), !6)
  br i1 %last, label %exit, label %loop
exit:
  ret void
}

; The opposite of an ordered comparison is true for NaN.
; CHECK-LABEL: define ptx_kernel void @floats(
; CHECK: %last = fcmp nnan ult float %x, 5.000000e+00
; CHECK-NEXT: br i1 %last, label %loop, label %exit
define ptx_kernel void @floats(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = uitofp i32 %i to float
  %at = getelementptr float, ptr %out, i32 %i
  store volatile float %x, ptr %at
  %next = add i32 %i, 1
  %last = fcmp nnan oge float %x, 5.0
  br i1 %last, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @back_negative(
; CHECK: %more = icmp ult i32 %next, %n
; CHECK-NEXT: br i1 %more, label %loop, label %exit
define ptx_kernel void @back_negative(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %out, i32 %i
  store volatile float 1.0, ptr %at
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @blocks_negative(
; CHECK: %last = icmp eq i32 %next, %n
; CHECK-NEXT: br i1 %last, label %exit, label %loop
define ptx_kernel void @blocks_negative(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %store, label %latch
store:
  %at = getelementptr float, ptr %out, i32 %i
  store volatile float 1.0, ptr %at
  br label %latch
latch:
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %exit, label %loop
exit:
  ret void
}

; Nothing but a comparison has an opposite for free.
; CHECK-LABEL: define ptx_kernel void @logic_negative(
; CHECK: br i1 %last, label %exit, label %loop
define ptx_kernel void @logic_negative(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %out, i32 %i
  store volatile float 1.0, ptr %at
  %next = add i32 %i, 1
  %a = icmp eq i32 %next, %n
  %b = icmp ugt i32 %next, 100
  %last = or i1 %a, %b
  br i1 %last, label %exit, label %loop
exit:
  ret void
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!7}

!0 = !{!"branch_weights", i32 1, i32 7}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "shown.cu", directory: "/")
!3 = distinct !DISubprogram(name: "shown", file: !2, line: 1, type: !4, unit: !1)
!4 = !DISubroutineType(types: !{})
!5 = !DILocalVariable(name: "last", scope: !3, file: !2, line: 2)
!6 = !DILocation(line: 2, scope: !3)
!7 = !{i32 2, !"Debug Info Version", i32 3}
; CHECK: [[TURNED]] = !{!"branch_weights", i32 7, i32 1}
