//===- PointEvaluatorTest.cpp - One point against the interpreter ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation on every pair of narrow words, with every flag and with
// poison, against the interpreter of IRTestHelper.h, which was written from the
// language reference alone.
//
//===----------------------------------------------------------------------===//

#include "transforms/verify/PointEvaluator.h"
#include "test/unit/IRTestHelper.h"
#include "test/unit/ProgramWriter.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

constexpr unsigned Width = 4;

/// A function of two words with one operation.
std::string functionOf(const std::string &Operation) {
  return "define void @f(i4 %a, i4 %b) {\nentry:\n  %r = " + Operation +
         "\n  ret void\n}\n";
}

Constant *constantOf(Cell C, Type *Ty) {
  if (C.Kind == State::Poison)
    return PoisonValue::get(Ty);
  return ConstantInt::get(Ty, C.Bits);
}

/// Compares %r for all pairs of arguments; returns how often it was poison and
/// how often the program was undefined.
std::pair<unsigned, unsigned> compareEverywhere(const std::string &Operation) {
  DeviceModule M(functionOf(Operation));
  Function &F = M.function();
  LoopInfo LI;
  Machine Reference(F);
  const Value *Result = F.getValueSymbolTable()->lookup("r");
  unsigned Poison = 0, Undefined = 0;
  // The seventeenth word is poison.
  for (uint64_t A = 0; A <= 16; ++A)
    for (uint64_t B = 0; B <= 16; ++B) {
      Reference.Arguments = {
          {A & 15, A == 16 ? State::Poison : State::Defined},
          {B & 15, B == 16 ? State::Poison : State::Defined}};
      auto Leaves = [&](const Value *Leaf, IntegerType *Ty) -> Constant * {
        if (auto *Argument = dyn_cast<llvm::Argument>(Leaf))
          return constantOf(Reference.Arguments[Argument->getArgNo()], Ty);
        return ConstantInt::get(Ty, 5); // what a freeze makes of poison
      };
      auto Edges = [](const BasicBlock *) -> const BasicBlock * {
        return nullptr;
      };
      PointEvaluator Evaluator(F, LI, Leaves, Edges);
      PointValue P = Evaluator.valueOf(Result);
      bool IsDefined = Reference.run();
      Undefined += !IsDefined;
      std::string Where = Operation + " at " + std::to_string(A) + ", " +
                          std::to_string(B) + " (16: poison)";
      EXPECT_EQ(P.Value != nullptr, IsDefined) << Where;
      if (!IsDefined || !P.Value)
        continue;
      Cell C = *Reference.find(Result);
      Poison += P.isPoison();
      EXPECT_EQ(P.isPoison(), C.Kind == State::Poison) << Where;
      bool IsFrozen = isa<FreezeInst>(Result) && A == 16;
      if (!IsFrozen && P.integer() && C.Kind == State::Defined) {
        EXPECT_EQ(P.integer()->getZExtValue(), C.Bits) << Where;
      }
    }
  return {Poison, Undefined};
}

TEST(PointEvaluator, EveryOperationOnEveryPairOfWords) {
  for (const char *Op : Operations) {
    auto [Poison, Undefined] =
        compareEverywhere(operation(Op, Width, "%a", "%b"));
    EXPECT_EQ(Undefined > 0, isDivision(Op)) << Op;
    EXPECT_EQ(Poison > 0, Op != StringRef("freeze")) << Op;
  }
}

TEST(PointEvaluator, CastsAndComparisonsAndSelect) {
  for (const char *Cast : Casts)
    for (unsigned To : {1u, 3u, 9u, 70u})
      if (StringRef(Cast).starts_with("trunc") == (To < Width) && To <= 64)
        compareEverywhere(castTo(Cast, Width, "%a", To));
  for (const char *Predicate : Predicates)
    for (const char *Flag : {"", "samesign "}) {
      std::string Name = Predicate;
      if (*Flag && (Name == "eq" || Name == "ne"))
        continue;
      compareEverywhere(std::string("icmp ") + Flag + Predicate + " i4 %a, %b");
    }
  auto [Poison, Undefined] =
      compareEverywhere("icmp ult i4 %a, %b\n  %s = select i1 %r, i4 %a, i4 7");
  EXPECT_EQ(Poison, 33u); // a word of each pair: 17 + 17 - 1
  EXPECT_EQ(Undefined, 0u);
}

TEST(PointEvaluator, SelectIsPoisonWithItsConditionOrItsChosenArm) {
  DeviceModule M("define void @f(i1 %c, i4 %a, i4 %b) {\n"
                 "  %r = select i1 %c, i4 %a, i4 %b\n  ret void\n}\n");
  Function &F = M.function();
  LoopInfo LI;
  for (int C : {0, 1, -1})
    for (int PoisonArm : {0, 1, 2}) {
      auto Leaves = [&](const Value *Leaf, IntegerType *Ty) -> Constant * {
        unsigned Number = cast<Argument>(Leaf)->getArgNo();
        if (Number == 0 ? C < 0 : int(Number) == PoisonArm)
          return PoisonValue::get(Ty);
        return ConstantInt::get(Ty, Number == 0 ? C : Number);
      };
      auto Edges = [](const BasicBlock *) -> const BasicBlock * {
        return nullptr;
      };
      PointEvaluator Evaluator(F, LI, Leaves, Edges);
      PointValue P = Evaluator.valueOf(F.getValueSymbolTable()->lookup("r"));
      int Chosen = C == 1 ? 1 : 2;
      EXPECT_EQ(P.isPoison(), C < 0 || PoisonArm == Chosen);
      if (P.integer()) {
        EXPECT_EQ(P.integer()->getZExtValue(), uint64_t(Chosen));
      }
    }
}

/// The value of %r where every leaf is what \p Number says.
std::string valueIn(StringRef Text, uint64_t Number) {
  DeviceModule M(Text);
  AnalysedFunction A(M);
  auto Leaves = [&](const Value *, IntegerType *Ty) -> Constant * {
    return ConstantInt::get(Ty, Number);
  };
  auto Edges = [](const BasicBlock *Block) { return *pred_begin(Block); };
  PointEvaluator Evaluator(A.F, A.Recovery.loopInfo(), Leaves, Edges);
  PointValue P = Evaluator.valueOf(A.value("r"));
  if (P.isPoison())
    return "poison";
  return P.integer() ? std::to_string(P.integer()->getSExtValue()) : "none";
}

TEST(PointEvaluator, Addresses) {
  EXPECT_EQ(valueIn("define void @f(ptr %p, i32 %i) {\n"
                    "  %q = getelementptr [10 x {i8, i32}], ptr %p, i32 %i, "
                    "i64 3, i32 1\n"
                    "  %r = ptrtoint ptr %q to i64\n  ret void\n}\n",
                    1000),
            std::to_string(1000 + 80 * 1000 + 3 * 8 + 4));
  // 4 * 2^62 leaves the word.
  std::string Far = "define void @f(ptr %p) {\n  %r = getelementptr FLAG i32, "
                    "ptr %p, i64 4611686018427387904\n  ret void\n}\n";
  auto WithFlag = [&](StringRef Flag) {
    return std::string(Far).replace(Far.find("FLAG"), 4, Flag.str());
  };
  EXPECT_EQ(valueIn(WithFlag(""), 100), "100");
  EXPECT_EQ(valueIn(WithFlag("inbounds"), 100), "poison");
  EXPECT_EQ(valueIn(WithFlag("nusw"), 100), "poison");
  EXPECT_EQ(valueIn(WithFlag("nuw"), 100), "poison");
  // A step back is fine for nusw and not for nuw.
  std::string Back = "define void @f(ptr %p) {\n  %r = getelementptr FLAG i8, "
                     "ptr %p, i64 -1\n  ret void\n}\n";
  EXPECT_EQ(valueIn(std::string(Back).replace(Back.find("FLAG"), 4, "nusw"), 9),
            "8");
  EXPECT_EQ(valueIn(std::string(Back).replace(Back.find("FLAG"), 4, "nuw"), 9),
            "poison");
}

TEST(PointEvaluator, ConstantAddressesAndOverflowIntrinsics) {
  EXPECT_EQ(valueIn("@g = global [8 x i32] zeroinitializer\n"
                    "define void @f() {\n  %r = getelementptr i8, ptr "
                    "getelementptr (i32, ptr @g, i64 2), i64 1\n"
                    "  ret void\n}\n",
                    64),
            "73");
  EXPECT_EQ(valueIn("declare {i32, i1} @llvm.uadd.with.overflow.i32(i32, i32)\n"
                    "define void @f(i32 %a) {\n"
                    "  %o = call {i32, i1} @llvm.uadd.with.overflow.i32("
                    "i32 %a, i32 7)\n"
                    "  %r = extractvalue {i32, i1} %o, 0\n  ret void\n}\n",
                    5),
            "12");
}

TEST(PointEvaluator, ReturnAttributes) {
  auto Minimum = [](const std::string &Attributes) {
    return "define void @f(i32 %a) {\n  %r = call " + Attributes +
           " i32 @llvm.umin.i32(i32 %a, i32 500)\n  ret void\n}\n";
  };
  EXPECT_EQ(valueIn(Minimum("range(i32 0, 10)"), 9), "9");
  EXPECT_EQ(valueIn(Minimum("range(i32 0, 10)"), 10), "poison");
  EXPECT_EQ(valueIn(Minimum("noundef range(i32 0, 10)"), 10), "none");
}

TEST(PointEvaluator, JoinsTakeOneEdgeAndLoopsAreLeaves) {
  EXPECT_EQ(valueIn("define void @f(i32 %a) {\nentry:\n"
                    "  %c = icmp ult i32 %a, 10\n"
                    "  br i1 %c, label %then, label %join\n"
                    "then:\n  %b = add i32 %a, 1\n  br label %join\n"
                    "join:\n  %p = phi i32 [ %b, %then ], [ 0, %entry ]\n"
                    "  %r = mul i32 %p, 3\n  ret void\n}\n",
                    4),
            "15");
  EXPECT_EQ(valueIn("define void @f(i32 %n) {\nentry:\n  br label %head\n"
                    "head:\n  %i = phi i32 [ 0, %entry ], [ %j, %head ]\n"
                    "  %j = add i32 %i, 1\n  %r = add i32 %j, %j\n"
                    "  %c = icmp ult i32 %j, %n\n"
                    "  br i1 %c, label %head, label %exit\n"
                    "exit:\n  ret void\n}\n",
                    4),
            "10");
}

TEST(PointEvaluator, ALongChainNeedsNoStack) {
  std::string Text = "define void @f(i32 %x0) {\n";
  constexpr unsigned Length = 50000;
  for (unsigned I = 0; I < Length; ++I)
    Text += "  %x" + std::to_string(I + 1) + " = add i32 %x" +
            std::to_string(I) + ", 1\n";
  Text += "  %r = add i32 %x" + std::to_string(Length) + ", 0\n  ret void\n}\n";
  EXPECT_EQ(valueIn(Text, 1), std::to_string(Length + 1));
}

} // namespace
