//===- HloShape.cpp - Element types and shapes of HLO ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloShape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
struct TypeDescription {
  StringLiteral Name;
  unsigned Bits;
  TypeKind Kind;
};
} // namespace

static const TypeDescription Types[] = {
#define HLO_TYPE(Enum, Name, Bits, Kind) {Name, Bits, TypeKind::Kind},
#include "frontend/hlo/HloElementTypes.def"
};

static const TypeDescription &describe(ElementType Type) {
  return Types[size_t(Type)];
}

StringRef nameOf(ElementType Type) { return describe(Type).Name; }
TypeKind kindOf(ElementType Type) { return describe(Type).Kind; }
unsigned bitWidth(ElementType Type) { return describe(Type).Bits; }
unsigned byteWidth(ElementType Type) { return divideCeil(bitWidth(Type), 8); }

std::optional<ElementType> elementTypeNamed(StringRef Name) {
  for (size_t I = 0; I < std::size(Types); ++I)
    if (Types[I].Name == Name)
      return ElementType(I);
  return std::nullopt;
}

std::string elementTypeNames() {
  return join(map_range(Types, [](const TypeDescription &T) { return T.Name; }),
              ", ");
}

ElementType componentOf(ElementType Type) {
  assert(isComplex(Type));
  return Type == ElementType::C64 ? ElementType::F32 : ElementType::F64;
}

const fltSemantics &semanticsOf(ElementType Type) {
  switch (Type) {
#define HLO_FLOAT(Enum, Name, Bits, Semantics)                                 \
  case ElementType::Enum:                                                      \
    return APFloat::Semantics();
#include "frontend/hlo/HloElementTypes.def"
  default:
    return semanticsOf(componentOf(Type));
  }
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static std::vector<int64_t> descendingLayout(size_t Rank) {
  std::vector<int64_t> Layout(Rank);
  std::iota(Layout.rbegin(), Layout.rend(), 0);
  return Layout;
}

static bool isPermutation(ArrayRef<int64_t> Numbers) {
  std::vector<bool> Seen(Numbers.size());
  for (int64_t N : Numbers) {
    if (N < 0 || size_t(N) >= Numbers.size() || Seen[N])
      return false;
    Seen[N] = true;
  }
  return true;
}

HloShape HloShape::scalar(ElementType Type) {
  HloShape Shape;
  Shape.Type = Type;
  return Shape;
}

Expected<HloShape>
HloShape::array(ElementType Type, ArrayRef<int64_t> Dimensions,
                std::optional<ArrayRef<int64_t>> MinorToMajor) {
  if (Dimensions.size() > MaxRank)
    return createStringError("the array has more than " + Twine(MaxRank) +
                             " dimensions");
  HloShape Shape;
  Shape.Type = Type;
  Shape.Dimensions = Dimensions.vec();
  int64_t Bytes = byteWidth(Type);
  for (int64_t Size : Dimensions) {
    if (Size < 0)
      return createStringError("the size of a dimension is " + Twine(Size) +
                               "; sizes are not negative");
    if (MulOverflow(Bytes, std::max<int64_t>(Size, 1), Bytes))
      return createStringError("the shape has 2^63 bytes or more; use smaller "
                               "dimensions");
    Shape.Count *= Size;
  }
  Shape.MinorToMajor =
      MinorToMajor ? MinorToMajor->vec() : descendingLayout(Dimensions.size());
  if (Shape.MinorToMajor.size() != Dimensions.size() ||
      !isPermutation(Shape.MinorToMajor))
    return createStringError(
        "the layout is not an order of the " + Twine(Dimensions.size()) +
        " dimensions; write each of them once, the minor one first");
  return Shape;
}

Expected<HloShape> HloShape::tuple(std::vector<HloShape> Elements) {
  HloShape Shape;
  Shape.Arrays = 0;
  for (const HloShape &Element : Elements) {
    Shape.Nesting = std::max(Shape.Nesting, Element.Nesting);
    Shape.Arrays += Element.Arrays; // no overflow: each is bounded
    if (Shape.Arrays > MaxArrays)
      return createStringError("a tuple has more than " + Twine(MaxArrays) +
                               " arrays");
  }
  if (++Shape.Nesting > MaxNesting)
    return createStringError("tuples nest more than " + Twine(MaxNesting) +
                             " levels deep");
  Shape.Count = 0;
  Shape.Elements =
      std::make_shared<const std::vector<HloShape>>(std::move(Elements));
  return Shape;
}

bool HloShape::hasDescendingLayout() const {
  for (size_t I = 0; I < MinorToMajor.size(); ++I)
    if (size_t(MinorToMajor[I]) != MinorToMajor.size() - 1 - I)
      return false;
  return true;
}

std::vector<int64_t> HloShape::strides() const {
  std::vector<int64_t> Strides(rank());
  int64_t Stride = 1;
  for (int64_t Dimension : MinorToMajor) {
    Strides[Dimension] = Stride;
    Stride *= std::max<int64_t>(Dimensions[Dimension], 1); // fits, see array()
  }
  return Strides;
}

Expected<HloShape> HloShape::withElementType(ElementType NewType) const {
  return array(NewType, Dimensions, ArrayRef<int64_t>(MinorToMajor));
}

HloShape HloShape::withDescendingLayout() const {
  HloShape Shape = *this;
  Shape.MinorToMajor = descendingLayout(rank());
  return Shape;
}

ArrayRef<HloShape> HloShape::elements() const {
  return Elements ? ArrayRef<HloShape>(*Elements) : ArrayRef<HloShape>();
}

bool HloShape::isCompatible(const HloShape &Other) const {
  if (isTuple() != Other.isTuple())
    return false;
  if (isArray())
    return Type == Other.Type && Dimensions == Other.Dimensions;
  return Elements == Other.Elements ||
         (Elements->size() == Other.Elements->size() &&
          all_of(zip(*Elements, *Other.Elements), [](const auto &Pair) {
            return std::get<0>(Pair).isCompatible(std::get<1>(Pair));
          }));
}

bool HloShape::operator==(const HloShape &Other) const {
  if (isTuple() != Other.isTuple())
    return false;
  if (isArray())
    return Type == Other.Type && Dimensions == Other.Dimensions &&
           MinorToMajor == Other.MinorToMajor;
  return Elements == Other.Elements || *Elements == *Other.Elements;
}

void HloShape::print(raw_ostream &OS, bool WithLayout) const {
  if (isTuple()) {
    OS << '(';
    ListSeparator Separator;
    for (const HloShape &Element : *Elements) {
      OS << Separator;
      Element.print(OS, WithLayout);
    }
    OS << ')';
    return;
  }
  OS << nameOf(Type) << '[';
  interleave(Dimensions, OS, ",");
  OS << ']';
  if (WithLayout && rank() > 0) {
    OS << '{';
    interleave(MinorToMajor, OS, ",");
    OS << '}';
  }
}

std::string HloShape::str(bool WithLayout) const {
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS, WithLayout);
  return Text;
}

bool nextIndex(MutableArrayRef<int64_t> Index, ArrayRef<int64_t> Dimensions) {
  for (size_t I = Index.size(); I-- > 0;) {
    if (++Index[I] < Dimensions[I])
      return true;
    Index[I] = 0;
  }
  return false;
}

} // namespace unravel
