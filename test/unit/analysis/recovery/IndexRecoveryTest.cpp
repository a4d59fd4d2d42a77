//===- IndexRecoveryTest.cpp - Recovered forms against the IR itself ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions on narrow words are run for every input, wide words are sampled,
// and every claim of recovery is compared with what happens: see
// ClaimChecker.h. First come the programs that are checked (every operation,
// every pair of operations, every guard, every loop, random programs), and at
// the end what recovery must be able to see.
//
//===----------------------------------------------------------------------===//

#include "test/unit/ClaimChecker.h"
#include "test/unit/ProgramWriter.h"
#include "test/unit/Share.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

//===----------------------------------------------------------------------===//
// Every operation, and every pair of operations
//===----------------------------------------------------------------------===//

TEST(Recovery, EveryOperationWithEveryConstant) {
  for (unsigned Width : {1, 2, 4, 5, 8}) {
    Tally Counts;
    for (const char *Op : Operations) {
      AllConstants Functions(Width);
      Functions.apply(Op, "%x");
      Functions.apply(Op, "%x", /*ConstantFirst=*/true);
      for (unsigned To : {1, 3, 7, 8, 9, 64})
        for (const char *Cast : Casts)
          if (StringRef(Cast).starts_with("trunc") ? To < Width : To > Width)
            Functions.append(castTo(Cast, Width, "%x", To));
      if (!checkModule(Functions.finish(), Counts))
        return;
    }
    EXPECT_GT(Counts.Explained * 3, Counts.Values);
    EXPECT_GT(Counts.NeverPoison * 3, Counts.Values);
    EXPECT_GT(Counts.Narrow * 4, Counts.Values);
  }
}

TEST(Recovery, EveryPairOfOperations) {
  Tally Counts;
  constexpr unsigned Width = 3;
  for (const char *First : Operations)
    for (bool ConstantFirst : {false, true}) {
      std::string Functions;
      for (int C = -4; C < 4; ++C) {
        std::string K = std::to_string(C);
        if (isDivision(First) && (C == 0 || ConstantFirst))
          continue;
        std::string Entry = operation(First, Width, ConstantFirst ? K : "%x",
                                      ConstantFirst ? "%x" : K);
        AllConstants Pairs(Width, "%a = " + Entry + "\n",
                           "c" + std::to_string(C + 4) + "_");
        for (const char *Second : Operations)
          Pairs.apply(Second, "%a");
        Functions += Pairs.finish();
      }
      if (!Functions.empty() && !checkModule(Functions, Counts))
        return;
    }
  EXPECT_GT(Counts.Explained * 2, Counts.Values);
}

/// Every comparison with a constant, of a word and of digits of it, as a number
/// and as what chooses one of two neighbours, in both orders.
TEST(Recovery, EveryComparisonAsANumber) {
  constexpr unsigned Width = 5;
  Tally Counts;
  for (const char *Entry :
       {"%a = add i5 %x, 0\n", "%a = udiv i5 %x, 3\n", "%a = sdiv i5 %x, 3\n",
        "%m = and i5 %x, 7\n%a = sub nsw i5 %m, 3\n",
        "%m = urem i5 %x, 9\n%a = mul nuw nsw i5 %m, 3\n"})
    for (StringRef Flag : {"", "samesign "}) {
      AllConstants Functions(Width, Entry);
      for (StringRef Pred : Predicates)
        for (int64_t C = -16; C < 16; ++C) {
          std::string Compared = Functions.append(
              ("icmp " + Flag + Pred + " i5 %a, " + Twine(C)).str());
          Functions.append("zext i1 " + Compared + " to i5");
          Functions.append("sext i1 " + Compared + " to i5");
          Functions.append("xor i1 " + Compared + ", true");
          std::string Next = Functions.append("add i5 %a, 3");
          Functions.append("select i1 " + Compared + ", i5 %a, i5 " + Next);
          Functions.append("select i1 " + Compared + ", i5 " + Next +
                           ", i5 %a");
          Functions.append("select i1 " + Compared + ", i5 -7, i5 9");
        }
      Functions.append("trunc i5 %a to i1");
      if (!checkModule(Functions.finish(), Counts))
        return;
    }
  EXPECT_GT(Counts.Explained * 2, Counts.Values);
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// What is compared, and what is recovered in front of and behind the guard.
/// "P" stands for the prefix of the names in the block.
const char *const GuardedLines[] = {
    "%P0 = sub i4 %x, 3",
    "%P1 = add nsw i4 %x, 2",
    "%P2 = add nuw i4 %x, 2",
    "%P3 = udiv i4 %x, 3",
    "%P4 = sdiv i4 %x, 3",
    "%P5 = urem i4 %x, 5",
    "%P6 = srem i4 %x, 5",
    "%P7 = ashr i4 %x, 1",
    "%P8 = and i4 %x, 3",
    "%P9 = and i4 %x, -4",
    "%P10 = mul i4 %x, 3",
    "%P11 = mul nsw i4 %x, -2",
    "%P12 = shl i4 %x, 1",
    "%P13 = xor i4 %x, -1",
    "%P14 = sub nsw i4 2, %x",
    "%P15 = zext i4 %x to i6",
    "%P16 = sext i4 %x to i6",
    "%P17 = mul i6 %P15, 3",
    "%P18 = udiv i6 %P17, 5",
    "%P19 = sdiv i6 %P16, 3",
    "%P20 = trunc i6 %P18 to i4",
    "%P21 = call i4 @llvm.abs.i4(i4 %x, i1 1)",
    "%P22 = call i4 @llvm.smin.i4(i4 %x, i4 3)",
    "%P23 = call i4 @llvm.usub.sat.i4(i4 %x, i4 6)",
    "%P24 = sdiv i4 %P0, 2",
    "%P25 = udiv i4 %P0, 2",
    "%P26 = freeze i4 %P1",
    "%P27 = sub i4 %P26, 3",
    "%P28 = or disjoint i4 %P8, 4",
    "%P29 = lshr i4 %P10, 1"};

std::string guardedLines(char Prefix) {
  std::string Text;
  for (StringRef Line : GuardedLines)
    for (char C : (Line + "\n").str())
      Text += C == 'P' ? Prefix : C;
  return Text;
}

/// A function whose blocks then and else recompute all lines, behind the
/// terminator \p Guard of the entry.
std::string guardedFunction(const std::string &Name, const std::string &Guard) {
  return "define void @" + Name + "(i4 noundef %x) {\nentry:\n" +
         guardedLines('e') + Guard + "then:\n" + guardedLines('t') +
         "ret void\nelse:\n" + guardedLines('n') + "ret void\n}\n";
}

std::string guardOn(unsigned Line, StringRef Pred, int64_t Constant) {
  bool IsWide = Line >= 15 && Line <= 19;
  return "%c = icmp " + Pred.str() + (IsWide ? " i6" : " i4") + " %e" +
         std::to_string(Line) + ", " + std::to_string(Constant) + "\n";
}

TEST(Recovery, EveryGuard) {
  Tally Counts;
  for (unsigned Line = 0; Line < std::size(GuardedLines); ++Line) {
    std::string Functions;
    for (StringRef Pred : Predicates)
      for (int64_t C = -8; C < 8; ++C) {
        if (isLeftOut())
          continue;
        Functions += guardedFunction(
            ("g" + Pred + Twine(C + 8)).str(),
            guardOn(Line, Pred, C) + "br i1 %c, label %then, label %else\n");
      }
    if (!checkModule(Functions, Counts))
      return;
  }
  EXPECT_GT(Counts.Explained * 2, Counts.Values);
}

/// Two values that decide a guard together, and a switch.
TEST(Recovery, EveryGuardOnTwoWords) {
  Tally Counts;
  std::string Functions;
  for (const char *Pred : Predicates)
    for (const char *Left : {"x", "e1", "e3", "e4", "e9"})
      for (const char *Right : {"y", "z"})
        Functions += "define void @f" + std::to_string(Functions.size()) +
                     "(i4 noundef %x, i4 noundef %y) {\nentry:\n" +
                     "%z = add nsw i4 %y, -3\n" + guardedLines('e') +
                     "%c = icmp " + Pred + " i4 %" + Left + ", %" + Right +
                     "\nbr i1 %c, label %then, label %else\nthen:\n" +
                     guardedLines('t') + "%d = sub i4 %x, %y\n" +
                     "%q = sdiv i4 %d, 3\n%u = sub i4 %z, %e3\nret void\n" +
                     "else:\n" + guardedLines('n') + "%d2 = sub i4 %y, %x\n" +
                     "%q2 = udiv i4 %d2, 3\nret void\n}\n";
  for (int C = -8; C < 8; ++C)
    for (const char *Value : {"x", "e0", "e3", "e4", "e21"})
      Functions += guardedFunction("s" + std::to_string(C + 8) + Value,
                                   std::string("switch i4 %") + Value +
                                       ", label %else [i4 " +
                                       std::to_string(C) + ", label %then]\n");
  checkModule(Functions, Counts);
  EXPECT_GT(Counts.Explained * 2, Counts.Values);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

TEST(Recovery, EveryLoop) {
  Tally Counts;
  std::string Functions;
  unsigned Number = 0;
  for (const char *Start : {"0", "1", "-3", "%x"})
    for (const char *Next : {"add", "add nsw", "add nuw", "add nuw nsw"})
      for (const char *Step : {"1", "3", "-2"})
        for (const char *Pred : Predicates)
          for (const char *Test : {"i4 %next, 7", "i4 %i, %y"}) {
            if (isLeftOut())
              continue;
            Functions += formatv(
                R"(define void @f{0}(i4 noundef %x, i3 noundef %z) {{
                   entry:
                     %y = sext i3 %z to i4
                     br label %loop
                   loop:
                     %i = phi i4 [{1}, %entry], [%next, %loop]
                     %count = phi i4 [0, %entry], [%count2, %loop]
                     %q = udiv i4 %i, 3
                     %s = sdiv i4 %i, 3
                     %b = and i4 %i, 1
                     %d = sub i4 %i, {1}
                     %count2 = add nuw i4 %count, 1
                     %next = {2} i4 %i, {3}
                     %c = icmp {4} {5}
                     br i1 %c, label %loop, label %exit
                   exit:
                     %e = lshr i4 %i, 1
                     ret void
                   })",
                Number++, Start, Next, Step, Pred, Test);
          }
  checkModule(Functions, Counts);
  EXPECT_GT(Counts.Explained * 2, Counts.Values);
  EXPECT_GT(Counts.Narrow * 3, Counts.Values);
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

struct RandomCase {
  const char *Name;
  std::vector<unsigned> Widths; ///< arguments have one of the first two
  unsigned Arguments, Operations, Depth;
  unsigned Modules;
  unsigned Samples; ///< 0: all inputs
};
void PrintTo(const RandomCase &Case, std::ostream *OS) { *OS << Case.Name; }

class RandomPrograms : public testing::TestWithParam<RandomCase> {};

TEST_P(RandomPrograms, EveryClaimHolds) {
  static constexpr unsigned FunctionsPerModule = 200 / Share;
  const RandomCase &Case = GetParam();
  ProgramWriter Writer(/*Seed=*/1, Case.Widths);
  Tally Counts;
  for (unsigned I = 0; I < Case.Modules; ++I) {
    std::string Text = "declare void @may_exit()\n";
    for (unsigned K = 0; K < FunctionsPerModule; ++K)
      Text += Writer.function(Case.Arguments, Case.Operations, Case.Depth);
    if (!checkModule(Text, Counts, Case.Samples))
      return;
  }
  EXPECT_GT(Counts.Explained * 3, Counts.Values);
  EXPECT_GT(Counts.NeverPoison * 10, Counts.Values);
  EXPECT_GT(Counts.Narrow * 5, Counts.Values);
}

INSTANTIATE_TEST_SUITE_P(
    Recovery, RandomPrograms,
    testing::Values(RandomCase{"StraightNarrow", {4, 5, 8}, 1, 4, 0, 60, 0},
                    RandomCase{"StraightTwoWords", {3, 4, 7}, 2, 4, 0, 20, 0},
                    RandomCase{"GuardsNarrow", {4, 5, 8}, 1, 3, 2, 25, 0},
                    RandomCase{"GuardsTwoWords", {3, 4, 6}, 2, 2, 2, 8, 0},
                    RandomCase{"StraightWide", {32, 64, 16}, 2, 5, 0, 20, 60},
                    RandomCase{"GuardsWide", {32, 64, 8}, 2, 3, 2, 10, 60}),
    [](const auto &Info) { return std::string(Info.param.Name); });

//===----------------------------------------------------------------------===//
// What recovery must see
//===----------------------------------------------------------------------===//

/// The forms of %r, signed and unsigned; twins follow in which the premise is
/// missing.
struct FormCase {
  const char *Name, *Lines, *Signed, *Unsigned;
};

TEST(Recovery, KnownForms) {
  const FormCase Cases[] = {
      {"RoundTrip",
       "%q = udiv i32 %x, 75\n%m = mul i32 %q, 75\n%d = urem i32 %x, 75\n"
       "%r = add i32 %m, %d",
       "r", "u(x)"},
      {"OtherRadix",
       "%q = udiv i32 %x, 75\n%m = mul i32 %q, 75\n%d = urem i32 %x, 74\n"
       "%r = add i32 %m, %d",
       "r", "u(r)"},
      {"NoWrap", "%r = add nsw i32 %x, 3", "x + 3", "u(r)"},
      {"MayWrap", "%r = add i32 %x, 3", "r", "u(r)"},
      {"MagicNumber",
       "%w = zext i32 %x to i64\n%m = mul nuw i64 %w, 2863311531\n"
       "%s = lshr i64 %m, 33\n%r = trunc i64 %s to i32",
       "u(x) floordiv 3", "u(x) floordiv 3"},
      {"NotMagic",
       "%w = zext i32 %x to i64\n%m = mul nuw i64 %w, 2863311530\n"
       "%s = lshr i64 %m, 33\n%r = trunc i64 %s to i32",
       "(1431655765 * u(x)) floordiv 4294967296",
       "(1431655765 * u(x)) floordiv 4294967296"},
      {"FreezeOfDefined", "%r = freeze i32 %x", "x", "u(x)"},
      {"FreezeOfPoison", "%a = add nsw i32 %x, 3\n%r = freeze i32 %a", "r",
       "u(r)"},
      {"DisjointBits",
       "%a = shl i32 %x, 4\n%b = and i32 %y, 15\n%r = or i32 %a, %b",
       "u(y) mod 16 + a", "u(y) mod 16 + u(a)"},
      {"SharedBits",
       "%a = shl i32 %x, 4\n%b = and i32 %y, 31\n%r = or i32 %a, %b", "r",
       "u(r)"},
      {"TruncOfSmall",
       "%a = and i32 %x, 255\n%b = trunc i32 %a to i8\n%r = zext i8 %b to i32",
       "u(x) mod 256", "u(x) mod 256"},
      {"TruncOfLarge", "%b = trunc i32 %x to i8\n%r = sext i8 %b to i32", "b",
       "u(r)"}};
  for (const FormCase &Case : Cases) {
    DeviceModule M(
        "define void @f(i32 noundef %x, i32 noundef %y) {\nentry:\n" +
        std::string(Case.Lines) + "\nret void\n}");
    AnalysedFunction A(M);
    EXPECT_EQ(A.form("r", "entry"), Case.Signed) << Case.Name;
    EXPECT_EQ(A.form("r", "entry", Reading::Unsigned), Case.Unsigned)
        << Case.Name;
  }
}

/// A guard is known behind its edge, and only there.
TEST(Recovery, GuardsMakeFormsExact) {
  DeviceModule M(R"(
    define void @f(i32 noundef %x, i32 noundef %n) {
    entry:
      %a = add i32 %x, 10
      %q = udiv i32 %a, 16
      %small = icmp ult i32 %x, 6
      br i1 %small, label %then, label %else
    then:
      ret void
    else:
      %below = icmp slt i32 %x, %n
      br i1 %below, label %inner, label %done
    inner:
      %d = sub nsw i32 %n, %x
      ret void
    done:
      %d2 = sub nsw i32 %n, %x
      ret void
    })");
  AnalysedFunction A(M);
  EXPECT_EQ(A.form("a", "then"), "x + 10");
  EXPECT_EQ(A.form("q", "then"), "0");
  EXPECT_EQ(A.form("a", "entry"), "a");
  EXPECT_EQ(A.form("a", "else"), "a");
  EXPECT_EQ(A.range("x", "then"), Interval(0, 5));
  EXPECT_EQ(A.range("x", "entry"), wordRange(32, Reading::Signed));
  EXPECT_EQ(A.range("d", "inner").lo(), 1);
  EXPECT_EQ(A.range("d2", "done").hi(), 0);
}

TEST(Recovery, FactsAboutExpressionsReachOthers) {
  DeviceModule M(R"(
    define void @f(i32 noundef %x) {
    entry:
      %fifth = udiv i32 %x, 5
      %c = icmp eq i32 %fifth, 3
      br i1 %c, label %quotient, label %other
    quotient:
      ret void
    other:
      %moved = sub i32 %x, 3
      %c2 = icmp ult i32 %moved, 7
      br i1 %c2, label %window, label %done
    window:
      ret void
    done:
      ret void
    })");
  AnalysedFunction A(M);
  EXPECT_EQ(A.range("x", "quotient"), Interval(15, 19));
  EXPECT_EQ(A.range("moved", "quotient"), Interval(12, 16));
  EXPECT_EQ(A.range("moved", "window"), Interval(0, 6));
  EXPECT_EQ(A.range("x", "other"), wordRange(32, Reading::Signed));
}

TEST(Recovery, PoisonIsExcludedBehindTheGuardOnly) {
  DeviceModule M(R"(
    define void @f(i32 %x) {
    entry:
      %a = add nsw i32 %x, 3
      %b = mul nsw i32 %a, 5
      %c = icmp slt i32 %a, 100
      br i1 %c, label %then, label %done
    then:
      ret void
    done:
      ret void
    })");
  AnalysedFunction A(M);
  auto MayBePoison = [&](const char *Name, const char *Block) {
    return A.Recovery.recover(A.value(Name), A.scope(Block)).MayBePoison;
  };
  EXPECT_TRUE(MayBePoison("a", "entry"));
  EXPECT_FALSE(MayBePoison("a", "then"));
  EXPECT_FALSE(MayBePoison("a", "done"));
  EXPECT_TRUE(MayBePoison("b", "then")); // the guard does not depend on it
}

/// A constant shift beyond the word makes poison of one value, not dead code
/// of the whole function.
TEST(Recovery, AlwaysPoisonIsNotUnreachable) {
  for (const char *Poison :
       {"shl nuw nsw i8 -6, 12", "ashr exact i8 4, -8", "shl i8 %x, 9"}) {
    DeviceModule M("define i8 @f(i1 %c, i8 noundef %x) {\nentry:\n"
                   "br i1 %c, label %a, label %b\na:\n%p = " +
                   std::string(Poison) + "\nret i8 %p\nb:\nret i8 0\n}");
    AnalysedFunction A(M);
    A.form("p", "a");
    EXPECT_FALSE(A.scope("b").Domain.isKnownEmpty()) << Poison;
  }
}

/// abs(INT_MIN) is poison with the flag, also where the form of the result
/// does not fit into 64 bits, and where the operand is known to be INT_MIN.
TEST(Recovery, AbsoluteValueMayBePoison) {
  const struct {
    const char *Operand;
    bool MayBePoison;
  } Cases[] = {
      {"call i64 @llvm.smin.i64(i64 %x, i64 9223372036854775807)", true},
      {"call i64 @llvm.smin.i64(i64 %x, i64 -9223372036854775808)", true},
      {"add i64 -9223372036854775808, 0", true},
      {"srem i64 %x, 100", false}};
  for (const auto &Case : Cases) {
    DeviceModule M("define void @f(i64 noundef %x) {\nentry:\n%a = " +
                   std::string(Case.Operand) +
                   "\n%r = call i64 @llvm.abs.i64(i64 %a, i1 true)\n"
                   "ret void\n}");
    AnalysedFunction A(M);
    EXPECT_EQ(A.Recovery.recover(A.value("r"), A.scope("entry")).MayBePoison,
              Case.MayBePoison)
        << Case.Operand;
  }
}

/// LLVM's LazyValueInfo takes a comparison of a shift that always holds for
/// one that never does, and then drops the value it selects.
TEST(Recovery, SelectOnTautologyOverShift) {
  DeviceModule M(R"(
    define void @f(i32 noundef %x) {
    entry:
      %s = ashr i32 %x, 2
      %c = icmp sgt i32 %s, -536870913
      %r = select i1 %c, i32 %x, i32 4
      ret void
    })");
  AnalysedFunction A(M);
  EXPECT_EQ(A.range("r", "entry"), wordRange(32, Reading::Signed));
}

} // namespace
