; What lanes tell each other. Each thread writes its result; od prints them.
;
; RUN: %kernel-run %s --kernel down --grid 1 --block 32 --args out:i32:64 --output out=%t.down
; RUN: od -A n -t d4 -v -w8 %t.down | FileCheck %s --check-prefix=DOWN --match-full-lines
; Lanes at the end of the segment of 8 keep their value, with a false predicate.
; DOWN:      {{ *}}2 {{ *}}1
; DOWN-NEXT: {{ *}}3 {{ *}}1
; DOWN-NEXT: {{ *}}4 {{ *}}1
; DOWN-NEXT: {{ *}}5 {{ *}}1
; DOWN-NEXT: {{ *}}6 {{ *}}1
; DOWN-NEXT: {{ *}}7 {{ *}}1
; DOWN-NEXT: {{ *}}6 {{ *}}0
; DOWN-NEXT: {{ *}}7 {{ *}}0
; DOWN-NEXT: {{ *}}10 {{ *}}1
;
; The sum over a warp, by butterflies, by downs, by redux and by atomics.
; RUN: %kernel-run %s --kernel sum_butterfly --grid 2 --block 96 --args in:i32:192,inout:i32:6:min=0:max=0 --also-kernel sum_down --also-kernel sum_redux --also-kernel sum_atomic | FileCheck %s --check-prefix=SUM
; SUM: 192 threads, 792 bytes identical in 4 versions
; One lane less is noticed.
; RUN: not %kernel-run %s --kernel sum_butterfly --grid 2 --block 96 --args in:i32:192,inout:i32:6:min=0:max=0 --also-kernel sum_short | FileCheck %s --check-prefix=SHORT
; SHORT: argument 1 (inout) (i32) differs at element 0,
;
; RUN: %kernel-run %s --kernel broadcast --grid 1 --block 64 --args in:f32:64,out:f32:64 --also-kernel broadcast_ideal
;
; RUN: %kernel-run %s --kernel votes --grid 1 --block 32 --args out:u32:32 --output 0=%t.votes
; RUN: od -A n -t x4 -v -w4 -N 36 %t.votes | FileCheck %s --check-prefix=VOTES
; VOTES:      55555555
; VOTES-NEXT: 00000000
; VOTES-NEXT: 00000001
; VOTES-NEXT: 00000000
; VOTES-NEXT: 00000001
; VOTES-NEXT: 00000003
; VOTES-NEXT: 00000000
; VOTES-NEXT: ffffffff
; VOTES-NEXT: 00000000
;
; Lanes that took the same branch are active together.
; RUN: %kernel-run %s --kernel active --grid 1 --block 40 --args out:u32:40 --output 0=%t.active
; RUN: od -A n -t x4 -v -w4 %t.active | sort | uniq -c | FileCheck %s --check-prefix=ACTIVE
; ACTIVE-DAG: 4 00000055
; ACTIVE-DAG: 4 000000aa
; ACTIVE-DAG: 16 55555555
; ACTIVE-DAG: 16 aaaaaaaa
;
; Lanes of one mask at two places.
; RUN: not %kernel-run %s --kernel divergent --grid 1 --block 32 --args out:i32:32 | FileCheck %s --check-prefix=DIVERGENT
; DIVERGENT: deadlock in block (0, 0, 0): no thread can go on
; DIVERGENT: threads 0, 2, {{.*}} and 8 more (of the block) wait for the lanes 0xffffffff of the warp
; DIVERGENT: at: call void @llvm.nvvm.barrier.cta.sync.aligned.all
; DIVERGENT-NOT: returned
;
; RUN: not %kernel-run %s --kernel not_a_member --grid 1 --block 32 --args out:i32:32 | FileCheck %s --check-prefix=MEMBER
; MEMBER: thread (4, 0, 0) of block (0, 0, 0) takes part with the mask 0xf, which leaves out its own lane 4
; MEMBER-NEXT: at: %y = call i32 @llvm.nvvm.shfl.sync.idx.i32
;
; Before sm_70: refused, as nothing says who takes part.
; RUN: not %kernel-run %s --kernel old --grid 1 --block 32 --args out:i32:32 2>&1 | FileCheck %s --check-prefix=OLD
; OLD: kernel-run: {{.*}}: old uses llvm.nvvm.shfl.idx.i32, which kernel-run does not run
; OLD-NEXT: at: %y = call i32 @llvm.nvvm.shfl.idx.i32(i32 0, i32 0, i32 31) in function old

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()

; 6175 = 31 | (24 << 8): segments of 8 lanes.
define ptx_kernel void @down(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pair = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %t, i32 2, i32 6175)
  %y = extractvalue { i32, i1 } %pair, 0
  %p = extractvalue { i32, i1 } %pair, 1
  %p.i = zext i1 %p to i32
  %i = shl i32 %t, 1
  %at = getelementptr i32, ptr %out, i32 %i
  %next = getelementptr i32, ptr %at, i32 1
  store i32 %y, ptr %at
  store i32 %p.i, ptr %next
  ret void
}

define internal i32 @element(ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %at = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %at
  ret i32 %x
}

define internal ptr @result(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %warp = lshr i32 %i, 5
  %at = getelementptr i32, ptr %out, i32 %warp
  ret ptr %at
}

define internal void @publish(ptr %out, i32 %x) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %write, label %done
write:
  %at = call ptr @result(ptr %out)
  store i32 %x, ptr %at
  ret void
done:
  ret void
}

define ptx_kernel void @sum_butterfly(ptr %in, ptr %out) {
entry:
  %x = call i32 @element(ptr %in)
  br label %loop
loop:
  %distance = phi i32 [ 16, %entry ], [ %half, %loop ]
  %sum = phi i32 [ %x, %entry ], [ %next, %loop ]
  %other = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %sum, i32 %distance, i32 31)
  %next = add i32 %sum, %other
  %half = lshr i32 %distance, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %done
done:
  call void @publish(ptr %out, i32 %next)
  ret void
}

define ptx_kernel void @sum_down(ptr %in, ptr %out) {
entry:
  %x = call i32 @element(ptr %in)
  br label %loop
loop:
  %distance = phi i32 [ 16, %entry ], [ %half, %loop ]
  %sum = phi i32 [ %x, %entry ], [ %next, %loop ]
  %other = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %sum, i32 %distance, i32 31)
  %next = add i32 %sum, %other
  %half = lshr i32 %distance, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %done
done:
  call void @publish(ptr %out, i32 %next)
  ret void
}

; Leaves out the last distance.
define ptx_kernel void @sum_short(ptr %in, ptr %out) {
entry:
  %x = call i32 @element(ptr %in)
  br label %loop
loop:
  %distance = phi i32 [ 16, %entry ], [ %half, %loop ]
  %sum = phi i32 [ %x, %entry ], [ %next, %loop ]
  %other = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %sum, i32 %distance, i32 31)
  %next = add i32 %sum, %other
  %half = lshr i32 %distance, 1
  %more = icmp ne i32 %half, 1
  br i1 %more, label %loop, label %done
done:
  call void @publish(ptr %out, i32 %next)
  ret void
}

define ptx_kernel void @sum_redux(ptr %in, ptr %out) {
  %x = call i32 @element(ptr %in)
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %x, i32 -1)
  call void @publish(ptr %out, i32 %sum)
  ret void
}

define ptx_kernel void @sum_atomic(ptr %in, ptr %out) {
  %x = call i32 @element(ptr %in)
  %at = call ptr @result(ptr %out)
  %old = atomicrmw add ptr %at, i32 %x monotonic
  ret void
}

; Lane 5 to all of its warp, as float and without a predicate.
define ptx_kernel void @broadcast(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr %in, i32 %t
  %x = load float, ptr %from
  %y = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %x, i32 5, i32 31)
  %to = getelementptr float, ptr %out, i32 %t
  store float %y, ptr %to
  ret void
}

define ptx_kernel void @broadcast_ideal(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = and i32 %t, -32
  %lane = or i32 %warp, 5
  %from = getelementptr float, ptr %in, i32 %lane
  %x = load float, ptr %from
  %to = getelementptr float, ptr %out, i32 %t
  store float %x, ptr %to
  ret void
}

; Lane 0 writes: which lanes are even, all, any, uniform, uniform for a mask,
; who has the value of lane 0, who has all the same value, twice.
define ptx_kernel void @votes(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %t, 1
  %even = icmp eq i32 %bit, 0
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %even)
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %even)
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %even)
  %uniform = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %even)
  %mask = select i1 %even, i32 1431655765, i32 -1431655766
  %uniform.even = call i1 @llvm.nvvm.vote.uni.sync(i32 %mask, i1 %even)
  %pair = lshr i32 %t, 1
  %same = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %pair)
  %pair.wide = zext i32 %pair to i64
  %none = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %pair.wide)
  %everyone = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 7)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %done
write:
  %all.i = zext i1 %all to i32
  %any.i = zext i1 %any to i32
  %uniform.i = zext i1 %uniform to i32
  %uniform.even.i = zext i1 %uniform.even to i32
  %none.mask = extractvalue { i32, i1 } %none, 0
  %none.p = extractvalue { i32, i1 } %none, 1
  %none.i = zext i1 %none.p to i32
  %everyone.mask = extractvalue { i32, i1 } %everyone, 0
  store i32 %ballot, ptr %out
  %at1 = getelementptr i32, ptr %out, i32 1
  store i32 %all.i, ptr %at1
  %at2 = getelementptr i32, ptr %out, i32 2
  store i32 %any.i, ptr %at2
  %at3 = getelementptr i32, ptr %out, i32 3
  store i32 %uniform.i, ptr %at3
  %at4 = getelementptr i32, ptr %out, i32 4
  store i32 %uniform.even.i, ptr %at4
  %at5 = getelementptr i32, ptr %out, i32 5
  store i32 %same, ptr %at5
  %at6 = getelementptr i32, ptr %out, i32 6
  store i32 %none.mask, ptr %at6
  %at7 = getelementptr i32, ptr %out, i32 7
  store i32 %everyone.mask, ptr %at7
  %at8 = getelementptr i32, ptr %out, i32 8
  store i32 %none.i, ptr %at8
  ret void
done:
  ret void
}

define ptx_kernel void @active(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %out, i32 %t
  %bit = and i32 %t, 1
  %even = icmp eq i32 %bit, 0
  br i1 %even, label %one, label %other
one:
  %m1 = call i32 @llvm.nvvm.activemask()
  store i32 %m1, ptr %at
  ret void
other:
  %m2 = call i32 @llvm.nvvm.activemask()
  store i32 %m2, ptr %at
  ret void
}

define ptx_kernel void @divergent(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %t, 1
  %even = icmp eq i32 %bit, 0
  br i1 %even, label %one, label %other
one:
  %y = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 0, i32 31)
  ret void
other:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define ptx_kernel void @not_a_member(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 15, i32 %t, i32 0, i32 31)
  ret void
}

define ptx_kernel void @old(ptr %out) {
  %y = call i32 @llvm.nvvm.shfl.idx.i32(i32 0, i32 0, i32 31)
  store i32 %y, ptr %out
  ret void
}
