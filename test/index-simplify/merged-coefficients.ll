; InstCombine merges the coefficients of equal values, which hides digits.

; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %kernel-run --grid 188 --block 128 --args out:i32:24064 --kernel transposed_twice %s %t.ll
; RUN: %kernel-run --grid 188 --block 128 --args out:i32:24064 --kernel transposed_twice_negative %s %t.ll
; RUN: %kernel-run --grid 1 --block 1 --args out:i32:1,i32:-5,i32:77 --kernel nothing_is_left %s %t.ll

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

; 8*(x%3000) + x/3000 became 8*x - 23999*(x/3000); its digits in base 8, put
; together the other way round, are x.
; CHECK-LABEL: define ptx_kernel void @transposed_twice(
; CHECK: br i1
; CHECK-NOT: {{div|rem|mulhi|lshr| and | add | sub }}
; CHECK: store
define ptx_kernel void @transposed_twice(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 24000
  br i1 %inside, label %write, label %done
write:
  %q = udiv i32 %x, 3000
  %m = mul i32 %q, -23999
  %s = shl i32 %x, 3
  %t = add i32 %m, %s
  %low = and i32 %t, 7
  %high = lshr i32 %t, 3
  %low3000 = mul nuw nsw i32 %low, 3000
  %i = add nuw nsw i32 %low3000, %high
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; Another coefficient: the last digit of 8*(x%3000) + 2*(x/3000) is no quotient,
; and the divisions do not vanish.
; CHECK-LABEL: define ptx_kernel void @transposed_twice_negative(
; CHECK: br i1
; CHECK: {{udiv|mulhi}}
; CHECK: store
define ptx_kernel void @transposed_twice_negative(ptr %out) {
  %x = call i32 @id()
  %inside = icmp ult i32 %x, 24000
  br i1 %inside, label %write, label %done
write:
  %q = udiv i32 %x, 3000
  %m = mul i32 %q, -23998
  %s = shl i32 %x, 3
  %t = add i32 %m, %s
  %low = and i32 %t, 7
  %high = lshr i32 %t, 3
  %low3000 = mul nuw nsw i32 %low, 3000
  %i = add nuw nsw i32 %low3000, %high
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

; x as a signed number and as an unsigned one are two numbers, but one word: of 32
; bits of their difference nothing is left but the constant.
; CHECK-LABEL: define ptx_kernel void @nothing_is_left(
; CHECK-NEXT: store i32 8, ptr %out
; CHECK-NEXT: ret void
define ptx_kernel void @nothing_is_left(ptr noundef %out, i32 noundef %x, i32 noundef %y) {
  %a = sext i32 %x to i64
  %b = zext i32 %x to i64
  %w = zext i32 %y to i64
  %q = udiv i64 %w, 75
  %r = urem i64 %w, 75
  %m = mul i64 %q, 75
  %s = add i64 %m, %r
  %d = sub i64 %a, %b
  %e = add i64 %d, %s
  %f = sub i64 %e, %w
  %t = trunc i64 %f to i32
  %k = add i32 %t, 8
  store i32 %k, ptr %out
  ret void
}
