; Atomic operations: instructions of all kinds and the intrinsics with a scope.
; Threads run in order, so the old values are known.
;
; RUN: %kernel-run %s --kernel counter --grid 2 --block 40 --args inout:i32:1:min=0:max=0,out:i32:80 --also-kernel counter_ideal | FileCheck %s --check-prefix=SAME
; SAME: 80 threads, 324 bytes identical in 2 versions
; RUN: not %kernel-run %s --kernel counter --grid 2 --block 40 --args inout:i32:1:min=0:max=0,out:i32:80 --also-kernel counter_plain | FileCheck %s --check-prefix=PLAIN
; PLAIN: argument 1 (out) (i32) differs at element 79,
;
; add, sub, max, umin, and, or, xor, exchange, increment and decrement that wrap,
; compare and exchange; as instructions and as intrinsics.
; RUN: %kernel-run %s --kernel instructions --grid 1 --block 7 --args inout:i32:12:min=5:max=9,out:i32:84 --also-kernel intrinsics
; RUN: %kernel-run %s --kernel floats --grid 2 --block 8 --args inout:f32:1:min=0:max=0,inout:f64:1:min=1:max=1 --output 0=%t.f32 --output 1=%t.f64
; RUN: od -A n -t f4 %t.f32 | FileCheck %s --check-prefix=F32
; RUN: od -A n -t f8 %t.f64 | FileCheck %s --check-prefix=F64
; F32: {{^ *}}8{{$}}
; F64: {{^ *}}33{{$}}
;
; On shared memory, by all threads of a block.
; RUN: %kernel-run %s --kernel histogram --grid 3 --block 70 --args in:u8:210,out:i32:768 --also-kernel histogram_ideal
;
; Workers that run at the same time do not lose any.
; RUN: %kernel-run %s --kernel counted --grid 4000 --block 32 --jobs 2 --args inout:i32:1:min=0:max=0 --output 0=%t.count
; RUN: od -A n -t d4 %t.count | FileCheck %s --check-prefix=COUNT
; COUNT: {{^ *}}128000{{$}}
;
; Out of bounds and misaligned ones.
; RUN: not %kernel-run %s --kernel counter --grid 2 --block 40 --args inout:i16:1:min=0:max=0,out:i32:80 | FileCheck %s --check-prefix=OUTSIDE
; OUTSIDE: thread (0, 0, 0) of block (0, 0, 0) writes 4 bytes at byte 0 of argument 0 (inout), which has 2 bytes
; OUTSIDE-NEXT: at: %t = atomicrmw add ptr %counter, i32 1 monotonic, align 4
; RUN: not %kernel-run %s --kernel cas_misaligned --grid 1 --block 1 --args inout:i8:8 | FileCheck %s --check-prefix=CAS
; CAS: writes 4 bytes at byte 1 of argument 0 (inout), which has 8 bytes; the address {{.*}} is not aligned to 4
; RUN: not %kernel-run %s --kernel intrinsics --grid 1 --block 7 --args inout:i32:11:min=5:max=9,out:i32:84 | FileCheck %s --check-prefix=INTRINSIC
; INTRINSIC: writes 4 bytes at byte 44 of argument 0 (inout), which has 44 bytes
; INTRINSIC-NEXT: at: %r11 = call i32 @llvm.nvvm.atomic.cas.gen.i.sys

target triple = "nvptx64-nvidia-cuda"

@bins = internal addrspace(3) global [256 x i32] undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

define internal i32 @global_id() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  ret i32 %i
}

define ptx_kernel void @counter(ptr %counter, ptr %out) {
  %t = atomicrmw add ptr %counter, i32 1 monotonic
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %at
  ret void
}

define ptx_kernel void @counter_ideal(ptr %counter, ptr %out) {
  %i = call i32 @global_id()
  %next = add i32 %i, 1
  store i32 %next, ptr %counter
  %at = getelementptr i32, ptr %out, i32 %i
  store i32 %i, ptr %at
  ret void
}

; The last thread forgets to write.
define ptx_kernel void @counter_plain(ptr %counter, ptr %out) {
  %t = atomicrmw add ptr %counter, i32 1 monotonic
  %last = icmp eq i32 %t, 79
  br i1 %last, label %done, label %write
write:
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %at
  ret void
done:
  ret void
}

define ptx_kernel void @counted(ptr %counter) {
  %t = atomicrmw add ptr %counter, i32 1 monotonic
  ret void
}

define internal void @put(ptr %out, i32 %k, i32 %x) {
  %i = call i32 @global_id()
  %row = mul i32 %i, 12
  %place = add i32 %row, %k
  %at = getelementptr i32, ptr %out, i32 %place
  store i32 %x, ptr %at
  ret void
}

define ptx_kernel void @instructions(ptr %at, ptr %out) {
  %i = call i32 @global_id()
  %p0 = getelementptr i32, ptr %at, i32 0
  %r0 = atomicrmw add ptr %p0, i32 5 syncscope("block") acq_rel
  call void @put(ptr %out, i32 0, i32 %r0)
  %p1 = getelementptr i32, ptr %at, i32 1
  %r1 = atomicrmw max ptr %p1, i32 7 syncscope("block") acq_rel
  call void @put(ptr %out, i32 1, i32 %r1)
  %p2 = getelementptr i32, ptr %at, i32 2
  %r2 = atomicrmw min ptr %p2, i32 6 syncscope("block") acq_rel
  call void @put(ptr %out, i32 2, i32 %r2)
  %p3 = getelementptr i32, ptr %at, i32 3
  %r3 = atomicrmw and ptr %p3, i32 13 syncscope("block") acq_rel
  call void @put(ptr %out, i32 3, i32 %r3)
  %p4 = getelementptr i32, ptr %at, i32 4
  %r4 = atomicrmw or ptr %p4, i32 8 syncscope("block") acq_rel
  call void @put(ptr %out, i32 4, i32 %r4)
  %p5 = getelementptr i32, ptr %at, i32 5
  %r5 = atomicrmw xor ptr %p5, i32 3 syncscope("block") acq_rel
  call void @put(ptr %out, i32 5, i32 %r5)
  %p6 = getelementptr i32, ptr %at, i32 6
  %r6 = atomicrmw xchg ptr %p6, i32 %i syncscope("block") acq_rel
  call void @put(ptr %out, i32 6, i32 %r6)
  %p7 = getelementptr i32, ptr %at, i32 7
  %r7 = atomicrmw uinc_wrap ptr %p7, i32 7 syncscope("block") acq_rel
  call void @put(ptr %out, i32 7, i32 %r7)
  %p8 = getelementptr i32, ptr %at, i32 8
  %r8 = atomicrmw udec_wrap ptr %p8, i32 7 syncscope("block") acq_rel
  call void @put(ptr %out, i32 8, i32 %r8)
  %p11 = getelementptr i32, ptr %at, i32 11
  %pair = cmpxchg ptr %p11, i32 7, i32 %i monotonic monotonic
  %r11 = extractvalue { i32, i1 } %pair, 0
  call void @put(ptr %out, i32 11, i32 %r11)
  ret void
}

define ptx_kernel void @intrinsics(ptr %at, ptr %out) {
  %i = call i32 @global_id()
  %p0 = getelementptr i32, ptr %at, i32 0
  %r0 = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %p0, i32 5)
  call void @put(ptr %out, i32 0, i32 %r0)
  %p1 = getelementptr i32, ptr %at, i32 1
  %r1 = call i32 @llvm.nvvm.atomic.max.gen.i.cta.i32.p0(ptr %p1, i32 7)
  call void @put(ptr %out, i32 1, i32 %r1)
  %p2 = getelementptr i32, ptr %at, i32 2
  %r2 = call i32 @llvm.nvvm.atomic.min.gen.i.cta.i32.p0(ptr %p2, i32 6)
  call void @put(ptr %out, i32 2, i32 %r2)
  %p3 = getelementptr i32, ptr %at, i32 3
  %r3 = call i32 @llvm.nvvm.atomic.and.gen.i.cta.i32.p0(ptr %p3, i32 13)
  call void @put(ptr %out, i32 3, i32 %r3)
  %p4 = getelementptr i32, ptr %at, i32 4
  %r4 = call i32 @llvm.nvvm.atomic.or.gen.i.cta.i32.p0(ptr %p4, i32 8)
  call void @put(ptr %out, i32 4, i32 %r4)
  %p5 = getelementptr i32, ptr %at, i32 5
  %r5 = call i32 @llvm.nvvm.atomic.xor.gen.i.cta.i32.p0(ptr %p5, i32 3)
  call void @put(ptr %out, i32 5, i32 %r5)
  %p6 = getelementptr i32, ptr %at, i32 6
  %r6 = call i32 @llvm.nvvm.atomic.exch.gen.i.cta.i32.p0(ptr %p6, i32 %i)
  call void @put(ptr %out, i32 6, i32 %r6)
  %p7 = getelementptr i32, ptr %at, i32 7
  %r7 = call i32 @llvm.nvvm.atomic.inc.gen.i.cta.i32.p0(ptr %p7, i32 7)
  call void @put(ptr %out, i32 7, i32 %r7)
  %p8 = getelementptr i32, ptr %at, i32 8
  %r8 = call i32 @llvm.nvvm.atomic.dec.gen.i.cta.i32.p0(ptr %p8, i32 7)
  call void @put(ptr %out, i32 8, i32 %r8)
  %p11 = getelementptr i32, ptr %at, i32 11
  %r11 = call i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p0(ptr %p11, i32 7, i32 %i)
  call void @put(ptr %out, i32 11, i32 %r11)
  ret void
}

define ptx_kernel void @floats(ptr %f, ptr %d) {
  %t1 = atomicrmw fadd ptr %f, float 5.000000e-01 monotonic
  %t2 = call double @llvm.nvvm.atomic.add.gen.f.cta.f64.p0(ptr %d, double 2.000000e+00)
  ret void
}

; Each block counts its 70 bytes, then adds what it has to its row.
define ptx_kernel void @histogram(ptr %in, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %clear
clear:
  %k = phi i32 [ %t, %entry ], [ %k.next, %clear ]
  %bin = getelementptr i32, ptr addrspace(3) @bins, i32 %k
  store i32 0, ptr addrspace(3) %bin
  %k.next = add i32 %k, 70
  %more = icmp ult i32 %k.next, 256
  br i1 %more, label %clear, label %count
count:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %i = call i32 @global_id()
  %from = getelementptr i8, ptr %in, i32 %i
  %x = load i8, ptr %from
  %x.i = zext i8 %x to i32
  %mine = getelementptr i32, ptr addrspace(3) @bins, i32 %x.i
  %old = atomicrmw add ptr addrspace(3) %mine, i32 1 monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %row = shl i32 %b, 8
  br label %flush
flush:
  %f = phi i32 [ %t, %count ], [ %f.next, %flush ]
  %fbin = getelementptr i32, ptr addrspace(3) @bins, i32 %f
  %sum = load i32, ptr addrspace(3) %fbin
  %place = add i32 %row, %f
  %to = getelementptr i32, ptr %out, i32 %place
  store i32 %sum, ptr %to
  %f.next = add i32 %f, 70
  %fmore = icmp ult i32 %f.next, 256
  br i1 %fmore, label %flush, label %done
done:
  ret void
}

; The first thread of each block counts everything.
define ptx_kernel void @histogram_ideal(ptr %in, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %t, 0
  %row = shl i32 %b, 8
  %start = mul i32 %b, 70
  %base = getelementptr i32, ptr %out, i32 %row
  br i1 %first, label %zero, label %done
zero:
  call void @llvm.memset.p0.i64(ptr %base, i8 0, i64 1024, i1 false)
  br label %loop
loop:
  %k = phi i32 [ 0, %zero ], [ %next, %loop ]
  %i = add i32 %start, %k
  %from = getelementptr i8, ptr %in, i32 %i
  %x = load i8, ptr %from
  %x.i = zext i8 %x to i32
  %at = getelementptr i32, ptr %base, i32 %x.i
  %old = load i32, ptr %at
  %new = add i32 %old, 1
  store i32 %new, ptr %at
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, 70
  br i1 %more, label %loop, label %done
done:
  ret void
}

define ptx_kernel void @cas_misaligned(ptr %at) {
  %p = getelementptr i8, ptr %at, i32 1
  %pair = cmpxchg ptr %p, i32 7, i32 8 monotonic monotonic
  ret void
}
