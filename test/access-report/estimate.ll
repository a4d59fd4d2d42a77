; An estimate of what bounds a kernel: one kernel for each resource.

; RUN: access-report %s --block 32 --estimate | FileCheck %s
; RUN: access-report %s --block 32 --estimate --json | FileCheck %s --check-prefix=JSON

; Not without the word, and not without the option.
; RUN: access-report %s --block 32 --estimate | grep -E "bound|arithmetic" | not grep -v estimate
; RUN: access-report %s --block 32 | not grep -E "estimate|bound by|arithmetic"
; RUN: access-report %s --block 32 --json | not grep -E "estimate|bounds"

; JSON:      "name": "copy",
; JSON:      "estimate": {
; JSON-NEXT:   "accesses_not_understood": 0,
; JSON-NEXT:   "gpus": [
; JSON-NEXT:     {
; JSON-NEXT:       "bounds": [
; JSON-NEXT:         "dram"
; JSON-NEXT:       ],
; JSON-NEXT:       "cycles_of_a_warp": {
; JSON-NEXT:         "dram": [
; JSON-NEXT:           25.0{{69|70}}{{[0-9]*}},
; JSON-NEXT:           25.0{{69|70}}
; JSON:            "l1": [
; JSON-NEXT:         2,
; JSON-NEXT:         2
; JSON-NEXT:       ],
; JSON:            "gpu": "sm_80",

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x [32 x float]] zeroinitializer, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; Per warp 256 bytes of DRAM, 2 wavefronts; shl, add.s32 and 2 add.s64 (2 each)
; are 6 sums, mul.wide a multiplication; with ld, st and ret 10 are issued. On
; sm_80: 25.07, 2, 3 (1.75 if ptxas moves 2.5 sums) and 2.5 clocks.
; CHECK-LABEL: kernel copy
; CHECK:         estimate for sm_80: bound by DRAM bytes; issue rate 0.10, integer pipe 0.07 to 0.12, L1 wavefronts 0.08 of the time; index arithmetic does not matter
; CHECK-NEXT:    estimate for sm_90: bound by DRAM bytes;
; CHECK-NEXT:    estimate for sm_100: bound by DRAM bytes;
define ptx_kernel void @copy(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %o = mul i32 %b, 256
  %i = add i32 %o, %t
  %x = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %x
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %v, ptr addrspace(1) %q
  ret void
}

; A loop of divisions, which are special functions in part: ten times 2 * 3, 120
; clocks. 2 * 11, a sum and a comparison, and 2 for the address: 121 clocks.
; CHECK-LABEL: kernel divide
; CHECK:         estimate for sm_80: bound by special functions or integer pipe; {{.*}}; without index arithmetic at most 9.57 to 10.05 times as fast
; CHECK-NEXT:    estimate for sm_90: bound by special functions or integer pipe;
; CHECK-NEXT:    estimate for sm_100: bound by special functions or integer pipe;
define ptx_kernel void @divide(ptr addrspace(1) %out, i32 %n, i32 %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s1, %loop ]
  %q = udiv i32 %s, %d
  %r = urem i32 %k, %n
  %s1 = add i32 %q, %r
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  %x = zext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %s1, ptr addrspace(1) %p
  ret void
}

; Shifts and logic, which only the integer pipe does.
; CHECK-LABEL: kernel hash
; CHECK:         estimate for sm_80: bound by integer pipe; {{.*}}; without index arithmetic at most
; CHECK-NEXT:    estimate for sm_90: bound by integer pipe;
; CHECK-NEXT:    estimate for sm_100: bound by integer pipe;
define ptx_kernel void @hash(ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s6, %loop ]
  %s1 = lshr i32 %s, 3
  %s2 = xor i32 %s, %s1
  %s3 = lshr i32 %s2, 7
  %s4 = xor i32 %s2, %s3
  %s5 = lshr i32 %s4, 11
  %s6 = xor i32 %s4, %s5
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  %x = zext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %s6, ptr addrspace(1) %p
  ret void
}

; A column of shared memory in a loop: 32 lanes in one bank.
; CHECK-LABEL: kernel column
; CHECK:         estimate for sm_80: bound by L1 wavefronts; {{.*}}; index arithmetic does not matter
; CHECK-NEXT:    estimate for sm_90: bound by L1 wavefronts; {{.*}}; index arithmetic does not matter
; CHECK-NEXT:    estimate for sm_100: bound by L1 wavefronts; {{.*}}; index arithmetic does not matter
define ptx_kernel void @column(ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %m = and i32 %k, 31
  %p = getelementptr [32 x [32 x float]], ptr addrspace(3) @tile, i32 0, i32 %t, i32 %m
  %v = load float, ptr addrspace(3) %p
  %s1 = fadd float %s, %v
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  %x = zext i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %s1, ptr addrspace(1) %q
  ret void
}

; sm_80 has half of the FP32 lanes: there they take longer than issuing.
; CHECK-LABEL: kernel fma
; CHECK:         estimate for sm_80: bound by FP32 pipe;
; CHECK-NEXT:    estimate for sm_90: bound by issue rate; {{.*}}; without index arithmetic at most 1.25 times as fast
; CHECK-NEXT:    estimate for sm_100: bound by issue rate;
declare float @llvm.fma.f32(float, float, float)
define ptx_kernel void @fma(ptr addrspace(1) %out, i32 %n, float %a) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s = phi float [ %a, %entry ], [ %s8, %loop ]
  %s1 = call float @llvm.fma.f32(float %s, float %s, float %a)
  %s2 = call float @llvm.fma.f32(float %s1, float %s, float %a)
  %s3 = call float @llvm.fma.f32(float %s2, float %s, float %a)
  %s4 = call float @llvm.fma.f32(float %s3, float %s, float %a)
  %s5 = call float @llvm.fma.f32(float %s4, float %s, float %a)
  %s6 = call float @llvm.fma.f32(float %s5, float %s, float %a)
  %s7 = call float @llvm.fma.f32(float %s6, float %s, float %a)
  %s8 = call float @llvm.fma.f32(float %s7, float %s, float %a)
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  %x = zext i32 %t to i64
  %q = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %s8, ptr addrspace(1) %q
  ret void
}

; The address is loaded: coalesced, or a sector for each lane.
; CHECK-LABEL: kernel gather
; CHECK:         estimate for sm_80: {{.*}}
; CHECK-NEXT:    estimate for sm_90: bound by DRAM bytes or L1 wavefronts; {{.*}}
; CHECK-NEXT:    estimate for sm_100: bound by DRAM bytes or L1 wavefronts; {{.*}}
define ptx_kernel void @gather(ptr addrspace(1) %index, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %o = mul i32 %b, 256
  %i = add i32 %o, %t
  %x = sext i32 %i to i64
  %pi = getelementptr i32, ptr addrspace(1) %index, i64 %x
  %at = load i32, ptr addrspace(1) %pi
  %ax = sext i32 %at to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %ax
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %v, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: kernel nothing
; CHECK-NEXT:    estimate for sm_80: bound by issue rate;
define ptx_kernel void @nothing() {
  ret void
}
