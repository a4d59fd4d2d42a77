//===- RewriteCertifierRandomTest.cpp - What is proved is true ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random functions of two words of few bits, with guards, flags, divisions in
// front of the rewrite and behind it, and random new code for one of their
// values. What is proved is computed for all inputs: where the function is
// defined, new code must be, and equal where the old value is no poison.
//
//===----------------------------------------------------------------------===//

#include "test/unit/transforms/simplify/CertifiedRewrite.h"
#include "transforms/plan/PlanInstruction.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

constexpr unsigned Width = 4;

/// A word, or poison.
using Result = std::optional<APInt>;

/// What happens for one input.
struct Run {
  bool IsUndefined = false;
  DenseMap<const Value *, Result> Values;
};

/// Quotients of what may not be divided set \p IsUndefined.
Result quotient(unsigned Opcode, Result A, Result B, bool IsExact,
                bool &IsUndefined) {
  bool IsSigned = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  if (!B || B->isZero() ||
      (IsSigned && B->isAllOnes() && (!A || A->isMinSignedValue()))) {
    IsUndefined = true;
    return std::nullopt;
  }
  if (!A)
    return std::nullopt;
  APInt Rest = IsSigned ? A->srem(*B) : A->urem(*B);
  if (Opcode == Instruction::SRem || Opcode == Instruction::URem)
    return Rest;
  if (IsExact && !Rest.isZero())
    return std::nullopt;
  return IsSigned ? A->sdiv(*B) : A->udiv(*B);
}

Result binary(unsigned Opcode, Result A, Result B, bool IsNUW, bool IsNSW,
              bool IsExact, bool &IsUndefined) {
  if (Instruction::isIntDivRem(Opcode))
    return quotient(Opcode, A, B, IsExact, IsUndefined);
  if (!A || !B)
    return std::nullopt;
  bool Unsigned = false, Signed = false;
  APInt V;
  switch (Opcode) {
  case Instruction::Add:
    V = A->uadd_ov(*B, Unsigned);
    (void)A->sadd_ov(*B, Signed);
    break;
  case Instruction::Sub:
    V = A->usub_ov(*B, Unsigned);
    (void)A->ssub_ov(*B, Signed);
    break;
  case Instruction::Mul:
    V = A->umul_ov(*B, Unsigned);
    (void)A->smul_ov(*B, Signed);
    break;
  case Instruction::Shl:
    if (B->uge(B->getBitWidth()))
      return std::nullopt;
    V = A->ushl_ov(*B, Unsigned);
    (void)A->sshl_ov(*B, Signed);
    break;
  case Instruction::LShr:
    return B->ult(B->getBitWidth()) ? Result(A->lshr(*B)) : std::nullopt;
  case Instruction::AShr:
    return B->ult(B->getBitWidth()) ? Result(A->ashr(*B)) : std::nullopt;
  case Instruction::And:
    return *A & *B;
  case Instruction::Or:
    return *A | *B;
  case Instruction::Xor:
    return *A ^ *B;
  default:
    ADD_FAILURE() << "opcode " << Opcode;
  }
  if ((IsNUW && Unsigned) || (IsNSW && Signed))
    return std::nullopt;
  return V;
}

Result extreme(unsigned ID, const Result &A, const Result &B) {
  if (!A || !B)
    return std::nullopt;
  bool IsFirst = ID == Intrinsic::smin   ? A->slt(*B)
                 : ID == Intrinsic::smax ? A->sgt(*B)
                                         : A->ult(*B);
  return IsFirst ? A : B;
}

class Evaluator {
public:
  explicit Evaluator(Run &R) : R(R) {}

  /// Executes the blocks from the entry on; whether `here` is reached.
  bool execute(Function &F) {
    bool IsReached = false;
    for (BasicBlock *BB = &F.getEntryBlock(); BB;) {
      IsReached |= BB->getName() == "here";
      BasicBlock *Next = nullptr;
      for (Instruction &I : *BB) {
        if (auto *Branch = dyn_cast<BranchInst>(&I)) {
          Result Is = Branch->isConditional() ? of(Branch->getCondition())
                                              : APInt(1, 1);
          R.IsUndefined |= !Is;
          Next = Branch->getSuccessor(!Is || !Is->isZero() ? 0 : 1);
        } else if (!isa<ReturnInst>(I)) {
          R.Values[&I] = compute(I);
        }
        if (R.IsUndefined)
          return IsReached;
      }
      BB = Next;
    }
    return IsReached;
  }

  Result of(const Value *V) {
    if (auto *C = dyn_cast<ConstantInt>(V))
      return C->getValue();
    return R.Values.lookup(V);
  }

  /// Of new code. Divisions are executed by themselves.
  Result of(const PlanNode *N) {
    if (N->Op == PlanOp::Leaf)
      return of(N->Leaf);
    if (N->Op == PlanOp::Select) {
      Result Is = of(N->Leaf), A = of(N->A), B = of(N->B);
      return !Is ? std::nullopt : Is->isZero() ? B : A;
    }
    PlanInstruction I = instructionOf(*N);
    auto Operand = [&](const PlanNode *O) {
      return O ? of(O) : Result(APInt(N->Width, uint64_t(I.Imm), true, true));
    };
    if (N->Op == PlanOp::Constant)
      return Operand(nullptr);
    Result A = Operand(I.Left);
    if (I.Form == PlanForm::Binary)
      return binary(I.Code, A, Operand(I.Right), I.NoUnsignedWrap,
                    I.NoSignedWrap, false, R.IsUndefined);
    return extreme(I.Code, A, Operand(I.Right));
  }

private:
  Result compute(const Instruction &I) {
    if (auto *Binary = dyn_cast<BinaryOperator>(&I)) {
      auto *Wrapping = dyn_cast<OverflowingBinaryOperator>(&I);
      auto *Exact = dyn_cast<PossiblyExactOperator>(&I);
      return binary(Binary->getOpcode(), of(I.getOperand(0)),
                    of(I.getOperand(1)),
                    Wrapping && Wrapping->hasNoUnsignedWrap(),
                    Wrapping && Wrapping->hasNoSignedWrap(),
                    Exact && Exact->isExact(), R.IsUndefined);
    }
    Result A = of(I.getOperand(0));
    if (isa<SelectInst>(I))
      return !A ? std::nullopt : of(I.getOperand(A->isZero() ? 2 : 1));
    // Poison becomes a number that is not likely to be a special case.
    if (isa<FreezeInst>(I))
      return A ? A : APInt(Width, 5);
    Result B = of(I.getOperand(1));
    if (auto *Compare = dyn_cast<ICmpInst>(&I))
      return A && B ? Result(APInt(1, ICmpInst::compare(
                                          *A, *B, Compare->getPredicate())))
                    : std::nullopt;
    return extreme(cast<IntrinsicInst>(I).getIntrinsicID(), A, B);
  }

  Run &R;
};

/// A function as text, and new code for its %old.
class Generator {
public:
  explicit Generator(std::mt19937 &Random) : Random(Random) {}

  std::string function() {
    std::string Text =
        "define void @f(i4 noundef %x, i4 noundef %y) {\nentry:\n";
    Words = {"%x", "%y"};
    for (unsigned N = pick(4); N > 0; --N)
      Text += operation();
    Text += comparison("%guard");
    Text += "  br i1 %guard, label %here, label %exit\nhere:\n";
    for (unsigned N = pick(3); N > 0; --N)
      Text += operation();
    Text += comparison("%c");
    Leaves = Words;
    Text += "  %old = " + binary() + "\n";
    for (unsigned N = pick(4); N > 0; --N)
      Text += operation();
    return Text + "  br label %exit\nexit:\n  ret void\n}\n";
  }

  const PlanNode *plan(CertifiedRewrite &R, unsigned Depth = 0) {
    unsigned Kind = pick(Depth < 3 ? 12 : 3);
    if (Kind < 2)
      return leaf(R);
    if (Kind == 2)
      return R.number(int64_t(pick(16)) - 8, Width);
    const PlanNode *A = plan(R, Depth + 1);
    PlanFlags Flags;
    Flags.NoUnsignedWrap = pick(4) == 0;
    Flags.NoSignedWrap = pick(4) == 0;
    switch (Kind) {
    case 3:
      return R.Plan.udiv(A, 2 + pick(5));
    case 4:
      return R.Plan.sdiv(A, 2 + pick(5));
    case 5:
      return R.Plan.mul(A, 2 + pick(5), Flags);
    case 6:
      return R.Plan.bitAnd(A, 1 + pick(7));
    default:
      break;
    }
    const PlanNode *B = plan(R, Depth + 1);
    switch (Kind) {
    case 7:
      return pick(2) ? R.Plan.smax(A, B) : R.Plan.umin(A, B);
    case 8:
      return R.Plan.add(A, B, Flags);
    case 9:
      return R.Plan.sub(A, B, Flags);
    case 10:
      return R.Plan.select(R.A.value("c"), A, B);
    default:
      static constexpr PlanOp Ops[] = {PlanOp::UDivBy, PlanOp::SDivBy,
                                       PlanOp::URemBy, PlanOp::SRemBy};
      return R.divide(Ops[pick(4)], A, B);
    }
  }

  /// The operation of the old value, or that behind a choice that is none.
  const PlanNode *similar(CertifiedRewrite &R) {
    auto *Old = cast<Instruction>(R.A.value("old"));
    auto Operand = [&](unsigned Number) {
      Value *V = Old->getOperand(Number);
      if (auto *C = dyn_cast<ConstantInt>(V))
        return R.Plan.constant(C->getSExtValue(), Width);
      return R.Plan.leaf(V, Width);
    };
    PlanFlags Flags;
    Flags.NoUnsignedWrap = pick(3) == 0;
    Flags.NoSignedWrap = pick(3) == 0;
    const PlanNode *A = Operand(0), *B = Operand(1), *Same = nullptr;
    switch (Old->getOpcode()) {
    case Instruction::Add:
      Same = R.Plan.add(A, B, Flags);
      break;
    case Instruction::Sub:
      Same = R.Plan.sub(A, B, Flags);
      break;
    case Instruction::Mul:
      Same = R.Plan.mulBy(A, B, Flags);
      break;
    case Instruction::UDiv:
      Same = R.divide(pick(3) ? PlanOp::UDivBy : PlanOp::SDivBy, A, B);
      break;
    case Instruction::SDiv:
      Same = R.divide(pick(3) ? PlanOp::SDivBy : PlanOp::UDivBy, A, B);
      break;
    case Instruction::URem:
      Same = R.divide(pick(3) ? PlanOp::URemBy : PlanOp::SRemBy, A, B);
      break;
    case Instruction::SRem:
      Same = R.divide(pick(3) ? PlanOp::SRemBy : PlanOp::URemBy, A, B);
      break;
    default:
      return plan(R);
    }
    switch (pick(4)) {
    case 0:
      return Same;
    case 1:
      return R.Plan.select(R.A.value("c"), Same, plan(R, 1));
    case 2:
      return R.Plan.add(Same, R.Plan.mul(plan(R, 1), 16, {}), {});
    default:
      return R.Plan.smax(Same, R.Plan.smin(plan(R, 1), R.number(-8, Width)));
    }
  }

  unsigned pick(unsigned Number) { return Random() % Number; }

private:
  std::string word() {
    return pick(4) ? Words[pick(Words.size())]
                   : std::to_string(int(pick(16)) - 8);
  }
  const PlanNode *leaf(CertifiedRewrite &R) {
    return R.leaf(Leaves[pick(Leaves.size())].substr(1));
  }

  std::string binary() {
    static constexpr const char *Ops[] = {"add",  "sub",  "mul",  "udiv",
                                          "sdiv", "urem", "srem", "and",
                                          "or",   "xor",  "add",  "sdiv"};
    unsigned Op = pick(12);
    std::string Flags;
    if (Op < 3 || Op == 10)
      Flags = std::string(pick(3) ? "" : " nuw") + (pick(3) ? "" : " nsw");
    else if (Op == 3 || Op == 4 || Op == 11)
      Flags = pick(5) ? "" : " exact";
    return Ops[Op] + Flags + " i4 " + word() + ", " + word();
  }

  std::string operation() {
    std::string Name = "%v" + std::to_string(Words.size()), Text;
    switch (pick(8)) {
    case 0: {
      std::string C = "%k" + std::to_string(Words.size());
      Text = comparison(C) + "  " + Name + " = select i1 " + C + ", i4 " +
             word() + ", i4 " + word();
      break;
    }
    case 1:
      Text = "  " + Name + " = freeze i4 " + Words[pick(Words.size())];
      break;
    case 2:
      Text = "  " + Name + " = call i4 @llvm.smax.i4(i4 " + word() + ", i4 " +
             word() + ")";
      break;
    default:
      Text = "  " + Name + " = " + binary();
    }
    Words.push_back(Name);
    return Text + "\n";
  }

  std::string comparison(const std::string &Name) {
    static constexpr const char *Predicates[] = {
        "eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"};
    return "  " + Name + " = icmp " + Predicates[pick(10)] + " i4 " + word() +
           ", " + word() + "\n";
  }

  std::mt19937 &Random;
  std::vector<std::string> Words, Leaves;
};

unsigned numberOr(const char *Variable, unsigned Otherwise) {
  const char *Number = getenv(Variable);
  return Number ? std::atoi(Number) : Otherwise;
}

/// The input for which \p New is wrong, or nothing.
std::string counterexample(CertifiedRewrite &R, const PlanNode *New) {
  Function &F = R.A.F;
  for (unsigned Point = 0; Point < 256; ++Point) {
    Run Before;
    Before.Values[F.getArg(0)] = APInt(Width, Point % 16);
    Before.Values[F.getArg(1)] = APInt(Width, Point / 16);
    if (!Evaluator(Before).execute(F) || Before.IsUndefined)
      continue;
    Result Old = Before.Values.lookup(R.Root.Old);
    Run After = Before;
    Result Is = Evaluator(After).of(New);
    if (After.IsUndefined)
      return "undefined for " + std::to_string(Point);
    if (Old && Is != Old)
      return "different for " + std::to_string(Point);
  }
  return "";
}

TEST(RewriteCertifierRandom, WhatIsProvedIsTrue) {
  unsigned Rounds = numberOr("UNRAVEL_RANDOM_ROUNDS", 600), Proved = 0;
  std::mt19937 Random(numberOr("UNRAVEL_RANDOM_SEED", 1));
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    Generator G(Random);
    std::string Text = G.function();
    CertifiedRewrite R(Text);
    const PlanNode *New = G.pick(3) ? G.similar(R) : G.plan(R);
    if (!R.isProvedWithoutFlags(New))
      continue;
    ++Proved;
    EXPECT_EQ(counterexample(R, New), "") << "round " << Round << "\n" << Text;
  }
  EXPECT_GT(Proved, Rounds / 50);
}

} // namespace
