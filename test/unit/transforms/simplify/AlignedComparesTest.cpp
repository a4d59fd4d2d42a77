//===- AlignedComparesTest.cpp - Comparisons without known low bits -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of 5 bits, all of them, executed before and after.
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/AlignedCompares.h"
#include "test/unit/tools/kernel-fuzz/InterpretedFunction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace unravel;

namespace {

constexpr unsigned CompareWidth = 5;

/// A function @f, ready to be changed.
class Parsed {
public:
  explicit Parsed(const std::string &IR) {
    SMDiagnostic Error;
    M = parseAssemblyString(IR, Error, Context);
    EXPECT_TRUE(M) << Error.getMessage().str() << IR;
  }
  Function &function() const { return *M->getFunction("f"); }
  bool change() {
    PassBuilder PB;
    FunctionAnalysisManager AM;
    PB.registerFunctionAnalyses(AM);
    bool Changed = alignCompares(function(), AM, nullptr);
    EXPECT_FALSE(verifyModule(*M, &errs()));
    return Changed;
  }
  std::vector<const ICmpInst *> compares() const {
    std::vector<const ICmpInst *> Result;
    for (const Instruction &I : instructions(function()))
      if (auto *Compare = dyn_cast<ICmpInst>(&I))
        Result.push_back(Compare);
    return Result;
  }

private:
  LLVMContext Context;
  std::unique_ptr<Module> M;
};

/// \p Code computes \p A and \p B of %x and %y; all eight orders of them are
/// tested, and the results are bits of one number.
std::string orders(const std::string &Code, const std::string &A,
                   const std::string &B) {
  std::string IR = "define i8 @f(i5 %x, i5 %y) {\n" + Code, Sum = "0";
  unsigned Number = 0;
  for (const char *Predicate :
       {"ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"}) {
    std::string N = std::to_string(Number++);
    IR += "%c" + N + " = icmp " + Predicate + " i5 " + A + ", " + B + "\n%s" +
          N + " = select i1 %c" + N + ", i8 1, i8 0\n%h" + N + " = shl i8 %s" +
          N + ", " + N + "\n%o" + N + " = or i8 " + Sum + ", %h" + N + "\n";
    Sum = "%o" + N;
  }
  return IR + "ret i8 " + Sum + "\n}\n";
}

/// Of all %x and %y.
std::vector<std::optional<uint64_t>> results(const Function &F) {
  auto Results = resultsOf(F, 1u << (2 * CompareWidth), [](unsigned Numbers) {
    return std::vector{word(Numbers & ((1u << CompareWidth) - 1)),
                       word(Numbers >> CompareWidth)};
  });
  EXPECT_FALSE(is_contained(Results, std::nullopt));
  return Results;
}

/// \p Name is Of * 2^Zeros + Low.
std::string number(const std::string &Name, const std::string &Of,
                   unsigned Zeros, unsigned Low) {
  return Name + "0 = shl i5 " + Of + ", " + std::to_string(Zeros) + "\n" +
         Name + " = or disjoint i5 " + Name + "0, " + std::to_string(Low) +
         "\n";
}

/// How many comparisons are left of eight; the results stay.
size_t numLeft(const std::string &Code, const std::string &A,
               const std::string &B) {
  Parsed P(orders(Code, A, B));
  std::vector<std::optional<uint64_t>> Before = results(P.function());
  P.change();
  EXPECT_EQ(Before, results(P.function())) << Code << A << " " << B;
  EXPECT_FALSE(P.change()) << Code << A << " " << B;
  return P.compares().size();
}

TEST(AlignedCompares, ConstantBounds) {
  for (unsigned Zeros : {1, 2, 3})
    for (unsigned Low = 0; Low < 1u << Zeros; ++Low)
      for (int Bound = -16; Bound < 16; ++Bound) {
        std::string A = number("%a", "%x", Zeros, Low);
        numLeft(A, "%a", std::to_string(Bound));
        numLeft(A, std::to_string(Bound), "%a");
      }
}

// What ends in 11 or 01, and is no sum with that.
TEST(AlignedCompares, LowBitsThatStay) {
  for (const char *A :
       {"%a = or i5 %x, 3\n", "%t = and i5 %x, -3\n%a = or i5 %t, 1\n"})
    for (int Bound = -16; Bound < 16; ++Bound) {
      numLeft(A, "%a", std::to_string(Bound));
      numLeft(A, std::to_string(Bound), "%a");
    }
}

// Each order has its opposite, and where the low bits differ, a < b is a <= b.
TEST(AlignedCompares, TwoNumbers) {
  for (unsigned Zeros : {0, 1, 2})
    for (unsigned OtherZeros : {1, 2, 3})
      for (unsigned Low = 0; Low < 1u << Zeros; ++Low)
        for (unsigned OtherLow = 0; OtherLow < 1u << OtherZeros; ++OtherLow) {
          std::string Code = number("%a", "%x", Zeros, Low) +
                             number("%b", "%y", OtherZeros, OtherLow);
          unsigned Known = 1 << std::min(Zeros, OtherZeros);
          bool AreApart = Low != OtherLow && Low < Known && OtherLow < Known;
          // One by sign is left: a < b, a <= b, and their opposites.
          size_t NumLeft = numLeft(Code, "%a", "%b");
          if (AreApart) {
            EXPECT_EQ(NumLeft, 2u) << Code;
          }
        }
}

// The lower part of the sum is not known to be all of its low bits.
TEST(AlignedCompares, SumThatMayCarry_negative) {
  EXPECT_EQ(numLeft("%a0 = shl i5 %x, 1\n%a = add i5 %a0, 2\n"
                    "%b = shl i5 %y, 2\n",
                    "%a", "%b"),
            8u);
}

// The verifier would find a use in front of its definition.
TEST(AlignedCompares, NotExecutedBefore_negative) {
  Parsed P(R"(
    define void @f(i32 %x, i1 %z) {
      %a = shl i32 %x, 2
      br i1 %z, label %first, label %second
    first:
      %c = icmp ult i32 %a, 300
      br i1 %c, label %second, label %done
    second:
      %b = or disjoint i32 %a, 3
      %d = icmp ult i32 %b, 300
      br i1 %d, label %done, label %third
    third:
      %e = icmp samesign ugt i32 %a, 298
      br i1 %e, label %done, label %first
    done:
      ret void
    })");
  EXPECT_TRUE(P.change());
  EXPECT_EQ(P.compares().size(), 2u); // %e is the opposite of %d
}

// What is equal without promises does not take them over.
TEST(AlignedCompares, Promises_negative) {
  Parsed P(R"(
    define i1 @f(i32 %x) {
      %a = shl i32 %x, 2
      %c = icmp samesign ult i32 %a, 300
      %b = or disjoint i32 %a, 3
      %d = icmp ult i32 %b, 300
      %e = icmp samesign ult i32 %b, 600
      %cd = xor i1 %c, %d
      %r = xor i1 %cd, %e
      ret i1 %r
    })");
  EXPECT_TRUE(P.change());
  for (const ICmpInst *Compare : P.compares())
    EXPECT_FALSE(Compare->hasSameSign());
}

TEST(AlignedCompares, NothingKnown_negative) {
  EXPECT_EQ(numLeft("", "%x", "%y"), 8u);
  EXPECT_EQ(numLeft("", "%x", "7"), 8u);
}

} // namespace
