//===- NvptxTarget.h - LLVM's NVPTX backend ---------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_BACKEND_NVPTXTARGET_H
#define UNRAVEL_PTX_BACKEND_NVPTXTARGET_H

#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace unravel {

class NvptxTarget {
public:
  /// Fails if this LLVM was built without NVPTX.
  static llvm::Expected<NvptxTarget> create();

  /// Which processors and features LLVM knows.
  const llvm::MCSubtargetInfo &info() const { return *Info; }
  /// \p Cpu as "sm_90", \p Features as "+ptx80"; both have to be known.
  std::unique_ptr<llvm::TargetMachine> createMachine(
      llvm::StringRef Cpu, llvm::StringRef Features = "",
      llvm::CodeGenOptLevel Level = llvm::CodeGenOptLevel::Default) const;

private:
  llvm::Triple GPU{"nvptx64-nvidia-cuda"};
  const llvm::Target *T = nullptr;
  std::unique_ptr<llvm::MCSubtargetInfo> Info;
};

/// \p M, which is changed, as PTX.
std::string printPtx(llvm::Module &M, llvm::TargetMachine &Machine);

} // namespace unravel

#endif // UNRAVEL_PTX_BACKEND_NVPTXTARGET_H
