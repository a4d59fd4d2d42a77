//===- RemarkSink.h - When remarks are printed ------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A remark speaks of code that is there. Whether a second body stays is decided
// only when it is finished, so what is said of it waits until then. A trial
// (FactTrials.h) simplifies a copy that never stays: nothing is said of it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_REMARKSINK_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_REMARKSINK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include <memory>
#include <type_traits>

namespace unravel {

class RemarkSink {
public:
  enum class When {
    Now,
    OfChanges, ///< now, and nothing of what stays as it is
    Later,     ///< when release() is called
    Never
  };
  explicit RemarkSink(When Time = When::Now) : Time(Time) {}

  bool isSilent() const { return Time == When::Never; }
  /// Whether anybody wants to read remarks of the pass \p Name.
  bool wants(llvm::OptimizationRemarkEmitter &ORE, const char *Name) const {
    return !isSilent() && ORE.allowExtraAnalysis(Name);
  }

  /// \p Build is called only if remarks are wanted. What was said of a place of
  /// the source is not said again: a value is looked at in several rounds, and
  /// an unrolled loop has copies of it.
  template <typename BuilderT>
  void emit(llvm::OptimizationRemarkEmitter &ORE, BuilderT &&Build) {
    using RemarkT = std::remove_reference_t<decltype(Build())>;
    constexpr bool IsOfChange =
        std::is_same_v<RemarkT, llvm::OptimizationRemark>;
    if (Time == When::Never || (Time == When::OfChanges && !IsOfChange) ||
        !ORE.enabled())
      return;
    RemarkT Remark = Build();
    if (Remark.isLocationAvailable() &&
        !Said.insert(Remark.getLocationStr() + Remark.getMsg()).second)
      return;
    if (Time != When::Later)
      ORE.emit(Remark);
    else
      Held.push_back(std::make_unique<RemarkT>(std::move(Remark)));
  }
  /// Prints what was held back. The code that it speaks of must still be there.
  void release(llvm::OptimizationRemarkEmitter &ORE) {
    for (auto &Remark : Held)
      ORE.emit(*Remark);
    Held.clear();
  }

private:
  When Time;
  llvm::SmallVector<std::unique_ptr<llvm::DiagnosticInfoOptimizationBase>, 8>
      Held;
  llvm::StringSet<> Said;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_REMARKSINK_H
