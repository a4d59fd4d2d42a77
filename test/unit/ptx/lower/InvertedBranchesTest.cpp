//===- InvertedBranchesTest.cpp - Branches that fall through --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lower/InvertedBranches.h"
#include "ptx/text/PtxParser.h"
#include "ptx/text/PtxPrinter.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

/// The instructions and labels of a body after it went through
/// invertBranches().
std::string inverted(StringRef Body) {
  std::string Text = (".version 8.0\n.target sm_80\n.address_size 64\n"
                      ".entry k()\n{\n" +
                      Body + "\n}\n")
                         .str();
  Expected<ptx::Module> M = ptx::parseModule(Text, "test");
  if (!M)
    return toString(M.takeError());
  std::string Result;
  raw_string_ostream OS(Result);
  for (const ptx::Statement &S : ptx::invertBranches(M->find("k")->Body))
    if (auto *I = S.as<ptx::Instruction>())
      ptx::print(*I, [](StringRef Name) { return Name.str(); }, OS);
    else
      OS << S.Text;
  return Result;
}

TEST(InvertedBranches, ToTheNextLabel) {
  EXPECT_EQ(inverted("@%p bra A;\nbra.uni B;\nA:\nret;\nB:\nret;"),
            "@!%p bra B;A:ret;B:ret;");
  EXPECT_EQ(inverted("@!%p bra A;\nbra B;\nA:\nret;\nB:\nret;"),
            "@%p bra B;A:ret;B:ret;");
}

/// Other labels, and line information, are no instructions.
TEST(InvertedBranches, BehindOthers) {
  EXPECT_EQ(inverted("@%p bra A;\nbra.uni B;\nC:\n.loc 1 2 3\nA:\nret;\nB:\n"
                     "ret;"),
            "@!%p bra B;C:.loc 1 2 3A:ret;B:ret;");
}

/// The branch with the predicate goes back, the other one leaves the loop.
TEST(InvertedBranches, BackJumps) {
  EXPECT_EQ(inverted("H:\n@%p bra X;\nbra.uni H;\nY:\nret;\nX:\nret;"),
            "H:@!%p bra H;bra.uni X;Y:ret;X:ret;");
}

TEST(InvertedBranches, BackJumps_negative) {
  for (const char *Body : {"H:@%p bra H;bra.uni X;Y:ret;X:ret;", // goes back
                           "G:H:@%p bra G;bra.uni H;Y:ret;"})    // both do
    EXPECT_EQ(inverted(Body), Body);
}

TEST(InvertedBranches, Elsewhere_negative) {
  for (const char *Body :
       {"@%p bra A;bra.uni B;B:ret;A:ret;",     // to the other label
        "@%p bra A;bra.uni B;ret;A:ret;B:ret;", // an instruction between
        "@%p bra A;@%q bra B;A:ret;B:ret;",     // may fall through
        "bra.uni A;bra.uni B;A:ret;B:ret;",     // has no condition
        "@%p bra A;ret;A:ret;", "@%p bra A;"})  // is no second branch
    EXPECT_EQ(inverted(Body), Body);
}

} // namespace
