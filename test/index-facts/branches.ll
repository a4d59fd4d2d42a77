; Facts in two branches that go on alike. A marker that simplifycfg has merged
; with another one would not be found: assembly that stays, in the PTX.

; RUN: %unravel-opt -passes='default<O3>' -mcpu=sm_90 -S %s | FileCheck %s --implicit-check-not='// unravel'
; RUN: %unravel-opt -passes='index-facts<forget>' -S %s | FileCheck %s --check-prefix=STRAY --implicit-check-not=' asm '
target triple = "nvptx64-nvidia-cuda"

@unravel.facts = private addrspace(1) constant i8 0, section "llvm.metadata"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.assume(i1)

define internal i32 @row(ptr addrspace(1) %in, i32 %i, i32 %j) {
  %m = mul nuw nsw i32 %i, 33
  %k = add nuw nsw i32 %m, %j
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i32 %k
  %v = load i32, ptr addrspace(1) %p
  ret i32 %v
}

; CHECK-LABEL: define ptx_kernel void @either(
; CHECK: store i32
define ptx_kernel void @either(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
entry:
  %t = call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = urem i32 %t, 66
  %i = udiv i32 %t, 66
  %c = icmp ult i32 %j, 33
  br i1 %c, label %first, label %second
first:
  %a = call i32 @row(ptr addrspace(1) %in, i32 %i, i32 %j)
  br label %join
second:
  %r = sub nuw nsw i32 34, %i
  %s = sub nuw nsw i32 %j, 33
  %b = call i32 @row(ptr addrspace(1) %in, i32 %r, i32 %s)
  br label %join
join:
  %v = phi i32 [ %a, %first ], [ %b, %second ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; Already merged, as an earlier version left them.
; STRAY-LABEL: define void @stray(
; STRAY-NOT: unravel
; STRAY-NOT: assume
; STRAY: ret void
define void @stray(i1 %c, i32 %n) {
entry:
  br i1 %c, label %first, label %second
first:
  %a = call ptr addrspace(1) asm "// unravel.exact.signed 42 $1 $2", "=l,r,r"(i32 %n, i32 33) nounwind willreturn memory(none)
  br label %join
second:
  %b = call ptr addrspace(1) asm "// unravel.exact.signed 43 $1 $2", "=l,r,r"(i32 %n, i32 1) nounwind willreturn memory(none)
  br label %join
join:
  %v = phi ptr addrspace(1) [ %a, %first ], [ %b, %second ]
  %same = icmp ne ptr addrspace(1) %v, @unravel.facts
  call void @llvm.assume(i1 %same)
  ret void
}
