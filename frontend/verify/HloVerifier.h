//===- HloVerifier.h - Whether a module makes sense -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares every written shape with the one that the operands and attributes
// give. Whoever works on a verified module can rely on what
// HloShapeInference.h says.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_VERIFY_HLOVERIFIER_H
#define UNRAVEL_FRONTEND_VERIFY_HLOVERIFIER_H

#include "frontend/hlo/HloModule.h"

namespace unravel {

/// The first instruction whose shape, operands or attributes do not fit, or the
/// first array that cannot have the memory it is written to have.
llvm::Error verifyHlo(const HloModule &Module);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_VERIFY_HLOVERIFIER_H
