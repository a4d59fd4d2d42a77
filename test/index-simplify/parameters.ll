; index-simplify<...>: kinds of roots can be left out; a typo is an error that
; names what there is.

; RUN: %unravel-opt -passes='index-simplify<no-comparisons>' -S %s | FileCheck %s --check-prefix=KEPT
; RUN: %unravel-opt -passes='index-simplify<comparisons;addresses>' -S %s | FileCheck %s --check-prefix=FOLDED
; RUN: %unravel-opt -passes='index-simplify<no-values>' -print-pipeline-passes -disable-output %s | FileCheck %s --check-prefix=PIPELINE
; RUN: not %unravel-opt -passes='index-simplify<no-value>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ERROR

; KEPT: icmp ult i32 {{.*}}, 240000
; FOLDED: br i1 true
; PIPELINE: index-simplify<addresses;comparisons;no-values;no-verify;no-certify>
; ERROR: index-simplify: unknown parameter 'no-value'; known are addresses, comparisons, values

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
