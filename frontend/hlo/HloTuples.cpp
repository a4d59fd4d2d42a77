//===- HloTuples.cpp - The arrays in tuples in tuples ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloTuples.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

std::string textOfIndex(ArrayRef<int64_t> Index) {
  auto Text = map_range(Index, [](int64_t I) { return itostr(I); });
  return "{" + join(Text, ",") + "}";
}

const HloShape *shapeAt(const HloShape &Shape, ArrayRef<int64_t> Index) {
  const HloShape *Inner = &Shape;
  for (int64_t I : Index) {
    if (Inner->isArray() || I < 0 || size_t(I) >= Inner->elements().size())
      return nullptr;
    Inner = &Inner->elements()[I];
  }
  return Inner;
}

size_t arraysIn(const HloShape &Shape) {
  if (Shape.isArray())
    return 1;
  size_t Count = 0;
  for (const HloShape &Element : Shape.elements())
    Count += arraysIn(Element);
  return Count;
}

const HloShape &arrayAt(const HloShape &Shape, size_t Number) {
  const HloShape *Inner = &Shape;
  while (Inner->isTuple())
    for (const HloShape &Element : Inner->elements()) {
      size_t Count = arraysIn(Element);
      if (Number < Count) {
        Inner = &Element;
        break;
      }
      Number -= Count;
    }
  assert(Number == 0 && "the value has no such array");
  return *Inner;
}

std::string nameOfArray(StringRef Name, const HloShape &Shape, size_t Number) {
  return Shape.isTuple() ? (Name + "#" + Twine(Number)).str() : Name.str();
}

size_t arrayNumber(const HloShape &Shape, ArrayRef<int64_t> Index) {
  const HloShape *Inner = &Shape;
  size_t Number = 0;
  for (int64_t I : Index) {
    for (const HloShape &Before : Inner->elements().take_front(I))
      Number += arraysIn(Before);
    Inner = &Inner->elements()[I];
  }
  return Number;
}

std::vector<size_t> arraysBeforeParameters(const HloComputation &C) {
  std::vector<size_t> Before;
  size_t Count = 0;
  for (const HloInstruction *Parameter : C.parameters()) {
    Before.push_back(Count);
    Count += arraysIn(Parameter->shape());
  }
  return Before;
}

/// The recursion is as deep as the shape.
static void
forEachArray(const HloShape &Shape, std::vector<int64_t> &Index,
             function_ref<void(ArrayRef<int64_t>, const HloShape &)> F) {
  if (Shape.isArray())
    return F(Index, Shape);
  for (auto [K, Element] : enumerate(Shape.elements())) {
    Index.push_back(K);
    forEachArray(Element, Index, F);
    Index.pop_back();
  }
}

void forEachArray(const HloShape &Shape,
                  function_ref<void(ArrayRef<int64_t>, const HloShape &)> F) {
  std::vector<int64_t> Index;
  forEachArray(Shape, Index, F);
}

} // namespace unravel
