//===- KernelBuilder.h - One random kernel under construction ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is a list of statements, some of which contain statements. Values go
// into a pool that later expressions take their operands from; recent values
// are taken more often, so that expressions get deep.
//
// Everything is drawn in separate statements: the order in which arguments are
// evaluated differs between compilers, and a seed names one kernel.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_KERNELBUILDER_H
#define UNRAVEL_TOOLS_KERNELFUZZ_KERNELBUILDER_H

#include "tools/kernel-fuzz/random/FuzzRandom.h"
#include "tools/kernel-fuzz/random/SeedLine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <vector>

namespace unravel {

/// Comparisons whose constant is chosen after the kernel was run once.
struct TunableConditions {
  std::vector<llvm::ICmpInst *> Guards; ///< decide branches: either way
  struct Assumption {
    llvm::ICmpInst *Condition;
    llvm::CallInst *Assume;
  };
  std::vector<Assumption> Assumptions; ///< have to hold
};

class KernelBuilder {
public:
  KernelBuilder(const SeedLine &Line, llvm::Module &M);
  /// Builds the kernel, without flags.
  llvm::Function &build();
  FuzzRandom &random() { return R; }
  TunableConditions &conditions() { return Conditions; }

private:
  using Values = std::vector<llvm::Value *>;

  // Types, constants and operands (KernelBuilder.cpp).
  llvm::IntegerType *type();
  llvm::IntegerType *indexType();
  int64_t radix();
  llvm::ConstantInt *number(llvm::Type *Ty, uint64_t Bits);
  llvm::ConstantInt *interestingConstant(llvm::Type *Ty);
  llvm::Value *keep(llvm::Value *V);
  llvm::Value *anyValue();
  llvm::Value *operand(llvm::Type *Ty);  ///< a constant now and then
  llvm::Value *variable(llvm::Type *Ty); ///< not a constant if avoidable
  llvm::Value *convert(llvm::Value *V, llvm::Type *Ty);
  llvm::BasicBlock *block(const char *Name);
  void addSignature();
  void addArgumentFacts(llvm::Argument &A);
  void addThreadIndex();
  void statement();
  void statements(unsigned Count);

  // Single operations (BuildExpressions.cpp).
  llvm::Value *arithmetic();
  llvm::Value *shift(llvm::Value *X);
  llvm::Value *bitwise(llvm::Value *X);
  llvm::Value *divisor(llvm::Type *Ty, bool Signed);
  llvm::Value *divide(llvm::Value *X, llvm::Value *D, bool Remainder,
                      bool Signed);
  llvm::Value *condition(unsigned Depth = 0);
  llvm::CmpInst::Predicate predicate();
  llvm::Value *intrinsic();
  llvm::Value *readRegister();
  llvm::Value *call(llvm::Intrinsic::ID ID, llvm::ArrayRef<llvm::Type *> Types,
                    llvm::ArrayRef<llvm::Value *> Arguments, const char *Name);

  // Indices taken apart and put together (BuildShapes.cpp).
  /// Digits and the radices that they were taken with, least one first; the
  /// last radix is 0.
  struct Digits {
    Values Parts;
    std::vector<int64_t> Radices;
  };
  Digits delinearize(llvm::Value *X);
  llvm::Value *quotient(llvm::Value *X, int64_t D, bool Signed);
  llvm::Value *linearize(Digits D);
  llvm::Value *term(llvm::Value *Digit, uint64_t Stride);
  void reshape();
  llvm::Value *sizeFrom(llvm::Value *V, uint64_t Way);
  void runtimeShape();

  // Things that compilers and people write (BuildIdioms.cpp).
  void idiom();
  llvm::Value *magicDivision();
  llvm::Value *narrowDivision();
  llvm::Value *clampedIndex();
  llvm::Value *roundUp();
  llvm::Value *mirroredQuotient();
  llvm::Value *frozenRemainder();
  llvm::Value *mergedCoefficients();
  llvm::Value *swizzle();
  llvm::Value *boundaryIndex();
  llvm::Value *boundedQuotient();
  llvm::Value *quotientOfRemainder();
  llvm::Value *frozenPoison();
  void paddedAccess();

  // Floors of dividends of either sign (BuildFloors.cpp).
  llvm::Value *floorDivisor(llvm::Type *Ty);
  llvm::Value *needsCorrection(llvm::Value *X, llvm::Value *D,
                               llvm::Value *Rest);
  llvm::Value *branchedFloor(llvm::Value *X, llvm::Value *D);
  llvm::Value *floorQuotient(llvm::Value *X, llvm::Value *D, llvm::Value *Rest);
  llvm::Value *floorRemainder(llvm::Value *X, llvm::Value *D,
                              llvm::Value *Rest);
  void floorDigits();

  // Branches (BuildBranches.cpp).
  void ifThen();
  void ifElse();
  llvm::Value *relatedSum(llvm::Value *Base, llvm::Type *Ty);
  void switchOver();
  void earlyReturn();
  void assume();
  void assumeLaunch();

  // Loops (BuildLoops.cpp).
  struct LoopShape;
  LoopShape loopShape();
  void loop();
  void topTestedLoop(const LoopShape &L);
  void bottomTestedLoop(const LoopShape &L);
  llvm::Value *nextAccumulator(llvm::Value *Accumulator);

  // Memory and calls (BuildMemory.cpp).
  llvm::Value *address();
  llvm::Value *addressIndex();
  llvm::Value *pointerStep(llvm::Value *Pointer);
  llvm::Value *load();
  void store(llvm::Value *V);
  void callUnknown(llvm::Value *V, bool MayEndThread);
  void use();

  // Vectors of indices (BuildVectors.cpp, UseVectors.cpp).
  struct VectorValue {
    llvm::Value *V = nullptr;
    /// Lanes that are poison or undef whatever the thread is, as bits.
    uint64_t Poison = 0;
  };
  llvm::FixedVectorType *vectorType();
  VectorValue keepVector(VectorValue X);
  VectorValue neighbours(llvm::FixedVectorType *Ty);
  VectorValue splat(llvm::FixedVectorType *Ty);
  VectorValue loadVector(llvm::FixedVectorType *Ty);
  VectorValue newVector(llvm::FixedVectorType *Ty);
  VectorValue anyVector();
  VectorValue vectorOf(llvm::FixedVectorType *Ty);
  VectorValue vectorOperand(llvm::FixedVectorType *Ty);
  VectorValue castLanes(VectorValue X, llvm::Type *Element);
  VectorValue laneConstants(llvm::FixedVectorType *Ty);
  llvm::Constant *laneDivisors(llvm::FixedVectorType *Ty);
  VectorValue vectorArithmetic(VectorValue X);
  VectorValue vectorDivision(VectorValue X);
  VectorValue vectorDigits(VectorValue X);
  VectorValue vectorBits(VectorValue X);
  VectorValue vectorMinMax(VectorValue X);
  VectorValue vectorCompare(VectorValue X);
  VectorValue vectorSelect(VectorValue X);
  VectorValue shuffle(VectorValue X);
  VectorValue insertLane(VectorValue X);
  VectorValue vectorOperation(VectorValue X);
  unsigned laneToUse(const VectorValue &X);
  llvm::Value *extract(const VectorValue &X);
  llvm::Value *extractAtVariable(const VectorValue &X);
  llvm::Value *reduce(const VectorValue &X);
  llvm::Value *vectorCondition();
  void storeThroughVector(const VectorValue &X);
  void observeVector(const VectorValue &X);
  void useVector(const VectorValue &X);
  void vectorJoin();
  void vectorLoop();
  void vectorStatement();

  static constexpr unsigned MaxDepth = 3; ///< of nested statements

  /// What is defined in a block that does not dominate what follows is
  /// forgotten behind it.
  struct Frame {
    size_t Pool, Pointers, Compared, Vectors;
  };
  Frame enter() {
    ++Depth;
    return {Pool.size(), Pointers.size(), Compared.size(), Vectors.size()};
  }
  void leave(Frame Old) {
    --Depth;
    Pool.resize(Old.Pool);
    Pointers.resize(Old.Pointers);
    Compared.resize(Old.Compared);
    Vectors.resize(Old.Vectors);
  }

  FuzzRandom R;
  Profile Kind;
  uint64_t Seed;
  llvm::Module &M;
  llvm::LLVMContext &C;
  llvm::IRBuilder<> B;
  llvm::Function *F = nullptr;
  Values Pool, Pointers;
  std::vector<VectorValue> Vectors;
  Values Compared; ///< left sides of guards, for guards that contradict them
  llvm::Value *Readable = nullptr; ///< a pointer that nothing is stored to
  TunableConditions Conditions;
  int Budget = 0; ///< statements left
  unsigned Depth = 0;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_KERNELBUILDER_H
