//===- PtxText.cpp - Read PTX text and count its instructions -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/PtxText.h"
#include "ptx/text/PtxParser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace unravel;

/// What .reqntid or .maxntid says.
static std::optional<unsigned> blockThreads(const ptx::Function &F) {
  const ptx::Limit *L = F.limit("reqntid");
  if (!L)
    L = F.limit("maxntid");
  if (!L || L->Values.empty())
    return std::nullopt;
  unsigned Threads = 1;
  for (uint64_t Size : L->Values)
    Threads = SaturatingMultiply<unsigned>(
        Threads, std::min<uint64_t>(Size, UINT32_MAX));
  return Threads;
}

Expected<PtxModule> unravel::parsePtx(StringRef Text, StringRef BufferName) {
  Expected<ptx::Module> Parsed = ptx::parseModule(Text, BufferName);
  if (!Parsed)
    return Parsed.takeError();
  PtxModule Module;
  Module.Target = Parsed->Target.str();
  for (const ptx::Item &I : Parsed->Items) {
    auto *F = I.as<ptx::Function>();
    if (!F || !F->HasBody)
      continue;
    PtxFunction Function;
    Function.Name = F->Name.str();
    Function.IsKernel = F->IsKernel;
    Function.Text = I.Text.str();
    Function.BlockThreads = blockThreads(*F);
    Function.Counts = countInstructions(*F);
    Function.Paths = findPaths(*F, I.Text);
    Module.Functions.push_back(std::move(Function));
  }
  return Module;
}

const PtxFunction *PtxModule::find(StringRef Name) const {
  auto It =
      find_if(Functions, [&](const PtxFunction &F) { return F.Name == Name; });
  return It == Functions.end() ? nullptr : &*It;
}

bool PtxModule::hasKernel() const {
  return any_of(Functions, [](const PtxFunction &F) { return F.IsKernel; });
}

//===----------------------------------------------------------------------===//
// ptxas -v
//===----------------------------------------------------------------------===//

/// Returns the number just before Unit: 24 in "Used 24 registers" for
/// " registers". Returns nothing if the line does not have the unit.
static std::optional<unsigned> numberBefore(StringRef Line, StringRef Unit) {
  size_t End = Line.find(Unit);
  if (End == StringRef::npos)
    return std::nullopt;
  StringRef Digits = Line.take_front(End);
  Digits = Digits.drop_front(Digits.find_last_not_of("0123456789") + 1);
  unsigned Number;
  if (Digits.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

std::map<std::string, PtxasUsage> unravel::parsePtxasLog(StringRef Log) {
  std::map<std::string, PtxasUsage> Usage;
  // Registers are told of the entry that is being compiled, spills of whatever
  // "Function properties" named last.
  std::string Entry, Function;
  while (!Log.empty()) {
    StringRef Line;
    std::tie(Line, Log) = Log.split('\n');
    if (Line.contains("Compiling entry function"))
      Entry = Line.split('\'').second.split('\'').first.str();
    else if (StringRef Rest = Line.split("Function properties for ").second;
             !Rest.empty())
      Function = Rest.trim().str();
    else if (auto Stores = numberBefore(Line, " bytes spill stores")) {
      Usage[Function].SpillStoreBytes = *Stores;
      Usage[Function].SpillLoadBytes =
          numberBefore(Line, " bytes spill loads").value_or(0);
    } else if (auto Registers = numberBefore(Line, " registers")) {
      Usage[Entry].Registers = Registers;
      Usage[Entry].SharedBytes = numberBefore(Line, " bytes smem").value_or(0);
    }
  }
  return Usage;
}
