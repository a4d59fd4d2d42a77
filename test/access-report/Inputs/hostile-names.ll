target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
@"</script><b>\22'&\FF" = internal addrspace(3) global [65536 x i8] zeroinitializer, align 16
define ptx_kernel void @"</script><script>alert('x')</script>"(i32 %"<b>&\22\FF", i32 %warp, i32 %__proto__) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %"<b>&\22\FF"
  %j = add i32 %i, %warp
  %k = add i32 %j, %__proto__
  %a = getelementptr i32, ptr addrspace(3) @"</script><b>\22'&\FF", i32 %k
  %v = load volatile i32, ptr addrspace(3) %a
  ret void
}
