//===- HloEffects.h - What is done besides results --------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data is sent to another device, or text printed, even if nobody reads the
// result. This is known of a custom-call with custom_call_has_side_effect=true
// and of some operations of libraries (HloOpcodes.def), and is so for all that
// runs one of them: calls, loops, branches.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_HLO_HLOEFFECTS_H
#define UNRAVEL_FRONTEND_HLO_HLOEFFECTS_H

#include "frontend/hlo/HloModule.h"
#include "llvm/ADT/DenseMap.h"

namespace unravel {

/// Answers for the instructions of one module. Linear in the size of what is
/// called, over all questions; recursive as deep as computations call.
class HloEffects {
public:
  bool has(const HloInstruction &I);

private:
  llvm::DenseMap<const HloComputation *, bool> Known;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_HLO_HLOEFFECTS_H
