; out = 2 * in, the index taken apart for a reshape [60000] -> [20,40,75] and put
; together again, as clang -O3 leaves it:
;
;   unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
;   if (i >= 60000) return;
;   unsigned z = i / 3000, y = i / 75 % 40, x = i % 75;
;   out[(z * 40 + y) * 75 + x] = 2.0f * in[i];
;
; Both addresses are base + 4*i.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @reshape(ptr noundef readonly %in, ptr noundef writeonly %out) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %block, %size
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %thread
  %cmp = icmp ugt i32 %add, 59999
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %div.lhs.trunc = trunc nuw i32 %add to i16
  %div16 = udiv i16 %div.lhs.trunc, 3000
  %div317 = udiv i16 %div.lhs.trunc, 75
  %rem18 = urem i16 %div317, 40
  %v3 = mul i16 %div317, 75
  %rem419.decomposed = sub i16 %div.lhs.trunc, %v3
  %rem4.zext = zext nneg i16 %rem419.decomposed to i64
  %idxprom = zext nneg i32 %add to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %in, i64 %idxprom
  %v4 = load float, ptr %arrayidx, align 4
  %mul5 = fmul contract float %v4, 2.000000e+00
  %narrow = mul nuw nsw i16 %div16, 40
  %narrow20 = add nuw nsw i16 %narrow, %rem18
  %add7 = zext nneg i16 %narrow20 to i64
  %.idx = mul nuw nsw i64 %add7, 300
  %v5 = getelementptr inbounds nuw i8, ptr %out, i64 %.idx
  %arrayidx11 = getelementptr inbounds nuw float, ptr %v5, i64 %rem4.zext
  store float %mul5, ptr %arrayidx11, align 4
  br label %cleanup
cleanup:
  ret void
}
