//===- VariableMemory.cpp - Where the variables of modules live -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/machine/VariableMemory.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace llvm;
using namespace unravel;

constexpr uint64_t StaticSharedBytes = 1 << 20, DynamicSharedBytes = 1 << 19;
/// PTX promises no more than 16 for dynamic shared memory; blocks of GPUs have
/// more in practice, and code says so.
constexpr uint64_t DynamicSharedAlign = 1024;

Expected<VariableMemory> VariableMemory::create() {
  VariableMemory Result;
  Expected<Pages> Shared =
      Pages::createLow(StaticSharedBytes + DynamicSharedBytes,
                       /*Shared=*/false);
  if (!Shared)
    return Shared.takeError();
  Result.Shared = std::move(*Shared);
  return Result;
}

Expected<uint64_t> VariableMemory::placeConstant(uint64_t Size,
                                                 uint64_t Align) {
  Expected<Pages> Place = Pages::createLow(Size + 3 * Align, /*Shared=*/true);
  if (!Place)
    return Place.takeError();
  uint64_t First = reinterpret_cast<uintptr_t>(Place->begin());
  Storage.push_back(std::move(*Place));
  return alignExactly(First, Align);
}

Expected<uint64_t> VariableMemory::placeVariable(StringRef Name, uint64_t Size,
                                                 uint64_t Align) {
  std::string Key = (Name + ":" + Twine(Size) + ":" + Twine(Align)).str();
  if (auto Known = Places.find(Key); Known != Places.end())
    return Known->second;
  Expected<uint64_t> Place = placeConstant(Size, Align);
  if (Place)
    Places[Key] = *Place;
  return Place;
}

uint64_t VariableMemory::staticShared() const {
  return reinterpret_cast<uintptr_t>(Shared.begin());
}

uint64_t VariableMemory::dynamicShared() const {
  return alignExactly(staticShared() + StaticSharedBytes, DynamicSharedAlign);
}
