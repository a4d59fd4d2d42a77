//===- ReadableMap.cpp - Maps as strides and digits -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/maps/ReadableMap.h"
#include "analysis/maps/IndexingMapText.h"
#include "analysis/maps/MapStrides.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace unravel {

/// Parts that get a name because they repeat, at most.
static constexpr unsigned MaxSharedParts = 8;
/// A part with fewer operations is as short as a name.
static constexpr unsigned MinSharedOperations = 2;

namespace {
/// Digits of one dimension of an array: Stride * (their sum).
struct DigitGroup {
  int64_t Stride;
  SmallVector<StridedDigit, 4> Digits;
  int64_t Constant = 0;
};

class ReadableWriter {
public:
  explicit ReadableWriter(const IndexingMap &Map)
      : Map(Map), Context(Map.context()), Domain(Map.domain()), Bounds(Context),
        Strides(Bounds) {
    for (size_t I = 0; I < Map.numVariables(); ++I) {
      Names.insert(Map.nameOf(Map.atomAt(I)));
      Bounds.declare(Map.atomAt(I), Map.variableAt(I).Bounds);
    }
  }

  std::string write();

private:
  SyntaxTree resultOf(IndexExpr E);
  SyntaxTree sumOf(ArrayRef<StridedDigit> Digits, int64_t Constant) const;
  SmallVector<DigitGroup, 4> groupsOf(ArrayRef<StridedDigit> Digits,
                                      int64_t Constant) const;
  std::string newName(const Twine &Wanted);
  void nameSharedParts();

  const IndexingMap &Map;
  IndexContext &Context;
  IndexDomain Domain;
  IndexDomain Bounds; ///< of the variables, without the constraints
  StrideFinder Strides;
  StringSet<> Names;
  std::vector<SyntaxTree> Results;
  std::vector<std::pair<std::string, SyntaxTree>> Definitions;
};
} // namespace

std::string ReadableWriter::newName(const Twine &Wanted) {
  std::string Name = Wanted.str();
  for (unsigned I = 2; !Names.insert(Name).second; ++I)
    Name = (Wanted + Twine(I)).str();
  return Name;
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

SyntaxTree ReadableWriter::sumOf(ArrayRef<StridedDigit> Digits,
                                 int64_t Constant) const {
  SmallVector<SyntaxTree, 8> Terms;
  for (const StridedDigit &D : Digits) {
    SyntaxTree Digit = treeOf(Map, D.Digit);
    bool IsSubtracted =
        D.Stride < 0 && !Terms.empty() && D.Stride != Interval::MinusInfinity;
    int64_t Stride = IsSubtracted ? -D.Stride : D.Stride;
    if (Stride != 1)
      Digit = syntaxNode(SyntaxOp::Multiply, {Digit, syntaxNumber(Stride)});
    Terms.push_back(IsSubtracted ? syntaxNode(SyntaxOp::Negate, Digit) : Digit);
  }
  if (Constant != 0 || Terms.empty())
    Terms.push_back(syntaxNumber(Constant));
  return Terms.size() == 1 ? Terms[0] : syntaxNode(SyntaxOp::Add, Terms);
}

/// Cuts the digits where all digits behind a stride make less than it: columns
/// that stay in their row. Where they fill it by their bounds alone, one number
/// counts on, as in `bl * 128 + th`. Where they leave some of it out, as in
/// part of an array or with padding, or only a constraint keeps them in it, it
/// is the row of an array. A row that is cut off counts as full.
SmallVector<DigitGroup, 4>
ReadableWriter::groupsOf(ArrayRef<StridedDigit> Digits,
                         int64_t Constant) const {
  SmallVector<int64_t, 8> StrideUpTo; // gcds
  for (const StridedDigit &D : Digits)
    StrideUpTo.push_back(
        std::gcd(StrideUpTo.empty() ? 0 : StrideUpTo.back(), D.Stride));
  SmallVector<size_t, 4> Cuts; // in front of these digits, the last one first
  IndexExpr Behind = Context.constant(0), SinceCut = Behind;
  Interval Full = Interval::point(0);
  for (size_t I = Digits.size(); I-- > 1;) {
    int64_t Stride = StrideUpTo[I - 1];
    Behind = Context.add(Behind, Digits[I].Digit, Digits[I].Stride);
    SinceCut = Context.add(SinceCut, Digits[I].Digit, Digits[I].Stride);
    if (!Behind || !SinceCut)
      break;
    int64_t Offset = floorMod(Constant, Stride);
    if (!Domain.isWithin(Context.add(Behind, Offset), Interval(0, Stride - 1)))
      continue;
    if (Bounds.range(SinceCut) + Full == Interval(0, Stride - 1))
      continue;
    Cuts.push_back(I);
    Full = Interval(0, Stride - 1);
    SinceCut = Context.constant(0);
  }
  SmallVector<DigitGroup, 4> Groups;
  for (size_t Begin = 0; Begin < Digits.size();) {
    size_t End = Cuts.empty() ? Digits.size() : Cuts.pop_back_val();
    int64_t Stride = End == Digits.size() ? 1 : StrideUpTo[End - 1];
    DigitGroup &Group = Groups.emplace_back();
    Group.Stride = Stride;
    Group.Constant = floorDiv(Constant, Stride);
    Constant = floorMod(Constant, Stride);
    for (const StridedDigit &D : Digits.slice(Begin, End - Begin))
      Group.Digits.push_back({D.Stride / Stride, D.Digit});
    Begin = End;
  }
  return Groups;
}

/// Minima and selections are not sums of digits.
static bool isSumOfDigits(IndexExpr E) {
  return all_of(E.terms(), [](const IndexTerm &T) {
    return all_of(factorsOf(T.Atom), [](const IndexAtom *A) {
      return A->isVariable() || A->isFloorDiv() || A->isBitXor();
    });
  });
}

SyntaxTree ReadableWriter::resultOf(IndexExpr E) {
  if (!isSumOfDigits(E))
    return treeOf(Map, E);
  std::optional<StridedSum> Sum = Strides.stridesOf(E);
  if (!Sum)
    return treeOf(Map, E);
  SmallVector<DigitGroup, 4> Groups = groupsOf(Sum->Digits, Sum->Constant);
  auto IsLong = [](const DigitGroup &G) { return G.Digits.size() > 1; };
  if (Groups.size() == 1 || none_of(Groups, IsLong))
    return sumOf(Sum->Digits, Sum->Constant);
  SmallVector<SyntaxTree, 4> Terms;
  for (auto [I, Group] : enumerate(Groups)) {
    SyntaxTree Tree = sumOf(Group.Digits, Group.Constant);
    if (costOf(Tree).Operations != 0) {
      std::string Name = Groups.size() != 2 ? newName("dim" + Twine(I))
                         : I == 0           ? newName("row")
                                            : newName("column");
      Definitions.push_back({Name, Tree});
      Tree = syntaxName(Name);
    }
    if (Group.Stride != 1)
      Tree = syntaxNode(SyntaxOp::Multiply, {Tree, syntaxNumber(Group.Stride)});
    Terms.push_back(Tree);
  }
  return syntaxNode(SyntaxOp::Add, Terms);
}

//===----------------------------------------------------------------------===//
// Shared parts
//===----------------------------------------------------------------------===//

static void countParts(const SyntaxTree &Tree,
                       StringMap<std::pair<unsigned, SyntaxTree>> &Counts) {
  if (costOf(Tree).Operations < MinSharedOperations)
    return;
  auto &[Count, Part] = Counts[toString(Tree, SyntaxDialect::IndexingMap)];
  ++Count;
  Part = Tree;
  for (const SyntaxTree &Arg : Tree->Args)
    countParts(Arg, Counts);
}

static SyntaxTree replaced(const SyntaxTree &Tree, StringRef Text,
                           const SyntaxTree &By) {
  if (toString(Tree, SyntaxDialect::IndexingMap) == Text)
    return By;
  SmallVector<SyntaxTree, 4> Args;
  for (const SyntaxTree &Arg : Tree->Args)
    Args.push_back(replaced(Arg, Text, By));
  return Args.empty() ? Tree : syntaxNode(Tree->Op, Args);
}

/// The longest part that repeats first; others may be in it. A definition comes
/// before those that use it.
void ReadableWriter::nameSharedParts() {
  for (unsigned I = 0; I < MaxSharedParts; ++I) {
    StringMap<std::pair<unsigned, SyntaxTree>> Counts;
    for (const SyntaxTree &Tree : Results)
      countParts(Tree, Counts);
    for (const auto &[Name, Tree] : Definitions)
      countParts(Tree, Counts);
    StringRef Longest;
    for (const auto &Entry : Counts)
      if (Entry.second.first > 1 &&
          std::pair(Entry.first().size(), Entry.first()) >
              std::pair(Longest.size(), Longest))
        Longest = Entry.first();
    if (Longest.empty())
      return;
    std::string Name = newName(Twine(char('a' + I)));
    SyntaxTree Part = Counts[Longest].second, By = syntaxName(Name);
    for (SyntaxTree &Tree : Results)
      Tree = replaced(Tree, Longest, By);
    for (auto &Definition : Definitions)
      Definition.second = replaced(Definition.second, Longest, By);
    Definitions.insert(Definitions.begin(), {Name, Part});
  }
}

std::string ReadableWriter::write() {
  if (Map.isKnownEmpty())
    return toString(Map);
  // One result may show what a number was that another one divides.
  for (IndexExpr E : Map.results())
    if (isSumOfDigits(E))
      Strides.stridesOf(E);
  for (IndexExpr E : Map.results())
    Results.push_back(resultOf(E));
  nameSharedParts();
  std::vector<std::string> Texts;
  for (const SyntaxTree &Tree : Results)
    Texts.push_back(toString(Tree, SyntaxDialect::IndexingMap));
  std::vector<std::string> Clauses;
  for (const auto &[Name, Tree] : Definitions)
    Clauses.push_back(Name + " = " +
                      toString(Tree, SyntaxDialect::IndexingMap));
  std::string Text;
  raw_string_ostream OS(Text);
  printWithResults(OS, Map,
                   "(" + join(Texts, ", ") + ")" +
                       (Clauses.empty() ? "" : " where ") +
                       join(Clauses, ", "));
  // Or the parentheses of the next map would be the arguments of a function.
  if (!Clauses.empty() && !StringRef(Text).contains(", domain: "))
    Text += ", domain:";
  return Text;
}

std::string toReadableString(const IndexingMap &Map) {
  return ReadableWriter(Map).write();
}

} // namespace unravel
