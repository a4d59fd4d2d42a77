//===- SplitBodies.h - A module for each of two bodies ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// launch-versioning gives a kernel a second body and keeps the first for all
// other launches. In PTX the two are judged and printed by themselves, since
// the kernel's own text may be the better first body. This pass takes them
// apart once both are simplified:
//
//     kernel, with a second body           Rest, with the first one
//
//     entry:                               entry:
//       br i1 %fits, label %fast,            ...              ; without facts
//                    label %fallback
//     fast:
//       ...                 ; with facts
//     fallback:
//       call asm "unravel.fallback;"
//       ret void
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LOWER_SPLITBODIES_H
#define UNRAVEL_PTX_LOWER_SPLITBODIES_H

#include "llvm/IR/PassManager.h"
#include <memory>

namespace unravel::ptx {

/// The opcode that stands for the first body.
inline constexpr const char *FallbackMarker = "unravel.fallback";

class SplitBodiesPass : public llvm::PassInfoMixin<SplitBodiesPass> {
public:
  /// \p Rest becomes a copy of the kernel's module if the kernel has two
  /// bodies. If there is a module already, the pass does nothing.
  explicit SplitBodiesPass(std::unique_ptr<llvm::Module> &Rest) : Rest(Rest) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

private:
  std::unique_ptr<llvm::Module> &Rest;
};

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LOWER_SPLITBODIES_H
