; The pass runs in the default pipelines behind loop unrolling, where the option
; puts it, and never at -O0.

; DEFINE: %{show} = %unravel-opt -disable-output -print-pipeline-passes %s
; RUN: %{show} -passes='default<O3>' | FileCheck %s --check-prefix=END
; RUN: %{show} -passes='default<O1>' | FileCheck %s --check-prefix=END
; RUN: %{show} -passes='default<O3>' -index-simplify-at=scalar-optimizer-late | FileCheck %s --check-prefix=LATE
; RUN: %{show} -passes='default<O3>' -index-simplify-at=scalar-optimizer-late | FileCheck %s --check-prefix=ONCE
; RUN: %{show} -passes='default<O3>' | FileCheck %s --check-prefix=BEFORE
; RUN: %{show} -passes='default<O3>' -index-simplify-at=none | FileCheck %s --check-prefix=NONE
; RUN: %{show} -passes='default<O0>' | FileCheck %s --check-prefix=NONE
; RUN: not %{show} -passes='default<O3>' -index-simplify-at=nowhere 2>&1 | FileCheck %s --check-prefix=ERROR

; END: note-assumptions,{{.*}}index-facts<record>
; BEFORE: before-unrolling{{.*}}loop-unroll<
; END: loop-unroll{{.*}}index-facts<state>,launch-versioning,index-facts<forget>
; END: index-facts<forget>
; LATE: launch-versioning{{.*}}loop-unroll
; ONCE-NOT: {{loop-unroll<.*launch-versioning}}
; LATE-NOT: before-unrolling
; NONE-NOT: {{index-simplify|before-unrolling|note-assumptions|index-facts|launch-versioning}}
; ERROR: index-simplify-at

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr noundef %in, ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %x = add i32 %s, %t
  %inside = icmp ult i32 %x, 60000
  br i1 %inside, label %body, label %done
body:
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q300 = mul i32 %q, 300
  %r4 = mul i32 %r, 4
  %i = add i32 %q300, %r4
  %fits = icmp ult i32 %i, 240000
  br i1 %fits, label %write, label %done
write:
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %o = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %v, ptr %o
  br label %done
done:
  ret void
}
