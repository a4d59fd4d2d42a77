; Fields that the back end makes one consecutive access of are not below; volatile
; ones are.

; RUN: access-report %s --fail-below 0.9
; RUN: sed 's/load double/load volatile double/' %s > %t.ll
; RUN: sh -c 'access-report %t.ll --fail-below 0.9; test $? = 1'

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @fields(ptr addrspace(1) %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = zext nneg i32 %t to i64
  %a = getelementptr inbounds <2 x double>, ptr addrspace(1) %in, i64 %e
  %b = getelementptr inbounds i8, ptr addrspace(1) %a, i64 8
  %x = load double, ptr addrspace(1) %a
  %y = load double, ptr addrspace(1) %b
  call void asm sideeffect "", "d,d"(double %x, double %y)
  ret void
}
