//===- Layout.cpp - Layouts of sizes and strides --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/Layout.h"
#include "analysis/algebra/FloorBasis.h"
#include "analysis/maps/IndexingMapText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel {

using ModeList = SmallVector<LayoutMode, 4>;

//===----------------------------------------------------------------------===//
// Values and text
//===----------------------------------------------------------------------===//

Expected<Layout> Layout::of(ArrayRef<LayoutMode> Modes) {
  Layout Result;
  Result.Modes.append(Modes.begin(), Modes.end());
  int64_t Last = 0;
  for (const LayoutMode &M : Modes) {
    int64_t Extent;
    if (M.Size < 1)
      return createStringError("a size of " + Twine(M.Size) +
                               "; sizes are at least 1");
    if (M.Stride < 0)
      return createStringError("a stride of " + Twine(M.Stride) +
                               "; strides are at least 0");
    if (MulOverflow(Result.Size, M.Size, Result.Size) ||
        MulOverflow(M.Size, M.Stride, Extent) ||
        AddOverflow(Last, Extent - M.Stride, Last))
      return createStringError("the layout leaves 64 bits");
  }
  if (AddOverflow(Last, int64_t(1), Result.Cosize))
    return createStringError("the layout leaves 64 bits");
  return Result;
}

/// Numbers between commas and parentheses.
static Expected<SmallVector<int64_t, 4>> parseNumbers(StringRef Text) {
  SmallVector<int64_t, 4> Numbers;
  int Open = 0;
  bool WantsNumber = true;
  for (StringRef Rest = Text.ltrim(); !Rest.empty(); Rest = Rest.ltrim()) {
    bool Fits;
    int64_t Number = 0;
    if (WantsNumber && Rest.consume_front("(")) {
      ++Open;
      continue;
    }
    if (WantsNumber) {
      Fits = !Rest.consumeInteger(10, Number);
      Numbers.push_back(Number);
      WantsNumber = false;
    } else if (Rest.consume_front(",")) {
      Fits = WantsNumber = true;
    } else {
      Fits = Rest.consume_front(")") && Open-- > 0;
    }
    if (!Fits || (Open == 0 && !Rest.ltrim().empty()))
      return createStringError("'" + Text + "' is no list of numbers");
  }
  if (Open != 0 || WantsNumber)
    return createStringError("'" + Text + "' is no list of numbers");
  return Numbers;
}

Expected<Layout> Layout::parse(StringRef Text) {
  auto [Left, Right] = Text.split(':');
  if (Left.size() == Text.size())
    return createStringError("'" + Text +
                             "' is no layout; write for example (4,8):(1,32)");
  auto Sizes = parseNumbers(Left);
  if (!Sizes)
    return Sizes.takeError();
  auto Strides = parseNumbers(Right);
  if (!Strides)
    return Strides.takeError();
  if (Sizes->size() != Strides->size())
    return createStringError("'" + Text + "' has " + Twine(Sizes->size()) +
                             " sizes and " + Twine(Strides->size()) +
                             " strides");
  ModeList Result;
  for (auto [Size, Stride] : zip_equal(*Sizes, *Strides))
    Result.push_back({Size, Stride});
  return of(Result);
}

std::string Layout::str() const {
  auto List = [&](int64_t LayoutMode::*Member) {
    std::string Text = join(map_range(Modes,
                                      [&](const LayoutMode &M) {
                                        return std::to_string(M.*Member);
                                      }),
                            ",");
    return Modes.size() == 1 ? Text : "(" + Text + ")";
  };
  return Modes.empty()
             ? "1:0"
             : List(&LayoutMode::Size) + ":" + List(&LayoutMode::Stride);
}

int64_t Layout::operator()(int64_t I) const {
  int64_t Offset = 0;
  for (const LayoutMode &M : Modes) {
    Offset += I % M.Size * M.Stride;
    I /= M.Size;
  }
  return Offset;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Layout coalesce(const Layout &A) {
  ModeList Result;
  for (const LayoutMode &M : A.modes()) {
    if (M.Size == 1)
      continue;
    // The next mode goes on where the last one ends.
    if (!Result.empty() &&
        Result.back().Stride * Result.back().Size == M.Stride)
      Result.back().Size *= M.Size;
    else
      Result.push_back(M);
  }
  return cantFail(Layout::of(Result));
}

/// A mode of stride s > 0 and the next one have to nest: s * size divides the
/// next stride. Then their sums have one digit for each mode, without carries.
static Expected<ModeList> nestedModes(const Layout &A) {
  ModeList Sorted;
  for (const LayoutMode &M : A.modes())
    if (M.Size > 1 && M.Stride > 0)
      Sorted.push_back(M);
  llvm::sort(Sorted, [](const LayoutMode &L, const LayoutMode &R) {
    return L.Stride < R.Stride;
  });
  for (size_t I = 1; I < Sorted.size(); ++I)
    if (int64_t End = Sorted[I - 1].Stride * Sorted[I - 1].Size;
        Sorted[I].Stride % End != 0)
      return createStringError("the modes of " + A.str() +
                               " do not nest: " + Twine(Sorted[I].Stride) +
                               " is no multiple of " + Twine(End));
  return Sorted;
}

/// The digits of A that the mode \p M runs over. \p Digits are coalesced.
///
/// Say M.Stride is a multiple of the product P of the sizes in front of a digit
/// of size a, or P of it: then c * M.Stride has in this digit the number c
/// counts through, and the checks below say where it ends.
static Error composeMode(ArrayRef<LayoutMode> Digits, const LayoutMode &M,
                         ModeList &Result) {
  int64_t Rest = M.Size, Stride = M.Stride;
  for (const LayoutMode &Digit : Digits.drop_back()) {
    if (Rest == 1)
      break;
    if (Stride >= Digit.Size) {
      if (Stride % Digit.Size != 0)
        return createStringError("the stride " + Twine(M.Stride) +
                                 " ends inside of a mode of size " +
                                 Twine(Digit.Size));
      Stride /= Digit.Size;
      continue;
    }
    if (Digit.Size % Stride != 0)
      return createStringError("the stride " + Twine(M.Stride) +
                               " does not divide a mode of size " +
                               Twine(Digit.Size));
    int64_t Taken = std::min(Rest, Digit.Size / Stride);
    if (Rest % Taken != 0)
      return createStringError("the size " + Twine(M.Size) +
                               " ends inside of a mode of size " +
                               Twine(Digit.Size));
    Result.push_back({Taken, Stride * Digit.Stride});
    Rest /= Taken;
    Stride = 1;
  }
  if (Rest > 1)
    Result.push_back({Rest, Stride * Digits.back().Stride});
  return Error::success();
}

Expected<Layout> compose(const Layout &A, const Layout &B) {
  if (B.cosize() > A.size())
    return createStringError(B.str() + " reaches " + Twine(B.cosize() - 1) +
                             ", beyond the " + Twine(A.size()) +
                             " elements of " + A.str());
  // A(x + y) = A(x) + A(y) only where x and y share no digit.
  if (auto Nested = nestedModes(B); !Nested)
    return Nested.takeError();
  Layout Digits = coalesce(A);
  ModeList Result;
  for (const LayoutMode &M : B.modes()) {
    if (M.Size == 1)
      continue;
    if (M.Stride == 0 || Digits.modes().empty()) {
      Result.push_back({M.Size, 0});
      continue;
    }
    if (Error E = composeMode(Digits.modes(), M, Result))
      return createStringError(A.str() + " after " + B.str() + ": " +
                               toString(std::move(E)));
  }
  return Layout::of(Result);
}

Expected<Layout> complement(const Layout &A, int64_t Cosize) {
  Expected<ModeList> Nested = nestedModes(A);
  if (!Nested)
    return Nested.takeError();
  ModeList Result;
  int64_t Covered = 1;
  for (const LayoutMode &M : *Nested) {
    if (M.Stride > Covered)
      Result.push_back({M.Stride / Covered, Covered});
    Covered = M.Stride * M.Size;
  }
  if (Cosize < Covered || Cosize % Covered != 0)
    return createStringError(Twine(Cosize) + " is no multiple of the " +
                             Twine(Covered) + " numbers that " + A.str() +
                             " and its gaps cover");
  if (Cosize > Covered)
    Result.push_back({Cosize / Covered, Covered});
  return Layout::of(Result);
}

Expected<LayoutPair> logicalDivide(const Layout &A, const Layout &Tile) {
  Expected<Layout> Rest = complement(Tile, A.size());
  if (!Rest)
    return Rest.takeError();
  Expected<Layout> Inner = compose(A, Tile);
  if (!Inner)
    return Inner.takeError();
  Expected<Layout> Outer = compose(A, *Rest);
  if (!Outer)
    return Outer.takeError();
  return LayoutPair{std::move(*Inner), std::move(*Outer)};
}

Expected<LayoutPair> logicalProduct(const Layout &A, const Layout &Places) {
  int64_t Cosize;
  // One copy takes as much as A and its gaps cover.
  Expected<ModeList> Nested = nestedModes(A);
  if (!Nested)
    return Nested.takeError();
  int64_t Covered =
      Nested->empty() ? 1 : Nested->back().Stride * Nested->back().Size;
  Expected<Layout> Gaps = complement(A, Covered);
  if (!Gaps)
    return Gaps.takeError();
  // The gaps hold some of the copies; the others lie behind.
  int64_t Copies =
      divideCeil(uint64_t(Places.cosize()), uint64_t(Gaps->size()));
  if (MulOverflow(Covered, Copies, Cosize))
    return createStringError("the layout leaves 64 bits");
  Expected<Layout> Rest = complement(A, Cosize);
  if (!Rest)
    return Rest.takeError();
  Expected<Layout> Outer = compose(*Rest, Places);
  if (!Outer)
    return Outer.takeError();
  return LayoutPair{A, std::move(*Outer)};
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

IndexingMap mapOf(IndexContext &Context, const Layout &A) {
  IndexingMap::Variables Vars;
  Vars.Dimensions.push_back({Interval(0, A.size() - 1), ""});
  IndexExpr I = IndexingMap::exprOf(Context, VariableKind::Dimension, 0);
  IndexDomain Domain(Context);
  Domain.declare(I.asAtom(), Vars.Dimensions[0].Bounds);
  FloorBasis Basis(Domain);
  IndexExpr Offset = Context.constant(0);
  int64_t Before = 1;
  for (const LayoutMode &M : A.modes()) {
    IndexExpr Digit = Basis.floorMod(Basis.floorDiv(I, Before), M.Size);
    Offset = Context.add(Offset, Digit, M.Stride);
    Before *= M.Size;
  }
  return IndexingMap(Context, std::move(Vars), {Offset}).simplified();
}

Expected<Layout> layoutOf(const IndexingMap &Written) {
  IndexingMap Map = Written.simplified();
  if (Map.isKnownEmpty() || Map.dimensions().size() != 1 ||
      !Map.ranges().empty() || !Map.runtimes().empty() ||
      Map.results().size() != 1)
    return createStringError("the map has not one dimension, one result and "
                             "nothing else");
  const Interval Bounds = Map.dimensions()[0].Bounds;
  if (Bounds.lo() != 0 || !Bounds.isBounded() || !Map.constraints().empty())
    return createStringError("the domain is not [0, n) for a number n");
  // sum of c[k] * (i floordiv P[k]): with sizes P[k + 1] / P[k], the strides
  // are s[0] = c[0], s[k + 1] = c[k + 1] + s[k] * (P[k + 1] / P[k]).
  IndexExpr I = IndexingMap::exprOf(Map.context(), VariableKind::Dimension, 0);
  SmallVector<std::pair<int64_t, int64_t>, 4> Parts;
  for (const IndexTerm &T : Map.result(0).terms()) {
    bool IsDigit = T.Atom->isConstantFloorDiv() && T.Atom->operand() == I;
    if (T.Atom != I.asAtom() && !IsDigit)
      return createStringError("'" + toString(Map, Map.result(0)) +
                               "' is no sum of digits");
    Parts.push_back({IsDigit ? T.Atom->constantDivisor() : 1, T.Coefficient});
  }
  if (Map.result(0).constant() != 0)
    return createStringError("the first offset is not 0");
  llvm::sort(Parts);
  if (Parts.empty() || Parts[0].first != 1)
    Parts.insert(Parts.begin(), {1, 0});
  ModeList Result;
  int64_t Stride = 0, Ratio = 1;
  for (size_t K = 0; K < Parts.size(); ++K) {
    int64_t Carried;
    if (MulOverflow(Stride, Ratio, Carried) ||
        AddOverflow(Carried, Parts[K].second, Stride))
      return createStringError("the layout leaves 64 bits");
    int64_t End = K + 1 < Parts.size() ? Parts[K + 1].first : Bounds.hi() + 1;
    if (End % Parts[K].first != 0)
      return createStringError(Twine(End) + " is no multiple of " +
                               Twine(Parts[K].first) +
                               ", so that a digit ends inside of another");
    Ratio = End / Parts[K].first;
    Result.push_back({Ratio, Stride});
  }
  Expected<Layout> Whole = Layout::of(Result);
  if (!Whole)
    return Whole.takeError();
  return coalesce(*Whole);
}

} // namespace unravel
