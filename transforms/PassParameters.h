//===- PassParameters.h - Parameters of passes as text ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `index-simplify<no-values;verify>` and `index-facts<state>`, as pipelines are
// written and printed.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_PASSPARAMETERS_H
#define UNRAVEL_TRANSFORMS_PASSPARAMETERS_H

#include "transforms/facts/IndexFacts.h"
#include "transforms/simplify/IndexSimplifyOptions.h"

namespace unravel {

/// \p Options, but for what \p Parameters say.
llvm::Expected<IndexSimplifyOptions>
parseIndexSimplifyParameters(llvm::StringRef Parameters,
                             IndexSimplifyOptions Options);

llvm::Expected<enum IndexFactsOptions::Mode>
parseIndexFactsMode(llvm::StringRef Parameters);

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_PASSPARAMETERS_H
