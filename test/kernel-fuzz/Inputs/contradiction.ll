target triple = "nvptx64-nvidia-cuda"
; No width satisfies both assumptions: the pass reports an error in -O3.
define ptx_kernel void @undefined(ptr addrspace(1) %out, i32 %width) {
  %least = icmp sgt i32 %width, 9
  call void @llvm.assume(i1 %least)
  %most = icmp slt i32 %width, 8
  call void @llvm.assume(i1 %most)
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %quotient = udiv i32 %thread, %width
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %quotient
  store i32 %thread, ptr addrspace(1) %at
  ret void
}
