; The default pipelines run index-reciprocals behind loop unrolling, unless an
; option says no, and not at -O0. Only NVPTX modules are touched.

; DEFINE: %{show} = %unravel-opt -disable-output -print-pipeline-passes %s
; RUN: %{show} -passes='default<O3>' | FileCheck %s --check-prefix=ON
; RUN: %{show} -passes='default<O1>' | FileCheck %s --check-prefix=ON
; RUN: %{show} -passes='default<O3>' -index-simplify-at=scalar-optimizer-late | FileCheck %s --check-prefix=ON
; RUN: %{show} -passes='default<O3>' -index-simplify-reciprocals=false | FileCheck %s --check-prefix=OFF
; RUN: %{show} -passes='default<O3>' -index-simplify-at=none | FileCheck %s --check-prefix=OFF
; RUN: %{show} -passes='default<O0>' | FileCheck %s --check-prefix=OFF
; ON: index-facts<record>
; ON-SAME: loop-unroll{{.*}}index-reciprocals
; OFF-NOT: index-reciprocals

; RUN: %unravel-opt -passes=index-reciprocals -S %s | FileCheck %s --check-prefix=HOST
; RUN: %unravel-opt -passes=index-reciprocals -mtriple=nvptx64-nvidia-cuda -S %s | FileCheck %s --check-prefix=DEVICE
; RUN: %unravel-opt -passes=index-reciprocals -mtriple=nvptx64-nvidia-cuda -pass-remarks=index-reciprocals -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: %unravel-opt -passes=index-reciprocals -mtriple=nvptx64-nvidia-cuda -debug-counter=index-reciprocals-divisor=1 -S %s | FileCheck %s --check-prefix=HOST
; HOST: udiv i32 %x, %d
; HOST: udiv i32 %y, %d
; DEVICE-NOT: udiv i32 %x
; DEVICE: rcp
; DEVICE-NOT: udiv i32 %y
; REMARK: 2 divisions by one run-time divisor share a reciprocal

target triple = "x86_64-unknown-linux-gnu"

define i32 @two(i32 noundef %x, i32 noundef %y, i32 noundef %d) {
  %a = udiv i32 %x, %d
  %b = udiv i32 %y, %d
  %c = xor i32 %a, %b
  ret i32 %c
}
