//===- WordEncoderRandomTest.cpp - Random programs that are proved equal --===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two random expressions of a few operations on words of few bits, the old one
// believed and the new one to prove, as RewriteCertifier does it. Those that
// are proved equal are computed for all inputs. What the encoder remembers from
// one operation to the next is what can go wrong here.
//
//===----------------------------------------------------------------------===//

#include "test/unit/ProofTestHelper.h"
#include "transforms/certify/WordEncoder.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// The first of them are inputs.
constexpr unsigned Inputs = 2;

struct Node {
  enum Kind { Input, Constant, Binary, Cast, Choice } Form = Input;
  unsigned Width = 0;
  unsigned Opcode = 0; ///< of a binary operation, or of a cast
  CmpInst::Predicate Predicate = CmpInst::ICMP_EQ; ///< of a choice
  PoisonFlags Flags;
  uint64_t Value = 0;
  /// Operands by number; a choice is `A p B ? C : D`.
  unsigned A = 0, B = 0, C = 0, D = 0;
};

/// Nodes with their operands in front of them.
using Program = std::vector<Node>;

class Generator {
public:
  Generator(std::mt19937 &Random, unsigned Width)
      : Random(Random), Width(Width) {
    for (unsigned I = 0; I < Inputs; ++I) {
      Node N;
      N.Width = Width;
      Nodes.push_back(N);
    }
  }

  /// Adds up to \p Number operations. New code divides by constants.
  unsigned add(unsigned Number, bool IsNew) {
    unsigned Last = pick(Width);
    for (unsigned I = 0; I < Number; ++I)
      Last = operation(IsNew);
    while (Nodes[Last].Width != Width)
      Last = cast(Last, Width);
    return Last;
  }

  Program Nodes;

private:
  unsigned push(Node N) {
    Nodes.push_back(N);
    return Nodes.size() - 1;
  }
  unsigned constant(uint64_t Value, unsigned Width) {
    Node N;
    N.Form = Node::Constant;
    N.Width = Width;
    N.Value = Value & ((1u << Width) - 1);
    return push(N);
  }
  /// A node of this width, the later ones more often.
  unsigned pick(unsigned Width) {
    if (Random() % 4 == 0)
      return constant(Random(), Width);
    for (unsigned Tries = 0; Tries < 8; ++Tries) {
      unsigned I =
          Nodes.size() - 1 - Random() % std::min<size_t>(Nodes.size(), 6);
      if (Nodes[I].Width == Width)
        return I;
    }
    return cast(Random() % Inputs, Width);
  }
  unsigned cast(unsigned From, unsigned To) {
    if (Nodes[From].Width == To)
      return From;
    Node N;
    N.Form = Node::Cast;
    N.Width = To;
    N.A = From;
    N.Opcode = Nodes[From].Width > To ? Instruction::Trunc
               : Random() % 2         ? Instruction::ZExt
                                      : Instruction::SExt;
    if (N.Opcode == Instruction::Trunc) {
      N.Flags.NoUnsignedWrap = Random() % 4 == 0;
      N.Flags.NoSignedWrap = Random() % 4 == 0;
    }
    return push(N);
  }
  unsigned operation(bool IsNew) {
    Node N;
    N.Width = Random() % 4 == 0 ? Width + 2 : Width;
    N.A = pick(N.Width);
    N.B = pick(N.Width);
    if (Random() % 6 == 0) {
      N.Form = Node::Choice;
      N.Predicate = static_cast<CmpInst::Predicate>(
          CmpInst::FIRST_ICMP_PREDICATE +
          Random() % (CmpInst::LAST_ICMP_PREDICATE -
                      CmpInst::FIRST_ICMP_PREDICATE + 1));
      N.C = pick(N.Width);
      N.D = pick(N.Width);
      return push(N);
    }
    N.Form = Node::Binary;
    static constexpr unsigned Opcodes[] = {
        Instruction::Add,  Instruction::Add,  Instruction::Sub,
        Instruction::Mul,  Instruction::Shl,  Instruction::LShr,
        Instruction::AShr, Instruction::UDiv, Instruction::SDiv,
        Instruction::URem, Instruction::SRem, Instruction::And,
        Instruction::Or,   Instruction::Xor};
    N.Opcode = Opcodes[Random() % std::size(Opcodes)];
    if (Instruction::isShift(N.Opcode))
      N.B = constant(Random() % N.Width, N.Width);
    else if (Instruction::isIntDivRem(N.Opcode) && (IsNew || Random() % 2))
      N.B = constant(1 + Random() % ((1u << (N.Width - 1)) - 1), N.Width);
    bool Some = Random() % 2, Other = Random() % 2;
    switch (N.Opcode) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      N.Flags.NoUnsignedWrap = Some;
      N.Flags.NoSignedWrap = Other;
      break;
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::UDiv:
    case Instruction::SDiv:
      N.Flags.Exact = Some && Other;
      break;
    case Instruction::Or:
      N.Flags.Disjoint = Some;
      break;
    default:
      break;
    }
    return push(N);
  }

  std::mt19937 &Random;
  unsigned Width;
};

//===----------------------------------------------------------------------===//
// What it means
//===----------------------------------------------------------------------===//

std::optional<APInt> compute(const Node &N, const APInt &A, const APInt &B) {
  bool Unsigned = false, Signed = false;
  unsigned Width = N.Width;
  APInt R(Width, 0);
  bool IsSigned =
      N.Opcode == Instruction::SDiv || N.Opcode == Instruction::SRem;
  if (Instruction::isIntDivRem(N.Opcode) &&
      (B.isZero() || (IsSigned && A.isMinSignedValue() && B.isAllOnes())))
    return std::nullopt;
  switch (N.Opcode) {
  case Instruction::Add:
    (void)A.uadd_ov(B, Unsigned);
    R = A.sadd_ov(B, Signed);
    break;
  case Instruction::Sub:
    (void)A.usub_ov(B, Unsigned);
    R = A.ssub_ov(B, Signed);
    break;
  case Instruction::Mul:
    R = A * B;
    Unsigned = A.zext(2 * Width) * B.zext(2 * Width) != R.zext(2 * Width);
    Signed = A.sext(2 * Width) * B.sext(2 * Width) != R.sext(2 * Width);
    break;
  case Instruction::Shl:
    R = A.shl(B);
    Unsigned = R.lshr(B) != A;
    Signed = R.ashr(B) != A;
    break;
  case Instruction::LShr:
  case Instruction::AShr:
    R = N.Opcode == Instruction::LShr ? A.lshr(B) : A.ashr(B);
    if (N.Flags.Exact && R.shl(B) != A)
      return std::nullopt;
    break;
  case Instruction::UDiv:
  case Instruction::SDiv:
    R = IsSigned ? A.sdiv(B) : A.udiv(B);
    if (N.Flags.Exact && R * B != A)
      return std::nullopt;
    break;
  case Instruction::URem:
  case Instruction::SRem:
    R = IsSigned ? A.srem(B) : A.urem(B);
    break;
  case Instruction::And:
    R = A & B;
    break;
  case Instruction::Or:
    if (N.Flags.Disjoint && A.intersects(B))
      return std::nullopt;
    R = A | B;
    break;
  case Instruction::Xor:
    R = A ^ B;
    break;
  case Instruction::Trunc:
    R = A.trunc(Width);
    Unsigned = R.zext(A.getBitWidth()) != A;
    Signed = R.sext(A.getBitWidth()) != A;
    break;
  case Instruction::ZExt:
    return A.zext(Width);
  case Instruction::SExt:
    return A.sext(Width);
  default:
    ADD_FAILURE() << "no such operation";
  }
  if ((N.Flags.NoUnsignedWrap && Unsigned) || (N.Flags.NoSignedWrap && Signed))
    return std::nullopt;
  return R;
}

/// Nothing: poison or undefined.
std::optional<APInt> valueOf(const Program &P, unsigned I,
                             ArrayRef<uint64_t> Values) {
  const Node &N = P[I];
  if (N.Form == Node::Input)
    return APInt(N.Width, Values[I]);
  if (N.Form == Node::Constant)
    return APInt(N.Width, N.Value);
  std::optional<APInt> A = valueOf(P, N.A, Values), B = A;
  if (N.Form != Node::Cast)
    B = valueOf(P, N.B, Values);
  if (!A || !B)
    return std::nullopt;
  if (N.Form == Node::Choice)
    return valueOf(P, ICmpInst::compare(*A, *B, N.Predicate) ? N.C : N.D,
                   Values);
  return compute(N, *A, *B);
}

//===----------------------------------------------------------------------===//
// What is proved
//===----------------------------------------------------------------------===//

/// A program in one case.
class Translation {
public:
  Translation(const Program &P, Case &C, ArrayRef<bool> AreSigned)
      : P(P), Words(C) {
    for (unsigned I = 0; I < Inputs; ++I) {
      unsigned W = P[I].Width;
      int64_t Low = AreSigned[I] ? -(int64_t(1) << (W - 1)) : 0;
      Known[I] = Words.unknown(W, DynamicAPInt(Low),
                               DynamicAPInt(Low + (int64_t(1) << W) - 1),
                               AreSigned[I]);
    }
  }
  Word valueOf(unsigned I, Trust T) {
    auto It = Known.find(I);
    if (It != Known.end())
      return It->second;
    return Known[I] = compute(P[I], T);
  }

  WordEncoder &words() { return Words; }

private:
  Word compute(const Node &N, Trust T) {
    if (N.Form == Node::Constant)
      return Words.constant(APInt(N.Width, N.Value));
    Word A = valueOf(N.A, T);
    if (N.Form == Node::Cast)
      return N.Opcode == Instruction::Trunc
                 ? Words.truncated(A, N.Width, N.Flags, T)
             : N.Opcode == Instruction::ZExt ? Words.zeroExtended(A, N.Width)
                                             : Words.signExtended(A, N.Width);
    Word B = valueOf(N.B, T);
    if (N.Form == Node::Choice)
      return valueOf(Words.compare(N.Predicate, A, B) ? N.C : N.D, T);
    return Words.binary(N.Opcode, A, B, N.Flags, T);
  }

  const Program &P;
  WordEncoder Words;
  std::map<unsigned, Word> Known;
};

/// Whether \p New is proved to refine \p Old where the fact, a choice, takes
/// its first arm.
bool isProved(const Program &P, std::optional<unsigned> Fact, unsigned Old,
              unsigned New, ArrayRef<bool> AreSigned) {
  static constexpr unsigned MaxCases = 32;
  Case::Script Script;
  unsigned Cases = 0;
  do {
    Case C(Script);
    Translation T(P, C, AreSigned);
    if (Fact)
      T.words().assume(P[*Fact].Predicate,
                       T.valueOf(P[*Fact].A, Trust::Believed),
                       T.valueOf(P[*Fact].B, Trust::Believed));
    T.words().fixMultiples();
    Word Before = T.valueOf(Old, Trust::Believed);
    if (!C.reason().empty())
      return false;
    Word After = T.valueOf(New, Trust::Proved);
    if (C.reason().empty() && !T.words().areEqual(Before, After))
      C.giveUp("not the same");
    bool IsOpen = !C.reason().empty() && !C.Proofs.isImpossible(Splits);
    EXPECT_FALSE(C.Proofs.effort().CheckFailed);
    if (IsOpen || ++Cases > MaxCases)
      return false;
    Script = C.nextScript();
  } while (!Script.empty());
  return true;
}

std::string text(const Program &P) {
  std::string Text;
  for (unsigned I = 0; I < P.size(); ++I) {
    const Node &N = P[I];
    Text += "  %" + std::to_string(I) + " = ";
    if (N.Form == Node::Input)
      Text += "input";
    else if (N.Form == Node::Constant)
      Text += std::to_string(N.Value);
    else if (N.Form == Node::Choice)
      Text += "choose " + CmpInst::getPredicateName(N.Predicate).str();
    else
      Text += Instruction::getOpcodeName(N.Opcode);
    Text +=
        std::string(N.Flags.NoUnsignedWrap ? " nuw" : "") +
        (N.Flags.NoSignedWrap ? " nsw" : "") + (N.Flags.Exact ? " exact" : "") +
        (N.Flags.Disjoint ? " disjoint" : "") + " i" + std::to_string(N.Width);
    if (N.Form == Node::Binary || N.Form == Node::Choice)
      Text += " %" + std::to_string(N.A) + ", %" + std::to_string(N.B);
    if (N.Form == Node::Cast)
      Text += " %" + std::to_string(N.A);
    if (N.Form == Node::Choice)
      Text += ", %" + std::to_string(N.C) + ", %" + std::to_string(N.D);
    Text += "\n";
  }
  return Text;
}

/// Whether it divides by what may be 0 or -1: who does that in new code has to
/// look at the divisor first, which is not the encoder's part.
bool dividesByUnknown(const Program &P, unsigned I) {
  const Node &N = P[I];
  if (N.Form == Node::Input || N.Form == Node::Constant)
    return false;
  if (N.Form == Node::Binary && Instruction::isIntDivRem(N.Opcode) &&
      (P[N.B].Form != Node::Constant || P[N.B].Value == 0 ||
       P[N.B].Value >> (N.Width - 1) != 0))
    return true;
  return dividesByUnknown(P, N.A) ||
         (N.Form != Node::Cast && dividesByUnknown(P, N.B)) ||
         (N.Form == Node::Choice &&
          (dividesByUnknown(P, N.C) || dividesByUnknown(P, N.D)));
}

unsigned rounds() {
  const char *Number = getenv("UNRAVEL_RANDOM_ROUNDS");
  return Number ? std::atoi(Number) : 4000;
}
unsigned seed() {
  const char *Number = getenv("UNRAVEL_RANDOM_SEED");
  return Number ? std::atoi(Number) : 1;
}

TEST(WordEncoderRandom, WhatIsProvedIsTrue) {
  std::mt19937 Random(seed());
  unsigned Proved = 0, True = 0;
  for (unsigned Round = 0; Round < rounds(); ++Round) {
    unsigned Width = 2 + Random() % 2;
    Generator G(Random, Width);
    unsigned Old = G.add(1 + Random() % 3, /*IsNew=*/false);
    std::optional<unsigned> Fact;
    if (Random() % 2) {
      G.add(1, /*IsNew=*/false);
      Node Compare = G.Nodes.back();
      Compare.Form = Node::Choice;
      Compare.B = Compare.A;
      Compare.A = Random() % Inputs;
      while (G.Nodes[Compare.A].Width != G.Nodes[Compare.B].Width)
        Compare.B = Random() % Inputs;
      Compare.Predicate = static_cast<CmpInst::Predicate>(
          CmpInst::FIRST_ICMP_PREDICATE + Random() % 10);
      Compare.C = Compare.D = Compare.A;
      Compare.Flags = {};
      Fact = G.Nodes.size();
      G.Nodes.push_back(Compare);
    }
    unsigned New = G.add(1 + Random() % 3, /*IsNew=*/true);
    const Program &P = G.Nodes;
    // Both as numbers of either kind.
    bool AreSigned[Inputs] = {Random() % 2 == 0, Random() % 2 == 0};
    // The inputs for which it is wrong.
    std::string Wrong;
    unsigned Defined = 0;
    for (uint64_t Point = 0; Point < 1u << (Inputs * Width); ++Point) {
      uint64_t Values[Inputs] = {Point & ((1u << Width) - 1), Point >> Width};
      if (Fact) {
        auto A = valueOf(P, P[*Fact].A, Values),
             B = valueOf(P, P[*Fact].B, Values);
        if (!A || !B || !ICmpInst::compare(*A, *B, P[*Fact].Predicate))
          continue;
      }
      std::optional<APInt> Before = valueOf(P, Old, Values);
      if (!Before)
        continue;
      ++Defined;
      if (Before != valueOf(P, New, Values))
        Wrong = std::to_string(Values[0]) + ", " + std::to_string(Values[1]);
    }
    if (Defined == 0 || dividesByUnknown(P, New))
      continue;
    True += Wrong.empty();
    if (!isProved(P, Fact, Old, New, AreSigned))
      continue;
    ++Proved;
    EXPECT_EQ(Wrong, "") << "round " << Round << ": %" << New
                         << " is no refinement of %" << Old << " in\n"
                         << text(P) << (Fact ? "where %" : "")
                         << (Fact ? std::to_string(*Fact) : "")
                         << (AreSigned[0] ? " signed" : " unsigned")
                         << (AreSigned[1] ? " signed" : " unsigned");
  }
  // Equal ones are found, and proved.
  EXPECT_GT(True, rounds() / 50);
  EXPECT_GT(Proved, True / 3) << Proved << " of " << True;
}

} // namespace
