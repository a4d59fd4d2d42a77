; A transpose [4,24,315] -> [4,315,24] whose operand is reshaped to [4,24,21,15]
; first, with `int` indices of unknown sign, as clang -O3 leaves it:
;
;   int i = blockIdx.x * blockDim.x + threadIdx.x;
;   if (i >= 30240) return;
;   int a = i / 7560, b = i / 24 % 315, c = i % 24;
;   int d = b / 15, e = b % 15;
;   out[(a * 315 + b) * 24 + c] = in[((a * 24 + c) * 21 + d) * 15 + e];
;
; The write goes to base + 4*i, the read needs two quotients of i.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @transposed(ptr noundef readonly %in, ptr noundef writeonly %out) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %block, %size
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %thread
  %cmp = icmp sgt i32 %add, 30239
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %div = sdiv i32 %add, 7560
  %div3 = sdiv i32 %add, 24
  %rem = srem i32 %div3, 315
  %v3 = mul i32 %div3, 24
  %rem4.decomposed = sub i32 %add, %v3
  %div5.lhs.trunc = trunc nsw i32 %rem to i16
  %div526 = sdiv i16 %div5.lhs.trunc, 15
  %div5.sext = sext i16 %div526 to i32
  %v4 = mul i16 %div526, 15
  %rem627.decomposed = sub i16 %div5.lhs.trunc, %v4
  %rem6.sext = sext i16 %rem627.decomposed to i32
  %mul7 = mul nsw i32 %div, 24
  %add8 = add nsw i32 %mul7, %rem4.decomposed
  %mul9 = mul nsw i32 %add8, 21
  %add10 = add nsw i32 %mul9, %div5.sext
  %mul11 = mul nsw i32 %add10, 15
  %add12 = add nsw i32 %mul11, %rem6.sext
  %idxprom = sext i32 %add12 to i64
  %arrayidx = getelementptr inbounds float, ptr %in, i64 %idxprom
  %v5 = load float, ptr %arrayidx, align 4
  %mul13 = mul nsw i32 %div, 315
  %add14 = add nsw i32 %mul13, %rem
  %mul15 = mul nsw i32 %add14, 24
  %add16 = add nsw i32 %mul15, %rem4.decomposed
  %idxprom17 = sext i32 %add16 to i64
  %arrayidx18 = getelementptr inbounds float, ptr %out, i64 %idxprom17
  store float %v5, ptr %arrayidx18, align 4
  br label %cleanup
cleanup:
  ret void
}
