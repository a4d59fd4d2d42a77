//===- RewriteVerifierTest.cpp - Wrong rewrites are refused ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites made by hand, right ones and wrong ones, for code with guards,
// assumptions, joins and loops.
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/RewriteVerifier.h"
#include "test/unit/transforms/simplify/PlannedRewrite.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

constexpr unsigned Points = 256;

class Rewrite : public PlannedRewrite {
public:
  explicit Rewrite(StringRef Text) : PlannedRewrite(Text) {
    Root.Form = A.Recovery.recover(Root.Old, A.scope("here")).Signed;
  }

  RewriteVerdict verify(const PlanNode *New) {
    Root.New = New;
    return verifyRewrites(&Root, A.Recovery, Points).front();
  }
  /// Whether enough points were compared and none differs.
  bool isRight(const PlanNode *New) {
    RewriteVerdict V = verify(New);
    EXPECT_GT(V.PointsCompared, 20u);
    EXPECT_EQ(V.Difference, "");
    return V.Difference.empty();
  }
  bool isWrong(const PlanNode *New) { return !verify(New).Difference.empty(); }
};

const char *const UnsignedRemainder = R"(
  define void @f(i32 noundef %x) {
  here:
    %old = urem i32 %x, 75
    ret void
  })";

TEST(RewriteVerifier, ARightRewriteIsEqualEverywhere) {
  Rewrite R(UnsignedRemainder);
  const PlanNode *X = R.leaf("x");
  EXPECT_TRUE(
      R.isRight(R.Plan.sub(X, R.Plan.mul(R.Plan.udiv(X, 75), 75, {}), {})));
}

TEST(RewriteVerifier, AWrongRewriteIsFoundWithItsPoint) {
  Rewrite R(UnsignedRemainder);
  const PlanNode *X = R.leaf("x");
  RewriteVerdict V = R.verify(R.Plan.bitAnd(X, 63));
  EXPECT_NE(V.Difference.find("at %x = "), std::string::npos);
  EXPECT_NE(V.Difference.find("the rewrite gives "), std::string::npos);
  // Wrong for one word in 75.
  EXPECT_TRUE(R.isWrong(R.Plan.sub(
      X,
      R.Plan.mul(R.Plan.udiv(R.Plan.add(X, R.Plan.constant(1, 32), {}), 75), 75,
                 {}),
      {})));
}

TEST(RewriteVerifier, WrongFlagsAreFound) {
  Rewrite R(UnsignedRemainder);
  const PlanNode *X = R.leaf("x");
  PlanFlags NoSignedWrap;
  NoSignedWrap.NoSignedWrap = true;
  const PlanNode *Multiple = R.Plan.mul(R.Plan.udiv(X, 75), 75, NoSignedWrap);
  EXPECT_NE(R.verify(R.Plan.sub(X, Multiple, {})).Difference.find("poison"),
            std::string::npos);
}

TEST(RewriteVerifier, AGuardMakesAFactAndItsAbsenceDoesNot) {
  const char *const Text = R"(
    define void @f(i32 noundef %x, i32 noundef %n) {
    entry:
      %old = sdiv i32 %x, 10
      %c = icmp sgt i32 %x, GUARD
      br i1 %c, label %here, label %exit
    here:
      br label %exit
    exit:
      ret void
    })";
  auto With = [&](const char *Guard) {
    std::string Result = Text;
    return Result.replace(Result.find("GUARD"), 5, Guard);
  };
  Rewrite Right(With("-1"));
  EXPECT_TRUE(Right.isRight(Right.Plan.udiv(Right.leaf("x"), 10)));
  Rewrite Wrong(With("-11"));
  EXPECT_TRUE(Wrong.isWrong(Wrong.Plan.udiv(Wrong.leaf("x"), 10)));
}

TEST(RewriteVerifier, AssumptionsAndSwitchesAreFacts) {
  Rewrite Assumed(R"(
    define void @f(i32 noundef %x) {
    here:
      %c = icmp ult i32 %x, 64
      call void @llvm.assume(i1 %c)
      %old = urem i32 %x, 64
      ret void
    })");
  EXPECT_TRUE(Assumed.isRight(Assumed.leaf("x")));
  Rewrite Switched(R"(
    define void @f(i32 noundef %x) {
    entry:
      %old = urem i32 %x, 10
      switch i32 %x, label %exit [ i32 12, label %here ]
    here:
      br label %exit
    exit:
      ret void
    })");
  EXPECT_TRUE(Switched.isRight(Switched.Plan.constant(2, 32)));
  EXPECT_TRUE(Switched.isWrong(Switched.Plan.constant(3, 32)));
}

TEST(RewriteVerifier, ACaseOfSeveralIsNoMoreThanItSays) {
  Rewrite R(R"(
    define void @f(i32 noundef %x) {
    entry:
      %old = udiv i32 %x, 10
      switch i32 %x, label %exit [ i32 12, label %here
                                   i32 1, label %here ]
    here:
      br label %exit
    exit:
      ret void
    })");
  EXPECT_TRUE(R.isRight(R.Plan.lshr(R.leaf("x"), 3)));
  EXPECT_TRUE(R.isWrong(R.Plan.constant(1, 32)));
}

TEST(RewriteVerifier, EveryReadOfARegisterIsTheSame) {
  Rewrite R(R"(
    declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
    define void @f() {
    here:
      %n = call noundef range(i32 1, 2) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
      %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
      %old = urem i32 %m, 7
      ret void
    })");
  EXPECT_TRUE(R.isRight(R.Plan.constant(1, 32)));
}

TEST(RewriteVerifier, ThreadIndicesStayBelowTheBlockSize) {
  Rewrite R(R"(
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
    define void @f() {
    here:
      %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %old = urem i32 %t, %n
      ret void
    })");
  EXPECT_TRUE(R.isRight(R.leaf("t")));
  EXPECT_TRUE(R.isWrong(R.leaf("n")));
}

TEST(RewriteVerifier, ALeafThatMayBePoisonMustBeHarmless) {
  Rewrite R(R"(
    define void @f(i1 noundef %c, i32 %x) {
    here:
      %old = select i1 %c, i32 %x, i32 0
      ret void
    })");
  const PlanNode *X = R.leaf("x"), *Zero = R.Plan.constant(0, 32);
  EXPECT_TRUE(R.isRight(R.Plan.select(R.A.value("c"), X, Zero)));
  // x - x is poison with x, also where c is false.
  RewriteVerdict V = R.verify(R.Plan.sub(R.Plan.select(R.A.value("c"), X, Zero),
                                         R.Plan.sub(X, X, {}), {}));
  EXPECT_NE(V.Difference.find("poison"), std::string::npos);
}

TEST(RewriteVerifier, JoinsFollowTheirEdges) {
  Rewrite R(R"(
    define void @f(i32 noundef %x) {
    entry:
      %c = icmp ult i32 %x, 100
      br i1 %c, label %then, label %here
    then:
      %a = mul i32 %x, 3
      br label %here
    here:
      %p = phi i32 [ %a, %then ], [ 300, %entry ]
      %old = udiv i32 %p, 3
      ret void
    })");
  const PlanNode *X = R.leaf("x"), *Hundred = R.Plan.constant(100, 32);
  EXPECT_TRUE(R.isRight(R.Plan.phi(R.A.value("p"), X, Hundred)));
  EXPECT_TRUE(R.isWrong(R.Plan.phi(R.A.value("p"), Hundred, X)));
  EXPECT_TRUE(R.isWrong(X));
}

TEST(RewriteVerifier, OfLoopsTheFactsOfTheAnalysisHold) {
  Rewrite R(R"(
    define void @f(i32 noundef %n) {
    entry:
      br label %here
    here:
      %i = phi i32 [ 0, %entry ], [ %j, %here ]
      %old = urem i32 %i, 640
      %j = add nuw nsw i32 %i, 64
      %c = icmp ult i32 %j, 640
      br i1 %c, label %here, label %exit
    exit:
      ret void
    })");
  EXPECT_TRUE(R.isRight(R.leaf("i")));
  EXPECT_TRUE(
      R.isRight(R.Plan.mul(R.Plan.lshr(R.leaf("i"), 6), 64, {}))); // a lattice
  EXPECT_TRUE(R.isWrong(R.Plan.bitAnd(R.leaf("i"), 255)));
}

TEST(RewriteVerifier, CodeThatIsNeverReachedIsNotCompared) {
  Rewrite R(R"(
    define void @f(i32 noundef %x) {
    entry:
      %old = urem i32 %x, 10
      %c = icmp ult i32 %x, 5
      br i1 %c, label %then, label %exit
    then:
      %d = icmp ugt i32 %x, 9
      br i1 %d, label %here, label %exit
    here:
      br label %exit
    exit:
      ret void
    })");
  RewriteVerdict V = R.verify(R.Plan.constant(77, 32));
  EXPECT_EQ(V.PointsCompared, 0u);
  EXPECT_EQ(V.Difference, "");
}

TEST(RewriteVerifier, AFoldedComparisonIsChecked) {
  Rewrite R(R"(
    define void @f(i32 noundef %x) {
    here:
      %m = urem i32 %x, 10
      %old = icmp ult i32 %m, 9
      ret void
    })");
  R.Root.Form = {};
  R.Root.Kind = RootKind::Comparison;
  R.Root.Constant = true; // 9 is there
  EXPECT_TRUE(R.isWrong(nullptr));
}

TEST(RewriteVerifier, RefusesWithAWarningAndKeepsTheRest) {
  Rewrite R(UnsignedRemainder);
  const PlanNode *X = R.leaf("x");
  IndexRoot Wrong = R.Root;
  R.Root.New = R.Plan.sub(X, R.Plan.mul(R.Plan.udiv(X, 75), 75, {}), {});
  Wrong.New = X;
  std::vector<IndexRoot *> Chosen = {&Wrong, &R.Root};
  static std::string Warning;
  Warning.clear();
  R.A.F.getContext().setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *Info, void *) {
        if (Info->getSeverity() != DS_Warning)
          return;
        raw_string_ostream OS(Warning);
        DiagnosticPrinterRawOStream Printer(OS);
        Info->print(Printer);
      });
  OptimizationRemarkEmitter ORE(&R.A.F);
  refuseWrongRewrites(Chosen, R.A.Recovery, Points, ORE);
  EXPECT_EQ(Chosen, std::vector<IndexRoot *>{&R.Root});
  EXPECT_NE(Warning.find("a rewrite of %old in f is wrong and was refused"),
            std::string::npos)
      << Warning;
}

} // namespace
