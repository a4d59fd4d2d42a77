//===- HloTestHelper.h - HLO text in tests ----------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_HLOTESTHELPER_H
#define UNRAVEL_TEST_UNIT_HLOTESTHELPER_H

#include "frontend/HloParser.h"
#include "frontend/HloPrinter.h"
#include "frontend/HloVerifier.h"
#include "gtest/gtest.h"

namespace unravel {

/// The module \p Text is; a failure and a small module if it is none.
inline std::unique_ptr<HloModule>
parseModule(llvm::StringRef Text,
            std::vector<std::string> *Warnings = nullptr) {
  std::vector<std::string> Ignored;
  auto Module = parseHlo(Text, "<test>", Warnings ? *Warnings : Ignored);
  if (Module)
    return std::move(*Module);
  ADD_FAILURE() << llvm::toString(Module.takeError()) << "\nin\n" << Text.str();
  return parseModule("x = pred[] parameter(0)");
}

/// The first line of the error for \p Text, parsed and verified; empty if there
/// is none.
inline std::string errorOf(const llvm::Twine &Text) {
  std::vector<std::string> Warnings;
  auto Module = parseHlo(Text.str(), "t", Warnings);
  llvm::Error E = Module ? verifyHlo(**Module) : Module.takeError();
  return E ? llvm::StringRef(llvm::toString(std::move(E)))
                 .split('\n')
                 .first.str()
           : "";
}

} // namespace unravel

#endif // UNRAVEL_TEST_UNIT_HLOTESTHELPER_H
