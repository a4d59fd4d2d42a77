; What function attributes state about launches and arguments.

; RUN: %unravel-opt -passes=index-facts -S %s -o %t.ll && FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=index-facts,index-facts -S %s | diff %t.ll -
; RUN: %unravel-opt -passes='index-facts,index-facts<state>' -S %s | FileCheck %s --check-prefix=STATED
; RUN: %unravel-opt -passes='default<O3>' -mcpu=sm_90 -S %s | FileCheck %s --check-prefix=O3
; The pass knows the grid, so the index is not negative: no division is left.
; O3-LABEL: define {{.*}}@launch(
; O3-NOT: {{sdiv|srem}}
; O3: ret void

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @launch(
; CHECK: call range(i32 0, 469) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: call range(i32 128, 129) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK: call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: call range(i32 1, 9) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
define ptx_kernel void @launch(ptr noundef %out) #0 {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %s = mul i32 %b, %n
  %x = add i32 %s, %t
  %q = sdiv i32 %x, 75
  %r = srem i32 %x, 75
  %m = mul i32 %q, 75
  %i = add i32 %m, %r
  %e = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %y, ptr %p
  store i32 %z, ptr %p
  ret void
}

; A function that is no kernel has no launch.
; CHECK-LABEL: define void @launch_negative(
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define void @launch_negative(ptr noundef %out) #0 {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %b, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @arguments(
; CHECK-NEXT: %[[A:.*]] = icmp sge i32 %n, 1
; CHECK-NEXT: call void @llvm.assume(i1 %[[A]])
; CHECK-NEXT: %[[B:.*]] = icmp sle i32 %n, 4096
; CHECK-NEXT: call void @llvm.assume(i1 %[[B]])
; CHECK-NEXT: %[[C:.*]] = and i32 %n, 3
; CHECK-NEXT: %[[D:.*]] = icmp eq i32 %[[C]], 0
; CHECK: call void @llvm.assume(i1 %[[D]])
; CHECK-NEXT: %[[E:.*]] = srem i64 %m, 12
; CHECK-NEXT: %[[F:.*]] = icmp eq i64 %[[E]], 0
; CHECK: call void @llvm.assume(i1 %[[F]])
; CHECK-NEXT: %[[G:.*]] = icmp eq i32 %v, -7
; CHECK-NEXT: call void @llvm.assume(i1 %[[G]])
; CHECK-NEXT: ret void
; What -O3 would drop is stated again.
; STATED-LABEL: define ptx_kernel void @arguments(
; STATED: srem i64 %m, 12
; STATED: %[[R:.*]] = srem i64 %m, 12
; STATED: %[[F:.*]] = icmp eq i64 %[[R]], 0
; STATED: call void @llvm.assume(i1 %[[F]]), !unravel.stated
define ptx_kernel void @arguments(i32 noundef %n, i64 noundef %m, i32 noundef %v) "unravel.arg.0"="min=1,max=4096,multiple_of=4" "unravel.arg.1"="multiple_of=12" "unravel.arg.2"="min=-7,max=-7" {
  ret void
}

; An exact block says more than launch bounds, and PTX takes one of the two. A
; bound leaves them.
; CHECK: define ptx_kernel void @bounded() #[[BOUNDED:[0-9]+]]
define ptx_kernel void @bounded() "unravel.block"="64,1,1" "nvvm.maxntid"="256" "nvvm.minctasm"="2" {
  ret void
}
; CHECK: define ptx_kernel void @bounded_negative() #[[BOUND:[0-9]+]]
define ptx_kernel void @bounded_negative() "unravel.block"="..64,1,1" "nvvm.maxntid"="256" {
  ret void
}

; CHECK: "nvvm.reqntid"="128,1,1"
; CHECK: attributes #[[BOUNDED]] = { "nvvm.minctasm"="2" "nvvm.reqntid"="64,1,1" "unravel.block"="64,1,1" }
; CHECK: attributes #[[BOUND]] = { "nvvm.maxntid"="256" "unravel.block"="..64,1,1" }
attributes #0 = { "unravel.grid"="469,..8,*" "unravel.block"="128,1,1" }
