; Without libdevice, the C library computes what it knows by the same name.
; RUN: %kernel-run %s --kernel calculus --grid 1 --block 4 --args 'in:f32:4:values=0;1;2;3,out:f32:4' --output out=%t.out
; RUN: %python -c "import struct; print(['%.4f' % x for x in struct.unpack('4f', open(r'%t.out', 'rb').read())])" | FileCheck %s --check-prefix=VALUES
; VALUES: ['1.0000', '2.7183', '7.3891', '20.0855']
; RUN: not %kernel-run %s --kernel other --grid 1 --block 1 --args out:f32:4 2>&1 | FileCheck %s --check-prefix=OTHER
; OTHER: uses __nv_j0f, which kernel-run does not run: link libdevice
target triple = "nvptx64-nvidia-cuda"

declare float @__nv_expf(float)
declare float @__nv_j0f(float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @calculus(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %in, i32 %t
  %x = load float, ptr %p
  %y = call float @__nv_expf(float %x)
  %q = getelementptr float, ptr %out, i32 %t
  store float %y, ptr %q
  ret void
}

define ptx_kernel void @other(ptr %out) {
  %y = call float @__nv_j0f(float 1.0)
  store float %y, ptr %out
  ret void
}
