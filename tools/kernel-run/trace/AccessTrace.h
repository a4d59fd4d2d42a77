//===- AccessTrace.h - What each request of a run touched -------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the accesses of threads together to requests, counts what they cost, and
// writes them as JSON lines. Threads run one after the other, so the lanes of a
// request come at different times. What belongs together is told by iteration
// vectors: lanes whose loops around an access are in the same iterations
// execute it as one instruction, however they got there. So a GPU does where
// lanes meet again behind branches and loops, which is what compilers aim at
// but no language promises.
//
// Iterations do not tell everything apart in cycles with several entries and in
// functions that call themselves; there the k-th execution of each lane is
// taken to be one request. The same goes for calls of functions.
//
// A request waits for its last lane: until its warp has run, or its block if
// threads wait for each other.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_TRACE_ACCESSTRACE_H
#define UNRAVEL_TOOLS_KERNEL_RUN_TRACE_ACCESSTRACE_H

#include "analysis/access/RequestCost.h"
#include "tools/kernel-run/machine/Machine.h"
#include "tools/kernel-run/trace/TracedAccess.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

namespace unravel {

/// The requests of one access, of global or of shared memory.
struct RequestTotals {
  uint64_t Requests = 0, Lanes = 0;
  uint64_t Bytes = 0; ///< asked for, in each request once
  /// Sectors, or wavefronts; those that would do; over all requests.
  uint64_t Units = 0, IdealUnits = 0;
  unsigned Least = 0, Most = 0; ///< units of a request

  void add(unsigned Lanes, unsigned Bytes, unsigned Units, unsigned Ideal);
};

struct AccessTotals {
  RequestTotals Global, Shared;
  /// Accesses of single lanes that are part of no request here: of memory
  /// without requests, or too many at a time.
  uint64_t NotTraced = 0, Dropped = 0;
};

class AccessTrace final : public AccessListener {
public:
  /// More requests than this do not wait for their last lane at a time.
  static constexpr size_t MaxWaitingRequests = 1 << 20;

  /// For a run with \p Threads threads a block, which \p MayWait for each
  /// other. Writes requests to \p Lines unless that is null.
  static llvm::Expected<std::unique_ptr<AccessTrace>>
  create(const TracedAccesses &Accesses, unsigned Threads, bool MayWait,
         llvm::raw_ostream *Lines);

  void count(uint32_t Counter, bool Starts) override;
  void access(uint64_t Address, uint32_t Instruction) override;
  void endBlock() override;

  /// By access; of all blocks that have ended, in whichever process.
  llvm::ArrayRef<AccessTotals> totals() const;

private:
  struct Request {
    std::array<uint64_t, LanesPerWarp> Addresses;
    uint32_t Active = 0;
  };
  using Entry = llvm::StringMapEntry<Request>;

  AccessTrace(const TracedAccesses &Accesses, unsigned Threads, bool MayWait,
              llvm::raw_ostream *Lines)
      : Accesses(Accesses), MayWait(MayWait), Lines(Lines),
        Counts(size_t(Threads) * Accesses.Counters),
        Warps((Threads + LanesPerWarp - 1) / LanesPerWarp) {}

  Request *requestOf(unsigned Warp, llvm::ArrayRef<uint32_t> Key);
  void endWarp(unsigned Warp);
  void end(unsigned Warp, const Entry &Ended);
  void write(unsigned Warp, llvm::ArrayRef<uint32_t> Key, const Request &R,
             const MemoryRegion &Object, bool IsShared, unsigned Units,
             unsigned Ideal);

  const TracedAccesses &Accesses;
  bool MayWait;
  llvm::raw_ostream *Lines;
  Pages Shared; ///< of AccessTotals
  /// By thread and counter.
  std::vector<uint32_t> Counts;

  /// The requests that wait, by access and iterations.
  struct WarpRequests {
    llvm::StringMap<Request> Waiting;
    std::vector<const Entry *> InOrder;
    /// How often a lane came to a request where it had been before.
    llvm::DenseMap<std::pair<const Request *, unsigned>, uint32_t> Repeats;
  };
  std::vector<WarpRequests> Warps;
  size_t Waiting = 0;
  unsigned LastWarp = 0;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_TRACE_ACCESSTRACE_H
