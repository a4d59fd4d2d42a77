//===- MapElimination.cpp - Gaussian elimination for maps -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row is `[left side over the atoms | combination of the given equations]`.
// The second half remembers which sum of equations the row is, so that right
// sides are built only at the end, and only for rows that are wanted.
//
// Reduced row echelon form finds every atom that is determined: if a multiple
// c*e_t of a unit vector is a sum of rows, its coefficients are its entries in
// the pivot columns. t itself must then be a pivot column (or all of them would
// be zero), and t's row alone has that entry.
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/MapElimination.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// A map of a kernel has a handful of results; elimination is cubic.
static constexpr size_t MaxRows = 48;
static constexpr size_t MaxColumns = 96;

namespace {
class Matrix {
public:
  explicit Matrix(ArrayRef<MapEquation> Equations);

  size_t columns() const { return Atoms.size(); }
  void reduce();
  SmallVector<MapEquation, 8> rows(IndexContext &Context) const;

private:
  using Row = SmallVector<int64_t, 16>;
  void collectAtoms();
  std::optional<size_t> pivotFor(size_t Column) const;
  static void eliminateFrom(Row &R, const Row &Pivot, size_t Column);
  MapEquation equationOf(IndexContext &Context, const Row &R) const;

  ArrayRef<MapEquation> Equations;
  SmallVector<const IndexAtom *, 16> Atoms;
  SmallVector<Row, 8> Rows;
  SmallVector<bool, 8> IsPivot;
};
} // namespace

void Matrix::collectAtoms() {
  DenseMap<const IndexAtom *, size_t> Seen;
  for (const MapEquation &E : Equations)
    for (const IndexTerm &T : E.Left.terms())
      if (Seen.try_emplace(T.Atom, Atoms.size()).second)
        Atoms.push_back(T.Atom);
  llvm::sort(Atoms, [](const IndexAtom *A, const IndexAtom *B) {
    return A->depth() != B->depth() ? A->depth() > B->depth()
                                    : A->id() < B->id();
  });
}

Matrix::Matrix(ArrayRef<MapEquation> Equations) : Equations(Equations) {
  collectAtoms();
  for (size_t I = 0; I < Equations.size(); ++I) {
    Row R(Atoms.size() + Equations.size(), 0);
    for (size_t J = 0; J < Atoms.size(); ++J)
      R[J] = Equations[I].Left.coefficientOf(Atoms[J]);
    R[Atoms.size() + I] = 1;
    Rows.push_back(std::move(R));
  }
  IsPivot.assign(Rows.size(), false);
}

/// The unused row with the smallest entry in \p Column.
std::optional<size_t> Matrix::pivotFor(size_t Column) const {
  std::optional<size_t> Best;
  for (size_t I = 0; I < Rows.size(); ++I)
    if (!IsPivot[I] && Rows[I][Column] != 0 &&
        (!Best || std::abs(Rows[I][Column]) < std::abs(Rows[*Best][Column])))
      Best = I;
  return Best;
}

/// R := (p*R - r*Pivot) / content, where p and r are the entries in Column over
/// their gcd. A row that overflows becomes zero.
void Matrix::eliminateFrom(Row &R, const Row &Pivot, size_t Column) {
  int64_t G = std::gcd(Pivot[Column], R[Column]);
  int64_t P = Pivot[Column] / G, C = R[Column] / G, Content = 0;
  for (size_t I = 0; I < R.size(); ++I) {
    int64_t Mine, Theirs;
    if (MulOverflow(R[I], P, Mine) || MulOverflow(Pivot[I], C, Theirs) ||
        SubOverflow(Mine, Theirs, R[I]) ||
        R[I] == std::numeric_limits<int64_t>::min()) {
      R.assign(R.size(), 0);
      return;
    }
    Content = std::gcd(Content, R[I]);
  }
  if (Content > 1)
    for (int64_t &Entry : R)
      Entry /= Content;
}

void Matrix::reduce() {
  for (size_t Column = 0; Column < Atoms.size(); ++Column) {
    std::optional<size_t> Pivot = pivotFor(Column);
    if (!Pivot)
      continue;
    IsPivot[*Pivot] = true;
    for (size_t I = 0; I < Rows.size(); ++I)
      if (I != *Pivot && Rows[I][Column] != 0)
        eliminateFrom(Rows[I], Rows[*Pivot], Column);
  }
}

/// Null if a right side overflows.
MapEquation Matrix::equationOf(IndexContext &Context, const Row &R) const {
  SmallVector<IndexTerm, 8> Terms;
  for (size_t J = 0; J < Atoms.size(); ++J)
    if (R[J] != 0)
      Terms.push_back({Atoms[J], R[J]});
  IndexExpr Left = Context.linear(Terms, 0), Right = Context.constant(0);
  for (size_t I = 0; I < Equations.size(); ++I) {
    int64_t Times = R[Atoms.size() + I];
    if (Times == 0)
      continue;
    Left = Context.add(Left, Context.constant(Equations[I].Left.constant()),
                       Times);
    Right = Context.add(Right, Equations[I].Right, Times);
  }
  return {Left, Right};
}

SmallVector<MapEquation, 8> Matrix::rows(IndexContext &Context) const {
  SmallVector<MapEquation, 8> Reduced;
  for (size_t I = 0; I < Rows.size(); ++I) {
    ArrayRef<int64_t> Combination = ArrayRef(Rows[I]).drop_front(Atoms.size());
    if (!IsPivot[I] ||
        count_if(Combination, [](int64_t C) { return C != 0; }) < 2)
      continue;
    MapEquation E = equationOf(Context, Rows[I]);
    if (E.Left && E.Right)
      Reduced.push_back(E);
  }
  return Reduced;
}

SmallVector<MapEquation, 8> eliminate(IndexContext &Context,
                                      ArrayRef<MapEquation> Equations) {
  Matrix M(Equations.take_front(MaxRows));
  if (M.columns() > MaxColumns)
    return {};
  M.reduce();
  return M.rows(Context);
}

} // namespace unravel
