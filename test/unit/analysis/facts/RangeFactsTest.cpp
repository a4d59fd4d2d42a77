//===- RangeFactsTest.cpp - What the IR says about ranges -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each source of facts has its own section: attributes and known bits, loops,
// and the conditions of blocks. Every fact has a twin that differs in its
// premise and must not be known.
//
//===----------------------------------------------------------------------===//

#include "test/unit/IRTestHelper.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

constexpr Reading S = Reading::Signed, U = Reading::Unsigned;

TEST(WordRange, AllWidths) {
  EXPECT_EQ(wordRange(1, U), Interval(0, 1));
  EXPECT_EQ(wordRange(1, S), Interval(-1, 0));
  EXPECT_EQ(wordRange(8, U), Interval(0, 255));
  EXPECT_EQ(wordRange(8, S), Interval(-128, 127));
  EXPECT_EQ(wordRange(32, U), Interval(0, 4294967295));
  EXPECT_EQ(wordRange(32, S), Interval(INT32_MIN, INT32_MAX));
  EXPECT_EQ(wordRange(62, U), Interval(0, (int64_t(1) << 62) - 1));
  EXPECT_EQ(wordRange(63, S),
            Interval(-(int64_t(1) << 62), (int64_t(1) << 62) - 1));
  // INT64_MAX stands for infinity.
  EXPECT_EQ(wordRange(63, U), Interval::atLeast(0));
  EXPECT_EQ(wordRange(64, U), Interval::atLeast(0));
  EXPECT_EQ(wordRange(64, S), Interval());
}

//===----------------------------------------------------------------------===//
// Attributes, metadata and known bits
//===----------------------------------------------------------------------===//

/// The range of %r in the entry of a function with the lines.
struct RangeCase {
  const char *Lines;
  Interval Signed, Unsigned;
};

TEST(RangeOf, AttributesAndMetadata) {
  const Interval Word = wordRange(32, S), UWord = wordRange(32, U);
  const RangeCase Cases[] = {
      {"%r = load i32, ptr %p", Word, UWord},
      {"%r = load i32, ptr %p, !range !0", {3, 9}, {3, 9}},
      {"%r = load i32, ptr %p, !range !1", {-4, 3}, UWord},
      {"%r = load i32, ptr %p, !range !2", {0, 20}, {0, 20}},
      {"%r = call i32 @get()", Word, UWord},
      {"%r = call range(i32 0, 75) i32 @get()", {0, 74}, {0, 74}},
      {"%r = call i32 @bounded()", {1, 4}, {1, 4}},
      {"%r = add i32 %plain, 0", Word, UWord},
      {"%r = zext i8 %byte to i32", {0, 255}, {0, 255}},
      {"%r = and i32 %plain, 12", {0, 12}, {0, 12}},
      {"%r = or i32 %plain, -16", {-16, -1}, {4294967280, 4294967295}},
      // Each reading has a range of its own.
      {"%r = add nuw nsw i32 %plain, 5",
       {int64_t(INT32_MIN) + 5, INT32_MAX},
       {5, UINT32_MAX}},
      {"%r = or i32 %plain, 3",
       {int64_t(INT32_MIN) + 3, INT32_MAX},
       {3, UINT32_MAX}},
      {"%r = urem i32 %plain, 75", {0, 74}, {0, 74}},
      {"%r = srem i32 %plain, 75", {-74, 74}, UWord},
      {"%r = call i32 @llvm.ctpop.i32(i32 %plain)", {0, 32}, {0, 32}}};
  for (const RangeCase &Case : Cases) {
    DeviceModule M(
        "declare i32 @get()\n"
        "declare range(i32 1, 5) i32 @bounded()\n"
        "define void @f(ptr %p, i32 %plain, "
        "i32 range(i32 10, 20) %inside, i8 %byte) {\nentry:\n" +
        std::string(Case.Lines) +
        "\nret void\n}\n!0 = !{i32 3, i32 10}\n"
        "!1 = !{i32 -4, i32 4}\n!2 = !{i32 0, i32 5, i32 15, i32 21}");
    AnalysedFunction A(M);
    EXPECT_EQ(A.Facts.rangeOf(A.value("r"), S), Case.Signed) << Case.Lines;
    EXPECT_EQ(A.Facts.rangeOf(A.value("r"), U), Case.Unsigned) << Case.Lines;
    EXPECT_EQ(A.Facts.rangeOf(A.value("inside"), S), Interval(10, 19));
    EXPECT_EQ(A.Facts.rangeOf(A.value("plain"), S), Word);
  }
}

/// Bounds beyond INT64_MAX are infinite, never wrapped.
TEST(RangeOf, WideWords) {
  DeviceModule M(R"(
    define void @f(i64 %x, i64 range(i64 -8, -2) %top,
                   i64 range(i64 5, -9223372036854775800) %across) {
    entry:
      %high = or i64 %x, -9223372036854775808
      %low = and i64 %x, 9223372036854775807
      ret void
    })");
  AnalysedFunction A(M);
  EXPECT_EQ(A.Facts.rangeOf(A.value("x"), S), Interval());
  EXPECT_EQ(A.Facts.rangeOf(A.value("x"), U), Interval::atLeast(0));
  EXPECT_EQ(A.Facts.rangeOf(A.value("high"), S), Interval::atMost(-1));
  // (The largest finite number is a lower bound of all that is beyond.)
  EXPECT_EQ(A.Facts.rangeOf(A.value("high"), U),
            Interval::atLeast(Interval::PlusInfinity - 1));
  EXPECT_EQ(A.Facts.rangeOf(A.value("across"), U), Interval::atLeast(5));
  EXPECT_EQ(A.Facts.rangeOf(A.value("low"), S), Interval::atLeast(0));
  EXPECT_EQ(A.Facts.rangeOf(A.value("low"), U), Interval::atLeast(0));
  EXPECT_EQ(A.Facts.rangeOf(A.value("top"), S), Interval(-8, -3));
  EXPECT_FALSE(A.Facts.rangeOf(A.value("top"), U).isBoundedAbove());
  EXPECT_FALSE(A.Facts.rangeOf(A.value("top"), U).isEmpty());
}

TEST(LatticeOf, KnownBits) {
  const struct {
    const char *Lines;
    Congruence Expected;
  } Cases[] = {{"%r = add i32 %x, 0", Congruence()},
               {"%r = shl i32 %x, 3", Congruence::of(8, 0)},
               {"%r = mul i32 %x, 12", Congruence::of(4, 0)},
               {"%a = shl i32 %x, 2\n%r = or i32 %a, 1", Congruence::of(4, 1)},
               {"%r = and i32 %x, -16", Congruence::of(16, 0)},
               {"%r = or i32 %x, 3", Congruence::of(4, 3)},
               {"%r = or i32 %x, 4", Congruence()},
               {"%r = lshr i32 %x, 3", Congruence()}};
  for (const auto &Case : Cases) {
    DeviceModule M("define void @f(i32 %x) {\nentry:\n" +
                   std::string(Case.Lines) + "\nret void\n}");
    AnalysedFunction A(M);
    EXPECT_TRUE(A.Facts.latticeOf(A.value("r")) == Case.Expected) << Case.Lines;
  }
}

/// (%next has a flag like %flagged has, but the loop branches on it.)
TEST(PoisonAndUndef, AreKnownApart) {
  DeviceModule M(R"(
    define void @f(i32 %plain, i32 noundef %clean, ptr %p) {
    entry:
      %flagged = add nsw i32 %clean, 1
      %sum = add i32 %clean, 1
      %tainted = add i32 %plain, 1
      %frozen = freeze i32 %plain
      %loaded = load i32, ptr %p
      %sure = load i32, ptr %p, !noundef !0
      br label %loop
    loop:
      %i = phi i32 [0, %entry], [%next, %loop]
      %j = phi i32 [%plain, %entry], [%after, %loop]
      %next = add nsw i32 %i, 4
      %after = add i32 %j, 4
      %c = icmp slt i32 %next, %clean
      br i1 %c, label %loop, label %exit
    exit:
      ret void
    }
    !0 = !{})");
  AnalysedFunction A(M);
  const struct {
    const char *Name;
    bool NeverPoison, NeverUndef;
  } Cases[] = {{"plain", false, false},   {"clean", true, true},
               {"flagged", false, true},  {"sum", true, true},
               {"tainted", false, false}, {"frozen", true, true},
               {"loaded", false, false},  {"sure", true, true},
               {"i", true, true},         {"next", true, true},
               {"j", false, false},       {"after", false, false}};
  for (const auto &Case : Cases) {
    Value *V = A.value(Case.Name);
    EXPECT_EQ(A.Facts.isNeverPoison(V), Case.NeverPoison) << Case.Name;
    EXPECT_EQ(A.Facts.isNeverUndef(V), Case.NeverUndef) << Case.Name;
  }
}

/// Undef may be any number, also where everything else that joins is small.
TEST(PoisonAndUndef, UndefIsInNoRange) {
  for (StringRef Other : {"undef", "7"}) {
    DeviceModule M(("define void @f(i1 %c, i32 noundef %x) {\nentry:\n"
                    "%low = and i32 %x, 7\nbr i1 %c, label %a, label %b\n"
                    "a:\nbr label %b\nb:\n%r = phi i32 [%low, %a], [" +
                    Other + ", %entry]\nret void\n}")
                       .str());
    AnalysedFunction A(M);
    EXPECT_EQ(A.Facts.rangeOf(A.value("r"), S),
              Other == "7" ? Interval(0, 7) : wordRange(32, S));
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

struct LoopCase {
  const char *Start, *Next, *Condition;
  Interval Range; ///< of the induction variable, signed
  Congruence Lattice;
};

TEST(Loops, InductionVariables) {
  const Interval Word = wordRange(32, S);
  const LoopCase Cases[] = {
      {"0",
       "add nuw nsw i32 %i, 1",
       "icmp ult i32 %next, 75",
       {0, 74},
       Congruence()},
      {"0",
       "add nuw nsw i32 %i, 3",
       "icmp ult i32 %next, 75",
       {0, 72},
       Congruence::of(3, 0)},
      {"5",
       "add nuw nsw i32 %i, 12",
       "icmp slt i32 %next, 75",
       {5, 65},
       Congruence::of(12, 5)},
      {"64",
       "add nsw i32 %i, -8",
       "icmp sgt i32 %next, 0",
       {8, 64},
       Congruence::of(8, 0)},
      // Not from a known start, not up to a known bound; the last step of the
      // third must not wrap.
      {"%x", "add nuw nsw i32 %i, 3", "icmp ult i32 %next, 75", Word,
       Congruence()},
      {"0", "add i32 %i, 3", "icmp ne i32 %x, %next", Word, Congruence()},
      {"-9", "add nsw i32 %i, 3", "icmp slt i32 %next, %x",
       Interval(-9, INT32_MAX - 4), Congruence()}};
  for (const LoopCase &Case : Cases) {
    DeviceModule M(formatv(R"(
      define void @f(i32 noundef %x) {{
      entry:
        br label %loop
      loop:
        %i = phi i32 [{0}, %entry], [%next, %loop]
        %next = {1}
        %c = {2}
        br i1 %c, label %loop, label %exit
      exit:
        ret void
      })",
                           Case.Start, Case.Next, Case.Condition)
                       .str());
    AnalysedFunction A(M);
    Interval Range = A.Facts.rangeOf(A.value("i"), S);
    EXPECT_TRUE(Range.contains(Case.Range)) << Case.Next << Range.str();
    // Up to the last multiple of the step: the lattice cuts the rest off.
    Congruence Lattice = A.Facts.latticeOf(A.value("i"));
    EXPECT_EQ(tighten(Range, Lattice), Case.Range) << Case.Next;
    EXPECT_TRUE(Lattice == Case.Lattice) << Case.Next;
  }
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// "c", or "!c" if it is false; in the order of the facts.
std::string conditionsAt(AnalysedFunction &A, StringRef Block) {
  std::string Text;
  for (const KnownCondition &C : A.Facts.conditionsAt(A.block(Block)))
    Text += (Text.empty() ? "" : " ") + std::string(C.Holds ? "" : "!") +
            C.Condition->getName().str();
  return Text;
}

TEST(Conditions, Branches) {
  DeviceModule M(R"(
    define void @f(i1 %c, i1 %d, i1 %e) {
    entry:
      br i1 %c, label %then, label %else
    then:
      br i1 %d, label %join, label %inner
    inner:
      br label %join
    else:
      br i1 %e, label %same, label %same
    same:
      br label %join
    join:
      br label %loop
    loop:
      br i1 %d, label %loop, label %exit
    exit:
      ret void
    unreachable:
      br i1 %c, label %dead, label %exit2
    dead:
      ret void
    exit2:
      ret void
    })");
  AnalysedFunction A(M);
  EXPECT_EQ(conditionsAt(A, "entry"), "");
  EXPECT_EQ(conditionsAt(A, "then"), "c");
  EXPECT_EQ(conditionsAt(A, "else"), "!c");
  EXPECT_EQ(conditionsAt(A, "inner"), "!d");
  EXPECT_EQ(conditionsAt(A, "same"), ""); // both edges lead there
  EXPECT_EQ(conditionsAt(A, "join"), "");
  EXPECT_EQ(conditionsAt(A, "loop"), ""); // entered from outside, too
  EXPECT_EQ(conditionsAt(A, "exit"), "!d");
  EXPECT_EQ(conditionsAt(A, "dead"), "");
}

TEST(Conditions, Assumptions) {
  DeviceModule M(R"(
    declare void @may_exit()
    declare void @harmless() nounwind willreturn
    define void @f(i1 %c, i1 %d, i1 %e, i1 %g) {
    entry:
      call void @harmless()
      call void @llvm.assume(i1 %c)
      call void @may_exit()
      call void @llvm.assume(i1 %d)
      br i1 %g, label %then, label %else
    then:
      call void @llvm.assume(i1 %e)
      br label %join
    else:
      br label %join
    join:
      ret void
    })");
  AnalysedFunction A(M);
  // An assumption holds in all of its block, unless the execution may end in
  // front of it: then it holds in the blocks behind.
  EXPECT_EQ(conditionsAt(A, "entry"), "c");
  EXPECT_EQ(conditionsAt(A, "then"), "g d e");
  EXPECT_EQ(conditionsAt(A, "else"), "!g d");
  EXPECT_EQ(conditionsAt(A, "join"), "d");
}

TEST(Conditions, Switches) {
  DeviceModule M(R"(
    define void @f(i8 %x, i8 %y) {
    entry:
      switch i8 %x, label %default [
        i8 3, label %three
        i8 -4, label %negative
        i8 5, label %both
        i8 6, label %both
        i8 7, label %default
      ]
    three:
      br label %join
    negative:
      ret void
    both:
      ret void
    default:
      ret void
    join:
      switch i8 %y, label %last [ i8 0, label %first
                                  i8 1, label %join2 ]
    first:
      br label %join2
    join2:
      ret void
    last:
      ret void
    })");
  AnalysedFunction A(M);
  auto CaseAt = [&](const char *Block) -> std::string {
    std::optional<KnownCase> Case = A.Facts.caseAt(A.block(Block));
    if (!Case)
      return "";
    return formatv("{0} = {1}", Case->Value->getName(),
                   Case->Case->getSExtValue());
  };
  EXPECT_EQ(CaseAt("three"), "x = 3");
  EXPECT_EQ(CaseAt("negative"), "x = -4");
  EXPECT_EQ(CaseAt("first"), "y = 0");
  // Several cases, the default, and a block that is reached otherwise.
  for (const char *Block :
       {"entry", "both", "default", "join", "join2", "last"})
    EXPECT_EQ(CaseAt(Block), "") << Block;
  EXPECT_EQ(A.range("x", "three"), Interval::point(3));
  EXPECT_EQ(A.range("x", "negative"), Interval::point(-4));
  EXPECT_EQ(A.range("x", "default"), wordRange(8, S));
}

/// Joined conditions reach the domain as far as they are implied.
TEST(Conditions, ConjunctionsInTheDomain) {
  const Interval Word = wordRange(32, S), Below(INT32_MIN, 74);
  const struct {
    const char *Condition;
    Interval Then, Else; ///< of %x
  } Cases[] = {
      {"%c = xor i1 %a, true", {75, INT32_MAX}, Below},
      {"%c = and i1 %a, %b", {10, 74}, Word},
      {"%c = or i1 %a, %b", Word, Interval::empty()}, // never both false
      {"%c = select i1 %a, i1 %b, i1 false", {10, 74}, Word},
      {"%c = select i1 %e, i1 true, i1 %b", Word, {INT32_MIN, 9}},
      {"%c = select i1 %e, i1 %a, i1 %b", Word, Word},
      {"%c = xor i1 %a, %b", Word, Word},
      {"%n = xor i1 %a, true\n%c = or i1 %n, %e", Word, Below}};
  for (const auto &Case : Cases) {
    DeviceModule M("define void @f(i32 %x, i1 %e) {\nentry:\n"
                   "%a = icmp slt i32 %x, 75\n%b = icmp sge i32 %x, 10\n" +
                   std::string(Case.Condition) +
                   "\nbr i1 %c, label %then, label %else\n"
                   "then:\nret void\nelse:\nret void\n}");
    AnalysedFunction A(M);
    EXPECT_EQ(A.range("x", "then"), Case.Then) << Case.Condition;
    if (Case.Else.isEmpty())
      EXPECT_TRUE(A.scope("else").Domain.isKnownEmpty()) << Case.Condition;
    else
      EXPECT_EQ(A.range("x", "else"), Case.Else) << Case.Condition;
    EXPECT_EQ(A.range("x", "entry"), Word) << Case.Condition;
  }
}

} // namespace
