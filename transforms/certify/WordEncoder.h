//===- WordEncoder.h - Machine words as integers ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM's operations on words of w bits mean in integers. A word is a
// polynomial that equals it modulo 2^w; where an operation reads it as a
// number, the polynomial is brought into the range of that reading, by a proof
// that it is there already or by a further variable for the multiple of 2^w. A
// quotient is a variable q with 0 <= N - D*q < D.
//
// The definitions follow the language reference, not the analyses of the pass.
// WordEncoderTest compares each with LLVM's constant folder for all words of
// few bits.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_CERTIFY_WORDENCODER_H
#define UNRAVEL_TRANSFORMS_CERTIFY_WORDENCODER_H

#include "analysis/facts/PoisonFlags.h"
#include "transforms/certify/CaseAnalysis.h"
#include "llvm/ADT/APInt.h"
#include "llvm/IR/InstrTypes.h"
#include <tuple>

namespace unravel {

struct Word {
  unsigned Width = 0;
  Polynomial Bits; ///< equal to the word modulo 2^Width
  /// Equal to the word as a number, where that is known already.
  std::optional<Polynomial> Unsigned, Signed;
};

/// What a flag (nsw, exact, ...) says of a result.
enum class Trust {
  Believed, ///< it is a fact: the result is not poison
  Proved    ///< it has to be proved: the result must not be poison
};

class WordEncoder {
public:
  explicit WordEncoder(Case &C) : C(C) {}

  Word constant(const llvm::APInt &Value);
  /// Any word of this width, between these numbers, read as signed or unsigned.
  Word unknown(unsigned Width, const DynamicAPInt &Low,
               const DynamicAPInt &High, bool IsSigned);
  Word truth(bool Value);

  Polynomial unsignedOf(const Word &W) { return numberOf(W, false); }
  Polynomial signedOf(const Word &W) { return numberOf(W, true); }
  /// Of a word of one bit.
  bool isTrue(const Word &W);

  /// \p Opcode is one of Instruction::BinaryOps.
  Word binary(unsigned Opcode, const Word &A, const Word &B, PoisonFlags Flags,
              Trust T);
  Word zeroExtended(const Word &A, unsigned Width);
  Word signExtended(const Word &A, unsigned Width);
  Word truncated(const Word &A, unsigned Width, PoisonFlags Flags, Trust T);
  /// umin, umax, smin, smax.
  Word lesser(const Word &A, const Word &B, bool IsSigned);
  Word greater(const Word &A, const Word &B, bool IsSigned);
  /// A - B, or 0 where that is negative, of unsigned numbers.
  Word differenceOrZero(const Word &A, const Word &B);
  /// Whether it is known which word is greater, if need be for this case.
  bool isOrdered(const Word &A, const Word &B, bool IsSigned);
  Word absolute(const Word &A, bool LeastIsPoison, Trust T);
  /// The upper half of the unsigned product.
  Word upperProduct(const Word &A, const Word &B);
  bool compare(llvm::CmpInst::Predicate P, const Word &A, const Word &B);

  /// The comparison has this outcome: a fact.
  void assume(llvm::CmpInst::Predicate P, const Word &A, const Word &B);
  /// Whether it follows easily that the comparison has this outcome.
  bool follows(llvm::CmpInst::Predicate P, const Word &A, const Word &B);
  /// \p P is not negative: a fact, or something to prove.
  void require(const Polynomial &P, Trust T, llvm::StringRef Otherwise);
  /// \p Number is a word of this width: a fact, or something to prove.
  void requireRange(const Polynomial &Number, unsigned Width, bool IsSigned,
                    Trust T);
  /// The word is not 0: a fact. Where its sign decides, the case is split.
  void assumeNotZero(const Word &W, bool IsSigned);
  /// Likewise, without.
  void learnNotZero(const Word &W, bool IsSigned);
  /// Whether it follows that the words are the same.
  bool areEqual(const Word &A, const Word &B);
  /// Whether it follows that \p P = 0.
  bool isZero(const Polynomial &P);
  /// Whether it follows that \p P is not 0: a product is not, if no factor is.
  bool isNotZero(const Polynomial &P, unsigned Splits);

  /// Whether the polynomials are the same modulo 2^Width because of how their
  /// numbers were computed.
  bool haveSameOrigin(const Polynomial &P, const Polynomial &Q,
                      unsigned Width) const {
    return traced(P - Q, Width).terms().empty();
  }
  /// Looks again for the multiples of 2^w that are only one number: facts may
  /// have been learned since.
  void fixMultiples();
  /// Likewise for quotients.
  void fixQuotients();

  static DynamicAPInt powerOfTwo(unsigned Exponent);
  /// The least and the greatest word, as numbers.
  static DynamicAPInt lowest(unsigned Width, bool IsSigned);
  static DynamicAPInt highest(unsigned Width, bool IsSigned);

private:
  /// Splits for what would only be convenient to know.
  static constexpr unsigned SplitsForRange = 1;
  /// Splits for what a rewrite claims.
  static constexpr unsigned SplitsForClaim = 48;

  /// \p Num / Den.
  struct Ratio {
    Polynomial Num, Den;
  };

  static Polynomial balanced(const Polynomial &P, unsigned Width);
  bool isInRange(const Polynomial &P, const DynamicAPInt &Low,
                 const DynamicAPInt &High);
  Polynomial numberOf(const Word &W, bool IsSigned);
  Polynomial findNumber(const Word &W, bool IsSigned);
  Polynomial settled(const Polynomial &Number, unsigned Width, bool IsSigned);
  Polynomial named(const Polynomial &Start, unsigned Width, bool IsSigned,
                   const DynamicAPInt &Least, const DynamicAPInt &Most);
  Polynomial traced(const Polynomial &P, unsigned Width) const;
  Polynomial bitsOf(const Word &W) const;
  Ratio ratioOf(const Polynomial &P) const;
  bool mayDifferByLessThanOne(const Ratio &A, const Ratio &B) const;
  bool isInProduct(const Polynomial &P, const DynamicAPInt &Most);
  std::vector<Polynomial> productsAbove(const Polynomial &N,
                                        const Polynomial &D);
  Polynomial collectDefinition(unsigned Variable,
                               std::vector<Polynomial> &Facts) const;
  void relateToCoarser(const Polynomial &Fine, const Ratio &FineRatio,
                       const Polynomial &Coarse, const Ratio &CoarseRatio);
  /// The variable m of Start = n + m * 2^w, and that of n.
  struct Multiple {
    unsigned Variable, Number;
  };
  bool fix(const Multiple &M);
  Polynomial unnamed(const Polynomial &P, bool ProductsOnly) const;
  Polynomial floorOfQuotient(const Polynomial &N, const Polynomial &D);
  bool settleQuotients(const Polynomial &P);
  bool isQuotient(const Polynomial &Q, const Polynomial &N,
                  const Polynomial &D);
  std::optional<Polynomial> knownQuotient(const Polynomial &N,
                                          const Polynomial &D);
  void assumeZero(const Polynomial &P);
  Word extreme(const Word &A, const Word &B, bool IsSigned, bool IsGreater);
  Word exactWord(unsigned Width, const Polynomial &Number, bool IsSigned);
  IntegerRange boundsOf(const Polynomial &P);
  void learnProduct(const Polynomial &X, const Polynomial &Y,
                    const Polynomial &Product);
  Word ring(const Word &A, const Word &B, unsigned Opcode, PoisonFlags Flags,
            Trust T);
  Word shiftLeft(const Word &A, unsigned Amount, PoisonFlags Flags, Trust T);
  Word quotient(unsigned Opcode, const Word &A, const Word &B,
                PoisonFlags Flags, Trust T);
  Polynomial truncatedQuotient(const Polynomial &N, const Polynomial &D);
  Word bitwise(unsigned Opcode, const Word &A, const Word &B, PoisonFlags Flags,
               Trust T);
  Polynomial commonBits(const Word &A, const Word &B);
  Polynomial maskedBits(const Word &A, const llvm::APInt &Mask);

  Case &C;
  std::map<std::tuple<Polynomial, unsigned, bool>, Polynomial> Numbers, Settled;
  /// Step * v = Start - Rest (mod 2^Width), for the variable v of a number;
  /// without a width, they are equal.
  struct Origin {
    Polynomial Start;
    DynamicAPInt Step, Rest;
    std::optional<unsigned> Width;
  };
  std::map<unsigned, Origin> Origins;
  std::vector<Multiple> Multiples;
  std::map<std::pair<Polynomial, Polynomial>, Polynomial> Quotients, Masks,
      Extremes;
  /// What the quotients are before they are rounded, by their variables.
  std::map<unsigned, Ratio> Ratios;
  /// Dividends and divisors of the quotients.
  std::map<unsigned, Ratio> Dividends;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_CERTIFY_WORDENCODER_H
