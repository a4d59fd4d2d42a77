//===- DecodedProgram.h - IR, taken apart once for many runs ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_DECODEDPROGRAM_H
#define UNRAVEL_TOOLS_KERNELFUZZ_DECODEDPROGRAM_H

#include "tools/kernel-fuzz/interpreter/ExecutionTrace.h"
#include "tools/kernel-fuzz/interpreter/Scalar.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace unravel {

struct DecodedFunction;

/// Index * Scale bytes; with no index Scale bytes.
struct PointerStep {
  int Index;
  unsigned IndexWidth;
  int64_t Scale;
};

/// How a call of a function without a body behaves.
struct UnknownCallee {
  bool MayBeSeen; ///< it is an event: it writes memory, or may not return
  bool MayEndThread;
  uint64_t NameHash;
};

struct Operation {
  const llvm::Instruction *Inst = nullptr;
  unsigned Opcode = 0;
  llvm::Intrinsic::ID ID = llvm::Intrinsic::not_intrinsic;
  /// Of the result (of what is stored, for stores) and of the first operand; of
  /// one lane.
  unsigned Width = 0, OperandWidth = 0;
  /// Which lane of a vector it computes or stores.
  unsigned Lane = 0;
  int Result = -1;
  llvm::SmallVector<int, 4> Operands;
  /// The violations that make the result poison.
  unsigned Forbidden = 0;
  llvm::CmpInst::Predicate Predicate = llvm::CmpInst::BAD_ICMP_PREDICATE;
  uint64_t AlignMask = 0;
  std::optional<unsigned> Register;
  std::optional<llvm::ConstantRange> Range;
  bool NoUndef = false;
  llvm::SmallVector<PointerStep, 2> Steps;
  llvm::SmallVector<std::pair<uint64_t, int>, 2> Cases;
  llvm::SmallVector<int, 2> Targets; ///< blocks
  const DecodedFunction *Callee = nullptr;
  std::optional<UnknownCallee> Unknown;
};

struct DecodedBlock {
  std::vector<Operation> Operations;
  llvm::SmallVector<const llvm::PHINode *, 2> Phis;
  /// By the block that control came from: (phi, what it becomes).
  std::map<int, std::vector<std::pair<int, int>>> PhiMoves;
};

/// Values live in slots, vectors in one for each lane. A slot of a constant is
/// set before the run, one of a pointer argument or a global variable to the
/// address of its object.
struct DecodedFunction {
  const llvm::Function *F = nullptr;
  std::vector<Scalar> Initial;
  std::vector<int> ArgumentSlots;
  struct ObjectAddress {
    int Slot;
    unsigned Object;
    int64_t Offset;
  };
  std::vector<ObjectAddress> Objects;
  /// Where undef is, and of how many bits.
  std::vector<std::pair<int, unsigned>> Undefs;
  llvm::DenseMap<const llvm::Value *, int> Slots; ///< of the first lane
  std::vector<DecodedBlock> Blocks;
};

/// A function and what it calls.
class DecodedProgram {
public:
  /// Null, with the reason in \p Why, if \p F uses what the interpreter does
  /// not know. \p Globals numbers the global variables (see numberGlobals).
  static std::unique_ptr<DecodedProgram>
  create(const llvm::Function &F, const llvm::StringMap<unsigned> &Globals,
         std::string &Why);

  const DecodedFunction &entry() const { return *Entry; }
  /// The decoded \p F, null if it cannot be decoded.
  const DecodedFunction *decode(const llvm::Function &F);
  std::optional<unsigned> globalNumber(llvm::StringRef Name) const;
  std::string Why;

private:
  explicit DecodedProgram(const llvm::StringMap<unsigned> &Globals)
      : Globals(Globals) {}
  const llvm::StringMap<unsigned> &Globals;
  std::map<const llvm::Function *, std::unique_ptr<DecodedFunction>> Functions;
  const DecodedFunction *Entry = nullptr;
};

/// 1 for scalars.
unsigned countLanes(const llvm::Type *Ty);

/// Numbers the objects behind the pointer arguments of \p F: the global
/// variables of its module by name, which later versions of the module share.
llvm::StringMap<unsigned> numberGlobals(const llvm::Function &F);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_DECODEDPROGRAM_H
