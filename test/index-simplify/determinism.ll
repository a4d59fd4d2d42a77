; Equal input, equal output, and -g changes no instruction.

; DEFINE: %{run} = %unravel-opt -passes=index-simplify -S
; DEFINE: %{debug} = opt -passes=debugify -S
; RUN: %{run} %S/../Inputs/reshape.ll -o %t.1 && %{run} %S/../Inputs/reshape.ll -o %t.2 && diff %t.1 %t.2
; RUN: %{run} %S/../Inputs/transposed.ll -o %t.1 && %{run} %S/../Inputs/transposed.ll -o %t.2 && diff %t.1 %t.2
; RUN: %{run} %S/../Inputs/pooling.ll -o %t.1 && %{run} %S/../Inputs/pooling.ll -o %t.2 && diff %t.1 %t.2

; With debug information in and out again.
; RUN: %{debug} %S/../Inputs/reshape.ll | %{run} | opt -strip-debug -S | sed -e 1,2d -e '/^!/d' -e '/^$/d' > %t.g
; RUN: %{run} %S/../Inputs/reshape.ll | opt -strip-debug -S | sed -e 1,2d -e '/^!/d' -e '/^$/d' > %t.plain
; RUN: diff %t.plain %t.g
; RUN: %{debug} %S/../Inputs/pooling.ll | %{run} | opt -strip-debug -S | sed -e 1,2d -e '/^!/d' -e '/^$/d' > %t.g
; RUN: %{run} %S/../Inputs/pooling.ll | opt -strip-debug -S | sed -e 1,2d -e '/^!/d' -e '/^$/d' > %t.plain
; RUN: diff %t.plain %t.g
