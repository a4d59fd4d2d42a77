; AMD GPUs: untouched, to the byte.

; RUN: split-file %s %t
; RUN: opt -S %t/amdgpu.ll -o %t/amdgpu.before
; RUN: %unravel-opt -passes=index-simplify -S %t/amdgpu.ll -o %t/amdgpu.after
; RUN: diff %t/amdgpu.before %t/amdgpu.after

; 32-bit NVPTX has 32-bit pointers: addresses stay, comparisons go.
; RUN: %unravel-opt -passes=index-simplify -S %t/nvptx32.ll | FileCheck %s
; CHECK: getelementptr inbounds i32, ptr %out, i32 %i
; CHECK: br i1 true

#--- amdgpu.ll
target triple = "amdgcn-amd-amdhsa"
define void @untouched_negative(ptr addrspace(1) %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %m = mul nuw i32 %q, 75
  %i = add nuw i32 %m, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %e
  store i32 7, ptr addrspace(1) %p
  ret void
}
#--- nvptx32.ll
target datalayout = "e-p:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx-nvidia-cuda"
define ptx_kernel void @narrow(ptr %out, i32 noundef %x) {
  %i = udiv i32 %x, 75
  %p = getelementptr inbounds i32, ptr %out, i32 %i
  store i32 7, ptr %p
  %r = urem i32 %x, 75
  %c = icmp ult i32 %r, 75
  br i1 %c, label %write, label %done
write:
  store i32 8, ptr %p
  br label %done
done:
  ret void
}
