//===- DebugPlaces.cpp - Places that a module names -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/simplify/DebugPlaces.h"
#include "ptx/text/PtxWords.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

unravel::ptx::DebugPlaces::DebugPlaces(const ptx::Module &M) {
  for (const Item &I : M.Items) {
    if (auto *F = I.as<ptx::Function>())
      noteBorrowed(*F);
    auto *D = I.as<Directive>();
    if (!D)
      continue;
    if (D->Name == "target")
      forEachWord(D->Rest,
                  [&](StringRef Word) { IsForDebugger |= Word == "debug"; });
    if (D->Name != "section")
      continue;
    bool AreVariables = D->Rest.ltrim().starts_with(".debug_loc");
    forEachWord(D->Rest, [&](StringRef Word) {
      Names.insert(Word);
      if (AreVariables)
        Ranges.insert(Word);
    });
  }
}

void unravel::ptx::DebugPlaces::noteBorrowed(const ptx::Function &F) {
  DenseSet<LineNumbers> Own;
  for (const Statement &S : F.Body) {
    if (!S.as<Location>())
      continue;
    if (auto Call = callNumbers(S.Text); Call && !Own.contains(*Call))
      Borrowed.insert(*Call);
    if (auto Place = lineNumbers(S.Text))
      Own.insert(*Place);
  }
}

Error unravel::ptx::DebugPlaces::check(const ptx::Function &Kernel) const {
  for (const Statement &S : Kernel.Body) {
    auto *L = S.as<Label>();
    if (!L || !Names.contains(L->Name))
      continue;
    if (IsForDebugger || Ranges.contains(L->Name))
      return createStringError("it is compiled for a debugger, which finds "
                               "variables by label '" +
                               L->Name + "'; compile without -G (nvcc) or -g");
    // As LLVM names the blocks of the new body.
    if (L->Name.starts_with("$L__BB"))
      return createStringError("debug information names label '" + L->Name +
                               "', which may be one of the new code");
  }
  return Error::success();
}

std::string
unravel::ptx::DebugPlaces::addTo(StringRef Body,
                                 const ptx::Function &Kernel) const {
  std::string Front, Behind;
  StringSet<> Labels; // one may be in several scopes
  DenseSet<LineNumbers> Places;
  bool IsInFront = true;
  for (const Statement &S : Kernel.Body) {
    IsInFront &= !S.as<ptx::Instruction>();
    if (S.as<Location>())
      if (auto Place = lineNumbers(S.Text);
          Place && Borrowed.contains(*Place) && Places.insert(*Place).second)
        Behind += "\t.loc\t" + toString(*Place) + "\n";
    if (auto *L = S.as<Label>();
        L && Names.contains(L->Name) && Labels.insert(L->Name).second) {
      if (IsInFront)
        Front += ("\n" + L->Name + ":").str();
      else
        Behind += (L->Name + ":\n").str();
    }
  }
  return Front + Body.str() + Behind;
}
