; What is no expression is no marker, and left alone.

; RUN: %unravel-opt -passes='index-facts,index-facts<state>,verify,index-facts<forget>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@unravel.facts = private addrspace(1) constant i8 0, section "llvm.metadata"

; CHECK-LABEL: define ptx_kernel void @malformed_negative(
; CHECK-COUNT-10: call void @llvm.assume(i1 %{{.+}})
; CHECK-NOT: assume
; CHECK: ret void
define ptx_kernel void @malformed_negative(i32 noundef %a, i16 noundef %s) {
  %m1 = call ptr addrspace(1) asm "// unravel.holds", "=l"() nounwind willreturn memory(none)
  %t = icmp ne ptr addrspace(1) %m1, @unravel.facts
  call void @llvm.assume(i1 %t)
  %m2 = call ptr addrspace(1) asm "// unravel.holds 38 42 $1", "=l,r"(i32 %a) nounwind willreturn memory(none)
  %u = icmp ne ptr addrspace(1) %m2, @unravel.facts
  call void @llvm.assume(i1 %u)
  %m3 = call ptr addrspace(1) asm "// unravel.exact.signed 47 $1 $2", "=l,r,r"(i32 %a, i32 %a) nounwind willreturn memory(none)
  %v = icmp ne ptr addrspace(1) %m3, @unravel.facts
  call void @llvm.assume(i1 %v)
  %m4 = call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "=l,h,h"(i16 %s, i16 %s) nounwind willreturn memory(none)
  %w = icmp ne ptr addrspace(1) %m4, @unravel.facts
  call void @llvm.assume(i1 %w)
  %m5 = call ptr addrspace(1) asm "// unravel.holds 38 47 $1 $2 $3", "=l,r,r,r"(i32 %a, i32 0, i32 %a) nounwind willreturn memory(none)
  %x = icmp ne ptr addrspace(1) %m5, @unravel.facts
  call void @llvm.assume(i1 %x)
  %m6 = call ptr addrspace(1) asm "// unravel.holds 99 $1 $2", "=l,r,r"(i32 %a, i32 %a) nounwind willreturn memory(none)
  %y = icmp ne ptr addrspace(1) %m6, @unravel.facts
  call void @llvm.assume(i1 %y)
  %m7 = call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "=l,r,l"(i32 %a, i64 7) nounwind willreturn memory(none)
  %z = icmp ne ptr addrspace(1) %m7, @unravel.facts
  call void @llvm.assume(i1 %z)
  %m8 = call ptr addrspace(1) asm "// unravel.holds 38 110 $1 $2", "=l,r,r"(i32 %a, i32 %a) nounwind willreturn memory(none)
  %aa = icmp ne ptr addrspace(1) %m8, @unravel.facts
  call void @llvm.assume(i1 %aa)
  %m9 = call ptr addrspace(1) asm "// unravel.exact.signed 110 42 $1 $2", "=l,r,r"(i32 %a, i32 %a) nounwind willreturn memory(none)
  %ab = icmp ne ptr addrspace(1) %m9, @unravel.facts
  call void @llvm.assume(i1 %ab)
  %m10 = call ptr addrspace(1) asm "// unravel.holds 38 $1 110", "=l,r"(i32 %a) nounwind willreturn memory(none)
  %ac = icmp ne ptr addrspace(1) %m10, @unravel.facts
  call void @llvm.assume(i1 %ac)
  ret void
}
