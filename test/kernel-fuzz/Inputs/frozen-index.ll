; The index must stay frozen: the sum may be poison, the address must not.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @frozen(ptr %out, i32 noundef %x) {
  %sum = add nsw i32 %x, 2000000000
  %index = freeze i32 %sum
  %digit = urem i32 %index, 75
  %at = getelementptr i32, ptr %out, i32 %digit
  store i32 0, ptr %at
  ret void
}
