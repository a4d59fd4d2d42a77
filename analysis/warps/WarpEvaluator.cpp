//===- WarpEvaluator.cpp - IR values in the lanes of a warp ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/warps/WarpEvaluator.h"
#include "analysis/facts/SpecialRegisters.h"
#include "analysis/facts/WordProduct.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// cudaMalloc aligns to this (CUDA C++ Programming Guide, "Size and Alignment
/// Requirement"): what is assumed of pointers among the arguments.
static constexpr int64_t ArgumentAlignment = 256;

WarpEvaluator::WarpEvaluator(KernelAnalyses &Analyses, const BlockShape &Block,
                             WarpSymbols &Symbols, unsigned Steps)
    : With(Analyses), Block(Block), Symbols(Symbols),
      Layout(Analyses.Facts.function().getDataLayout()), StepsLeft(Steps),
      StepsAtStart(Steps) {}

void WarpEvaluator::startWarp(unsigned W, const BasicBlock *At) {
  Warp = W;
  Place = At;
  Depth = 0;
  Values.clear();
  Order.clear();
  Assumptions.clear();
  HasUnknownGuard = false;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

WarpValue WarpEvaluator::unknown(const Twine &Why) const {
  WarpValue V;
  V.Unknown = Why.str();
  return V;
}

WarpValue WarpEvaluator::known(std::optional<WarpForm> Form, unsigned Width,
                               bool IsExactSigned, bool IsExactUnsigned) const {
  if (!Form)
    return unknown("its arithmetic leaves 64 bits");
  WarpValue V;
  V.Form = std::move(*Form);
  V.Width = Width;
  V.IsExactSigned = IsExactSigned;
  V.IsExactUnsigned = IsExactUnsigned;
  return V;
}

unsigned WarpEvaluator::widthOf(const Type *Ty) const {
  if (Ty->isPointerTy())
    return Layout.getPointerTypeSizeInBits(const_cast<Type *>(Ty));
  return Ty->isIntegerTy() ? Ty->getIntegerBitWidth() : 0;
}

WarpValue WarpEvaluator::uniform(const Value *V) {
  unsigned Width = widthOf(V->getType());
  auto Properties = [&] {
    WarpSymbols::Symbol S;
    S.Name = With.nameOf(V);
    if (V->getType()->isIntegerTy()) {
      S.Range = With.Facts.rangeOf(const_cast<Value *>(V), Reading::Signed);
      S.Range = S.Range.intersect(guardedRange(
          [&](const Value *Other) { return Other == V; }, /*IsSigned=*/true));
      Congruence Lattice = With.Facts.latticeOf(const_cast<Value *>(V));
      if (Lattice.modulus() > 1) {
        S.Scale = Lattice.modulus();
        S.Residue = Lattice.residue();
      } else if (isa<Argument>(V)) {
        // What is assumed at the entry holds for the launch.
        const BasicBlock &Entry = With.Facts.function().getEntryBlock();
        SimplifyQuery AtEntry(Layout, &With.DT, &With.AC,
                              Entry.getTerminator());
        unsigned Zeros = computeKnownBits(V, AtEntry).countMinTrailingZeros();
        S.Scale = int64_t(1) << std::min({Zeros, Width - 1, 30u});
      }
    }
    return S;
  };
  unsigned S = Symbols.symbolOf({V, Plain}, Properties);
  // A fact may say what it is.
  if (Interval Range = Symbols[S].Range; Range.isPoint())
    return known(WarpForm::constant(Range.lo()), Width, true, Range.lo() >= 0);
  return known(Symbols.formOf(S), Width, true, false);
}

/// A pointer of unknown value; \p Alignment is a power of two.
WarpValue WarpEvaluator::pointerSymbol(const Value *V, int64_t Alignment) {
  unsigned S = Symbols.symbolOf({V, Plain}, [&] {
    WarpSymbols::Symbol Pointer;
    Pointer.Name = With.nameOf(V);
    Pointer.Scale = Alignment;
    return Pointer;
  });
  return known(Symbols.formOf(S), 64, true, true);
}

const WarpValue &WarpEvaluator::valueOf(const Value *V) {
  auto It = Values.find(V);
  if (It != Values.end())
    return *It->second;
  WarpValue Result;
  if (Symbols.needsRestart())
    Result = unknown("a restart");
  else if (StepsLeft == 0 || Depth == MaxDepth)
    Result = unknown("it takes too much to compute");
  else {
    --StepsLeft;
    SaveAndRestore Nested(Depth, Depth + 1);
    Result = compute(V);
    shareExactForm(V, Result);
    // What it was copied from may have others.
    Result.Ways.clear();
    if (!Result.isKnown() && !Symbols.needsRestart())
      Result.Ways = waysOf(V);
  }
  Order.push_back(V);
  return *(Values[V] = std::make_unique<WarpValue>(std::move(Result)));
}

/// The reading in which a use of \p V asks for the number, if one does.
static std::optional<Reading> readingOfUses(const Value *V) {
  static constexpr unsigned MaxUses = 32;
  unsigned Uses = 0;
  for (const User *U : V->users()) {
    if (++Uses > MaxUses)
      return std::nullopt;
    switch (Operator::getOpcode(U)) {
    case Instruction::SDiv:
    case Instruction::SRem:
    case Instruction::AShr:
    case Instruction::SExt:
    case Instruction::GetElementPtr:
      return Reading::Signed;
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::LShr:
    case Instruction::ZExt:
      return Reading::Unsigned;
    default:
      break;
    }
  }
  return std::nullopt;
}

/// All uses of a value that may wrap see the same symbol if one of them needs
/// the number: i - 75 * (i / 75) is then a form over one symbol.
void WarpEvaluator::shareExactForm(const Value *V, WarpValue &Result) {
  if (!Result.isKnown() || Result.IsExactSigned || Result.IsExactUnsigned ||
      Result.Form.isConcrete() || !V->getType()->isIntegerTy() ||
      !isa<Instruction>(V))
    return;
  std::optional<Reading> R = readingOfUses(V);
  if (!R)
    return;
  bool IsSigned = *R == Reading::Signed;
  if (std::optional<WarpForm> Form =
          exact(V, V, Result, IsSigned, /*MayAssume=*/false)) {
    Result.Form = std::move(*Form);
    (IsSigned ? Result.IsExactSigned : Result.IsExactUnsigned) = true;
  }
}

/// Operand \p Number of \p User. What a loop computes is not the same in all
/// lanes behind it unless they leave it together.
WarpValue WarpEvaluator::operand(const Instruction &User, unsigned Number) {
  const Value *V = User.getOperand(Number);
  if (auto *I = dyn_cast<Instruction>(V)) {
    const Loop *Inner = With.LI.getLoopFor(I->getParent());
    for (; Inner && !Inner->contains(User.getParent());
         Inner = Inner->getParentLoop())
      if (!leavesTogether(*Inner)) {
        WarpValue Result =
            unknown("it is computed in a loop (" + With.nameOf(V) +
                    ") that lanes may leave at different times");
        Result.LoopThatLanesLeave = With.nameOf(V);
        return Result;
      }
  }
  return valueOf(V);
}

bool WarpEvaluator::leavesTogether(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return all_of(Exiting, [&](BasicBlock *BB) {
    auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch)
      return false;
    return !Branch->isConditional() ||
           !conditionOfBranch(Branch->getCondition()).MayDiffer;
  });
}

WarpValue WarpEvaluator::compute(const Value *V) {
  Type *Ty = V->getType();
  if (Ty->isFloatingPointTy()) {
    WarpValue Number = isa<ConstantFP>(V) ? uniform(V)
                       : isa<Argument>(V) ? uniform(V)
                       : isa<Instruction>(V)
                           ? computeInstruction(*cast<Instruction>(V))
                           : unknown("");
    if (Number.IsLoaded || (Number.isKnown() && Number.Form.isUniform()))
      return Number;
    return unknown("it depends on " + With.nameOf(V) + ", which is no integer");
  }
  if (!Ty->isPointerTy() && !(Ty->isIntegerTy() && widthOf(Ty) <= 64))
    return unknown("it depends on " + With.nameOf(V) + ", which is no integer");
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    bool FitsUnsigned = !C->isNegative();
    return known(WarpForm::constant(C->getSExtValue()), widthOf(Ty), true,
                 FitsUnsigned);
  }
  if (isa<UndefValue>(V))
    return unknown("it is undef");
  if (isa<ConstantPointerNull>(V))
    return number(WarpForm::constant(0), 64);
  if (auto *A = dyn_cast<Argument>(V)) {
    if (!Ty->isPointerTy())
      return uniform(A);
    int64_t Alignment = A->hasByValAttr()
                            ? A->getParamAlign().valueOrOne().value()
                            : ArgumentAlignment;
    if (Alignment == ArgumentAlignment)
      assume(With.nameOf(A) + " is aligned to 256 bytes, as cudaMalloc does");
    return pointerSymbol(A, Alignment);
  }
  if (auto *G = dyn_cast<GlobalVariable>(V))
    return pointerSymbol(G, G->getPointerAlignment(Layout).value());
  if (auto *E = dyn_cast<ConstantExpr>(V)) {
    if (auto *GEP = dyn_cast<GEPOperator>(E))
      return address(*GEP);
    if (E->isCast() && (E->getOpcode() == Instruction::AddrSpaceCast ||
                        E->getOpcode() == Instruction::PtrToInt ||
                        E->getOpcode() == Instruction::IntToPtr)) {
      WarpValue Result = valueOf(E->getOperand(0));
      Result.Width = widthOf(Ty);
      return Result;
    }
    return unknown("it depends on a constant expression");
  }
  if (auto *I = dyn_cast<Instruction>(V))
    return computeInstruction(*I);
  return unknown("it depends on " + With.nameOf(V));
}

WarpValue WarpEvaluator::computeInstruction(const Instruction &I) {
  if (auto *GEP = dyn_cast<GEPOperator>(&I))
    return address(*GEP);
  if (isa<AllocaInst>(I))
    return unknown("it is local memory");
  if (isa<LoadInst>(I))
    return load(I);
  if (isa<FreezeInst>(I))
    return operand(I, 0);
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return join(*Phi);
  if (isa<SelectInst>(I))
    return select(I);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return specialRegister(*Call);
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (std::optional<WordProduct> Product = asWordProduct(*Call))
      return wordProduct(*Call, Product->IsSigned);
    return unknown(Call->isInlineAsm() ? "it depends on inline assembly"
                                       : "it depends on the result of a call");
  }
  return arithmetic(I);
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

WarpValue WarpEvaluator::load(const Instruction &I) {
  const Value *Pointer = I.getOperand(0);
  WarpValue Address = operand(I, 0);
  bool IsShared = Address.isKnown() && Address.Form.isUniform();
  bool IsOnStack = isa<AllocaInst>(getUnderlyingObject(Pointer));
  if (!IsShared || IsOnStack) {
    WarpValue Result = unknown("it depends on a value loaded from memory (" +
                               With.nameOf(&I) + ")");
    Result.IsLoaded = !IsOnStack;
    return Result;
  }
  if (!I.getType()->isPointerTy())
    return uniform(&I);
  // A pointer in the arguments of the kernel is as good as an argument.
  auto *Base = dyn_cast<Argument>(getUnderlyingObject(Pointer));
  if (Base && Base->hasByValAttr()) {
    assume(With.nameOf(&I) + " is aligned to 256 bytes, as cudaMalloc does");
    return pointerSymbol(&I, ArgumentAlignment);
  }
  return pointerSymbol(&I, I.getMetadata(LLVMContext::MD_align)
                               ? I.getPointerAlignment(Layout).value()
                               : 1);
}

WarpValue WarpEvaluator::specialRegister(const IntrinsicInst &Call) {
  unsigned Width = widthOf(Call.getType());
  auto OfThread = [&](function_ref<int64_t(unsigned)> Of) {
    WarpForm Form;
    for (unsigned L = 0; L < LanesPerWarp; ++L)
      // Lanes beyond the block are inactive; their numbers are not used.
      Form.Constants[L] =
          Of(std::min(Warp * LanesPerWarp + L, Block.threads() - 1));
    return number(Form, Width);
  };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return OfThread([&](unsigned T) { return T % Block.X; });
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return OfThread([&](unsigned T) { return T / Block.X % Block.Y; });
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return OfThread([&](unsigned T) { return T / Block.X / Block.Y; });
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return OfThread([&](unsigned T) { return T % LanesPerWarp; });
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return number(WarpForm::constant(Block.X), Width);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return number(WarpForm::constant(Block.Y), Width);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return number(WarpForm::constant(Block.Z), Width);
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return number(WarpForm::constant(LanesPerWarp), Width);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z: {
    // Two reads of one register are one symbol.
    unsigned S = Symbols.symbolOf({nullptr, Call.getIntrinsicID()}, [&] {
      WarpSymbols::Symbol Register;
      Register.Name =
          Call.getCalledFunction()->getName().rsplit("sreg.").second.str();
      Register.Range = launchRange(&Call).value_or(Interval::atLeast(0));
      // The index of a block is below the number of blocks.
      auto RangeOf = [&](Intrinsic::ID ID) {
        return guardedRange(
            [&](const Value *V) {
              auto *Other = dyn_cast<IntrinsicInst>(V);
              return Other && Other->getIntrinsicID() == ID;
            },
            /*IsSigned=*/false);
      };
      Register.Range = Register.Range.intersect(RangeOf(Call.getIntrinsicID()));
      Intrinsic::ID Bound = boundingRegister(Call.getIntrinsicID());
      if (Bound != Intrinsic::not_intrinsic)
        Register.Range = Register.Range.intersect(
            RangeOf(Bound) + Interval(-Interval::PlusInfinity, -1));
      return Register;
    });
    return number(Symbols.formOf(S), Width);
  }
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::smin:
  case Intrinsic::smax:
    return extreme(Call);
  case Intrinsic::abs:
    return absolute(Call);
  case Intrinsic::expect:
  case Intrinsic::ssa_copy:
    return operand(Call, 0);
  default:
    break;
  }
  if (Call.isConvergent() || Call.mayReadOrWriteMemory())
    return unknown("it depends on " + Call.getCalledFunction()->getName());
  return foldLanes(Call);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

WarpValue WarpEvaluator::address(const GEPOperator &GEP) {
  if (GEP.getType()->isVectorTy())
    return unknown("it is a vector of addresses");
  auto *I = dyn_cast<Instruction>(&GEP);
  auto Get = [&](unsigned Number) {
    return I ? operand(*I, Number) : valueOf(GEP.getOperand(Number));
  };
  WarpValue Base = Get(0);
  if (!Base.isKnown())
    return Base;
  std::optional<WarpForm> Sum = Base.Form;
  unsigned Number = 1;
  for (gep_type_iterator It = gep_type_begin(GEP), End = gep_type_end(GEP);
       It != End && Sum; ++It, ++Number) {
    if (StructType *Struct = It.getStructTypeOrNull()) {
      unsigned Field = cast<ConstantInt>(It.getOperand())->getZExtValue();
      int64_t Offset = Layout.getStructLayout(Struct)->getElementOffset(Field);
      Sum = add(*Sum, WarpForm::constant(Offset));
      continue;
    }
    WarpValue Index = Get(Number);
    if (!Index.isKnown())
      return Index;
    std::optional<WarpForm> Form = Index.Form;
    if (Index.Width < 64)
      Form = exact(It.getOperand(), It.getOperand(), Index, /*IsSigned=*/true);
    TypeSize Size = It.getSequentialElementStride(Layout);
    if (!Form || Size.isScalable())
      return unknown("its arithmetic leaves 64 bits");
    Form = scale(*Form, Size.getFixedValue());
    Sum = Form ? add(*Sum, *Form) : std::nullopt;
  }
  return known(Sum, 64, true, true);
}

//===----------------------------------------------------------------------===//
// Numbers that bits mean
//===----------------------------------------------------------------------===//

Interval WarpEvaluator::rangeOf(const WarpForm &Form) const {
  auto Span = [](const LaneNumbers &Numbers) {
    auto [Lo, Hi] = std::minmax_element(Numbers.begin(), Numbers.end());
    return Interval(*Lo, *Hi);
  };
  Interval Range = Span(Form.Constants);
  for (const WarpTerm &T : Form.Terms)
    Range = Range + Symbols.rangeOf(T.Symbol) * Span(T.Coefficients);
  return Range;
}

static Interval numbersOfWidth(unsigned Width, bool IsSigned) {
  if (Width >= 64)
    return IsSigned ? Interval(INT64_MIN + 1, INT64_MAX - 1)
                    : Interval(0, INT64_MAX - 1);
  return IsSigned ? Interval(-(int64_t(1) << (Width - 1)),
                             (int64_t(1) << (Width - 1)) - 1)
                  : Interval(0, Width == 63 ? INT64_MAX - 1
                                            : (int64_t(1) << Width) - 1);
}

/// Numbers without symbols, brought into the range of the width.
std::optional<WarpForm> WarpEvaluator::wrapped(const WarpForm &Form,
                                               unsigned Width,
                                               bool IsSigned) const {
  WarpForm Result = Form;
  for (int64_t &K : Result.Constants) {
    APInt Bits(64, K);
    Bits = Bits.trunc(Width);
    if (!IsSigned && Bits.getActiveBits() > 63)
      return std::nullopt;
    K = IsSigned ? Bits.getSExtValue() : int64_t(Bits.getZExtValue());
  }
  return Result;
}

/// The number that the bits of \p V mean. \p Key tells values apart; \p Named
/// is what messages are about. Without assumptions it may not be known.
std::optional<WarpForm> WarpEvaluator::exact(const void *Key,
                                             const Value *Named, Operand V,
                                             bool IsSigned, bool MayAssume) {
  const WarpForm &Form = V.Form;
  if (IsSigned ? V.IsExactSigned : V.IsExactUnsigned)
    return Form;
  if (Form.isConcrete())
    return wrapped(Form, V.Width, IsSigned);
  Interval Numbers = numbersOfWidth(V.Width, IsSigned);
  Interval Range = rangeOf(Form);
  if (Range.isBounded() && Numbers.contains(Range))
    return Form;
  bool IsOfOtherSign = V.Width >= 64 && V.IsExactSigned != V.IsExactUnsigned;
  if (IsOfOtherSign || !Form.hasUniformTerms()) {
    if (!MayAssume)
      return std::nullopt;
    assume(With.nameOf(Named) +
           (IsOfOtherSign ? " is not negative" : " does not wrap"));
    return Form;
  }
  // What the lanes share is a multiple of Aligned, a power of two.
  int64_t Gcd = gcdOfCoefficients(Form);
  unsigned Log = std::min<unsigned>(countr_zero(uint64_t(Gcd)), V.Width - 1);
  Log = std::min(Log, 62u);
  int64_t Aligned = int64_t(1) << Log;
  int64_t First = floorDiv(Form.Constants[0], Aligned);
  bool IsProved = all_of(
      Form.Constants, [&](int64_t K) { return floorDiv(K, Aligned) == First; });
  if (!IsProved && !MayAssume)
    return std::nullopt;
  if (!IsProved)
    assume(With.nameOf(Named) + " does not wrap between the lanes of a warp");
  unsigned S = Symbols.symbolOf(
      {Key, (IsSigned ? SignedWrap : UnsignedWrap) + Log}, [&] {
        WarpSymbols::Symbol Shared;
        Shared.Name = With.nameOf(Named);
        Shared.Scale = Aligned;
        Shared.Range = Numbers;
        // Some lane passes the conditions, which may ask about V itself. It is
        // above what is shared by less than Aligned, in whichever warp.
        if (IsProved && Key == Named && Named->getType()->isIntegerTy(V.Width))
          Shared.Range = Numbers.intersect(
              guardedRange([&](const Value *Other) { return Other == Named; },
                           IsSigned) -
              Interval(0, Aligned - 1));
        return Shared;
      });
  std::optional<WarpForm> Common = Symbols.formOf(S);
  if (!Common)
    return std::nullopt;
  WarpForm Lanes;
  for (unsigned L = 0; L < LanesPerWarp; ++L)
    Lanes.Constants[L] = Form.Constants[L] - First * Aligned;
  return add(*Common, Lanes);
}

Interval WarpEvaluator::guardedRange(function_ref<bool(const Value *)> Is,
                                     bool IsSigned) const {
  static constexpr unsigned MaxBlocks = 64;
  Interval Range;
  const DomTreeNode *Node = With.DT.getNode(Place);
  for (unsigned Blocks = 0; Node && Blocks < MaxBlocks;
       Node = Node->getIDom(), ++Blocks)
    for (const KnownCondition &Known :
         With.Facts.conditionsAt(Node->getBlock())) {
      auto *Cmp = dyn_cast<ICmpInst>(Known.Condition);
      auto *Bound = Cmp ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
      if (!Bound || !Is(Cmp->getOperand(0)) || Bound->getBitWidth() > 64)
        continue;
      CmpInst::Predicate P = Cmp->getPredicate();
      ConstantRange Numbers = ConstantRange::makeExactICmpRegion(
          Known.Holds ? P : CmpInst::getInversePredicate(P), Bound->getValue());
      if (Numbers.isEmptySet() ||
          (IsSigned ? Numbers.isSignWrappedSet() : Numbers.isWrappedSet()))
        continue;
      APInt Lo = IsSigned ? Numbers.getSignedMin() : Numbers.getUnsignedMin();
      APInt Hi = IsSigned ? Numbers.getSignedMax() : Numbers.getUnsignedMax();
      if (IsSigned || Hi.getActiveBits() < 63)
        Range = Range.intersect(
            IsSigned ? Interval(Lo.getSExtValue(), Hi.getSExtValue())
                     : Interval(Lo.getZExtValue(), Hi.getZExtValue()));
    }
  return Range;
}

bool WarpEvaluator::makeDivisible(const WarpForm &Form, int64_t Divisor) {
  bool IsDivisible = true;
  for (const WarpTerm &T : Form.Terms) {
    int64_t Factor = 1;
    for (int64_t C : T.Coefficients) {
      int64_t Gcd = std::gcd(floorMod(C, Divisor), Divisor);
      Factor = std::lcm(Factor, Divisor / Gcd);
    }
    IsDivisible &= Factor == 1;
    if (Factor > 1 && MaySplit)
      Symbols.split(T.Symbol, Factor);
  }
  return IsDivisible;
}

} // namespace unravel
