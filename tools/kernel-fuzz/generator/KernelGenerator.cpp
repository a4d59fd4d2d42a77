//===- KernelGenerator.cpp - Random index-heavy kernels -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/generator/KernelGenerator.h"
#include "tools/kernel-fuzz/generator/KernelBuilder.h"
#include "tools/kernel-fuzz/generator/RefineKernel.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace unravel {

std::unique_ptr<Module> generateKernel(const SeedLine &Line,
                                       LLVMContext &Context,
                                       const TargetMachine &TM) {
  auto M = std::make_unique<Module>("kernel-fuzz", Context);
  M->setTargetTriple(TM.getTargetTriple());
  M->setDataLayout(TM.createDataLayout());
  KernelBuilder Builder(Line, *M);
  Function &F = Builder.build();
  refineKernel(F, Builder.conditions(), Builder.random());
  return M;
}

} // namespace unravel
