//===- PtxasJudge.cpp - What ptxas makes of old and new kernels -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-simplify/PtxasJudge.h"
#include "tools/files/OutputFile.h"
#include "tools/files/Subprocess.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

unsigned MachineCode::warps() const {
  constexpr unsigned All = 65536, Unit = 256, MostWarps = 64;
  unsigned OfWarp = alignTo(std::max(Registers, 1u) * 32, Unit);
  return std::min(All / OfWarp, MostWarps);
}

/// Their opcodes. An instruction has 16 bytes, the lowest 12 bits are its
/// opcode (since sm_70). Behind the last one come a branch to itself and NOPs.
static std::vector<unsigned> opcodesOf(ArrayRef<uint8_t> Code) {
  constexpr unsigned Bytes = 16, Mask = 0xfff, Nop = 0x918, Branch = 0x947;
  std::vector<unsigned> Opcodes;
  for (; Code.size() >= Bytes; Code = Code.drop_front(Bytes))
    Opcodes.push_back(support::endian::read16le(Code.data()) & Mask);
  while (!Opcodes.empty() && Opcodes.back() == Nop)
    Opcodes.pop_back();
  if (!Opcodes.empty() && Opcodes.back() == Branch)
    Opcodes.pop_back();
  return Opcodes;
}

static bool isLocalAccess(unsigned Opcode) {
  constexpr unsigned Load = 0x983, Store = 0x387;
  return Opcode == Load || Opcode == Store;
}

/// Registers by the number of the kernel's symbol, in the records of .nv.info:
/// a byte for what follows, one for what it is, and 16 bits, which hold the
/// value or the bytes of it behind them.
static std::map<unsigned, unsigned> registersIn(ArrayRef<uint8_t> Info) {
  constexpr uint8_t HasBytes = 4, RegisterCount = 0x2f;
  constexpr unsigned HeadBytes = 4, CountBytes = 8;
  using support::endian::read32le;
  std::map<unsigned, unsigned> Registers;
  while (Info.size() >= HeadBytes) {
    ArrayRef<uint8_t> Head = Info.take_front(HeadBytes);
    Info = Info.drop_front(HeadBytes);
    if (Head[0] != HasBytes)
      continue;
    unsigned Size = support::endian::read16le(Head.data() + 2);
    if (Size > Info.size())
      break;
    if (Head[1] == RegisterCount && Size == CountBytes)
      Registers[read32le(Info.data())] = read32le(Info.data() + 4);
    Info = Info.drop_front(Size);
  }
  return Registers;
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
  std::map<std::string, unsigned> Symbols;
  std::map<unsigned, unsigned> Registers;
  for (const auto &Section : *Sections) {
    Expected<StringRef> Name = File->getSectionName(Section);
    if (!Name)
      return Name.takeError();
    bool IsCode = Name->consume_front(".text.");
    if (!IsCode && *Name != ".nv.info")
      continue;
    auto Bytes = File->getSectionContents(Section);
    if (!Bytes)
      return Bytes.takeError();
    if (!IsCode) {
      Registers = registersIn(*Bytes);
      continue;
    }
    std::vector<unsigned> Opcodes = opcodesOf(*Bytes);
    MachineCode &Kernel = Kernels[Name->str()];
    Kernel.Instructions = Opcodes.size();
    Kernel.LocalAccesses = count_if(Opcodes, isLocalAccess);
    // Older versions of ptxas have something else in the upper byte.
    constexpr unsigned SymbolMask = 0xffffff;
    Symbols[Name->str()] = Section.sh_info & SymbolMask;
  }
  for (auto &[Name, Kernel] : Kernels)
    Kernel.Registers = Registers[Symbols[Name]];
  return Kernels;
}

Expected<std::map<std::string, MachineCode>>
unravel::ptx::assemble(StringRef Text, StringRef Target, StringRef Ptxas) {
  auto Source = TemporaryFile::create("ptx-simplify", "ptx");
  if (!Source)
    return Source.takeError();
  auto Cubin = TemporaryFile::create("ptx-simplify", "cubin");
  if (!Cubin)
    return Cubin.takeError();
  StringRef SourcePath = (*Source)->path(), CubinPath = (*Cubin)->path();
  // ptxas refuses the zero byte behind NVRTC's PTX.
  if (Error E = writeFile(SourcePath, Text.rtrim('\0')))
    return E;
  std::string Arch = ("-arch=" + Target).str();
  Expected<FinishedProgram> Program =
      runProgram({Ptxas, Arch, SourcePath, "-o", CubinPath});
  if (!Program)
    return Program.takeError();
  if (!Program->succeeded()) {
    std::string Reason = Program->Problem;
    if (Reason.empty())
      Reason = Program->firstErrors(1);
    return makeError(Ptxas,
                     Reason.empty() ? "failed without saying why" : Reason);
  }
  auto Contents = MemoryBuffer::getFile(CubinPath);
  if (!Contents)
    return makeError(CubinPath, Contents.getError().message());
  auto Kernels = readCubin((*Contents)->getBuffer());
  if (!Kernels)
    return makeError(Ptxas, "wrote no cubin (" + toString(Kernels.takeError()) +
                                "): name the ptxas of a CUDA toolkit");
  return Kernels;
}
