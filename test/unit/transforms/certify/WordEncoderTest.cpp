//===- WordEncoderTest.cpp - Words of few bits, all of them ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation is translated for all words of one to four bits and compared
// with LLVM's APInt: that the result is the one of APInt is proved, that it is
// another one is not. Operands are constants, or unknown words that facts
// narrow to one value, before the operation is translated or afterwards.
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/WordEncoder.h"
#include "test/unit/ProofTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

constexpr unsigned MaxWidth = 3;
/// Late facts make more cases, and a product keeps the bounds that it had.
constexpr unsigned MaxWidthOf[] = {4, 3};
/// How an operand is given.
enum class Given { Constant, Unsigned, Signed };
/// When the value of an unknown word becomes known.
enum class Known { Before, After };

struct Operand {
  APInt Value;
  Given How = Given::Constant;
};

DynamicAPInt numberOf(const APInt &Value, bool IsSigned) {
  return DynamicAPInt(IsSigned ? Value : Value.zext(Value.getBitWidth() + 1));
}

Word wordOf(WordEncoder &Words, const Operand &O) {
  if (O.How == Given::Constant)
    return Words.constant(O.Value);
  unsigned Width = O.Value.getBitWidth();
  bool IsSigned = O.How == Given::Signed;
  return Words.unknown(
      Width,
      IsSigned ? numberOf(APInt::getSignedMinValue(Width), true)
               : DynamicAPInt(0),
      IsSigned ? numberOf(APInt::getSignedMaxValue(Width), true)
               : numberOf(APInt::getMaxValue(Width), false),
      IsSigned);
}

void narrow(Case &C, const Operand &O, const Word &W) {
  if (O.How == Given::Constant)
    return;
  bool IsSigned = O.How == Given::Signed;
  Polynomial Offset = (IsSigned ? *W.Signed : *W.Unsigned) -
                      Polynomial(numberOf(O.Value, IsSigned));
  C.assume(Offset);
  C.assume(-Offset);
}

using Operation = function_ref<Word(WordEncoder &, const Word &, const Word &)>;

/// Whether all cases prove that the result is \p Claim.
bool isProved(Operation Apply, const Operand &A, const Operand &B, Known When,
              const APInt &Claim) {
  Case::Script Script;
  do {
    Case C(Script);
    WordEncoder Words(C);
    Word X = wordOf(Words, A), Y = wordOf(Words, B);
    auto Narrow = [&] {
      narrow(C, A, X);
      narrow(C, B, Y);
    };
    if (When == Known::Before)
      Narrow();
    Word Result = Apply(Words, X, Y);
    if (When == Known::After)
      Narrow();
    if (C.reason().empty()) {
      EXPECT_EQ(Result.Width, Claim.getBitWidth());
    }
    bool IsRight =
        C.reason().empty() && Words.areEqual(Result, Words.constant(Claim));
    bool Holds = IsRight || C.Proofs.isImpossible(Splits);
    EXPECT_FALSE(C.Proofs.effort().CheckFailed);
    if (!Holds)
      return false;
    Script = C.nextScript();
  } while (!Script.empty());
  return true;
}

/// What an operation gives: nothing, where it is poison or undefined.
using Meaning =
    function_ref<std::optional<APInt>(const APInt &, const APInt &)>;

/// How many results were proved.
struct Score {
  unsigned Defined = 0, Proved = 0;

  /// Everything that is known in time has to be proved, of the rest enough to
  /// show that the wrong claims had a chance.
  void expect(Known When, const Twine &Name) const {
    if (When == Known::Before)
      EXPECT_EQ(Proved, Defined) << Name.str();
    else
      EXPECT_GE(Proved * 5, Defined) << Name.str();
  }
};

/// Asks about two operands: the right value and, of the wrong ones, those
/// beside it and across.
void ask(Operation Apply, const std::optional<APInt> &Value, const Operand &A,
         const Operand &B, Known When, Score &Result, const Twine &Name) {
  if (!Value)
    return;
  ++Result.Defined;
  Result.Proved += isProved(Apply, A, B, When, *Value);
  APInt Half = APInt::getSignedMinValue(Value->getBitWidth());
  for (const APInt &Wrong : {*Value + 1, *Value - 1, *Value ^ Half})
    EXPECT_FALSE(isProved(Apply, A, B, When, Wrong))
        << Name.str() << " of " << A.Value.getZExtValue() << ", "
        << B.Value.getZExtValue() << " (" << int(A.How) << ", " << int(B.How)
        << ", " << int(When) << ", " << A.Value.getBitWidth()
        << " bits) is proved to be " << Wrong.getZExtValue();
}

void forEachPair(unsigned Width,
                 function_ref<void(const APInt &, const APInt &)> Visit) {
  for (uint64_t A = 0; A < 1u << Width; ++A)
    for (uint64_t B = 0; B < 1u << Width; ++B)
      if (!isLeftOut())
        Visit(APInt(Width, A), APInt(Width, B));
}

struct Shape {
  Given A, B;
};
constexpr Shape AllShapes[] = {
    {Given::Constant, Given::Constant}, {Given::Unsigned, Given::Constant},
    {Given::Signed, Given::Constant},   {Given::Constant, Given::Unsigned},
    {Given::Unsigned, Given::Unsigned}, {Given::Unsigned, Given::Signed},
    {Given::Signed, Given::Signed}};

/// Asks about all pairs of words, given in all ways.
void askAll(const Twine &Name, Operation Apply, Meaning Value,
            ArrayRef<Shape> Shapes = AllShapes) {
  for (Known When : {Known::Before, Known::After})
    for (const Shape &S : Shapes) {
      Score Result;
      for (unsigned Width = 1; Width <= MaxWidthOf[int(When)]; ++Width)
        forEachPair(Width, [&](const APInt &A, const APInt &B) {
          ask(Apply, Value(A, B), {A, S.A}, {B, S.B}, When, Result, Name);
        });
      Result.expect(When, Name + " " + Twine(int(S.A)) + " " + Twine(int(S.B)));
    }
}

//===----------------------------------------------------------------------===//
// Binary operations
//===----------------------------------------------------------------------===//

using BinaryOps = Instruction::BinaryOps;

std::vector<PoisonFlags> flagsOf(BinaryOps Opcode) {
  std::vector<PoisonFlags> All(1);
  PoisonFlags Flags;
  switch (Opcode) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    Flags.NoUnsignedWrap = true;
    All.push_back(Flags);
    Flags.NoSignedWrap = true;
    All.push_back(Flags);
    Flags.NoUnsignedWrap = false;
    All.push_back(Flags);
    break;
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv:
  case Instruction::SDiv:
    Flags.Exact = true;
    All.push_back(Flags);
    break;
  case Instruction::Or:
    Flags.Disjoint = true;
    All.push_back(Flags);
    break;
  default:
    break;
  }
  return All;
}

/// The result without flags, and what makes it poison or undefined.
struct BinaryResult {
  std::optional<APInt> Value; ///< nothing: undefined, or poison without flags
  bool UnsignedWrap = false, SignedWrap = false, Inexact = false,
       Overlap = false;

  bool violates(const PoisonFlags &F) const {
    return (F.NoUnsignedWrap && UnsignedWrap) ||
           (F.NoSignedWrap && SignedWrap) || (F.Exact && Inexact) ||
           (F.Disjoint && Overlap);
  }
};

BinaryResult binaryResult(BinaryOps Opcode, const APInt &A, const APInt &B) {
  BinaryResult R;
  unsigned Width = A.getBitWidth();
  bool IsShift = Opcode == Instruction::Shl || Opcode == Instruction::LShr ||
                 Opcode == Instruction::AShr;
  bool IsSigned = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  if ((IsShift && B.uge(Width)) ||
      (IsSigned && A.isMinSignedValue() && B.isAllOnes()))
    return R;
  auto ShiftsOutOnes = [&] { return A.lshr(B).shl(B) != A; };
  switch (Opcode) {
  case Instruction::Add:
    (void)A.uadd_ov(B, R.UnsignedWrap);
    R.Value = A.sadd_ov(B, R.SignedWrap);
    break;
  case Instruction::Sub:
    (void)A.usub_ov(B, R.UnsignedWrap);
    R.Value = A.ssub_ov(B, R.SignedWrap);
    break;
  case Instruction::Mul: {
    APInt U = A.zext(2 * Width) * B.zext(2 * Width),
          S = A.sext(2 * Width) * B.sext(2 * Width);
    R.Value = A * B;
    R.UnsignedWrap = U != R.Value->zext(2 * Width);
    R.SignedWrap = S != R.Value->sext(2 * Width);
    break;
  }
  case Instruction::Shl:
    R.Value = A.shl(B);
    R.UnsignedWrap = R.Value->lshr(B) != A;
    R.SignedWrap = R.Value->ashr(B) != A;
    break;
  case Instruction::LShr:
    R.Value = A.lshr(B);
    R.Inexact = ShiftsOutOnes();
    break;
  case Instruction::AShr:
    R.Value = A.ashr(B);
    R.Inexact = ShiftsOutOnes();
    break;
  case Instruction::And:
    R.Value = A & B;
    break;
  case Instruction::Or:
    R.Value = A | B;
    R.Overlap = A.intersects(B);
    break;
  case Instruction::Xor:
    R.Value = A ^ B;
    break;
  default:
    if (B.isZero())
      return R;
    R.Value = Opcode == Instruction::UDiv   ? A.udiv(B)
              : Opcode == Instruction::SDiv ? A.sdiv(B)
              : Opcode == Instruction::URem ? A.urem(B)
                                            : A.srem(B);
    R.Inexact = IsSigned ? !A.srem(B).isZero() : !A.urem(B).isZero();
  }
  return R;
}

std::string nameOf(BinaryOps Opcode, const PoisonFlags &F) {
  return std::string(Instruction::getOpcodeName(Opcode)) +
         (F.NoUnsignedWrap ? " nuw" : "") + (F.NoSignedWrap ? " nsw" : "") +
         (F.Exact ? " exact" : "") + (F.Disjoint ? " disjoint" : "");
}

class BinaryOperations : public testing::TestWithParam<BinaryOps> {
public:
  /// Of bits that are not known, an operation of bits is some word.
  bool isOfBits() const {
    return GetParam() == Instruction::And || GetParam() == Instruction::Or ||
           GetParam() == Instruction::Xor;
  }
  bool isDivision() const { return Instruction::isIntDivRem(GetParam()); }
  bool isShift() const { return Instruction::isShift(GetParam()); }
  /// Amounts of shifts are constants; of bits, a mask is.
  std::vector<Shape> shapes() const {
    if (isShift())
      return {AllShapes[0], AllShapes[1], AllShapes[2]};
    if (isOfBits())
      return {AllShapes[0], AllShapes[1], AllShapes[2], AllShapes[3]};
    return std::vector<Shape>(std::begin(AllShapes), std::end(AllShapes));
  }
};

INSTANTIATE_TEST_SUITE_P(
    WordEncoder, BinaryOperations,
    testing::Values(Instruction::Add, Instruction::Sub, Instruction::Mul,
                    Instruction::Shl, Instruction::LShr, Instruction::AShr,
                    Instruction::UDiv, Instruction::SDiv, Instruction::URem,
                    Instruction::SRem, Instruction::And, Instruction::Or,
                    Instruction::Xor),
    [](const testing::TestParamInfo<BinaryOps> &Info) {
      return std::string(Instruction::getOpcodeName(Info.param));
    });

/// Old code: flags are believed.
TEST_P(BinaryOperations, GiveWhatLLVMGives) {
  for (const PoisonFlags &Flags : flagsOf(GetParam()))
    askAll(
        nameOf(GetParam(), Flags),
        [&](WordEncoder &Words, const Word &A, const Word &B) {
          return Words.binary(GetParam(), A, B, Flags, Trust::Believed);
        },
        [&](const APInt &A, const APInt &B) -> std::optional<APInt> {
          BinaryResult R = binaryResult(GetParam(), A, B);
          return R.violates(Flags) ? std::nullopt : R.Value;
        },
        shapes());
}

/// The bits of two unknown words: nothing false is proved.
TEST(WordEncoder, OfUnknownBitsNegative) {
  for (BinaryOps Opcode : {Instruction::And, Instruction::Or, Instruction::Xor})
    for (const PoisonFlags &Flags : flagsOf(Opcode)) {
      auto Apply = [&](WordEncoder &Words, const Word &X, const Word &Y) {
        return Words.binary(Opcode, X, Y, Flags, Trust::Believed);
      };
      for (Known When : {Known::Before, Known::After})
        for (const Shape &S : {AllShapes[4], AllShapes[5], AllShapes[6]}) {
          Score Result;
          for (unsigned Width = 1; Width <= MaxWidthOf[int(When)]; ++Width)
            forEachPair(Width, [&](const APInt &A, const APInt &B) {
              BinaryResult R = binaryResult(Opcode, A, B);
              ask(Apply, R.violates(Flags) ? std::nullopt : R.Value, {A, S.A},
                  {B, S.B}, When, Result, nameOf(Opcode, Flags));
            });
        }
    }
}

/// New code: flags have to be proved. Who divides has looked at the divisor.
TEST_P(BinaryOperations, FlagsThatDoNotHoldAreGivenUp) {
  for (const PoisonFlags &Flags : flagsOf(GetParam())) {
    auto Apply = [&](WordEncoder &Words, const Word &A, const Word &B) {
      return Words.binary(GetParam(), A, B, Flags, Trust::Proved);
    };
    for (Known When : {Known::Before, Known::After})
      for (const Shape &S : shapes()) {
        Score Result;
        for (unsigned Width = Flags.Disjoint ? 2 : 1;
             Width <= MaxWidthOf[int(When)]; ++Width)
          forEachPair(Width, [&](const APInt &A, const APInt &B) {
            BinaryResult R = binaryResult(GetParam(), A, B);
            Operand X{A, S.A}, Y{B, S.B};
            if (!R.violates(Flags))
              return ask(Apply, R.Value, X, Y, When, Result,
                         nameOf(GetParam(), Flags));
            if (R.Value) {
              EXPECT_FALSE(isProved(Apply, X, Y, When, *R.Value))
                  << nameOf(GetParam(), Flags) << " of " << A.getZExtValue()
                  << ", " << B.getZExtValue() << " is poison";
            }
          });
        // What becomes known later is of no use for a flag.
        if (When == Known::Before)
          Result.expect(When, nameOf(GetParam(), Flags));
      }
  }
}

/// Truth has one bit, and a translation of its own.
TEST(WordEncoder, DisjointBitsAreGivenUpWhereBothAreTrue) {
  PoisonFlags Disjoint;
  Disjoint.Disjoint = true;
  auto Apply = [&](WordEncoder &Words, const Word &A, const Word &B) {
    return Words.binary(Instruction::Or, A, B, Disjoint, Trust::Proved);
  };
  APInt Zero(1, 0), One(1, 1);
  for (Given How : {Given::Constant, Given::Unsigned}) {
    EXPECT_TRUE(isProved(Apply, {Zero, How}, {One, How}, Known::Before, One));
    EXPECT_FALSE(isProved(Apply, {One, How}, {One, How}, Known::Before, One));
  }
}

/// By design: an amount that is not constant, or too large.
TEST(WordEncoder, StrangeShiftsAreGivenUp) {
  APInt Two(4, 2), One(4, 1), Four(4, 4);
  for (BinaryOps Opcode :
       {Instruction::Shl, Instruction::LShr, Instruction::AShr}) {
    auto Apply = [&](WordEncoder &Words, const Word &A, const Word &B) {
      return Words.binary(Opcode, A, B, {}, Trust::Believed);
    };
    for (uint64_t Claim = 0; Claim < 16; ++Claim)
      for (Known When : {Known::Before, Known::After}) {
        EXPECT_FALSE(isProved(Apply, {Two, Given::Unsigned},
                              {One, Given::Unsigned}, When, APInt(4, Claim)));
        EXPECT_FALSE(isProved(Apply, {Two, Given::Unsigned},
                              {Four, Given::Constant}, When, APInt(4, Claim)));
      }
  }
}

//===----------------------------------------------------------------------===//
// Other operations
//===----------------------------------------------------------------------===//

TEST(WordEncoder, LesserAndGreater) {
  askAll(
      "umin",
      [](WordEncoder &W, const Word &A, const Word &B) {
        return W.lesser(A, B, false);
      },
      [](const APInt &A, const APInt &B) { return APIntOps::umin(A, B); });
  askAll(
      "smin",
      [](WordEncoder &W, const Word &A, const Word &B) {
        return W.lesser(A, B, true);
      },
      [](const APInt &A, const APInt &B) { return APIntOps::smin(A, B); });
  askAll(
      "umax",
      [](WordEncoder &W, const Word &A, const Word &B) {
        return W.greater(A, B, false);
      },
      [](const APInt &A, const APInt &B) { return APIntOps::umax(A, B); });
  askAll(
      "smax",
      [](WordEncoder &W, const Word &A, const Word &B) {
        return W.greater(A, B, true);
      },
      [](const APInt &A, const APInt &B) { return APIntOps::smax(A, B); });
}

TEST(WordEncoder, DifferenceOrZero) {
  askAll(
      "usub.sat",
      [](WordEncoder &W, const Word &A, const Word &B) {
        return W.differenceOrZero(A, B);
      },
      [](const APInt &A, const APInt &B) { return A.usub_sat(B); });
}

TEST(WordEncoder, UpperProducts) {
  askAll(
      "upper product",
      [](WordEncoder &W, const Word &A, const Word &B) {
        return W.upperProduct(A, B);
      },
      [](const APInt &A, const APInt &B) { return APIntOps::mulhu(A, B); });
}

TEST(WordEncoder, Magnitudes) {
  for (bool LeastIsPoison : {false, true})
    askAll(
        "abs",
        [&](WordEncoder &W, const Word &A, const Word &) {
          return W.absolute(A, LeastIsPoison, Trust::Believed);
        },
        [&](const APInt &A, const APInt &) -> std::optional<APInt> {
          if (LeastIsPoison && A.isMinSignedValue())
            return std::nullopt;
          return A.abs();
        },
        {AllShapes[0], AllShapes[1], AllShapes[2]});
}

TEST(WordEncoder, MagnitudesNegative) {
  auto Apply = [](WordEncoder &W, const Word &A, const Word &) {
    return W.absolute(A, /*LeastIsPoison=*/true, Trust::Proved);
  };
  for (unsigned Width = 1; Width <= MaxWidth; ++Width) {
    APInt Least = APInt::getSignedMinValue(Width);
    EXPECT_FALSE(
        isProved(Apply, {Least, Given::Signed}, {Least}, Known::Before, Least));
    if (Width > 1) {
      EXPECT_TRUE(isProved(Apply, {Least + 1, Given::Signed}, {Least},
                           Known::Before, Least - 1));
    }
  }
}

TEST(WordEncoder, Comparisons) {
  for (unsigned P = CmpInst::FIRST_ICMP_PREDICATE;
       P <= CmpInst::LAST_ICMP_PREDICATE; ++P) {
    auto Predicate = static_cast<CmpInst::Predicate>(P);
    askAll(
        CmpInst::getPredicateName(Predicate),
        [&](WordEncoder &W, const Word &A, const Word &B) {
          return W.truth(W.compare(Predicate, A, B));
        },
        [&](const APInt &A, const APInt &B) {
          return APInt(1, ICmpInst::compare(A, B, Predicate));
        });
  }
}

/// What is assumed is so, and no more than that.
TEST(WordEncoder, AssumedComparisons) {
  for (unsigned P = CmpInst::FIRST_ICMP_PREDICATE;
       P <= CmpInst::LAST_ICMP_PREDICATE; ++P) {
    auto Predicate = static_cast<CmpInst::Predicate>(P);
    unsigned False = 0, Refuted = 0;
    for (const Shape &S : AllShapes)
      for (unsigned Width = 1; Width <= MaxWidth; ++Width)
        forEachPair(Width, [&](const APInt &A, const APInt &B) {
          Case C;
          WordEncoder Words(C);
          Operand X{A, S.A}, Y{B, S.B};
          Word Left = wordOf(Words, X), Right = wordOf(Words, Y);
          narrow(C, X, Left);
          narrow(C, Y, Right);
          Words.assume(Predicate, Left, Right);
          bool IsImpossible = C.Proofs.isImpossible(Splits);
          if (ICmpInst::compare(A, B, Predicate)) {
            EXPECT_FALSE(IsImpossible)
                << CmpInst::getPredicateName(Predicate).str() << " "
                << A.getZExtValue() << " " << B.getZExtValue();
          } else {
            ++False;
            Refuted += IsImpossible;
          }
        });
    EXPECT_EQ(Refuted, False) << CmpInst::getPredicateName(Predicate).str();
  }
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

TEST(WordEncoder, Extensions) {
  for (unsigned Width = MaxWidth; Width <= MaxWidth + 2; ++Width) {
    // Words of four bits have no wider word of four bits.
    auto IsWider = [&](const APInt &A) { return A.getBitWidth() < Width; };
    askAll(
        "zext",
        [&](WordEncoder &W, const Word &A, const Word &) {
          return A.Width < Width ? W.zeroExtended(A, Width) : A;
        },
        [&](const APInt &A, const APInt &) {
          return IsWider(A) ? A.zext(Width) : A;
        },
        {AllShapes[0], AllShapes[1], AllShapes[2]});
    askAll(
        "sext",
        [&](WordEncoder &W, const Word &A, const Word &) {
          return A.Width < Width ? W.signExtended(A, Width) : A;
        },
        [&](const APInt &A, const APInt &) {
          return IsWider(A) ? A.sext(Width) : A;
        },
        {AllShapes[0], AllShapes[1], AllShapes[2]});
  }
}

TEST(WordEncoder, Truncations) {
  for (Trust T : {Trust::Believed, Trust::Proved})
    for (unsigned Number = 0; Number < 4; ++Number) {
      PoisonFlags Flags;
      Flags.NoUnsignedWrap = Number & 1;
      Flags.NoSignedWrap = Number & 2;
      for (Known When : {Known::Before, Known::After})
        for (Given How : {Given::Constant, Given::Unsigned, Given::Signed}) {
          Score Result;
          for (unsigned From = 2; From <= MaxWidth; ++From)
            for (unsigned To = 1; To < From; ++To)
              for (uint64_t Bits = 0; Bits < 1u << From; ++Bits) {
                APInt A(From, Bits), Value = A.trunc(To);
                bool IsPoison =
                    (Flags.NoUnsignedWrap && Value.zext(From) != A) ||
                    (Flags.NoSignedWrap && Value.sext(From) != A);
                auto Apply = [&](WordEncoder &W, const Word &X, const Word &) {
                  return W.truncated(X, To, Flags, T);
                };
                if (!IsPoison) {
                  ask(Apply, Value, {A, How}, {A}, When, Result, "trunc");
                } else if (T == Trust::Proved) {
                  EXPECT_FALSE(isProved(Apply, {A, How}, {A}, When, Value));
                }
              }
          if (T == Trust::Believed || When == Known::Before)
            Result.expect(When, "trunc " + Twine(Number));
        }
    }
}

} // namespace
