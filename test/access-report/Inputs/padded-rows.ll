target triple = "nvptx64-nvidia-cuda"
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; Rows of 33 in place of 32: row th/32 + 4*bl, column th mod 32.
define ptx_kernel void @pad(ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = and i32 %t, 31
  %r = lshr i32 %t, 5
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %small = and i32 %b, 255
  %rows = mul nuw nsw i32 %small, 4
  %row = add nuw nsw i32 %rows, %r
  %start = mul nuw nsw i32 %row, 33
  %i = add nuw nsw i32 %start, %c
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %out, i64 %w
  store float 0.0, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "nvvm.reqntid"="128" }
