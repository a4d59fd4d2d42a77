//===- AccessText.h - Access reports in words -------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_ACCESSTEXT_H
#define UNRAVEL_ANALYSIS_WARPS_ACCESSTEXT_H

#include "analysis/warps/AccessReport.h"

namespace unravel {

/// "load, global, 4 bytes a lane".
std::string accessText(const MemoryAccess &Access);
/// "sectors: 4, ideal: 4, efficiency: 1.00", of an access that has a cost.
std::string costText(const AccessReport &Access);

/// "load, global, 4 bytes a lane: stride 128 bytes", and what there is to say
/// besides: cost, address, assumptions, hint.
llvm::SmallVector<std::string, 6> linesOf(const AccessReport &Report);

/// These lines, all but the first indented by four; \p Place, in the source,
/// may be empty.
void print(const AccessReport &Report, llvm::StringRef Place,
           llvm::raw_ostream &OS);

/// "blocks of 16 x 16 x 1 threads (required by the kernel)".
void print(const BlockShape &Block, llvm::StringRef Source,
           llvm::raw_ostream &OS);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_ACCESSTEXT_H
