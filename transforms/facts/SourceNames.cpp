//===- SourceNames.cpp - Values as the source calls them ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/SourceNames.h"
#include "analysis/facts/UniformValues.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace unravel {

/// Types and expressions inside each other.
static constexpr unsigned MaxDepth = 8;

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// The parameter that \p A is, not one of a function that was inlined.
static const DILocalVariable *parameterOf(const Argument &A) {
  const DISubprogram *SP = A.getParent()->getSubprogram();
  if (!SP)
    return nullptr;
  auto IsParameter = [&](const DILocalVariable *Variable) {
    return Variable && Variable->getArg() == A.getArgNo() + 1 &&
           Variable->getScope()->getSubprogram() == SP;
  };
  for (const MDNode *Node : SP->getRetainedNodes())
    if (auto *Variable = dyn_cast<DILocalVariable>(Node); IsParameter(Variable))
      return Variable;
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(const_cast<Argument *>(&A), Records);
  for (const DbgVariableRecord *Record : Records)
    if (IsParameter(Record->getVariable()) &&
        !Record->getDebugLoc().getInlinedAt())
      return Record->getVariable();
  return nullptr;
}

/// A variable that has the value \p V somewhere, if possible one of the kernel
/// itself.
static const DILocalVariable *variableOf(const Value &V) {
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgValues(const_cast<Value *>(&V), Records);
  const DILocalVariable *Found = nullptr;
  for (const DbgVariableRecord *Record : Records) {
    if (Record->hasArgList() || Record->getExpression()->getNumElements() != 0)
      continue;
    if (!Record->getDebugLoc().getInlinedAt())
      return Record->getVariable();
    Found = Record->getVariable();
  }
  return Found;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static const DIType *withoutTypedefs(const DIType *Type) {
  for (unsigned Depth = 0; Depth < MaxDepth; ++Depth) {
    auto *Derived = dyn_cast_or_null<DIDerivedType>(Type);
    if (!Derived || (Derived->getTag() != dwarf::DW_TAG_typedef &&
                     Derived->getTag() != dwarf::DW_TAG_const_type &&
                     Derived->getTag() != dwarf::DW_TAG_volatile_type))
      return Type;
    Type = Derived->getBaseType();
  }
  return Type;
}

/// [i][j] of the element at \p Bits, which becomes the place inside of it.
static std::string subscripts(const DICompositeType &Array, uint64_t &Bits) {
  const DIType *Element = withoutTypedefs(Array.getBaseType());
  uint64_t Size = Element ? Element->getSizeInBits() : 0;
  if (Size == 0)
    return "";
  uint64_t Index = Bits / Size;
  Bits %= Size;
  SmallVector<uint64_t, 4> Counts;
  for (const MDNode *Node : Array.getElements()) {
    auto *Range = dyn_cast<DISubrange>(Node);
    auto *Count =
        Range ? dyn_cast_if_present<ConstantInt *>(Range->getCount()) : nullptr;
    if (!Count || Count->isZero())
      return "";
    Counts.push_back(Count->getZExtValue());
  }
  std::string Text;
  for (uint64_t Count : reverse(Counts)) {
    Text = "[" + std::to_string(Index % Count) + "]" + Text;
    Index /= Count;
  }
  return Text;
}

namespace {
/// What a struct has at some place.
struct SourceField {
  std::string Path; ///< ".field[2]"; empty if debug info has no name.
  const DIType *Type = nullptr;
};
} // namespace

static SourceField fieldAt(const DIType *Type, uint64_t Bits) {
  std::string Path;
  for (unsigned Depth = 0; Depth < MaxDepth; ++Depth) {
    Type = withoutTypedefs(Type);
    auto *Composite = dyn_cast_or_null<DICompositeType>(Type);
    if (!Composite)
      return Bits == 0 ? SourceField{Path, Type} : SourceField();
    if (Composite->getTag() == dwarf::DW_TAG_array_type) {
      std::string Index = subscripts(*Composite, Bits);
      if (Index.empty())
        return {};
      Path += Index;
      Type = Composite->getBaseType();
      continue;
    }
    const DIDerivedType *Field = nullptr;
    for (const MDNode *Node : Composite->getElements())
      if (auto *Member = dyn_cast<DIDerivedType>(Node);
          Member && !Member->isStaticMember() &&
          (Member->getTag() == dwarf::DW_TAG_member ||
           Member->getTag() == dwarf::DW_TAG_inheritance) &&
          Member->getOffsetInBits() <= Bits &&
          Bits < Member->getOffsetInBits() + Member->getSizeInBits())
        Field = Member;
    if (!Field)
      return {};
    // A base class, or an anonymous struct: its fields are ours.
    if (Field->getTag() == dwarf::DW_TAG_member && !Field->getName().empty())
      Path += "." + Field->getName().str();
    Bits -= Field->getOffsetInBits();
    Type = Field->getBaseType();
  }
  return {};
}

static SourceField fieldOfLoad(const UniformLoad &Place) {
  const Value *Base = Place.Base->stripPointerCasts();
  const DIType *Type = nullptr;
  if (auto *A = dyn_cast<Argument>(Base)) {
    if (const DILocalVariable *Variable = parameterOf(*A))
      Type = Variable->getType();
  } else if (auto *Global = dyn_cast<GlobalVariable>(Base)) {
    SmallVector<DIGlobalVariableExpression *, 1> Variables;
    Global->getDebugInfo(Variables);
    if (!Variables.empty())
      Type = Variables.front()->getVariable()->getType();
  }
  return Type ? fieldAt(Type, Place.Offset * 8) : SourceField();
}

static std::string nameOfLoad(const UniformLoad &Place) {
  std::string Field = fieldOfLoad(Place).Path;
  if (Field.empty())
    Field = "[byte " + std::to_string(Place.Offset) + "]";
  return sourceName(*Place.Base->stripPointerCasts()) + Field;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static std::string expressionOf(const Value &V, unsigned Depth);

static std::string operation(const BinaryOperator &I, unsigned Depth) {
  StringRef Sign;
  switch (I.getOpcode()) {
  case Instruction::Add:
    Sign = " + ";
    break;
  case Instruction::Sub:
    Sign = " - ";
    break;
  case Instruction::Mul:
    Sign = " * ";
    break;
  default:
    return "";
  }
  std::string Left = expressionOf(*I.getOperand(0), Depth + 1),
              Right = expressionOf(*I.getOperand(1), Depth + 1);
  if (Left.empty() || Right.empty())
    return "";
  return "(" + Left + Sign.str() + Right + ")";
}

static std::string extremum(const MinMaxIntrinsic &I, unsigned Depth) {
  std::string Left = expressionOf(*I.getLHS(), Depth + 1),
              Right = expressionOf(*I.getRHS(), Depth + 1);
  if (!I.isSigned() || Left.empty() || Right.empty())
    return "";
  bool IsMin = I.getIntrinsicID() == Intrinsic::smin;
  return (IsMin ? "min(" : "max(") + Left + ", " + Right + ")";
}

static std::string expressionOf(const Value &V, unsigned Depth) {
  if (Depth > MaxDepth / 2)
    return "";
  if (auto *C = dyn_cast<ConstantInt>(&V))
    return toString(C->getValue(), 10, /*Signed=*/true);
  if (auto *A = dyn_cast<Argument>(&V)) {
    if (const DILocalVariable *Variable = parameterOf(*A))
      return Variable->getName().str();
    return A->hasName() ? A->getName().str()
                        : "argument " + std::to_string(A->getArgNo());
  }
  if (auto *Global = dyn_cast<GlobalVariable>(&V))
    return Global->getName().str();
  if (const DILocalVariable *Variable = variableOf(V))
    return Variable->getName().str();
  if (auto *Call = dyn_cast<IntrinsicInst>(&V))
    if (std::string Name = sourceName(Call->getIntrinsicID()); !Name.empty())
      return Name;
  if (auto *Load = dyn_cast<LoadInst>(&V))
    if (std::optional<UniformLoad> Place = uniformLoad(*Load))
      return nameOfLoad(*Place);
  auto *I = dyn_cast<Instruction>(&V);
  // Remarks are about what an extension or a freeze leaves as it is, or about
  // a number of 64 bits that fits 32.
  if (isa<CastInst>(V) || isa<FreezeInst>(V))
    return expressionOf(*I->getOperand(0), Depth + 1);
  if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(&V))
    if (std::string Name = extremum(*MinMax, Depth); !Name.empty())
      return Name;
  // With debug info the names of the IR are clang's: "div.i" is nothing to
  // paste.
  if (I && I->hasName() && !I->getFunction()->getSubprogram())
    return I->getName().str();
  if (auto *Operation = dyn_cast<BinaryOperator>(&V))
    return operation(*Operation, Depth);
  return "";
}

std::string sourceName(const Value &V) { return expressionOf(V, 0); }

/// Whether C++ takes what sourceName() says for an unsigned number.
static bool isUnsigned(const Value &V, unsigned Depth = 0) {
  if (Depth > MaxDepth / 2)
    return false;
  const DIType *Type = nullptr;
  if (auto *A = dyn_cast<Argument>(&V)) {
    if (const DILocalVariable *Variable = parameterOf(*A))
      Type = Variable->getType();
  } else if (const DILocalVariable *Variable = variableOf(V)) {
    Type = Variable->getType();
  } else if (auto *Load = dyn_cast<LoadInst>(&V)) {
    if (std::optional<UniformLoad> Place = uniformLoad(*Load))
      Type = fieldOfLoad(*Place).Type;
  } else if (isa<CastInst>(V) || isa<FreezeInst>(V) || isa<BinaryOperator>(V)) {
    return any_of(cast<User>(V).operands(),
                  [&](const Use &U) { return isUnsigned(*U, Depth + 1); });
  }
  auto *Basic = dyn_cast_or_null<DIBasicType>(withoutTypedefs(Type));
  return Basic && Basic->getSignedness() == DIBasicType::Signedness::Unsigned;
}

std::string signedSourceName(const Value &V) {
  std::string Name = sourceName(V);
  if (Name.empty() || !isUnsigned(V))
    return Name;
  return (V.getType()->isIntegerTy(64) ? "(long long)" : "(int)") + Name;
}

bool isWritable(StringRef Name) {
  return !Name.contains("argument ") && !Name.contains("[byte ") &&
         !Name.contains("the ");
}

std::string sourceName(Intrinsic::ID Register) {
  StringRef Name = Intrinsic::getBaseName(Register);
  if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return "";
  auto [Family, Dimension] = Name.split('.');
  StringRef Spelled = StringSwitch<StringRef>(Family)
                          .Case("ntid", "blockDim.")
                          .Case("nctaid", "gridDim.")
                          .Case("tid", "threadIdx.")
                          .Case("ctaid", "blockIdx.")
                          .Default("");
  return Spelled.empty() ? "" : (Spelled + Dimension).str();
}

} // namespace unravel
