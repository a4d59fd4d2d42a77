; UNRAVEL_POSITIVE(w), as clang writes it, for the manual of facts.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @stated(ptr noundef %out, i32 noundef %w) {
  %positive = icmp sgt i32 %w, 0
  call void @llvm.assume(i1 %positive)
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = mul i32 %b, %s
  %i = add i32 %p, %t
  %q = sdiv i32 %i, %w
  %e = sext i32 %i to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %q, ptr %o
  ret void
}

declare void @llvm.assume(i1 noundef)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
