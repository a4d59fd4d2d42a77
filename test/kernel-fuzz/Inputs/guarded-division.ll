; The division must stay behind its guard.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @quotient(ptr %out, i32 noundef %x, i32 noundef %d) {
entry:
  %some = icmp ne i32 %d, 0
  br i1 %some, label %divide, label %done

divide:
  %q = udiv i32 %x, %d
  store i32 %q, ptr %out
  br label %done

done:
  ret void
}
