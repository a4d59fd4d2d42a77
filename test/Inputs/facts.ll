; out[i / w * w + i % w], as clang -O3 leaves it, for the manual of facts.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @rows(ptr noundef %out, i32 noundef %n, i32 noundef %w) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = mul i32 %b, %s
  %i = add i32 %p, %t
  %q = sdiv i32 %i, %w
  %r = sdiv i32 %n, 4
  %x = add i32 %q, %r
  %e = sext i32 %x to i64
  %o = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %i, ptr %o
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
