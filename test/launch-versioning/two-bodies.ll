; What two bodies share and what each has to have of its own: local variables,
; shared memory and barriers; loop metadata, alias scopes and assumptions.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='debugify,function(launch-versioning),check-debugify' -index-simplify-versioning=always -verify-each -disable-output %s
; RUN: %unravel-opt -passes='debugify,function(launch-versioning)' -index-simplify-versioning-growth=0 -verify-each -S %s -o %t.rolled-back.ll
; RUN: %unravel-opt -passes='debugify,function(index-simplify)' -verify-each -S %s -o %t.plain.ll
; RUN: grep -v -e declare -e attributes -e Attrs -e '^$' %t.rolled-back.ll > %t.rolled-back.txt
; RUN: grep -v -e declare -e attributes -e Attrs -e '^$' %t.plain.ll > %t.plain.txt
; RUN: diff %t.plain.txt %t.rolled-back.txt

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] undef, align 4

; CHECK-LABEL: define ptx_kernel void @shared_memory(
; CHECK-NEXT: entry:
; CHECK-NEXT: %local = alloca i32
; CHECK-NOT: alloca
; CHECK: fast:
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all
; CHECK: {{^}}fallback:
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all
; RUN: %kernel-run --kernel shared_memory --grid 2 --block 64 --args out:i32:128,i32:7 %s %t.ll
; RUN: %kernel-run --kernel shared_memory --grid 2 --block 64 --args out:i32:128,i32:-7 %s %t.ll
define ptx_kernel void @shared_memory(ptr noundef %out, i32 noundef %w) {
entry:
  %local = alloca i32
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %q = sdiv i32 %x, %w
  store volatile i32 %q, ptr %local
  %v = load volatile i32, ptr %local
  %te = zext i32 %t to i64
  %pt = getelementptr inbounds [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %te
  store i32 %v, ptr addrspace(3) %pt
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = sub i64 63, %te
  %po = getelementptr inbounds [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %o
  %u = load i32, ptr addrspace(3) %po
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %u, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @metadata(
; CHECK: fast:
; CHECK: call void @llvm.assume
; CHECK: call void @llvm.experimental.noalias.scope.decl(metadata [[FAST_SCOPES:![0-9]+]])
; CHECK: store i32 {{.*}}, !alias.scope [[FAST_SCOPES]]
; CHECK: br i1 {{.*}}, !llvm.loop [[FAST_LOOP:![0-9]+]]
; CHECK: {{^}}fallback:
; CHECK: call void @llvm.assume
; CHECK-NOT: metadata [[FAST_SCOPES]]
; CHECK-NOT: !llvm.loop [[FAST_LOOP]]
; CHECK: br i1 {{.*}}, !llvm.loop
; CHECK: ret void
; RUN: %kernel-run --kernel metadata --grid 2 --block 32 --args out:i32:64,i32:64,i32:7 %s %t.ll
; RUN: %kernel-run --kernel metadata --grid 2 --block 32 --args out:i32:64,i32:64,i32:-7 %s %t.ll
define ptx_kernel void @metadata(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
entry:
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ok = icmp slt i32 %n, 1000000
  call void @llvm.assume(i1 %ok)
  %any = icmp slt i32 %t, %n
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %q = sdiv i32 %i, %w
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %p, !alias.scope !2
  %next = add i32 %i, %bs
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!3}
!3 = distinct !{!3, !4}
!4 = distinct !{!4}
