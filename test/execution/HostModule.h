//===- HostModule.h - A kernel's IR for this CPU ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The translation from NVVM IR to host IR.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_EXECUTION_HOSTMODULE_H
#define UNRAVEL_TEST_EXECUTION_HOSTMODULE_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace unravel {

/// The function of a host module that runs all threads. It has the type
/// void(void *const *Arguments, const uint32_t *Shape), with the grid's extents
/// before the block's in Shape.
constexpr llvm::StringLiteral DriverName = "unravel.run";

/// Copies \p Kernel and what it uses into a module for \p Triple and \p Layout,
/// in the same context. May rewrite constant expressions of the source module.
llvm::Expected<std::unique_ptr<llvm::Module>>
makeHostModule(llvm::Function &Kernel, const llvm::Triple &Triple,
               const llvm::DataLayout &Layout);

} // namespace unravel

#endif // UNRAVEL_TEST_EXECUTION_HOSTMODULE_H
