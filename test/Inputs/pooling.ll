; 2x2 max pooling [12,60,76] -> [12,30,38], its operand reshaped to [24,2280] and
; back, as clang -O3 leaves it:
;
;   unsigned i = blockIdx.x * 128 + threadIdx.x;
;   if (i >= 12 * 30 * 38) return;
;   unsigned c = i / 1140, oh = i / 38 % 30, ow = i % 38;
;   for (ky = 0, 1) for (kx = 0, 1) {          // unrolled
;     unsigned l = (c * 60 + (oh * 2 + ky)) * 76 + (ow * 2 + kx);
;     unsigned m = (l / 2280) * 2280 + l % 2280;
;     best = fmaxf(best, in[(m / 4560 * 60 + m / 76 % 60) * 76 + m % 76]);
;   }
;   out[(c * 30 + oh) * 38 + ow] = best;
;
; One address for the four reads, which are 4 and 304 bytes apart.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @pooling(ptr noundef readonly %in, ptr noundef writeonly %out) "nvvm.maxntid"="128" {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mul = shl i32 %block, 7
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %thread
  %cmp = icmp ugt i32 %add, 13679
  br i1 %cmp, label %cleanup, label %if.end
if.end:
  %div.lhs.trunc = trunc nuw nsw i32 %add to i16
  %div53 = udiv i16 %div.lhs.trunc, 1140
  %div.zext = zext nneg i16 %div53 to i32
  %div254 = udiv i16 %div.lhs.trunc, 38
  %rem55 = urem i16 %div254, 30
  %rem.zext = zext nneg i16 %rem55 to i32
  %v2 = mul i16 %div254, 38
  %rem356.decomposed = sub i16 %div.lhs.trunc, %v2
  %rem3.zext = zext nneg i16 %rem356.decomposed to i32
  %mul9 = mul nuw nsw i32 %div.zext, 60
  %mul10 = shl nuw nsw i32 %rem.zext, 1
  %add11 = add nuw nsw i32 %mul10, %mul9
  %mul14 = shl nuw nsw i32 %rem3.zext, 1
  %mul13 = mul nuw nsw i32 %add11, 76
  %add15 = add nuw nsw i32 %mul13, %mul14
  %add16.fr = freeze i32 %add15
  %div21 = udiv i32 %add16.fr, 4560
  %div22 = udiv i32 %add16.fr, 76
  %rem23 = urem i32 %div22, 60
  %v3 = mul i32 %div22, 76
  %rem24.decomposed = sub i32 %add16.fr, %v3
  %mul25 = mul nuw nsw i32 %div21, 60
  %add26 = add nuw nsw i32 %mul25, %rem23
  %mul27 = mul nuw nsw i32 %add26, 76
  %add28 = add nuw nsw i32 %mul27, %rem24.decomposed
  %idxprom = zext nneg i32 %add28 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %in, i64 %idxprom
  %v4 = load float, ptr %arrayidx, align 4
  %v5 = call noundef float @llvm.maxnum.f32(float %v4, float 0.000000e+00)
  %add16.1 = add i32 %add16.fr, 1
  %div21.1 = udiv i32 %add16.1, 4560
  %div22.1 = udiv i32 %add16.1, 76
  %rem23.1 = urem i32 %div22.1, 60
  %v6 = mul i32 %div22.1, 76
  %rem24.1.decomposed = sub i32 %add16.1, %v6
  %mul25.1 = mul nuw nsw i32 %div21.1, 60
  %add26.1 = add nuw nsw i32 %mul25.1, %rem23.1
  %mul27.1 = mul nuw nsw i32 %add26.1, 76
  %add28.1 = add nuw nsw i32 %mul27.1, %rem24.1.decomposed
  %idxprom.1 = zext nneg i32 %add28.1 to i64
  %arrayidx.1 = getelementptr inbounds nuw float, ptr %in, i64 %idxprom.1
  %v7 = load float, ptr %arrayidx.1, align 4
  %v8 = call noundef float @llvm.maxnum.f32(float %v5, float %v7)
  %v9 = mul nuw nsw i32 %add11, 76
  %mul13.1 = add nuw nsw i32 %v9, 76
  %add15.1 = add nuw nsw i32 %mul13.1, %mul14
  %add16.fr.161 = freeze i32 %add15.1
  %div21.162 = udiv i32 %add16.fr.161, 4560
  %div22.163 = udiv i32 %add16.fr.161, 76
  %rem23.164 = urem i32 %div22.163, 60
  %v10 = mul i32 %div22.163, 76
  %rem24.165.decomposed = sub i32 %add16.fr.161, %v10
  %mul25.166 = mul nuw nsw i32 %div21.162, 60
  %add26.167 = add nuw nsw i32 %mul25.166, %rem23.164
  %mul27.168 = mul nuw nsw i32 %add26.167, 76
  %add28.169 = add nuw nsw i32 %mul27.168, %rem24.165.decomposed
  %idxprom.170 = zext nneg i32 %add28.169 to i64
  %arrayidx.171 = getelementptr inbounds nuw float, ptr %in, i64 %idxprom.170
  %v11 = load float, ptr %arrayidx.171, align 4
  %v12 = call noundef float @llvm.maxnum.f32(float %v8, float %v11)
  %add16.1.1 = add i32 %add16.fr.161, 1
  %div21.1.1 = udiv i32 %add16.1.1, 4560
  %div22.1.1 = udiv i32 %add16.1.1, 76
  %rem23.1.1 = urem i32 %div22.1.1, 60
  %v13 = mul i32 %div22.1.1, 76
  %rem24.1.1.decomposed = sub i32 %add16.1.1, %v13
  %mul25.1.1 = mul nuw nsw i32 %div21.1.1, 60
  %add26.1.1 = add nuw nsw i32 %mul25.1.1, %rem23.1.1
  %mul27.1.1 = mul nuw nsw i32 %add26.1.1, 76
  %add28.1.1 = add nuw nsw i32 %mul27.1.1, %rem24.1.1.decomposed
  %idxprom.1.1 = zext nneg i32 %add28.1.1 to i64
  %arrayidx.1.1 = getelementptr inbounds nuw float, ptr %in, i64 %idxprom.1.1
  %v14 = load float, ptr %arrayidx.1.1, align 4
  %v15 = call noundef float @llvm.maxnum.f32(float %v12, float %v14)
  %mul33 = mul nuw nsw i32 %div.zext, 30
  %add34 = add nuw nsw i32 %mul33, %rem.zext
  %mul35 = mul nuw nsw i32 %add34, 38
  %add36 = add nuw nsw i32 %mul35, %rem3.zext
  %idxprom37 = zext nneg i32 %add36 to i64
  %arrayidx38 = getelementptr inbounds nuw float, ptr %out, i64 %idxprom37
  store float %v15, ptr %arrayidx38, align 4
  br label %cleanup
cleanup:
  ret void
}
