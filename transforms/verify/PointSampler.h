//===- PointSampler.h - Values for the leaves of a kernel -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses what the leaves of a function (PointEvaluator.h) are at a point: the
// ends of their ranges, numbers around the constants and values that they meet
// in comparisons, and random ones. Every sequence of points is the same each
// time.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_VERIFY_POINTSAMPLER_H
#define UNRAVEL_TRANSFORMS_VERIFY_POINTSAMPLER_H

#include "analysis/facts/RangeFacts.h"
#include "llvm/Support/KnownBits.h"
#include <random>

namespace unravel {

class PointSampler {
public:
  explicit PointSampler(const RangeFacts &Facts);

  /// Begins point \p Number: 0 has every leaf at its lower end, 1 at its upper
  /// end; of the others some have poison where a leaf may be poison.
  void startPoint(unsigned Number);

  /// The value of \p Leaf (a pointer is a number as wide as its indices), or of
  /// something without a name that has this type.
  llvm::Constant *valueOf(const llvm::Value *Leaf, llvm::IntegerType *Ty);
  /// The leaves of this point and what they are, as "tid.x = 5, n = 7".
  std::string describe() const;

private:
  /// What RangeFacts and LLVM say of a leaf.
  struct LeafFacts {
    Interval Signed, Unsigned;
    Congruence Lattice;
    llvm::KnownBits Bits;
    bool MayBePoison;
  };
  const LeafFacts &factsOf(const llvm::Value *Leaf);
  llvm::Constant *draw(const llvm::Value *Leaf, llvm::IntegerType *Ty);
  llvm::Constant *drawPointer(llvm::IntegerType *Ty);
  int64_t drawRegister(unsigned Register);
  int64_t drawFrom(const Interval &Range);
  uint64_t below(uint64_t Bound);

  const RangeFacts &Facts;
  /// What all reads of a special register of the launch together allow.
  struct RegisterFacts {
    Interval Range;
    Congruence Lattice;
  };
  llvm::DenseMap<unsigned, RegisterFacts> Registers;
  /// The constants of the function.
  llvm::SmallVector<int64_t, 32> Constants;
  llvm::DenseMap<const llvm::Value *, LeafFacts> KnownFacts;

  // Of the current point.
  enum class Corner { Lower, Upper, None } AtCorner = Corner::None;
  bool WithPoison = false;
  std::mt19937_64 Random;
  llvm::DenseMap<unsigned, int64_t> RegisterValues;
  llvm::SmallVector<std::pair<const llvm::Value *, llvm::Constant *>, 8> Drawn;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_VERIFY_POINTSAMPLER_H
