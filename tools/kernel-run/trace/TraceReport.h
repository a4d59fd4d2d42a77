//===- TraceReport.h - What a traced run did to memory ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_TRACE_TRACEREPORT_H
#define UNRAVEL_TOOLS_KERNEL_RUN_TRACE_TRACEREPORT_H

#include "tools/kernel-run/trace/AccessTrace.h"
#include "llvm/Support/JSON.h"

namespace unravel {

/// What remains of a trace: it does not need the module.
struct TraceReport {
  struct Access {
    std::string Place, Kind, Space;
    uint64_t Bytes;
    std::string Instruction, NotTraced;
    bool IsCalled;
    AccessTotals Totals;
  };
  std::vector<Access> Accesses;

  TraceReport(const TracedAccesses &Accesses, const AccessTrace &Trace);

  /// Lines that begin with two blanks.
  void printText(llvm::raw_ostream &OS) const;
  /// As an attribute "accesses" of the object that \p J writes.
  void printJSON(llvm::json::OStream &J) const;
};

/// The line that begins the requests of a run: what the numbers of its accesses
/// mean. \p Arguments has null for buffers.
void writeTraceHeader(llvm::raw_ostream &OS, llvm::StringRef Kernel,
                      llvm::StringRef Version,
                      const std::array<uint32_t, 3> &Grid,
                      const std::array<uint32_t, 3> &Block,
                      llvm::json::Array Arguments,
                      const TracedAccesses &Accesses);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_TRACE_TRACEREPORT_H
