//===- IRTestHelper.h - Parse IR, analyse it and run it ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of the IR analyses share: a module with its analysis
// managers, and a small interpreter that takes the language reference at its
// word. It keeps poison and undef apart and reports undefined behaviour, so
// that a claim about a value can be compared with what the value really is.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_IRTESTHELPER_H
#define UNRAVEL_TEST_UNIT_IRTESTHELPER_H

#include "analysis/recovery/IndexRecovery.h"
#include "ptx/backend/AnalysisManagers.h"
#include "test/unit/AlgebraTestHelper.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <map>

namespace unravel::test {

/// Holds every product of two 64-bit words.
__extension__ typedef __int128 Wide;

//===----------------------------------------------------------------------===//
// Modules and analyses
//===----------------------------------------------------------------------===//

/// A module for the GPU, parsed from the text of its functions. Intrinsics
/// need no declaration.
class DeviceModule {
public:
  explicit DeviceModule(llvm::StringRef Functions) {
    std::string Text = "target triple = \"nvptx64-nvidia-cuda\"\n"
                       "target datalayout = \"e-p6:32:32-i64:64-i128:128-"
                       "i256:256-v16:16-v32:32-n16:32:64\"\n";
    llvm::SMDiagnostic Error;
    M = llvm::parseAssemblyString(Text + Functions.str(), Error, Context);
    std::string Message;
    llvm::raw_string_ostream OS(Message);
    if (!M)
      Error.print("test", OS);
    if (!M || llvm::verifyModule(*M, &OS)) {
      ADD_FAILURE() << Message;
      M = std::make_unique<llvm::Module>("empty", Context);
    }
  }

  llvm::Module &module() { return *M; }
  llvm::Function &function(llvm::StringRef Name = "f") {
    return *M->getFunction(Name);
  }
  llvm::FunctionAnalysisManager &analyses() { return Managers.Functions; }

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  llvm::PassBuilder PB;
  unravel::AnalysisManagers Managers{PB};
};

/// The facts and the forms of one function.
struct AnalysedFunction {
  explicit AnalysedFunction(DeviceModule &M, llvm::StringRef Name = "f")
      : AnalysedFunction(M.function(Name), M.analyses()) {}
  AnalysedFunction(llvm::Function &F, llvm::FunctionAnalysisManager &AM)
      : F(F), AM(AM), DT(AM.getResult<llvm::DominatorTreeAnalysis>(F)),
        Facts(F, AM), Recovery(Facts, DT, AM.getResult<llvm::LoopAnalysis>(F)) {
  }

  /// The argument or instruction %Name.
  llvm::Value *value(llvm::StringRef Name) {
    return F.getValueSymbolTable()->lookup(Name);
  }
  llvm::BasicBlock *block(llvm::StringRef Name) {
    return llvm::cast<llvm::BasicBlock>(value(Name));
  }
  RecoveryScope &scope(llvm::StringRef Block) {
    return Recovery.scopeOf(block(Block));
  }
  /// The form of %Name in the scope of the block, as text.
  std::string form(llvm::StringRef Name, llvm::StringRef Block,
                   Reading R = Reading::Signed) {
    return toString(Recovery.context(),
                    Recovery.recover(value(Name), scope(Block)).exact(R));
  }
  /// The range of that form.
  Interval range(llvm::StringRef Name, llvm::StringRef Block,
                 Reading R = Reading::Signed) {
    RecoveryScope &Scope = scope(Block);
    return Scope.Domain.range(Recovery.recover(value(Name), Scope).exact(R));
  }

  llvm::Function &F;
  llvm::FunctionAnalysisManager &AM;
  llvm::DominatorTree &DT;
  RangeFacts Facts;
  IndexRecovery Recovery;
};

//===----------------------------------------------------------------------===//
// The interpreter
//===----------------------------------------------------------------------===//

/// Undef: every use may see other bits than these.
enum class State : uint8_t { Defined, Undef, Poison };

struct Cell {
  uint64_t Bits = 0;
  State Kind = State::Defined;
};

inline Wide numberOf(uint64_t Bits, unsigned Width, Reading R) {
  return R == Reading::Unsigned ? Wide(Bits)
                                : Wide(llvm::SignExtend64(Bits, Width));
}

/// One execution of a function.
class Machine {
public:
  explicit Machine(const llvm::Function &F) : F(F) {}

  /// The state of each argument.
  std::vector<Cell> Arguments;
  /// Decides what freeze, undef and unknown calls give.
  uint64_t Seed = 0;
  /// Whether a call of an unknown void function ends the execution.
  bool CallsExit = false;

  /// Runs the function; \p AtEndOfBlock sees the state behind each executed
  /// block. False if the behaviour is undefined, and then what was seen before
  /// means nothing.
  bool
  run(llvm::function_ref<void(const llvm::BasicBlock &)> AtEndOfBlock = {}) {
    static constexpr unsigned MaxBlocks = 200; // then it is taken to hang
    Cells.clear();
    Choices = 0;
    Undefined = false;
    for (const llvm::Argument &A : F.args())
      Cells[&A] = Arguments[A.getArgNo()];
    const llvm::BasicBlock *BB = &F.getEntryBlock(), *Before = nullptr;
    for (unsigned Steps = 0; BB && Steps < MaxBlocks; ++Steps) {
      const llvm::BasicBlock *Next = execute(*BB, Before);
      if (Undefined)
        return false;
      if (AtEndOfBlock)
        AtEndOfBlock(*BB);
      Before = BB;
      BB = Next;
    }
    return true;
  }

  /// What \p V is now; nullopt if it was not computed.
  std::optional<Cell> find(const llvm::Value *V) const {
    if (auto *C = llvm::dyn_cast<llvm::ConstantInt>(V))
      return Cell{C->getZExtValue()};
    if (llvm::isa<llvm::Constant>(V))
      return Cell{0, llvm::isa<llvm::PoisonValue>(V) ? State::Poison
                                                     : State::Undef};
    auto It = Cells.find(V);
    return It == Cells.end() ? std::nullopt : std::optional<Cell>(It->second);
  }

private:
  static unsigned widthOf(const llvm::Value *V) {
    return V->getType()->isPointerTy() ? 64
                                       : V->getType()->getIntegerBitWidth();
  }
  static uint64_t cut(uint64_t Bits, unsigned Width) {
    return Bits & llvm::maskTrailingOnes<uint64_t>(Width);
  }
  uint64_t arbitrary(unsigned Width) {
    uint64_t Hash = (Seed + 1) * 0x9E3779B97F4A7C15 + ++Choices;
    Hash = (Hash ^ (Hash >> 29)) * 0xBF58476D1CE4E5B9;
    return cut(Hash ^ (Hash >> 32), Width);
  }
  /// An operand as it is used: each use of undef may be different.
  Cell use(const llvm::Value *V) {
    std::optional<Cell> C = find(V);
    EXPECT_TRUE(C) << "used before it was computed: " << V->getName().str();
    bool IsLeaf = llvm::isa<llvm::Constant>(V) || llvm::isa<llvm::Argument>(V);
    if (IsLeaf && C && C->Kind == State::Undef)
      C->Bits = arbitrary(widthOf(V));
    return C.value_or(Cell());
  }

  /// Returns the block that follows, null at a return or an exit.
  const llvm::BasicBlock *execute(const llvm::BasicBlock &BB,
                                  const llvm::BasicBlock *Before) {
    std::vector<std::pair<const llvm::Value *, Cell>> Phis;
    for (const llvm::PHINode &Phi : BB.phis())
      Phis.push_back({&Phi, use(Phi.getIncomingValueForBlock(Before))});
    for (auto &[Phi, C] : Phis)
      Cells[Phi] = C;
    for (const llvm::Instruction &I : BB) {
      if (llvm::isa<llvm::PHINode>(I))
        continue;
      if (I.isTerminator())
        return successor(I);
      auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
      if (Call && Call->getType()->isVoidTy() &&
          !llvm::isa<llvm::AssumeInst>(Call)) {
        if (CallsExit)
          return nullptr;
        continue;
      }
      Cell Result = compute(I);
      if (Undefined)
        return nullptr;
      if (!I.getType()->isVoidTy())
        Cells[&I] = Result;
    }
    llvm_unreachable("block without terminator");
  }

  const llvm::BasicBlock *successor(const llvm::Instruction &I) {
    if (auto *Branch = llvm::dyn_cast<llvm::BranchInst>(&I)) {
      if (Branch->isUnconditional())
        return Branch->getSuccessor(0);
      Cell C = use(Branch->getCondition());
      Undefined |= C.Kind != State::Defined;
      return Branch->getSuccessor(C.Bits ? 0 : 1);
    }
    if (auto *Switch = llvm::dyn_cast<llvm::SwitchInst>(&I)) {
      Cell C = use(Switch->getCondition());
      Undefined |= C.Kind != State::Defined;
      for (auto Case : Switch->cases())
        if (Case.getCaseValue()->getZExtValue() == C.Bits)
          return Case.getCaseSuccessor();
      return Switch->getDefaultDest();
    }
    Undefined |= llvm::isa<llvm::UnreachableInst>(I);
    return nullptr;
  }

  Cell compute(const llvm::Instruction &I) {
    if (auto *Select = llvm::dyn_cast<llvm::SelectInst>(&I)) {
      Cell C = use(Select->getCondition());
      Cell Taken = use(C.Bits ? Select->getTrueValue() //
                              : Select->getFalseValue());
      return {Taken.Bits, std::max(C.Kind, Taken.Kind)};
    }
    llvm::SmallVector<Cell, 3> Args;
    Cell Result;
    for (const llvm::Value *Operand : I.operands())
      if (!llvm::isa<llvm::Function>(Operand)) {
        Args.push_back(use(Operand));
        Result.Kind = std::max(Result.Kind, Args.back().Kind);
      }
    if (llvm::isa<llvm::FreezeInst>(I))
      return {Result.Kind == State::Poison ? arbitrary(widthOf(&I))
                                           : Args[0].Bits};
    bool Poison = false;
    if (auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I))
      Result.Bits = address(*Gep, Args);
    else if (auto *Op = llvm::dyn_cast<llvm::BinaryOperator>(&I))
      Result.Bits = binary(*Op, Args[0], Args[1], Poison);
    else if (auto *Cmp = llvm::dyn_cast<llvm::ICmpInst>(&I))
      Result.Bits = compare(*Cmp, Args[0].Bits, Args[1].Bits, Poison);
    else if (auto *Cast = llvm::dyn_cast<llvm::CastInst>(&I))
      Result.Bits = convert(*Cast, Args[0].Bits, Poison);
    else
      Result = call(llvm::cast<llvm::CallInst>(I), Args, Result, Poison);
    // Analyses may choose what undef is, also such that there is no poison.
    if (Poison && Result.Kind == State::Undef)
      Result.Bits = arbitrary(widthOf(&I));
    else if (Poison)
      Result.Kind = State::Poison;
    return Result;
  }

  uint64_t binary(const llvm::BinaryOperator &I, Cell A, Cell B, bool &Poison) {
    using llvm::Instruction;
    unsigned Width = widthOf(&I);
    Wide SA = numberOf(A.Bits, Width, Reading::Signed);
    Wide SB = numberOf(B.Bits, Width, Reading::Signed);
    Wide UA = A.Bits, UB = B.Bits;
    // Both readings of the exact result; no sum or product of words but one
    // of two unsigned 64-bit words can leave them.
    auto Wrapping = [&](Wide S, Wide U, bool Overflow = false) {
      uint64_t Bits = cut(uint64_t(S), Width);
      Poison |=
          I.hasNoSignedWrap() && S != numberOf(Bits, Width, Reading::Signed);
      Poison |= I.hasNoUnsignedWrap() && (Overflow || U != Wide(Bits));
      return Bits;
    };
    auto Exact = [&](Wide Quotient, Wide Remainder) {
      Poison |= I.isExact() && Remainder != 0;
      return cut(uint64_t(Quotient), Width);
    };
    Wide Product;
    switch (I.getOpcode()) {
    case Instruction::Add:
      return Wrapping(SA + SB, UA + UB);
    case Instruction::Sub:
      return Wrapping(SA - SB, UA - UB);
    case Instruction::Mul: {
      bool Overflow = __builtin_mul_overflow(UA, UB, &Product);
      return Wrapping(SA * SB, Product, Overflow);
    }
    case Instruction::And:
      return A.Bits & B.Bits;
    case Instruction::Or:
      Poison |= llvm::cast<llvm::PossiblyDisjointInst>(I).isDisjoint() &&
                (A.Bits & B.Bits) != 0;
      return A.Bits | B.Bits;
    case Instruction::Xor:
      return A.Bits ^ B.Bits;
    default:
      break;
    }
    if (I.isShift()) {
      Poison |= B.Bits >= Width;
      if (B.Bits >= Width)
        return 0;
      Wide Factor = Wide(1) << B.Bits;
      if (I.getOpcode() == Instruction::Shl)
        return Wrapping(SA * Factor, UA * Factor);
      Wide Lost = UA % Factor;
      return I.getOpcode() == Instruction::LShr ? Exact(UA >> B.Bits, Lost)
                                                : Exact(SA >> B.Bits, Lost);
    }
    // Divisions. An undef divisor may be zero, an undef dividend INT_MIN.
    bool IsSigned = I.getOpcode() == Instruction::SDiv ||
                    I.getOpcode() == Instruction::SRem;
    bool Overflow = IsSigned && SB == -1 &&
                    (A.Kind != State::Defined ||
                     (SA < 0 && A.Bits == cut(uint64_t(-SA), Width)));
    if (B.Kind != State::Defined || UB == 0 || Overflow) {
      Undefined = true;
      return 0;
    }
    switch (I.getOpcode()) {
    case Instruction::UDiv:
      return Exact(UA / UB, UA % UB);
    case Instruction::SDiv:
      return Exact(SA / SB, SA % SB);
    case Instruction::URem:
      return UA % UB;
    case Instruction::SRem:
      return cut(uint64_t(SA % SB), Width);
    default:
      llvm_unreachable("not a binary operator of the tests");
    }
  }

  static bool compare(const llvm::ICmpInst &I, uint64_t A, uint64_t B,
                      bool &Poison) {
    unsigned Width = widthOf(I.getOperand(0));
    Poison |= I.hasSameSign() && (((A ^ B) >> (Width - 1)) & 1) != 0;
    return llvm::ICmpInst::compare(llvm::APInt(Width, A), llvm::APInt(Width, B),
                                   I.getPredicate());
  }

  static uint64_t convert(const llvm::CastInst &I, uint64_t A, bool &Poison) {
    unsigned From = widthOf(I.getOperand(0)), To = widthOf(&I);
    if (llvm::isa<llvm::SExtInst>(I))
      return cut(llvm::SignExtend64(A, From), To);
    if (auto *Trunc = llvm::dyn_cast<llvm::TruncInst>(&I)) {
      uint64_t Low = cut(A, To);
      Poison |= Trunc->hasNoUnsignedWrap() && Low != A;
      Poison |= Trunc->hasNoSignedWrap() &&
                llvm::SignExtend64(Low, To) != llvm::SignExtend64(A, From);
      return Low;
    }
    Poison |= I.hasNonNeg() && llvm::SignExtend64(A, From) < 0;
    return A;
  }

  static uint64_t address(const llvm::GetElementPtrInst &I,
                          llvm::ArrayRef<Cell> Args) {
    const llvm::DataLayout &DL = I.getDataLayout();
    uint64_t Result = Args[0].Bits;
    unsigned Operand = 1;
    for (auto GTI = gep_type_begin(I); GTI != gep_type_end(I);
         ++GTI, ++Operand) {
      uint64_t Index = Args[Operand].Bits;
      if (llvm::StructType *Struct = GTI.getStructTypeOrNull())
        Result += DL.getStructLayout(Struct)->getElementOffset(Index);
      else
        Result += llvm::SignExtend64(Index, widthOf(I.getOperand(Operand))) *
                  GTI.getSequentialElementStride(DL).getFixedValue();
    }
    return Result;
  }

  Cell call(const llvm::CallInst &I, llvm::ArrayRef<Cell> Args, Cell Result,
            bool &Poison) {
    using namespace llvm;
    if (isa<AssumeInst>(I)) {
      Undefined |= Args[0].Kind != State::Defined || Args[0].Bits == 0;
      return {};
    }
    unsigned Width = widthOf(&I);
    if (!isa<IntrinsicInst>(I))
      return {arbitrary(Width)};
    uint64_t A = Args[0].Bits, B = Args[1].Bits;
    Wide SA = numberOf(A, Width, Reading::Signed);
    Wide SB = numberOf(B, Width, Reading::Signed);
    switch (I.getIntrinsicID()) {
    case Intrinsic::abs:
      Poison |= B == 1 && SA < 0 && A == cut(uint64_t(-SA), Width);
      Result.Bits = cut(uint64_t(SA < 0 ? -SA : SA), Width);
      return Result;
    case Intrinsic::smin:
      Result.Bits = SA < SB ? A : B;
      return Result;
    case Intrinsic::smax:
      Result.Bits = SA > SB ? A : B;
      return Result;
    case Intrinsic::umin:
      Result.Bits = std::min(A, B);
      return Result;
    case Intrinsic::umax:
      Result.Bits = std::max(A, B);
      return Result;
    case Intrinsic::usub_sat:
      Result.Bits = A > B ? A - B : 0;
      return Result;
    case Intrinsic::nvvm_mulhi_ui:
      Result.Bits = (A * B) >> 32;
      return Result;
    default:
      llvm_unreachable("not an intrinsic of the tests");
    }
  }

  const llvm::Function &F;
  llvm::DenseMap<const llvm::Value *, Cell> Cells;
  uint64_t Choices = 0;
  bool Undefined = false;
};

/// A + B * C modulo 2^128: a product of three 64-bit words does not fit, but it
/// is congruent to what the program computes all the same.
inline Wide addProduct(Wide A, Wide B, Wide C) {
  using Bits = unsigned __int128;
  return static_cast<Wide>(Bits(A) + Bits(B) * Bits(C));
}

inline std::optional<Wide>
evaluateWide(IndexExpr E, const IndexRecovery &Recovery, const Machine &M);

inline std::optional<Wide> evaluateWide(const IndexAtom *Atom,
                                        const IndexRecovery &Recovery,
                                        const Machine &M) {
  if (Atom->isVariable()) {
    auto [V, R] = Recovery.valueOf(Atom);
    std::optional<Cell> C = M.find(V);
    if (!C || C->Kind != State::Defined)
      return std::nullopt;
    return numberOf(C->Bits, V->getType()->getIntegerBitWidth(), R);
  }
  if (Atom->isProduct()) {
    Wide Product = 1;
    for (const IndexAtom *Factor : Atom->factors()) {
      std::optional<Wide> Value = evaluateWide(Factor, Recovery, M);
      if (!Value)
        return std::nullopt;
      Product = addProduct(0, Product, *Value);
    }
    return Product;
  }
  std::optional<Wide> Operand = evaluateWide(Atom->operand(), Recovery, M);
  if (!Operand)
    return std::nullopt;
  if (Atom->isNegativePart())
    return std::min<Wide>(*Operand, 0);
  std::optional<Wide> Divisor = evaluateWide(Atom->divisor(), Recovery, M);
  if (!Divisor || *Divisor == 0)
    return std::nullopt;
  Wide Quotient = *Operand / *Divisor, Rest = *Operand % *Divisor;
  bool IsBelow = Rest != 0 && (Rest < 0) != (*Divisor < 0);
  return Atom->isFloorDiv() && IsBelow ? Quotient - 1 : Quotient;
}

/// The integer that \p E means in the state of \p M; nullopt if a variable of
/// it has no defined value there.
inline std::optional<Wide>
evaluateWide(IndexExpr E, const IndexRecovery &Recovery, const Machine &M) {
  Wide Sum = E.constant();
  for (const IndexTerm &T : E.terms()) {
    std::optional<Wide> Value = evaluateWide(T.Atom, Recovery, M);
    if (!Value)
      return std::nullopt;
    Sum = addProduct(Sum, *Value, T.Coefficient);
  }
  return Sum;
}

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_IRTESTHELPER_H
