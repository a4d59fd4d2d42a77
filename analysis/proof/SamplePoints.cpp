//===- SamplePoints.cpp - Solutions that refute what is false -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/proof/SamplePoints.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

static constexpr unsigned MaxPoints = 160;
/// Where fewer are left, others are tried: so many for each hypothesis.
static constexpr unsigned FewPoints = 16, MaxRepairs = 48;
/// Numbers of points stay below 2^MaxBits: products of two have room.
static constexpr unsigned MaxBits = 120;

SamplePoints::SamplePoints() {
  for (unsigned I = 0; I < MaxPoints; ++I)
    Points.push_back({{}, I, (I + 1) * UINT64_C(0x9E3779B97F4A7C15)});
}

uint64_t SamplePoints::Point::random() {
  Seed ^= Seed << 13;
  Seed ^= Seed >> 7;
  Seed ^= Seed << 17;
  return Seed * UINT64_C(0x2545F4914F6CDD1D) >> 8;
}

bool SamplePoints::convertAll(const Polynomial &P, Terms &To) {
  for (const auto &[M, C] : P.terms()) {
    Number Factor;
    if (!convert(C, Factor))
      return false;
    To.emplace_back(M, Factor);
  }
  return true;
}

/// False where the value, or a part of it, is too large.
bool SamplePoints::evaluate(const Terms &P, const Point &At, Number &Value) {
  Value = 0;
  for (const auto &[M, Factor] : P) {
    Number Term = Factor;
    for (unsigned V : M)
      if (__builtin_mul_overflow(Term, At.Values[V], &Term))
        return false;
    if (__builtin_add_overflow(Value, Term, &Value))
      return false;
  }
  return true;
}

/// Sizes, indices and addresses of one kernel go together if they are of one
/// magnitude; wraps need large ones, and limits the ends of ranges.
SamplePoints::Number SamplePoints::choose(Point &At, Number Low, Number High) {
  Number Width = High - Low;
  if (Width <= 0)
    return Low;
  uint64_t Random = At.random();
  static constexpr unsigned Bits[] = {1, 2, 3,  4,  2,  3,  4,  5,
                                      6, 8, 10, 15, 17, 20, 31, 63};
  unsigned Style = At.Style % 20;
  unsigned Most = Style < 16 ? Bits[Style] : Bits[Random % 16];
  if (Style >= 18 && Random / 16 % 3 == 0)
    return Random / 64 % 2 ? High - Number(Random / 128 % 3) % (Width + 1)
                           : Low + Number(Random / 128 % 3) % (Width + 1);
  Number Offset = At.random() & ((UINT64_C(1) << Most) - 1);
  // Around 0, more often above it.
  if (Low < 0 && High >= 0) {
    bool IsNegative = Random / 512 % 5 == 0;
    return IsNegative ? -(Offset % (-Low + 1)) : Offset % (High + 1);
  }
  return High < 0 ? High - Offset % (Width + 1) : Low + Offset % (Width + 1);
}

/// Extends a point by a variable, or says whether a hypothesis holds there.
bool SamplePoints::follow(const Step &S, Point &At) {
  Number Left, Right;
  if (!S.IsVariable)
    return evaluate(S.A, At, Left) && Left >= 0;
  if (S.K == Any) {
    At.Values.push_back(choose(At, S.Low, S.High));
    return true;
  }
  if (!evaluate(S.A, At, Left) || !evaluate(S.B, At, Right))
    return false;
  if (S.K == Greater) {
    At.Values.push_back(std::max(Left, Right));
    return true;
  }
  if (Right <= 0)
    return false;
  Number Quotient = Left / Right - (Left % Right < 0);
  At.Values.push_back(Quotient);
  return Quotient >> MaxBits == 0 || Quotient >> MaxBits == -1;
}

void SamplePoints::add(Step S) {
  std::vector<Point> Lost;
  erase_if(Points, [&](Point &At) {
    if (follow(S, At))
      return false;
    if (Lost.size() < MaxRepairs)
      Lost.push_back(At);
    return true;
  });
  Steps.push_back(std::move(S));
  if (Points.size() < FewPoints && !Lost.empty())
    repair(Lost);
}

/// Moves lost points until all holds: variables of the hypothesis that they
/// break get other values, and everything behind them follows.
void SamplePoints::repair(const std::vector<Point> &Lost) {
  SmallVector<unsigned, 8> Involved;
  for (const auto &[M, Factor] : Steps.back().A)
    Involved.append(M.begin(), M.end());
  for (unsigned Try = 0; Try < MaxRepairs && Points.size() < FewPoints; ++Try) {
    const Point &From = Lost[Try % Lost.size()];
    Point At{{}, From.Style + Try / unsigned(Lost.size()), From.Seed + Try};
    At.random();
    unsigned Changed =
        Involved.empty() ? ~0u : Involved[At.random() % Involved.size()];
    bool Holds = true;
    for (const Step &S : Steps) {
      size_t V = At.Values.size();
      // What was chosen stays, but for one variable and some by chance.
      if (S.IsVariable && S.K == Any && V < From.Values.size() &&
          V != Changed && At.random() % 4 != 0)
        At.Values.push_back(From.Values[V]);
      else
        Holds = Holds && follow(S, At);
      if (!Holds)
        break;
    }
    if (Holds)
      Points.push_back(std::move(At));
  }
}

/// \p From, or a number of that sign where it is too large: no point is there.
static MachineNumber clamped(const DynamicAPInt &From) {
  MachineNumber To;
  if (convert(From, To))
    return To;
  MachineNumber Most = MachineNumber(1) << (MaxBits - 1);
  return From > 0 ? Most : -Most;
}

void SamplePoints::addVariable(Kind K, const Polynomial &A, const Polynomial &B,
                               const DynamicAPInt &Low,
                               const DynamicAPInt &High) {
  Step S{/*IsVariable=*/true, K, {}, {}, clamped(Low),
         clamped(High)};
  if (!convertAll(A, S.A) || !convertAll(B, S.B) || Low > High)
    IsLost = true;
  if (IsLost)
    Points.clear();
  else
    add(std::move(S));
}

void SamplePoints::restrict(const Polynomial &P) {
  // All points are within bounds that are too large for the numbers here.
  if (MachineNumber Constant;
      P.constant() > 0 && !convert(P.constant(), Constant))
    return;
  Step S{/*IsVariable=*/false, Any, {}, {}, 0, 0};
  IsLost |= !convertAll(P, S.A);
  if (IsLost)
    Points.clear();
  else
    add(std::move(S));
}

bool SamplePoints::satisfy(ArrayRef<Polynomial> All) const {
  std::vector<Terms> Parts(All.size());
  for (auto [P, Part] : zip(All, Parts))
    if (!convertAll(P, Part))
      return false;
  return any_of(Points, [&](const Point &At) {
    return all_of(Parts, [&](const Terms &Part) {
      Number Value;
      return evaluate(Part, At, Value) && Value >= 0;
    });
  });
}

std::optional<DynamicAPInt> SamplePoints::onlyValueOf(unsigned Variable) const {
  if (Points.empty())
    return std::nullopt;
  Number First = Points[0].Values[Variable];
  if (any_of(Points,
             [&](const Point &At) { return At.Values[Variable] != First; }) ||
      First >> 60 > 0 || First >> 60 < -1)
    return std::nullopt;
  return DynamicAPInt(int64_t(First));
}

} // namespace unravel
