//===- PtxParser.h - Read a PTX module --------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_TEXT_PTXPARSER_H
#define UNRAVEL_PTX_TEXT_PTXPARSER_H

#include "ptx/text/PtxSyntax.h"
#include "llvm/Support/Error.h"

namespace unravel::ptx {

/// Reads a module in linear time. The tree points into \p Text. Instructions
/// are not checked against the ISA: what has the shape of one is read. Fails
/// with "BUFFER:LINE:COLUMN: error: …" on everything else.
llvm::Expected<Module> parseModule(llvm::StringRef Text,
                                   llvm::StringRef BufferName);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_TEXT_PTXPARSER_H
