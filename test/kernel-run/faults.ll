; What else a kernel can do wrong, and what device code prints.
;
; DEFINE: %{run} = %kernel-run %s --grid 1 --block 4
; RUN: not %{run} --kernel divide --args i32:7,i32:0 | FileCheck %s --check-prefix=ZERO
; ZERO: thread (0, 0, 0) of block (0, 0, 0) divided by zero, or its quotient overflowed
; ZERO-NEXT: at: %q = sdiv i32 %x, %y in function divide
; RUN: not %{run} --kernel divide --args i32:-2147483648,i32:-1 | FileCheck %s --check-prefix=ZERO
; RUN: %{run} --kernel divide --args i32:-2147483648,i32:1
; RUN: not %{run} --kernel remainder --args i32:7,i32:0 | FileCheck %s --check-prefix=REM
; REM: at: %q = urem <2 x i32> %xx, %yy in function remainder
; RUN: %{run} --kernel remainder --args i32:7,i32:-1
;
; RUN: not %{run} --kernel assume --args i32:3 | FileCheck %s --check-prefix=ASSUME
; ASSUME: thread (3, 0, 0) of block (0, 0, 0) breaks an assumption of the code
; ASSUME-NEXT: at: call void @llvm.assume(i1 %fine) in function assume
; RUN: %{run} --kernel assume --args i32:4
;
; RUN: not %{run} --kernel nowhere --args i32:3 | FileCheck %s --check-prefix=NOWHERE
; NOWHERE: thread (3, 0, 0) of block (0, 0, 0) reached a trap or unreachable code
; NOWHERE-NEXT: at: unreachable in function nowhere
;
; RUN: %{run} --kernel print --args i32:3 2>&1 | FileCheck %s --check-prefix=PRINT
; PRINT: thread 0 says -5, 0.25, text, 1152921504606846976 and 100%
; PRINT-NEXT: thread 1 says
; PRINT: thread 3 says
; RUN: not %{run} --kernel print_short --args i32:3 2>&1 | FileCheck %s --check-prefix=SHORT
; SHORT: reads 4 bytes at byte 4 of local variable few, which has 4 bytes
; SHORT-NEXT: at: %n2 = call i32 @vprintf(ptr @two, ptr %few)
;
; RUN: not %{run} --kernel check --args i32:2 | FileCheck %s --check-prefix=ASSERT
; ASSERT: thread (2, 0, 0) of block (0, 0, 0) failed the assertion 'i < n' of k.cu:17
; RUN: %{run} --kernel check --args i32:4
;
; Variables keep what blocks leave in them, and start again for each run.
; RUN: %kernel-run %s --grid 5 --block 4 --kernel counted --args out:i32:1 --also-kernel counted --output 0=%t.count
; RUN: od -A n -t d4 %t.count | FileCheck %s --check-prefix=COUNT
; COUNT: {{^ *}}120{{$}}

target triple = "nvptx64-nvidia-cuda"

@format = private unnamed_addr constant [44 x i8] c"thread %d says %d, %.2f, %s, %lld and 100%%\00"
@two = private constant [7 x i8] c"%d %d\0A\00"
@newline = private constant [2 x i8] c"\0A\00"
@text = private constant [5 x i8] c"text\00"
@condition = private constant [6 x i8] c"i < n\00"
@file = private constant [5 x i8] c"k.cu\00"
@total = internal addrspace(1) global i32 100, align 4
@place = internal addrspace(1) global ptr addrspacecast (ptr addrspace(1) @total to ptr), align 8

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)

define ptx_kernel void @divide(i32 %x, i32 %y) {
  %q = sdiv i32 %x, %y
  %kept = call i32 @opaque(i32 %q)
  ret void
}

define internal i32 @opaque(i32 %x) noinline {
  %variable = alloca i32
  store volatile i32 %x, ptr %variable
  ret i32 %x
}

define ptx_kernel void @remainder(i32 %x, i32 %y) {
  %x1 = insertelement <2 x i32> <i32 1, i32 1>, i32 %x, i32 1
  %y1 = insertelement <2 x i32> <i32 1, i32 1>, i32 %y, i32 1
  %xx = add <2 x i32> %x1, <i32 1, i32 1>
  %yy = add <2 x i32> %y1, zeroinitializer
  %q = urem <2 x i32> %xx, %yy
  %q1 = extractelement <2 x i32> %q, i32 1
  %kept = call i32 @opaque(i32 %q1)
  ret void
}

define ptx_kernel void @assume(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fine = icmp ult i32 %t, %n
  call void @llvm.assume(i1 %fine)
  ret void
}

define ptx_kernel void @nowhere(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fine = icmp ult i32 %t, %n
  br i1 %fine, label %done, label %never
done:
  ret void
never:
  unreachable
}

define ptx_kernel void @print(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %arguments = alloca { i32, i32, double, ptr, i64 }
  store i32 %t, ptr %arguments
  %at1 = getelementptr i8, ptr %arguments, i64 4
  store i32 -5, ptr %at1
  %at2 = getelementptr i8, ptr %arguments, i64 8
  store double 2.500000e-01, ptr %at2
  %at3 = getelementptr i8, ptr %arguments, i64 16
  store ptr @text, ptr %at3
  %at4 = getelementptr i8, ptr %arguments, i64 24
  store i64 1152921504606846976, ptr %at4
  %written = call i32 @vprintf(ptr @format, ptr %arguments)
  %line = call i32 @vprintf(ptr @newline, ptr null)
  ret void
}

define ptx_kernel void @print_short(i32 %n) {
  %few = alloca i32
  store i32 1, ptr %few
  %n2 = call i32 @vprintf(ptr @two, ptr %few)
  ret void
}

define ptx_kernel void @check(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fine = icmp ult i32 %t, %n
  br i1 %fine, label %done, label %fail
fail:
  call void @__assertfail(ptr @condition, ptr @file, i32 17, ptr @text, i64 1)
  unreachable
done:
  ret void
}

; Through a pointer that a variable starts with.
define ptx_kernel void @counted(ptr %out) {
  %where = load ptr, ptr addrspace(1) @place
  %old = atomicrmw add ptr %where, i32 1 monotonic
  %new = add i32 %old, 1
  store i32 %new, ptr %out
  ret void
}
