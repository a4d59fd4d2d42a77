//===- Names.cpp - What the names in a function stand for -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel::ptx {

/// Every thread has all registers.
static constexpr unsigned MaxSlots = 1 << 20;

Names::Names(const Function &F) {
  Scopes.emplace_back();
  std::vector<unsigned> Path{0};
  size_t NumInstructions = 0;
  StringRef LastLabel;
  for (const Statement &S : F.Body) {
    if (const auto *Bracket = S.as<ptx::Scope>()) {
      if (Bracket->Begins) {
        Path.push_back(Scopes.size());
        Scopes.emplace_back();
      } else {
        Path.pop_back();
      }
    } else if (const auto *L = S.as<Label>()) {
      Scopes[Path.back()].Labels[L->Name] = NumInstructions;
      LastLabel = L->Name;
    } else if (const auto *D = S.as<Directive>()) {
      if (D->Name == "branchtargets")
        Scopes[Path.back()].Targets[LastLabel] = D->Rest;
    } else if (S.as<Instruction>()) {
      ++NumInstructions;
    }
  }
  enterScope();
}

void Names::enterScope() { Open.push_back(NumEntered++); }

void Names::leaveScope() { Open.pop_back(); }

void Names::declare(StringRef Name, Symbol S) {
  Scopes[Open.back()].Symbols[Name] = S;
}

Error Names::declare(const Registers &R) {
  for (const Registers::Entry &E : R.Entries) {
    unsigned Count = E.Count.value_or(1);
    if (Count > MaxSlots - Widths.size())
      return createStringError("more than " + Twine(MaxSlots) + " registers");
    if (R.Lanes != 1)
      return createStringError("not modelled: vectors as registers, such as '" +
                               E.Name + "'");
    Symbol S;
    S.IsRegister = true;
    S.Width = R.Of.Width;
    for (unsigned I = 0; I != Count; ++I) {
      S.Slot = Widths.size();
      Widths.push_back(S.Width);
      declare(E.Count ? (E.Name + Twine(I)).str() : E.Name.str(), S);
    }
  }
  return Error::success();
}

const Symbol *Names::find(StringRef Name) const {
  for (unsigned Number : reverse(Open)) {
    auto It = Scopes[Number].Symbols.find(Name);
    if (It != Scopes[Number].Symbols.end())
      return &It->second;
  }
  return nullptr;
}

std::optional<size_t> Names::findLabel(StringRef Name) const {
  for (unsigned Number : reverse(Open)) {
    auto It = Scopes[Number].Labels.find(Name);
    if (It != Scopes[Number].Labels.end())
      return It->second;
  }
  return std::nullopt;
}

std::optional<SmallVector<StringRef>> Names::findTargets(StringRef Name) const {
  for (unsigned Number : reverse(Open)) {
    auto It = Scopes[Number].Targets.find(Name);
    if (It == Scopes[Number].Targets.end())
      continue;
    SmallVector<StringRef> Labels;
    It->second.split(Labels, ',');
    for (StringRef &L : Labels)
      L = L.trim();
    return Labels;
  }
  return std::nullopt;
}

} // namespace unravel::ptx
