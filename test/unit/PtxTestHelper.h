//===- PtxTestHelper.h - Execute a few instructions -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_PTXTESTHELPER_H
#define UNRAVEL_TEST_UNIT_PTXTESTHELPER_H

#include "ptx/text/PtxParser.h"
#include "tools/ptx-fuzz/interpreter/Interpreter.h"
#include "tools/ptx-fuzz/interpreter/Operation.h"
#include "gtest/gtest.h"
#include <cstring>

namespace unravel::ptx {

/// `add.s32` as what it computes.
inline std::optional<Operation> operationOf(llvm::StringRef Opcode) {
  Instruction I;
  I.Opcode = Opcode;
  Opcode.split(I.Words, '.');
  I.Operands.resize(2); // mov has two
  return findOperation(I);
}

/// What an instruction makes of operands, cut to the width of its result.
inline uint64_t compute(llvm::StringRef Opcode,
                        llvm::ArrayRef<uint64_t> Operands,
                        ThreadFlags *Flags = nullptr) {
  std::optional<Operation> O = operationOf(Opcode);
  EXPECT_TRUE(O) << Opcode.str();
  if (!O)
    return 0;
  EXPECT_EQ(O->OperandWidths.size(), Operands.size()) << Opcode.str();
  llvm::SmallVector<uint64_t, 4> Cut;
  for (auto [Value, Width] : llvm::zip(Operands, O->OperandWidths))
    Cut.push_back(Value & maskOf(Width));
  ThreadFlags Own;
  return O->Run(Cut, Flags ? *Flags : Own).First & maskOf(O->ResultWidth);
}

/// Numbers of a width where something happens: near 0, the extremes, powers of
/// two, and bytes in every place.
inline std::vector<uint64_t> edgesOf(unsigned Width) {
  std::vector<uint64_t> Edges;
  for (unsigned Bit = 0; Bit < Width; Bit += Width / 8)
    for (uint64_t Delta : {0, 1, -1})
      Edges.push_back((uint64_t(1) << Bit) + Delta);
  for (uint64_t Small : {0, 1, 2, 3, 7, 10, -1, -2, -3, -7, -10})
    Edges.push_back(Small);
  uint64_t Top = uint64_t(1) << (Width - 1);
  for (uint64_t Value : {Top, Top - 1, Top + 1, Top - 2})
    Edges.push_back(Value);
  for (unsigned Place = 0; Place < Width; Place += 8)
    for (uint64_t Byte : {0x80, 0xff, 0x55})
      Edges.push_back(Byte << Place);
  for (uint64_t &Value : Edges)
    Value &= maskOf(Width);
  llvm::sort(Edges);
  Edges.erase(llvm::unique(Edges), Edges.end());
  return Edges;
}

/// A kernel whose parameter `out` is a buffer of 4096 bytes of zeros, at
/// `%out`. \p Body is what it does.
class KernelRun {
public:
  explicit KernelRun(llvm::StringRef Body, std::array<uint32_t, 3> Block,
                     llvm::StringRef Globals = "",
                     std::array<uint32_t, 3> Grid = {1, 1, 1},
                     uint64_t Fill = 0) {
    Text = ".version 8.5\n.target sm_90\n.address_size 64\n" + Globals.str() +
           "\n.visible .entry k(.param .u64 out) {\n"
           ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 "
           "%d<20>; .reg .b64 %out;\n"
           "ld.param.u64 %out, [out];\n" +
           Body.str() + "\n}\n";
    llvm::Expected<Module> M = parseModule(Text, "test.ptx");
    if (!M) {
      Out.K = Outcome::Kind::Fault;
      Out.Reason = toString(M.takeError());
      return;
    }
    Parsed = std::move(*M);
    llvm::Expected<Program> P = prepare(Parsed, *Parsed.find("k"));
    if (!P) {
      Out.K = Outcome::Kind::Fault;
      Out.Reason = toString(P.takeError());
      return;
    }
    Memory.add(0, "out", 4096,
               [](uint64_t, GlobalMemory::Page &To) { To.fill(0); });
    uint64_t Address = GlobalMemory::addressOf(0);
    Launch L;
    L.Grid = Grid;
    L.Block = Block;
    L.Fill = Fill;
    L.MaxSteps = 100'000;
    L.DynamicShared = 256;
    L.Arguments.emplace_back(8);
    std::memcpy(L.Arguments[0].data(), &Address, 8);
    Out = execute(*P, L, Memory);
  }

  uint64_t at(unsigned Offset, unsigned Size) {
    uint64_t Value = 0;
    std::memcpy(&Value, Memory.find(GlobalMemory::addressOf(0) + Offset, Size),
                Size);
    return Value;
  }
  uint32_t word(unsigned Number) { return uint32_t(at(4 * Number, 4)); }

  Outcome Out;

private:
  std::string Text;
  Module Parsed;
  GlobalMemory Memory;
};

} // namespace unravel::ptx

#endif // UNRAVEL_TEST_UNIT_PTXTESTHELPER_H
