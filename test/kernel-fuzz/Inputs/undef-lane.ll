target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Lane 1 of the sum is undef.
define ptx_kernel void @undefined_lane(ptr %out, i32 noundef range(i32 0, 9) %x) {
  %v = insertelement <2 x i32> undef, i32 %x, i64 0
  %s = add <2 x i32> %v, splat (i32 3)
  store <2 x i32> %s, ptr %out, align 1
  ret void
}
