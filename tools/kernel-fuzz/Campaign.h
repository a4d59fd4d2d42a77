//===- Campaign.h - Many subjects in several processes ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every worker is a process: a crash or a hang of the pass is a finding like
// any other, and the worker is replaced by one that goes on behind it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_CAMPAIGN_H
#define UNRAVEL_TOOLS_KERNELFUZZ_CAMPAIGN_H

#include "tools/kernel-fuzz/FindingStore.h"
#include "tools/kernel-fuzz/Subjects.h"

namespace unravel {

struct CampaignOptions {
  ExaminationOptions Examination; ///< its deadline is that of the campaign
  std::vector<Form> Forms;
  unsigned Jobs = 1;
  uint64_t MaxFindings = 20; ///< a worker stops there
  bool Explains = false;     ///< what could not be run, what is not idempotent
};

/// What was done, by form.
using CampaignResult = std::vector<std::pair<Form, FuzzCounters>>;

CampaignResult runCampaign(const Subjects &List, const PassRunner &Runner,
                           const FindingStore &Store,
                           const CampaignOptions &Options);

/// Examines one module in a child process. A crash is a finding, too.
std::optional<Difference> examineIsolated(const Subjects &List, Form F,
                                          const PassRunner &Runner,
                                          const ExaminationOptions &Options);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_CAMPAIGN_H
