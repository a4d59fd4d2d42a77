; The sum may wrap: nsw would make it poison.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @wrapping(ptr %out, i32 noundef %x) {
  %sum = add i32 %x, 2147483000
  store i32 %sum, ptr %out
  ret void
}
