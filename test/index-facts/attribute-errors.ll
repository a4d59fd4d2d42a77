; Attributes that are malformed, impossible or contradictory: the compilation fails.

; RUN: split-file %s %t
; DEFINE: %{name} =
; DEFINE: %{refused} = not %unravel-opt -mtriple=nvptx64-nvidia-cuda -passes=index-facts -disable-output %t/%{name}.ll 2>&1 | FileCheck %s --check-prefix=%{name}
; REDEFINE: %{name} = text
; RUN: %{refused}
; REDEFINE: %{name} = four
; RUN: %{refused}
; REDEFINE: %{name} = huge
; RUN: %{refused}
; REDEFINE: %{name} = none
; RUN: %{refused}
; REDEFINE: %{name} = many
; RUN: %{refused}
; REDEFINE: %{name} = required
; RUN: %{refused}
; REDEFINE: %{name} = bounds
; RUN: %{refused}
; REDEFINE: %{name} = number
; RUN: %{refused}
; REDEFINE: %{name} = beyond
; RUN: %{refused}
; REDEFINE: %{name} = pointer
; RUN: %{refused}
; REDEFINE: %{name} = word
; RUN: %{refused}
; REDEFINE: %{name} = wide
; RUN: %{refused}
; REDEFINE: %{name} = empty
; RUN: %{refused}
; REDEFINE: %{name} = multiple
; RUN: %{refused}
; REDEFINE: %{name} = zero
; RUN: %{refused}
; RUN: %unravel-opt -mtriple=nvptx64-nvidia-cuda -passes=index-facts -disable-output %t/negative.ll

;--- text.ll
; text: error: text: "unravel.grid"="469,many": not up to three sizes such as 469,..8,*
define ptx_kernel void @text() "unravel.grid"="469,many" {
  ret void
}

;--- four.ll
; four: error: four: "unravel.block"="1,1,1,1": not up to three sizes
define ptx_kernel void @four() "unravel.block"="1,1,1,1" {
  ret void
}

;--- huge.ll
; huge: error: huge: "unravel.grid"="1,65536,1": grid.y = 65536, but GPUs take 1 to 65535
define ptx_kernel void @huge() "unravel.grid"="1,65536,1" {
  ret void
}

;--- none.ll
; none: error: none: "unravel.grid"="0": grid.x = 0, but GPUs take 1 to 2147483647
define ptx_kernel void @none() "unravel.grid"="0" {
  ret void
}

;--- many.ll
; many: error: many: "unravel.block"="64,64": a block of 4096 threads, but GPUs take up to 1024
define ptx_kernel void @many() "unravel.block"="64,64" {
  ret void
}

;--- required.ll
; required: error: required: "unravel.block"="64,1": block.y = 1 contradicts "nvvm.reqntid"="64,2"
define ptx_kernel void @required() "unravel.block"="64,1" "nvvm.reqntid"="64,2" {
  ret void
}

;--- bounds.ll
; bounds: error: bounds: "unravel.block"="512": a block of 512 threads contradicts __launch_bounds__(256)
define ptx_kernel void @bounds() "unravel.block"="512" "nvvm.maxntid"="256" {
  ret void
}

;--- number.ll
; number: error: number: "unravel.arg.n"="min=1": no argument number behind unravel.arg.
define ptx_kernel void @number(i32 %n) "unravel.arg.n"="min=1" {
  ret void
}

;--- beyond.ll
; beyond: error: beyond: "unravel.arg.1"="min=1": there is no argument 1: the kernel has 1, counted from 0
define ptx_kernel void @beyond(i32 %n) "unravel.arg.1"="min=1" {
  ret void
}

;--- pointer.ll
; pointer: error: pointer: "unravel.arg.0"="min=1": argument 0 is not an integer
define ptx_kernel void @pointer(ptr %p) "unravel.arg.0"="min=1" {
  ret void
}

;--- word.ll
; word: error: word: "unravel.arg.0"="size=1": not a list such as min=1,max=4096,multiple_of=4
define ptx_kernel void @word(i32 %n) "unravel.arg.0"="size=1" {
  ret void
}

;--- wide.ll
; wide: error: wide: "unravel.arg.0"="max=2147483648": 2147483648 does not fit a signed integer of 32 bits
define ptx_kernel void @wide(i32 %n) "unravel.arg.0"="max=2147483648" {
  ret void
}

;--- empty.ll
; empty: error: empty: "unravel.arg.0"="min=2,max=1": min = 2 is above max = 1
define ptx_kernel void @empty(i32 %n) "unravel.arg.0"="min=2,max=1" {
  ret void
}

;--- multiple.ll
; multiple: error: multiple: "unravel.arg.0"="min=65,max=127,multiple_of=64": no multiple of 64 from min = 65 to max = 127
define ptx_kernel void @multiple(i32 %n) "unravel.arg.0"="min=65,max=127,multiple_of=64" {
  ret void
}

;--- zero.ll
; zero: error: zero: "unravel.arg.0"="multiple_of=0": multiple_of = 0; give a positive number
define ptx_kernel void @zero(i32 %n) "unravel.arg.0"="multiple_of=0" {
  ret void
}

;--- negative.ll
; The extremes of 64 bits are in range.
define ptx_kernel void @extremes_negative(i64 %n, i64 %m) "unravel.arg.0"="min=-9223372036854775808,max=-9223372036854775808,multiple_of=2" "unravel.arg.1"="min=9223372036854775807,multiple_of=7" {
  ret void
}
