; Functions that get no second body, whatever it would gain; they are what
; index-simplify alone makes of them.

; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.plain.ll
; RUN: diff %t.plain.ll %t.ll
; RUN: sed s/nvptx64-nvidia-cuda/x86_64-linux-gnu/ %s > %t.host.ll
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=always -S %t.host.ll | FileCheck %s

; CHECK-NOT: {{^fast:}}

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; No kernel: its arguments may differ between threads.
define void @device_function(ptr noundef %out, i32 noundef %x, i32 noundef %w) {
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  ret void
}

; No launch makes -255 positive.
define ptx_kernel void @negative_constant(ptr noundef %out, i32 noundef range(i32 1, 1000) %w) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = mul i32 %t, %w
  %y = mul i32 %x, -255
  %q = sdiv i32 %y, 7
  store i32 %q, ptr %out
  ret void
}

define ptx_kernel void @optsize(ptr noundef %out, i32 noundef %x, i32 noundef %w) optsize {
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  ret void
}

define ptx_kernel void @minsize(ptr noundef %out, i32 noundef %x, i32 noundef %w) minsize {
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  ret void
}

define ptx_kernel void @optnone(ptr noundef %out, i32 noundef %x, i32 noundef %w) noinline optnone {
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  ret void
}

define ptx_kernel void @has_two_bodies_already(ptr noundef %out, i32 noundef %x, i32 noundef %w) "unravel-versioned" {
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  ret void
}

declare void @once() noduplicate
define ptx_kernel void @call_that_must_stay_one(ptr noundef %out, i32 noundef %x, i32 noundef %w) {
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  call void @once()
  ret void
}

; ptxas knows a name once.
define ptx_kernel void @assembly_with_label(ptr noundef %out, i32 noundef %x, i32 noundef %w) {
  call void asm sideeffect "bra SKIP;\0ASKIP:", ""()
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  ret void
}

define ptx_kernel void @assembly_with_register(ptr noundef %out, i32 noundef %x, i32 noundef %w) {
  %y = call i32 asm ".reg .b32 t; mov.b32 t, $1; mov.b32 $0, t;", "=r,r"(i32 %x)
  %q = sdiv i32 %y, %w
  store i32 %q, ptr %out
  ret void
}

; What has to be in the entry block of the function.
declare token @llvm.experimental.convergence.entry() convergent
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
define ptx_kernel void @convergence_entry(ptr noundef %out, i32 noundef %x, i32 noundef %w) convergent {
  %token = call token @llvm.experimental.convergence.entry()
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) [ "convergencectrl"(token %token) ]
  ret void
}

declare void @llvm.localescape(...)
define ptx_kernel void @escaped(ptr noundef %out, i32 noundef %x, i32 noundef %w) {
  %a = alloca i32
  call void (...) @llvm.localescape(ptr %a)
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  ret void
}

; Memory whose size is computed belongs to one body.
define ptx_kernel void @dynamic_alloca(ptr noundef %out, i32 noundef %x, i32 noundef %w) {
  %q = sdiv i32 %x, %w
  %a = alloca i32, i32 %q
  store i32 %q, ptr %a
  %v = load volatile i32, ptr %a
  store i32 %v, ptr %out
  ret void
}

define ptx_kernel void @no_division(ptr noundef %out, i32 noundef %x, i32 noundef %w) {
  %q = mul i32 %x, %w
  store i32 %q, ptr %out
  ret void
}

; Everything is known.
define ptx_kernel void @nothing_missing(ptr noundef %out, i16 noundef %w) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w32 = zext i16 %w to i32
  %q = sdiv i32 %t, %w32
  store i32 %q, ptr %out
  ret void
}

; Nothing uniform would help: the size is loaded, the index as well.
define ptx_kernel void @nothing_uniform(ptr noundef %out, ptr noundef %in) {
  %x = load i32, ptr %in
  %pw = getelementptr i32, ptr %in, i64 1
  %w = load i32, ptr %pw
  %q = sdiv i32 %x, %w
  store i32 %q, ptr %out
  ret void
}

; A bound that no launch can keep is no test.
define ptx_kernel void @hopeless(ptr noundef %out, ptr noundef %in) {
  %v = load i32, ptr %in
  %half = lshr i32 %v, 1
  %twice = shl i32 %half, 2
  %q = sdiv i32 %twice, 7
  store i32 %q, ptr %out
  ret void
}

; Simplification alone removes every division.
define ptx_kernel void @nothing_left(ptr noundef %out, i32 noundef %x, i32 noundef %w) {
  %q = sdiv i32 %x, %w
  %r = srem i32 %x, %w
  %m = mul i32 %q, %w
  %s = add i32 %m, %r
  %e = sext i32 %s to i64
  %p = getelementptr i32, ptr %out, i64 %e
  store i32 1, ptr %p
  ret void
}
