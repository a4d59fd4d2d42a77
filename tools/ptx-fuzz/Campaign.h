//===- Campaign.h - Many random modules -------------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_CAMPAIGN_H
#define UNRAVEL_TOOLS_PTX_FUZZ_CAMPAIGN_H

#include "tools/ptx-fuzz/generator/PtxGenerator.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace unravel::ptx {

struct CampaignOptions {
  uint64_t Seed;
  uint64_t NumModules;
  uint64_t Seconds; ///< After which no module is begun; 0 for no limit.
  unsigned KernelsPerModule;
  unsigned NumInputs;
  bool KeepsZeroDivisors;
  std::optional<PtxProfile> Profile;
  std::string Program;
  std::vector<std::string> Arguments;
  std::string Assembler; ///< Or empty.
  std::string Output;    ///< The folder of findings.
  bool Reduces;
};

/// Prints counts and findings. Returns the number of findings.
llvm::Expected<uint64_t> runCampaign(const CampaignOptions &Options);

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_CAMPAIGN_H
