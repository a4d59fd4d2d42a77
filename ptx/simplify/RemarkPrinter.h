//===- RemarkPrinter.h - Remarks with places in the source ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_SIMPLIFY_REMARKPRINTER_H
#define UNRAVEL_PTX_SIMPLIFY_REMARKPRINTER_H

#include "ptx/text/SourcePlaces.h"
#include "llvm/IR/DiagnosticHandler.h"

namespace unravel::ptx {

/// Prints remarks of passes on a lifted kernel, whose debug locations are
/// numbers of places (LiftedKernel::Places). Which remarks are wanted, LLVM's
/// options say: -pass-remarks=index-simplify and its kin.
class RemarkPrinter : public llvm::DiagnosticHandler {
public:
  /// Both have to outlive the printer.
  RemarkPrinter(const SourcePlaces &Source,
                const std::vector<llvm::StringRef> &Places)
      : Source(Source), Places(Places) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &DI) override;

private:
  const SourcePlaces &Source;
  const std::vector<llvm::StringRef> &Places;
};

/// Wants no remarks, so that passes spend no time on them. What is made is only
/// to be compared.
class RemarkSilencer : public llvm::DiagnosticHandler {
public:
  bool isAnalysisRemarkEnabled(llvm::StringRef) const override { return false; }
  bool isMissedOptRemarkEnabled(llvm::StringRef) const override {
    return false;
  }
  bool isPassedOptRemarkEnabled(llvm::StringRef) const override {
    return false;
  }
  bool isAnyRemarkEnabled() const override { return false; }
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_SIMPLIFY_REMARKPRINTER_H
