//===- FormText.cpp - Forms in the words of the source --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/FormText.h"
#include "analysis/algebra/IndexSpelling.h"
#include "analysis/facts/SourcePlaces.h"
#include "transforms/facts/SourceNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace unravel {

std::string FormText::text(IndexExpr E) {
  if (!Recovery.function().getSubprogram())
    return toString(Recovery.context(), E);
  return toSourceText(Recovery.context(), E,
                      [this](const IndexAtom *A) { return nameOf(A); });
}

/// What the source does where it gives a value no name.
static StringRef wordsFor(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Load:
    return "the value loaded";
  case Instruction::PHI:
    return "the variable";
  case Instruction::Add:
    return "the sum";
  case Instruction::Sub:
    return "the difference";
  case Instruction::Mul:
  case Instruction::Shl:
    return "the product";
  case Instruction::SDiv:
  case Instruction::UDiv:
    return "the quotient";
  case Instruction::SRem:
  case Instruction::URem:
    return "the remainder";
  case Instruction::Call:
    return "the result of the call";
  default:
    return "the value computed";
  }
}

static std::string description(const Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return "a constant expression";
  std::string Text = wordsFor(*I).str();
  const DILocation *Place = nearestPlace(*I);
  if (!Place)
    return Text;
  Text += " at line " + std::to_string(Place->getLine());
  if (Place->getColumn() != 0)
    Text += ":" + std::to_string(Place->getColumn());
  return Text;
}

std::string FormText::nameOf(const IndexAtom *Variable) {
  auto [V, R] = Recovery.valueOf(Variable);
  std::string Name = sourceName(*V);
  if (Name.empty()) {
    std::string Next = "v" + std::to_string(Unnamed.size() + 1);
    Name = Unnamed.try_emplace(V, Next).first->second;
  }
  if (R == Reading::Signed)
    return Name;
  StringRef Cast =
      V->getType()->getIntegerBitWidth() > 32 ? "uint64_t" : "unsigned";
  // An operation has parentheses already.
  return Name.front() == '(' ? (Cast + Name).str()
                             : (Cast + "(" + Name + ")").str();
}

std::string FormText::legend() const {
  if (Unnamed.empty())
    return "";
  std::string Text = " (";
  ListSeparator Comma;
  for (const auto &[V, Name] : Unnamed)
    (Text += StringRef(Comma)) += Name + ": " + description(*V);
  return Text + ")";
}

} // namespace unravel
