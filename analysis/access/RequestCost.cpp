//===- RequestCost.cpp - What a memory request of a warp costs ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/access/RequestCost.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace llvm;

namespace unravel {

bool isLaneWidth(int64_t Bytes) {
  return Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8 || Bytes == 16;
}

/// floor(Address / Size), the number of an aligned piece of memory.
static int64_t pieceOf(int64_t Address, int64_t Size) {
  return Address / Size - (Address % Size < 0 ? 1 : 0);
}

/// The addresses of the lanes that access memory, sorted. Most are in order.
static SmallVector<int64_t, LanesPerWarp>
sortedFirsts(ArrayRef<std::optional<int64_t>> Lanes) {
  SmallVector<int64_t, LanesPerWarp> Firsts;
  for (std::optional<int64_t> Lane : Lanes)
    if (Lane)
      Firsts.push_back(*Lane);
  if (!llvm::is_sorted(Firsts))
    llvm::sort(Firsts);
  return Firsts;
}

/// Ascending, each once: the pieces of \p Size bytes with a byte of one of the
/// accesses that begin at \p Firsts, which are sorted. No sum can leave 64
/// bits: the number of the first piece is far from the limits, and the rest is
/// counted inside it.
static SmallVector<int64_t, 64> piecesOf(ArrayRef<int64_t> Firsts,
                                         unsigned Bytes, int64_t Size) {
  SmallVector<int64_t, 64> Pieces;
  for (int64_t First : Firsts) {
    int64_t Piece = pieceOf(First, Size);
    int64_t Inside = First - Piece * Size;
    // Accesses of one width begin in order, and end so: what is not behind the
    // last piece is there.
    for (int64_t I = 0; I <= (Inside + Bytes - 1) / Size; ++I)
      if (Pieces.empty() || Piece + I > Pieces.back())
        Pieces.push_back(Piece + I);
  }
  return Pieces;
}

GlobalCost globalCost(const LaneAddresses &Lanes, unsigned BytesPerLane) {
  SmallVector<int64_t, LanesPerWarp> Firsts = sortedFirsts(Lanes);
  Firsts.erase(llvm::unique(Firsts), Firsts.end());

  GlobalCost Cost;
  for (size_t I = 0; I < Firsts.size(); ++I) {
    // What the next one has as well is counted there.
    uint64_t Gap = I + 1 < Firsts.size()
                       ? uint64_t(Firsts[I + 1]) - uint64_t(Firsts[I])
                       : BytesPerLane;
    Cost.Bytes += std::min<uint64_t>(Gap, BytesPerLane);
  }
  Cost.Sectors = piecesOf(Firsts, BytesPerLane, BytesPerSector).size();
  Cost.Lines = piecesOf(Firsts, BytesPerLane, BytesPerLine).size();
  return Cost;
}

SharedCost sharedCost(const LaneAddresses &Lanes, unsigned BytesPerLane) {
  unsigned GroupSize = BytesPerLane <= 4   ? LanesPerWarp
                       : BytesPerLane <= 8 ? LanesPerWarp / 2
                                           : LanesPerWarp / 4;
  SharedCost Cost;
  for (unsigned Begin = 0; Begin < LanesPerWarp; Begin += GroupSize) {
    SmallVector<int64_t, LanesPerWarp> Firsts =
        sortedFirsts(ArrayRef(Lanes).slice(Begin, GroupSize));
    if (Firsts.empty())
      continue;
    std::array<unsigned, BankCount> WordsOfBank = {};
    for (int64_t Word : piecesOf(Firsts, BytesPerLane, BytesPerWord))
      ++WordsOfBank[uint64_t(Word) % BankCount];
    Cost.Wavefronts += *llvm::max_element(WordsOfBank);
    ++Cost.Groups;
  }
  return Cost;
}

} // namespace unravel
