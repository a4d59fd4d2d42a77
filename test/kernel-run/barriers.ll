; Barriers: all threads of a block, some of them, reductions, arrivals; and who
; waits for ever.
;
; RUN: %kernel-run %s --kernel reversed --grid 3 --block 96 --args in:i32:288,out:i32:288 --compare %s --also-kernel reversed_ideal | FileCheck %s --check-prefix=SAME
; RUN: %kernel-run %s --kernel reversed --grid 3 --block 33 --args in:i32:99,out:i32:99 --compare %s --also-kernel reversed_ideal | FileCheck %s --check-prefix=SAME
; SAME: identical in 4 versions
; Without the barrier, the other end is not there yet.
; RUN: not %kernel-run %s --kernel reversed --grid 3 --block 96 --args in:i32:288,out:i32:288 --also-kernel without_barrier | FileCheck %s --check-prefix=WITHOUT
; WITHOUT: argument 1 (out) (i32) differs at element 0, byte 0: {{.*}}, -1515870811 in without_barrier
; WITHOUT: thread (0, 0, 0) of block (0, 0, 0) wrote it last
; WITHOUT-NEXT: at: store i32 %value, ptr %to, align 4 in function reversed
;
; RUN: %kernel-run %s --kernel reductions --grid 1 --block 64 --args out:i32:192 --output 0=%t.bin
; RUN: od -A n -t d4 -v -w12 %t.bin | sort -u | FileCheck %s --check-prefix=REDUCED
; REDUCED: 32 0 1
; REDUCED-NOT: {{.}}
;
; A producer arrives, a consumer waits, by named barriers.
; RUN: %kernel-run %s --kernel handover --grid 2 --block 64 --args out:i32:64 --also-kernel handover_ideal
;
; Threads that have returned.
; RUN: not %kernel-run %s --kernel early --grid 2 --block 32 --args out:i32:64,i32:40 | FileCheck %s --check-prefix=EARLY
; EARLY: early: {{.*}}deadlock in block (1, 0, 0): no thread can go on
; EARLY-NEXT: threads 0, 1, 2, 3, 4, 5, 6, 7 (of the block) wait at barrier 0 for 32 threads
; EARLY-NEXT: at: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) in function early
; EARLY-NEXT: threads 8, 9, 10, 11, 12, 13, 14, 15 and 16 more have returned
; RUN: %kernel-run %s --kernel early --grid 2 --block 32 --args out:i32:64,i32:40 --exited-arrive
;
; Two barriers, each for all.
; RUN: not %kernel-run %s --kernel crossed --grid 1 --block 64 --args out:i32:64 | FileCheck %s --check-prefix=CROSSED
; CROSSED: deadlock in block (0, 0, 0)
; CROSSED: wait at barrier 1 for 64 threads
; CROSSED: wait at barrier 2 for 64 threads
; CROSSED-NOT: returned
;
; RUN: not %kernel-run %s --kernel odd --grid 1 --block 64 --args i32:0,i32:33 | FileCheck %s --check-prefix=ODD
; ODD: thread (0, 0, 0) of block (0, 0, 0) uses a barrier for 33 threads, which is no multiple of 32
; RUN: not %kernel-run %s --kernel odd --grid 1 --block 64 --args i32:16,i32:32 | FileCheck %s --check-prefix=SIXTEEN
; SIXTEEN: uses barrier 16; a block has barriers 0 to 15

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [96 x i32] undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; Each block in reverse, through shared memory.
define ptx_kernel void @reversed(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %from = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %from
  %mine = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %x, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = sub i32 %n, 1
  %r = sub i32 %last, %t
  %theirs = getelementptr i32, ptr addrspace(3) @tile, i32 %r
  %value = load i32, ptr addrspace(3) %theirs
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %value, ptr %to
  ret void
}

define ptx_kernel void @reversed_ideal(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %last = sub i32 %n, 1
  %r = sub i32 %last, %t
  %there = add i32 %first, %r
  %from = getelementptr i32, ptr %in, i32 %there
  %x = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %x, ptr %to
  ret void
}

define ptx_kernel void @without_barrier(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %from = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %from
  %mine = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %x, ptr addrspace(3) %mine
  %last = sub i32 %n, 1
  %r = sub i32 %last, %t
  %theirs = getelementptr i32, ptr addrspace(3) @tile, i32 %r
  %value = load i32, ptr addrspace(3) %theirs
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %value, ptr %to
  ret void
}

; How many threads are even, whether all are, whether any is.
define ptx_kernel void @reductions(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %t, 1
  %even = icmp eq i32 %bit, 0
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %even)
  %all = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %even)
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.count(i32 3, i32 64, i1 %even)
  %all.i = zext i1 %all to i32
  %any.i = zext i1 %any to i32
  %place = mul i32 %t, 3
  %at0 = getelementptr i32, ptr %out, i32 %place
  %at1 = getelementptr i32, ptr %at0, i32 1
  %at2 = getelementptr i32, ptr %at0, i32 2
  store i32 %count, ptr %at0
  store i32 %all.i, ptr %at1
  store i32 %any.i, ptr %at2
  ret void
}

; The second warp writes, the first one reads.
define ptx_kernel void @handover(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %reads = icmp ult i32 %t, 32
  br i1 %reads, label %consumer, label %producer
producer:
  %place = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %t, ptr addrspace(3) %place
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  ret void
consumer:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %there = add i32 %t, 32
  %from = getelementptr i32, ptr addrspace(3) @tile, i32 %there
  %x = load i32, ptr addrspace(3) %from
  %first = mul i32 %b, 32
  %i = add i32 %first, %t
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %x, ptr %to
  ret void
}

define ptx_kernel void @handover_ideal(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %reads = icmp ult i32 %t, 32
  br i1 %reads, label %consumer, label %producer
consumer:
  %there = add i32 %t, 32
  %first = mul i32 %b, 32
  %i = add i32 %first, %t
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %there, ptr %to
  ret void
producer:
  ret void
}

define ptx_kernel void @early(ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, 32
  %i = add i32 %first, %t
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %go, label %done
go:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %i, ptr %to
  ret void
done:
  ret void
}

define ptx_kernel void @crossed(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %t, 32
  br i1 %low, label %one, label %two
one:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 1)
  ret void
two:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 2)
  ret void
}

define ptx_kernel void @odd(i32 %barrier, i32 %count) {
  call void @llvm.nvvm.barrier.cta.sync.count(i32 %barrier, i32 %count)
  ret void
}
