//===- GlobalMemory.cpp - The buffers of a launch -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/GlobalMemory.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace llvm;

namespace unravel::ptx {

/// Each buffer lies in the middle of a room of its own, above all windows of
/// other spaces. Nothing of an address but its low 8 bits is zero, so that code
/// that drops some bits is noticed.
static constexpr unsigned LogRoom = 42;
static constexpr uint64_t FirstRoom = 4;
static constexpr uint64_t OffsetInRoom =
    (uint64_t(1) << (LogRoom - 1)) + 0x2d9a6b00;

uint64_t GlobalMemory::addressOf(unsigned Room) {
  return ((FirstRoom + Room) << LogRoom) + OffsetInRoom;
}

void GlobalMemory::add(unsigned Room, std::string Name, uint64_t Size,
                       Fill Contents) {
  uint64_t Begin = addressOf(Room);
  if (Size == NoEnd) {
    Begin = (FirstRoom + Room) << LogRoom;
    Size = uint64_t(1) << LogRoom;
  }
  Buffers[Room] = {std::move(Name), Begin, Size, std::move(Contents)};
}

const GlobalMemory::Buffer *GlobalMemory::bufferAt(uint64_t Address) const {
  uint64_t Room = Address >> LogRoom;
  if (Room < FirstRoom)
    return nullptr;
  auto It = Buffers.find(Room - FirstRoom);
  return It == Buffers.end() ? nullptr : &It->second;
}

GlobalMemory::Page &GlobalMemory::page(const Buffer &B, uint64_t Number) {
  std::unique_ptr<Page> &P = Pages[B.Begin + Number * PageSize];
  if (!P) {
    P = std::make_unique<Page>();
    B.Contents(Number * PageSize, *P);
  }
  return *P;
}

uint8_t *GlobalMemory::find(uint64_t Address, unsigned Size) {
  const Buffer *B = bufferAt(Address);
  if (!B || Address < B->Begin || Address - B->Begin >= B->Size ||
      B->Size - (Address - B->Begin) < Size)
    return nullptr;
  uint64_t Offset = Address - B->Begin;
  return &page(*B, Offset / PageSize)[Offset % PageSize];
}

std::optional<GlobalMemory::Difference>
GlobalMemory::compare(GlobalMemory &Other) {
  std::vector<uint64_t> Touched;
  for (const auto &Entry : Pages)
    Touched.push_back(Entry.first);
  for (const auto &Entry : Other.Pages)
    Touched.push_back(Entry.first);
  llvm::sort(Touched);
  Touched.erase(llvm::unique(Touched), Touched.end());
  for (uint64_t Begin : Touched) {
    const Buffer *B = bufferAt(Begin);
    uint64_t Number = (Begin - B->Begin) / PageSize;
    const Page &Here = page(*B, Number), &There = Other.page(*B, Number);
    if (Here == There)
      continue;
    unsigned At = std::mismatch(Here.begin(), Here.end(), There.begin()).first -
                  Here.begin();
    uint64_t Origin = addressOf((B->Begin >> LogRoom) - FirstRoom);
    return Difference{B->Name, int64_t(Begin + At - Origin), Here[At],
                      There[At]};
  }
  return std::nullopt;
}

} // namespace unravel::ptx
