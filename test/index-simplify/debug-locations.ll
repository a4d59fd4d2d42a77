; New code has the location of what it replaces; nothing is lost on the way.

; RUN: opt -passes=debugify -S %s -o %t.ll
; RUN: %unravel-opt -passes=index-simplify,verify -S %t.ll | FileCheck %s
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: %idx.ext = sext {{.*}}, !dbg
; CHECK: %p = getelementptr {{.*}}, !dbg ![[P:[0-9]+]]
; CHECK: load i32, ptr %p, {{.*}}!dbg

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr noundef %in, ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %x = add i32 %s, %t
  %inside = icmp ult i32 %x, 60000
  br i1 %inside, label %body, label %done
body:
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q300 = mul i32 %q, 300
  %r4 = mul i32 %r, 4
  %i = add i32 %q300, %r4
  %fits = icmp ult i32 %i, 240000
  br i1 %fits, label %write, label %done
write:
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p
  %o = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %v, ptr %o
  br label %done
done:
  ret void
}
