//===- HloValuesTest.cpp - Values that XLA computed -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluator against XLA itself: every elementwise operation for operands at
// the edges of several types, and random attributes of the operations that
// compute indices. A module in the files is followed by a line `// = VALUE`.
//
// Left out are operands for which XLA's own answer is not the defined one:
// subnormal numbers (flushed), popcnt of s4, integer powers with exponents of
// more than six bits, zero to a complex power, scatters whose index vectors
// have no components.
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluator.h"
#include "test/unit/HloTestHelper.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace llvm;
using namespace unravel;

namespace {

/// How far functions of a type may be apart, as they are not rounded correctly
/// everywhere.
double toleranceOf(ElementType Type) {
  if (isComplex(Type))
    return 1e-5;
  switch (bitWidth(Type)) {
  case 64:
    return 1e-14;
  case 32:
    return 3e-6;
  case 16:
    return Type == ElementType::F16 ? 2e-3 : 1e-2;
  default:
    return 0.15; // one step of f8e4m3fn
  }
}

bool areClose(const HloElement &A, const HloElement &B) {
  if (!isFloat(A.Type) && !isComplex(A.Type))
    return A.Integer == B.Integer;
  auto IsNaN = [](const HloElement &E) {
    return std::isnan(E.Number.real()) || std::isnan(E.Number.imag());
  };
  if (IsNaN(A) || IsNaN(B))
    return IsNaN(A) && IsNaN(B);
  if (A.Number == B.Number)
    return isComplex(A.Type) ||
           std::signbit(A.real()) == std::signbit(B.real());
  double Smallest = 1e-37; // what is smaller may be flushed to zero
  return std::abs(A.Number - B.Number) <=
         std::max(toleranceOf(A.Type) * std::abs(B.Number), Smallest);
}

bool areClose(const HloLiteral &A, const HloLiteral &B) {
  for (int64_t I = 0; I < A.shape().elementCount(); ++I)
    if (!areClose(A.atOffset(I), B.atOffset(I)))
      return false;
  return A.shape() == B.shape();
}

/// Returns the number of cases.
unsigned checkFile(StringRef Name) {
  auto Buffer = MemoryBuffer::getFile(Twine(UNRAVEL_TEST_INPUTS) + "/" + Name);
  if (!Buffer) {
    ADD_FAILURE() << Name.str();
    return 0;
  }
  unsigned Count = 0;
  StringRef Rest = (*Buffer)->getBuffer();
  while (Rest.contains("// = ")) {
    auto [Text, Behind] = Rest.split("// = ");
    auto [Value, Next] = Behind.split('\n');
    Rest = Next;
    auto Module = parseModule(Text);
    if (Error E = verifyHlo(*Module)) {
      ADD_FAILURE() << toString(std::move(E));
      continue;
    }
    Expected<HloLiteral> Computed =
        evaluateHlo(*Module, someArguments(*Module));
    Expected<HloLiteral> Wanted =
        parseLiteral(Value, "<value>", Module->entry().root().shape());
    if (!Computed || !Wanted) {
      ADD_FAILURE() << toString(
          joinErrors(Computed.takeError(), Wanted.takeError()));
      continue;
    }
    EXPECT_TRUE(areClose(*Computed, *Wanted))
        << Text.str() << "gives\n"
        << Computed->str() << "\nbut XLA\n"
        << Wanted->str();
    ++Count;
  }
  return Count;
}

TEST(HloValues, Elementwise) {
  EXPECT_GE(checkFile("hlo-values-elementwise.txt"), 400u);
}

TEST(HloValues, Indices) {
  EXPECT_GE(checkFile("hlo-values-indices.txt"), 200u);
}

} // namespace
