//===- ThreadInput.cpp - What one thread sees -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/interpreter/ThreadInput.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace unravel {

static constexpr Intrinsic::ID RegisterIDs[NumRegisters] = {
    Intrinsic::nvvm_read_ptx_sreg_tid_x,
    Intrinsic::nvvm_read_ptx_sreg_tid_y,
    Intrinsic::nvvm_read_ptx_sreg_tid_z,
    Intrinsic::nvvm_read_ptx_sreg_ntid_x,
    Intrinsic::nvvm_read_ptx_sreg_ntid_y,
    Intrinsic::nvvm_read_ptx_sreg_ntid_z,
    Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
    Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
    Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_z,
    Intrinsic::nvvm_read_ptx_sreg_laneid};

ArrayRef<Intrinsic::ID> registerIntrinsics() { return RegisterIDs; }

static constexpr const char *RegisterNames[NumRegisters] = {
    "tid.x",    "tid.y",    "tid.z",   "ntid.x",  "ntid.y",
    "ntid.z",   "ctaid.x",  "ctaid.y", "ctaid.z", "nctaid.x",
    "nctaid.y", "nctaid.z", "laneid"};

std::optional<unsigned> specialRegister(Intrinsic::ID ID) {
  auto It = std::find(std::begin(RegisterIDs), std::end(RegisterIDs), ID);
  if (It == std::end(RegisterIDs))
    return std::nullopt;
  return unsigned(It - std::begin(RegisterIDs));
}

std::string ThreadInput::describe(const Function &F) const {
  std::string Text;
  raw_string_ostream OS(Text);
  for (unsigned K = 0; K < NumRegisters; ++K)
    OS << RegisterNames[K] << '=' << Registers[K] << ' ';
  for (const Argument &A : F.args()) {
    if (A.getType()->isPointerTy())
      continue;
    const Scalar &V = Arguments[A.getArgNo()];
    A.printAsOperand(OS, /*PrintType=*/false);
    OS << '=' << (V.IsPoison ? "poison" : std::to_string(V.Bits)) << ' ';
  }
  for (size_t K = 0; K < Objects.size(); ++K)
    OS << "object" << K << "=[" << Objects[K].Base << ", +" << Objects[K].Size
       << "] ";
  OS << "seed=" << Seed;
  return Text;
}

} // namespace unravel
