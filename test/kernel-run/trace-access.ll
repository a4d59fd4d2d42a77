; --trace-access: what the requests of a run cost.
;
; Lanes of a loop that they leave at different times meet in each iteration: lane l
; makes l mod 4 + 1 of them. The requests have 32, 24, 16 and 8 lanes.
; RUN: %kernel-run %s --kernel divergent --grid 2 --block 40 --args in:i32:4096,out:i32:80 --trace-access=%t.jsonl | FileCheck %s --check-prefix=TABLE
; TABLE: divergent: 80 threads
; TABLE: access 0: load, global, 4 bytes a lane
; TABLE-NEXT: %v = load i32, ptr %a, align 4
; TABLE-NEXT: 16 requests of 12.5 lanes, sectors: 1 to 4, mean 2.50, ideal: 1.75, efficiency: 0.62
; TABLE: access 1: store, global, 4 bytes a lane
; TABLE-NEXT: store i32
; TABLE-NEXT: 4 requests of 20.0 lanes, sectors: 1 to 4, mean 2.50, ideal: 2.50, efficiency: 1.00
; RUN: FileCheck %s --check-prefix=LINES --input-file=%t.jsonl
; LINES: {"kernel":"divergent",{{.*}}"grid":[2,1,1],"block":[40,1,1],"arguments":[null,null],"accesses":[{"kind":"load"
; LINES-NEXT: {"access":0,"block":[0,0,0],"warp":0,"iterations":[0],"object":"argument 0 (in)","object_modulo_256":0,"offsets":[0,4,8,12,{{.*}}124],"sectors":4,"ideal_sectors":4}
; LINES: "warp":0,"iterations":[3],{{.*}}"offsets":[null,null,null,396,null,
; LINES: "block":[1,0,0],"warp":1
;
; A column of shared memory: all lanes in one bank; a generic pointer is counted as
; what it points to.
; RUN: %kernel-run %s --kernel columns --grid 1 --block 32 --args out:i32:32 --trace-access | FileCheck %s --check-prefix=SHARED
; SHARED: access 0: store, shared, 4 bytes a lane
; SHARED-NEXT: store i32 %t
; SHARED-NEXT: 1 request, wavefronts: 32, bank conflicts: 31, efficiency: 0.03
; SHARED: access 1: load, generic
; SHARED-NEXT: load i32
; SHARED-NEXT: 1 request, wavefronts: 1, bank conflicts: 0, efficiency: 1.00
; SHARED: access 2: store, global
; SHARED: sectors: 4, ideal: 4.00, efficiency: 1.00
;
; Calls, local memory and copies; what is never reached.
; RUN: %kernel-run %s --kernel calls --grid 1 --block 32 --args inout:i32:64 --trace-access --json | FileCheck %s --check-prefix=JSON
; RUN: %kernel-run %s --kernel calls --grid 1 --block 32 --args inout:i32:64 --trace-access | FileCheck %s --check-prefix=CALLS
; CALLS: access 0: store, local, 4 bytes a lane
; CALLS: 32 accesses of single lanes: each lane has its own memory
; CALLS: access 1: other, generic
; CALLS: never executed
; CALLS: access 2: other, generic
; CALLS: access 3: load, global
; CALLS: never executed
; CALLS: access 4: load, {{.*}}, 4 bytes a lane
; CALLS: 2 requests of 24.0 lanes, sectors: 2 to 4
; CALLS-NEXT: the k-th calls of the lanes are taken to be one
; JSON: "traces": [
; JSON: "access": 4
; JSON: "global": {
; JSON-NEXT: "requests": 2,
; JSON-NEXT: "lanes": 48,
;
; A cycle with two entries has no iterations: lane by lane in order. No thread of it
; is lost.
; RUN: %kernel-run %s --kernel irreducible --grid 1 --block 32 --args in:i32:256 --trace-access | FileCheck %s --check-prefix=CYCLE
; CYCLE: access 0: load, global
; CYCLE: 3 requests, sectors: 4
;
; Both versions of a comparison.
; RUN: %kernel-run %s %s --kernel columns --grid 1 --block 32 --args out:i32:32 --trace-access | FileCheck %s --check-prefix=BOTH
; BOTH: identical in 2 versions
; BOTH-COUNT-2: accesses of
;
; RUN: not %kernel-run %s --kernel columns --grid 2 --block 32 --args out:i32:32 --trace-access --jobs 2 2>&1 | FileCheck %s --check-prefix=JOBS
; JOBS: kernel-run: --trace-access goes with --jobs 1 only
; RUN: not %kernel-run %s --kernel columns --grid 2 --block 32 --args out:i32:32 --trace-access=%t.none/x 2>&1 | FileCheck %s --check-prefix=PLACE
; PLACE: cannot write

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @divergent(ptr %in, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %last = and i32 %t, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %row = shl i32 %i, 5
  %at = add i32 %row, %t
  %a = getelementptr i32, ptr %in, i32 %at
  %v = load i32, ptr %a
  %next = add i32 %i, 1
  %more = icmp ult i32 %i, %last
  br i1 %more, label %loop, label %exit
exit:
  %first = mul i32 %b, 40
  %k = add i32 %first, %t
  %o = getelementptr i32, ptr %out, i32 %k
  store i32 %v, ptr %o
  ret void
}

@tile = internal addrspace(3) global [1024 x i32] undef, align 128

define ptx_kernel void @columns(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl i32 %t, 5
  %s = getelementptr i32, ptr addrspace(3) @tile, i32 %row
  store i32 %t, ptr addrspace(3) %s
  %flat = addrspacecast ptr addrspace(3) @tile to ptr
  %bits = ptrtoint ptr %flat to i64
  %mixed = xor i64 %bits, 0
  %again = inttoptr i64 %mixed to ptr
  %v = load i32, ptr %again
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}

define internal i32 @element(ptr %p, i32 %i) noinline {
  %a = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %a
  ret i32 %v
}

define ptx_kernel void @calls(ptr %p) {
entry:
  %local = alloca i32
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store volatile i32 %t, ptr %local
  %x = call i32 @element(ptr %p, i32 %t)
  %low = icmp ult i32 %t, 16
  br i1 %low, label %again, label %exit
again:
  %y = call i32 @element(ptr %p, i32 %t)
  br label %exit
exit:
  %never = icmp ugt i32 %t, 99
  br i1 %never, label %dead, label %end
dead:
  %z = load i32, ptr %p
  br label %end
end:
  ret void
}

define ptx_kernel void @irreducible(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = and i32 %t, 0
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %left, label %right
left:
  %i = phi i32 [ 0, %entry ], [ %k, %right ]
  %row = shl i32 %i, 5
  %at = add i32 %row, %t
  %a = getelementptr i32, ptr %p, i32 %at
  %v = load i32, ptr %a
  %next = add i32 %i, 1
  br label %right
right:
  %k = phi i32 [ 7, %entry ], [ %next, %left ]
  %more = icmp ult i32 %k, 3
  br i1 %more, label %left, label %exit
exit:
  ret void
}
