//===- VectorWidths.h - Accesses that could be one --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction moves up to 16 bytes for a lane, if the address is a multiple
// of that. Accesses of one kind in one basic block whose addresses differ by
// constants, and which are beside each other, could be one instruction. For
// IR, the back end does that (LoadStoreVectorizer); PTX shows what it missed.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_WARPS_VECTORWIDTHS_H
#define UNRAVEL_ANALYSIS_WARPS_VECTORWIDTHS_H

#include "analysis/warps/AccessReport.h"

namespace unravel {

/// Fills in VectorBytes and VectorNote of the accesses of one kernel.
void addVectorWidths(llvm::MutableArrayRef<AccessReport> Reports,
                     llvm::ScalarEvolution &SE);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_WARPS_VECTORWIDTHS_H
