//===- FormText.h - Forms in the words of the source ------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_SIMPLIFY_FORMTEXT_H
#define UNRAVEL_TRANSFORMS_SIMPLIFY_FORMTEXT_H

#include "analysis/recovery/IndexRecovery.h"
#include "llvm/ADT/MapVector.h"

namespace unravel {

/// The text of forms in one remark. In a kernel that was compiled from a source
/// (it has line numbers at least), variables have the names of the source, and
/// a legend says what those are that have none. Otherwise forms are printed as
/// the IR names its values.
class FormText {
public:
  explicit FormText(IndexRecovery &Recovery) : Recovery(Recovery) {}

  std::string text(IndexExpr E);
  /// " (v1: the value loaded at line 12)"; empty if all names are known.
  std::string legend() const;

private:
  std::string nameOf(const IndexAtom *Variable);

  IndexRecovery &Recovery;
  llvm::MapVector<const llvm::Value *, std::string> Unnamed;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_SIMPLIFY_FORMTEXT_H
