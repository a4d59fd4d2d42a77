//===- HloLiteral.h - Values of HLO shapes ----------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A literal is an array in memory, as a kernel would see it: little endian,
// densely stored in the order of the shape's layout, pred and 4-bit integers a
// byte each. Or it is a tuple of literals.
//
// An element is an integer, or a number that double or a pair of doubles holds
// exactly, whatever its float type is.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_HLO_HLOLITERAL_H
#define UNRAVEL_FRONTEND_HLO_HLOLITERAL_H

#include "frontend/hlo/HloShape.h"
#include "llvm/ADT/APInt.h"
#include <complex>

namespace unravel {

class HloLexer;

/// One element of an array.
struct HloElement {
  ElementType Type = ElementType::Pred;
  /// Of pred (0 or 1) and integers: as wide as the type.
  llvm::APInt Integer = llvm::APInt(1, 0);
  /// Of floats (the real part) and complex numbers.
  std::complex<double> Number;

  static HloElement pred(bool Value);
  /// \p Value modulo the width.
  static HloElement integer(ElementType Type, int64_t Value);
  static HloElement integer(ElementType Type, llvm::APInt Value);
  /// \p Value rounded to the nearest element, ties to even.
  static HloElement number(ElementType Type, std::complex<double> Value);
  /// Zero, false.
  static HloElement zero(ElementType Type);

  double real() const { return Number.real(); }
  bool isTrue() const { return !Integer.isZero(); }
  /// The value of an integer that is known to fit, read with its own sign.
  int64_t asInt64() const {
    return isSigned(Type) ? Integer.getSExtValue()
                          : int64_t(Integer.getLimitedValue(INT64_MAX));
  }

  /// The bits in memory, bitWidth(Type) of them. Of a NaN: the sign and quiet.
  llvm::APInt bits() const;
  static HloElement fromBits(ElementType Type, const llvm::APInt &Bits);
};

/// \p Value rounded once to the format \p Type, ties to even, as a double.
double roundTo(ElementType Type, double Value);

class HloLiteral {
public:
  /// The scalar false.
  HloLiteral() : HloLiteral(HloShape()) {}
  /// All elements zero; memory is allocated, so mind the size.
  explicit HloLiteral(HloShape Shape);
  /// \p Bytes are as many as the shape has.
  HloLiteral(HloShape Shape, std::vector<uint8_t> Bytes);
  static HloLiteral scalar(const HloElement &Element);
  /// The shape is that of the elements.
  static llvm::Expected<HloLiteral> tuple(std::vector<HloLiteral> Elements);

  const HloShape &shape() const { return Shape; }
  llvm::ArrayRef<uint8_t> bytes() const { return Bytes; }
  llvm::MutableArrayRef<uint8_t> bytes() { return Bytes; }
  llvm::ArrayRef<HloLiteral> elements() const { return Elements; }

  /// The element at place \p Offset in memory.
  HloElement atOffset(int64_t Offset) const;
  void setAtOffset(int64_t Offset, const HloElement &Element);
  /// The bits at this place, whatever they mean.
  llvm::APInt bitsAtOffset(int64_t Offset) const;
  void setBitsAtOffset(int64_t Offset, const llvm::APInt &Bits);
  /// Copies the bits of the element at place \p FromOffset of \p From, which
  /// has elements of the same width.
  void copyAtOffset(int64_t Offset, const HloLiteral &From, int64_t FromOffset);
  /// Where the element \p Index lies; it is inside of the array.
  int64_t offsetOf(llvm::ArrayRef<int64_t> Index) const;
  HloElement at(llvm::ArrayRef<int64_t> Index) const {
    return atOffset(offsetOf(Index));
  }
  void set(llvm::ArrayRef<int64_t> Index, const HloElement &Element) {
    setAtOffset(offsetOf(Index), Element);
  }

  /// The same elements in the order of another layout; \p NewShape is
  /// compatible with the shape.
  HloLiteral relaidOut(const HloShape &NewShape) const;

  /// Equal shapes and bits.
  bool operator==(const HloLiteral &Other) const;
  bool operator!=(const HloLiteral &Other) const { return !(*this == Other); }

  /// Prints without the shape: `{ { 1, 2 }, { 3, 4 } }`; parsing gives the same
  /// bits.
  void print(llvm::raw_ostream &OS) const;
  std::string str() const;

private:
  HloShape Shape;
  std::vector<int64_t> Strides; ///< in elements
  std::vector<uint8_t> Bytes;
  std::vector<HloLiteral> Elements;
};

/// Those of \p Values that are arrays, and those in tuples, from left to right.
std::vector<const HloLiteral *> arraysOf(llvm::ArrayRef<HloLiteral> Values);

/// Prints one element as a literal has it.
void print(llvm::raw_ostream &OS, const HloElement &Element);

/// Of a literal whose elements are not all written. Elsewhere memory grows with
/// the text only.
constexpr int64_t MaxUnwrittenBytes = int64_t(1) << 26;

/// Parses a literal of shape \p Shape that begins at the next token. One number
/// stands for all elements of an array.
llvm::Expected<HloLiteral> parseLiteral(HloLexer &Lexer, const HloShape &Shape);
/// Parses a text that holds nothing else.
llvm::Expected<HloLiteral> parseLiteral(llvm::StringRef Text,
                                        llvm::StringRef BufferName,
                                        const HloShape &Shape);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_HLO_HLOLITERAL_H
