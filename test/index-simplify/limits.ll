; Each limit of docs/options.md: at the limit the rewrite happens, one below it
; the pass gives up quietly, and says so where more can be had. Large groups are
; only treated in another way.
; DEFINE: %{limit} =
; DEFINE: %{name} =
; DEFINE: %{run} = %unravel-opt -passes=index-simplify,verify -index-simplify-max-%{limit} -S %s -pass-remarks-missed=index-simplify 2>&1 | FileCheck --check-prefix=%{name} %s

; REDEFINE: %{limit} = terms=3
; REDEFINE: %{name} = TERMS
; RUN: %{run}
; REDEFINE: %{limit} = terms=2
; REDEFINE: %{name} = TERMS-LESS
; RUN: %{run}
; REDEFINE: %{limit} = depth=2
; REDEFINE: %{name} = DEPTH
; RUN: %{run}
; REDEFINE: %{limit} = depth=1
; REDEFINE: %{name} = DEPTH-LESS
; RUN: %{run}
; REDEFINE: %{limit} = guards=2
; REDEFINE: %{name} = GUARDS
; RUN: %{run}
; REDEFINE: %{limit} = guards=1
; REDEFINE: %{name} = GUARDS-LESS
; RUN: %{run}
; REDEFINE: %{limit} = constraints=2
; REDEFINE: %{name} = CONSTRAINTS
; RUN: %{run}
; REDEFINE: %{limit} = constraints=1
; REDEFINE: %{name} = CONSTRAINTS-LESS
; RUN: %{run}
; REDEFINE: %{limit} = pointer-chain=3
; REDEFINE: %{name} = POINTER-CHAIN
; RUN: %{run}
; REDEFINE: %{limit} = pointer-chain=2
; REDEFINE: %{name} = POINTER-CHAIN-LESS
; RUN: %{run}
; REDEFINE: %{limit} = alternatives=2
; REDEFINE: %{name} = ALTERNATIVES
; RUN: %{run}
; REDEFINE: %{limit} = alternatives=1
; REDEFINE: %{name} = ALTERNATIVES-LESS
; RUN: %{run}
; REDEFINE: %{limit} = group=2
; REDEFINE: %{name} = GROUP
; RUN: %{run}
; REDEFINE: %{limit} = group=1
; REDEFINE: %{name} = GROUP-LESS
; RUN: %{run}
; REDEFINE: %{limit} = values=1
; REDEFINE: %{name} = VALUES
; RUN: %{run}
; REDEFINE: %{limit} = values=0
; REDEFINE: %{name} = VALUES-LESS
; RUN: %{run}
; REDEFINE: %{limit} = rounds=1
; REDEFINE: %{name} = VALUES
; RUN: %{run}
; REDEFINE: %{limit} = rounds=0
; REDEFINE: %{name} = VALUES-LESS
; RUN: %{run}

; What lies beyond the limits is only refused if it makes no sense.
; RUN: not %unravel-opt -passes=index-simplify -index-simplify-max-terms=0 -disable-output %s 2>&1 | FileCheck --check-prefix=RANGE %s
; RANGE: for the --index-simplify-max-terms option: '0' is not in [1, 65536]
; RUN: not %unravel-opt -passes=index-simplify -index-simplify-max-depth=65 -disable-output %s 2>&1 | FileCheck --check-prefix=STACK %s
; STACK: for the --index-simplify-max-depth option: '65' is not in [0, 64]

; RUN: %unravel-opt -passes=index-simplify -index-simplify-max-guards=1 -index-simplify-max-values=0 -disable-output %s -pass-remarks-missed=index-simplify 2>&1 | FileCheck --check-prefix=REMARKS %s
; REMARKS-DAG: not all of this function is simplified: it has so many guards that its values were looked at more often per instruction than 0. To try more: -Xarch_device -mllvm=-index-simplify-max-values=1
; REMARKS-DAG: guards in this function are not used where they are nested deeper than 1. To try more: -Xarch_device -mllvm=-index-simplify-max-guards=3

; The printers know the limits of what they print.
; RUN: %unravel-opt -passes='print<indexing-maps>' -index-simplify-max-guards=1 -disable-output %s 2>&1 | FileCheck --check-prefix=MAPS %s
; MAPS-LABEL: Indexing maps of guards:
; MAPS: domain: {{.*}} in [0, 2147483647]

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; a + b + c, of which a is taken apart.
; TERMS-LABEL: @terms(
; TERMS-NOT: {{div|rem|mulhi}}
; TERMS: store
; TERMS-LESS-LABEL: @terms(
; TERMS-LESS: urem i32 %a, 75
define ptx_kernel void @terms(ptr %out, i16 zeroext %a16, i16 zeroext %b16, i16 zeroext %c16) {
  %a = zext i16 %a16 to i32
  %b = zext i16 %b16 to i32
  %c = zext i16 %c16 to i32
  %q = udiv i32 %a, 75
  %r = urem i32 %a, 75
  %q75 = mul nuw nsw i32 %q, 75
  %i1 = add nuw nsw i32 %q75, %b
  %i2 = add nuw nsw i32 %i1, %c
  %i3 = add nuw nsw i32 %i2, %r
  %e = zext nneg i32 %i3 to i64
  %p = getelementptr i8, ptr %out, i64 %e
  store i8 7, ptr %p
  ret void
}

; (a/3 + b)/5 is what is taken apart.
; DEPTH-LABEL: @depth(
; DEPTH-NOT: urem
; DEPTH: call i32 @llvm.nvvm.mulhi.ui
; DEPTH: store
; DEPTH-LESS-LABEL: @depth(
; DEPTH-LESS: urem i32 %u, 75
define ptx_kernel void @depth(ptr %out, i16 zeroext %a16, i16 zeroext %b16) {
  %a = zext i16 %a16 to i32
  %b = zext i16 %b16 to i32
  %t = udiv i32 %a, 3
  %s = add nuw nsw i32 %t, %b
  %u = udiv i32 %s, 5
  %q = udiv i32 %u, 75
  %r = urem i32 %u, 75
  %q75 = mul nuw nsw i32 %q, 75
  %i = add nuw nsw i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr i8, ptr %out, i64 %e
  store i8 7, ptr %p
  ret void
}

; Both guards are needed for 0 <= x < 75.
; GUARDS-LABEL: @guards(
; GUARDS-NOT: {{div|rem}}
; GUARDS: ret void
; GUARDS-LESS-LABEL: @guards(
; GUARDS-LESS: udiv i32 %x.fr, 75
define ptx_kernel void @guards(ptr %out, i32 %x) {
entry:
  %low = icmp sgt i32 %x, -1
  br i1 %low, label %inner, label %done
inner:
  %high = icmp slt i32 %x, 75
  br i1 %high, label %body, label %done
body:
  %r = srem i32 %x, 75
  %e = sext i32 %r to i64
  %p = getelementptr i8, ptr %out, i64 %e
  store i8 7, ptr %p
  br label %done
done:
  ret void
}

; x < n, behind which y < m is known as well.
; CONSTRAINTS-LABEL: @constraints(
; CONSTRAINTS: store i1 true
; CONSTRAINTS-LESS-LABEL: @constraints(
; CONSTRAINTS-LESS: store i1 %idx.cmp
define ptx_kernel void @constraints(ptr %out, i16 zeroext %x, i16 zeroext %n, i16 zeroext %y, i16 zeroext %m) {
entry:
  %c = icmp ult i16 %x, %n
  br i1 %c, label %inner, label %done
inner:
  %d = icmp ult i16 %y, %m
  br i1 %d, label %body, label %done
body:
  %xw = zext i16 %x to i32
  %nw = zext i16 %n to i32
  %room = sub nsw i32 %xw, %nw
  %f = icmp slt i32 %room, 0
  store i1 %f, ptr %out
  br label %done
done:
  ret void
}

; POINTER-CHAIN-LABEL: @pointer_chain(
; POINTER-CHAIN-NOT: {{div|rem|mulhi}}
; POINTER-CHAIN: store
; POINTER-CHAIN-LESS-LABEL: @pointer_chain(
; POINTER-CHAIN-LESS: urem i32 %a, 75
define ptx_kernel void @pointer_chain(ptr %out, i32 %a) {
  %q = udiv i32 %a, 75
  %r = urem i32 %a, 75
  %q75 = mul nuw i32 %q, 75
  %e = zext i32 %q75 to i64
  %f = zext i32 %r to i64
  %p1 = getelementptr i8, ptr %out, i64 %e
  %p2 = getelementptr i8, ptr %p1, i64 12
  %p3 = getelementptr i8, ptr %p2, i64 %f
  store i8 7, ptr %p3
  ret void
}

; VALUES-LABEL: @values(
; VALUES-NOT: {{div|rem|mulhi}}
; VALUES: store
; VALUES-LESS-LABEL: @values(
; VALUES-LESS: urem i32 %x, 75
define ptx_kernel void @values(ptr %out, i32 %x) {
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul nuw i32 %q, 75
  %i = add nuw i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr i8, ptr %out, i64 %e
  store i8 7, ptr %p
  ret void
}

; x + 4 with its bits masked, after x has been put together again.
; ALTERNATIVES-LABEL: @alternatives(
; ALTERNATIVES: and i32 %idx, 7
; ALTERNATIVES-LESS-LABEL: @alternatives(
; ALTERNATIVES-LESS-NOT: and
; ALTERNATIVES-LESS: lshr i32 %idx, 3
define ptx_kernel void @alternatives(ptr %out, i16 zeroext %x16) {
  %x = zext i16 %x16 to i32
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul nuw nsw i32 %q, 75
  %i = add nuw nsw i32 %q75, %r
  %i4 = add nuw nsw i32 %i, 4
  %d = urem i32 %i4, 8
  %e = zext nneg i32 %d to i64
  %p = getelementptr i8, ptr %out, i64 %e
  store i8 7, ptr %p
  ret void
}

; With both roots replaced nothing is gained for the address: it is left out, in
; a small group for itself, in a larger one with all that lose.
; GROUP-LABEL: @group(
; GROUP: getelementptr inbounds i32, ptr %out, i64 %x64
; GROUP-LESS-LABEL: @group(
; GROUP-LESS: getelementptr inbounds i32, ptr %out, i64 %x64
define ptx_kernel void @group(ptr %out, i32 noundef %x) {
  %x64 = zext i32 %x to i64
  %q = udiv i64 %x64, 75
  %r = urem i64 %x64, 75
  %q75 = mul nuw nsw i64 %q, 75
  %i = add nuw nsw i64 %q75, %r
  %i32 = trunc i64 %i to i32
  %p = getelementptr inbounds i32, ptr %out, i64 %x64
  store i32 %i32, ptr %p
  ret void
}
