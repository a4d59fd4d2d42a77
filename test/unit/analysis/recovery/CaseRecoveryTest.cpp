//===- CaseRecoveryTest.cpp - One form in both cases of a comparison ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every spelling of a floor, and what looks like one and is none. Each claim is
// checked for every dividend and every divisor of narrow words; the spellings
// must become a form of the dividend alone.
//
//===----------------------------------------------------------------------===//

#include "test/unit/ClaimChecker.h"
#include "test/unit/ProgramWriter.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// Lines that compute %r from %x. W is the type, D the divisor, L its
/// predecessor, S the last bit of the word; P and Q are predicates.
struct Spelling {
  const char *Name, *Lines;
  bool IsFloor; ///< with P = slt and Q = ne
};

const Spelling Spellings[] = {
    {"ChosenDividend",
     "%c = icmp P W %x, 0\n%n = xor W %x, -1\n%p = select i1 %c, W %n, W %x\n"
     "%q = sdiv W %p, D\n%m = xor W %q, -1\n%r = select i1 %c, W %m, W %q",
     true},
    {"MaskedDividend",
     "%s = ashr W %x, S\n%p = xor W %x, %s\n%q = udiv W %p, D\n"
     "%r = xor W %q, %s",
     true},
    {"MaskByExtension",
     "%c = icmp P W %x, 0\n%s = sext i1 %c to W\n%p = xor W %s, %x\n"
     "%q = udiv W %p, D\n%r = xor W %s, %q",
     true},
    {"InexactAndNegative",
     "%q = sdiv W %x, D\n%p = mul W %q, D\n%i = icmp Q W %x, %p\n"
     "%c = icmp P W %x, 0\n%b = and i1 %i, %c\n%k = sext i1 %b to W\n"
     "%r = add W %q, %k",
     true},
    {"NegativeThenInexact",
     "%q = sdiv W %x, D\n%p = mul W %q, D\n%i = icmp Q W %x, %p\n"
     "%c = icmp P W %x, 0\n%b = select i1 %c, i1 %i, i1 false\n"
     "%l = add W %q, -1\n%r = select i1 %b, W %l, W %q",
     true},
    {"SignOfRemainder",
     "%q = sdiv W %x, D\n%p = mul W %q, D\n%m = sub W %x, %p\n"
     "%k = ashr W %m, S\n%r = add W %k, %q",
     true},
    {"LowerDividend",
     "%c = icmp P W %x, 0\n%l = add W %x, -L\n%p = select i1 %c, W %l, W %x\n"
     "%r = sdiv W %p, D",
     false}, // x - (D - 1) may wrap
    {"OtherDivisor",
     "%s = ashr W %x, S\n%p = xor W %x, %s\n%q = udiv W %p, L\n"
     "%r = xor W %q, %s",
     false}};

std::string textOf(const Spelling &S, unsigned Width, int Divisor, StringRef P,
                   StringRef Q) {
  std::string Text =
      "define void @f(i" + std::to_string(Width) + " noundef %x) {\nentry:\n";
  for (const char *C = S.Lines; *C; ++C)
    switch (*C) {
    case 'W':
      Text += "i" + std::to_string(Width);
      break;
    case 'D':
      Text += std::to_string(Divisor);
      break;
    case 'L':
      Text += std::to_string(Divisor - 1);
      break;
    case 'S':
      Text += std::to_string(Width - 1);
      break;
    case 'P':
      Text += P;
      break;
    case 'Q':
      Text += Q;
      break;
    default:
      Text += *C;
    }
  return Text + "\nret void\n}\n";
}

std::string floorForm(int Divisor) {
  return "x floordiv " + std::to_string(Divisor);
}

TEST(RecoverCases, EverySpellingOfAFloor) {
  for (const Spelling &S : Spellings)
    for (int Divisor : {2, 3, 5, 7, 12, 15}) {
      DeviceModule M(textOf(S, 32, Divisor, "slt", "ne"));
      AnalysedFunction A(M);
      EXPECT_EQ(A.form("r", "entry") == floorForm(Divisor), S.IsFloor)
          << S.Name << " by " << Divisor << ": " << A.form("r", "entry");
    }
}

/// Another comparison, another correction: nothing may become a floor that is
/// none, whatever the dividend.
TEST(RecoverCases, EveryComparison_negative) {
  Tally Counts;
  for (const Spelling &S : Spellings)
    for (const char *P : {"slt", "sle", "sgt", "sge", "ult", "uge", "eq", "ne"})
      for (const char *Q : {"ne", "eq", "sgt", "slt"})
        for (unsigned Width : {4u, 5u})
          for (int Divisor : {2, 3, 5, 7})
            if (!checkModule(textOf(S, Width, Divisor, P, Q), Counts))
              return;
  EXPECT_GT(Counts.Explained * 4, Counts.Values);
}

/// The second operand of a logical `and` may be poison where the first one
/// decides. Its cases, in both of which the sum does not wrap, say nothing of
/// the value then.
TEST(RecoverCases, PoisonInTheOtherCase_negative) {
  Tally Counts;
  EXPECT_TRUE(checkModule(R"(
    define void @f(i4 noundef %x, i4 noundef %y) {
    entry:
      %w = add nsw i4 %x, %y
      %c = icmp slt i4 %w, 0
      %g = icmp sgt i4 %y, 2
      %b = select i1 %g, i1 %c, i1 false
      %sum = add i4 %x, %y
      %half = ashr i4 %sum, 1
      %q = sdiv i4 %x, 3
      %one = add i4 %q, %half
      %two = add i4 %half, %q
      %r = select i1 %b, i4 %one, i4 %two
      ret void
    })",
                          Counts));
}

/// Both arms of a branch, joined: one form, though each arm has its own.
TEST(RecoverCases, JoinOfArms) {
  DeviceModule M(R"(
    define void @f(i32 noundef %i) {
    entry:
      %in = icmp ult i32 %i, 60000
      br i1 %in, label %do, label %end
    do:
      %x = sub nsw i32 39, %i
      %c = icmp slt i32 %x, 0
      br i1 %c, label %below, label %above
    below:
      %n = xor i32 %x, -1
      %a = udiv i32 %n, 40
      %m = xor i32 %a, -1
      br label %join
    above:
      %q = udiv i32 %x, 40
      br label %join
    join:
      %r = phi i32 [ %m, %below ], [ %q, %above ]
      br label %end
    end:
      ret void
    })");
  AnalysedFunction A(M);
  EXPECT_EQ(A.form("r", "join"), "-(i floordiv 40)");
}

/// select(b P k, m*b + y, n*b + y + c) for a small b: some arms meet, some do
/// not, and some choices differ from the one before by a number.
TEST(RecoverCases, EveryChoiceByASmallNumber) {
  Tally Counts;
  for (const char *P : {"eq", "ne", "ult", "sgt"})
    for (int K = 0; K < 3; ++K) {
      std::string Text;
      for (int Mask : {1, 3})
        for (int M : {0, 1, 2})
          for (int N : {-2, 1, 2})
            for (int C : {-2, -1, 0, 2})
              for (const char *Flag : {"", "nsw "})
                Text +=
                    ("define void @f" + Twine(Mask) + "_" + Twine(M) + "_" +
                     Twine(N + 2) + "_" + Twine(C + 2) + Twine(strlen(Flag)) +
                     "(i4 noundef %x, i4 noundef %z) {\nentry:\n"
                     "%b = and i4 %x, " +
                     Twine(Mask) + "\n%y = and i4 %z, 3\n%c = icmp " + P +
                     " i4 %b, " + Twine(K) + "\n%m = mul i4 %b, " + Twine(M) +
                     "\n%t = add " + Flag + "i4 %m, %y\n%n = mul i4 %b, " +
                     Twine(N) + "\n%o = add " + Flag + "i4 %n, %y\n%u = add " +
                     Flag + "i4 %o, " + Twine(C) +
                     "\n%r = select i1 %c, i4 %t, i4 %u\n%t1 = add " + Flag +
                     "i4 %t, 1\n%u1 = add " + Flag +
                     "i4 %u, 1\n%r1 = select i1 %c, i4 %t1, i4 %u1\n"
                     "ret void\n}\n")
                        .str();
      if (!checkModule(Text, Counts))
        return;
    }
  EXPECT_GT(Counts.Explained * 5, Counts.Values * 2);
}

} // namespace
