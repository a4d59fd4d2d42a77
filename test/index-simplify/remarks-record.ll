; One remark for each rewrite, none without a request, and the record for tools.

; RUN: %unravel-opt -passes=index-simplify -pass-remarks=index-simplify -S %s -o %t.ll 2>&1 | FileCheck %s --implicit-check-not=remark:
; RUN: %unravel-opt -passes=index-simplify -pass-remarks-missed=index-simplify -disable-output %s 2>&1 | FileCheck %s --check-prefix=MISSED --implicit-check-not=remark:
; RUN: %unravel-opt -passes=index-simplify -pass-remarks-output=%t.yaml -disable-output %s && FileCheck %s --check-prefix=YAML < %t.yaml
; RUN: %unravel-opt -passes=index-simplify -disable-output %s 2>&1 | count 0
; DEFINE: %{run} = %kernel-run --grid 40 --block 128 --args out:i32:6000
; RUN: %{run} --kernel rewritten %s %t.ll
; RUN: %{run} --kernel rewritten_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The global thread id: any 32-bit number, for all that the pass knows.
define internal noundef i32 @id() memory(none) nounwind willreturn {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  ret i32 %i
}

; CHECK: remark: {{.*}}address simplified to base + 4 * {{u\(x\)|x}}{{$}}
; CHECK: remark: {{.*}}comparison is always true{{$}}
; CHECK: remark: {{.*}}comparison simplified to {{.*(x|u\(x\)).*}}
; YAML: --- !Passed
; YAML-NEXT: Pass: {{.*}}index-simplify
; YAML: Function: {{.*}}rewritten
; YAML: - Kind: {{.*}}address
; YAML: - Form: {{.*}}4 * {{u\(x\)|x}}
define ptx_kernel void @rewritten(ptr %out) {
  %x = call i32 @id()
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %m = mul nuw i32 %q, 75
  %i = add nuw i32 %m, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  %r.in = icmp ult i32 %r, 75
  br i1 %r.in, label %more, label %done
more:
  %q.in = icmp ult i32 %q, 13
  br i1 %q.in, label %write, label %done
write:
  store i32 8, ptr %p
  br label %done
done:
  ret void
}

; Nothing is rewritten: the sign of s is not known, and says so.
; MISSED: remark: {{.*}}1 division stays signed, because nothing says that s >= 0. To state it: UNRAVEL_ASSUME(s >= 0);
; YAML: --- !Missed
; YAML-NEXT: Pass: {{.*}}index-simplify
; YAML: Function: {{.*}}rewritten_negative
; YAML: Fact: {{.*}}s >= 0
define ptx_kernel void @rewritten_negative(ptr %out) {
  %x = call i32 @id()
  %s = sub i32 %x, 2560
  %q = sdiv i32 %s, 75
  %e = sext i32 %q to i64
  %middle = getelementptr inbounds i32, ptr %out, i64 3000
  %p = getelementptr inbounds i32, ptr %middle, i64 %e
  store i32 7, ptr %p
  ret void
}
