//===- PtxCounts.cpp - Count and price the instructions of PTX ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/price/PtxCounts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace unravel;

/// The shape of a load or store with these modifiers: "b32", "v4.b32".
static std::string accessShape(ArrayRef<StringRef> Modifiers) {
  std::string Lanes;
  unsigned Bits = 0;
  for (StringRef Modifier : Modifiers) {
    if (Modifier == "v2" || Modifier == "v4" || Modifier == "v8")
      Lanes = (Modifier + ".").str();
    else if (std::optional<ptx::Type> Type = ptx::parseType(Modifier))
      Bits = Type->Width;
  }
  return Lanes + "b" + utostr(Bits);
}

static bool isIntegerOperation(StringRef Base) {
  static const StringSet<> Operations = {
      "add",   "addc", "sub",   "subc", "mul",  "mul24", "mad", "madc", "mad24",
      "div",   "rem",  "abs",   "neg",  "min",  "max",   "sad", "dp2a", "dp4a",
      "and",   "or",   "xor",   "not",  "cnot", "lop3",  "shl", "shr",  "shf",
      "bfe",   "bfi",  "bfind", "bmsk", "brev", "clz",   "fns", "popc", "prmt",
      "szext", "setp", "set",   "selp", "slct", "cvt"};
  return Operations.contains(Base);
}

static bool computesOnIntegers(StringRef Base, ArrayRef<ptx::Type> Types) {
  if (Types.empty() || !isIntegerOperation(Base))
    return false;
  auto IsInteger = [](const ptx::Type &T) {
    return T.isInteger() || T.K == ptx::Type::Kind::Packed;
  };
  // `set.u32.f32` compares floats and `set.f32.u32` integers: the last type is
  // what is compared. `slct.s32.f32` moves integers: the first is what moves.
  if (Base == "set")
    return IsInteger(Types.back());
  if (Base == "slct")
    return IsInteger(Types.front());
  return all_of(Types, IsInteger);
}

/// What an integer instruction is paid for as.
static PtxClass pricedAs(StringRef Base, ArrayRef<StringRef> Modifiers,
                         bool IsSigned) {
  if (Base == "div" || Base == "rem")
    return IsSigned ? PtxClass::SignedDivision : PtxClass::Division;
  if (Base.starts_with("mul") || Base.starts_with("mad")) {
    if (is_contained(Modifiers, "hi"))
      return IsSigned ? PtxClass::SignedMultiplyHigh : PtxClass::MultiplyHigh;
    return is_contained(Modifiers, "wide") ? PtxClass::MultiplyWide
                                           : PtxClass::Multiply;
  }
  return StringSwitch<PtxClass>(Base)
      .Cases({"min", "max"}, PtxClass::MinMax)
      .Case("abs", PtxClass::Absolute)
      .Case("cvt", PtxClass::Convert)
      .Default(PtxClass::Simple);
}

PtxInstClass unravel::classifyPtxOpcode(StringRef Opcode) {
  SmallVector<StringRef, 8> Modifiers;
  Opcode.split(Modifiers, '.');
  StringRef Base = Modifiers.front();
  Modifiers.erase(Modifiers.begin());

  PtxInstClass Class;
  if (Base == "ld" || Base == "ldu" || Base == "st") {
    // "param", "param::entry", "param::func": how arguments travel.
    bool IsParam = any_of(Modifiers, [](StringRef Modifier) {
      return Modifier.split("::").first == "param";
    });
    if (IsParam)
      return Class;
    Class.Load = Base != "st";
    Class.Store = Base == "st";
    Class.AccessShape = accessShape(Modifiers);
    Class.Cost = priceOf(PtxClass::Access, 32);
    return Class;
  }

  SmallVector<ptx::Type, 2> Types;
  for (StringRef Modifier : Modifiers)
    if (std::optional<ptx::Type> Type = ptx::parseType(Modifier))
      Types.push_back(*Type);
  if (!computesOnIntegers(Base, Types))
    return Class;

  Class.Integer = true;
  Class.Division = Base == "div" || Base == "rem";
  Class.MultiplyHigh =
      (Base == "mul" || Base == "mad") && is_contained(Modifiers, "hi");
  Class.Integer64 =
      any_of(Types, [](const ptx::Type &T) { return T.Width == 64; });
  Class.Class = pricedAs(Base, Modifiers, Types.back().isSigned());
  Class.Cost = priceOf(*Class.Class, Class.Integer64 ? 64 : 32);
  // The same as in two instructions.
  if (Base == "mad" && *Class.Class == PtxClass::MultiplyWide)
    Class.Cost += priceOf(PtxClass::Simple, 2 * Types.back().Width);
  return Class;
}

static unsigned sumOf(const AccessCounts &Accesses) {
  unsigned Sum = 0;
  for (const auto &[Shape, Count] : Accesses)
    Sum += Count;
  return Sum;
}

unsigned PtxCounts::numLoads() const { return sumOf(Loads); }
unsigned PtxCounts::numStores() const { return sumOf(Stores); }

void PtxCounts::add(const PtxInstClass &Class, const LoopPlace &Place) {
  unsigned InstIndexCost = Class.Integer ? Class.Cost : 0;
  ++Instructions;
  Integer += Class.Integer;
  Division += Class.Division;
  MultiplyHigh += Class.MultiplyHigh;
  Integer64 += Class.Integer64;
  Cost += Class.Cost;
  IndexCost += InstIndexCost;
  LoopCost += Class.Cost * loopWeight(Place.Depth);
  LoopIndexCost += InstIndexCost * loopWeight(Place.Depth);
  if (Place.IsInnermost) {
    InnermostCost += Class.Cost;
    InnermostIndexCost += InstIndexCost;
  }
  LoopDepth = std::max(LoopDepth, Place.Depth);
  if (Class.Load)
    ++Loads[Class.AccessShape];
  if (Class.Store)
    ++Stores[Class.AccessShape];
}

PtxCounts unravel::countInstructions(const ptx::Function &F) {
  PtxBody Body = bodyOf(F);
  PtxCounts Counts;
  LoopNest Nest = Body.findLoops();
  Counts.Loops = Nest.NumLoops;
  for (const auto &[Inst, Place] : zip_equal(Body.insts(), Nest.Places))
    Counts.add(classifyPtxOpcode(Inst.Opcode), Place);
  return Counts;
}
