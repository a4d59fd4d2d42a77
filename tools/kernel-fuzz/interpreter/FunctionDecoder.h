//===- FunctionDecoder.h - Takes one function apart -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector is one slot for each lane, one behind the other. An instruction on
// vectors becomes one operation for each lane of what it computes or stores.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_FUNCTIONDECODER_H
#define UNRAVEL_TOOLS_KERNELFUZZ_FUNCTIONDECODER_H

#include "tools/kernel-fuzz/interpreter/DecodedProgram.h"
#include "llvm/IR/DataLayout.h"

namespace unravel {

/// Whether \p I computes a vector or takes one.
bool hasVectors(const llvm::Instruction &I);

class FunctionDecoder {
public:
  FunctionDecoder(DecodedProgram &Program, const llvm::Function &F)
      : Program(Program), Layout(F.getDataLayout()), F(F) {}
  std::unique_ptr<DecodedFunction> decode();
  std::string Why;

private:
  bool fail(const llvm::Twine &Reason) {
    if (Why.empty())
      Why = Reason.str();
    return false;
  }
  /// The slot of \p V, or that of its first lane; -1 if there can be none.
  int slotOf(const llvm::Value *V);
  int constantSlot(const llvm::Constant *C);
  int objectSlot(const llvm::Constant *Address);
  bool decodePhi(const llvm::PHINode &Phi, DecodedBlock &Block);
  bool decodeInstruction(const llvm::Instruction &I, Operation &Op);
  bool decodePointerSteps(const llvm::GetElementPtrInst &Gep, Operation &Op);
  bool decodeCall(const llvm::CallBase &Call, Operation &Op);
  bool decodeUnknownCall(const llvm::CallBase &Call, Operation &Op);
  bool decodeAccess(const llvm::Instruction &I, Operation &Op);

  // Vectors (DecodeVector.cpp). Op has the slots of first lanes.
  int constantLanes(const llvm::Constant *C);
  bool decodeLanes(const llvm::Instruction &I, const Operation &Op,
                   DecodedBlock &Block);
  bool decodeVectorCall(const llvm::CallBase &Call, const Operation &Op,
                        DecodedBlock &Block);
  bool decodeShuffle(const llvm::Instruction &I, const Operation &Op,
                     DecodedBlock &Block);
  void decodeLaneByLane(const llvm::Instruction &I, const Operation &Op,
                        DecodedBlock &Block);

  DecodedProgram &Program;
  const llvm::DataLayout &Layout;
  const llvm::Function &F;
  std::unique_ptr<DecodedFunction> D;
  llvm::DenseMap<const llvm::BasicBlock *, int> Blocks;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_FUNCTIONDECODER_H
