; Finding the rewrite that matters: opt-bisect counts functions, the debug
; counter single rewrites.

; RUN: %unravel-opt -passes=index-simplify -opt-bisect-limit=1 -S %s 2>%t.err | FileCheck %s --check-prefixes=FIRST,NO-SECOND,NO-THIRD
; RUN: FileCheck %s --check-prefix=BISECT < %t.err
; RUN: %unravel-opt -passes=index-simplify -opt-bisect-limit=0 -S %s 2>/dev/null | FileCheck %s --check-prefixes=NO-FIRST,NO-SECOND,NO-THIRD
; BISECT: BISECT: running pass (1) index-simplify on first
; BISECT: BISECT: NOT running pass (2) index-simplify on second

; RUN: %unravel-opt -passes=index-simplify -debug-counter=index-simplify-rewrite=0 -S %s | FileCheck %s --check-prefixes=FIRST,NO-SECOND,NO-THIRD
; RUN: %unravel-opt -passes=index-simplify -debug-counter=index-simplify-rewrite=1-2 -S %s | FileCheck %s --check-prefixes=NO-FIRST,SECOND,THIRD
; RUN: %unravel-opt -passes=index-simplify -debug-counter=index-simplify-rewrite=2 -S %s | FileCheck %s --check-prefixes=NO-FIRST,NO-SECOND,THIRD

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; FIRST-LABEL: define ptx_kernel void @first(
; FIRST-NOT: urem
; FIRST: br i1 true
; NO-FIRST-LABEL: define ptx_kernel void @first(
; NO-FIRST: urem
; NO-FIRST: br i1 %c
define ptx_kernel void @first(ptr %out, i32 noundef %x) {
  %r = urem i32 %x, 75
  %c = icmp ult i32 %r, 75
  br i1 %c, label %write, label %done
write:
  store i32 8, ptr %out
  br label %done
done:
  ret void
}

; Two independent rewrites in one function.
; SECOND: br i1 true, label %more
; NO-SECOND: br i1 %c, label %more
; THIRD: br i1 true, label %write
; NO-THIRD: br i1 %d, label %write
define ptx_kernel void @second(ptr %out, i32 noundef %x, i32 noundef %y) {
  %r = urem i32 %x, 75
  %c = icmp ult i32 %r, 75
  br i1 %c, label %more, label %done
more:
  %s = urem i32 %y, 12
  %d = icmp ult i32 %s, 12
  br i1 %d, label %write, label %done
write:
  store i32 8, ptr %out
  br label %done
done:
  ret void
}
