; index-simplify<...> chooses what is rewritten.

; RUN: %unravel-opt -passes='index-simplify<addresses;comparisons;values>' -S %s | FileCheck %s --check-prefixes=ADDRESS,COMPARE,VALUE
; RUN: %unravel-opt -passes='index-simplify<no-addresses>' -S %s | FileCheck %s --check-prefixes=NO-ADDRESS,COMPARE,VALUE
; RUN: %unravel-opt -passes='index-simplify<no-comparisons>' -S %s | FileCheck %s --check-prefixes=ADDRESS,NO-COMPARE,VALUE
; RUN: %unravel-opt -passes='index-simplify<no-values>' -S %s | FileCheck %s --check-prefixes=ADDRESS,COMPARE,NO-VALUE
; RUN: %unravel-opt -passes='index-simplify<no-addresses;no-values;no-comparisons>' -S %s | FileCheck %s --check-prefixes=NO-ADDRESS,NO-COMPARE,NO-VALUE
; The last one of two wins.
; RUN: %unravel-opt -passes='index-simplify<no-values;values>' -S %s | FileCheck %s --check-prefixes=ADDRESS,COMPARE,VALUE

; Something else: our message, and no output.
; RUN: not %unravel-opt -passes='index-simplify<depth>' -S %s -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %unravel-opt -passes='index-simplify<values=3>' -S %s -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %unravel-opt -passes='index-simplify<no-no-values>' -S %s -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %unravel-opt -passes='index-simplify<addresses;;values>' -S %s -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not ls %t.none
; UNKNOWN: index-simplify: unknown parameter '{{.*}}'; known are addresses, comparisons, values
; UNKNOWN: unknown {{.*}}pass

; -print-pipeline-passes prints what can be read again.
; RUN: %unravel-opt -passes='index-simplify<no-values>,print<indexing-maps>,print<range-facts>' -print-pipeline-passes -disable-output %s > %t.pipeline
; RUN: FileCheck %s --check-prefix=PIPELINE < %t.pipeline
; RUN: %unravel-opt -passes='function(index-simplify<addresses;comparisons;no-values>,print<indexing-maps>,print<range-facts>)' -print-pipeline-passes -disable-output %s | diff %t.pipeline -
; PIPELINE: index-simplify<{{.*}}no-values{{.*}}>,print<indexing-maps>,print<range-facts>

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; One root of each kind, none of which shares anything with another.
; ADDRESS-NOT: {{(udiv|urem) i32 %x, 75}}
; NO-ADDRESS: urem i32 %x, 75
; VALUE-NOT: {{(udiv|urem) i32 %y, 12}}
; NO-VALUE: urem i32 %y, 12
; COMPARE: br i1 true
; NO-COMPARE: br i1 %c
define ptx_kernel void @k(ptr %out, i32 noundef %x, i32 noundef %y, i32 noundef %z) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %m = mul nuw i32 %q, 75
  %i = add nuw i32 %m, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  %yq = udiv i32 %y, 12
  %yr = urem i32 %y, 12
  %ym = mul nuw i32 %yq, 12
  %j = add nuw i32 %ym, %yr
  store i32 %j, ptr %out
  %s = urem i32 %z, 33
  %c = icmp ult i32 %s, 33
  br i1 %c, label %write, label %done
write:
  store i32 8, ptr %out
  br label %done
done:
  ret void
}
