//===- HloLiteralText.cpp - Literals as text ------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shape says how many braces and elements a literal has to have, so parsing
// and printing walk over it; the depth of neither is recursion, but for tuples,
// whose shapes are limited.
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloLiteral.h"
#include "frontend/text/HloLexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
class LiteralParser {
public:
  LiteralParser(HloLexer &Lexer) : Lexer(Lexer) {}
  Expected<HloLiteral> parse(const HloShape &Shape);

private:
  Expected<HloLiteral> parseTuple(const HloShape &Shape);
  Expected<HloLiteral> parseArray(const HloShape &Shape);
  Expected<HloLiteral> parseSplat(const HloShape &Shape);
  Error closeDimension(const HloShape &Shape, size_t Dimension);
  Expected<APInt> parseElement(ElementType Type);
  Expected<APInt> parseInteger(ElementType Type);
  Expected<APInt> parseFloat(ElementType Type);
  Expected<APFloat> parseNaN(ElementType Type, bool IsNegative);

  HloLexer &Lexer;
};
} // namespace

Expected<HloLiteral> LiteralParser::parse(const HloShape &Shape) {
  return Shape.isTuple() ? parseTuple(Shape) : parseArray(Shape);
}

/// `(literal, literal)`; the recursion is as deep as the shape.
Expected<HloLiteral> LiteralParser::parseTuple(const HloShape &Shape) {
  if (Error E = Lexer.expect("(", "and the elements of a tuple"))
    return E;
  std::vector<HloLiteral> Elements;
  for (const HloShape &ElementShape : Shape.elements()) {
    if (!Elements.empty())
      if (Error E = Lexer.expect(",", "between the elements of a tuple"))
        return E;
    Expected<HloLiteral> Element = parse(ElementShape);
    if (!Element)
      return Element;
    Elements.push_back(std::move(*Element));
  }
  if (Error E = Lexer.expect(
          ")", ("behind a tuple of " + Twine(Elements.size())).str()))
    return E;
  return HloLiteral::tuple(std::move(Elements));
}

Error LiteralParser::closeDimension(const HloShape &Shape, size_t Dimension) {
  return Lexer.expect("}", ("behind the " + Twine(Shape.dimension(Dimension)) +
                            " elements of dimension " + Twine(Dimension))
                               .str());
}

/// One element for all, as in `f32[4] constant(0)`.
Expected<HloLiteral> LiteralParser::parseSplat(const HloShape &Shape) {
  if (Shape.byteSize() > MaxUnwrittenBytes)
    return Lexer.error("one number for all elements of " + Shape.str(false) +
                       ", which are more than " + Twine(MaxUnwrittenBytes) +
                       " bytes; broadcast a scalar constant");
  Expected<APInt> Bits = parseElement(Shape.elementType());
  if (!Bits)
    return Bits.takeError();
  HloLiteral Literal(Shape);
  for (int64_t Offset = 0; Offset < Shape.elementCount(); ++Offset)
    Literal.setBitsAtOffset(Offset, *Bits);
  return Literal;
}

/// Memory grows with the text only, as a shape is quickly written.
Expected<HloLiteral> LiteralParser::parseArray(const HloShape &Shape) {
  ArrayRef<int64_t> Sizes = Shape.dimensions();
  if (Shape.elementCount() == 0 && Lexer.isAt("{") &&
      Lexer.peekSecond().Text == "}") {
    Lexer.next();
    Lexer.next();
    return HloLiteral(Shape);
  }
  if (!Sizes.empty() && !Lexer.isAt("{") && !Lexer.isAt("("))
    return parseSplat(Shape);
  std::vector<uint8_t> Bytes;
  unsigned Width = byteWidth(Shape.elementType());
  std::vector<int64_t> Index(Sizes.size());
  size_t Depth = 0; // braces that are open
  do {
    // Down to an element, or to a dimension that has none.
    bool HasElement = true;
    while (HasElement && Depth < Sizes.size()) {
      if (Error E = Lexer.expect("{", ("before the elements of dimension " +
                                       Twine(Depth) + " of " + Shape.str(false))
                                          .str()))
        return E;
      HasElement = Sizes[Depth] > 0;
      Depth += HasElement;
    }
    if (!HasElement) {
      if (Error E = closeDimension(Shape, Depth))
        return E;
    } else {
      Expected<APInt> Bits = parseElement(Shape.elementType());
      if (!Bits)
        return Bits.takeError();
      APInt Padded = Bits->zext(Width * 8);
      for (unsigned I = 0; I < Width; ++I)
        Bytes.push_back(uint8_t(Padded.extractBitsAsZExtValue(8, I * 8)));
    }
    // Up, out of the dimensions that are complete.
    while (Depth > 0 && ++Index[Depth - 1] == Sizes[Depth - 1]) {
      Index[--Depth] = 0;
      if (Error E = closeDimension(Shape, Depth))
        return E;
    }
    if (Depth > 0)
      if (Error E =
              Lexer.expect(",", ("between the " + Twine(Sizes[Depth - 1]) +
                                 " elements of dimension " + Twine(Depth - 1))
                                    .str()))
        return E;
  } while (Depth > 0);
  HloLiteral RowMajor(Shape.withDescendingLayout(), std::move(Bytes));
  return RowMajor.relaidOut(Shape);
}

Expected<APInt> LiteralParser::parseElement(ElementType Type) {
  if (isFloat(Type))
    return parseFloat(Type);
  if (!isComplex(Type))
    return parseInteger(Type);
  ElementType Part = componentOf(Type);
  if (Lexer.peek().TokenKind == HloLexer::Kind::Number) { // no imaginary part
    Expected<APInt> Real = parseFloat(Part);
    if (!Real)
      return Real;
    return APInt(bitWidth(Part), 0).concat(*Real);
  }
  if (Error E = Lexer.expect("(", "and both parts of a complex number"))
    return E;
  Expected<APInt> Real = parseFloat(Part);
  if (!Real)
    return Real;
  if (Error E = Lexer.expect(",", "and the imaginary part"))
    return E;
  Expected<APInt> Imag = parseFloat(Part);
  if (!Imag)
    return Imag;
  if (Error E = Lexer.expect(")", "behind a complex number"))
    return E;
  return Imag->concat(*Real);
}

/// The range of an integer type, for messages.
static std::string rangeOf(ElementType Type) {
  unsigned Width = bitWidth(Type);
  bool Signed = isSigned(Type);
  APInt Lo = Signed ? APInt::getSignedMinValue(Width) : APInt(Width, 0);
  APInt Hi =
      Signed ? APInt::getSignedMaxValue(Width) : APInt::getMaxValue(Width);
  return toString(Lo, 10, Signed) + " to " + toString(Hi, 10, Signed);
}

Expected<APInt> LiteralParser::parseInteger(ElementType Type) {
  unsigned Width = bitWidth(Type);
  if (isPred(Type) && (Lexer.isAt("true") || Lexer.isAt("false")))
    return APInt(1, Lexer.next().Text == "true");
  if (Lexer.peek().TokenKind != HloLexer::Kind::Number)
    return Lexer.unexpected("an element of type " + nameOf(Type));
  StringRef Digits = Lexer.peek().Text;
  bool IsNegative = Digits.consume_front("-");
  APInt Value;
  if (Digits.size() > 20 || Digits.getAsInteger(10, Value))
    return Lexer.error("'" + Lexer.peek().Text.take_front(40) +
                       "' is not an integer of type " + nameOf(Type) +
                       ", which goes from " + rangeOf(Type));
  // 20 digits fit 67 bits, so 128 hold the value and its negative.
  Value = Value.zextOrTrunc(128);
  if (IsNegative)
    Value.negate();
  if (isSigned(Type) ? !Value.isSignedIntN(Width)
                     : Value.isNegative() || !Value.isIntN(Width))
    return Lexer.error(Lexer.peek().Text + " does not fit " + nameOf(Type) +
                       ", which goes from " + rangeOf(Type));
  Lexer.next();
  return Value.trunc(Width);
}

/// The NaN's payload in parentheses, if there is one.
Expected<APFloat> LiteralParser::parseNaN(ElementType Type, bool IsNegative) {
  const fltSemantics &Semantics = semanticsOf(Type);
  if (!Lexer.isAt("("))
    return APFloat::getNaN(Semantics, IsNegative);
  Lexer.next();
  StringRef Digits = Lexer.peek().Text;
  uint64_t Payload;
  // Formats without infinity have one NaN only, but for its sign.
  if (!APFloat::semanticsHasInf(Semantics))
    return Lexer.error("NaNs of type " + nameOf(Type) +
                       " have no payload; write 'nan'");
  unsigned Room = APFloat::semanticsPrecision(Semantics) - 1;
  if (Lexer.peek().TokenKind != HloLexer::Kind::Number ||
      Digits.getAsInteger(0, Payload) || Payload == 0 || (Payload >> Room) != 0)
    return Lexer.error("the payload of a NaN has to be a number of " +
                       Twine(Room) + " bits");
  Lexer.next();
  if (Error E = Lexer.expect(")", "behind the payload of a NaN"))
    return E;
  APInt Bits = APFloat::getInf(Semantics, IsNegative).bitcastToAPInt();
  Bits |= APInt(Bits.getBitWidth(), Payload);
  return APFloat(Semantics, Bits);
}

Expected<APInt> LiteralParser::parseFloat(ElementType Type) {
  const fltSemantics &Semantics = semanticsOf(Type);
  StringRef Text = Lexer.peek().Text;
  bool IsName = Lexer.peek().TokenKind == HloLexer::Kind::Name;
  if (!IsName && Lexer.peek().TokenKind != HloLexer::Kind::Number)
    return Lexer.unexpected("an element of type " + nameOf(Type));
  StringRef Magnitude = Text;
  bool IsNegative = Magnitude.consume_front("-");
  if (Magnitude == "nan") {
    Lexer.next();
    Expected<APFloat> NaN = parseNaN(Type, IsNegative);
    if (!NaN)
      return NaN.takeError();
    return NaN->bitcastToAPInt();
  }
  if (Magnitude == "inf") {
    if (!APFloat::semanticsHasInf(Semantics))
      return Lexer.error(
          nameOf(Type) +
          " has no infinity; the largest number "
          "is " +
          HloLiteral::scalar(
              HloElement::fromBits(
                  Type, APFloat::getLargest(Semantics).bitcastToAPInt()))
              .str());
    Lexer.next();
    return APFloat::getInf(Semantics, IsNegative).bitcastToAPInt();
  }
  if (IsName)
    return Lexer.unexpected("an element of type " + nameOf(Type));
  // As a double first for the format without zero and sign, which APFloat's
  // parser does not expect; a power of two is exact in both.
  bool IsScale = Type == ElementType::F8E8M0FNU;
  APFloat Value(IsScale ? APFloat::IEEEdouble() : Semantics);
  constexpr size_t MaxLength = 1000; // reading digits takes quadratic time
  Expected<APFloat::opStatus> Status =
      Text.size() > MaxLength
          ? createStringError("too long")
          : Value.convertFromString(Text, APFloat::rmNearestTiesToEven);
  if (!Status) {
    consumeError(Status.takeError());
    return Lexer.error("'" + Text.take_front(40) +
                       "' is not a number of type " + nameOf(Type));
  }
  if ((*Status & APFloat::opOverflow) ||
      (IsScale && (Value.isZero() || Value.isNegative())))
    return Lexer.error(Text.take_front(40) + " does not fit " + nameOf(Type));
  Lexer.next();
  if (IsScale)
    return HloElement::number(Type, Value.convertToDouble()).bits();
  return Value.bitcastToAPInt();
}

Expected<HloLiteral> parseLiteral(HloLexer &Lexer, const HloShape &Shape) {
  return LiteralParser(Lexer).parse(Shape);
}

Expected<HloLiteral> parseLiteral(StringRef Text, StringRef BufferName,
                                  const HloShape &Shape) {
  HloLexer Lexer(Text, BufferName);
  Expected<HloLiteral> Literal = parseLiteral(Lexer, Shape);
  if (Literal && !Lexer.atEnd())
    return Lexer.unexpected("the end of the literal");
  return Literal;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The shortest decimal number that is read back as \p Bits.
static void printFloat(raw_ostream &OS, ElementType Type, const APInt &Bits) {
  APFloat Float(semanticsOf(Type), Bits);
  if (Float.isNaN()) {
    auto IsDefault = [&](bool Negative) {
      return Bits ==
             APFloat::getNaN(Float.getSemantics(), Negative).bitcastToAPInt();
    };
    if (IsDefault(false) || IsDefault(true)) {
      OS << (IsDefault(false) ? "nan" : "-nan");
      return;
    }
    unsigned Room = APFloat::semanticsPrecision(Float.getSemantics()) - 1;
    OS << (Float.isNegative() ? "-nan(0x" : "nan(0x")
       << utohexstr(Bits.getLoBits(Room).getZExtValue(), true) << ')';
    return;
  }
  if (Float.isInfinity()) {
    OS << (Float.isNegative() ? "-inf" : "inf");
    return;
  }
  double Value = Float.convertToDouble();
  if (Float.isNegZero()) { // XLA takes "-0" for an integer without a sign
    OS << "-0.0";
    return;
  }
  if (std::abs(Value) < 1e7 && Value == std::trunc(Value) && Value != 0) {
    OS << int64_t(Value);
    return;
  }
  char Text[64];
  std::to_chars_result End;
  constexpr auto Format = std::chars_format::general;
  if (Type == ElementType::F32)
    End = std::to_chars(Text, std::end(Text), float(Value), Format);
  else
    End = std::to_chars(Text, std::end(Text), Value, Format);
  // For the small types, that has more digits than they need.
  for (int Digits = 1; bitWidth(Type) <= 16; ++Digits) {
    End = std::to_chars(Text, std::end(Text), Value, Format, Digits);
    double Back;
    std::from_chars(Text, End.ptr, Back);
    if (HloElement::number(Type, Back).bits() == Bits)
      break;
  }
  OS << StringRef(Text, End.ptr - Text);
}

static void printBits(raw_ostream &OS, ElementType Type, const APInt &Bits) {
  switch (kindOf(Type)) {
  case TypeKind::Pred:
    OS << (Bits.isZero() ? "false" : "true");
    return;
  case TypeKind::Signed:
  case TypeKind::Unsigned:
    Bits.print(OS, isSigned(Type));
    return;
  case TypeKind::Float:
    printFloat(OS, Type, Bits);
    return;
  case TypeKind::Complex:
    ElementType Part = componentOf(Type);
    unsigned Width = bitWidth(Part);
    OS << '(';
    printFloat(OS, Part, Bits.trunc(Width));
    OS << ", ";
    printFloat(OS, Part, Bits.extractBits(Width, Width));
    OS << ')';
    return;
  }
}

void print(raw_ostream &OS, const HloElement &Element) {
  printBits(OS, Element.Type, Element.bits());
}

void HloLiteral::print(raw_ostream &OS) const {
  if (Shape.isTuple()) {
    OS << '(';
    ListSeparator Separator;
    for (const HloLiteral &Element : Elements) {
      OS << Separator;
      Element.print(OS);
    }
    OS << ')';
    return;
  }
  if (Shape.elementCount() == 0) {
    OS << "{}";
    return;
  }
  size_t Rank = Shape.rank();
  std::vector<int64_t> Index(Rank);
  // How many dimensions begin with this element, and how many end.
  auto CountFromMinor = [&](auto IsAtEdge) {
    size_t Count = 0;
    while (Count < Rank && IsAtEdge(Rank - 1 - Count))
      ++Count;
    return Count;
  };
  do {
    size_t Begins = CountFromMinor([&](size_t D) { return Index[D] == 0; });
    if (Begins < Rank)
      OS << ", ";
    for (size_t I = 0; I < Begins; ++I)
      OS << (I + 1 < Begins ? "{ " : "{");
    printBits(OS, Shape.elementType(), bitsAtOffset(offsetOf(Index)));
    size_t Ends = CountFromMinor(
        [&](size_t D) { return Index[D] == Shape.dimension(D) - 1; });
    for (size_t I = 0; I < Ends; ++I)
      OS << (I == 0 ? "}" : " }");
  } while (nextIndex(Index, Shape.dimensions()));
}

std::string HloLiteral::str() const {
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS);
  return Text;
}

} // namespace unravel
