//===- AddressProgram.cpp - How a kernel computes its addresses -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/AddressProgram.h"
#include "analysis/facts/WordProduct.h"
#include "analysis/warps/AddressBuilder.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace unravel {

AddressBuilder::AddressBuilder(KernelAnalyses &Analyses,
                               const BlockShape &Block)
    : With(Analyses), Block(Block),
      Layout(Analyses.Facts.function().getDataLayout()) {}

unsigned AddressBuilder::widthOf(const Type *Ty) const {
  if (Ty->isPointerTy())
    return Layout.getPointerTypeSizeInBits(const_cast<Type *>(Ty));
  return Ty->isIntegerTy() ? Ty->getIntegerBitWidth() : 0;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

unsigned AddressBuilder::emit(AddressOperation::Kind What, unsigned Width,
                              StringRef Name, unsigned Number) {
  AddressOperation O;
  O.What = What;
  O.Width = Width;
  O.Name = Name.str();
  O.Number = Number;
  Program.Operations.push_back(std::move(O));
  return Program.Operations.size() - 1;
}

unsigned AddressBuilder::constant(const APInt &Value) {
  SmallString<24> Text;
  Value.toStringUnsigned(Text);
  auto [It, IsNew] = Constants.try_emplace(
      {Value.getBitWidth(), std::string(Text)}, Program.Operations.size());
  if (IsNew) {
    emit(AddressOperation::Kind::Constant, Value.getBitWidth());
    Program.Operations.back().Constant = Value;
  }
  return It->second;
}

unsigned AddressBuilder::operation(StringRef Name, unsigned Width,
                                   ArrayRef<unsigned> Operands) {
  unsigned Result = emit(AddressOperation::Kind::Compute, Width, Name);
  Program.Operations[Result].Operands.assign(Operands.begin(), Operands.end());
  return Result;
}

unsigned AddressBuilder::input(const Value *V, const Twine &Why, bool MayDiffer,
                               ArrayRef<unsigned> DecidedBy) {
  AddressInput In;
  In.Name = With.nameOf(V);
  In.Width = widthOf(V->getType());
  In.IsBase = V->getType()->isPointerTy();
  In.Why = Why.str();
  In.MayDiffer = MayDiffer;
  if (V->getType()->isIntegerTy() && In.Width <= 64) {
    In.Range = With.Facts.rangeOf(const_cast<Value *>(V), Reading::Signed);
    In.Lattice = With.Facts.latticeOf(const_cast<Value *>(V));
  }
  Program.Inputs.push_back(std::move(In));
  Deciding.emplace_back(DecidedBy.begin(), DecidedBy.end());
  return emit(AddressOperation::Kind::Input, widthOf(V->getType()), "",
              Program.Inputs.size() - 1);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

unsigned AddressBuilder::valueOf(const Value *V) {
  static constexpr unsigned MaxDepth = 200;
  static constexpr unsigned MaxOperations = 20000;
  auto [It, IsNew] = Values.try_emplace(V);
  if (!IsNew && It->second)
    return *It->second;
  unsigned Result;
  if (!IsNew)
    Result = input(V, "it depends on itself", /*MayDiffer=*/true);
  else if (Depth == MaxDepth || Program.Operations.size() > MaxOperations)
    Result = input(V, "it takes too much to compute", /*MayDiffer=*/true);
  else {
    SaveAndRestore Nested(Depth, Depth + 1);
    Result = compute(V);
  }
  Values[V] = Result;
  return Result;
}

unsigned AddressBuilder::valueAt(const Value *V, const BasicBlock *Place) {
  auto *I = dyn_cast<Instruction>(V);
  const Loop *Inner = I ? With.LI.getLoopFor(I->getParent()) : nullptr;
  if (!Inner || Inner->contains(Place))
    return valueOf(V);
  // What scalar evolution knows of the last iteration is exact.
  if (With.SE.isSCEVable(V->getType())) {
    const SCEV *Left = With.SE.getSCEVAtScope(const_cast<Value *>(V),
                                              With.LI.getLoopFor(Place));
    if (std::optional<unsigned> Known = ofSCEV(Left, Place))
      return *Known;
  }
  return input(V, "a loop computes it", /*MayDiffer=*/true);
}

unsigned AddressBuilder::compute(const Value *V) {
  Type *Ty = V->getType();
  if (!Ty->isPointerTy() && !Ty->isIntegerTy())
    return input(V, "it is no integer", /*MayDiffer=*/true);
  if (auto *C = dyn_cast<ConstantInt>(V))
    return constant(C->getValue());
  if (isa<ConstantPointerNull>(V))
    return constant(APInt(widthOf(Ty), 0));
  if (isa<UndefValue>(V))
    return input(V, "it is undef", /*MayDiffer=*/true);
  if (isa<Argument, GlobalVariable>(V))
    return input(V, "", /*MayDiffer=*/false);
  if (auto *GEP = dyn_cast<GEPOperator>(V))
    return address(*GEP);
  if (auto *E = dyn_cast<ConstantExpr>(V)) {
    if (E->isCast())
      return conversion(E->getOpcode(), valueOf(E->getOperand(0)), widthOf(Ty));
    return input(V, "it is a constant expression", /*MayDiffer=*/false);
  }
  if (auto *I = dyn_cast<Instruction>(V))
    return computeInstruction(*I);
  return input(V, "it has no rule", /*MayDiffer=*/true);
}

unsigned AddressBuilder::conversion(unsigned Opcode, unsigned From,
                                    unsigned Width) {
  unsigned Old = widthOf(From);
  if (Old == Width)
    return From;
  bool IsSigned = Opcode == Instruction::SExt;
  return operation(Width < Old ? "trunc"
                   : IsSigned  ? "sext"
                               : "zext",
                   Width, {From});
}

/// Whether the first operand and the result are words, as in all operations
/// that have a rule.
static bool isOfWords(const Instruction &I) {
  auto IsWord = [](const Type *Ty) {
    return Ty->isIntegerTy() || Ty->isPointerTy();
  };
  return IsWord(I.getType()) && all_of(I.operands(), [&](const Use &U) {
           return IsWord(U->getType()) || isa<BasicBlock>(U) ||
                  isa<Function>(U) || isa<MetadataAsValue>(U);
         });
}

unsigned AddressBuilder::computeInstruction(const Instruction &I) {
  const BasicBlock *BB = I.getParent();
  auto Get = [&](unsigned Number) { return valueAt(I.getOperand(Number), BB); };
  if (isa<AllocaInst>(I))
    return input(&I, "it is local memory", /*MayDiffer=*/true);
  if (isa<LoadInst>(I))
    return input(&I, "it is loaded from memory", /*MayDiffer=*/false, {Get(0)});
  if (!isOfWords(I))
    return input(&I, "it depends on what is no integer", /*MayDiffer=*/true);
  if (isa<FreezeInst>(I))
    return Get(0);
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return join(*Phi);
  unsigned Width = widthOf(I.getType());
  if (isa<SelectInst>(I))
    return operation("select", Width, {Get(0), Get(1), Get(2)});
  if (isa<CastInst>(I))
    return conversion(I.getOpcode(), Get(0), Width);
  if (isa<BinaryOperator>(I))
    return operation(I.getOpcodeName(), Width, {Get(0), Get(1)});
  if (auto *Cmp = dyn_cast<ICmpInst>(&I))
    return operation(
        ("icmp " + CmpInst::getPredicateName(Cmp->getPredicate())).str(), 1,
        {Get(0), Get(1)});
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return call(*Call);
  if (auto *Call = dyn_cast<CallBase>(&I))
    if (std::optional<WordProduct> Product = asWordProduct(*Call)) {
      unsigned Extend =
          Product->IsSigned ? Instruction::SExt : Instruction::ZExt;
      return operation("mul", Width,
                       {conversion(Extend, Get(0), Width),
                        conversion(Extend, Get(1), Width)});
    }
  return input(&I,
               isa<CallBase>(I) ? "it is the result of a call"
                                : "its operation has no rule",
               /*MayDiffer=*/true);
}

unsigned AddressBuilder::call(const IntrinsicInst &Call) {
  const BasicBlock *BB = Call.getParent();
  auto Get = [&](unsigned Number) {
    return valueAt(Call.getArgOperand(Number), BB);
  };
  unsigned Width = widthOf(Call.getType());
  StringRef Name = Call.getCalledFunction()->getName();
  switch (Call.getIntrinsicID()) {
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::smin:
  case Intrinsic::smax:
    return operation(
        Intrinsic::getBaseName(Call.getIntrinsicID()).drop_front(5), Width,
        {Get(0), Get(1)});
  case Intrinsic::abs:
    return operation("abs", Width, {Get(0)});
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return operation(Call.getIntrinsicID() == Intrinsic::fshl ? "fshl" : "fshr",
                     Width, {Get(0), Get(1), Get(2)});
  case Intrinsic::expect:
  case Intrinsic::ssa_copy:
    return Get(0);
  default:
    break;
  }
  auto [Before, Register] = Name.split("llvm.nvvm.read.ptx.sreg.");
  bool IsKnown =
      Before.empty() && StringSwitch<bool>(Register)
                            .Cases({"tid.x", "tid.y", "tid.z"}, true)
                            .Cases({"ntid.x", "ntid.y", "ntid.z"}, true)
                            .Cases({"ctaid.x", "ctaid.y", "ctaid.z"}, true)
                            .Cases({"nctaid.x", "nctaid.y", "nctaid.z"}, true)
                            .Cases({"laneid", "warpsize"}, true)
                            .Default(false);
  if (IsKnown)
    return emit(AddressOperation::Kind::Register, Width, Register);
  if (Call.isConvergent() || Call.mayReadOrWriteMemory())
    return input(&Call, "it is the result of " + Name, /*MayDiffer=*/true);
  SmallVector<unsigned, 3> Operands;
  for (unsigned A = 0; A < Call.arg_size(); ++A)
    Operands.push_back(Get(A));
  return input(&Call, Name + " has no rule", /*MayDiffer=*/false, Operands);
}

unsigned AddressBuilder::address(const GEPOperator &GEP) {
  if (!GEP.getType()->isPointerTy())
    return input(&GEP, "it is a vector of addresses", /*MayDiffer=*/true);
  auto *I = dyn_cast<Instruction>(&GEP);
  auto Get = [&](const Value *V) {
    return I ? valueAt(V, I->getParent()) : valueOf(V);
  };
  unsigned Width = Layout.getIndexTypeSizeInBits(GEP.getType());
  SmallMapVector<Value *, APInt, 4> Scaled;
  APInt Bytes(Width, 0);
  if (Width != widthOf(GEP.getType()) ||
      !GEP.collectOffset(Layout, Width, Scaled, Bytes))
    return input(&GEP, "its indices have no rule", /*MayDiffer=*/true);
  unsigned Sum = Get(GEP.getPointerOperand());
  for (const auto &[Index, Scale] : Scaled) {
    unsigned Term = conversion(Instruction::SExt, Get(Index), Width);
    if (!Scale.isOne())
      Term = operation("mul", Width, {Term, constant(Scale)});
    Sum = operation("add", Width, {Sum, Term});
  }
  return Bytes.isZero() ? Sum : operation("add", Width, {Sum, constant(Bytes)});
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void AddressBuilder::add(const MemoryAccess &Access) {
  AccessProgram P;
  const BasicBlock *BB = Access.Instruction->getParent();
  if (Access.Pointer && With.DT.isReachableFromEntry(BB) &&
      widthOf(Access.Pointer->getType())) {
    unsigned Address = valueAt(Access.Pointer, BB);
    if (Access.Offset)
      Address = operation(
          "add", widthOf(Address),
          {Address,
           constant(APInt(64, Access.Offset).zextOrTrunc(widthOf(Address)))});
    P.Address = Address;
    const Activity &A = activityOf(BB);
    P.Guards = A.Guards;
    P.UnknownGuards = A.Unknown;
  }
  Program.Accesses.push_back(std::move(P));
}

/// Which inputs and operations may differ between the lanes of a warp. What
/// goes round in loops is the same until something says otherwise.
void AddressBuilder::findDifferences() {
  Differs.assign(Program.Operations.size(), false);
  auto OfRegister = [&](StringRef Name) {
    if (Name == "tid.y")
      return Block.X % LanesPerWarp != 0;
    if (Name == "tid.z")
      return Block.X * Block.Y % LanesPerWarp != 0;
    return Name == "tid.x" || Name == "laneid";
  };
  bool IsChanged = true;
  while (IsChanged) {
    IsChanged = false;
    for (auto [Number, O] : enumerate(Program.Operations)) {
      bool May = any_of(O.Operands, [&](unsigned Of) { return Differs[Of]; });
      if (O.What == AddressOperation::Kind::Register)
        May = OfRegister(O.Name);
      if (O.What == AddressOperation::Kind::Input) {
        AddressInput &In = Program.Inputs[O.Number];
        In.MayDiffer |= any_of(Deciding[O.Number],
                               [&](unsigned Of) { return Differs[Of]; });
        May = In.MayDiffer;
      }
      IsChanged |= May && !Differs[Number];
      Differs[Number] = Differs[Number] || May;
    }
  }
}

/// An input that lanes may differ in, if \p Operation depends on one.
std::optional<unsigned>
AddressBuilder::differingInput(unsigned Operation) const {
  SmallVector<unsigned, 16> Stack = {Operation};
  DenseSet<unsigned> Seen;
  while (!Stack.empty()) {
    unsigned Number = Stack.pop_back_val();
    if (!Differs[Number] || !Seen.insert(Number).second)
      continue;
    const AddressOperation &O = Program.Operations[Number];
    if (O.What == AddressOperation::Kind::Input)
      return O.Number;
    append_range(Stack, O.Operands);
  }
  return std::nullopt;
}

/// Keeps what addresses, guards and last iterations need.
void AddressBuilder::prune() {
  std::vector<bool> IsNeeded(Program.Operations.size());
  std::vector<bool> HasInput(Program.Inputs.size());
  auto Need = [&](std::optional<unsigned> Number) {
    if (Number)
      IsNeeded[*Number] = true;
  };
  for (const AccessProgram &P : Program.Accesses) {
    Need(P.Address);
    for (unsigned Guard : P.Guards)
      Need(Guard);
  }
  for (const AddressLoop &L : Program.Loops)
    Need(L.Last);
  for (size_t N = Program.Operations.size(); N-- > 0;)
    if (IsNeeded[N]) {
      const AddressOperation &O = Program.Operations[N];
      for (unsigned Of : O.Operands)
        IsNeeded[Of] = true;
      if (O.What == AddressOperation::Kind::Input)
        HasInput[O.Number] = true;
    }
  std::vector<unsigned> NewNumbers(Program.Operations.size());
  std::vector<unsigned> NewInputs(Program.Inputs.size());
  std::vector<AddressInput> Inputs;
  for (auto [Number, In] : enumerate(Program.Inputs)) {
    NewInputs[Number] = Inputs.size();
    if (HasInput[Number])
      Inputs.push_back(std::move(In));
  }
  std::vector<AddressOperation> Operations;
  for (auto [Number, O] : enumerate(Program.Operations)) {
    NewNumbers[Number] = Operations.size();
    if (!IsNeeded[Number])
      continue;
    for (unsigned &Of : O.Operands)
      Of = NewNumbers[Of];
    if (O.What == AddressOperation::Kind::Input)
      O.Number = NewInputs[O.Number];
    Operations.push_back(std::move(O));
  }
  auto Renumber = [&](std::optional<unsigned> &Number) {
    if (Number)
      Number = NewNumbers[*Number];
  };
  for (AccessProgram &P : Program.Accesses) {
    Renumber(P.Address);
    for (unsigned &Guard : P.Guards)
      Guard = NewNumbers[Guard];
  }
  for (AddressLoop &L : Program.Loops)
    Renumber(L.Last);
  Program.Operations = std::move(Operations);
  Program.Inputs = std::move(Inputs);
}

KernelProgram AddressBuilder::finish() {
  findDifferences();
  for (AccessProgram &P : Program.Accesses)
    erase_if(P.Guards, [&](unsigned Guard) {
      std::optional<unsigned> In = differingInput(Guard);
      if (In)
        P.UnknownGuards.push_back("a condition depends on " +
                                  Program.Inputs[*In].Name + ": " +
                                  Program.Inputs[*In].Why);
      return In.has_value();
    });
  for (AddressLoop &L : Program.Loops)
    if (L.Last && differingInput(*L.Last))
      L.Last = std::nullopt;
  prune();
  return std::move(Program);
}

KernelProgram programOf(ArrayRef<MemoryAccess> Accesses, Function &F,
                        FunctionAnalysisManager &AM, const BlockShape &Block) {
  KernelAnalyses Analyses(F, AM);
  AddressBuilder Builder(Analyses, Block);
  for (const MemoryAccess &Access : Accesses)
    Builder.add(Access);
  return Builder.finish();
}

} // namespace unravel
