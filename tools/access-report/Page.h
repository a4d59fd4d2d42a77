//===- Page.h - Accesses as an HTML page ------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file without external resources. What does not change is in its HTML;
// model.js computes the requests from PageData.h, and view.js shows them.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_PAGE_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_PAGE_H

#include "tools/access-report/Report.h"
#include "llvm/IR/PassManager.h"

namespace unravel {

/// \p Path is the file that \p Input was read from, with \p Cuda and, if there
/// is one, the facts file \p FactsPath.
llvm::Expected<std::string>
renderPage(llvm::ArrayRef<KernelReport> Reports, const KernelInput &Input,
           llvm::FunctionAnalysisManager &AM, llvm::StringRef Path,
           const CudaOptions &Cuda, llvm::StringRef FactsPath);

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_PAGE_H
