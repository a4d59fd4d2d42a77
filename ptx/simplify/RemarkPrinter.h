//===- RemarkPrinter.h - Remarks with places in the source ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_SIMPLIFY_REMARKPRINTER_H
#define UNRAVEL_PTX_SIMPLIFY_REMARKPRINTER_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/IR/DiagnosticHandler.h"
#include <map>

namespace unravel::ptx {

/// Where a piece of a module comes from, as `file:line:column`.
class SourcePlaces {
public:
  SourcePlaces(const Module &M, llvm::StringRef BufferName);
  /// \p Text is a `.loc` directive of the module: the place that it names. Any
  /// other part of the module's text: the place in the module itself.
  std::string placeOf(llvm::StringRef Text) const;

private:
  void noteFile(llvm::StringRef Rest);

  llvm::StringRef ModuleText;
  std::string BufferName;
  std::map<unsigned, llvm::StringRef> Files; ///< of `.file` directives
};

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

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_SIMPLIFY_REMARKPRINTER_H
