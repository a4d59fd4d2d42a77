; --passes runs a pipeline on a copy and compares with the original.
;
; DEFINE: %{run} = %kernel-run %s --grid 40 --block 128 --args out:i32:6000
; RUN: %{run} --kernel round_trip --load-pass-plugin %plugin --passes index-simplify --save-after %t.after.ll | FileCheck %s --check-prefix=SAME
; SAME: round_trip: 5120 threads, 24000 bytes identical in 2 versions (
; RUN: FileCheck %s --check-prefix=AFTER < %t.after.ll
; AFTER-LABEL: define ptx_kernel void @round_trip
; AFTER-NOT: div
; AFTER: }
; The original file is what the copy is compared with.
; RUN: %{run} --kernel round_trip --compare %t.after.ll
;
; RUN: %{run} --kernel round_trip --passes 'function(sroa,instcombine),globaldce' | FileCheck %s --check-prefix=SAME
; What passes may do that changes the result: here, what was never written.
; RUN: not %kernel-run %s --grid 1 --block 1 --args inout:i32:1:min=1:max=1 --kernel undecided --passes 'function(sroa,instcombine)' --save-after %t.undecided.ll | FileCheck %s --check-prefix=UNDEF
; UNDEF: undecided: argument 0 (inout) (i32) differs at element 0, byte 0: -1515870811 in {{.*}}passes.ll, 7 in after function(sroa,instcombine)
;
; RUN: not %{run} --kernel round_trip --passes 'index-simplify' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: kernel-run: --passes: unknown pass name 'index-simplify'
; RUN: not %{run} --kernel round_trip --passes 'sroa(' 2>&1 | FileCheck %s --check-prefix=INVALID
; INVALID: kernel-run: --passes: invalid pipeline 'sroa('
; RUN: not %{run} --kernel round_trip --passes dce --load-pass-plugin %t.absent.so 2>&1 | FileCheck %s --check-prefix=ABSENT
; ABSENT: kernel-run: --load-pass-plugin: Could not load library {{.*}}absent.so
; RUN: not %{run} --kernel round_trip --passes dce --save-after %t.absent/x.ll 2>&1 | FileCheck %s --check-prefix=SAVE
; SAVE: kernel-run: --save-after: {{.*}}absent/x.ll: cannot write: there is no folder '{{.*}}absent'; name a file in a folder that you may write to
; RUN: not %{run} --kernel round_trip --save-after %t.ll 2>&1 | FileCheck %s --check-prefix=ALONE
; ALONE: kernel-run: --save-after and --load-pass-plugin go with --passes

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @round_trip(ptr %out) {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call range(i32 0, 40) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = shl i32 %b, 7
  %i = or i32 %first, %t
  %row = udiv i32 %i, 75
  %column = urem i32 %i, 75
  %scaled = mul i32 %row, 75
  %back = add i32 %scaled, %column
  %at = getelementptr i32, ptr %out, i32 %back
  store i32 %i, ptr %at
  ret void
}

define ptx_kernel void @undecided(ptr %out) {
  %variable = alloca i32
  %x = load i32, ptr %variable
  store i32 7, ptr %variable
  %y = freeze i32 %x
  store i32 %y, ptr %out
  ret void
}
