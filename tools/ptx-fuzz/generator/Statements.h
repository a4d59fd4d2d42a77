//===- Statements.h - Control flow, memory, indices -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_STATEMENTS_H
#define UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_STATEMENTS_H

#include "tools/ptx-fuzz/generator/KernelText.h"
#include "tools/ptx-fuzz/generator/PtxGenerator.h"

namespace unravel::ptx {

/// One kernel while it is written.
class KernelWriter {
public:
  KernelWriter(uint64_t Seed, PtxProfile Profile, llvm::StringRef Name)
      : K(Seed), Profile(Profile), Name(Name) {}

  std::string write();

private:
  // Statements.cpp
  void addProlog();
  void addEpilog();
  void keepValues(const KernelText::Mark &M);
  void addStatement(unsigned Depth);
  void addSimple();
  void addStatements(unsigned Count, unsigned Depth);
  void addIf(unsigned Depth);
  void addLoop(unsigned Depth);
  void addWrappingLoop(unsigned Depth);
  void addScope(unsigned Depth);
  void addJumpTable(unsigned Depth);
  void addGuard();

  // MemoryStatements.cpp
  std::string address(llvm::StringRef Base, unsigned AccessBytes);
  std::string anyAddress(unsigned AccessBytes);
  std::string boundedIndex(unsigned Bound);
  void addLoad();
  void addStore();
  void addGuardedLoad();
  void addOwnAtomic();
  void addTableLoad();
  void addLocalAccess();
  void addIndexChain();
  void addSharedExchange();
  void addWarpOperation();
  void addReduction();

  KernelText K;
  const PtxProfile Profile;
  llvm::StringRef Name;
  std::string ThreadNumber; ///< In the launch, below MaxThreads.
  std::string ThreadInBlock, ThreadsOfBlock;
  std::string Input, Output, Counters; ///< Addresses.
  bool HasShared = false, HasLocal = false;
  bool IsWild = false;    ///< Loads from addresses that no buffer may have.
  bool EndsEarly = false; ///< Some threads are gone: no barriers any more.
  bool IsCube = false;    ///< Numbers threads of all dimensions.
  unsigned NumScopes = 0;
};

} // namespace unravel::ptx

#endif // UNRAVEL_TOOLS_PTX_FUZZ_GENERATOR_STATEMENTS_H
