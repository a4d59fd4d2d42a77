; What is claimed of new code: flags, words and inbounds hold for each of its roots,
; and only what is proved at the root's own place counts.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; DEFINE: %{run} = %kernel-run --grid 1 --block 1 --args out:i64:2000
; RUN: %{run},i32:1073741824,i32:0 --kernel words_of_another %s %t.ll
; RUN: %{run},i32:3221225472,i32:0 --kernel unsigned_words_of_another %s %t.ll
; RUN: %{run},i32:1073741824,i32:0 --kernel words_of_arms %s %t.ll
; RUN: %{run},i32:1073741824,i32:0 --kernel words_of_frozen %s %t.ll
; RUN: %{run},i32:15 --kernel digit_in_loop %s %t.ll
; RUN: %{run},i32:99 --kernel split %s %t.ll
; RUN: %{run},i32:-7 --kernel narrow_leaf %s %t.ll
; RUN: %{run},i32:200 --kernel narrow_leaf %s %t.ll
; RUN: %{run},i32:-7 --kernel two_readings %s %t.ll
; RUN: %{run},i64:-7 --kernel low_half %s %t.ll
; RUN: %{run},i32:-7 --kernel wide_source %s %t.ll
; RUN: %{run},i32:70,i32:30 --kernel minimum %s %t.ll
; RUN: %{run},i32:30,i32:70 --kernel minimum %s %t.ll
; RUN: %{run},i32:30,i32:70 --kernel factored %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 5*x is a word where the flagged product is used, and nowhere else.
; CHECK-LABEL: define ptx_kernel void @words_of_another(
; CHECK: store
define ptx_kernel void @words_of_another(ptr noundef %out, i32 noundef %x, i32 noundef %y) {
  %c = icmp ne i32 %y, 0
  br i1 %c, label %then, label %else
then:
  %a = mul nsw i32 %x, 5
  %q = sdiv i32 %a, 3
  %q2 = sdiv i32 %q, 25
  store i32 %q2, ptr %out
  br label %done
else:
  %w = sext i32 %x to i64
  %m = mul i64 %w, 5
  %d = sdiv i64 %m, 75
  %r = srem i64 %m, 75
  %d75 = mul i64 %d, 75
  %i = add i64 %d75, %r
  store i64 %i, ptr %out
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unsigned_words_of_another(
; CHECK: store
define ptx_kernel void @unsigned_words_of_another(ptr noundef %out, i32 noundef %x, i32 noundef %y) {
  %c = icmp ne i32 %y, 0
  br i1 %c, label %then, label %else
then:
  %a = mul nuw i32 %x, 5
  %q = udiv i32 %a, 3
  %q2 = udiv i32 %q, 25
  store i32 %q2, ptr %out
  br label %done
else:
  %w = zext i32 %x to i64
  %m = mul i64 %w, 5
  %d = udiv i64 %m, 75
  %r = urem i64 %m, 75
  %d75 = mul i64 %d, 75
  %i = add i64 %d75, %r
  store i64 %i, ptr %out
  br label %done
done:
  ret void
}

; The product may be an arm that is not taken: its flag says nothing then.
; CHECK-LABEL: define ptx_kernel void @words_of_arms(
; CHECK: store
define ptx_kernel void @words_of_arms(ptr noundef %out, i32 noundef %x, i32 noundef %y) {
  %c = icmp ne i32 %y, 0
  %a = mul nsw i32 %x, 5
  %s = select i1 %c, i32 %a, i32 0
  %ws = sext i32 %s to i64
  %w = sext i32 %x to i64
  %m = mul i64 %w, 5
  %d = sdiv i64 %m, 75
  %r = srem i64 %m, 75
  %d75 = mul i64 %d, 75
  %i = add i64 %d75, %r
  %j = add i64 %i, %ws
  %k = sub i64 %j, %ws
  store i64 %k, ptr %out
  ret void
}

; Nor does it if it is frozen.
; CHECK-LABEL: define ptx_kernel void @words_of_frozen(
; CHECK: store
define ptx_kernel void @words_of_frozen(ptr noundef %out, i32 noundef %x, i32 noundef %y) {
  %a = mul nsw i32 %x, 5
  %f = freeze i32 %a
  %ws = sext i32 %f to i64
  %w = sext i32 %x to i64
  %m = mul i64 %w, 5
  %d = sdiv i64 %m, 75
  %r = srem i64 %m, 75
  %d75 = mul i64 %d, 75
  %i = add i64 %d75, %r
  %j = add i64 %i, %ws
  %k = sub i64 %j, %ws
  store i64 %k, ptr %out
  ret void
}

; -4*x of an unsigned x: no signed product of 32 bits.
; CHECK-LABEL: define ptx_kernel void @backwards(
; CHECK-NOT: sext
; CHECK: store
define ptx_kernel void @backwards(ptr noundef %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %z = zext i32 %i to i64
  %n = sub i64 0, %z
  %p = getelementptr i32, ptr %out, i64 %n
  store i32 7, ptr %p
  ret void
}

; 4*x of a signed x is no unsigned product.
; CHECK-LABEL: define ptx_kernel void @signed_offset(
; CHECK: [[X:%.*]] = sext i32 %x to i64
; CHECK: getelementptr i32, ptr %out, i64 [[X]]
; CHECK: store
define ptx_kernel void @signed_offset(ptr noundef %out, i32 noundef range(i32 -100, 100) %x) {
  %q = sdiv i32 %x, 75
  %r = srem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %z = sext i32 %i to i64
  %p = getelementptr i32, ptr %out, i64 %z
  store i32 7, ptr %p
  ret void
}

; x + 100 may wrap to a negative offset that is inside, where x is not.
; CHECK-LABEL: define ptx_kernel void @far(
; CHECK-NOT: inbounds
; CHECK: store
define ptx_kernel void @far(ptr noundef %out, i64 noundef range(i64 0, 9223372036854775800) %x) {
  %q = udiv i64 %x, 75
  %r = urem i64 %x, 75
  %q75 = mul i64 %q, 75
  %i = add i64 %q75, %r
  %j = add i64 %i, 100
  %p = getelementptr inbounds i8, ptr %out, i64 %j
  store i8 7, ptr %p
  ret void
}

; 4*x - 40 is inside, but 4*x may be behind the end.
; CHECK-LABEL: define ptx_kernel void @step_back(
; CHECK-NOT: inbounds
; CHECK: store
define ptx_kernel void @step_back(ptr noundef %out, i32 noundef range(i32 10, 1000) %x) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %j = sub i32 %i, 10
  %z = zext i32 %j to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %z
  store i32 7, ptr %p
  ret void
}

; 400*j - 4*x is not negative, but -4*x is: out - 4*x may be outside.
; CHECK-LABEL: define ptx_kernel void @split(
; CHECK: getelementptr i8, ptr %out
; CHECK: {{^loop}}
; CHECK: getelementptr [400 x i8], ptr
; CHECK: store
define ptx_kernel void @split(ptr noundef %out, i32 noundef range(i32 0, 100) %x) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 1, %entry ], [ %next, %loop ]
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %x2 = add i32 %q75, %r
  %j100 = mul nuw nsw i32 %j, 100
  %i = sub nsw i32 %j100, %x2
  %z = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %z
  store i32 7, ptr %p
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 11
  br i1 %more, label %loop, label %done
done:
  ret void
}

; ((j + 4) mod 8) behind what does not change in the loop.
; CHECK-LABEL: define ptx_kernel void @digit_in_loop(
; CHECK: getelementptr inbounds nuw {{.*}}ptr %out
; CHECK: {{^loop}}
; CHECK: store
define ptx_kernel void @digit_in_loop(ptr noundef %out, i32 noundef range(i32 0, 100) %x) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %x2 = add i32 %q75, %r
  %x8 = mul nuw nsw i32 %x2, 8
  %j4 = add nuw nsw i32 %j, 4
  %m = and i32 %j4, 7
  %i = add nuw nsw i32 %m, %x8
  %z = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %z
  store i32 %j, ptr %p
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 11
  br i1 %more, label %loop, label %done
done:
  ret void
}

; 3*x is computed once for both branches: without the flags of one of them.
; CHECK-LABEL: define ptx_kernel void @shared(
; CHECK: mul i32 %x, 3
; CHECK-NOT: mul
; CHECK: ret void
define ptx_kernel void @shared(ptr noundef %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q225 = mul i32 %q, 225
  %r3 = mul i32 %r, 3
  %small = icmp ult i32 %x, 1000
  br i1 %small, label %then, label %else
then:
  %i = add i32 %q225, %r3
  store i32 %i, ptr %out
  br label %done
else:
  %j = add i32 %q225, %r3
  %o = getelementptr i8, ptr %out, i64 4
  store i32 %j, ptr %o
  br label %done
done:
  ret void
}

; One address of two is inbounds: the one computed for both is not.
; CHECK-LABEL: define ptx_kernel void @shared_address(
; CHECK-NOT: inbounds
; CHECK: ret void
define ptx_kernel void @shared_address(ptr noundef %out, i32 noundef range(i32 0, 1000) %x, i1 noundef %c) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %z = zext i32 %i to i64
  br i1 %c, label %then, label %else
then:
  %p = getelementptr inbounds i32, ptr %out, i64 %z
  store i32 1, ptr %p
  br label %done
else:
  %o = getelementptr i32, ptr %out, i64 %z
  store i32 2, ptr %o
  br label %done
done:
  ret void
}

; -y of any y wraps.
; CHECK-LABEL: define ptx_kernel void @wrapping(
; CHECK-NOT: {{nuw|nsw|urem}}
; CHECK: sub i32 0, %y
; CHECK-NOT: {{nuw|nsw|urem}}
; CHECK: ret void
define ptx_kernel void @wrapping(ptr noundef %out, i32 noundef %y) {
  %yq = udiv i32 %y, 75
  %yr = urem i32 %y, 75
  %yq75 = mul i32 %yq, 75
  %yi = add i32 %yq75, %yr
  %n = sub i32 0, %yi
  store i32 %n, ptr %out
  ret void
}

; x + 5 with nuw is there, but it may be poison where this x + 5 wraps.
; CHECK-LABEL: define ptx_kernel void @flagged_source(
; CHECK: [[A:%.*]] = add i32 %x, 5
; CHECK: store i32 [[A]], ptr %out
; CHECK-NEXT: ret void
define ptx_kernel void @flagged_source(ptr noundef %out, i32 noundef %x, i32 noundef %n) {
  %a = add nuw i32 %x, 5
  %c = icmp ult i32 %a, %n
  %v = select i1 %c, i32 7, i32 9
  store i32 %v, ptr %out
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %j = add i32 %i, 5
  store i32 %j, ptr %out
  ret void
}

; Bytes of either sign.
; CHECK-LABEL: define ptx_kernel void @narrow_leaf(
; CHECK-NOT: {{div|rem}}
; CHECK-DAG: sext i8
; CHECK-DAG: zext i8
; CHECK: ret void
define ptx_kernel void @narrow_leaf(ptr noundef %out, i32 noundef %x) {
  %b = trunc i32 %x to i8
  %s = sext i8 %b to i32
  %q = sdiv i32 %s, 75
  %r = srem i32 %s, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  store i32 %i, ptr %out
  %u = zext i8 %b to i32
  %uq = udiv i32 %u, 75
  %ur = urem i32 %u, 75
  %uq75 = mul i32 %uq, 75
  %j = add i32 %uq75, %ur
  %o = getelementptr i8, ptr %out, i64 4
  store i32 %j, ptr %o
  ret void
}

; Both readings of one word in a wider one.
; CHECK-LABEL: define ptx_kernel void @two_readings(
; CHECK-NOT: {{div|rem}}
; CHECK-DAG: zext i32 %x
; CHECK-DAG: sext i32 %x
; CHECK: store
define ptx_kernel void @two_readings(ptr noundef %out, i32 noundef %x) {
  %s = sext i32 %x to i64
  %z = zext i32 %x to i64
  %q = udiv i64 %z, 75
  %r = urem i64 %z, 75
  %q75 = mul i64 %q, 75
  %i = add i64 %q75, %r
  %j = add i64 %i, %s
  store i64 %j, ptr %out
  ret void
}

; The low half of a wide value is not the value.
; CHECK-LABEL: define ptx_kernel void @low_half(
; CHECK-NOT: {{udiv|urem}}
; CHECK-NOT: store i64 %x
; CHECK: store
define ptx_kernel void @low_half(ptr noundef %out, i64 noundef %x) {
  %m = and i64 %x, 4294967295
  %q = udiv i64 %m, 75
  %r = urem i64 %m, 75
  %q75 = mul i64 %q, 75
  %i = add i64 %q75, %r
  store i64 %i, ptr %out
  ret void
}

; A negative 32-bit value of the source, needed in 64 bits.
; CHECK-LABEL: define ptx_kernel void @wide_source(
; CHECK-NOT: {{div|rem}}
; CHECK: sext i32 %s to i64
; CHECK: ret void
define ptx_kernel void @wide_source(ptr noundef %out, i32 noundef range(i32 -1000, 1000) %x) {
  %s = sub nsw i32 %x, 5
  store i32 %s, ptr %out
  %w = sext i32 %s to i64
  %m = mul nsw i64 %w, 75
  %q = sdiv i64 %m, 75
  %o = getelementptr i8, ptr %out, i64 8
  store i64 %q, ptr %o
  ret void
}

; The operands of a minimum come back.
; CHECK-LABEL: define ptx_kernel void @minimum(
; CHECK: call i32 @llvm.smin.i32(i32 {{%x, i32 %y|%y, i32 %x}})
; CHECK-NEXT: store
define ptx_kernel void @minimum(ptr noundef %out, i32 noundef range(i32 0, 1000) %x, i32 noundef range(i32 0, 1000) %y) {
  %m = call i32 @llvm.smin.i32(i32 %x, i32 %y)
  %m75 = mul nuw nsw i32 %m, 75
  %t = and i32 %x, 63
  %i = add nuw nsw i32 %m75, %t
  %q = udiv i32 %i, 75
  store i32 %q, ptr %out
  ret void
}

; 2*(3*x + 2*y) + 5.
; CHECK-LABEL: define ptx_kernel void @factored(
; CHECK: store
define ptx_kernel void @factored(ptr noundef %out, i32 noundef range(i32 0, 1000) %x, i32 noundef range(i32 0, 1000) %y) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %x2 = add i32 %q75, %r
  %x6 = mul i32 %x2, 6
  %y4 = mul i32 %y, 4
  %s = add i32 %x6, %y4
  %s5 = add i32 %s, 5
  store i32 %s5, ptr %out
  ret void
}

; 2*(3*x + 2*y) fits the unsigned word, but not the signed one.
; CHECK-LABEL: define ptx_kernel void @factored_unsigned(
; CHECK: shl nuw i32 %{{.*}}, 1
; CHECK-NEXT: store
define ptx_kernel void @factored_unsigned(ptr noundef %out, i32 noundef range(i32 0, 400000000) %x, i32 noundef range(i32 0, 400000000) %y) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %x2 = add i32 %q75, %r
  %x6 = mul i32 %x2, 6
  %y4 = mul i32 %y, 4
  %s = add i32 %x6, %y4
  store i32 %s, ptr %out
  ret void
}

; The alignment of a stored pointer is not that of the place it is stored to.
; CHECK-LABEL: define ptx_kernel void @stored_pointer(
; CHECK: store ptr {{.*}}, ptr %slot, align 8
define ptx_kernel void @stored_pointer(ptr noundef align 16 %out, ptr noundef %slot, i32 noundef range(i32 0, 1000) %x) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %z = zext i32 %i to i64
  %p = getelementptr inbounds i128, ptr %out, i64 %z
  store ptr %p, ptr %slot, align 8
  ret void
}

; The comparison of an assumption stays, also if a branch asks for it as well.
; CHECK-LABEL: define ptx_kernel void @assumed(
; CHECK: call void @llvm.assume(i1 %c)
; CHECK: ret void
define ptx_kernel void @assumed(ptr noundef %out, i32 noundef %x) {
  %c = icmp ult i32 %x, 75
  call void @llvm.assume(i1 %c)
  br i1 %c, label %then, label %done
then:
  store i32 7, ptr %out
  br label %done
done:
  ret void
}

; asm goto: there is no one place behind it for a freeze.
; CHECK-LABEL: define ptx_kernel void @jumping(
; CHECK: urem i32 %v, 75
; CHECK: ret void
define ptx_kernel void @jumping(ptr noundef %out) {
entry:
  %v = callbr i32 asm sideeffect "mov.u32 $0, 5;", "=r,!i"()
          to label %then [label %done]
then:
  %q = udiv i32 %v, 75
  %r = urem i32 %v, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  store i32 %i, ptr %out
  br label %done
done:
  ret void
}
