//===- MachineMemory.cpp - State spaces and generic addresses -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Machine.h"

using namespace llvm;

namespace unravel::ptx {

/// In generic addresses each space but `.global` has a window, below all
/// buffers.
static constexpr unsigned LogWindow = 36;

static uint64_t windowOf(Space In) {
  return In == Space::Global || In == Space::Generic
             ? 0
             : uint64_t(In) << LogWindow;
}

uint64_t Machine::toGeneric(Space In, uint64_t Address) const {
  return Address + windowOf(In);
}

uint64_t Machine::fromGeneric(Space In, uint64_t Address) const {
  return Address - windowOf(In);
}

Space Machine::spaceOfGeneric(uint64_t Address) const {
  for (Space In : {Space::Shared, Space::Local, Space::Constant, Space::Param})
    if (Address >> LogWindow == uint64_t(In))
      return In;
  return Space::Global;
}

static uint8_t *bytesAt(std::vector<uint8_t> &Bytes, uint64_t Begin,
                        uint64_t Address, unsigned Size) {
  if (Address < Begin || Address - Begin > Bytes.size() ||
      Bytes.size() - (Address - Begin) < Size)
    return nullptr;
  return Bytes.data() + (Address - Begin);
}

static StringRef nameOfSpace(Space In) {
  switch (In) {
  case Space::Generic:
  case Space::Global:
    return ".global";
  case Space::Shared:
    return ".shared";
  case Space::Local:
    return ".local";
  case Space::Constant:
    return ".const";
  case Space::Param:
    return ".param";
  }
  return "";
}

uint8_t *Machine::memory(Thread &T, Space In, uint64_t Address, unsigned Size,
                         bool IsWrite) {
  if (In == Space::Generic) {
    In = spaceOfGeneric(Address);
    Address = fromGeneric(In, Address);
  }
  if (Address % Size) {
    fail(Outcome::Kind::Fault, "address 0x" + Twine::utohexstr(Address) +
                                   " is no multiple of " + Twine(Size));
    return nullptr;
  }
  uint8_t *Found = nullptr;
  switch (In) {
  case Space::Generic:
  case Space::Global:
    Found = Global.find(Address, Size);
    if (Global.isFull())
      fail(Outcome::Kind::TooLong, "it touches too much memory");
    break;
  case Space::Shared:
    Found = Address < DynamicSharedBegin
                ? bytesAt(Shared, SharedBegin, Address, Size)
                : bytesAt(DynamicShared, DynamicSharedBegin, Address, Size);
    break;
  case Space::Local:
    Found = bytesAt(T.Local, LocalBegin, Address, Size);
    break;
  case Space::Constant:
    Found = IsWrite ? nullptr : bytesAt(Constants, 0, Address, Size);
    break;
  case Space::Param:
    Found = IsWrite ? nullptr : bytesAt(Params, 0, Address, Size);
    break;
  }
  if (!Found)
    fail(Outcome::Kind::Fault,
         "address 0x" + Twine::utohexstr(Address) + " in " + nameOfSpace(In) +
             " is outside of all variables and buffers, or read-only");
  return Found;
}

} // namespace unravel::ptx
