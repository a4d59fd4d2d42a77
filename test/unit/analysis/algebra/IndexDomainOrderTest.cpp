//===- IndexDomainOrderTest.cpp - Answers do not depend on earlier ones ---===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same random domain is made again and again, and asked the same questions
// in different orders, some of them while it is still being told facts.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexProver.h"
#include "test/unit/Share.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <list>
#include <numeric>
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

/// Three nested domains with facts, and forms to ask about, all made from one
/// seed. What is asked on the way is drawn from another one.
class OrderedDomains {
public:
  OrderedDomains(unsigned Seed, unsigned OrderSeed)
      : Random(Seed), Order(OrderSeed) {
    makeForms();
    for (unsigned Nested = 0; Nested < 3; ++Nested) {
      if (Nested > 0)
        Domains.emplace_back(Domains.back());
      IndexDomain &D = Domains.back();
      for (unsigned I = 0; I < 3; ++I) {
        addFact(D);
        if (OrderSeed != 0)
          for (unsigned J = 0; J < 4; ++J)
            answer(D, Forms[Order() % Forms.size()], Order() % 3);
      }
      D.propagate();
    }
  }

  /// The answers to all questions, asked in an order of its own.
  std::vector<std::string> answers() {
    std::vector<std::string> Result(Forms.size() * 9);
    std::vector<size_t> Questions(Result.size());
    std::iota(Questions.begin(), Questions.end(), 0);
    std::shuffle(Questions.begin(), Questions.end(), Order);
    for (size_t Q : Questions)
      Result[Q] =
          answer(*std::next(Domains.begin(), Q % 3), Forms[Q / 9], Q / 3 % 3);
    return Result;
  }

private:
  int64_t between(int64_t Lo, int64_t Hi) {
    return Lo + static_cast<int64_t>(Random() % (Hi - Lo + 1));
  }
  IndexExpr pick() { return Forms[between(0, Forms.size() - 1)]; }

  std::string answer(const IndexDomain &D, IndexExpr E, unsigned Kind) {
    std::string Question = toString(Context, E);
    switch (Kind) {
    case 0:
      return "range of " + Question + ": " + D.range(E).str();
    case 1: {
      Congruence C = D.congruence(E);
      return "lattice of " + Question + ": " + std::to_string(C.residue()) +
             " mod " + std::to_string(C.modulus());
    }
    default:
      return Question + (provesNonNegative(D, E) ? " >= 0" : " is unknown");
    }
  }

  /// Sizes, indices below them, and forms of growing depth. Most of those with
  /// several quotients take more time than a query has.
  void makeForms() {
    Domains.emplace_back(Context);
    static constexpr unsigned NumVariables = 5, NumForms = 28, MaxTerms = 9;
    for (unsigned I = 0; I < NumVariables; ++I) {
      const IndexAtom *A = Context.createVariable("v" + std::to_string(I));
      int64_t Lo = I < 2 ? 1 : between(-1, 0) * between(0, 40);
      Domains.back().declare(A, {Lo, Lo + between(1, 5000)});
      Forms.push_back(Context.atom(A));
    }
    while (Forms.size() < NumForms) {
      IndexExpr E = randomForm();
      if (E && !E.isConstant() && E.terms().size() <= MaxTerms)
        Forms.push_back(E);
    }
  }

  IndexExpr randomForm() {
    static constexpr int64_t Radices[] = {2, 3, 4, 6, 7, 12, 32, 84};
    IndexExpr A = pick(), B = pick();
    IndexExpr Sum = Context.add(A, between(-3, 3));
    Sum = Sum ? Context.add(Sum, B, between(-8, 8)) : Sum;
    if (!Sum || Sum.isConstant())
      return {};
    int64_t D = Radices[between(0, 7)];
    switch (between(0, 8)) {
    case 0:
      return Sum;
    case 1:
      return Context.rawAtom(IndexAtom::Kind::FloorDiv, Sum, D);
    case 2:
      return Context.add(
          Sum, Context.rawAtom(IndexAtom::Kind::TruncDiv, Sum, D), -D);
    case 3:
      return Context.add(
          B, Context.rawAtom(IndexAtom::Kind::NegativePart, Context.sub(A, B)));
    case 4:
      return Context.multiply(
          Context.rawAtom(IndexAtom::Kind::NonNegative, Sum), A);
    case 5:
      return Context.multiply(A, B);
    case 6: {
      IndexExpr Size = Forms[between(0, 1)];
      IndexExpr Q = Context.rawAtom(IndexAtom::Kind::FloorDiv, Sum, Size);
      return Context.sub(Sum, Context.multiply(Size, Q));
    }
    default: // one digit of several
      return Context.add(Context.rawAtom(IndexAtom::Kind::FloorDiv, Sum, D),
                         Context.rawAtom(IndexAtom::Kind::FloorDiv, Sum, D * 6),
                         -6);
    }
  }

  void addFact(IndexDomain &To) {
    IndexExpr E = pick();
    Interval R = To.range(E);
    int64_t Lo = R.isBoundedBelow() ? R.lo() + between(0, 2) : between(-9, 9);
    switch (between(0, 3)) {
    case 0:
      return To.constrain(E, Interval::atLeast(Lo));
    case 1:
      return To.constrain(Context.sub(Forms[between(0, 1)], E),
                          Interval::atLeast(1));
    case 2:
      return To.constrainLattice(E, Congruence::of(between(2, 12), 0));
    default:
      return To.constrain(E, {Lo, Lo + between(9, 900)});
    }
  }

  std::mt19937_64 Random, Order;
  IndexContext Context;
  std::vector<IndexExpr> Forms;
  /// A list, since each refers to the one before it.
  std::list<IndexDomain> Domains;
};

TEST(IndexDomainOrder, AnswersDoNotDependOnEarlierQuestions) {
  for (unsigned Seed = 0; Seed < 40 / Share; ++Seed) {
    std::vector<std::string> Expected = OrderedDomains(Seed, 0).answers();
    for (unsigned Order = 1; Order < 5; ++Order) {
      std::vector<std::string> Answers = OrderedDomains(Seed, Order).answers();
      for (auto [Answer, First] : zip_equal(Answers, Expected))
        ASSERT_EQ(Answer, First) << "seed " << Seed << ", order " << Order;
    }
  }
}

} // namespace
