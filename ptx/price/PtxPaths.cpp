//===- PtxPaths.cpp - The two bodies of a versioned kernel ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/price/PtxPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace unravel;

/// The only line of \p Text that ends with the comment `// %Name`.
static std::optional<unsigned> lineOfBlock(StringRef Text, StringRef Name) {
  std::optional<unsigned> Found;
  for (unsigned Line = 0; !Text.empty(); ++Line) {
    StringRef Current;
    std::tie(Current, Text) = Text.split('\n');
    auto [Code, Comment] = Current.rsplit("//");
    if (Comment.trim() != ("%" + Name).str())
      continue;
    if (Found)
      return std::nullopt;
    Found = Line;
  }
  return Found;
}

/// The first instruction behind the line, by its number.
static unsigned instBehind(StringRef Text, unsigned Line,
                           ArrayRef<PtxInst> Insts) {
  const char *Place = Text.begin();
  for (; Line > 0; --Line)
    Place = std::find(Place, Text.end(), '\n') + 1;
  return partition_point(
             Insts,
             [&](const PtxInst &I) { return I.Opcode.begin() < Place; }) -
         Insts.begin();
}

/// The registers in a piece of text.
static SmallVector<StringRef, 4> registersIn(StringRef Text) {
  SmallVector<StringRef, 4> Names;
  while (true) {
    Text = Text.drop_until([](char C) { return C == '%'; });
    if (Text.empty())
      return Names;
    StringRef Name = Text.drop_front().take_while(
        [](char C) { return isAlnum(C) || C == '_' || C == '$' || C == '.'; });
    Names.push_back(Name);
    Text = Text.drop_front(1 + Name.size());
  }
}

/// Which instructions in front of the bodies are executed for the test only: of
/// their results, nothing else makes use.
static std::vector<bool> findTest(const ptx::Function &F,
                                  const std::vector<bool> &IsInFront) {
  std::vector<const ptx::Instruction *> Insts;
  for (const ptx::Statement &S : F.Body)
    if (auto *I = S.as<ptx::Instruction>())
      Insts.push_back(I);
  auto Results = [](const ptx::Instruction &I) {
    bool HasResult = !I.Operands.empty() && I.base() != "st" &&
                     I.base() != "bra" && I.base() != "red";
    return HasResult ? registersIn(I.Operands.front().Text)
                     : SmallVector<StringRef, 4>();
  };
  StringMap<SmallVector<unsigned, 4>> Users;
  for (const auto &[Number, I] : enumerate(Insts)) {
    for (StringRef Name : registersIn(I->Predicate))
      Users[Name].push_back(Number);
    bool HasResult = !Results(*I).empty();
    for (const ptx::Operand &O : drop_begin(I->Operands, HasResult))
      for (StringRef Name : registersIn(O.Text))
        Users[Name].push_back(Number);
  }
  std::vector<bool> IsTest(Insts.size());
  for (unsigned Number = Insts.size(); Number-- > 0;) {
    const ptx::Instruction &I = *Insts[Number];
    if (!IsInFront[Number])
      continue;
    SmallVector<StringRef, 4> Names = Results(I);
    IsTest[Number] = I.base() == "bra" ||
                     (!Names.empty() && all_of(Names, [&](StringRef Name) {
                       return all_of(Users[Name], [&](unsigned User) {
                         return User == Number || IsTest[User];
                       });
                     }));
  }
  return IsTest;
}

/// Where the other side of the branch begins that chooses \p General: the only
/// branch of which one side cannot get there. Only ptx-simplify leaves \p
/// General as the only one that is marked.
static std::optional<unsigned> otherSide(const PtxBody &Body,
                                         unsigned General) {
  std::optional<unsigned> Found;
  std::vector<bool> Reached = Body.reachableFrom(0),
                    OfGeneral = Body.reachableFrom(General);
  for (unsigned Number = 0; Number < Reached.size(); ++Number) {
    SmallVector<unsigned, 2> Next = Body.after(Number);
    if (!Reached[Number] || OfGeneral[Number] || Next.size() != 2 ||
        std::max(Next[0], Next[1]) >= Reached.size())
      continue;
    bool First = Body.reachableFrom(Next[0])[General],
         Second = Body.reachableFrom(Next[1])[General];
    if (First == Second)
      continue;
    if (Found)
      return std::nullopt;
    Found = Next[First ? 1 : 0];
  }
  return Found;
}

/// The number of the line that \p Inst is in.
static unsigned lineOf(const PtxInst &Inst, StringRef Text) {
  return StringRef(Text.begin(), Inst.Opcode.begin() - Text.begin())
      .count('\n');
}

std::optional<PtxPaths> unravel::findPaths(const ptx::Function &F,
                                           StringRef Text) {
  std::optional<unsigned> FastLine = lineOfBlock(Text, "fast"),
                          GeneralLine = lineOfBlock(Text, "fallback");
  if (!GeneralLine)
    return std::nullopt;
  PtxBody Body = bodyOf(F);
  unsigned NumInsts = Body.insts().size();
  unsigned General = instBehind(Text, *GeneralLine, Body.insts());
  if (General >= NumInsts)
    return std::nullopt;
  std::optional<unsigned> Fast = FastLine
                                     ? instBehind(Text, *FastLine, Body.insts())
                                     : otherSide(Body, General);
  if (!Fast || *Fast >= NumInsts)
    return std::nullopt;
  std::vector<bool> Reached = Body.reachableFrom(0),
                    OfFast = Body.reachableFrom(*Fast),
                    OfGeneral = Body.reachableFrom(General);
  // Blocks of other code may have these names.
  if (!Reached[*Fast] || !Reached[General] || OfFast[General] ||
      OfGeneral[*Fast])
    return std::nullopt;

  std::vector<bool> IsInFront(Reached.size());
  for (size_t I = 0; I < Reached.size(); ++I)
    IsInFront[I] = Reached[I] && !OfFast[I] && !OfGeneral[I];
  // A body in braces, which ptx-simplify writes, uses nothing from outside.
  std::vector<bool> IsTest =
      FastLine ? findTest(F, IsInFront) : std::vector<bool>(NumInsts, true);
  PtxPaths Paths;
  Paths.FastLine = FastLine ? *FastLine : lineOf(Body.insts()[*Fast], Text);
  Paths.GeneralLine = *GeneralLine;
  LoopNest Nest = Body.findLoops();
  for (const auto &[Number, Inst] : enumerate(Body.insts())) {
    PtxInstClass Class = classifyPtxOpcode(Inst.Opcode);
    if (IsInFront[Number] || OfFast[Number])
      Paths.Ordinary.add(Class, Nest.Places[Number]);
    if ((IsInFront[Number] && !IsTest[Number]) || OfGeneral[Number])
      Paths.General.add(Class, Nest.Places[Number]);
  }
  return Paths;
}
