target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %out) {
  ret i32
}
