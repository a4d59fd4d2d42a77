; What is no expression is no marker, and left alone.

; RUN: %unravel-opt -passes='index-facts,index-facts<state>,verify,index-facts<forget>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare ptr @unravel.exact.signed(...) nounwind willreturn memory(none)
declare ptr @unravel.exact.unsigned(...) nounwind willreturn memory(none)
declare ptr @unravel.holds(...) nounwind willreturn memory(none)

; CHECK-LABEL: define ptx_kernel void @malformed_negative(
; CHECK-COUNT-7: call void @llvm.assume(i1 %{{.}})
; CHECK-NOT: assume
; CHECK: ret void
define ptx_kernel void @malformed_negative(i32 noundef %a, i16 noundef %s) {
  %1 = call ptr (...) @unravel.holds()
  %t = icmp eq ptr %1, @unravel.holds
  call void @llvm.assume(i1 %t)
  %2 = call ptr (...) @unravel.holds(i8 38, i8 42, i32 %a)
  %u = icmp eq ptr %2, @unravel.holds
  call void @llvm.assume(i1 %u)
  %3 = call ptr (...) @unravel.exact.signed(i8 47, i32 %a, i32 %a)
  %v = icmp eq ptr %3, @unravel.exact.signed
  call void @llvm.assume(i1 %v)
  %4 = call ptr (...) @unravel.exact.signed(i8 42, i16 %s, i16 %s)
  %w = icmp eq ptr %4, @unravel.exact.signed
  call void @llvm.assume(i1 %w)
  %5 = call ptr (...) @unravel.holds(i8 38, i8 47, i32 %a, i32 0, i32 %a)
  %x = icmp eq ptr %5, @unravel.holds
  call void @llvm.assume(i1 %x)
  %6 = call ptr (...) @unravel.holds(i8 99, i32 %a, i32 %a)
  %y = icmp eq ptr %6, @unravel.holds
  call void @llvm.assume(i1 %y)
  %7 = call ptr (...) @unravel.exact.signed(i8 42, i32 %a, i64 7)
  %z = icmp eq ptr %7, @unravel.exact.signed
  call void @llvm.assume(i1 %z)
  ret void
}
