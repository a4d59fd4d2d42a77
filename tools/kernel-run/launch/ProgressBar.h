//===- ProgressBar.h - How far a long run is -------------------*- C++ -*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_PROGRESSBAR_H
#define UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_PROGRESSBAR_H

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

namespace unravel {

/// A line on standard error, from the first second on.
class ProgressBar {
public:
  ProgressBar(bool IsWanted, uint64_t Total)
      : IsWanted(IsWanted), Total(Total) {}
  ~ProgressBar() {
    if (Shown != Hidden)
      llvm::errs() << "\r\033[K";
  }

  void show(uint64_t Done) {
    using namespace std::chrono;
    if (!IsWanted || steady_clock::now() - Start < seconds(1))
      return;
    unsigned Percent = 100 * (double(Done) / double(Total));
    if (Percent == Shown)
      return;
    Shown = Percent;
    std::string Bar(Percent / 4, '#');
    llvm::errs() << llvm::formatv("\r[{0,-25}] {1,3} % of {2} blocks", Bar,
                                  Percent, Total);
  }

private:
  static constexpr unsigned Hidden = ~0u;
  bool IsWanted;
  uint64_t Total;
  unsigned Shown = Hidden;
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_PROGRESSBAR_H
