; check-debugify misses no location, theme by theme.

; DEFINE: %{check} = %unravel-opt -passes='debugify,function(index-simplify),check-debugify' -disable-output
; RUN: %{check} %S/reshape-round-trip.ll 2>&1 | FileCheck %s
; RUN: %{check} %S/gep-chains.ll 2>&1 | FileCheck %s
; RUN: %{check} %S/comparisons-folded.ll 2>&1 | FileCheck %s
; RUN: %{check} %S/loops.ll 2>&1 | FileCheck %s
; RUN: %{check} %S/address-form.ll 2>&1 | FileCheck %s
; RUN: %{check} %S/joins.ll 2>&1 | FileCheck %s
; RUN: %{check} %S/undef-poison.ll 2>&1 | FileCheck %s

; A location for everything; only what went away may lack its variable.
; CHECK-NOT: {{ERROR|Instruction with empty DebugLoc}}
; CHECK: CheckModuleDebugify
; CHECK-NOT: {{ERROR|Instruction with empty DebugLoc}}
