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

} // namespace
