//===- DeviceCode.cpp - Functions that run on NVIDIA GPUs -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/DeviceCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace unravel {

static bool hasTriple(const Module &M) {
  return M.getTargetTriple().getArch() != Triple::UnknownArch;
}

/// By the calling convention, or the registers that nearly every kernel reads.
/// Look-ups by name, for this is asked of each function by each pass.
static bool looksLikeDeviceCode(const Function &F) {
  if (F.getCallingConv() == CallingConv::PTX_Kernel ||
      F.getCallingConv() == CallingConv::PTX_Device)
    return true;
  return any_of(ArrayRef<Intrinsic::ID>{Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                        Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                        Intrinsic::nvvm_read_ptx_sreg_ntid_x},
                [&](Intrinsic::ID Register) {
                  return F.getParent()->getFunction(
                      Intrinsic::getBaseName(Register));
                });
}

bool isDeviceCode(const Function &F) {
  const Module &M = *F.getParent();
  if (hasTriple(M))
    return M.getTargetTriple().isNVPTX();
  return !M.getDataLayout().isDefault() && looksLikeDeviceCode(F);
}

bool isDeviceCodeWithoutLayout(const Function &F) {
  const Module &M = *F.getParent();
  return !hasTriple(M) && M.getDataLayout().isDefault() &&
         looksLikeDeviceCode(F);
}

void completeTriple(Module &M) {
  if (!hasTriple(M) && any_of(M, isDeviceCode))
    M.setTargetTriple(Triple("nvptx64-nvidia-cuda"));
}

} // namespace unravel
