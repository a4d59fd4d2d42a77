; A second run changes nothing, and two runs write the same text.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.once.ll
; RUN: %unravel-opt -passes=index-simplify -S %t.once.ll -o %t.twice.ll
; RUN: sed 1,2d %t.once.ll > %t.once.txt
; RUN: sed 1,2d %t.twice.ll > %t.twice.txt
; RUN: diff %t.once.txt %t.twice.txt
; RUN: %unravel-opt -passes=index-simplify -pass-remarks=index-simplify -disable-output %t.once.ll 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
; SILENT-NOT: remark
; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.again.ll
; RUN: diff %t.once.ll %t.again.ll
; RUN: %kernel-run --grid 470 --block 128 --args in:i32:240000,out:i32:240000 --kernel k %s %t.twice.ll

; But the first run does something.
; RUN: FileCheck %s < %t.once.ll
; CHECK-NOT: {{udiv|urem|mulhi}}

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

; In a loop the price list takes the new code for cheaper even where it is the
; old code: such a rewrite is none (transforms/plan/PlanRecognition.h).
; CHECK-LABEL: define ptx_kernel void @same_again
define ptx_kernel void @same_again(i32 %x) {
entry:
  br label %head
head:
  %r = urem i32 %x, 7
  %any = icmp ne i32 %r, 0
  %end = add i32 %x, %r
  %more = icmp slt i32 0, %end
  br label %head
}
