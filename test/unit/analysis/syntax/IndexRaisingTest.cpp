//===- IndexRaisingTest.cpp - The cheapest trees of forms -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/FloorBasis.h"
#include "test/unit/IndexRaisingTestHelper.h"
#include "test/unit/Share.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

using Kind = IndexAtom::Kind;

namespace {

//===----------------------------------------------------------------------===//
// Exact results
//===----------------------------------------------------------------------===//

class IndexRaisingTest : public testing::Test {
protected:
  IndexRaisingTest() : Domain(Context), Basis(Domain) {}

  IndexExpr num(int64_t Value) { return Context.constant(Value); }
  IndexExpr variable(StringRef Name) {
    return Context.atom(Context.createVariable(Name));
  }
  IndexExpr add(IndexExpr A, IndexExpr B, int64_t Times = 1) {
    return Context.add(A, B, Times);
  }
  IndexExpr add(IndexExpr A, int64_t Value) { return Context.add(A, Value); }
  IndexExpr sub(IndexExpr A, IndexExpr B) { return Context.sub(A, B); }
  IndexExpr scale(IndexExpr A, int64_t F) { return Context.scale(A, F); }
  IndexExpr mul(IndexExpr A, IndexExpr B) { return Context.multiply(A, B); }
  IndexExpr floor(IndexExpr A, int64_t D) {
    return Context.rawAtom(IndexAtom::Kind::FloorDiv, A, D);
  }
  IndexExpr trunc(IndexExpr A, int64_t D) {
    return Context.rawAtom(IndexAtom::Kind::TruncDiv, A, D);
  }
  IndexExpr mod(IndexExpr A, int64_t D) { return add(A, floor(A, D), -D); }
  IndexExpr floor(IndexExpr A, IndexExpr D) {
    return Context.rawAtom(Kind::FloorDiv, A, D);
  }
  IndexExpr trunc(IndexExpr A, IndexExpr D) {
    return Context.rawAtom(Kind::TruncDiv, A, D);
  }
  IndexExpr mod(IndexExpr A, IndexExpr D) {
    return sub(A, mul(D, floor(A, D)));
  }
  IndexExpr tmod(IndexExpr A, IndexExpr D) {
    return sub(A, mul(D, trunc(A, D)));
  }
  IndexExpr min(IndexExpr A, IndexExpr B) {
    return add(B, Context.rawAtom(IndexAtom::Kind::NegativePart, sub(A, B)));
  }
  IndexExpr max(IndexExpr A, IndexExpr B) {
    return sub(A, Context.rawAtom(IndexAtom::Kind::NegativePart, sub(A, B)));
  }
  /// [A >= B] and [A = B].
  IndexExpr ge(IndexExpr A, IndexExpr B) {
    return Context.rawAtom(Kind::NonNegative, sub(A, B));
  }
  IndexExpr eq(IndexExpr A, IndexExpr B) {
    return Context.rawAtom(Kind::Zero, sub(A, B));
  }
  IndexExpr no(IndexExpr C) { return sub(num(1), C); }
  IndexExpr both(IndexExpr A, IndexExpr B) { return mul(A, B); }
  IndexExpr either(IndexExpr A, IndexExpr B) {
    return sub(add(A, B), mul(A, B));
  }
  IndexExpr select(IndexExpr C, IndexExpr A, IndexExpr B) {
    return add(B, mul(C, sub(A, B)));
  }

  std::string text(IndexExpr E) {
    return toString(raise(Context, E, nameOf), SyntaxDialect::IndexingMap);
  }
  std::string condition(IndexExpr E) {
    return toString(raiseCondition(Context, E, nameOf),
                    SyntaxDialect::IndexingMap);
  }

  IndexContext Context;
  IndexDomain Domain;
  FloorBasis Basis;
  IndexExpr X = variable("x"), Y = variable("y"), Z = variable("z"),
            N = variable("n"), M = variable("m");
};

TEST_F(IndexRaisingTest, Sums) {
  EXPECT_EQ(text(num(0)), "0");
  EXPECT_EQ(text(num(-7)), "-7");
  EXPECT_EQ(text(X), "x");
  EXPECT_EQ(text(scale(X, -1)), "-x");
  EXPECT_EQ(text(scale(X, -3)), "x * -3");
  EXPECT_EQ(text(add(scale(X, 75), Y)), "x * 75 + y");
  EXPECT_EQ(text(add(X, -5)), "x - 5");
  // A positive summand first, or a number.
  EXPECT_EQ(text(sub(Y, X)), "y - x");
  EXPECT_EQ(text(add(Y, X, -3)), "y - x * 3");
  EXPECT_EQ(text(sub(num(5), X)), "5 - x");
  EXPECT_EQ(text(sub(num(-5), X)), "-5 - x");
  EXPECT_EQ(text(sub(scale(X, -1), Y)), "-x - y");
  EXPECT_EQ(text(add(scale(X, -1), Y, -3)), "y * -3 - x");
  int64_t Most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(text(add(scale(X, -Most), -Most)),
            "-9223372036854775807 - x * 9223372036854775807");
}

TEST_F(IndexRaisingTest, Remainders) {
  EXPECT_EQ(text(floor(X, 75)), "x floordiv 75");
  EXPECT_EQ(text(mod(X, 75)), "x mod 75");
  EXPECT_EQ(text(add(mod(X, 75), Y, 75)), "y * 75 + x mod 75");
  EXPECT_EQ(text(scale(mod(add(X, Y), 8), -3)), "((x + y) mod 8) * -3");
  IndexExpr Fourth = floor(X, 4);
  EXPECT_EQ(text(add(Fourth, floor(X, 32), -8)), "(x floordiv 4) mod 8");
  // Digits in another order, and what is x again.
  IndexExpr High = floor(X, 8), Low = mod(X, 8);
  EXPECT_EQ(text(add(High, mod(Y, 8), 10)), "x floordiv 8 + (y mod 8) * 10");
  EXPECT_EQ(text(add(Low, High, 8)), "x");
  // One division rather than two.
  EXPECT_EQ(text(add(High, Low, 10)), "x * 10 - (x floordiv 8) * 79");
  // Not worth a remainder.
  EXPECT_EQ(text(sub(X, floor(X, 8))), "x - x floordiv 8");
  // C's.
  EXPECT_EQ(text(trunc(X, 75)), "truncdiv(x, 75)");
  EXPECT_EQ(text(add(X, trunc(X, 75), -75)), "truncmod(x, 75)");
  EXPECT_EQ(text(sub(trunc(sub(Y, X), 4), Z)), "truncdiv(y - x, 4) - z");
  // -tdiv(a, d) = tdiv(-a, d) saves the sign.
  EXPECT_EQ(text(scale(trunc(sub(Y, X), 4), -1)), "truncdiv(x - y, 4)");
}

TEST_F(IndexRaisingTest, SymbolicRemainders) {
  EXPECT_EQ(text(floor(X, N)), "x floordiv n");
  EXPECT_EQ(text(mod(X, N)), "floormod(x, n)");
  EXPECT_EQ(text(scale(mod(X, N), 3)), "floormod(x, n) * 3");
  EXPECT_EQ(text(mul(M, mod(X, N))), "m * floormod(x, n)");
  EXPECT_EQ(text(mod(X, add(N, 1))), "floormod(x, n + 1)");
  EXPECT_EQ(text(tmod(X, N)), "truncmod(x, n)");
  EXPECT_EQ(text(mul(M, mod(X, 4))), "m * (x mod 4)");
  EXPECT_EQ(text(add(mul(N, Y), mod(X, N))), "y * n + floormod(x, n)");
  // floor(floor(x/n)/4) = floor(x/(4n)) for n of either sign ...
  EXPECT_EQ(text(add(floor(X, N), floor(X, scale(N, 4)), -4)),
            "(x floordiv n) mod 4");
  // ... but floor(floor(x/n)/k) is not floor(x/(k*n)) for a negative k.
  EXPECT_EQ(text(sub(floor(X, N), mul(M, floor(X, mul(N, M))))),
            "floormod(x, n * m) floordiv n");
  EXPECT_EQ(text(sub(floor(X, 4), mul(N, floor(X, scale(N, 4))))),
            "floormod(x, n * 4) floordiv 4");
}

TEST_F(IndexRaisingTest, Absorption) {
  EXPECT_EQ(text(add(floor(add(scale(X, 53), Y), 75), X)),
            "(x * 128 + y) floordiv 75");
  EXPECT_EQ(text(add(floor(add(X, 3), 8), 1)), "(x + 11) floordiv 8");
  EXPECT_EQ(text(scale(add(floor(add(X, 3), 8), 1), 5)),
            "((x + 11) floordiv 8) * 5");
  EXPECT_EQ(text(add(floor(X, 8), 1)), "x floordiv 8 + 1");
  // The sum would overflow.
  int64_t Large = std::numeric_limits<int64_t>::max() / 2;
  EXPECT_EQ(text(add(floor(add(X, 3), Large), 4)),
            "(x + 3) floordiv 4611686018427387903 + 4");
}

// What stands beside the quotient cancels in the minimum.
TEST_F(IndexRaisingTest, AbsorptionByExtrema) {
  IndexExpr Row = scale(X, 33);
  EXPECT_EQ(text(sub(floor(min(add(Row, Y), Z), 33), X)),
            "min(z - x * 33, y) floordiv 33");
  EXPECT_EQ(text(sub(floor(max(add(Row, Y), Z), 33), X)),
            "max(z - x * 33, y) floordiv 33");
}
TEST_F(IndexRaisingTest, AbsorptionByExtrema_negative) {
  EXPECT_EQ(text(sub(floor(min(add(X, Y), Z), 33), X)),
            "min(x + y, z) floordiv 33 - x");
}

TEST_F(IndexRaisingTest, Halves) {
  EXPECT_EQ(text(sub(floor(X, 8), floor(X, 16))), "(x + 8) floordiv 16");
  EXPECT_EQ(text(scale(sub(floor(X, 8), floor(X, 16)), -3)),
            "((x + 8) floordiv 16) * -3");
  EXPECT_EQ(text(add(sub(floor(X, 4), floor(X, 2)), 16)),
            "16 - (x + 2) floordiv 4");
  IndexExpr Blocks = floor(add(X, 15), 16);
  EXPECT_EQ(text(Basis.ceilDiv(Blocks, 2)), "x ceildiv 32");
}
TEST_F(IndexRaisingTest, Halves_negative) {
  EXPECT_EQ(text(sub(floor(X, 8), floor(X, 32))),
            "x floordiv 8 - x floordiv 32");
  EXPECT_EQ(text(add(floor(X, 8), floor(X, 16))),
            "x floordiv 8 + x floordiv 16");
  EXPECT_EQ(text(sub(floor(X, 8), floor(Y, 16))),
            "x floordiv 8 - y floordiv 16");
}

TEST_F(IndexRaisingTest, Mirrors) {
  EXPECT_EQ(text(floor(add(X, 7), 8)), "x ceildiv 8");
  EXPECT_EQ(text(Basis.ceilDiv(X, num(8))), "x ceildiv 8");
  EXPECT_EQ(text(floor(add(X, 6), 8)), "(x + 6) floordiv 8");
  EXPECT_EQ(text(add(Y, floor(scale(X, -1), 8))), "y - x ceildiv 8");
  EXPECT_EQ(text(scale(floor(scale(X, -1), 8), -1)), "x ceildiv 8");
  EXPECT_EQ(text(scale(floor(sub(num(7), X), 8), -1)), "x floordiv 8");
  EXPECT_EQ(text(scale(floor(scale(X, -1), N), -1)), "x ceildiv n");
}

TEST_F(IndexRaisingTest, Extrema) {
  EXPECT_EQ(text(min(X, Y)), "min(x, y)");
  EXPECT_EQ(text(max(Y, X)), "max(x, y)");
  EXPECT_EQ(text(scale(max(X, Y), -1)), "-max(x, y)");
  EXPECT_EQ(text(add(Z, min(X, num(5)), 4)), "z + min(x, 5) * 4");
  EXPECT_EQ(text(min(max(X, num(0)), num(99))), "min(max(x, 0), 99)");
  EXPECT_EQ(text(min(min(X, Y), Z)), "min(x, y, z)");
  EXPECT_EQ(text(min(max(min(max(min(X, Y), Z), N), M), num(9))),
            "min(max(min(max(min(x, y), z), n), m), 9)");
  EXPECT_EQ(text(min(min(sub(N, X), sub(Y, X)), Z)), "min(min(y, n) - x, z)");
  EXPECT_EQ(text(max(max(Z, add(N, X)), add(X, Y))), "max(x + max(y, n), z)");
  EXPECT_EQ(text(Basis.min(scale(X, 4), scale(Y, 4))), "min(x, y) * 4");
  EXPECT_EQ(text(Basis.max(N, scale(N, -1))), "max(n, -n)");
  EXPECT_EQ(text(mul(M, min(X, Y))), "m * min(x, y)");
  EXPECT_EQ(text(min(add(X, 1), mod(Y, 4))), "min(x + 1, y mod 4)");
  EXPECT_EQ(text(Context.rawAtom(IndexAtom::Kind::NegativePart, X)),
            "min(x, 0)");
  EXPECT_EQ(text(scale(Context.rawAtom(IndexAtom::Kind::NegativePart, X), -1)),
            "-min(x, 0)");
  EXPECT_EQ(text(add(Y, Context.rawAtom(IndexAtom::Kind::NegativePart,
                                        scale(X, -1)))),
            "y - max(x, 0)");
}

TEST_F(IndexRaisingTest, NestedQuotients) {
  EXPECT_EQ(text(floor(floor(X, 4), 8)), "x floordiv 32");
  EXPECT_EQ(text(floor(add(Y, floor(X, 4)), 8)), "(x + y * 4) floordiv 32");
  EXPECT_EQ(text(Basis.ceilDiv(Basis.ceilDiv(X, 2), 4)), "x ceildiv 8");
  EXPECT_EQ(text(floor(floor(X, N), 8)), "x floordiv (n * 8)");
  EXPECT_EQ(text(trunc(trunc(X, 4), 8)), "truncdiv(x, 32)");
  // Not for a divisor that may be negative.
  EXPECT_EQ(text(floor(floor(X, 8), N)), "(x floordiv 8) floordiv n");
}

TEST_F(IndexRaisingTest, Polynomials) {
  EXPECT_EQ(text(mul(X, X)), "x * x");
  EXPECT_EQ(text(add(mul(mul(X, Y), Z), mul(mul(X, Y), N))), "x * y * (z + n)");
  EXPECT_EQ(text(add(mul(add(mul(X, Y), Z), N), M)), "n * (x * y + z) + m");
  EXPECT_EQ(text(mul(add(X, Y), add(Z, 5))), "(x + y) * (z + 5)");
  EXPECT_EQ(text(mul(add(X, 1), add(X, 1))), "x * (x + 2) + 1");
  EXPECT_EQ(text(scale(add(add(X, Y), Z), 75)), "(x + y + z) * 75");
  EXPECT_EQ(text(add(scale(sub(X, Y), 6), Z)), "(x - y) * 6 + z");
  // One division instead of two.
  EXPECT_EQ(text(mul(add(X, Y), floor(Z, 3))), "(z floordiv 3) * (x + y)");
  EXPECT_EQ(text(scale(mul(X, mul(Y, N)), -2)), "x * y * n * -2");
}

TEST_F(IndexRaisingTest, Comparisons) {
  EXPECT_EQ(condition(ge(X, num(5))), "x >= 5");
  EXPECT_EQ(condition(ge(num(83), X)), "x < 84");
  EXPECT_EQ(condition(ge(X, Y)), "x >= y");
  EXPECT_EQ(condition(ge(sub(Y, X), num(1))), "x < y");
  EXPECT_EQ(condition(ge(add(X, Y), num(5))), "x + y >= 5");
  EXPECT_EQ(condition(ge(add(X, 4), Y)), "x + 4 >= y");
  EXPECT_EQ(condition(ge(X, add(Y, 4))), "x >= y + 4");
  EXPECT_EQ(condition(ge(scale(X, 4), num(7))), "x >= 2");
  EXPECT_EQ(condition(ge(mod(X, 4), num(2))), "x mod 4 >= 2");
  EXPECT_EQ(condition(eq(X, Y)), "x == y");
  EXPECT_EQ(condition(eq(X, add(Y, 3))), "x == y + 3");
  EXPECT_EQ(condition(eq(add(X, 3), Y)), "y == x + 3");
  EXPECT_EQ(condition(eq(num(5), X)), "x == 5");
  EXPECT_EQ(condition(eq(scale(X, 4), num(7))), "0");
  EXPECT_EQ(condition(no(ge(X, Y))), "x < y");
  EXPECT_EQ(condition(no(eq(X, Y))), "x != y");
  EXPECT_EQ(condition(ge(num(3), num(2))), "1");
}

TEST_F(IndexRaisingTest, Logic) {
  IndexExpr A = ge(X, num(5)), B = eq(Y, Z), C = ge(num(9), X);
  EXPECT_EQ(condition(num(1)), "1");
  EXPECT_EQ(condition(num(0)), "0");
  EXPECT_EQ(condition(both(A, B)), "x >= 5 && y == z");
  EXPECT_EQ(condition(either(A, B)), "x >= 5 || y == z");
  EXPECT_EQ(condition(both(both(A, B), C)), "x < 10 && x >= 5 && y == z");
  EXPECT_EQ(condition(both(A, no(B))), "x >= 5 && y != z");
  EXPECT_EQ(condition(no(both(A, B))), "x < 5 || y != z");
  EXPECT_EQ(condition(either(both(A, B), C)), "x < 10 || x >= 5 && y == z");
  // One of the two, and not.
  EXPECT_EQ(condition(add(add(A, B), mul(A, B), -2)),
            "x >= 5 && y != z || x < 5 && y == z");
  EXPECT_EQ(condition(mod(X, 2)), "x mod 2 != 0");
  EXPECT_EQ(condition(mul(A, mod(X, 2))), "x >= 5 && x mod 2 != 0");
}

TEST_F(IndexRaisingTest, Selects) {
  IndexExpr A = ge(X, Y), B = eq(Y, Z);
  EXPECT_EQ(text(A), "select(x >= y, 1, 0)");
  EXPECT_EQ(text(no(A)), "select(x < y, 1, 0)");
  EXPECT_EQ(text(select(A, X, Z)), "select(x >= y, x, z)");
  EXPECT_EQ(text(add(select(A, X, Z), N)), "n + select(x >= y, x, z)");
  EXPECT_EQ(text(add(select(A, num(5), num(3)), X)),
            "x + select(x >= y, 5, 3)");
  EXPECT_EQ(text(select(A, num(0), Z)), "select(x < y, z, 0)");
  EXPECT_EQ(text(select(both(A, B), X, N)), "select(x >= y && y == z, x, n)");
  EXPECT_EQ(text(select(A, select(B, X, N), M)),
            "select(x >= y, select(y == z, x, n), m)");
  EXPECT_EQ(text(either(A, B)), "select(x >= y || y == z, 1, 0)");
  // Known inside of the arms, below a division, too.
  EXPECT_EQ(text(mul(A, floor(add(X, A), 3))),
            "select(x >= y, (x + 1) floordiv 3, 0)");
  EXPECT_EQ(text(floor(add(X, A), 3)), "(x + select(x >= y, 1, 0)) floordiv 3");
  // x >= 9 implies x >= 3.
  IndexExpr Outer = ge(X, num(3)), Inner = ge(X, num(9));
  EXPECT_EQ(text(select(Outer, select(Inner, Y, Z), N)),
            "select(x >= 9, y, select(x >= 3, z, n))");
  IndexExpr Chain = X;
  int64_t Bound = 0;
  for (IndexExpr V : {Y, Z, N, M, num(7)})
    Chain = select(ge(X, num(++Bound)), V, Chain);
  EXPECT_EQ(text(Chain), "select(x >= 5, 7, select(x >= 1, select(x >= 2, "
                         "select(x >= 3, select(x >= 4, m, n), z), y), x))");
  // However many there are.
  IndexExpr Inside = num(1);
  for (IndexExpr V : {X, Y, Z, N, M})
    Inside = both(Inside, ge(V, num(0)));
  EXPECT_EQ(text(select(Inside, X, Y)),
            "select(" + condition(Inside) + ", x, y)");
  // x = 17 makes both the same.
  EXPECT_EQ(text(select(eq(X, num(17)), max(X, num(1)), X)), "x");
  EXPECT_EQ(text(select(eq(X, num(17)), mul(X, Y), Z)),
            "select(x == 17, y * 17, z)");
  // Independent ones stay apart.
  EXPECT_EQ(text(add(select(A, X, num(0)), select(B, N, num(0)))),
            "select(x >= y, x, 0) + select(y == z, n, 0)");
}

TEST_F(IndexRaisingTest, EuclideanDivision) {
  EXPECT_EQ(text(Basis.euclidMod(X, N)), "floormod(x, max(n, -n))");
  IndexExpr Quotient = floor(X, Basis.max(N, scale(N, -1)));
  EXPECT_EQ(text(Quotient), "x floordiv max(n, -n)");
  EXPECT_EQ(text(Basis.euclidDiv(X, N)),
            "(x floordiv max(n, -n)) * select(n >= 0, 1, -1)");
}

TEST_F(IndexRaisingTest, Together) {
  // The transposed copy of a tile.
  IndexExpr E = add(add(mod(X, 32), floor(X, 32), 33), Y, 1056);
  EXPECT_EQ(text(E), "x + y * 1056 + x floordiv 32");
  // A number with its digits in another order: each quotient once.
  IndexExpr Ones = Basis.floorMod(Y, 4), High = Basis.floorDiv(Y, 32);
  IndexExpr Tens = Basis.floorMod(Basis.floorDiv(Y, 4), 8);
  EXPECT_EQ(text(add(add(scale(Ones, 100), Tens, 10), High)),
            "y * 100 - (y floordiv 4) * 390 - (y floordiv 32) * 79");
  EXPECT_EQ(text(add(scale(Ones, 8), Tens)),
            "(y - y floordiv 32) * 8 - (y floordiv 4) * 31");
  EXPECT_EQ(text(min(add(mul(N, Y), mod(X, N)), sub(mul(N, M), num(1)))),
            "min(y * n + floormod(x, n), n * m - 1)");
  EXPECT_EQ(text(sub(num(7), mod(X, 8))), "7 - x mod 8");
}

TEST_F(IndexRaisingTest, DoesNotDependOnWhatWasRaisedBefore) {
  IndexExpr E = add(add(mod(X, 4), min(Y, Z), 3), mul(M, mod(X, N)));
  std::string First = text(E);
  for (IndexExpr Other : {min(X, Z), mod(E, 7), mul(E, M), E})
    text(Other);
  EXPECT_EQ(text(E), First);
}

//===----------------------------------------------------------------------===//
// Random forms
//===----------------------------------------------------------------------===//

class RandomRaisingTest : public IndexRaisingTest {
protected:
  int64_t pick(int64_t Lo, int64_t Hi) {
    return std::uniform_int_distribution<int64_t>(Lo, Hi)(Engine);
  }

  IndexExpr leaf() {
    IndexExpr Variables[] = {X, Y, Z, N, M};
    return pick(0, 5) == 0 ? num(pick(-9, 9)) : Variables[pick(0, 4)];
  }

  IndexExpr form(unsigned Depth) {
    if (Depth == 0)
      return leaf();
    IndexExpr A = form(Depth - 1), B = form(Depth - 1);
    if (!A || !B)
      return leaf();
    int64_t D = int64_t(1) << pick(1, 4);
    switch (pick(0, 17)) {
    case 0:
      return floor(A, D);
    case 1:
      return mod(A, D);
    case 2:
      return add(floor(A, 4), floor(A, 4 * D), -D);
    case 3:
      return trunc(A, pick(2, 9));
    case 4:
      return add(A, trunc(A, D), -D);
    case 5:
      return min(A, B);
    case 6:
      return max(A, B);
    case 7:
      return mul(A, B);
    case 8:
      return add(B, B.isConstant() ? A : floor(A, B), pick(-2, 2));
    case 9:
      return B.isConstant() ? add(A, B, 4) : mod(A, B);
    case 10:
      return B.isConstant() ? sub(B, A) : tmod(A, B);
    case 11:
      return select(ge(A, B), A, form(Depth - 1));
    case 12:
      return select(eq(leaf(), B), A, leaf());
    case 13:
      return mul(ge(leaf(), leaf()), A);
    case 14:
      return add(A, floor(add(A, B), D), pick(-1, 1) * D);
    case 15:
      return sub(num(pick(-9, 9)), A);
    default:
      return add(A, B, pick(-4, 4));
    }
  }

  IndexExpr logical(unsigned Depth) {
    if (Depth == 0)
      return pick(0, 1) ? ge(form(1), leaf()) : eq(leaf(), leaf());
    IndexExpr A = logical(Depth - 1), B = logical(Depth - 1);
    if (!A || !B)
      return logical(0);
    switch (pick(0, 3)) {
    case 0:
      return no(A);
    case 1:
      return both(A, B);
    case 2:
      return either(A, B);
    default:
      return select(A, B, logical(0));
    }
  }

  /// Compares form and tree at random points. With \p AsCondition, only
  /// whether they are zero.
  void compare(IndexExpr E, const SyntaxTree &Tree, bool AsCondition) {
    std::string Text = toString(Tree, SyntaxDialect::IndexingMap);
    auto Parsed = parseSyntax(Text, "raised");
    ASSERT_TRUE(bool(Parsed)) << llvm::toString(Parsed.takeError());
    EXPECT_EQ(costOf(*Parsed), costOf(Tree)) << Text;
    for (unsigned Point = 0; Point < 40; ++Point) {
      std::map<std::string, int64_t> Values;
      for (const char *Name : {"x", "y", "z", "n", "m"})
        Values[Name] = Point % 2 ? pick(-40, 40) : pick(-4, 4);
      std::optional<int64_t> Of = evaluate(
          E, [&](const IndexAtom *A) { return Values[A->name().str()]; });
      auto ValueOf = [&](StringRef Name) { return Values[Name.str()]; };
      if (!Of)
        continue;
      ++Compared;
      for (const SyntaxTree &T : {Tree, *Parsed}) {
        std::optional<int64_t> OfTree = evaluate(T, ValueOf);
        ASSERT_TRUE(OfTree) << Text << "\nof " << naiveText(E);
        if (AsCondition)
          ASSERT_EQ(*OfTree != 0, *Of != 0) << Text << "\nof " << naiveText(E);
        else
          ASSERT_EQ(*OfTree, *Of) << Text << "\nof " << naiveText(E);
      }
    }
  }

  static std::string naiveText(IndexExpr E) {
    return toString(naive(E), SyntaxDialect::IndexingMap);
  }

  std::mt19937_64 Engine{7};
  unsigned Compared = 0;
};

TEST_F(RandomRaisingTest, TreesHaveTheValueOfForms) {
  for (unsigned I = 0; I < 3000 / Share && !HasFatalFailure(); ++I) {
    IndexExpr E = form(1 + I % 4);
    if (!E)
      continue;
    SyntaxTree Tree = raise(Context, E, nameOf);
    compare(E, Tree, /*AsCondition=*/false);
    EXPECT_FALSE(costOf(naive(E)) < costOf(Tree))
        << toString(Tree, SyntaxDialect::IndexingMap) << "\nof "
        << naiveText(E);
  }
  EXPECT_GT(Compared, 60000 / Share);
}

TEST_F(RandomRaisingTest, ConditionsAreTrueWhereFormsAreNotZero) {
  for (unsigned I = 0; I < 1000 && !HasFatalFailure(); ++I) {
    IndexExpr E = logical(I % 4);
    if (E)
      compare(E, raiseCondition(Context, E, nameOf), /*AsCondition=*/true);
  }
  EXPECT_GT(Compared, 20000u);
}

} // namespace
