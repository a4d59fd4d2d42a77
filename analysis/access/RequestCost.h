//===- RequestCost.h - What a memory request of a warp costs ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request is what one load or store instruction asks for in one warp: for
// each active lane, a number of consecutive bytes.
//
// Global memory is moved in sectors of 32 bytes, four of which are a line of
// 128 bytes; both are aligned to their size (Nsight Compute's documentation,
// "Metrics Decoder", sector, tag and request). A request needs every sector in
// which it touches a byte, once, whichever lane and order.
//
// Shared memory has 32 banks; word w (4 bytes) is in bank w mod 32, and a bank
// gives one word per wavefront, to all lanes that ask for it (CUDA C++
// Programming Guide, "Compute Capability 5.x", Shared Memory). Requests of 8
// bytes a lane are processed in two halves of 16 lanes, those of 16 bytes in
// four quarters of 8 lanes (the Guide on 64-bit and 128-bit accesses of compute
// capability 2.x; Triton counts so for current devices, SwizzleTest.cpp).
//
// A byte may have any address, negative ones included: floors, not truncation.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_ANALYSIS_ACCESS_REQUESTCOST_H
#define UNRAVEL_ANALYSIS_ACCESS_REQUESTCOST_H

#include <array>
#include <cstdint>
#include <optional>

namespace unravel {

inline constexpr unsigned LanesPerWarp = 32;
inline constexpr unsigned BytesPerSector = 32;
inline constexpr unsigned BytesPerLine = 128;
inline constexpr unsigned BankCount = 32;
inline constexpr unsigned BytesPerWord = 4;
/// What an instruction moves for a lane at most.
inline constexpr unsigned WidestAccess = 16;

/// The address of the first byte of each lane; nullopt for an inactive lane.
using LaneAddresses = std::array<std::optional<int64_t>, LanesPerWarp>;

/// Whether an instruction can move so many bytes for each lane: 1, 2, 4, 8, 16.
bool isLaneWidth(int64_t Bytes);

/// A request to global memory. Everything is zero if no lane is active.
struct GlobalCost {
  unsigned Bytes = 0;   ///< that some lane asks for, each counted once
  unsigned Sectors = 0; ///< that hold them
  unsigned Lines = 0;   ///< that hold them
  /// The sectors that would do if the bytes were beside each other.
  unsigned idealSectors() const {
    return (Bytes + BytesPerSector - 1) / BytesPerSector;
  }
  /// The bytes asked for per byte moved, in (0, 1]; needs Sectors > 0.
  double efficiency() const {
    return double(Bytes) / (double(Sectors) * BytesPerSector);
  }
};
/// \p BytesPerLane is in [1, 16].
GlobalCost globalCost(const LaneAddresses &Lanes, unsigned BytesPerLane);

/// A request to shared memory. Everything is zero if no lane is active.
struct SharedCost {
  unsigned Wavefronts = 0; ///< over all groups of lanes
  unsigned Groups = 0;     ///< of lanes with an active one among them
  /// Wavefronts that other addresses would save.
  unsigned conflicts() const { return Wavefronts - Groups; }
};
/// \p BytesPerLane is in [1, 16].
SharedCost sharedCost(const LaneAddresses &Lanes, unsigned BytesPerLane);

} // namespace unravel

#endif // UNRAVEL_ANALYSIS_ACCESS_REQUESTCOST_H
