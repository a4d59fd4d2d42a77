//===- LiftGroup.cpp - Statements that are one piece of text --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call stands in braces with the declarations of its parameters; additions
// with carry stand behind each other; a conversion to a number of 8 bits
// (CUDA's from bfloat16) stands in braces with a register of 8 bits, which no
// operand of inline assembly can be. Each such group is one piece of inline
// assembly.
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Assembly.h"
#include "ptx/lift/Lifter.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

void Lifter::findTextScopes() {
  struct Open {
    size_t Begin;
    bool IsText; // This scope itself: a scope around it is lifted.
  };
  SmallVector<Open, 8> Scopes;
  for (auto [Number, S] : enumerate(K.Body)) {
    if (auto *Braces = S.as<Scope>()) {
      if (Braces->Begins) {
        Scopes.push_back({Number, false});
      } else if (!Scopes.empty()) {
        Open Last = Scopes.pop_back_val();
        if (Last.IsText)
          TextScopes[Last.Begin] = Number + 1 - Last.Begin;
      }
    } else if (!Scopes.empty()) {
      auto *V = S.as<Variables>();
      auto *R = S.as<Registers>();
      Scopes.back().IsText |=
          (V && V->All.front().Space == "param") || (R && R->Of.Width == 8);
    }
  }
}

size_t Lifter::sizeOfGroup(size_t At) const {
  if (auto It = TextScopes.find(At); It != TextScopes.end())
    return It->second;
  auto *First = K.Body[At].as<ptx::Instruction>();
  // One that begins with a carry is the rest of a chain that something
  // interrupts: it is refused.
  if (!First || !First->has("cc") || readsCarry(*First))
    return 0;
  size_t Size = 0;
  for (auto [Number, S] : enumerate(ArrayRef(K.Body).drop_front(At))) {
    auto *I = S.as<ptx::Instruction>();
    if (S.as<Location>())
      continue;
    if (!I || !usesCarry(*I) || !I->Predicate.empty())
      break;
    Size = Number + 1;
    if (!I->has("cc"))
      break;
  }
  return Size;
}

namespace {

/// The registers of a group, in the order in which they appear, and what the
/// group does.
struct GroupSummary {
  /// \p IsKnown says whether a name stands for something around the group.
  GroupSummary(ArrayRef<const Statement *> Group,
               function_ref<bool(StringRef Name)> IsKnown);

  SetVector<StringRef> Written;
  /// Read before they are written, or perhaps not written.
  SetVector<StringRef> ReadFirst;
  TextEffects Effects;
  /// Why the group cannot be text; empty if it can.
  std::string Refusal;

private:
  void add(const Registers &R);
  void add(const ptx::Instruction &I);
  void read(StringRef Name) {
    if (!Own.contains(Name) && !Written.contains(Name))
      ReadFirst.insert(Name);
  }

  void addOwn(StringRef Name);

  function_ref<bool(StringRef Name)> IsKnown;
  /// Registers that are declared in the group belong to its text.
  StringSet<> Own;
};

} // namespace

GroupSummary::GroupSummary(ArrayRef<const Statement *> Group,
                           function_ref<bool(StringRef Name)> IsKnown)
    : IsKnown(IsKnown) {
  for (const Statement *S : Group) {
    if (auto *R = S->as<Registers>())
      add(*R);
    else if (auto *V = S->as<Variables>())
      for (const Variable &Each : V->All)
        addOwn(Each.Name);
    else if (auto *I = S->as<ptx::Instruction>())
      add(*I);
    // Only the name of a prototype.
    else if (auto *L = S->as<Label>(); L && !L->Name.starts_with("prototype_"))
      Refusal = ("label '" + L->Name + "' inside of a group").str();
    if (!Refusal.empty())
      return;
  }
}

void GroupSummary::add(const Registers &R) {
  for (const Registers::Entry &E : R.Entries) {
    if (E.Count)
      Refusal = "a range of registers inside of a group";
    addOwn(E.Name);
    Own.insert(E.Name);
  }
}

/// What is declared in the group must not hide an operand: those are registers
/// of the backend, whose names begin with %, and those around the group.
void GroupSummary::addOwn(StringRef Name) {
  if (Name.starts_with("%") || IsKnown(Name))
    Refusal = ("'" + Name + "' declared inside of a group").str();
}

void GroupSummary::add(const ptx::Instruction &I) {
  Effect E = effectOf(I, /*IsInGroup=*/true);
  if (E == Effect::Unknown) {
    Refusal = ("instruction '" + I.Opcode + "'").str();
    return;
  }
  Effects.add(I, E);
  OperandRoles Roles(I, E);
  if (!I.Predicate.empty())
    read(I.Predicate);
  for (const Operand &O : Roles.Sources)
    forEachName(O, [&](StringRef Name, bool) { read(Name); });
  if (Roles.Result)
    forEachName(*Roles.Result, [&](StringRef Name, bool) {
      // A result under a guard is what it was where the guard does not hold.
      if (!I.Predicate.empty())
        read(Name);
      if (!Own.contains(Name) && Name != "_")
        Written.insert(Name);
    });
}

/// The text of \p S in a group whose operands are in \p Asm.
static void printStatement(const Statement &S, const Assembly &Asm,
                           raw_ostream &OS) {
  auto Rename = [&](StringRef Name) { return Asm.renamed(Name, false); };
  if (auto *I = S.as<ptx::Instruction>()) {
    if (!I->Predicate.empty())
      OS << '@' << (I->IsNegated ? "!" : "") << Rename(I->Predicate) << ' ';
    printText(
        *I, [&](const Operand &, StringRef Name) { return Rename(Name); }, OS);
  } else if (!S.as<Location>()) {
    OS << escaped(S.Text);
  }
}

void Lifter::liftAsText(ArrayRef<const Statement *> Group) {
  GroupSummary Summary(Group,
                       [&](StringRef Name) { return lookUp(Name) != nullptr; });
  if (!Summary.Refusal.empty())
    return refuse(Summary.Refusal);
  Assembly Asm(Context);
  for (StringRef Name : Summary.Written)
    addResult(Asm, Name, "=&");
  if (isRefused())
    return;
  static const ptx::Instruction Nothing;
  for (StringRef Name : Summary.ReadFirst) {
    if (!Summary.Written.contains(Name)) {
      addInput(Asm, Name, /*IsAddress=*/false, Nothing);
      continue;
    }
    const Symbol *S = lookUp(Name);
    Asm.addTied(Asm.number(Name), valueOf(*S));
  }
  if (isRefused())
    return;
  std::string Text;
  raw_string_ostream OS(Text);
  interleave(
      Group, OS, [&](const Statement *S) { printStatement(*S, Asm, OS); }, " ");
  writeResults(Asm, Asm.create(B, Text, Summary.Effects));
}
