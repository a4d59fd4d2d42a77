//===- KernelInput.h - The kernels of a file --------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_KERNELINPUT_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_KERNELINPUT_H

#include "ptx/text/SourcePlaces.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace unravel {

/// A kernel of the file.
struct InputKernel {
  std::string Name;
  llvm::Function *Function = nullptr;
  bool IsPtx = false;
  /// Why the kernel of PTX is no IR; there is no function then.
  std::string Refused;
  /// Of PTX: line N of the debug locations stands for Places[N - 1].
  std::shared_ptr<const ptx::SourcePlaces> Source;
  std::vector<llvm::StringRef> Places;

  /// `kernel.cu:5`, or empty.
  std::string placeOf(const llvm::Instruction &I) const;
};

/// How CUDA is compiled.
struct CudaOptions {
  std::string Arch = "sm_90";
  std::string CudaPath; ///< of the toolkit, or empty: search
  std::vector<std::string> ClangOptions;
};

/// What clang++ -O3 makes of a .cu file.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
compileToBitcode(llvm::StringRef Path, const CudaOptions &Cuda,
                 llvm::ArrayRef<llvm::StringRef> MoreOptions);

/// The kernels of CUDA, of LLVM IR, as text or bitcode, or of PTX, ready for
/// analysis: values that live on the stack are in registers, and the addresses
/// of PTX are found.
class KernelInput {
public:
  /// \p Path ends in .cu, .ll, .bc or .ptx. Errors name the file, and the line
  /// where there is one.
  static llvm::Expected<KernelInput> read(llvm::StringRef Path,
                                          const CudaOptions &Cuda);

  /// What was read; the bitcode of CUDA.
  llvm::StringRef text() const { return Text->getBuffer(); }

private:
  llvm::Error compileCuda(llvm::StringRef Path, const CudaOptions &Cuda);
  llvm::Error readIR(llvm::StringRef Path);
  llvm::Error readPtx(llvm::StringRef Path);

  // What goes last comes first.
  std::unique_ptr<llvm::LLVMContext> Context =
      std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::MemoryBuffer> Text;

public:
  /// The modules that the kernels are in.
  std::vector<std::unique_ptr<llvm::Module>> Modules;
  std::vector<InputKernel> Kernels;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_KERNELINPUT_H
