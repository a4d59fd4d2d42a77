//===- PtxasJudge.cpp - What ptxas makes of old and new kernels -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-simplify/PtxasJudge.h"
#include "tools/files/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

unsigned MachineCode::warps() const {
  constexpr unsigned All = 65536, Unit = 256, MostWarps = 64;
  unsigned OfWarp = alignTo(std::max(Registers, 1u) * 32, Unit);
  return std::min(All / OfWarp, MostWarps);
}

/// An instruction has 16 bytes, the lowest 12 bits are its opcode (since
/// sm_70). Behind the last one come a branch to itself and NOPs.
static unsigned countInstructions(ArrayRef<uint8_t> Code) {
  constexpr unsigned Bytes = 16, Nop = 0x918, Branch = 0x947;
  auto EndsWith = [&](unsigned Opcode) {
    return Code.size() >= Bytes &&
           (support::endian::read16le(Code.take_back(Bytes).data()) & 0xfff) ==
               Opcode;
  };
  while (EndsWith(Nop))
    Code = Code.drop_back(Bytes);
  if (EndsWith(Branch))
    Code = Code.drop_back(Bytes);
  return Code.size() / Bytes;
}

static Expected<std::map<std::string, MachineCode>>
readCubin(StringRef Contents) {
  auto File = object::ELFFile<object::ELF64LE>::create(Contents);
  if (!File)
    return File.takeError();
  auto Sections = File->sections();
  if (!Sections)
    return Sections.takeError();
  std::map<std::string, MachineCode> Kernels;
  for (const auto &Section : *Sections) {
    Expected<StringRef> Name = File->getSectionName(Section);
    if (!Name)
      return Name.takeError();
    if (!Name->consume_front(".text."))
      continue;
    auto Code = File->getSectionContents(Section);
    if (!Code)
      return Code.takeError();
    // ptxas keeps the number of registers in the upper byte of sh_info.
    Kernels[Name->str()] = {countInstructions(*Code),
                            static_cast<unsigned>(Section.sh_info >> 24)};
  }
  return Kernels;
}

Expected<std::map<std::string, MachineCode>>
unravel::ptx::assemble(StringRef Text, StringRef Target, StringRef Ptxas) {
  SmallString<128> Source, Cubin, Log;
  for (auto [Path, Suffix] :
       {std::pair(&Source, "ptx"), {&Cubin, "cubin"}, {&Log, "log"}})
    if (std::error_code EC =
            sys::fs::createTemporaryFile("ptx-simplify", Suffix, *Path))
      return makeError("the temporary folder", EC.message());
  FileRemover RemoveSource(Source), RemoveCubin(Cubin), RemoveLog(Log);
  if (Error E = writeFile(Source, Text))
    return E;
  std::string Arch = ("-arch=" + Target).str(), Problem;
  std::optional<StringRef> Redirects[] = {StringRef(), StringRef(Log),
                                          StringRef(Log)};
  int Status = sys::ExecuteAndWait(Ptxas, {Ptxas, Arch, Source, "-o", Cubin},
                                   std::nullopt, Redirects, 0, 0, &Problem);
  if (Status != 0) {
    auto Messages = MemoryBuffer::getFile(Log);
    if (Problem.empty() && Messages)
      Problem = (*Messages)->getBuffer().split('\n').first.str();
    return makeError(Ptxas, Problem.empty() ? "failed" : Problem);
  }
  auto Contents = MemoryBuffer::getFile(Cubin);
  if (!Contents)
    return makeError(Cubin, Contents.getError().message());
  return readCubin((*Contents)->getBuffer());
}
