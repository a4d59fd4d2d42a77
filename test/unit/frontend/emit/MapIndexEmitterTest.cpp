//===- MapIndexEmitterTest.cpp - Code for indices from their maps ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/MapIndexEmitter.h"
#include "frontend/emit/SyntaxEmitter.h"
#include "test/unit/EmitterTestHelper.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace unravel;

namespace {

/// A function of i8 arguments x in [0, 15] and y in [-8, 7], whose arithmetic
/// is interpreted by hand, poison included: so that flags that are wrong are
/// found as well.
class SyntaxCode {
public:
  SyntaxCode()
      : M("test", C), Type(IntegerType::get(C, 8)),
        F(Function::Create(FunctionType::get(Type, {Type, Type}, false),
                           GlobalValue::ExternalLinkage, "f", M)),
        Domain(Forms), Basis(Domain) {
    IRBuilder<> B(BasicBlock::Create(C, "entry", F));
    Return = B.CreateRet(B.getInt8(0));
    declare("x", Interval(0, 15));
    declare("y", Interval(-8, 7));
  }

  Value *emit(StringRef Text) {
    Tree = cantFail(parseSyntax(Text, "text"));
    auto FormOf = [&](StringRef Name) { return Names.lookup(Name); };
    auto ValueOf = [&](IndexExpr E) -> Value * {
      return E == Names["x"]   ? F->getArg(0)
             : E == Names["y"] ? F->getArg(1)
                               : nullptr;
    };
    return SyntaxEmitter(Basis, Type, FormOf, ValueOf).emit(Tree, Return);
  }

  /// Where the code of \p Text has another value than the text; empty: nowhere.
  std::string difference(StringRef Text) {
    Value *V = emit(Text);
    if (!V)
      return "no code";
    for (int64_t X = 0; X <= 15; ++X)
      for (int64_t Y = -8; Y <= 7; ++Y) {
        std::optional<int64_t> Wanted =
            evaluate(Tree, [&](StringRef Name) -> std::optional<int64_t> {
              return Name == "x" ? X : Y;
            });
        std::optional<int64_t> Found = run(V, X, Y);
        if (!Found || Found != Wanted)
          return (Text + " at " + Twine(X) + ", " + Twine(Y)).str();
      }
    return "";
  }

  size_t instructions() const { return F->getInstructionCount(); }

private:
  void declare(StringRef Name, const Interval &Range) {
    const IndexAtom *Atom = Forms.createVariable(Name);
    Names[Name] = Forms.atom(Atom);
    Domain.declare(Atom, Range);
  }

  std::optional<int64_t> run(Value *V, int64_t X, int64_t Y) {
    if (auto *A = dyn_cast<Argument>(V))
      return A->getArgNo() == 0 ? X : Y;
    if (auto *Number = dyn_cast<ConstantInt>(V))
      return Number->getSExtValue();
    auto *I = cast<Instruction>(V);
    std::optional<int64_t> L = run(I->getOperand(0), X, Y);
    std::optional<int64_t> R = run(I->getOperand(1), X, Y);
    if (!L || !R)
      return std::nullopt;
    APInt A(8, *L, true), B(8, *R, true), Result;
    bool Signed = false, Unsigned = false;
    switch (I->getOpcode()) {
    case Instruction::Add:
      Result = A.sadd_ov(B, Signed), (void)A.uadd_ov(B, Unsigned);
      break;
    case Instruction::Sub:
      Result = A.ssub_ov(B, Signed), (void)A.usub_ov(B, Unsigned);
      break;
    case Instruction::Mul:
      Result = A.smul_ov(B, Signed), (void)A.umul_ov(B, Unsigned);
      break;
    case Instruction::UDiv:
      return A.udiv(B).getSExtValue();
    case Instruction::URem:
      return A.urem(B).getSExtValue();
    case Instruction::Call:
      return cast<IntrinsicInst>(I)->getIntrinsicID() == Intrinsic::smin
                 ? std::min(*L, *R)
                 : std::max(*L, *R);
    default:
      ADD_FAILURE() << "unexpected instruction";
      return std::nullopt;
    }
    if ((I->hasNoSignedWrap() && Signed) ||
        (I->hasNoUnsignedWrap() && Unsigned))
      return std::nullopt; // poison
    return Result.getSExtValue();
  }

  LLVMContext C;
  llvm::Module M;
  IntegerType *Type;
  Function *F;
  ReturnInst *Return;
  IndexContext Forms;
  IndexDomain Domain;
  FloorBasis Basis;
  StringMap<IndexExpr> Names;
  SyntaxTree Tree;
};

TEST(SyntaxEmitter, ComputesTheTree) {
  for (StringRef Text :
       {"x + y", "x - y * 2", "0 - x", "x * 5 - 3", "x floordiv 3",
        "x mod 4 + (x floordiv 4) * 8", "(y + 8) floordiv 5",
        "(y + 8) mod 3 - x", "min(x, y + 3)", "max(x, 2, y)", "tdiv(x + 1, 7)",
        "tmod(x * 7, 10)", "x * 8 - x * 8 + 7", "(x + 100) floordiv 16"})
    EXPECT_EQ(SyntaxCode().difference(Text), "") << Text.str();
}

TEST(SyntaxEmitter, SumsMayWrapOnTheWay) {
  // 8 * 15 + 8 leaves the word, and comes back.
  EXPECT_EQ(SyntaxCode().difference("(x * 8 + 8) - 8"), "");
  EXPECT_EQ(SyntaxCode().difference("x * 16 - x * 15"), "");
}

TEST(SyntaxEmitter, GivesUpWithoutATrace) {
  for (StringRef Text :
       {"x + y floordiv 3", "x + y mod 4", "(x * 16) floordiv 3 + x",
        "x * 2 + min(x * 16, y)", "x + ceildiv(x, 3)"}) {
    SyntaxCode Code;
    EXPECT_EQ(Code.emit(Text), nullptr) << Text.str();
    EXPECT_EQ(Code.instructions(), 1u) << Text.str();
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// How many udiv and urem there are in the kernels of \p Text, as emitted.
unsigned divisionsIn(StringRef Text, IndexSource Source) {
  auto Module = parseModule(Text);
  EXPECT_FALSE(bool(verifyHlo(*Module)));
  LLVMContext Context;
  KernelEmitterOptions Options;
  Options.Indices = Source;
  EmittedModule Emitted =
      cantFail(emitKernels(*Module, Module->entry(), Context, Options));
  unsigned Divisions = 0;
  for (Function &F : *Emitted.IR)
    for (Instruction &I : instructions(F))
      Divisions += I.getOpcode() == Instruction::UDiv ||
                   I.getOpcode() == Instruction::URem;
  return Divisions;
}

TEST(MapIndexEmitter, ReshapesThatCancelCostNothing) {
  StringRef Text = "ENTRY e { p = f32[7,11,13] parameter(0) "
                   "a = f32[77,13] reshape(p) b = f32[7,143] reshape(a) "
                   "ROOT r = f32[11,7,13] reshape(b) }";
  EXPECT_GT(divisionsIn(Text, IndexSource::Naive), 5u);
  EXPECT_EQ(divisionsIn(Text, IndexSource::Maps), 0u);
}

TEST(MapIndexEmitter, WhatIsUsedAsANumberIsEmitted) {
  StringRef Text = "ENTRY e { ROOT i = s32[5,6,7] iota(), iota_dimension=1 }";
  EXPECT_GT(divisionsIn(Text, IndexSource::Maps), 0u);
  EXPECT_LE(divisionsIn(Text, IndexSource::Maps), 2u);
}

/// The first element of a vector reads at the number of the second, which is
/// computed later.
TEST(MapIndexEmitter, ANumberIsNotUsedBeforeItIsThere) {
  EXPECT_EQ(differenceOf("p = s32[5000] parameter(0)\n"
                         "s = s32[4096] slice(p), slice={[1:4097]}\n"
                         "n = s32[4096] negate(s)"),
            "");
}

/// Inside of the padding the first index of `t` is 0. In front of the guard it
/// is not, though it is the same value.
TEST(MapIndexEmitter, AFactStaysBehindItsGuard) {
  EXPECT_EQ(differenceOf("ENTRY e { p = f32[4,1] parameter(0) "
                         "t = f32[1,4] transpose(p), dimensions={1,0} "
                         "z = f32[] constant(7) "
                         "ROOT r = f32[4,9] pad(t, z), padding=2_1x3_2 }"),
            "");
}

/// An index of a part is below 1 where the part is, and not in another one.
TEST(MapIndexEmitter, AFactStaysInItsPiece) {
  EXPECT_EQ(differenceOf("ENTRY e { p = s32[3,1] parameter(0) "
                         "q = s32[3,4] parameter(1) "
                         "r = s32[3,1] reverse(p), dimensions={1} "
                         "ROOT c = s32[3,6] concatenate(r, q, r), "
                         "dimensions={1} }"),
            "");
}

TEST(MapIndexEmitter, LoopsAndRunTimeStarts) {
  EXPECT_EQ(differenceOf("add { x = s32[] parameter(0) y = s32[] parameter(1) "
                         "ROOT s = s32[] add(x, y) } "
                         "ENTRY e { p = s32[6,10] parameter(0) "
                         "i = s32[] parameter(1) j = s32[] parameter(2) "
                         "a = s32[4,15] reshape(p) "
                         "d = s32[3,8] dynamic-slice(a, i, j), "
                         "dynamic_slice_sizes={3,8} "
                         "b = s32[2,3,4] reshape(d) zero = s32[] constant(0) "
                         "ROOT r = s32[2,4] reduce(b, zero), dimensions={1}, "
                         "to_apply=add }"),
            "");
}

} // namespace
