//===- InlinedPlaces.h - Places that .loc directives need -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `.loc 2 50 21, function_name ..., inlined_at 1 265 26` is an error for ptxas
// unless a directive for 1 265 26 stands above it. Code of the place of a call
// may be gone, or moved below that of the function that was inlined there.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LOWER_INLINEDPLACES_H
#define UNRAVEL_PTX_LOWER_INLINEDPLACES_H

#include "ptx/text/SourcePlaces.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace unravel::ptx {

/// Prints the .loc directives of a new body, in its order.
class InlinedPlaces {
public:
  /// \p Places are those of the old body, in its order.
  explicit InlinedPlaces(llvm::ArrayRef<llvm::StringRef> Places);

  /// Prints the directive at \p Index, a line, and above it those that it needs
  /// and that were not printed.
  void print(size_t Index, llvm::raw_ostream &OS);

private:
  struct Place {
    llvm::StringRef Directive;
    std::optional<LineNumbers> Own, Call;
    /// The nearest directive above for the place of the call.
    std::optional<size_t> CallAt;
  };

  std::vector<Place> Places;
  llvm::DenseSet<LineNumbers> Printed;
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LOWER_INLINEDPLACES_H
