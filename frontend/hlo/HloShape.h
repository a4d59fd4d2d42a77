//===- HloShape.h - Element types and shapes of HLO -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an HLO instruction yields: an array (`f32[2,3]{1,0}`) or a tuple of
// shapes. A shape is made by a function that checks it, so everything that can
// be asked of one has an answer in 64 bits: the number of elements and of bytes
// and every stride.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_HLO_HLOSHAPE_H
#define UNRAVEL_FRONTEND_HLO_HLOSHAPE_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace unravel {

enum class ElementType : uint8_t {
#define HLO_TYPE(Enum, Name, Bits, Kind) Enum,
#include "frontend/hlo/HloElementTypes.def"
};

enum class TypeKind : uint8_t { Pred, Signed, Unsigned, Float, Complex };

llvm::StringRef nameOf(ElementType Type);
std::optional<ElementType> elementTypeNamed(llvm::StringRef Name);
/// "pred, s4, s8, ...": all names, for messages.
std::string elementTypeNames();

TypeKind kindOf(ElementType Type);
inline bool isPred(ElementType T) { return kindOf(T) == TypeKind::Pred; }
inline bool isSigned(ElementType T) { return kindOf(T) == TypeKind::Signed; }
inline bool isUnsigned(ElementType T) {
  return kindOf(T) == TypeKind::Unsigned;
}
/// Signed or unsigned; pred is none.
inline bool isInteger(ElementType T) { return isSigned(T) || isUnsigned(T); }
inline bool isFloat(ElementType T) { return kindOf(T) == TypeKind::Float; }
inline bool isComplex(ElementType T) { return kindOf(T) == TypeKind::Complex; }

/// Bits of a value: 1 for pred, 4 for s4, both parts of a complex number.
unsigned bitWidth(ElementType Type);
/// Bytes of an element in memory; nothing is packed, so pred and s4 take one.
unsigned byteWidth(ElementType Type);
/// The type of the real part; only for complex types.
ElementType componentOf(ElementType Type);
/// The format of a float type, or of the parts of a complex one.
const llvm::fltSemantics &semanticsOf(ElementType Type);

/// An immutable shape; cheap to copy, tuples share their elements.
class HloShape {
public:
  /// A tuple in a tuple in ... may not go deeper than this.
  static constexpr unsigned MaxNesting = 100;
  /// A tuple has no more arrays, all the way down.
  static constexpr size_t MaxArrays = size_t(1) << 20;
  /// Some algorithms take quadratic time in the number of dimensions.
  static constexpr size_t MaxRank = 256;

  /// The scalar pred[].
  HloShape() = default;
  static HloShape scalar(ElementType Type);
  /// An array. Without \p MinorToMajor the last dimension is the minor one.
  /// Errors: too many dimensions, a negative size, 2^63 bytes or more (sizes of
  /// 0 counted as 1, so that strides fit as well), a layout that is no
  /// permutation.
  static llvm::Expected<HloShape>
  array(ElementType Type, llvm::ArrayRef<int64_t> Dimensions,
        std::optional<llvm::ArrayRef<int64_t>> MinorToMajor = std::nullopt);
  /// Errors: too deep, too many arrays.
  static llvm::Expected<HloShape> tuple(std::vector<HloShape> Elements);

  bool isTuple() const { return Elements != nullptr; }
  bool isArray() const { return !isTuple(); }
  bool isScalar() const { return isArray() && Dimensions.empty(); }

  // Of an array:
  ElementType elementType() const { return Type; }
  llvm::ArrayRef<int64_t> dimensions() const { return Dimensions; }
  int64_t dimension(size_t I) const { return Dimensions[I]; }
  size_t rank() const { return Dimensions.size(); }
  /// The dimensions, the one with the smallest stride first.
  llvm::ArrayRef<int64_t> minorToMajor() const { return MinorToMajor; }
  bool hasDescendingLayout() const;
  /// For each dimension, how many elements apart its neighbours lie in memory.
  std::vector<int64_t> strides() const;
  int64_t elementCount() const { return Count; }
  int64_t byteSize() const { return Count * byteWidth(Type); }
  /// The same with another element type or layout; the layout has to be a
  /// permutation. Errors: too large.
  llvm::Expected<HloShape> withElementType(ElementType NewType) const;
  HloShape withDescendingLayout() const;

  // Of a tuple:
  llvm::ArrayRef<HloShape> elements() const;
  unsigned nesting() const { return Nesting; } ///< 0 for an array
  size_t arrayCount() const { return Arrays; } ///< 1 for an array

  /// Equal element types and dimensions, in tuples all the way down; layouts
  /// do not matter.
  bool isCompatible(const HloShape &Other) const;
  /// Layouts as well.
  bool operator==(const HloShape &Other) const;
  bool operator!=(const HloShape &Other) const { return !(*this == Other); }

  /// Prints "f32[2,3]{1,0}"; an array of rank 0 has no layout to print.
  void print(llvm::raw_ostream &OS, bool WithLayout = true) const;
  std::string str(bool WithLayout = true) const;

private:
  ElementType Type = ElementType::Pred;
  std::vector<int64_t> Dimensions, MinorToMajor;
  int64_t Count = 1;
  std::shared_ptr<const std::vector<HloShape>> Elements; ///< null: an array
  unsigned Nesting = 0;
  size_t Arrays = 1;
};

/// Moves \p Index to the next one of an array with sizes \p Dimensions, the
/// last dimension fastest. Returns false behind the last one. No size is 0.
bool nextIndex(llvm::MutableArrayRef<int64_t> Index,
               llvm::ArrayRef<int64_t> Dimensions);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_HLO_HLOSHAPE_H
