; Functions before a transformation.
; See ../selftest.py. Function by function the same names as in the other files.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; 76 * (x / 75) + x % 75 is x + x / 75, not x.
define void @another_divisor(ptr %out, i32 noundef %x) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %m = mul i32 %q, 76
  %i = add i32 %m, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p, align 4
  ret void
}

; floor(floor(x / 75) / 40).
define void @nested_quotient(ptr %out, i32 noundef %x) {
  %a = udiv i32 %x, 75
  %i = udiv i32 %a, 40
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p, align 4
  ret void
}

; A division by a variable stays behind its guard.
define void @dropped_guard(i32 noundef %x, i32 noundef %w, ptr %out) {
  %safe = icmp ne i32 %w, 0
  br i1 %safe, label %write, label %done
write:
  %i = udiv i32 %x, %w
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p, align 4
  br label %done
done:
  ret void
}

; A flag that nothing proves.
define void @nsw_added(i32 noundef %x, ptr %out) {
  %y = add i32 %x, 5
  store i32 %y, ptr %out, align 4
  ret void
}

; tid.x < 1024 proves nuw, not nsw.
define void @nuw_from_range(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = mul i32 %t, 4194304
  store i32 %y, ptr %out, align 4
  ret void
}

; 128 threads: the last one wraps around.
define void @launch_bound(ptr %out) "nvvm.maxntid"="128" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = urem i32 %t, 127
  store i32 %y, ptr %out, align 4
  ret void
}

; A branch on poison.
define void @freeze_lost(i32 noundef %a, ptr %out) {
  %n = add nsw i32 %a, 1
  %f = freeze i32 %n
  %c = icmp slt i32 %f, 3
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out, align 4
  br label %done
done:
  ret void
}

; Two freezes of poison are two values.
define void @freeze_twice(i32 %a, ptr %out) {
  %f = freeze i32 %a
  %y = sub i32 %f, %f
  store i32 %y, ptr %out, align 4
  ret void
}

; A quotient has to be taken before bits are dropped.
define void @trunc_moved(i32 noundef %x, ptr %out) {
  %y = udiv i32 %x, 75
  %z = trunc i32 %y to i16
  store i16 %z, ptr %out, align 2
  ret void
}

; x may be negative.
define void @sign_mixed_up(i32 noundef %x, ptr %out) {
  %y = sdiv i32 %x, 12
  store i32 %y, ptr %out, align 4
  ret void
}

; Towards zero, not down.
define void @shift_for_division(i32 noundef %x, ptr %out) {
  %y = sdiv i32 %x, 4
  store i32 %y, ptr %out, align 4
  ret void
}

; The narrow sum may wrap.
define void @extension_mixed_up(i32 noundef %x, ptr %out) {
  %y = add i32 %x, 12
  %e = sext i32 %y to i64
  store i64 %e, ptr %out, align 8
  ret void
}

; (12 x) % 12 is 0 only where 12 x does not wrap.
define void @wrap_cancelled(i32 noundef %x, ptr %out) {
  %y = mul i32 %x, 12
  %z = urem i32 %y, 12
  store i32 %z, ptr %out, align 4
  ret void
}

; Poison may be computed early but not decide a branch.
define void @poison_branch(i32 noundef %x, i32 noundef %s, ptr %out) {
  %far = icmp ugt i32 %s, 31
  br i1 %far, label %done, label %near
near:
  %y = shl i32 %x, %s
  %c = icmp eq i32 %y, 0
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out, align 4
  br label %done
done:
  ret void
}

; An access through poison.
define void @poison_address(i32 noundef %x, ptr %out) {
  %y = add i32 %x, 1
  %e = zext i32 %y to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 7, ptr %p, align 4
  ret void
}

; The pointer may begin outside of its object.
define void @inbounds_added(i64 noundef %x, ptr %out) {
  %p = getelementptr i32, ptr %out, i64 %x
  store i32 7, ptr %p, align 4
  ret void
}

; The sum is in bounds, its parts may not be.
define void @inbounds_split(i32 noundef %x, i32 noundef %y, ptr %out) {
  %s = add nsw i32 %x, %y
  %e = sext i32 %s to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p, align 4
  ret void
}

; Parts that are not negative stay in bounds.
define void @inbounds_split_unsigned(i32 noundef %x, i32 noundef %y, ptr %out) {
  %s = add nuw i32 %x, %y
  %e = zext i32 %s to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p, align 4
  ret void
}

; The right address of the wrong object.
define void @another_object(ptr %a, ptr %b, i64 noundef %x) {
  %p = getelementptr i32, ptr %a, i64 %x
  store i32 7, ptr %p, align 4
  ret void
}

; One bit may be in both.
define void @disjoint_added(i32 noundef %x, i32 noundef %y, ptr %out) {
  %a = shl i32 %x, 4
  %b = and i32 %y, 31
  %s = or i32 %a, %b
  store i32 %s, ptr %out, align 4
  ret void
}

; Without a common bit there is no carry.
define void @disjoint_is_a_sum(i32 noundef %x, i32 noundef %y, ptr %out) {
  %a = shl i32 %x, 5
  %b = and i32 %y, 31
  %s = or i32 %a, %b
  store i32 %s, ptr %out, align 4
  ret void
}

; An assumption has to hold.
define void @assumption_invented(i32 noundef %x, ptr %out) {
  store i32 %x, ptr %out, align 4
  ret void
}

; A remainder below its divisor, not the quotient.
define void @assumption_used(i32 noundef %x, ptr %out) {
  %c = icmp ult i32 %x, 100
  call void @llvm.assume(i1 %c)
  %y = urem i32 %x, 100
  store i32 %y, ptr %out, align 4
  ret void
}

; What holds behind a call that may not return is unknown before it.
define void @fact_from_later(i32 noundef %x, ptr %out) {
  store volatile i32 %x, ptr %out, align 4
  call void @may_stop()
  %c = icmp ult i32 %x, 100
  call void @llvm.assume(i1 %c)
  store i32 %x, ptr %out, align 4
  ret void
}

; x / 75 < 40 is x < 3000.
define void @comparison_strict(i32 noundef %x, ptr %out) {
  %q = udiv i32 %x, 75
  %c = icmp ult i32 %q, 40
  br i1 %c, label %write, label %done
write:
  store i32 7, ptr %out, align 4
  br label %done
done:
  ret void
}

; The factor has to be rounded up.
define void @magic_number(i32 noundef %x, ptr %out) {
  %c = icmp ult i32 %x, 60000
  call void @llvm.assume(i1 %c)
  %q = udiv i32 %x, 75
  store i32 %q, ptr %out, align 4
  ret void
}

; Another first iteration.
define void @loop_count(ptr %out) {
entry:
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %e = zext i32 %j to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p, align 4
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 75
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Another element is read.
define void @load_moved(ptr %in, ptr %out, i32 noundef %x) {
  %e = zext i32 %x to i64
  %p = getelementptr inbounds i32, ptr %in, i64 %e
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %out, align 4
  ret void
}

; An alignment that nothing proves.
define void @alignment_raised(ptr %out) {
  store i32 7, ptr %out, align 4
  ret void
}

; INT_MIN / -1 is undefined even if it is unused.
define i32 @least_by_minus_one(i32 noundef %x, i32 noundef %y) {
  %z = icmp eq i32 %y, 0
  %d = select i1 %z, i32 1, i32 %y
  %w = udiv i32 %x, %d
  ret i32 %w
}

; Each use of undef may be another value: the sum may be odd.
define void @undef_used_twice(i32 %a, ptr %out) {
  %y = shl i32 %a, 1
  store i32 %y, ptr %out, align 4
  ret void
}

; What is frozen is another value than the next use of the same undef.
define void @frozen_and_not(i32 %a, ptr %out) {
  %f = freeze i32 %a
  %y = sub i32 %f, %f
  store i32 %y, ptr %out, align 4
  ret void
}

; A load from memory that was never written.
define void @undef_load(ptr %in, ptr %out) {
  %v = load i32, ptr %in, align 4
  %y = and i32 %v, -2
  store i32 %y, ptr %out, align 4
  ret void
}

; The negative multiple is subtracted.
define void @undef_address(i32 %a, ptr %out) {
  %y = and i32 %a, 1023
  %e = zext i32 %y to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p, align 4
  ret void
}

declare void @may_stop()

; The sign bit of an absolute value.
declare float @llvm.fabs.f32(float)
define i1 @sign_of_absolute(float noundef %x) {
  %f = call float @llvm.fabs.f32(float %x)
  %y = bitcast float %f to i32
  %s = icmp sgt i32 %y, -1
  ret i1 %s
}

; What an unknown function returns is free.
declare i32 @unknown(i32) nounwind willreturn memory(none)
define i32 @call_of_unknown(i32 noundef %x) {
  %y = add i32 %x, 1
  %r = call i32 @unknown(i32 %y)
  ret i32 %r
}
