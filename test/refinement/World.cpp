//===- World.cpp - What both versions of a function share -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "World.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

World::World(z3::context &C, const Function &F)
    : C(C), F(F), DL(F.getParent()->getDataLayout()) {}

void World::giveUp(const Twine &Reason) {
  if (Unsupported.empty())
    Unsupported = Reason.str();
}

void World::ignoreFact(const Twine &What) {
  if (IgnoredFact.empty())
    IgnoredFact = What.str();
}

//===----------------------------------------------------------------------===//
// Types and variables
//===----------------------------------------------------------------------===//

std::vector<Type *> World::scalars(Type *Ty) {
  static constexpr unsigned MaxLanes = 64;
  std::vector<Type *> Result;
  auto Append = [&](Type *Element, uint64_t Count) {
    std::vector<Type *> Inner = scalars(Element);
    if (Inner.size() * Count > MaxLanes)
      return giveUp("a value with more than 64 scalars");
    while (Count--)
      Result.insert(Result.end(), Inner.begin(), Inner.end());
  };
  if (auto *Vector = dyn_cast<FixedVectorType>(Ty))
    Append(Vector->getElementType(), Vector->getNumElements());
  else if (auto *Array = dyn_cast<ArrayType>(Ty))
    Append(Array->getElementType(), Array->getNumElements());
  else if (auto *Struct = dyn_cast<StructType>(Ty))
    for (Type *Element : Struct->elements())
      Append(Element, 1);
  else if (Ty->isIntegerTy() || Ty->isFloatingPointTy() || Ty->isPointerTy())
    Result.push_back(Ty);
  else if (!Ty->isVoidTy() && !Ty->isMetadataTy() && !Ty->isLabelTy())
    giveUp("a value of an unusual type");
  return Result;
}

unsigned World::widthOf(Type *Scalar) const {
  return DL.getTypeSizeInBits(Scalar).getFixedValue();
}

expr World::variable(const Twine &Name, unsigned Width) {
  auto [It, IsNew] =
      Variables.try_emplace(Name.str(), C.bv_const(Name.str().c_str(), Width));
  if (IsNew)
    Inputs.push_back(*It);
  return It->second;
}

expr World::condition(const Twine &Name) {
  auto [It, IsNew] =
      Variables.try_emplace(Name.str(), C.bool_const(Name.str().c_str()));
  if (IsNew)
    Inputs.push_back(*It);
  return It->second;
}

SymbolicValue World::unknown(Type *Ty, const Twine &Name, bool NeverPoison) {
  SymbolicValue Result;
  std::vector<Type *> Scalars = scalars(Ty);
  for (size_t I = 0; I < Scalars.size(); ++I) {
    std::string Lane = Name.str();
    if (Scalars.size() > 1)
      Lane += "." + std::to_string(I);
    expr Poison =
        NeverPoison ? C.bool_val(false) : condition(Lane + " is poison");
    unsigned Width = widthOf(Scalars[I]);
    bool IsNew = !Variables.count(Lane);
    expr Bits = variable(Lane, Width);
    std::optional<Object> Memory;
    if (Scalars[I]->isPointerTy()) {
      Memory = Object{variable(Lane + " object", 32),
                      variable(Lane + " object's begin", Width),
                      variable(Lane + " object's size", Width)};
      if (IsNew) {
        // No object wraps around or is larger than half of the address space.
        expr Half = number(C, APInt::getSignedMinValue(Width));
        Axioms.push_back(z3::ult(Memory->Size, Half));
        Axioms.push_back(
            z3::ule(zeroExtend(Memory->Base, Width + 1) +
                        zeroExtend(Memory->Size, Width + 1),
                    number(C, APInt::getLowBitsSet(Width + 1, Width))));
      }
    }
    Result.push_back({Bits, Poison, Memory});
  }
  return Result;
}

SymbolicValue World::poison(Type *Ty) {
  SymbolicValue Result;
  for (Type *Scalar : scalars(Ty)) {
    expr Zero = number(C, 0, widthOf(Scalar));
    std::optional<Object> Memory;
    if (Scalar->isPointerTy())
      Memory = Object{number(C, 0, 32), Zero, Zero};
    Result.push_back({Zero, C.bool_val(true), Memory});
  }
  return Result;
}

expr World::apply(const std::string &Name, const z3::sort &Result,
                  const z3::expr_vector &Arguments) {
  if (Arguments.empty())
    return Result.is_bool() ? condition(Name)
                            : variable(Name, Result.bv_size());
  z3::sort_vector Sorts(C);
  std::string Signature = Name;
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    z3::sort S = Arguments[I].get_sort();
    Sorts.push_back(S);
    Signature += S.is_bool() ? ":b" : ":" + std::to_string(S.bv_size());
  }
  return C.function(Signature.c_str(), Sorts, Result)(Arguments);
}

SymbolicValue World::returned(const Twine &Function, Type *Ty,
                              ArrayRef<SymbolicValue> Arguments) {
  std::string Known = NotLookedInto;
  // A function may do without an argument that is poison.
  SymbolicValue Result = opaque(Function, Ty, Arguments, /*Propagates=*/false);
  NotLookedInto = Known;
  setFree(Result);
  return Result;
}

void World::setFree(const SymbolicValue &Result) {
  for (const Lane &L : Result) {
    FreeResults.push_back(L.Bits);
    FreeResults.push_back(L.Poison);
    if (L.Memory)
      FreeResults.insert(FreeResults.end(),
                         {L.Memory->Id, L.Memory->Base, L.Memory->Size});
  }
}

SymbolicValue World::opaque(const Twine &Operation, Type *Ty,
                            ArrayRef<SymbolicValue> Operands, bool Propagates) {
  if (NotLookedInto.empty() && !Operands.empty())
    NotLookedInto = Operation.str();
  z3::expr_vector Arguments(C);
  expr AnyPoison = C.bool_val(false);
  for (const SymbolicValue &Operand : Operands)
    for (const Lane &L : Operand) {
      Arguments.push_back(L.Bits);
      if (L.Memory)
        Arguments.push_back(L.Memory->Id);
      if (!Propagates)
        Arguments.push_back(L.Poison);
      AnyPoison = either(AnyPoison, L.Poison);
    }
  SymbolicValue Result;
  std::vector<Type *> Scalars = scalars(Ty);
  for (size_t I = 0; I < Scalars.size(); ++I) {
    std::string Name = (Operation + "#" + Twine(I)).str();
    unsigned Width = widthOf(Scalars[I]);
    z3::sort Bits = C.bv_sort(Width);
    expr MadePoison = apply(Name + " is poison", C.bool_sort(), Arguments);
    std::optional<Object> Memory;
    if (Scalars[I]->isPointerTy())
      Memory = Object{apply(Name + " object", C.bv_sort(32), Arguments),
                      apply(Name + " begin", Bits, Arguments),
                      apply(Name + " size", Bits, Arguments)};
    Result.push_back({apply(Name, Bits, Arguments),
                      Propagates ? either(AnyPoison, MadePoison) : MadePoison,
                      Memory});
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Arguments and constants
//===----------------------------------------------------------------------===//

SymbolicValue World::argument(const Argument &A) {
  std::string Name = A.hasName() ? ("%" + A.getName()).str()
                                 : "%arg" + std::to_string(A.getArgNo());
  bool IsNew = !Variables.count(Name);
  bool NeverPoison = A.hasAttribute(Attribute::NoUndef);
  SymbolicValue Result = unknown(A.getType(), Name, NeverPoison);
  if (!IsNew || Result.size() != 1)
    return Result;
  // An attribute that does not hold makes the value poison, and passing poison
  // as noundef is undefined before the function begins.
  Lane &L = Result.front();
  expr Holds = C.bool_val(true);
  if (std::optional<ConstantRange> Range = A.getRange())
    Holds =
        both(Holds, z3::ult(L.Bits - number(C, Range->getLower()),
                            number(C, Range->getUpper() - Range->getLower())));
  if (A.getType()->isPointerTy()) {
    unsigned Width = unravel::refinement::widthOf(L.Bits);
    if (MaybeAlign Alignment = A.getParamAlign())
      Holds =
          both(Holds, equal(L.Bits & number(C, Alignment->value() - 1, Width),
                            number(C, 0, Width)));
    if (A.hasAttribute(Attribute::NonNull))
      Holds = both(Holds, negate(equal(L.Bits, number(C, 0, Width))));
    if (A.getDereferenceableBytes() || A.getDereferenceableOrNullBytes() ||
        A.hasByValAttr())
      ignoreFact("dereferenceable or byval argument");
  }
  if (A.hasAttribute(Attribute::NoFPClass))
    ignoreFact("nofpclass");
  if (!Holds.is_true())
    Axioms.push_back(either(L.Poison, Holds));
  return Result;
}

SymbolicValue World::constant(const Constant &V) {
  Type *Ty = V.getType();
  if (isa<PoisonValue>(V))
    return poison(Ty);
  if (isa<UndefValue>(V)) {
    giveUp("undef in the code");
    return poison(Ty);
  }
  expr False = C.bool_val(false);
  if (auto *Int = dyn_cast<ConstantInt>(&V); Int && Ty->isIntegerTy())
    return {{number(C, Int->getValue()), False, std::nullopt}};
  if (auto *FP = dyn_cast<ConstantFP>(&V); FP && Ty->isFloatingPointTy())
    return {
        {number(C, FP->getValueAPF().bitcastToAPInt()), False, std::nullopt}};
  if (isa<ConstantPointerNull>(V)) {
    expr Zero = number(C, 0, widthOf(Ty));
    return {{Zero, False, Object{number(C, 0, 32), Zero, Zero}}};
  }
  if (auto *G = dyn_cast<GlobalValue>(&V)) {
    std::string Name = ("@" + G->getName()).str();
    bool IsNew = !Variables.count(Name);
    SymbolicValue Result = unknown(Ty, Name, /*NeverPoison=*/true);
    if (!IsNew)
      return Result;
    Lane &L = Result.front();
    Axioms.push_back(L.Bits == L.Memory->Base);
    Axioms.push_back(L.Memory->Id == number(C, ++Objects, 32));
    unsigned Width = widthOf(Ty);
    if (auto *Variable = dyn_cast<GlobalVariable>(G)) {
      Align Alignment = Variable->getPointerAlignment(DL);
      Axioms.push_back((L.Bits & number(C, Alignment.value() - 1, Width)) ==
                       number(C, 0, Width));
      expr Least =
          number(C, DL.getTypeAllocSize(Variable->getValueType()), Width);
      Axioms.push_back(Variable->isDeclaration()
                           ? z3::uge(L.Memory->Size, Least)
                           : L.Memory->Size == Least);
    }
    return Result;
  }
  SymbolicValue Result;
  unsigned Elements = 0;
  if (auto *Vector = dyn_cast<FixedVectorType>(Ty))
    Elements = Vector->getNumElements();
  else if (Ty->isAggregateType())
    Elements = Ty->isArrayTy() ? Ty->getArrayNumElements()
                               : Ty->getStructNumElements();
  for (unsigned I = 0; I < Elements; ++I) {
    const Constant *Element = V.getAggregateElement(I);
    if (!Element)
      break;
    SymbolicValue Lanes = constant(*Element);
    Result.insert(Result.end(), Lanes.begin(), Lanes.end());
  }
  if (Result.size() != scalars(Ty).size()) {
    giveUp("an unusual constant");
    return poison(Ty);
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

static constexpr StringLiteral RegisterPrefix = "llvm.nvvm.read.ptx.sreg.";

static SmallVector<uint64_t, 3> dimensions(const Function &F, StringRef Name) {
  SmallVector<uint64_t, 3> Result;
  SmallVector<StringRef, 3> Parts;
  if (F.hasFnAttribute(Name))
    F.getFnAttribute(Name).getValueAsString().split(Parts, ',');
  for (StringRef Part : Parts) {
    uint64_t N;
    if (Part.trim().getAsInteger(10, N) || !isUInt<31>(N))
      return {};
    Result.push_back(N);
  }
  return Result;
}

/// The product of the sizes in \p Dimensions, as far as it matters.
static uint64_t threads(ArrayRef<uint64_t> Dimensions) {
  uint64_t Product = 1;
  for (uint64_t N : Dimensions)
    Product = std::min<uint64_t>(Product * N, 0x7fffffff);
  return Product;
}

/// The limits of the programming model (CUDA C++ Programming Guide): a block
/// has at most 1024 x 1024 x 64 threads and 1024 in all, a grid at most
/// 2^31 - 1 x 65535 x 65535 blocks.
void World::addLaunchFacts(unsigned D) {
  static constexpr uint64_t MaxBlock[] = {1024, 1024, 64};
  static constexpr uint64_t MaxGrid[] = {0x7fffffff, 65535, 65535};
  if (HasLaunchFacts[D])
    return;
  HasLaunchFacts[D] = true;
  std::string Axis(1, "xyz"[D]);
  expr Tid = variable("tid." + Axis, 32), Ntid = variable("ntid." + Axis, 32);
  expr Ctaid = variable("ctaid." + Axis, 32);
  expr Nctaid = variable("nctaid." + Axis, 32);
  auto AtMost = [&](const expr &E, uint64_t Limit) {
    Axioms.push_back(z3::ule(E, number(C, Limit, 32)));
  };
  SmallVector<uint64_t, 3> Required = dimensions(F, "nvvm.reqntid");
  SmallVector<uint64_t, 3> Most = dimensions(F, "nvvm.maxntid");
  uint64_t Block = MaxBlock[D];
  if (!Required.empty()) {
    Block = D < Required.size() ? Required[D] : 1;
    Axioms.push_back(Ntid == number(C, Block, 32));
  } else if (!Most.empty()) {
    Block = std::min(Block, threads(Most));
  }
  AtMost(Ntid, Block);
  AtMost(Nctaid, MaxGrid[D]);
  SmallVector<uint64_t, 3> Cluster = dimensions(F, "nvvm.cluster_dim");
  if (!Cluster.empty() && !is_contained(Cluster, 0u)) {
    uint64_t Blocks = D < Cluster.size() ? Cluster[D] : 1;
    Axioms.push_back(z3::urem(Nctaid, number(C, Blocks, 32)) ==
                     number(C, 0, 32));
    AtMost(variable("cluster.ctaid." + Axis, 32), Blocks - 1);
    Axioms.push_back(variable("cluster.nctaid." + Axis, 32) ==
                     number(C, Blocks, 32));
  }
  AtMost(Tid, Block - 1);
  AtMost(Ctaid, MaxGrid[D] - 1);
  Axioms.push_back(z3::ult(Tid, Ntid));
  Axioms.push_back(z3::ult(Ctaid, Nctaid));
  // Two dimensions that share the threads of a block.
  uint64_t Limit =
      Most.empty() ? 1024 : std::min<uint64_t>(1024, threads(Most));
  for (unsigned Other = 0; Other < 3; ++Other)
    if (Other != D && HasLaunchFacts[Other] && Required.empty())
      Axioms.push_back(z3::ule(
          zeroExtend(Ntid, 64) *
              zeroExtend(variable(Twine("ntid.") + Twine("xyz"[Other]), 32),
                         64),
          number(C, Limit, 64)));
}

std::optional<SymbolicValue> World::specialRegister(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->getName().starts_with(RegisterPrefix) ||
      !Call.getType()->isIntegerTy(32) || Call.arg_size())
    return std::nullopt;
  StringRef Name = Callee->getName().drop_front(RegisterPrefix.size());
  // Clocks and counters are not constant; the rest is for a thread.
  if (!Call.doesNotAccessMemory())
    return std::nullopt;
  static constexpr StringLiteral Dimensional[] = {
      "tid.",    "ntid.",          "ctaid.",
      "nctaid.", "cluster.ctaid.", "cluster.nctaid."};
  size_t Axis = StringRef("xyz").find(Name.back());
  if (Axis != StringRef::npos && is_contained(Dimensional, Name.drop_back()))
    addLaunchFacts(Axis);
  return SymbolicValue{{variable(Name, 32), C.bool_val(false), std::nullopt}};
}

} // namespace unravel::refinement
