; The default pipelines give a kernel a second body where it pays.

; DEFINE: %{o3} = %unravel-opt -passes='default<O3>' -mcpu=sm_90 -S %s
; RUN: %{o3} -o %t.ll && FileCheck %s < %t.ll
; RUN: %{o3} -index-simplify-at=scalar-optimizer-late -o %t.late.ll && FileCheck %s < %t.late.ll
; RUN: %{o3} -index-simplify-versioning=off | FileCheck %s --check-prefix=NONE
; RUN: %{o3} -index-simplify-at=none | FileCheck %s --check-prefix=NONE
; RUN: sed 's/) {$/) optsize {/' %s > %t.small.ll
; RUN: %unravel-opt -passes='default<O3>' -mcpu=sm_90 -S %t.small.ll | FileCheck %s --check-prefix=NONE
; (Without a triple the prices are not those of the target.)
; RUN: sed '/^target triple/d' %s > %t.no-triple.ll
; RUN: %unravel-opt -passes='default<O3>' -S %t.no-triple.ll | FileCheck %s --check-prefix=NONE
; DEFINE: %{run} = %kernel-run --grid 3 --block 40 --args out:i32:700
; RUN: %{run},i32:5,i32:7,i32:20 %s %t.ll
; RUN: %{run},i32:-5,i32:-7,i32:20 %s %t.ll
; RUN: %{run},i32:1,i32:1,i32:700 %s %t.late.ll

; CHECK: fast:
; CHECK-NOT: {{(div|rem) i64}}
; CHECK: {{^}}fallback:
; CHECK: {{(div|rem) i64}}
; NONE-NOT: fast:

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; [N, C, HW] -> [N, HW, C] with a size_t index over int sizes.
define ptx_kernel void @transpose(ptr noundef %out, i32 noundef %C, i32 noundef %HW, i32 noundef %N) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %start = zext i32 %x to i64
  %nc = mul nsw i32 %N, %C
  %nchw = mul nsw i32 %nc, %HW
  %end = sext i32 %nchw to i64
  %c64 = sext i32 %C to i64
  %hw64 = sext i32 %HW to i64
  br label %head
head:
  %i = phi i64 [ %start, %entry ], [ %next, %latch ]
  %in = icmp ult i64 %i, %end
  br i1 %in, label %body, label %done
body:
  %hw = urem i64 %i, %hw64
  %q = udiv i64 %i, %hw64
  %c = urem i64 %q, %c64
  %q2 = udiv i64 %i, %c64
  %n = udiv i64 %q2, %hw64
  %a = mul i64 %n, %hw64
  %a1 = add i64 %a, %hw
  %a2 = mul i64 %a1, %c64
  %a3 = add i64 %a2, %c
  %low = icmp ult i64 %a3, 700
  br i1 %low, label %store, label %latch
store:
  %v = trunc i64 %i to i32
  %p = getelementptr inbounds i32, ptr %out, i64 %a3
  store i32 %v, ptr %p
  br label %latch
latch:
  %gs = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %s = mul i32 %bs, %gs
  %step = zext i32 %s to i64
  %next = add i64 %i, %step
  br label %head
done:
  ret void
}
