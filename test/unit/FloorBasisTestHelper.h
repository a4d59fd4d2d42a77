//===- FloorBasisTestHelper.h - Forms and their values ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boxes of variables on which the value of every form is known at every point,
// the constructors of the floor basis with their definitions, and a fixture for
// the tests of single rules.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_FLOORBASISTESTHELPER_H
#define UNRAVEL_TEST_UNIT_FLOORBASISTESTHELPER_H

#include "analysis/algebra/FloorBasis.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

namespace unravel::test {

using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Forms together with their values
//===----------------------------------------------------------------------===//

/// Variables v0, v1, ... with a range each and all on one lattice; every point
/// can be visited.
class Box {
public:
  explicit Box(ArrayRef<Interval> Ranges, const Congruence &Lattice = {}) {
    std::vector<std::vector<int64_t>> Points = {{}};
    for (const Interval &R : Ranges) {
      const IndexAtom *A =
          Context.createVariable("v" + std::to_string(Variables.size()));
      Domain.declare(A, R, Lattice);
      Variables.push_back({Context.atom(A), {}, A->name().str()});
      std::vector<std::vector<int64_t>> Extended;
      for (std::vector<int64_t> P : Points)
        for (int64_t V = R.lo(); V <= R.hi(); ++V)
          if (Lattice.contains(V)) {
            Extended.push_back(P);
            Extended.back().push_back(V);
          }
      Points = Extended;
    }
    for (const std::vector<int64_t> &P : Points)
      for (auto [V, Value] : llvm::zip_equal(Variables, P))
        V.Values.push_back(Value);
  }

  /// A form, what it should be at every point, and how it was made.
  struct Sample {
    IndexExpr E;
    std::vector<int64_t> Values;
    std::string Text;
  };

  /// Coefficients * Variables + Constant.
  Sample linear(ArrayRef<int64_t> Coefficients, int64_t Constant) {
    Sample S = {Context.constant(Constant),
                std::vector<int64_t>(points(), Constant), ""};
    for (auto [V, C] : llvm::zip(Variables, Coefficients))
      S = add(S, V, C);
    S.Text = toString(Context, S.E);
    return S;
  }
  Sample add(const Sample &A, const Sample &B, int64_t Times = 1) {
    Sample S = {Context.add(A.E, B.E, Times), A.Values,
                A.Text + " + " + std::to_string(Times) + "*" + B.Text};
    for (size_t I = 0; I < points(); ++I)
      S.Values[I] += Times * B.Values[I];
    return S;
  }

  /// S.E has the right value everywhere, the domain's facts about it hold, and
  /// simplifying it once or twice is the same.
  void check(FloorBasis &Basis, const Sample &S) {
    ASSERT_TRUE(S.E) << S.Text;
    Interval R = Domain.range(S.E);
    Congruence C = Domain.congruence(S.E);
    IndexExpr Once = Basis.simplify(S.E);
    std::string Where = S.Text + " = " + toString(Context, S.E);
    ASSERT_TRUE(Once) << Where;
    EXPECT_EQ(Basis.simplify(Once), Once)
        << Where << ", simplified: " << toString(Context, Once);
    for (size_t I = 0; I < points(); ++I) {
      ASSERT_EQ(valueAt(S.E, I), S.Values[I]) << Where << " at " << point(I);
      ASSERT_EQ(valueAt(Once, I), S.Values[I])
          << Where << ", simplified: " << toString(Context, Once) << " at "
          << point(I);
      ASSERT_TRUE(R.contains(S.Values[I])) << Where << " in " << R.str();
      ASSERT_TRUE(C.contains(S.Values[I])) << Where;
    }
  }

  size_t points() const { return Variables[0].Values.size(); }
  std::optional<int64_t> valueAt(IndexExpr E, size_t I) const {
    // A variable's id is its number: they are created first.
    return evaluate(E, [&](const IndexAtom *A) {
      return std::optional(
          Variables[A->id() - IndexContext::NumSlots].Values[I]);
    });
  }
  std::string point(size_t I) const {
    std::string Text;
    for (const Sample &V : Variables)
      Text += std::to_string(V.Values[I]) + " ";
    return Text;
  }

  IndexContext Context;
  IndexDomain Domain{Context};
  std::vector<Sample> Variables;
};
using Sample = Box::Sample;

/// The constructors with a divisor, and their definitions.
inline int64_t floorOf(int64_t A, int64_t D) {
  return A / D - (A % D != 0 && (A < 0) != (D < 0) ? 1 : 0);
}
struct Division {
  const char *Name;
  IndexExpr (FloorBasis::*Build)(IndexExpr, int64_t);
  int64_t (*Value)(int64_t, int64_t);

  Sample operator()(FloorBasis &Basis, const Sample &S, int64_t D) const {
    Sample Result = {(Basis.*Build)(S.E, D), S.Values,
                     Name + ("(" + S.Text) + ", " + std::to_string(D) + ")"};
    for (int64_t &V : Result.Values)
      V = Value(V, D);
    return Result;
  }
};
inline const Division Divisions[] = {
    {"floorDiv", &FloorBasis::floorDiv, floorOf},
    {"floorMod", &FloorBasis::floorMod,
     [](int64_t A, int64_t D) { return A - D * floorOf(A, D); }},
    {"ceilDiv", &FloorBasis::ceilDiv,
     [](int64_t A, int64_t D) { return -floorOf(-A, D); }},
    {"truncDiv", &FloorBasis::truncDiv,
     [](int64_t A, int64_t D) { return A / D; }},
    {"truncMod", &FloorBasis::truncMod,
     [](int64_t A, int64_t D) { return A % D; }},
};

inline Sample minOf(FloorBasis &Basis, const Sample &A, const Sample &B) {
  Sample S = {Basis.min(A.E, B.E), A.Values,
              "min(" + A.Text + ", " + B.Text + ")"};
  for (auto [V, W] : llvm::zip(S.Values, B.Values))
    V = std::min(V, W);
  return S;
}
inline Sample maxOf(FloorBasis &Basis, const Sample &A, const Sample &B) {
  Sample S = {Basis.max(A.E, B.E), A.Values,
              "max(" + A.Text + ", " + B.Text + ")"};
  for (auto [V, W] : llvm::zip(S.Values, B.Values))
    V = std::max(V, W);
  return S;
}

inline const std::vector<Interval> BoxesOfOne[] = {
    {{0, 23}}, {{-11, 12}}, {{-20, -3}}, {{0, 1}}, {{5, 5}}};
inline const std::vector<Interval> BoxesOfTwo[] = {
    {{0, 7}, {0, 4}}, {{-5, 6}, {0, 3}}, {{-4, -1}, {-3, 3}}};
inline const std::vector<Interval> BoxesOfThree[] = {
    {{0, 3}, {0, 1}, {0, 4}}, {{-3, 2}, {0, 2}, {-1, 1}}};

class FloorBasisFixture : public testing::Test {
protected:
  IndexExpr var(StringRef Name, const Interval &Range,
                const Congruence &Lattice = {}) {
    const IndexAtom *A = Context.createVariable(Name);
    Domain.declare(A, Range, Lattice);
    return Context.atom(A);
  }
  IndexExpr add(IndexExpr A, IndexExpr B, int64_t Times = 1) {
    return Context.add(A, B, Times);
  }
  IndexExpr num(int64_t V) { return Context.constant(V); }
  std::string text(IndexExpr E) { return toString(Context, E); }

  IndexContext Context;
  IndexDomain Domain{Context};
  FloorBasis Basis{Domain};
  const Interval Index = {0, 999999};
};

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_FLOORBASISTESTHELPER_H
