; A second run finds nothing to do, whatever the first one did.

; DEFINE: %{once} = %unravel-opt -passes=index-simplify -S -o %t.1
; DEFINE: %{twice} = %unravel-opt -passes=index-simplify,index-simplify -S -o %t.2
; RUN: %{once} %S/address-form.ll && %{twice} %S/address-form.ll && diff %t.1 %t.2
; RUN: %{once} %S/assumes.ll && %{twice} %S/assumes.ll && diff %t.1 %t.2
; RUN: %{once} %S/casts.ll && %{twice} %S/casts.ll && diff %t.1 %t.2
; RUN: %{once} %S/comparisons-folded.ll && %{twice} %S/comparisons-folded.ll && diff %t.1 %t.2
; RUN: %{once} %S/decomposed-rem.ll && %{twice} %S/decomposed-rem.ll && diff %t.1 %t.2
; RUN: %{once} %S/disjoint-or.ll && %{twice} %S/disjoint-or.ll && diff %t.1 %t.2
; RUN: %{once} %S/division-guard.ll && %{twice} %S/division-guard.ll && diff %t.1 %t.2
; RUN: %{once} %S/flags.ll && %{twice} %S/flags.ll && diff %t.1 %t.2
; RUN: %{once} %S/gep-chains.ll && %{twice} %S/gep-chains.ll && diff %t.1 %t.2
; RUN: %{once} %S/guards.ll && %{twice} %S/guards.ll && diff %t.1 %t.2
; RUN: %{once} %S/horner.ll && %{twice} %S/horner.ll && diff %t.1 %t.2
; RUN: %{once} %S/joins.ll && %{twice} %S/joins.ll && diff %t.1 %t.2
; RUN: %{once} %S/launch-bounds.ll && %{twice} %S/launch-bounds.ll && diff %t.1 %t.2
; RUN: %{once} %S/loops.ll && %{twice} %S/loops.ll && diff %t.1 %t.2
; RUN: %{once} %S/magic-numbers.ll && %{twice} %S/magic-numbers.ll && diff %t.1 %t.2
; RUN: %{once} %S/merged-coefficients.ll && %{twice} %S/merged-coefficients.ll && diff %t.1 %t.2
; RUN: %{once} %S/minmax.ll && %{twice} %S/minmax.ll && diff %t.1 %t.2
; RUN: %{once} %S/reshape-round-trip.ll && %{twice} %S/reshape-round-trip.ll && diff %t.1 %t.2
; RUN: %{once} %S/shifts-and-masks.ll && %{twice} %S/shifts-and-masks.ll && diff %t.1 %t.2
; RUN: %{once} %S/signed-round-trip.ll && %{twice} %S/signed-round-trip.ll && diff %t.1 %t.2
; RUN: %{once} %S/sub-nuw-urem.ll && %{twice} %S/sub-nuw-urem.ll && diff %t.1 %t.2
; RUN: %{once} %S/truncating-quotients.ll && %{twice} %S/truncating-quotients.ll && diff %t.1 %t.2
; RUN: %{once} %S/undef-poison.ll && %{twice} %S/undef-poison.ll && diff %t.1 %t.2
; RUN: %{once} %S/vectorize.ll && %{twice} %S/vectorize.ll && diff %t.1 %t.2
; RUN: %{once} %S/wide-and-odd-types.ll && %{twice} %S/wide-and-odd-types.ll && diff %t.1 %t.2
