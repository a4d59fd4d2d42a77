; What cannot be run is named, with the instruction and a way out; status 2.
;
; DEFINE: %{run} = %kernel-run %s --grid 1 --block 32 --args out:i32:32 --kernel
; RUN: %{run} fine
; RUN: not %{run} cluster 2>&1 | FileCheck %s --check-prefix=CLUSTER
; CLUSTER: kernel-run: {{.*}}errors.ll: cluster uses llvm.nvvm.barrier.cluster.arrive, which kernel-run does not run: take it out, or replace it, for this run
; CLUSTER-NEXT: at: call void @llvm.nvvm.barrier.cluster.arrive() in function cluster
; In a function that the kernel calls.
; RUN: not %{run} clock 2>&1 | FileCheck %s --check-prefix=CLOCK
; CLOCK: clock uses llvm.nvvm.read.ptx.sreg.clock, which
; CLOCK-NEXT: at: %c = call i32 @llvm.nvvm.read.ptx.sreg.clock() in function now
; RUN: not %{run} pointer 2>&1 | FileCheck %s --check-prefix=POINTER
; POINTER: pointer uses a call through a pointer, which kernel-run does not run: call the function by its name
; POINTER-NEXT: at: call void %f(ptr %out)
; RUN: not %{run} elsewhere 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
; ELSEWHERE: elsewhere uses somewhere, which kernel-run does not run: link the module that defines it (llvm-link)
; RUN: not %{run} heap 2>&1 | FileCheck %s --check-prefix=HEAP
; HEAP: heap uses malloc, which
; RUN: not %{run} strange 2>&1 | FileCheck %s --check-prefix=STRANGE
; STRANGE: strange uses a strange vprintf, which kernel-run does not run: declare it as CUDA does
; RUN: not %{run} assembly 2>&1 | FileCheck %s --check-prefix=ASSEMBLY
; ASSEMBLY: assembly uses the inline assembly 'wgmma.fence.sync.aligned;', which kernel-run does not run: write it with an intrinsic or in C++
; ASSEMBLY-NEXT: at: call void asm sideeffect "wgmma.fence.sync.aligned;"
; RUN: not %{run} declared 2>&1 | FileCheck %s --check-prefix=DECLARED
; DECLARED: declared uses the variable outside without a definition, which
; RUN: not %{run} aliased 2>&1 | FileCheck %s --check-prefix=ALIAS
; ALIAS: aliased uses the alias fine_too, which
; RUN: not %{run} masked 2>&1 | FileCheck %s --check-prefix=MASKED
; MASKED: masked uses llvm.masked.load.v2i32.p0, which
; MASKED-NEXT: at: %x = call <2 x i32> @llvm.masked.load
; RUN: not %{run} large 2>&1 | FileCheck %s --check-prefix=LARGE
; LARGE: large uses 400000 bytes of static shared memory, which kernel-run does not run: a block has at most 232448
; RUN: not %kernel-run %s --grid 1 --block 32 --args out:i32:32 --kernel aggregate 2>&1 | FileCheck %s --check-prefix=AGGREGATE
; AGGREGATE: aggregate has the parameter 0, which is no pointer and no number
; RUN: not %{run} varied 2>&1 | FileCheck %s --check-prefix=VARIED
; VARIED: defines no kernel varied
;
; RUN: sed -e 's/^target datalayout.*/target datalayout = "e-p:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"/' %s > %t.short.ll
; RUN: not %kernel-run %t.short.ll --grid 1 --block 32 --args out:i32:32 --kernel fine 2>&1 | FileCheck %s --check-prefix=SHORT
; SHORT: fine uses pointers of less than 64 bits, which kernel-run does not run: compile for nvptx64
;
; Options.
; RUN: not %kernel-run 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: Not enough positional command line arguments
; RUN: not %kernel-run %s --no-such 2>&1 | FileCheck %s --check-prefix=OPTION
; OPTION: Unknown command line argument '--no-such'
; RUN: not %kernel-run %t.absent.ll 2>&1 | FileCheck %s --check-prefix=ABSENT
; ABSENT: kernel-run: {{.*}}absent.ll: Could not open input file: No such file or directory
; RUN: not %kernel-run %s --kernel fine --block 3 --args out:i32:3 2>&1 | FileCheck %s --check-prefix=LAUNCH
; LAUNCH: kernel-run: give --launches, or all of --grid, --block and --args
; RUN: not %kernel-run %s --kernel fine --grid 70000,70000 --block 3 --args out:i32:3 2>&1 | FileCheck %s --check-prefix=GRID
; GRID: a grid has at most 2147483647 x 65535 x 65535 blocks
; RUN: not %kernel-run %s --kernel fine --grid 1 --block 3 --args out:i32:3:also=1 2>&1 | FileCheck %s --check-prefix=BUFFER
; BUFFER: options of a buffer are align=, min=, max=, values= and file=
; RUN: not %kernel-run %s --kernel fine --grid 1 --block 3 --args i32:3:align=1 2>&1 | FileCheck %s --check-prefix=SCALAR
; SCALAR: argument 'i32:3:align=1': expected TYPE:VALUE, and also=VALUE of an integer
; RUN: not %kernel-run %s --kernel fine --grid 1 --block 3 --args i8:3:also=300 2>&1 | FileCheck %s --check-prefix=FIT
; FIT: the scalar's value does not fit its type

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@outside = external addrspace(1) global i32
@huge = internal addrspace(3) global [100000 x i32] undef
@fine_too = alias void (ptr), ptr @fine

declare void @somewhere(ptr)
declare ptr @malloc(i64)
declare i32 @llvm.nvvm.read.ptx.sreg.clock()

define ptx_kernel void @fine(ptr %out) {
  store i32 0, ptr %out
  ret void
}

define ptx_kernel void @cluster(ptr %out) {
  call void @llvm.nvvm.barrier.cluster.arrive()
  ret void
}

define internal i32 @now() {
  %c = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  ret i32 %c
}

define ptx_kernel void @clock(ptr %out) {
  %c = call i32 @now()
  store i32 %c, ptr %out
  ret void
}

define ptx_kernel void @pointer(ptr %out) {
  %f = load ptr, ptr %out
  call void %f(ptr %out)
  ret void
}

define ptx_kernel void @elsewhere(ptr %out) {
  call void @somewhere(ptr %out)
  ret void
}

define ptx_kernel void @heap(ptr %out) {
  %p = call ptr @malloc(i64 8)
  ret void
}

declare void @vprintf(ptr, i32)

define ptx_kernel void @strange(ptr %out) {
  call void @vprintf(ptr %out, i32 1)
  ret void
}

define ptx_kernel void @assembly(ptr %out) {
  call void asm sideeffect "wgmma.fence.sync.aligned;", ""()
  ret void
}

define ptx_kernel void @declared(ptr %out) {
  store i32 0, ptr addrspace(1) @outside
  ret void
}

define ptx_kernel void @aliased(ptr %out) {
  call void @fine_too(ptr %out)
  ret void
}

define ptx_kernel void @masked(ptr %out) {
  %x = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 4 %out, <2 x i1> <i1 true, i1 false>, <2 x i32> zeroinitializer)
  ret void
}

define ptx_kernel void @large(ptr %out) {
  store i32 0, ptr addrspace(3) @huge
  ret void
}

define ptx_kernel void @aggregate({ i32, i32 } %pair) {
  ret void
}

define void @varied(ptr %out, ...) {
  ret void
}
