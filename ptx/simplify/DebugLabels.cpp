//===- DebugLabels.cpp - Labels that debug sections name ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/simplify/DebugLabels.h"
#include "ptx/text/PtxWords.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

unravel::ptx::DebugLabels::DebugLabels(const ptx::Module &M) {
  for (const Item &I : M.Items) {
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

Error unravel::ptx::DebugLabels::check(const ptx::Function &Kernel) const {
  for (const Statement &S : Kernel.Body) {
    auto *L = S.as<Label>();
    if (!L || !Names.contains(L->Name))
      continue;
    if (IsForDebugger || Ranges.contains(L->Name))
      return createStringError("it is compiled for a debugger, which finds "
                               "variables by label '" +
                               L->Name + "'; leave out -G");
    // As LLVM names the blocks of the new body.
    if (L->Name.starts_with("$L__BB"))
      return createStringError("debug information names label '" + L->Name +
                               "', which may be one of the new code");
  }
  return Error::success();
}

std::string
unravel::ptx::DebugLabels::addTo(StringRef Body,
                                 const ptx::Function &Kernel) const {
  std::string Front, Behind;
  bool IsInFront = true;
  for (const Statement &S : Kernel.Body) {
    IsInFront &= !S.as<ptx::Instruction>();
    if (auto *L = S.as<Label>(); L && Names.contains(L->Name)) {
      if (IsInFront)
        Front += ("\n" + L->Name + ":").str();
      else
        Behind += (L->Name + ":\n").str();
    }
  }
  return Front + Body.str() + Behind;
}
