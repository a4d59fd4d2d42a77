; --fail-below looks at the best case of accesses that can improve.

; RUN: access-report %s --block 32,1
; RUN: access-report %s --block 32,1 --fail-below 0.2
; RUN: sh -c 'access-report %s --block 32,1 --fail-below 0.5; test $? = 1' 2> %t.log | FileCheck %s
; RUN: FileCheck %s --check-prefix=NAMED < %t.log
; NAMED: access-report: --fail-below: f: store, global: efficiency 0.25 at best
; RUN: sh -c 'access-report %s --fail-below 2; test $? = 2' 2>&1 | FileCheck %s --check-prefix=RANGE
; RUN: sh -c 'access-report %s --block 0; test $? = 2' 2>&1 | FileCheck %s --check-prefix=BLOCK
; RUN: sh -c 'access-report %s --block 64,64; test $? = 2' 2>&1 | FileCheck %s --check-prefix=BLOCK
; RUN: sh -c 'access-report %s --block 1,2,3,4; test $? = 2' 2>&1 | FileCheck %s --check-prefix=BLOCK
; RUN: sh -c 'access-report --jsonl --json; test $? = 2' 2>&1 | FileCheck %s --check-prefix=BATCH

; RANGE: access-report: --fail-below: an efficiency is between 0 and 1
; BLOCK: access-report: --block={{.*}}: not a block of at most 1024 threads
; BATCH: access-report: --jsonl goes with no other option

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; One address for all lanes has an efficiency of 1/8, and no order is better.
; CHECK: same address
; CHECK: efficiency: 0.12
; CHECK: stride 16 bytes
; CHECK: efficiency: 0.25
define ptx_kernel void @f(ptr addrspace(1) %p) {
  %v = load volatile float, ptr addrspace(1) %p
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr [4 x float], ptr addrspace(1) %p, i32 %t
  store float %v, ptr addrspace(1) %a
  ret void
}
