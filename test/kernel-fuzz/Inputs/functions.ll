; Calls, loops, floats, vectors, atomics, memory that is read again.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define internal noundef i32 @id() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = mul i32 %b, 128
  %i = add i32 %s, %t
  ret i32 %i
}

define ptx_kernel void @round_trip(ptr %out, ptr %in) "nvvm.reqntid"="128" {
  %i = call i32 @id()
  %q = udiv i32 %i, 75
  %r = urem i32 %i, 75
  %m = mul i32 %q, 75
  %s = add i32 %m, %r
  %p = getelementptr float, ptr %in, i32 %s
  %v = load float, ptr %p
  %w = fadd float %v, 1.0
  %o = getelementptr float, ptr %out, i32 %i
  store float %w, ptr %o
  ret void
}

; LLVM -O3 leaves three digits of i as they are.
define ptx_kernel void @digits(ptr %out) "nvvm.reqntid"="128" {
  %i = call i32 @id()
  %a = udiv i32 %i, 3000
  %i75 = udiv i32 %i, 75
  %b = urem i32 %i75, 40
  %c = urem i32 %i, 75
  %a40 = mul i32 %a, 40
  %ab = add i32 %a40, %b
  %ab75 = mul i32 %ab, 75
  %s = add i32 %ab75, %c
  %o = getelementptr i16, ptr %out, i32 %s
  store i16 1, ptr %o
  ret void
}

define ptx_kernel void @vectors(ptr %out, i32 noundef %x) {
  %a = insertelement <2 x i32> poison, i32 %x, i64 0
  %b = insertelement <2 x i32> %a, i32 7, i64 1
  %c = mul <2 x i32> %b, <i32 3, i32 5>
  store <2 x i32> %c, ptr %out, align 4
  %old = atomicrmw add ptr %out, i32 %x monotonic
  %again = load i32, ptr %out
  %sum = add i32 %old, %again
  %at = getelementptr i32, ptr %out, i32 2
  store i32 %sum, ptr %at
  ret void
}

define i32 @sum(ptr %in, i32 noundef range(i32 0, 40) %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %acc = phi i32 [ 0, %entry ], [ %acc.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  %at = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %at
  %q = udiv i32 %v, 75
  %acc.next = add i32 %acc, %q
  %next = add i32 %i, 1
  br label %head
exit:
  ret i32 %acc
}

define i128 @wide(i128 %x) {
  ret i128 %x
}
