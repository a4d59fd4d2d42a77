//===- KernelInput.cpp - The kernels of a file ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/KernelInput.h"
#include "analysis/facts/DeviceCode.h"
#include "analysis/warps/KernelAccesses.h"
#include "ptx/lift/KernelLifter.h"
#include "ptx/raise/RaiseAddresses.h"
#include "ptx/text/PtxParser.h"
#include "tools/compilers/Compilers.h"
#include "tools/files/InputFile.h"
#include "transforms/facts/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

std::string InputKernel::placeOf(const Instruction &I) const {
  const DILocation *At = sourcePlace(I);
  if (!At)
    return "";
  if (!Source)
    return (At->getFilename() + ":" + Twine(At->getLine())).str();
  ptx::SourcePlace Place = Source->placeOf(Places[At->getLine() - 1]);
  return (sys::path::filename(Place.File) + ":" + Twine(Place.Line)).str();
}

Error KernelInput::readIR(StringRef Path) {
  SMDiagnostic Problem;
  std::unique_ptr<Module> M =
      parseIR(Text->getMemBufferRef(), Problem, *Context);
  if (!M) {
    std::string Message;
    raw_string_ostream OS(Message);
    Problem.print("", OS, /*ShowColors=*/false);
    return createStringError(StringRef(Message).trim());
  }
  std::string Broken;
  raw_string_ostream OS(Broken);
  if (verifyModule(*M, &OS))
    return makeError(Path, "the module is broken: " +
                               StringRef(Broken).split('\n').first);
  completeTriple(*M);
  if (const Triple &Target = M->getTargetTriple(); !Target.isNVPTX())
    return makeError(Path,
                     (Target.empty() ? "the module has no target triple"
                                     : "the module is for " + Target.str()) +
                         "; compile for nvptx64-nvidia-cuda");
  for (Function &F : *M)
    if (!F.isDeclaration() && isKernel(F)) {
      InputKernel K;
      K.Name = F.getName().str();
      K.Function = &F;
      Kernels.push_back(std::move(K));
    }
  Modules.push_back(std::move(M));
  return Error::success();
}

Error KernelInput::readPtx(StringRef Path) {
  Expected<ptx::Module> M = ptx::parseModule(Text->getBuffer(), Path);
  if (!M)
    return M.takeError();
  auto Source = std::make_shared<ptx::SourcePlaces>(*M, Path);
  for (const ptx::Item &Item : M->Items) {
    auto *F = Item.as<ptx::Function>();
    if (!F || !F->IsKernel || !F->HasBody)
      continue;
    InputKernel K;
    K.Name = F->Name.str();
    K.IsPtx = true;
    if (Expected<ptx::LiftedKernel> Lifted =
            ptx::liftKernel(*M, *F, *Context, ptx::BadDivision::Undefined)) {
      ptx::raiseAddresses(*Lifted->Kernel);
      K.Function = Lifted->Kernel;
      K.Source = Source;
      K.Places = std::move(Lifted->Places);
      Modules.push_back(std::move(Lifted->IR));
    } else {
      K.Refused = toString(Lifted.takeError());
    }
    Kernels.push_back(std::move(K));
  }
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>>
compileToBitcode(StringRef Path, const CudaOptions &Cuda,
                 ArrayRef<StringRef> MoreOptions) {
  Expected<std::string> Toolkit = findToolkit(Path, Cuda.CudaPath);
  if (!Toolkit)
    return Toolkit.takeError();
  Expected<std::string> Clang = findLLVMTool("clang++");
  if (!Clang)
    return Clang.takeError();
  Expected<std::unique_ptr<TemporaryFile>> Output =
      TemporaryFile::create("access-report", "bc");
  if (!Output)
    return Output.takeError();
  std::string Arch = "--cuda-gpu-arch=" + Cuda.Arch;
  std::string CudaPath = "--cuda-path=" + *Toolkit;
  std::vector<StringRef> Command = {*Clang,
                                    "-x",
                                    "cuda",
                                    Path,
                                    "--cuda-device-only",
                                    "-emit-llvm",
                                    "-c",
                                    "-O3",
                                    Arch,
                                    CudaPath,
                                    "-Wno-unknown-cuda-version",
                                    "-fno-crash-diagnostics",
                                    "-o",
                                    (*Output)->path()};
  append_range(Command, MoreOptions);
  append_range(Command, Cuda.ClangOptions);
  if (Expected<std::string> Log = runTool(Command, Path, "does not compile");
      !Log)
    return Log.takeError();
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile((*Output)->path(), /*IsText=*/false,
                            /*RequiresNullTerminator=*/true,
                            /*IsVolatile=*/true);
  if (std::error_code EC = Buffer.getError())
    return makeError(Path, "cannot read what clang++ wrote: " + EC.message());
  return std::move(*Buffer);
}

/// To bitcode with line numbers, which is then the text.
Error KernelInput::compileCuda(StringRef Path, const CudaOptions &Cuda) {
  Expected<std::unique_ptr<MemoryBuffer>> Bitcode = compileToBitcode(
      Path, Cuda, {"-gline-tables-only", "-fno-discard-value-names"});
  if (!Bitcode)
    return Bitcode.takeError();
  Text = std::move(*Bitcode);
  return readIR(Path);
}

Expected<KernelInput> KernelInput::read(StringRef Path,
                                        const CudaOptions &Cuda) {
  StringRef Ending = sys::path::extension(Path);
  if (Ending != ".cu" && Ending != ".ptx" && Ending != ".ll" && Ending != ".bc")
    return makeError(Path, "unknown kind of file; give a .cu, .ll, .bc or .ptx "
                           "file");
  if (Error E = checkInput(Path))
    return E;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (std::error_code EC = Buffer.getError())
    return makeError(Path, "cannot read: " + EC.message() + "; check the path");
  KernelInput Input;
  Input.Text = std::move(*Buffer);
  if (Error E = Ending == ".cu"    ? Input.compileCuda(Path, Cuda)
                : Ending == ".ptx" ? Input.readPtx(Path)
                                   : Input.readIR(Path))
    return E;
  if (Input.Kernels.empty())
    return makeError(Path, "no kernel in it");
  return Input;
}

} // namespace unravel
