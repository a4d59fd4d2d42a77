//===- WarpSymbols.h - What is not known, in residue classes ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols of WarpForm.h. Some questions, such as floor((s + lane) / 75),
// need to know s modulo something: then the symbol is *split*, and all is
// computed again for each residue class
//
//     s = Scale * (Split * q + Chosen) + Residue,   Chosen = 0, ..., Split - 1
//
// with a new unknown q in the place of s. Where that would give more classes
// than s has values, the values are the classes: q is the least of them.
// Likewise a condition that is not known but is the same in all lanes is split
// into true and false. The classes are walked through like the digits of a
// counter; their number is bounded.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_WARPSYMBOLS_H
#define UNRAVEL_ANALYSIS_WARPS_WARPSYMBOLS_H

#include "analysis/algebra/Interval.h"
#include "analysis/warps/WarpForm.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace unravel {

class WarpSymbols {
public:
  /// More classes than this are not looked at.
  static constexpr int64_t MaxClasses = 2048;
  /// More values than these are not enumerated.
  static constexpr uint64_t MaxValues = 8;

  struct Symbol {
    std::string Name;               ///< for messages
    Interval Range;                 ///< of s
    int64_t Scale = 1, Residue = 0; ///< s = Residue modulo Scale
    int64_t Split = 1, Chosen = 0;
    bool IsEnumerated = false; ///< Split is the number of values
    bool IsLoopCounter = false;
  };
  /// What a symbol stands for: some address, and a number to tell readings of
  /// it apart.
  using Key = std::pair<const void *, unsigned>;

  /// The symbol of \p Key, made of \p Properties when it is first asked for.
  unsigned symbolOf(Key Key, llvm::function_ref<Symbol()> Properties);
  /// The product of what two symbols are in the present class.
  unsigned productOf(unsigned A, unsigned B);
  const Symbol &operator[](unsigned S) const { return Symbols[S]; }

  /// The symbol as a form over q, in the present class.
  std::optional<WarpForm> formOf(unsigned S) const;
  /// A superset of the values of q in the present class.
  Interval rangeOf(unsigned S) const;

  /// The choice for a condition; the first question after a restart is one for
  /// a split.
  bool choiceOf(const void *Condition);
  /// Asks for \p S to be split into \p Factor times as many classes.
  void split(unsigned S, int64_t Factor);
  /// Asks for each of the values of \p S, if these are MaxValues or fewer;
  /// false if not.
  bool enumerate(unsigned S);
  /// Whether a split was asked for: what is computed until restart() is void.
  bool needsRestart() const { return NeedsRestart; }
  /// Whether a symbol is a number in each class.
  bool isAnyEnumerated() const;
  /// Whether there would be more than MaxClasses.
  bool hasTooManyClasses() const { return HasTooMany; }

  /// Begins with the first class of all.
  void restart();
  /// The next class; false, and the first one, after the last.
  bool next();

private:
  int64_t countClasses() const;

  std::vector<Symbol> Symbols;
  llvm::DenseMap<Key, unsigned> Numbers;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> Products;
  struct Choice {
    const void *Condition;
    bool Chosen;
  };
  std::vector<Choice> Choices;
  bool NeedsRestart = false, HasTooMany = false;
};

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_WARPSYMBOLS_H
