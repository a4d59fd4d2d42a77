; The same division twice is one, and no rewrite is worth what the second costs.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 8 --block 256 --args out:i32:4096
; RUN: %{run} --kernel narrowed %s %t.ll
; RUN: %{run} --kernel narrowed_negative %s %t.ll

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; A remainder, and a row that InstCombine made of the same remainder.
; CHECK-LABEL: define ptx_kernel void @narrowed(
; CHECK: {{rem i|div i|mulhi}}
; CHECK-NOT: {{rem i|div i|mulhi}}
; CHECK: ret void
define ptx_kernel void @narrowed(ptr noundef %out) {
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b256 = shl nuw nsw i32 %b, 8
  %i = or disjoint i32 %b256, %t
  %n = trunc nuw nsw i32 %i to i16
  %col = urem i16 %n, 77
  %col32 = zext nneg i16 %col to i32
  %p = getelementptr inbounds nuw i32, ptr %out, i32 %i
  store i32 %col32, ptr %p
  %m = trunc nuw nsw i32 %i to i16
  %again = urem i16 %m, 77
  %row77 = sub nuw nsw i16 %m, %again
  %row32 = zext nneg i16 %row77 to i32
  %i2 = add nuw nsw i32 %i, 2048
  %p2 = getelementptr inbounds nuw i32, ptr %out, i32 %i2
  store i32 %row32, ptr %p2
  ret void
}

; Another divisor.
; CHECK-LABEL: define ptx_kernel void @narrowed_negative(
; CHECK: {{rem i|div i|mulhi}}
; CHECK: {{rem i|div i|mulhi}}
; CHECK: ret void
define ptx_kernel void @narrowed_negative(ptr noundef %out) {
  %b = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b256 = shl nuw nsw i32 %b, 8
  %i = or disjoint i32 %b256, %t
  %n = trunc nuw nsw i32 %i to i16
  %col = urem i16 %n, 77
  %col32 = zext nneg i16 %col to i32
  %p = getelementptr inbounds nuw i32, ptr %out, i32 %i
  store i32 %col32, ptr %p
  %m = trunc nuw nsw i32 %i to i16
  %again = urem i16 %m, 79
  %row79 = sub nuw nsw i16 %m, %again
  %row32 = zext nneg i16 %row79 to i32
  %i2 = add nuw nsw i32 %i, 2048
  %p2 = getelementptr inbounds nuw i32, ptr %out, i32 %i2
  store i32 %row32, ptr %p2
  ret void
}
