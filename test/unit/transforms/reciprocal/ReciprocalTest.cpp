//===- ReciprocalTest.cpp - Division by multiplying with a reciprocal -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code that Reciprocal.cpp emits, executed with every result that
// rcp.approx.ftz.f32 may have, and its mathematics at every point of small
// words.
//
//===----------------------------------------------------------------------===//

#include "transforms/reciprocal/Reciprocal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace llvm;
using namespace unravel;

namespace {

/// f(d, x) with all that is computed from the two, in one block.
class DivisionCode {
public:
  DivisionCode() : M("division", Context) {
    Type *Word = Type::getInt32Ty(Context);
    F = Function::Create(FunctionType::get(Word, {Word, Word}, false),
                         Function::ExternalLinkage, "f", M);
    Block = BasicBlock::Create(Context, "entry", F);
    IRBuilder<> B(Block);
    R = emitReciprocal(B, F->getArg(0));
    QuotientEstimate E = emitEstimate(B, R, F->getArg(1));
    Quotient = emitQuotient(B, R, E);
    Remainder = emitRemainder(B, R, E);
    FirstUseOfDividend = cast<Instruction>(E.Quotient);
  }

  /// Computes the reciprocal of \p Divisor where the approximation errs by \p
  /// Ulps. False if it must not err by as much.
  bool computeReciprocal(uint32_t Divisor, int Ulps) {
    Words[F->getArg(0)] = Divisor;
    Error = Ulps;
    IsAllowed = true;
    for (Instruction &I : *Block)
      if (&I == FirstUseOfDividend)
        break;
      else
        Words[&I] = evaluate(I);
    return IsAllowed;
  }
  uint32_t multiplier() { return wordOf(R.Multiplier); }

  struct Result {
    uint32_t Quotient, Remainder;
  };
  Result divide(uint32_t Dividend) {
    Words[F->getArg(1)] = Dividend;
    for (Instruction &I :
         make_range(FirstUseOfDividend->getIterator(), Block->end()))
      Words[&I] = evaluate(I);
    return {wordOf(Quotient), wordOf(Remainder)};
  }

private:
  uint32_t wordOf(Value *V) {
    if (auto *C = dyn_cast<ConstantInt>(V))
      return C->getZExtValue();
    return Words.at(V);
  }

  uint32_t evaluate(Instruction &I) {
    uint32_t A = wordOf(I.getOperand(0));
    uint32_t B = I.getNumOperands() > 1 && !isa<BitCastInst>(I) &&
                         !isa<Function>(I.getOperand(1))
                     ? wordOf(I.getOperand(1))
                     : 0;
    switch (I.getOpcode()) {
    case Instruction::Add:
      return A + B;
    case Instruction::Sub:
      return A - B;
    case Instruction::Mul:
      return A * B;
    case Instruction::BitCast:
      return A;
    case Instruction::ICmp:
      EXPECT_EQ(cast<ICmpInst>(I).getPredicate(), ICmpInst::ICMP_UGE);
      return A >= B;
    case Instruction::Select:
      return A ? B : wordOf(I.getOperand(2));
    default:
      break;
    }
    switch (cast<IntrinsicInst>(I).getIntrinsicID()) {
    case Intrinsic::nvvm_mulhi_ui:
      return uint64_t(A) * B >> 32;
    case Intrinsic::umin:
      return std::min(A, B);
    case Intrinsic::nvvm_ui2f_rp: {
      float Near = A;
      return bit_cast<uint32_t>(
          double(Near) < A ? std::nextafter(Near, INFINITY) : Near);
    }
    case Intrinsic::nvvm_rcp_approx_ftz_f:
      return approximate(bit_cast<float>(A));
    case Intrinsic::nvvm_f2ui_rz: {
      float V = bit_cast<float>(A);
      return V <= 0 ? 0 : V >= 0x1p32f ? UINT32_MAX : uint32_t(V);
    }
    default:
      ADD_FAILURE() << "unexpected intrinsic";
      return 0;
    }
  }

  /// The reciprocal rounded down, and \p Error floats further.
  uint32_t approximate(float V) {
    double Exact = 1 / double(V);
    float Near = Exact;
    float Down = double(Near) > Exact ? std::nextafter(Near, 0.0f) : Near;
    uint32_t Bits = bit_cast<uint32_t>(Down) + Error;
    double Ulp = double(std::nextafter(Down, INFINITY)) - Down;
    // Only just more than 1 ulp, for the error of the exact one.
    IsAllowed =
        std::abs(double(bit_cast<float>(Bits)) - Exact) <= Ulp * (1 + 0x1p-20);
    return Bits;
  }

  LLVMContext Context;
  Module M;
  Function *F;
  BasicBlock *Block;
  Reciprocal R;
  Value *Quotient, *Remainder;
  Instruction *FirstUseOfDividend;
  DenseMap<Value *, uint32_t> Words;
  int Error = 0;
  bool IsAllowed = true;
};

std::vector<uint32_t> interestingDivisors() {
  std::vector<uint32_t> Result;
  for (uint32_t D = 1; D < 2000; ++D) {
    Result.push_back(D);
    Result.push_back(-D);
    Result.push_back(0x80000000u + D - 1000);
  }
  for (unsigned K = 11; K < 32; ++K)
    for (int Near = -3; Near <= 3; ++Near)
      Result.push_back((1u << K) + Near);
  std::mt19937 Random(1);
  for (unsigned I = 0; I < 20000; ++I)
    Result.push_back(std::max<uint32_t>(1, Random() >> (I % 32)));
  return Result;
}

TEST(ReciprocalTest, MultiplierIsExactForEveryErrorOfTheFloat) {
  DivisionCode Code;
  unsigned Tried = 0;
  for (uint32_t D : interestingDivisors())
    for (int Ulps = -2; Ulps <= 3; ++Ulps)
      if (Code.computeReciprocal(D, Ulps)) {
        ASSERT_EQ(Code.multiplier(), UINT32_MAX / D)
            << "divisor " << D << ", " << Ulps << " ulps";
        ++Tried;
      }
  // The floats on both sides of each reciprocal at least.
  EXPECT_GE(Tried, 2 * interestingDivisors().size());
}

TEST(ReciprocalTest, QuotientsAndRemaindersAreExact) {
  DivisionCode Code;
  std::mt19937 Random(2);
  for (uint32_t D : interestingDivisors()) {
    ASSERT_TRUE(Code.computeReciprocal(D, 0));
    uint32_t Most = UINT32_MAX / D;
    std::vector<uint32_t> Dividends = {
        0,          1,          D - 1,          D,         D + 1,
        0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX};
    for (uint32_t K :
         {uint32_t(1), Most / 2, Most - 1, Most, uint32_t(Random() % Most)})
      for (int Near = -1; Near <= 1; ++Near)
        Dividends.push_back(K * D + Near);
    Dividends.push_back(Random());
    for (uint32_t X : Dividends) {
      DivisionCode::Result Got = Code.divide(X);
      ASSERT_EQ(Got.Quotient, X / D) << X << " / " << D;
      ASSERT_EQ(Got.Remainder, X % D) << X << " % " << D;
    }
  }
}

// The division step, with words of 9 bits: all dividends by all divisors.
TEST(ReciprocalTest, StepIsExactOnSmallWords) {
  constexpr unsigned Words = 512;
  for (unsigned D = 1; D < Words; ++D) {
    unsigned M = (Words - 1) / D;
    for (unsigned X = 0; X < Words; ++X) {
      unsigned Q0 = X * M / Words;
      unsigned R0 = (X - Q0 * D) % Words;
      ASSERT_EQ(R0 >= D ? Q0 + 1 : Q0, X / D) << X << " / " << D;
      ASSERT_EQ(std::min(R0, (R0 - D) % Words), X % D) << X << " % " << D;
    }
  }
}

// No trap and no poison: whatever comes out, the code before it was executed.
TEST(ReciprocalTest, ZeroIsHarmless) {
  DivisionCode Code;
  Code.computeReciprocal(0, 0);
  Code.divide(7);
}

} // namespace
