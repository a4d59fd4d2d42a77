//===- InvertedBranches.cpp - Branches that fall through ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/InvertedBranches.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

/// A direct branch with a guard, or without; null for other statements.
static const ptx::Instruction *branch(const Statement &S, bool HasGuard) {
  auto *I = S.as<ptx::Instruction>();
  if (!I || I->base() != "bra" || I->Predicate.empty() == HasGuard ||
      I->Operands.size() != 1 || !I->Operands[0].isName())
    return nullptr;
  return I;
}

/// Whether control comes to \p Label from the beginning of \p Rest without an
/// instruction.
static bool beginsAt(ArrayRef<Statement> Rest, StringRef Name) {
  for (const Statement &S : Rest) {
    auto *L = S.as<Label>();
    if (L && L->Name == Name)
      return true;
    if (!L && !S.as<Location>())
      return false;
  }
  return false;
}

std::vector<Statement> unravel::ptx::invertBranches(ArrayRef<Statement> Body) {
  std::vector<Statement> Result;
  StringSet<> LabelsBefore;
  for (size_t At = 0; At < Body.size(); ++At) {
    if (auto *L = Body[At].as<Label>())
      LabelsBefore.insert(L->Name);
    const ptx::Instruction *First = branch(Body[At], /*HasGuard=*/true);
    const ptx::Instruction *Second =
        First && At + 1 < Body.size() ? branch(Body[At + 1], /*HasGuard=*/false)
                                      : nullptr;
    auto GoesBack = [&](const ptx::Instruction &Branch) {
      return LabelsBefore.contains(Branch.Operands[0].Name);
    };
    bool IsNeeded =
        Second && !beginsAt(Body.drop_front(At + 2), First->Operands[0].Name);
    if (!Second || (IsNeeded && (GoesBack(*First) || !GoesBack(*Second)))) {
      Result.push_back(Body[At]);
      continue;
    }
    ptx::Instruction Inverted = *First;
    Inverted.IsNegated = !First->IsNegated;
    Inverted.Operands = Second->Operands;
    Result.push_back({StringRef(), std::move(Inverted)});
    if (IsNeeded) {
      ptx::Instruction Leaving = *Second;
      Leaving.Operands = First->Operands;
      Result.push_back({StringRef(), std::move(Leaving)});
    }
    ++At; // the second branch
  }
  return Result;
}
