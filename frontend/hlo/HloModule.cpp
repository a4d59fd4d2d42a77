//===- HloModule.cpp - HLO modules, computations and instructions ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Opcodes
//===----------------------------------------------------------------------===//

namespace {
struct OpcodeDescription {
  StringLiteral Name;
  int Operands;
  HloOpClass Class;
};
} // namespace

static const OpcodeDescription Opcodes[] = {
#define HLO_OP(Enum, Name, Operands, Class) {Name, Operands, HloOpClass::Class},
#include "frontend/hlo/HloOpcodes.def"
};

StringRef nameOf(HloOpcode Opcode) { return Opcodes[size_t(Opcode)].Name; }
HloOpClass classOf(HloOpcode Opcode) { return Opcodes[size_t(Opcode)].Class; }
int operandCountOf(HloOpcode Opcode) {
  return Opcodes[size_t(Opcode)].Operands;
}

std::optional<HloOpcode> opcodeNamed(StringRef Name) {
  static const StringMap<HloOpcode> ByName = [] {
    StringMap<HloOpcode> Map;
    for (size_t I = 0; I < std::size(Opcodes); ++I)
      Map[Opcodes[I].Name] = HloOpcode(I);
    // The name in the documents, where the text form has "popcnt".
    Map["population-count"] = HloOpcode::PopulationCount;
    return Map;
  }();
  auto Found = ByName.find(Name);
  if (Found == ByName.end())
    return std::nullopt;
  return Found->second;
}

bool isLibraryOperation(StringRef Name) {
  static constexpr StringLiteral Names[] = {
#define HLO_LIBRARY(Name, HasEffect) Name,
#include "frontend/hlo/HloOpcodes.def"
  };
  return is_contained(Names, Name);
}

StringRef opcodeSimilarTo(StringRef Name) {
  constexpr unsigned MaxDistance = 2;
  constexpr size_t MinLength = 6; // "sort" is no misspelt "sqrt"
  StringRef Closest;
  if (Name.size() < MinLength)
    return Closest;
  unsigned Smallest = MaxDistance + 1;
  for (const OpcodeDescription &D : Opcodes) {
    unsigned Distance = D.Name.edit_distance(
        Name.take_front(40), /*AllowReplacements=*/true, MaxDistance);
    if (Distance < Smallest) {
      Smallest = Distance;
      Closest = D.Name;
    }
  }
  return Closest;
}

bool isElementwise(HloOpcode Opcode) {
  switch (classOf(Opcode)) {
  case HloOpClass::ElementwiseUnary:
  case HloOpClass::ElementwiseBinary:
  case HloOpClass::ElementwiseTernary:
  case HloOpClass::ElementwiseCall:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static constexpr StringLiteral Directions[] = {"EQ", "NE", "GE",
                                               "GT", "LE", "LT"};
static constexpr StringLiteral CompareTypes[] = {"FLOAT", "TOTALORDER",
                                                 "SIGNED", "UNSIGNED"};

template <typename T>
static std::optional<T> wordNamed(ArrayRef<StringLiteral> Words,
                                  StringRef Name) {
  const auto *Found = llvm::find(Words, Name);
  if (Found == Words.end())
    return std::nullopt;
  return T(Found - Words.begin());
}

StringRef nameOf(HloDirection D) { return Directions[size_t(D)]; }
std::optional<HloDirection> directionNamed(StringRef Name) {
  return wordNamed<HloDirection>(Directions, Name);
}
StringRef nameOf(HloCompareType T) { return CompareTypes[size_t(T)]; }
std::optional<HloCompareType> compareTypeNamed(StringRef Name) {
  return wordNamed<HloCompareType>(CompareTypes, Name);
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

HloInstruction &HloComputation::add(HloInstruction Instruction,
                                    ArrayRef<const HloInstruction *> Operands) {
  HloInstruction &I = Instructions.emplace_back(std::move(Instruction));
  I.Parent = this;
  I.Index = Instructions.size() - 1;
  I.Operands.assign(Operands.begin(), Operands.end());
  for (const HloInstruction *Operand : Operands) {
    assert(Operand->Parent == this && "operand of another computation");
    auto &Users = Instructions[Operand->Index].Users;
    // I is the newest instruction: if it is a user already, it is the last.
    if (Users.empty() || Users.back() != &I)
      Users.push_back(&I);
  }
  Root = &I;
  return I;
}

Error HloComputation::finish(const HloInstruction *&Culprit) {
  Culprit = nullptr;
  size_t Count = count_if(Instructions, [](const HloInstruction &I) {
    return I.opcode() == HloOpcode::Parameter;
  });
  Parameters.assign(Count, nullptr);
  for (const HloInstruction &I : Instructions) {
    if (I.opcode() != HloOpcode::Parameter)
      continue;
    int64_t Number = I.attributes<HloParameter>().Number;
    Culprit = &I;
    if (Number < 0 || size_t(Number) >= Count)
      return createStringError("parameter number " + Twine(Number) +
                               " in a computation with " + Twine(Count) +
                               (Count == 1 ? " parameter" : " parameters") +
                               "; number them from 0 on");
    if (Parameters[Number])
      return createStringError("parameter number " + Twine(Number) +
                               " is used by '" + Parameters[Number]->name() +
                               "' already; number them from 0 on");
    Parameters[Number] = &I;
  }
  Culprit = nullptr;
  return Error::success();
}

const HloComputation *HloModule::computationNamed(StringRef Name) const {
  auto Found = find_if(
      Computations, [&](const HloComputation &C) { return C.name() == Name; });
  return Found == Computations.end() ? nullptr : &*Found;
}

Error HloModule::error(const HloInstruction &I, const Twine &What) const {
  return createStringError(BufferName + ":" + Twine(I.Location.Line) + ":" +
                           Twine(I.Location.Column) + ": error: instruction '" +
                           I.name() + "' (" + nameOf(I.opcode()) +
                           "): " + What);
}

} // namespace unravel
