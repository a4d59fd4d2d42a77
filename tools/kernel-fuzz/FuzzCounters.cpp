//===- FuzzCounters.cpp - What a run has done so far ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/FuzzCounters.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

static constexpr struct {
  const char *Name;
  uint64_t FuzzCounters::*Number;
} Columns[] = {{"not-loaded", &FuzzCounters::NotLoaded},
               {"kernels", &FuzzCounters::Kernels},
               {"changed", &FuzzCounters::Changed},
               {"functions", &FuzzCounters::Functions},
               {"compared", &FuzzCounters::Compared},
               {"skipped", &FuzzCounters::Skipped},
               {"unsupported", &FuzzCounters::Unsupported},
               {"findings", &FuzzCounters::Findings},
               {"llvm-findings", &FuzzCounters::LLVMFindings},
               {"not-idempotent", &FuzzCounters::NotIdempotent},
               {"crashes", &FuzzCounters::Crashes}};

FuzzCounters &FuzzCounters::operator+=(const FuzzCounters &Other) {
  for (const auto &Column : Columns)
    this->*Column.Number += Other.*Column.Number;
  return *this;
}

std::string FuzzCounters::str() const {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const auto &Column : Columns)
    OS << (Text.empty() ? "" : " ") << Column.Name << '='
       << this->*Column.Number;
  return Text;
}

} // namespace unravel
