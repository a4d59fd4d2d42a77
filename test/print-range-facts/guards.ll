; What each block knows.

; RUN: %unravel-opt -passes='print<range-facts>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: Range facts of k:
; CHECK: %entry:
; CHECK: %x = n, unsigned u(n){{$}}
; CHECK: %inside:
; CHECK: %q = n floordiv 75 in [0, 13]
; CHECK: %r = n mod 75 in [0, 74]
; CHECK: %twelve = 12 * n in [0, 11988], = 0 (mod 12)
; CHECK: %never: never executed

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, i32 noundef %n) {
entry:
  %x = freeze i32 %n
  %c = icmp ult i32 %x, 1000
  br i1 %c, label %inside, label %done
inside:
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %twelve = mul i32 %x, 12
  %high = icmp ugt i32 %x, 5000
  br i1 %high, label %never, label %done
never:
  store i32 %q, ptr %out
  br label %done
done:
  ret void
}
