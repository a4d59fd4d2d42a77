//===- BitRecoveryTest.cpp - Bits set by either side of an or -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `or` of two words of which one sets bits that the other may have: all of five
// bits, and which of them have a form. (IndexRecoveryTest has the constants.)
//
//===----------------------------------------------------------------------===//

#include "test/unit/ClaimChecker.h"
#include "test/unit/ProgramWriter.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

TEST(BitRecovery, EveryMaskAndEveryBitThatIsSet) {
  Tally Counts;
  for (const char *Side : {"shl i5 %x, 1", "shl i5 %x, 3", "lshr i5 %x, 2",
                           "ashr i5 %x, 1", "mul i5 %x, 3"}) {
    std::string Functions;
    for (int Mask = 0; Mask < 32; ++Mask) {
      AllConstants Pairs(
          5,
          ("%a = " + Twine(Side) + "\n%m = and i5 %x, " + Twine(Mask) + "\n")
              .str(),
          ("mask" + Twine(Mask) + "_").str());
      for (int Set = 0; Set < 32; ++Set) {
        std::string Setter = Pairs.append(("or i5 %m, " + Twine(Set)).str());
        Pairs.append("or i5 %a, " + Setter);
        Pairs.append("or i5 " + Setter + ", %a");
      }
      Functions += Pairs.finish();
    }
    if (!checkModule(Functions, Counts))
      return;
  }
  EXPECT_GT(Counts.Explained * 5, Counts.Values * 2);
}

TEST(BitRecovery, EveryMaskOfBitsThatAreSet) {
  Tally Counts;
  for (const char *Side : {"shl i5 %x, 1", "shl i5 %x, 3", "lshr i5 %x, 2",
                           "ashr i5 %x, 1", "mul i5 %x, 3"}) {
    std::string Functions;
    for (int Set = 0; Set < 32; ++Set) {
      AllConstants Pairs(
          5,
          ("%a = " + Twine(Side) + "\n%o = or i5 %a, " + Twine(Set) + "\n")
              .str(),
          ("set" + Twine(Set) + "_").str());
      for (int Mask = 0; Mask < 32; ++Mask)
        Pairs.append(("and i5 %o, " + Twine(Mask)).str());
      Functions += Pairs.finish();
    }
    if (!checkModule(Functions, Counts))
      return;
  }
  EXPECT_GT(Counts.Explained * 5, Counts.Values * 2);
}

TEST(BitRecovery, KnownForms) {
  const struct {
    const char *Name, *Lines, *Form;
  } Cases[] = {
      // Of 16*(x mod 4) the bit 16 is set anyway; 32 is left.
      {"SetByTheOther",
       "%b = and i32 %x, 3\n%a = shl i32 %b, 4\n%t = and i32 %y, 3\n"
       "%s = or i32 %t, 16\n%r = or i32 %s, %a",
       "32 * ((u(x) floordiv 2) mod 2) + u(y) mod 4 + 16"},
      {"OneBitShared",
       "%b = and i32 %x, 3\n%a = shl i32 %b, 4\n%t = and i32 %y, 35\n"
       "%s = or i32 %t, 16\n%r = or i32 %s, %a",
       "r"},
      // InstCombine takes the ones that are set out of a mask of all bits.
      {"OnesOutOfTheMask",
       "%b = and i32 %x, 127\n%a = shl i32 %b, 4\n%o = or i32 %a, 6\n"
       "%r = and i32 %o, 52",
       "16 * (u(x) mod 4) + 4"},
      {"NumberOutOfTheMask",
       "%b = and i32 %x, 127\n%a = shl i32 %b, 3\n%o = or i32 %a, 6\n"
       "%r = and i32 %o, 52",
       "r"},
      // Of 5 nothing is left where 7 is set.
      {"NothingLeft", "%s = or i32 %x, 7\n%r = or i32 5, %s", "r"},
      // The lowest bit is none of the number's.
      {"DigitInTheMiddle",
       "%b = and i32 %x, 127\n%a = shl i32 %b, 1\n%r = or i32 %a, 193",
       "2 * (u(x) mod 32) + 193"},
      {"TwoDigitsLeft",
       "%b = and i32 %x, 127\n%a = shl i32 %b, 1\n%r = or i32 %a, 161", "r"},
  };
  for (const auto &Case : Cases) {
    DeviceModule M(
        "define void @f(i32 noundef %x, i32 noundef %y) {\nentry:\n" +
        std::string(Case.Lines) + "\nret void\n}");
    AnalysedFunction A(M);
    EXPECT_EQ(A.form("r", "entry"), Case.Form) << Case.Name;
  }
}

/// Forms that are only read: both readings of every value, for all words.
TEST(BitRecovery, AnyBitsForReaders) {
  using Word = uint64_t (*)(uint64_t X, uint64_t Y);
  const struct {
    const char *Name, *Line;
    Word Value;
  } Operations[] = {
      {"a", "xor i5 %x, %y", [](uint64_t X, uint64_t Y) { return X ^ Y; }},
      {"b", "and i5 %x, %y", [](uint64_t X, uint64_t Y) { return X & Y; }},
      {"c", "or i5 %x, %y", [](uint64_t X, uint64_t Y) { return X | Y; }},
      {"d", "xor i5 %x, 13", [](uint64_t X, uint64_t) { return X ^ 13; }},
      {"e", "and i5 %a, 13",
       [](uint64_t X, uint64_t Y) { return (X ^ Y) & 13; }},
      {"f", "lshr i5 %x, 2", [](uint64_t X, uint64_t) { return X >> 2; }},
      {"g", "xor i5 %f, %y",
       [](uint64_t X, uint64_t Y) { return (X >> 2) ^ Y; }},
      {"h", "or i5 %g, -14",
       [](uint64_t X, uint64_t Y) { return ((X >> 2) ^ Y) | 18; }},
      {"i", "xor i5 %g, %f", [](uint64_t, uint64_t Y) { return Y; }},
  };
  std::string Text = "define void @f(i5 noundef %x, i5 noundef %y) {\nentry:\n";
  for (const auto &Op : Operations)
    Text += std::string("%") + Op.Name + " = " + Op.Line + "\n";
  DeviceModule M(Text + "ret void\n}");
  AnalysedFunction A(M);
  RecoveryLimits Limits;
  Limits.ReadsBits = true;
  IndexRecovery Recovery(A.Facts, A.DT, A.AM.getResult<LoopAnalysis>(A.F),
                         Limits);
  RecoveryScope &Scope = Recovery.scopeOf(A.block("entry"));
  for (const auto &Op : Operations) {
    const RecoveredValue &Value = Recovery.recover(A.value(Op.Name), Scope);
    for (Reading R : {Reading::Signed, Reading::Unsigned})
      for (uint64_t X = 0; X < 32; ++X)
        for (uint64_t Y = 0; Y < 32; ++Y) {
          auto NumberOf = [&](uint64_t Bits, Reading As) {
            APInt Word(5, Bits);
            return As == Reading::Signed ? Word.getSExtValue()
                                         : int64_t(Word.getZExtValue());
          };
          auto Number =
              evaluate(Value.exact(R),
                       [&](const IndexAtom *Atom) -> std::optional<int64_t> {
                         auto [V, As] = Recovery.valueOf(Atom);
                         if (!isa<Argument>(V))
                           return std::nullopt; // a variable of its own
                         return NumberOf(V->getName() == "x" ? X : Y, As);
                       });
          ASSERT_EQ(Number, NumberOf(Op.Value(X, Y), R))
              << Op.Line << ": " << toString(Recovery.context(), Value.exact(R))
              << " at " << X << ", " << Y;
        }
  }
}

/// The passes do not ask for what no plan can write.
TEST(BitRecovery, AnyBitsForReaders_negative) {
  DeviceModule M("define void @f(i32 noundef %x, i32 noundef %y) {\nentry:\n"
                 "%r = xor i32 %x, %y\n%s = and i32 %x, %y\nret void\n}");
  AnalysedFunction A(M);
  EXPECT_EQ(A.form("r", "entry"), "r");
  EXPECT_EQ(A.form("s", "entry"), "s");
}

} // namespace
