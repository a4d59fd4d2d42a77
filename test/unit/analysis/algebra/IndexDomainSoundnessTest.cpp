//===- IndexDomainSoundnessTest.cpp - Ranges of random forms --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random forms and facts, every point of small boxes.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexDomain.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace unravel;

namespace {

/// A random box with random forms on it, none of them simplified.
class RandomBox {
public:
  RandomBox(std::mt19937_64 &Random, IndexDomain &Domain)
      : Random(Random), Domain(Domain), Context(Domain.context()) {
    const int64_t Widths[] = {40, 9, 4};
    size_t NumVariables = between(1, 3), NumPoints = 1;
    for (size_t I = 0; I < NumVariables; ++I) {
      int64_t Lo = between(-6, 4);
      Ranges.push_back({Lo, Lo + between(0, Widths[NumVariables - 1])});
      const IndexAtom *A = Context.createVariable("v" + std::to_string(I));
      Domain.declare(A, Ranges.back());
      Forms.push_back(Context.atom(A));
      NumPoints *= *Ranges.back().size();
    }
    for (size_t I = 0; I < NumPoints; ++I) {
      std::vector<int64_t> P;
      size_t Rest = I;
      for (const Interval &R : Ranges) {
        P.push_back(R.lo() + Rest % *R.size());
        Rest /= *R.size();
      }
      Points.push_back(P);
    }
    for (unsigned I = 0; I < 8; ++I)
      Forms.push_back(randomForm());
  }

  int64_t between(int64_t Lo, int64_t Hi) {
    return Lo + static_cast<int64_t>(Random() % (Hi - Lo + 1));
  }
  IndexExpr pick() { return Forms[between(0, Forms.size() - 1)]; }
  int64_t valueAt(IndexExpr E, const std::vector<int64_t> &P) const {
    return *evaluate(E, [&](const IndexAtom *A) {
      return std::optional(
          P[A->id() -
            IndexContext::NumSlots]); // the variables are created first
    });
  }
  /// Adds a fact that holds at some of the points and drops the others.
  void addFact(IndexDomain &To) {
    if (Points.empty())
      return;
    IndexExpr E = pick();
    int64_t Lo = valueAt(E, Points[between(0, Points.size() - 1)]);
    const Interval Facts[] = {Interval::atLeast(Lo), Interval::atMost(Lo),
                              Interval(Lo, Lo + between(0, 9)),
                              Interval(Lo - 2, Lo - 1)};
    Interval Fact = Facts[between(0, 3)];
    To.constrain(E, Fact);
    erase_if(Points, [&](const std::vector<int64_t> &P) {
      return !Fact.contains(valueAt(E, P));
    });
    Text += toString(Context, E) + " in " + Fact.str() + ", ";
  }
  /// What \p D says about every form is true at every point.
  void check(const IndexDomain &D) const {
    EXPECT_TRUE(Points.empty() || !D.isKnownEmpty()) << Text;
    for (IndexExpr E : Forms) {
      Interval R = D.range(E);
      Congruence C = D.congruence(E);
      std::string Where = Text + toString(Context, E) + " in " + R.str();
      EXPECT_FALSE(R.isEmpty()) << Where;
      std::optional<int64_t> Third = D.constantQuotient(E, 3);
      for (const std::vector<int64_t> &P : Points) {
        int64_t V = valueAt(E, P);
        ASSERT_TRUE(R.contains(V)) << Where << ", but is " << V;
        ASSERT_TRUE(C.contains(V)) << Where << ", but is " << V;
        ASSERT_TRUE(!Third || *Third == unravel::floorDiv(V, 3)) << Where;
      }
    }
  }

  std::vector<std::vector<int64_t>> Points;

private:
  IndexExpr randomForm() {
    IndexExpr Sum = Context.add(pick(), between(-5, 5));
    Sum = Context.add(Sum, pick(), between(-9, 9));
    int64_t D = between(2, 7);
    switch (between(0, 5)) {
    case 0:
      return Sum;
    case 1:
      return Context.rawAtom(IndexAtom::Kind::FloorDiv, Sum, D);
    case 2:
      return Context.rawAtom(IndexAtom::Kind::TruncDiv, Sum, D);
    case 3:
      return Context.rawAtom(IndexAtom::Kind::NegativePart, Sum);
    case 4:
      return Context.add(
          Sum, Context.rawAtom(IndexAtom::Kind::FloorDiv, Sum, D), -D);
    default:
      return Context.add(
          Sum, Context.rawAtom(IndexAtom::Kind::TruncDiv, Sum, D), -D);
    }
  }

  std::mt19937_64 &Random;
  IndexDomain &Domain;
  IndexContext &Context;
  std::vector<Interval> Ranges;
  std::vector<IndexExpr> Forms;
  std::string Text;
};

TEST(IndexDomainSoundness, RangesOfRandomForms) {
  std::mt19937_64 Random(1);
  for (unsigned Round = 0; Round < 3000; ++Round) {
    IndexContext Context;
    IndexDomain Domain(Context);
    RandomBox(Random, Domain).check(Domain);
  }
}

TEST(IndexDomainSoundness, RandomFacts) {
  std::mt19937_64 Random(2);
  unsigned Contradictions = 0;
  for (unsigned Round = 0; Round < 4000; ++Round) {
    IndexContext Context;
    IndexDomain Domain(Context);
    RandomBox B(Random, Domain);
    if (Round % 2)
      B.check(Domain); // so that later facts meet cached ranges
    IndexDomain Child(Domain);
    for (unsigned I = 0; I < 3; ++I) {
      B.addFact(Child);
      B.check(Child);
    }
    IndexDomain Grandchild(Child);
    B.addFact(Grandchild);
    Grandchild.propagate();
    B.check(Grandchild);
    Contradictions += Grandchild.isKnownEmpty();
  }
  EXPECT_GT(Contradictions, 100u);
}

} // namespace
