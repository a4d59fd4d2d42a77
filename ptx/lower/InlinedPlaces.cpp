//===- InlinedPlaces.cpp - Places that .loc directives need ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/InlinedPlaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

unravel::ptx::InlinedPlaces::InlinedPlaces(ArrayRef<StringRef> Directives) {
  DenseMap<LineNumbers, size_t> Last;
  for (auto [Index, Directive] : enumerate(Directives)) {
    Place P{Directive, lineNumbers(Directive), callNumbers(Directive), {}};
    if (P.Call)
      if (auto It = Last.find(*P.Call); It != Last.end())
        P.CallAt = It->second;
    if (P.Own)
      Last[*P.Own] = Index;
    Places.push_back(P);
  }
}

void unravel::ptx::InlinedPlaces::print(size_t Index, raw_ostream &OS) {
  // A call may be inlined itself.
  SmallVector<const Place *, 4> Chain{&Places[Index]};
  auto LacksCall = [&](const Place &P) {
    return P.Call && !Printed.contains(*P.Call);
  };
  while (LacksCall(*Chain.back()) && Chain.back()->CallAt)
    Chain.push_back(&Places[*Chain.back()->CallAt]);
  if (const Place &Outermost = *Chain.back(); LacksCall(Outermost)) {
    OS << "\t.loc\t" << toString(*Outermost.Call) << '\n';
    Printed.insert(*Outermost.Call);
  }
  for (const Place *P : reverse(Chain)) {
    OS << '\t' << P->Directive << '\n';
    if (P->Own)
      Printed.insert(*P->Own);
  }
}
