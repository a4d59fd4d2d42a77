; Only NVPTX modules are touched: clang loads the plugin for the host as well.

; RUN: opt -S %s -o %t.before.ll
; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.after.ll
; RUN: diff %t.before.ll %t.after.ll

target triple = "x86_64-unknown-linux-gnu"

define void @host(ptr %out, i32 noundef %any) {
  %x = and i32 %any, 1023
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %q75 = mul i32 %q, 75
  %i = add i32 %q75, %r
  %e = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %e
  store i32 7, ptr %p
  ret void
}
