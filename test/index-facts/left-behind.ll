; Facts that nothing removes: IR that is saved in between, passes that are
; bisected away, a link. What is left of them compiles, and is no code.

; RUN: %unravel-opt -passes=index-facts -S %s -o %t.ll
; RUN: FileCheck %s --check-prefix=MARKED < %t.ll
; RUN: llc -O0 -mcpu=sm_90 %t.ll -o - | FileCheck %s --implicit-check-not=unravel
; RUN: llc -O3 -mcpu=sm_90 %t.ll -o - | FileCheck %s --implicit-check-not=unravel
; RUN: opt -passes='default<O3>' -mcpu=sm_90 %t.ll | llc -mcpu=sm_90 -o - | FileCheck %s --implicit-check-not=unravel
; RUN: opt -passes='default<O0>' -mcpu=sm_90 %t.ll | llc -O0 -mcpu=sm_90 -o - | FileCheck %s --implicit-check-not=unravel
; The passes from the first recording on, up to some point.
; RUN: %unravel-opt -passes='default<O3>' -mcpu=sm_90 -opt-bisect-limit=20 -S %s -o %t.20.ll 2> %t.20.txt
; RUN: FileCheck %s --check-prefix=MARKED < %t.20.ll
; RUN: llc -mcpu=sm_90 %t.20.ll -o - | FileCheck %s --implicit-check-not=unravel
; RUN: %unravel-opt -passes='default<O3>' -mcpu=sm_90 -opt-bisect-limit=100 -S %s 2> %t.100.txt | llc -O0 -mcpu=sm_90 -o - | FileCheck %s --implicit-check-not=unravel
; Behind a full link as well nothing is left.
; RUN: %unravel-opt -passes='lto<O2>' -mcpu=sm_90 -S %s | FileCheck %s --check-prefix=LINKED
; RUN: %unravel-opt -passes='lto-pre-link<O2>,lto<O2>' -mcpu=sm_90 -S %s | FileCheck %s --check-prefix=LINKED
; RUN: %unravel-opt -passes='thinlto<O2>' -mcpu=sm_90 -S %s | FileCheck %s --check-prefix=LINKED

; A name that is taken.
; RUN: sed '$a @unravel.facts = global i32 7' %s > %t.taken.ll
; RUN: %unravel-opt -passes=index-facts -S %t.taken.ll | FileCheck %s --check-prefix=TAKEN
; RUN: %unravel-opt -passes='index-facts,index-facts<forget>' -S %t.taken.ll | FileCheck %s --check-prefix=FORGOT
; TAKEN-DAG: @unravel.facts = global i32 7
; TAKEN-DAG: @unravel.facts1 = private addrspace(1) constant i8 0, section "llvm.metadata"
; FORGOT: @unravel.facts = global i32 7
; FORGOT-NOT: @unravel.facts

; MARKED: asm "// unravel.exact.signed
; CHECK-LABEL: .entry divided(
; CHECK: ret;
; LINKED-NOT: unravel.{{facts|stated|exact|holds}}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @divided(ptr noundef %out, i32 noundef %x, i32 noundef %a, i32 noundef %b, i64 noundef %c) {
  %ab = mul nsw i32 %a, %b
  %abc = mul nsw i64 %c, %c
  %q = sdiv i32 %x, %ab
  %s = sext i32 %x to i64
  %r = sdiv i64 %s, %abc
  %t = trunc i64 %r to i32
  %v = add i32 %q, %t
  store i32 %v, ptr %out
  ret void
}
