; The other side of before.ll.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The quotient's multiplier is right up to 130.
define ptx_kernel void @transpose(ptr readonly %in, ptr %out, i32 %n) memory(argmem: readwrite) {
  %i = call i32 @global_id()
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %store, label %done
store:
  %scaled = mul i32 %i, 43
  %row = lshr i32 %scaled, 9
  %column = urem i32 %i, 12
  %major = mul i32 %column, 12
  %to = add i32 %major, %row
  %value.at = getelementptr float, ptr %in, i32 %i
  %value = load float, ptr %value.at
  %out.at = getelementptr float, ptr %out, i32 %to
  store float %value, ptr %out.at
  br label %done
done:
  ret void
}

define ptx_kernel void @transpose_ideal(ptr readonly %in, ptr %out, i32 %n) {
  call void @transpose(ptr %in, ptr %out, i32 %n)
  ret void
}

define ptx_kernel void @transpose_wrong(ptr readonly %in, ptr %out, i32 %n) {
  %m = sub i32 %n, 1
  call void @transpose(ptr %in, ptr %out, i32 %m)
  ret void
}

; Threads one after the other, in order.
define ptx_kernel void @ids(ptr %counter, ptr %out) {
  %t = atomicrmw add ptr %counter, i32 1 monotonic
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %at
  ret void
}

define ptx_kernel void @lanes(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %t, 31
  %both = shl i32 %lane, 5
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %both, ptr %at
  ret void
}

define internal i32 @global_id() memory(none) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %b, %n
  %i = add i32 %start, %t
  ret i32 %i
}

@expected = internal constant [4 x i64] [i64 23, i64 21, i64 10, i64 12]

define ptx_kernel void @spaces(ptr %out) {
  %i = call i32 @global_id()
  %digit = and i32 %i, 3
  %value.at = getelementptr i64, ptr @expected, i32 %digit
  %value = load i64, ptr %value.at
  %at = getelementptr i64, ptr %out, i32 %i
  store i64 %value, ptr %at
  ret void
}

define ptx_kernel void @integers(ptr %in, ptr %out) {
  %i = call i32 @global_id()
  %in.at = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %in.at
  %wide = zext i32 %x to i64
  %product = mul i64 %wide, 2863311531
  %shifted = lshr i64 %product, 32
  %hi = trunc i64 %shifted to i32
  %narrow = and i32 %x, 16777215
  %low = mul i32 %narrow, 77
  %swapped = call i32 @llvm.bswap.i32(i32 %x)
  %clz = call i32 @llvm.ctlz.i32(i32 %x, i1 false)
  %a = xor i32 %hi, %low
  %b = xor i32 %a, %swapped
  %c = xor i32 %b, %clz
  %out.at = getelementptr i32, ptr %out, i32 %i
  store i32 %c, ptr %out.at
  ret void
}

define ptx_kernel void @reals(ptr %in, ptr %half, ptr %out) {
  %i = call i32 @global_id()
  %in.at = getelementptr float, ptr %in, i32 %i
  %x = load float, ptr %in.at
  %e = call float @llvm.exp2.f32(float %x)
  %r = fdiv float 1.0, %e
  %half.at = getelementptr half, ptr %half, i32 %i
  %h = load half, ptr %half.at
  %hh = fmul half %h, %h
  %y = fpext half %hh to float
  %z = fmul float %r, %y
  br label %next
next:
  %s = fadd float %x, %z
  %out.at = getelementptr float, ptr %out, i32 %i
  store float %s, ptr %out.at
  ret void
}

define ptx_kernel void @nans(ptr %out) {
  store float 0xFFF8000020000000, ptr %out
  ret void
}

; One element late.
define ptx_kernel void @spill(ptr %out) {
  %i = call i32 @global_id()
  %late = add i32 %i, 1
  %at = getelementptr i32, ptr %out, i32 %late
  store i32 7, ptr %at
  ret void
}

; Far away, in the 70th thread only.
define ptx_kernel void @wild(ptr %out, i32 %n) {
  %i = call i32 @global_id()
  %is.it = icmp eq i32 %i, 69
  %wide = zext i32 %i to i64
  %far = select i1 %is.it, i64 -4611686018427387904, i64 %wide
  %at = getelementptr i8, ptr %out, i64 %far
  %near = getelementptr i32, ptr %out, i64 %wide
  %to = select i1 %is.it, ptr %at, ptr %near
  store i32 %n, ptr %to
  ret void
}

; In the last thread.
define void @trapped(ptr %out) {
  %i = call i32 @global_id()
  %last = icmp eq i32 %i, 7
  br i1 %last, label %stop, label %go
stop:
  call void @llvm.trap()
  unreachable
go:
  %at = getelementptr i32, ptr %out, i32 %i
  store i32 7, ptr %at
  ret void
}

define ptx_kernel void @bounded(ptr align 16 %out) "nvvm.maxntid"="128" {
  store i32 7, ptr %out
  ret void
}

define ptx_kernel void @fixed(ptr %out) "nvvm.reqntid"="8,4" {
  store i32 7, ptr %out
  ret void
}
