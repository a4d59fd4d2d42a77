; A comparison in which the index has the factor -1: whether it is strict decides
; about a whole period, and about what may be dropped.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1
; RUN: %{run} --args out:i32:3000,i32:0 --kernel reversed %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2699 --kernel reversed %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2700 --kernel reversed %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2999 --kernel reversed %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2624 --kernel reversed_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2625 --kernel reversed_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:1,i32:3 --kernel lanes %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2,i32:0 --kernel lanes %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:1,i32:0 --kernel lanes %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:1,i32:2 --kernel lanes_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:1,i32:3 --kernel lanes_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:0,i32:3 --kernel lanes_negative %s %t.ll
; RUN: %{run} --args out:i32:3000,i32:2,i32:0 --kernel lanes_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 39 - x/75 >= 4 is x/75 <= 35, that is x < 2700: not x <= 2700.
; CHECK-LABEL: define ptx_kernel void @reversed(
; CHECK: icmp ult i32 %x, 2700
define ptx_kernel void @reversed(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 3000
  br i1 %in, label %work, label %done
work:
  %q = udiv i32 %x, 75
  %m = sub i32 39, %q
  %c = icmp sgt i32 %m, 3
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; Strict: 39 - x/75 > 4 is x/75 <= 34, x < 2625.
; CHECK-LABEL: define ptx_kernel void @reversed_negative(
; CHECK: icmp ult i32 %x, 2625
define ptx_kernel void @reversed_negative(ptr noundef %out, i32 noundef %x) {
  %in = icmp ult i32 %x, 3000
  br i1 %in, label %work, label %done
work:
  %q = udiv i32 %x, 75
  %m = sub i32 39, %q
  %c = icmp sgt i32 %m, 4
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; 7 - 4*x - v >= 0 with v in [0, 3] is x < 2, whatever v is.
; CHECK-LABEL: define ptx_kernel void @lanes(
; CHECK-NOT: and i32 %y
; CHECK: icmp ult i32 %x, 2
define ptx_kernel void @lanes(ptr noundef %out, i32 noundef %x, i32 noundef %y) {
  %in = icmp ult i32 %x, 3000
  br i1 %in, label %work, label %done
work:
  %v = and i32 %y, 3
  %x4 = mul i32 %x, 4
  %s = add i32 %x4, %v
  %m = sub i32 7, %s
  %c = icmp sgt i32 %m, -1
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; 7 - 4*x - v > 0 is the strict one: x = 1 with v = 3 is out, so v counts.
; CHECK-LABEL: define ptx_kernel void @lanes_negative(
; CHECK: and i32 %y, 3
; CHECK: icmp
; CHECK: br i1 %
define ptx_kernel void @lanes_negative(ptr noundef %out, i32 noundef %x, i32 noundef %y) {
  %in = icmp ult i32 %x, 3000
  br i1 %in, label %work, label %done
work:
  %v = and i32 %y, 3
  %x4 = mul i32 %x, 4
  %s = add i32 %x4, %v
  %m = sub i32 7, %s
  %c = icmp sgt i32 %m, 0
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}
