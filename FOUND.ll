target triple = "nvptx64-nvidia-cuda"
declare range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare range(i32 0, 2048) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call range(i32 0, 2048) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %b1 = lshr i32 %b, 1
  %first = and i32 %b1, 992
  %lane = and i32 %t, 31
  %line = lshr i32 %t, 5
  %row = or disjoint i32 %first, %lane
  %in.range = icmp ult i32 %row, 1000
  br i1 %in.range, label %inside, label %outside
outside:
  %line4.pre = or disjoint i32 %line, 4
  br label %behind
inside:
  %line4 = or disjoint i32 %line, 4
  %at = mul nuw nsw i32 %line4, 33
  %src = getelementptr inbounds float, ptr addrspace(1) %in, i32 %at
  store float 0.0, ptr addrspace(1) %src
  br label %behind
behind:
  %phi = phi i32 [ %line4.pre, %outside ], [ %line4, %inside ]
  %c = shl i32 %b, 5
  %column = and i32 %c, 2016
  %r = or disjoint i32 %first, %phi
  %r11 = shl nuw nsw i32 %r, 11
  %col = or disjoint i32 %column, %lane
  %o = or disjoint i32 %r11, %col
  %dst = getelementptr inbounds float, ptr addrspace(1) %out, i32 %o
  store float 1.0, ptr addrspace(1) %dst
  %r.0 = or disjoint i32 %first, %line
  %r11.0 = shl nuw nsw i32 %r.0, 11
  %o.0 = or disjoint i32 %r11.0, %col
  %dst.0 = getelementptr inbounds float, ptr addrspace(1) %out, i32 %o.0
  store float 2.0, ptr addrspace(1) %dst.0
  ret void
}
