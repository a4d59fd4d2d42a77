//===- FusionValues.cpp - Inputs and outputs of fusions -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/fusion-emit/FusionValues.h"
#include "frontend/text/HloLexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <random>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static HloElement randomElement(ElementType Type, std::mt19937_64 &Engine) {
  auto Eighths = [&] { return (int64_t(Engine() % 64) - 32) / 8.0; };
  if (isComplex(Type)) {
    double Real = Eighths();
    return HloElement::number(Type, {Real, Eighths()});
  }
  if (isFloat(Type))
    return HloElement::number(Type, Eighths());
  uint64_t Bits = Engine();
  bool IsSmall = Engine() % 4 != 0;
  return HloElement::integer(Type,
                             IsSmall ? int64_t(Bits % 64) - 4 : int64_t(Bits));
}

static HloLiteral randomArray(const HloShape &Shape, std::mt19937_64 &Engine) {
  HloLiteral Value(Shape);
  for (int64_t K = 0; K < Shape.elementCount(); ++K)
    Value.setAtOffset(K, randomElement(Shape.elementType(), Engine));
  return Value;
}

using ArrayMaker = function_ref<Expected<HloLiteral>(
    const HloInstruction &Parameter, const HloShape &Array)>;

/// A value of \p Shape, whose arrays \p Make makes from left to right. The
/// recursion is as deep as the shape.
static Expected<HloLiteral> makeValue(const HloInstruction &Parameter,
                                      const HloShape &Shape, ArrayMaker Make) {
  if (Shape.isArray())
    return Make(Parameter, Shape);
  std::vector<HloLiteral> Elements;
  for (const HloShape &ElementShape : Shape.elements()) {
    Expected<HloLiteral> Element = makeValue(Parameter, ElementShape, Make);
    if (!Element)
      return Element.takeError();
    Elements.push_back(std::move(*Element));
  }
  return HloLiteral::tuple(std::move(Elements));
}

/// One for each parameter.
static Expected<std::vector<HloLiteral>> makeValues(const HloComputation &C,
                                                    ArrayMaker Make) {
  std::vector<HloLiteral> Values;
  for (const HloInstruction *Parameter : C.parameters()) {
    Expected<HloLiteral> Value =
        makeValue(*Parameter, Parameter->shape(), Make);
    if (!Value)
      return Value.takeError();
    Values.push_back(std::move(*Value));
  }
  return Values;
}

/// Of all parameters, whose values have to be in memory.
constexpr uint64_t MaxInputBytes = uint64_t(4) << 30;

Expected<std::vector<HloLiteral>> randomInputs(const HloComputation &C,
                                               uint64_t Seed) {
  std::mt19937_64 Engine(Seed);
  uint64_t Bytes = 0;
  return makeValues(C,
                    [&](const HloInstruction &Parameter,
                        const HloShape &Array) -> Expected<HloLiteral> {
                      Bytes = SaturatingAdd(Bytes, uint64_t(Array.byteSize()));
                      if (Bytes > MaxInputBytes)
                        return createStringError(
                            "the parameters up to '" + Parameter.name() +
                            "' have " + Twine(Bytes) +
                            " bytes, more than the " + Twine(MaxInputBytes) +
                            " that get values here; make the shapes smaller");
                      return randomArray(Array, Engine);
                    });
}

/// The recursion is as deep as the shape.
static HloLiteral randomValue(const HloShape &Shape, std::mt19937_64 &Engine) {
  if (Shape.isArray())
    return randomArray(Shape, Engine);
  std::vector<HloLiteral> Elements;
  for (const HloShape &Element : Shape.elements())
    Elements.push_back(randomValue(Element, Engine));
  return cantFail(HloLiteral::tuple(std::move(Elements))); // as deep as Shape
}

HloLiteral randomValue(const HloShape &Shape, uint64_t Seed) {
  std::mt19937_64 Engine(Seed);
  return randomValue(Shape, Engine);
}

Expected<std::vector<HloLiteral>>
parseInputs(const HloComputation &C, StringRef Text, StringRef BufferName) {
  HloLexer Lexer(Text, BufferName);
  unsigned Count = 0;
  Expected<std::vector<HloLiteral>> Inputs =
      makeValues(C,
                 [&](const HloInstruction &Parameter,
                     const HloShape &Array) -> Expected<HloLiteral> {
                   if (Lexer.atEnd())
                     return Lexer.error("expected a value for parameter '" +
                                        Parameter.name() + "', found the end");
                   if (Lexer.peekSecond().Text == "=") {
                     Lexer.next();
                     Lexer.next();
                   }
                   ++Count;
                   return parseLiteral(Lexer, Array);
                 });
  if (Inputs && !Lexer.atEnd())
    return Lexer.error("expected the end: there are " + Twine(Count) +
                       (Count == C.parameters().size()
                            ? " parameters"
                            : " arrays among the parameters"));
  return Inputs;
}

void printValue(raw_ostream &OS, StringRef Name, const HloLiteral &Value) {
  OS << "// " << Value.shape().str(false) << "\n" << Name << " = ";
  Value.print(OS);
  OS << "\n";
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static double ulpOf(ElementType Type) {
  ElementType Part = isComplex(Type) ? componentOf(Type) : Type;
  return std::ldexp(1.0,
                    1 - int(APFloat::semanticsPrecision(semanticsOf(Part))));
}

static bool isNear(double X, double Y, double Ulp, double Largest) {
  if (std::isnan(X) || std::isnan(Y))
    return std::isnan(X) && std::isnan(Y);
  if (X == Y || std::isinf(X) || std::isinf(Y))
    return X == Y;
  return std::fabs(X - Y) <=
         std::max(64 * Ulp * std::max(std::fabs(X), std::fabs(Y)),
                  4 * Ulp * Largest);
}

/// As in C: whatever the other part is.
static bool isComplexInfinity(const HloElement &X) {
  return isComplex(X.Type) &&
         (std::isinf(X.Number.real()) || std::isinf(X.Number.imag()));
}

/// Whether \p X is as near to \p Y as rounding explains.
static bool isWithin(const HloElement &X, const HloElement &Y, double Bound) {
  if (!std::isfinite(Bound))
    return false;
  if (isFloat(X.Type) || isComplex(X.Type))
    return std::abs(X.Number - Y.Number) <= Bound;
  bool HasSign = isSigned(X.Type);
  auto Wide = [&](const HloElement &E) {
    return HasSign ? E.Integer.sext(128) : E.Integer.zext(128);
  };
  return (Wide(X) - Wide(Y)).abs().roundToDouble() <= Bound;
}

std::string difference(const HloLiteral &Found, const HloLiteral &Expected,
                       const HloLiteral *Bounds) {
  const HloShape &Shape = Expected.shape();
  ElementType Type = Shape.elementType();
  bool IsExact = !isFloat(Type) && !isComplex(Type);
  double Ulp = IsExact ? 0 : ulpOf(Type), Largest = 0;
  for (int64_t K = 0; !IsExact && K < Shape.elementCount(); ++K) {
    std::complex<double> Number = Expected.atOffset(K).Number;
    for (double Part : {Number.real(), Number.imag()})
      if (std::isfinite(Part))
        Largest = std::max(Largest, std::fabs(Part));
  }
  if (Shape.elementCount() == 0)
    return "";
  std::vector<int64_t> Index(Shape.rank());
  do {
    HloElement X = Found.at(Index), Y = Expected.at(Index);
    bool IsSame =
        IsExact ? X.Integer == Y.Integer
                : isNear(X.Number.real(), Y.Number.real(), Ulp, Largest) &&
                      isNear(X.Number.imag(), Y.Number.imag(), Ulp, Largest);
    IsSame |= isComplexInfinity(X) && isComplexInfinity(Y);
    double Bound = Bounds ? Bounds->at(Index).real() : 0;
    if (IsSame || (Bounds && isWithin(X, Y, Bound)))
      continue;
    std::string Text;
    raw_string_ostream OS(Text);
    OS << "at [";
    interleave(Index, OS, ",");
    OS << "]: ";
    print(OS, X);
    OS << ", expected ";
    print(OS, Y);
    if (Bounds && std::isinf(Bound))
      OS << "; a value that rounding may change decides what is there, so "
            "nothing bounds the difference";
    else if (Bounds)
      OS << format("; rounding explains a difference of %.3g", Bound);
    return Text;
  } while (nextIndex(Index, Shape.dimensions()));
  return "";
}

} // namespace unravel
