//===- Machine.cpp - What running kernel code finds around it -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/machine/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace unravel;

// 1. Special registers.

uint32_t *SpecialRegisters::find(StringRef Name) {
  auto [Register, Dimension] = Name.rsplit('.');
  unsigned Axis = StringSwitch<unsigned>(Dimension)
                      .Case("x", 0)
                      .Case("y", 1)
                      .Case("z", 2)
                      .Default(3);
  if (auto *Extents = StringSwitch<std::array<uint32_t, 3> *>(Register)
                          .Case("tid", &Thread)
                          .Case("ntid", &BlockExtent)
                          .Case("ctaid", &Block)
                          .Case("nctaid", &GridExtent)
                          .Case("clusterid", &Cluster)
                          .Case("nclusterid", &NumClusters)
                          .Case("cluster.ctaid", &BlockInCluster)
                          .Case("cluster.nctaid", &ClusterExtent)
                          .Default(nullptr);
      Extents && Axis < 3)
    return &(*Extents)[Axis];
  return StringSwitch<uint32_t *>(Name)
      .Case("laneid", &Lane)
      .Case("warpid", &Warp)
      .Case("nwarpid", &Warps)
      .Case("dynamic_smem_size", &DynamicShared)
      .Case("total_smem_size", &TotalShared)
      .Case("cluster.ctarank", &RankInCluster)
      .Case("cluster.nctarank", &ClusterVolume)
      .Cases({"smid", "gridid"}, &Zero)
      .Case("nsmid", &One)
      .Default(nullptr);
}

static std::array<uint32_t, 3>
delinearize(uint64_t Linear, const std::array<uint32_t, 3> &Extent) {
  return {uint32_t(Linear % Extent[0]),
          uint32_t(Linear / Extent[0] % Extent[1]),
          uint32_t(Linear / Extent[0] / Extent[1])};
}

void SpecialRegisters::setThread(uint32_t Linear) {
  Thread = delinearize(Linear, BlockExtent);
  Lane = Linear % 32;
  Warp = Linear / 32;
}

void SpecialRegisters::setGrid(const std::array<uint32_t, 3> &Grid,
                               const std::array<uint32_t, 3> &Clusters) {
  GridExtent = Grid;
  ClusterExtent = Clusters;
  for (unsigned D = 0; D < 3; ++D)
    NumClusters[D] = GridExtent[D] / ClusterExtent[D];
  ClusterVolume = ClusterExtent[0] * ClusterExtent[1] * ClusterExtent[2];
}

void SpecialRegisters::setBlock(uint64_t Linear) {
  Block = delinearize(Linear, GridExtent);
  for (unsigned D = 0; D < 3; ++D) {
    Cluster[D] = Block[D] / ClusterExtent[D];
    BlockInCluster[D] = Block[D] % ClusterExtent[D];
  }
  auto [X, Y, Z] = BlockInCluster;
  RankInCluster = X + ClusterExtent[0] * (Y + ClusterExtent[1] * Z);
}

std::string unravel::threadName(uint32_t Thread, uint64_t Block,
                                const SpecialRegisters &Shape) {
  auto T = delinearize(Thread, Shape.BlockExtent);
  auto B = delinearize(Block, Shape.GridExtent);
  return formatv("thread ({0}, {1}, {2}) of block ({3}, {4}, {5})", T[0], T[1],
                 T[2], B[0], B[1], B[2]);
}

// 2. Instructions.

std::string unravel::describeInstruction(const Instruction &I) {
  std::string Text;
  raw_string_ostream(Text) << I;
  StringRef Short = StringRef(Text).trim();
  // What is attached behind says nothing to a reader.
  Short = Short.take_front(Short.find(", !"));
  std::string Result =
      (Short + " in function " + I.getFunction()->getName()).str();
  if (const DILocation *Where = I.getDebugLoc())
    Result += formatv(" ({0}:{1}:{2})", Where->getFilename(), Where->getLine(),
                      Where->getColumn());
  return Result;
}

// 3. Local variables.

constexpr uint64_t LocalGap = 32;

uint64_t LocalMemory::allocate(uint64_t Size, uint64_t Align,
                               uint32_t Instruction) {
  uint64_t Address = alignExactly(Top + LocalGap, Align);
  if (Address > End || Size > End - Address)
    return 0;
  Top = Address + Size;
  Variables.push_back({Address, Size, Instruction});
  std::memset(reinterpret_cast<void *>(Address), FillPattern, Size);
  return Address;
}

void LocalMemory::release(uint32_t Depth) {
  Variables.resize(Depth);
  Top = Depth ? Variables.back().Begin + Variables.back().Size : Begin;
}

bool LocalMemory::holds(uint64_t Address, uint64_t Bytes) const {
  auto Next =
      upper_bound(Variables, Address,
                  [](uint64_t A, const Variable &V) { return A < V.Begin; });
  if (Next == Variables.begin())
    return false;
  const Variable &V = *std::prev(Next);
  return Bytes <= V.Size && Address - V.Begin <= V.Size - Bytes;
}

// 4. Faults.

Machine &Machine::get() {
  static Machine TheMachine;
  return TheMachine;
}

void Machine::failBlock(const Twine &Message) {
  SmallString<1024> Text;
  Message.toVector(Text);
  size_t Size = std::min(Text.size(), sizeof(Status->Message) - 1);
  std::memcpy(Status->Message, Text.data(), Size);
  Status->Message[Size] = 0;
  Status->State = WorkerStatus::Failed;
  _exit(1);
}

void Machine::fail(const Twine &What, uint32_t Instruction) {
  failBlock(
      threadName(Status->Thread, Status->Block, Registers) + " " + What +
      "\n  at: " + describeInstruction(*Instructions[Instruction].Source));
}

void Machine::failAccess(uint64_t Address, uint64_t Bytes,
                         uint32_t Instruction) {
  // Local variables are regions only when asked for.
  MemoryRegions Known = Regions;
  for (const LocalMemory::Variable &V : Local->variables()) {
    const llvm::Instruction *I = Instructions[V.Instruction].Source;
    std::string Name = I->hasName() ? " " + I->getName().str() : "";
    Known.add({V.Begin, V.Size, MemorySpace::Local, "local variable" + Name});
  }
  const MemoryRegion *Nearest = Known.nearest(Address);
  const CheckedInstruction &I = Instructions[Instruction];
  std::string Place = formatv("address {0:x}", Address);
  // Further away than this, the distance tells nothing.
  constexpr uint64_t Near = uint64_t(1) << 40;
  if (Nearest && distance(*Nearest, Address) < Near)
    Place = describeAddress(Address, *Nearest);
  std::string What =
      formatv("{0} {1} byte{2} at {3}", I.Writes ? "writes" : "reads", Bytes,
              Bytes == 1 ? "" : "s", Place);
  if (Address % I.Align != 0)
    What +=
        formatv("; the address {0:x} is not aligned to {1}", Address, I.Align);
  else if (Nearest && Nearest->holds(Address, Bytes))
    What += "; it must not be written";
  fail(What, Instruction);
}

// 5. Accesses.

const MemoryRegion *Machine::findSlow(uint64_t Address, uint64_t Bytes,
                                      CheckedInstruction &I) {
  const MemoryRegion *Region = Regions.find(Address, Bytes);
  // The second: where the write goes is no mistake of the address.
  if (!Region || (I.Writes && Region->Space == MemorySpace::Constant))
    return nullptr;
  return I.Last = Region;
}

void Machine::access(uint64_t Address, uint64_t Bytes, uint32_t Instruction) {
  CheckedInstruction &I = Instructions[Instruction];
  if (Bytes == 0)
    return;
  if (LLVM_UNLIKELY(Address & (I.Align - 1)))
    failAccess(Address, Bytes, Instruction);
  if (Local->mayHold(Address)) {
    if (!Local->holds(Address, Bytes))
      failAccess(Address, Bytes, Instruction);
  } else if (!I.Last || !I.Last->holds(Address, Bytes)) {
    if (!findSlow(Address, Bytes, I))
      failAccess(Address, Bytes, Instruction);
  }
  if (LLVM_UNLIKELY(WatchedAddress.has_value()) && I.Writes &&
      *WatchedAddress - Address < Bytes)
    Status->LastWriter = {true, Status->Thread, Instruction, Status->Block};
  if (LLVM_UNLIKELY(Listener != nullptr))
    Listener->access(Address, Instruction);
}

// 6. What translated code calls.

void runtime::access(uint64_t Address, uint64_t Bytes, uint32_t Instruction) {
  Machine::get().access(Address, Bytes, Instruction);
}

void runtime::count(uint32_t Counter, uint32_t Starts) {
  if (AccessListener *Listener = Machine::get().Listener)
    Listener->count(Counter, Starts);
}

void runtime::requireDivisor(uint32_t Fine, uint32_t Instruction) {
  if (!Fine)
    Machine::get().fail("divided by zero, or its quotient overflowed",
                        Instruction);
}

void runtime::requireAssumption(uint32_t Fine, uint32_t Instruction) {
  if (!Fine)
    Machine::get().fail("breaks an assumption of the code", Instruction);
}

void runtime::stop(uint32_t Instruction) {
  Machine::get().fail("reached a trap or unreachable code", Instruction);
}

uint32_t runtime::enter(uint32_t Instruction) {
  Machine &M = Machine::get();
  if (reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < M.StackLimit)
    M.fail("recurses too deeply: its stack is full", Instruction);
  return M.Local->depth();
}

void runtime::leave(uint32_t Depth) { Machine::get().Local->release(Depth); }

uint64_t runtime::allocate(uint64_t Bytes, uint64_t Align,
                           uint32_t Instruction) {
  Machine &M = Machine::get();
  uint64_t Address = M.Local->allocate(Bytes, Align, Instruction);
  if (!Address)
    M.fail("needs more local memory than a thread has", Instruction);
  return Address;
}

uint32_t runtime::isInSpace(uint64_t Address, uint32_t Space) {
  Machine &M = Machine::get();
  if (M.Local->mayHold(Address))
    return Space == uint32_t(MemorySpace::Local);
  const MemoryRegion *Region = M.Regions.find(Address, 0);
  return Region && Space == uint32_t(Region->Space);
}

/// PTX prmt in its generic mode: selects four of eight bytes, or their signs.
uint32_t runtime::permuteBytes(uint32_t Low, uint32_t High, uint32_t Selector) {
  uint64_t Bytes = uint64_t(High) << 32 | Low;
  uint32_t Result = 0;
  for (unsigned I = 0; I != 4; ++I) {
    uint32_t Select = Selector >> (4 * I) & 0xf;
    uint8_t Byte = Bytes >> (8 * (Select & 7));
    if (Select & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    Result |= uint32_t(Byte) << (8 * I);
  }
  return Result;
}
