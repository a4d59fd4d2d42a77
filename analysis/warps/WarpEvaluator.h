//===- WarpEvaluator.h - IR values in the lanes of a warp -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes integers and pointers of a kernel in all lanes of one warp of a
// block of known shape, as a WarpForm in the present class of the symbols.
//
// A value of width w has bits, a form is an integer. Every form is congruent to
// its value modulo 2^w; it is *exact* where it equals the number that the bits
// mean. Sums and products need no more than the congruence, so ordinary 32-bit
// index arithmetic that may wrap keeps exact differences between lanes. Where
// the number itself is asked for (extension to 64 bits, division, comparison),
// it is exact by flags or ranges, or because all lanes lie in one aligned block
// of a power of two, which 2^31 and 2^32 are multiples of; then the part that
// all lanes share becomes a symbol of its own. Elsewhere it is assumed that the
// value does not wrap between the lanes, and the assumption is reported.
//
// Lanes are taken to be in the same iteration of a loop.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_WARPEVALUATOR_H
#define UNRAVEL_ANALYSIS_WARPS_WARPEVALUATOR_H

#include "analysis/warps/KernelAnalyses.h"
#include "analysis/warps/WarpSymbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include <memory>

namespace llvm {
class BinaryOperator;
class GEPOperator;
class IntrinsicInst;
class Loop;
class SCEV;
} // namespace llvm

namespace unravel {

/// What tells the symbols of one value apart: what it is as it is, and what
/// lanes share of it where it wraps (plus the logarithm of the alignment).
/// The quotients have the number of the divisor added.
enum WarpSymbolKind : unsigned {
  Plain,
  SignedWrap = 1u << 28,
  UnsignedWrap = 2u << 28,
  SignedQuotient = 3u << 28,
  UnsignedQuotient = 4u << 28,
};

/// blockDim: threads in x, y and z, each at least 1, at most 1024 together.
struct BlockShape {
  unsigned X = 256, Y = 1, Z = 1;
  unsigned threads() const { return X * Y * Z; }
  unsigned warps() const {
    return (threads() + LanesPerWarp - 1) / LanesPerWarp;
  }
};

/// Form, and in each lane a number of its own in Own.
struct WarpWay {
  WarpForm Form;
  Interval Own;
};
using WarpWays = llvm::SmallVector<WarpWay, 2>;

struct WarpValue {
  /// Why the value is not known; empty if it is.
  std::string Unknown;
  /// It is not known because each lane loads a value of its own from memory: a
  /// gather, which no analysis of the kernel can know more of.
  bool IsLoaded = false;
  /// If lanes had left a loop together, it might be known: the loop.
  std::string LoopThatLanesLeave;
  /// If the value is not known: in each lane it is one of these, not the same
  /// one in all lanes. None if nothing bounds it.
  WarpWays Ways;
  WarpForm Form;
  unsigned Width = 0; ///< in bits
  /// The form equals the number that the bits mean, read so.
  bool IsExactSigned = false, IsExactUnsigned = false;

  bool isKnown() const { return Unknown.empty(); }
};

/// A truth value in each lane; nullopt where it is not known.
struct WarpCondition {
  std::array<std::optional<bool>, LanesPerWarp> Lanes;
  /// Lanes may differ where they are not known.
  bool MayDiffer = true;
  /// It depends on something that is unknown altogether; why.
  std::string Unknown;
};

class WarpEvaluator {
public:
  /// Values and conditions looked at, over all warps and classes, before it
  /// gives up.
  static constexpr unsigned MaxSteps = 400000;
  /// Operands inside each other.
  static constexpr unsigned MaxDepth = 200;

  WarpEvaluator(KernelAnalyses &Analyses, const BlockShape &Block,
                WarpSymbols &Symbols, unsigned Steps = MaxSteps);

  /// How many of its steps are left.
  unsigned stepsLeft() const { return StepsLeft; }
  /// Whether something was given up for want of steps.
  bool isOutOfSteps() const { return StepsLeft == 0; }

  /// Forgets all values: for another warp, or another class. What is computed
  /// is used in \p Place: what holds there is known of it.
  void startWarp(unsigned Warp, const llvm::BasicBlock *Place);
  /// From now on, a quotient or a part of the bits of a number that all lanes
  /// share is a number that is not known, not one in each residue class. Nor
  /// are there classes for the sake of guards and of the ends of loops. It has
  /// all its steps again.
  void beCoarse() {
    IsCoarse = true;
    StepsLeft = StepsAtStart;
  }

  /// \p V in the present class. Meaningless once Symbols.needsRestart().
  const WarpValue &valueOf(const llvm::Value *V);
  /// The lanes that execute \p BB, as far as is known: those in the block for
  /// which no dominating branch leads elsewhere.
  std::array<bool, LanesPerWarp> activeLanes(const llvm::BasicBlock *BB);
  /// Takes away the lanes for which \p Condition is not what it \p Holds.
  void restrictLanes(std::array<bool, LanesPerWarp> &Active,
                     const llvm::Value *Condition, bool Holds);
  /// Whether a dominating branch depends on what is not known.
  bool hasUnknownGuard() const { return HasUnknownGuard; }

  /// What was taken for granted since startWarp().
  llvm::ArrayRef<std::string> assumptions() const { return Assumptions; }
  void assume(std::string What) {
    if (!llvm::is_contained(Assumptions, What))
      Assumptions.push_back(std::move(What));
  }

  /// Of \p Form in the present class, over all lanes.
  Interval rangeOf(const WarpForm &Form) const;
  /// Splits symbols until all coefficients are multiples of \p Divisor; false
  /// if that needs a restart, or if nothing may be split now.
  bool makeDivisible(const WarpForm &Form, int64_t Divisor);

private:
  using Operand = const WarpValue &;

  // WarpEvaluator.cpp: symbols, addresses, casts

  WarpValue compute(const llvm::Value *V);
  void shareExactForm(const llvm::Value *V, WarpValue &Result);
  WarpValue computeInstruction(const llvm::Instruction &I);
  WarpValue operand(const llvm::Instruction &User, unsigned Number);
  WarpValue unknown(const llvm::Twine &Why) const;
  WarpValue known(std::optional<WarpForm> Form, unsigned Width,
                  bool IsExactSigned, bool IsExactUnsigned) const;
  WarpValue number(std::optional<WarpForm> Form, unsigned Width) const {
    return known(std::move(Form), Width, true, true);
  }
  /// A symbol for what all lanes agree on.
  WarpValue uniform(const llvm::Value *V);
  WarpValue pointerSymbol(const llvm::Value *V, int64_t Alignment);
  WarpValue address(const llvm::GEPOperator &GEP);
  WarpValue load(const llvm::Instruction &I);
  WarpValue specialRegister(const llvm::IntrinsicInst &Call);
  std::optional<WarpForm> exact(const void *Key, const llvm::Value *Named,
                                Operand V, bool IsSigned,
                                bool MayAssume = true);
  std::optional<WarpForm> wrapped(const WarpForm &Form, unsigned Width,
                                  bool IsSigned) const;
  /// What the conditions that hold in the place of the access say of numbers
  /// that satisfy \p Is, compared with constants.
  Interval guardedRange(llvm::function_ref<bool(const llvm::Value *)> Is,
                        bool IsSigned) const;
  unsigned widthOf(const llvm::Type *Ty) const;
  bool leavesTogether(const llvm::Loop &L);

  // WarpWays.cpp: bounds of what is not known

  WarpWays waysOf(const llvm::Value *V);
  WarpWays waysOfInstruction(const llvm::Instruction &I);
  WarpWays waysOfOperand(const llvm::Instruction &User, unsigned Number);
  WarpWays waysOfAddress(const llvm::GEPOperator &GEP);
  WarpWays waysInRange(const llvm::Value *V);
  Interval rangeOf(const WarpWay &Way) const;

  // WarpOperations.cpp: arithmetic

  WarpValue arithmetic(const llvm::Instruction &I);
  WarpValue binary(const llvm::BinaryOperator &I, Operand A, Operand B);
  WarpValue multiply(Operand A, Operand B, unsigned Width);
  WarpValue wordProduct(const llvm::CallBase &Call, bool IsSigned);
  WarpValue divide(const llvm::BinaryOperator &I, Operand A, Operand B);
  WarpValue divideInOneRow(const llvm::BinaryOperator &I, Operand A, Operand B);
  WarpValue maskBits(const llvm::BinaryOperator &I, Operand A, Operand B);
  WarpValue conversion(const llvm::Instruction &I);
  WarpValue extreme(const llvm::IntrinsicInst &Call);
  WarpValue absolute(const llvm::IntrinsicInst &Call);
  WarpValue foldLanes(const llvm::Instruction &I);
  std::optional<WarpForm> floorDivide(const WarpForm &Form, int64_t Divisor);

  // WarpControl.cpp: conditions, joins and loops

  WarpValue select(const llvm::Instruction &I);
  WarpValue choose(const llvm::Value *Condition, const WarpCondition &C,
                   Operand IfTrue, Operand IfFalse);
  WarpValue join(const llvm::PHINode &Phi);
  WarpValue joinTogether(const llvm::PHINode &Phi,
                         llvm::ArrayRef<WarpValue> Incoming);
  WarpValue loopPhi(const llvm::PHINode &Phi, const llvm::Loop &L);
  WarpValue step(const llvm::SCEV *S, const llvm::PHINode &Phi, unsigned Depth);
  WarpCondition conditionOf(const llvm::Value *V, unsigned Depth = 0);
  /// The same for what decides no number.
  WarpCondition conditionOfBranch(const llvm::Value *V);
  void forget(size_t Mark);
  WarpCondition comparison(const llvm::CmpInst &Cmp);

  KernelAnalyses &With;
  BlockShape Block;
  WarpSymbols &Symbols;
  const llvm::DataLayout &Layout;
  unsigned Warp = 0;
  const llvm::BasicBlock *Place = nullptr;
  bool IsCoarse = false, MaySplit = true;
  unsigned Depth = 0, StepsLeft, StepsAtStart;
  llvm::DenseMap<const llvm::Value *, std::unique_ptr<WarpValue>> Values;
  /// The keys of Values in the order of evaluation.
  std::vector<const llvm::Value *> Order;
  /// Divisors of run time, in the order of their discovery.
  llvm::DenseMap<const llvm::Value *, unsigned> DivisorNumbers;
  std::vector<std::string> Assumptions;
  bool HasUnknownGuard = false;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_WARPEVALUATOR_H
