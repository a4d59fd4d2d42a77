; Facts that contradict an assumption of the source, which is said as people
; write it, not as LLVM does.

; RUN: split-file %s %t
; DEFINE: %{name} =
; DEFINE: %{refused} = not %unravel-opt -mtriple=nvptx64-nvidia-cuda -passes=index-facts -disable-output %t/%{name}.ll 2>&1 | FileCheck %s --check-prefix=%{name}
; REDEFINE: %{name} = argument
; RUN: %{refused}
; REDEFINE: %{name} = grid
; RUN: %{refused}
; REDEFINE: %{name} = block
; RUN: %{refused}
; REDEFINE: %{name} = between
; RUN: %{refused}
; REDEFINE: %{name} = different
; RUN: %{refused}
; REDEFINE: %{name} = below
; RUN: %{refused}
; RUN: %unravel-opt -mtriple=nvptx64-nvidia-cuda -passes=index-facts -disable-output %t/negative.ll

;--- argument.ll
; argument: error: argument: argument 0: min=1,max=16 contradicts the assumption in the source: n >= 17{{$}}
define ptx_kernel void @argument(i32 noundef %n) "unravel.arg.0"="min=1,max=16" {
  %c = icmp sgt i32 %n, 16
  call void @llvm.assume(i1 %c)
  ret void
}

;--- grid.ll
; grid: error: grid: grid.x = 470 contradicts the assumption in the source: gridDim.x == 469{{$}}
define ptx_kernel void @grid() "unravel.grid"="470" {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %c = icmp eq i32 %g, 469
  call void @llvm.assume(i1 %c)
  ret void
}

;--- block.ll
; block: error: block: block.y = 4 contradicts the assumption in the source: blockDim.y >= 5 as an unsigned number{{$}}
define ptx_kernel void @block() "unravel.block"="*,..4" {
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %c = icmp ugt i32 %g, 4
  call void @llvm.assume(i1 %c)
  ret void
}

;--- between.ll
; between: error: between: argument 0: min=10,max=20 contradicts the assumption in the source: 0 <= w <= 8{{$}}
define ptx_kernel void @between(i32 noundef %w) "unravel.arg.0"="min=10,max=20" {
  %c = icmp ult i32 %w, 9
  call void @llvm.assume(i1 %c)
  ret void
}

;--- different.ll
; different: error: different: argument 0: min=-5,max=-5 contradicts the assumption in the source: w != -5{{$}}
define ptx_kernel void @different(i32 noundef %w) "unravel.arg.0"="min=-5,max=-5" {
  %c = icmp ne i32 %w, -5
  call void @llvm.assume(i1 %c)
  ret void
}

;--- below.ll
; below: error: below: argument 0: min=1 contradicts the assumption in the source: w <= 0{{$}}
define ptx_kernel void @below(i32 noundef %w) "unravel.arg.0"="min=1" {
  %c = icmp slt i32 %w, 1
  call void @llvm.assume(i1 %c)
  ret void
}

;--- negative.ll
; Behind a branch it says what is not executed; and these agree.
define ptx_kernel void @behind_negative(i32 noundef %n, i1 noundef %b) "unravel.arg.0"="min=1,max=16" {
  %d = icmp sgt i32 %n, 15
  call void @llvm.assume(i1 %d)
  br i1 %b, label %then, label %done
then:
  %c = icmp sgt i32 %n, 16
  call void @llvm.assume(i1 %c)
  br label %done
done:
  ret void
}
