//===- ClaimChecker.h - What recovery claims, against the IR ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs functions and compares whatever IndexRecovery claims about a value in a
// block (its forms, their ranges and lattices, that it is not poison or undef)
// with the value itself, each time that the block is executed.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_CLAIMCHECKER_H
#define UNRAVEL_TEST_UNIT_CLAIMCHECKER_H

#include "test/unit/IRTestHelper.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

namespace unravel::test {

using namespace llvm;

//===----------------------------------------------------------------------===//
// Claims and their check
//===----------------------------------------------------------------------===//

struct Input {
  std::vector<Cell> Arguments;
  uint64_t Seed = 0;
  bool CallsExit = false;
};

/// What the checks of a test have seen: tests assert that it is not nothing.
struct Tally {
  uint64_t Functions = 0, Executions = 0;
  uint64_t Values = 0;      ///< operations compared in executed blocks
  uint64_t Explained = 0;   ///< of those: a form other than its own variable
  uint64_t NeverPoison = 0; ///< of those: claimed not to be poison
  uint64_t Narrow = 0;      ///< of those: with a range smaller than the word
};

/// One form of one value, and what its domain says about it.
struct FormClaim {
  const char *Name;
  IndexExpr Form;
  Reading R;
  bool OnlyCongruent;
  Interval Range;
  Congruence Lattice;
};

struct ValueClaim {
  Value *V;
  RecoveredValue Recovered;
  SmallVector<FormClaim, 5> Forms;
};

struct ComparisonClaim {
  ICmpInst *Cmp;
  IndexExpr Difference;
  std::optional<IndexRecovery::RangeCheck> Check;
};

struct BlockClaims {
  std::vector<ValueClaim> Values;
  std::vector<ComparisonClaim> Comparisons;
  bool NeverExecuted = false;
};

inline std::string textOf(Wide Value) {
  return formatv("{0}", static_cast<int64_t>(Value)).str();
}

class ClaimChecker {
public:
  ClaimChecker(Function &F, FunctionAnalysisManager &AM, Tally &Counts)
      : A(F, AM), Run(F), Counts(Counts) {
    // The order of recovery must not matter: take the blocks from the end in
    // half of the functions.
    SmallVector<BasicBlock *, 8> Blocks;
    for (BasicBlock &BB : F)
      if (A.DT.isReachableFromEntry(&BB))
        Blocks.push_back(&BB);
    if (F.getName().size() % 2)
      std::reverse(Blocks.begin(), Blocks.end());
    for (BasicBlock *BB : Blocks)
      recover(*BB);
    ++Counts.Functions;
  }

  /// Empty, or the first claim that turned out to be wrong.
  std::string check(ArrayRef<Input> Inputs) {
    for (const Input &In : Inputs) {
      Run.Arguments = In.Arguments;
      Run.Seed = In.Seed;
      Run.CallsExit = In.CallsExit;
      if (!Run.run()) // undefined behaviour later on voids all claims
        continue;
      ++Counts.Executions;
      Run.run([&](const BasicBlock &BB) {
        if (Problem.empty())
          checkBlock(BB);
      });
      if (!Problem.empty())
        return describe(In);
    }
    return "";
  }

private:
  void recover(BasicBlock &BB) {
    RecoveryScope &Scope = A.Recovery.scopeOf(&BB);
    BlockClaims &Claims = Blocks[&BB];
    Claims.NeverExecuted = Scope.Domain.isKnownEmpty();
    auto Visit = [&](Value *V, BasicBlock *Home) {
      if (!IndexRecovery::isIndexValue(V))
        return;
      // A copy: recovering more may move the stored ones.
      ValueClaim Claim{V, A.Recovery.recover(V, Scope), {}};
      auto Add = [&](const char *Name, IndexExpr E, Reading R, bool Ring) {
        if (E) // simplify() may give up; recovery may not, checked below
          Claim.Forms.push_back({Name, E, R, Ring, Scope.Domain.range(E),
                                 Scope.Domain.congruence(E)});
      };
      Add("exact signed form", Claim.Recovered.Signed, Reading::Signed, false);
      Add("exact unsigned form", Claim.Recovered.Unsigned, Reading::Unsigned,
          false);
      Add("ring form", Claim.Recovered.Ring, Reading::Signed, true);
      EXPECT_EQ(Claim.Forms.size(), 3u) << V->getName().str();
      if (Home != &BB) { // what was recovered outside, rebuilt with the guard
        RecoveryScope &Outer = A.Recovery.scopeOf(Home);
        RecoveredValue Before = A.Recovery.recover(V, Outer);
        Add("simplified signed form", Scope.Basis.simplify(Before.Signed),
            Reading::Signed, false);
        Add("simplified unsigned form", Scope.Basis.simplify(Before.Unsigned),
            Reading::Unsigned, false);
      }
      Claims.Values.push_back(std::move(Claim));
    };
    for (Argument &Arg : A.F.args())
      Visit(&Arg, &A.F.getEntryBlock());
    for (BasicBlock &Home : A.F)
      if (A.DT.dominates(&Home, &BB))
        for (Instruction &I : Home)
          Visit(&I, &Home);
    for (Instruction &I : BB)
      if (auto *Cmp = dyn_cast<ICmpInst>(&I))
        Claims.Comparisons.push_back({Cmp, A.Recovery.differenceOf(*Cmp, Scope),
                                      A.Recovery.rangeCheckOf(*Cmp, Scope)});
  }

  void checkBlock(const BasicBlock &BB) {
    BlockClaims &Claims = Blocks[&BB];
    Where = BB.getName();
    if (Claims.NeverExecuted)
      Problem = "executed, but known never to be";
    for (const ValueClaim &Claim : Claims.Values)
      checkValue(Claim);
    for (const ComparisonClaim &Claim : Claims.Comparisons)
      checkComparison(Claim);
  }

  void checkValue(const ValueClaim &Claim) {
    std::optional<Cell> C = Run.find(Claim.V);
    Culprit = Problem.empty() ? Claim.V : Culprit;
    if (!C) // behind a call that did not return
      return;
    std::string Name = "%" + Claim.V->getName().str();
    if (C->Kind == State::Poison && !Claim.Recovered.MayBePoison)
      Problem = Name + " is poison, but claimed never to be";
    if (C->Kind == State::Undef && !Claim.Recovered.MayBeUndef)
      Problem = Name + " is undef, but claimed never to be";
    if (C->Kind != State::Defined)
      return;
    for (const FormClaim &Form : Claim.Forms)
      checkForm(Claim, Form, C->Bits);
    if (!IndexRecovery::isIndexOperation(Claim.V))
      return;
    ++Counts.Values;
    const IndexAtom *Atom = Claim.Recovered.Signed.asAtom();
    Counts.Explained += !Atom || !Atom->isVariable() ||
                        A.Recovery.valueOf(Atom).first != Claim.V;
    Counts.NeverPoison += !Claim.Recovered.MayBePoison;
    Counts.Narrow += !Claim.Forms[0].Range.contains(
        wordRange(Claim.V->getType()->getIntegerBitWidth(), Reading::Signed));
  }

  void checkForm(const ValueClaim &Claim, const FormClaim &Form,
                 uint64_t Bits) {
    unsigned Width = Claim.V->getType()->getIntegerBitWidth();
    Wide Expected = numberOf(Bits, Width, Form.R);
    std::optional<Wide> Value = evaluateWide(Form.Form, A.Recovery, Run);
    auto Fail = [&](const Twine &What) {
      Problem =
          ("%" + Claim.V->getName() + " is " + textOf(Expected) + ", but the " +
           Form.Name + " " + toString(A.Recovery.context(), Form.Form) + What)
              .str();
    };
    if (!Value)
      return Fail(" uses a value that is poison, undef or not computed");
    bool IsRight = Form.OnlyCongruent
                       ? (*Value - Expected) % (Wide(1) << Width) == 0
                       : *Value == Expected;
    if (!IsRight)
      return Fail(" gives " + textOf(*Value));
    // Products of words may leave what we compute with.
    bool HasProducts = any_of(Form.Form.terms(), [](const IndexTerm &T) {
      return T.Atom->isProduct();
    });
    if (Form.OnlyCongruent && HasProducts)
      return;
    const Interval &R = Form.Range;
    if ((R.isBoundedBelow() && *Value < R.lo()) ||
        (R.isBoundedAbove() && *Value > R.hi()))
      return Fail(" = " + textOf(*Value) + " has the range " + R.str());
    const Congruence &L = Form.Lattice;
    if (L.modulus() == 0 ? *Value != L.residue()
                         : (*Value - L.residue()) % L.modulus() != 0)
      return Fail(" = " + textOf(*Value) +
                  formatv(" is {0} (mod {1})", L.residue(), L.modulus()));
  }

  void checkComparison(const ComparisonClaim &Claim) {
    std::optional<Cell> C = Run.find(Claim.Cmp);
    if (!C || C->Kind != State::Defined)
      return;
    CmpInst::Predicate Pred = Claim.Cmp->getPredicate();
    auto Eval = [&](IndexExpr E) { return evaluateWide(E, A.Recovery, Run); };
    std::string Name = "%" + Claim.Cmp->getName().str();
    if (std::optional<Wide> D =
            Claim.Difference ? Eval(Claim.Difference) : Wide(0);
        Claim.Difference) {
      int64_t Sign = !D ? 0 : *D < 0 ? -1 : *D > 0;
      bool Holds = ICmpInst::compare(APInt(64, Sign, true), APInt(64, 0),
                                     ICmpInst::isUnsigned(Pred)
                                         ? ICmpInst::getSignedPredicate(Pred)
                                         : Pred);
      if (!D || Holds != bool(C->Bits))
        Problem = Name + " is not decided by its difference";
    }
    if (!Claim.Check)
      return;
    std::optional<Wide> Index = Eval(Claim.Check->Index);
    std::optional<Wide> Limit = Eval(Claim.Check->Limit);
    bool Inside = Index && Limit && *Index >= 0 && *Index < *Limit;
    bool Less = ICmpInst::isLT(Pred) || ICmpInst::isLE(Pred);
    if (!Index || !Limit || (Inside == Less) != bool(C->Bits))
      Problem = Name + " is not decided by its range check";
  }

  std::string describe(const Input &In) {
    std::string Text = Problem + "\nin block %" + Where + " for";
    raw_string_ostream OS(Text);
    for (const Cell &C : In.Arguments) {
      OS << ' ' << C.Bits;
      if (C.Kind != State::Defined)
        OS << (C.Kind == State::Poison ? " (poison)" : " (undef)");
    }
    OS << '\n';
    // Of a long function, only the value and what it is computed from.
    if (!Culprit || A.F.getInstructionCount() < 60)
      OS << A.F;
    else
      printOperations(OS, Culprit);
    return Text;
  }

  static void printOperations(raw_ostream &OS, const Value *V) {
    if (auto *I = dyn_cast<Instruction>(V)) {
      for (const Value *Operand : I->operands())
        printOperations(OS, Operand);
      OS << *I << '\n';
    }
  }

  AnalysedFunction A;
  Machine Run;
  Tally &Counts;
  DenseMap<const BasicBlock *, BlockClaims> Blocks;
  std::string Problem, Where;
  const Value *Culprit = nullptr;
};

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

inline unsigned widthOf(const Argument &A) {
  return A.getType()->isPointerTy() ? 64 : A.getType()->getIntegerBitWidth();
}

/// The variants of an input: arguments that are not noundef may be anything,
/// and an unknown call may not return.
inline void addInput(const Function &F, std::vector<Cell> Arguments,
                     std::vector<Input> &Inputs) {
  uint64_t Seed = Inputs.size();
  Inputs.push_back({Arguments, Seed});
  bool HasCalls = any_of(instructions(F), [](const Instruction &I) {
    return isa<CallInst>(I) && !isa<IntrinsicInst>(I);
  });
  if (HasCalls)
    Inputs.push_back({Arguments, Seed, true});
  for (State Kind : {State::Poison, State::Undef}) {
    std::vector<Cell> Changed = Arguments;
    bool Any = false;
    for (const Argument &A : F.args())
      if (!A.hasAttribute(Attribute::NoUndef)) {
        Changed[A.getArgNo()].Kind = Kind;
        Any = true;
      }
    if (Any)
      Inputs.push_back({Changed, Seed});
  }
}

inline std::vector<Input> allInputs(const Function &F) {
  unsigned TotalWidth = 0;
  for (const Argument &A : F.args())
    TotalWidth += widthOf(A);
  assert(TotalWidth <= 12 && "too many inputs to try all");
  std::vector<Input> Inputs;
  for (uint64_t Bits = 0; Bits < uint64_t(1) << TotalWidth; ++Bits) {
    std::vector<Cell> Arguments;
    uint64_t Rest = Bits;
    for (const Argument &A : F.args()) {
      Arguments.push_back({Rest & maskTrailingOnes<uint64_t>(widthOf(A))});
      Rest >>= widthOf(A);
    }
    addInput(F, std::move(Arguments), Inputs);
  }
  return Inputs;
}

/// Small numbers, the neighbourhoods of the sign bit and of multiples of what
/// programs divide by, and random bits.
inline std::vector<Input>
sampledInputs(const Function &F, std::mt19937_64 &Random, unsigned Count) {
  std::vector<Input> Inputs;
  while (Inputs.size() < Count) {
    std::vector<Cell> Arguments;
    for (const Argument &A : F.args()) {
      uint64_t Bits = Random() % 7 - 3;
      unsigned Shift = Random() % widthOf(A);
      switch (Random() % 4) {
      case 0:
        Bits += uint64_t(1) << Shift;
        break;
      case 1:
        Bits = Random() >> Random() % 64;
        break;
      case 2:
        Bits += uint64_t(1) << (widthOf(A) - 1);
        break;
      }
      Arguments.push_back({Bits & maskTrailingOnes<uint64_t>(widthOf(A))});
    }
    addInput(F, std::move(Arguments), Inputs);
  }
  return Inputs;
}

/// Checks every function of the module; false (and one failure) if a claim is
/// wrong. With \p Samples set only so many inputs are tried.
inline bool checkModule(const std::string &Text, Tally &Counts,
                        unsigned Samples = 0) {
  DeviceModule M(Text);
  std::mt19937_64 Random(7);
  for (Function &F : M.module()) {
    if (F.isDeclaration())
      continue;
    ClaimChecker Checker(F, M.analyses(), Counts);
    std::string Problem = Checker.check(
        Samples ? sampledInputs(F, Random, Samples) : allInputs(F));
    M.analyses().clear(F, F.getName());
    if (!Problem.empty()) {
      ADD_FAILURE() << Problem;
      return false;
    }
  }
  return true;
}

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_CLAIMCHECKER_H
