//===- AccessTrace.cpp - What each request of a run touched --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/trace/AccessTrace.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/JSON.h"
#include <new>

using namespace llvm;

namespace unravel {

void RequestTotals::add(unsigned L, unsigned B, unsigned U, unsigned Ideal) {
  Least = Requests ? std::min(Least, U) : U;
  Most = std::max(Most, U);
  ++Requests;
  Lanes += L;
  Bytes += B;
  Units += U;
  IdealUnits += Ideal;
}

Expected<std::unique_ptr<AccessTrace>>
AccessTrace::create(const TracedAccesses &Accesses, unsigned Threads,
                    bool MayWait, raw_ostream *Lines) {
  std::unique_ptr<AccessTrace> Trace(
      new AccessTrace(Accesses, Threads, MayWait, Lines));
  size_t Count = Accesses.List.size();
  Expected<Pages> Shared =
      Pages::create((Count + 1) * sizeof(AccessTotals), /*Shared=*/true);
  if (!Shared)
    return Shared.takeError();
  Trace->Shared = std::move(*Shared);
  std::uninitialized_default_construct_n(
      reinterpret_cast<AccessTotals *>(Trace->Shared.begin()), Count);
  return Trace;
}

ArrayRef<AccessTotals> AccessTrace::totals() const {
  return {reinterpret_cast<const AccessTotals *>(Shared.begin()),
          Accesses.List.size()};
}

static unsigned threadOf(const SpecialRegisters &R) {
  return R.Warp * LanesPerWarp + R.Lane;
}

void AccessTrace::count(uint32_t Counter, bool Starts) {
  uint32_t &Count =
      Counts[threadOf(Machine::get().Registers) * size_t(Accesses.Counters) +
             Counter];
  Count = Starts ? 0 : Count + 1;
}

AccessTrace::Request *AccessTrace::requestOf(unsigned Warp,
                                             ArrayRef<uint32_t> Key) {
  WarpRequests &Of = Warps[Warp];
  StringRef Text(reinterpret_cast<const char *>(Key.data()),
                 Key.size() * sizeof(uint32_t));
  if (Waiting >= MaxWaitingRequests) {
    auto Found = Of.Waiting.find(Text);
    return Found == Of.Waiting.end() ? nullptr : &Found->second;
  }
  auto [Place, IsNew] = Of.Waiting.try_emplace(Text);
  if (IsNew) {
    Of.InOrder.push_back(&*Place);
    ++Waiting;
  }
  return &Place->second;
}

void AccessTrace::access(uint64_t Address, uint32_t Instruction) {
  int Number = Accesses.NumberOf[Instruction];
  if (Number < 0)
    return;
  const TracedAccess &Access = Accesses.List[Number];
  AccessTotals &Totals = const_cast<AccessTotals &>(totals()[Number]);
  if (!Access.NotTraced.empty()) {
    ++Totals.NotTraced;
    return;
  }
  const SpecialRegisters &R = Machine::get().Registers;
  if (!MayWait && R.Warp != LastWarp)
    endWarp(LastWarp);
  LastWarp = R.Warp;
  const uint32_t *OfThread =
      Counts.data() + threadOf(R) * size_t(Accesses.Counters);
  SmallVector<uint32_t, 8> Key = {uint32_t(Number)};
  for (uint32_t Counter : Access.Counters)
    Key.push_back(OfThread[Counter]);
  Request *To = requestOf(R.Warp, Key);
  if (To && To->Active >> R.Lane & 1) {
    Key.push_back(++Warps[R.Warp].Repeats[{To, R.Lane}]);
    To = requestOf(R.Warp, Key);
  }
  if (!To) {
    ++Totals.Dropped;
    return;
  }
  To->Addresses[R.Lane] = Address;
  To->Active |= uint32_t(1) << R.Lane;
}

void AccessTrace::endBlock() {
  for (unsigned Warp = 0; Warp != Warps.size(); ++Warp)
    endWarp(Warp);
  std::fill(Counts.begin(), Counts.end(), 0);
  // The worker ends without a word.
  if (Lines)
    Lines->flush();
}

void AccessTrace::endWarp(unsigned Warp) {
  WarpRequests &Of = Warps[Warp];
  for (const Entry *Ended : Of.InOrder)
    end(Warp, *Ended);
  Waiting -= Of.InOrder.size();
  Of.InOrder.clear();
  Of.Waiting.clear();
  Of.Repeats.clear();
}

void AccessTrace::end(unsigned Warp, const Entry &Ended) {
  ArrayRef<uint32_t> Key(reinterpret_cast<const uint32_t *>(Ended.getKeyData()),
                         Ended.getKeyLength() / sizeof(uint32_t));
  const TracedAccess &Access = Accesses.List[Key[0]];
  AccessTotals &Totals = const_cast<AccessTotals &>(totals()[Key[0]]);
  const Request &R = Ended.getValue();
  LaneAddresses Lanes;
  for (unsigned L = 0; L < LanesPerWarp; ++L)
    if (R.Active >> L & 1)
      Lanes[L] = R.Addresses[L];
  unsigned Count = popcount(R.Active), Bytes = Access.Access.Bytes;
  uint64_t First = R.Addresses[countr_zero(R.Active)];
  const MemoryRegion *Object = Machine::get().Regions.find(First, Bytes);
  // A generic pointer into local memory.
  if (!Object || Object->Space == MemorySpace::Local) {
    Totals.NotTraced += Count;
    return;
  }
  bool IsShared = Object->Space == MemorySpace::Shared;
  GlobalCost Global = globalCost(Lanes, Bytes);
  unsigned Units = Global.Sectors, Ideal = Global.idealSectors();
  if (IsShared) {
    SharedCost Cost = sharedCost(Lanes, Bytes);
    Units = Cost.Wavefronts;
    Ideal = Cost.Groups;
  }
  (IsShared ? Totals.Shared : Totals.Global)
      .add(Count, Global.Bytes, Units, Ideal);
  if (Lines)
    write(Warp, Key, R, *Object, IsShared, Units, Ideal);
}

void AccessTrace::write(unsigned Warp, ArrayRef<uint32_t> Key, const Request &R,
                        const MemoryRegion &Object, bool IsShared,
                        unsigned Units, unsigned Ideal) {
  json::OStream J(*Lines);
  J.object([&] {
    J.attribute("access", Key[0]);
    J.attributeArray("block", [&] {
      for (uint32_t B : Machine::get().Registers.Block)
        J.value(B);
    });
    J.attribute("warp", Warp);
    J.attributeArray("iterations", [&] {
      for (uint32_t Iteration : Key.drop_front())
        J.value(Iteration);
    });
    J.attribute("object", json::fixUTF8(Object.Name));
    J.attribute("object_modulo_256", int64_t(Object.Begin % 256));
    J.attributeArray("offsets", [&] {
      for (unsigned L = 0; L < LanesPerWarp; ++L)
        if (R.Active >> L & 1)
          J.value(int64_t(R.Addresses[L] - Object.Begin));
        else
          J.value(nullptr);
    });
    J.attribute(IsShared ? "wavefronts" : "sectors", Units);
    J.attribute(IsShared ? "conflicts" : "ideal_sectors",
                IsShared ? Units - Ideal : Ideal);
  });
  *Lines << '\n';
}

} // namespace unravel
