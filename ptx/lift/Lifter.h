//===- Lifter.h - The state of lifting one kernel ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers are stack slots that become SSA values when all is lifted. Each
// kind of instruction has a file: it answers false for an instruction that it
// does not model, which then stays text (LiftText.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PTX_LIFT_LIFTER_H
#define UNRAVEL_PTX_LIFT_LIFTER_H

#include "ptx/flow/AsyncRegisters.h"
#include "ptx/lift/KernelLifter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"
#include <map>
#include <set>

namespace unravel::ptx {

/// What a name stands for.
struct Symbol {
  enum class Kind { Register, Global, Local, Parameter };
  Kind K;
  /// A register's slot, a global variable, a local array's address in the local
  /// address space, or the argument.
  llvm::Value *V = nullptr;
  llvm::Type *Ty = nullptr; ///< of a register
  bool IsDynamic = false;   ///< `.extern .shared`
};

class Assembly;

class Lifter {
public:
  Lifter(const Module &M, const Function &Kernel, llvm::LLVMContext &Context,
         BadDivision Division, llvm::ArrayRef<const Instruction *> AsText);
  llvm::Expected<LiftedKernel> run();

private:
  // Lifter.cpp: the kernel as a whole

  void makeFunction();
  void declareModuleVariables();
  void liftBody();
  void liftStatement(const Statement &S);
  void liftInstruction(const Instruction &I);
  void declare(const Registers &R);
  void declare(const Variables &V, llvm::StringRef Text);
  void startLocations();
  /// What is created from now on comes from `.loc` directive \p Text.
  void setLocation(llvm::StringRef Text);
  void setPlace(unsigned Number);
  /// Registers become SSA values; what cannot be reached goes.
  void finish();
  void refuse(const llvm::Twine &Reason);
  bool isRefused() const { return !Refusal.empty(); }

  // LiftOperands.cpp: what instructions read and write

  const Symbol *lookUp(llvm::StringRef Name);
  const Symbol *registerNamed(const Operand &O);
  llvm::Type *typeOf(const Type &T) const;
  llvm::Type *intType(unsigned Width) const;
  /// Null for a special register that is text, such as %clock.
  llvm::Value *specialRegister(llvm::StringRef Name);
  bool isSpecialRegister(llvm::StringRef Name) const;
  /// The bits of \p O, as \p Ty; a register may be wider.
  llvm::Value *read(const Operand &O, llvm::Type *Ty);
  llvm::Value *readInt(const Operand &O, unsigned Width) {
    return read(O, intType(Width));
  }
  llvm::Value *readPredicate(const Operand &O);
  llvm::Value *readPredicate(llvm::StringRef Register);
  /// A register that is wider than \p V gets it extended. Under a guard, the
  /// register keeps what it has where the guard does not hold.
  void write(const Operand &O, llvm::Value *V, bool IsSigned = false);
  /// What a register has here.
  llvm::Value *valueOf(const Symbol &Register);
  void setValue(const Symbol &Register, llvm::Value *V);
  llvm::DenseMap<llvm::Value *, llvm::Value *> &valuesHere();
  llvm::Value *bitsAs(llvm::Value *V, llvm::Type *Ty);
  /// What is added to the name in \p O.
  llvm::Value *offset(const Operand &O, unsigned AddressSpace);
  unsigned pointerWidth(unsigned AddressSpace) const {
    return Layout.getPointerSizeInBits(AddressSpace);
  }

  // LiftControl.cpp

  bool liftControl(const Instruction &I);
  bool liftIndexedBranch(const Instruction &I);
  void findLabels();
  /// \p Label, told apart from those of other scopes with the same name.
  std::string scopedLabel(llvm::StringRef Label) const;
  llvm::BasicBlock *blockOf(llvm::StringRef Label);
  void startBlock(llvm::StringRef Label);
  void disableUnrolling();

  // LiftArithmetic.cpp

  bool liftArithmetic(const Instruction &I);
  bool liftPacked(const Instruction &I);
  bool liftMultiplication(const Instruction &I);
  bool liftDivision(const Instruction &I);
  llvm::Value *guardedDivisor(llvm::Value *N, llvm::Value *D, bool IsSigned);
  bool liftMultiply24(const Instruction &I);

  // LiftBits.cpp

  bool liftBits(const Instruction &I);
  void notePermutedHalves(llvm::Value *V, llvm::Value *X, llvm::Value *Y,
                          uint64_t Selector);
  bool liftShift(const Instruction &I);
  bool liftFunnelShift(const Instruction &I);
  bool liftBitField(const Instruction &I);
  bool liftLogic3(const Instruction &I);

  // LiftCompare.cpp

  bool liftCompare(const Instruction &I);
  bool liftSetPredicate(const Instruction &I);

  // LiftMove.cpp

  bool liftMove(const Instruction &I);
  /// Parts of equal width, the first with the lowest bits, and the whole.
  llvm::Value *pack(llvm::ArrayRef<llvm::Value *> Parts);
  llvm::SmallVector<llvm::Value *, 2> unpack(llvm::Value *V, unsigned Count);
  bool liftPack(const Instruction &I);
  bool liftUnpack(const Instruction &I);
  bool liftConversion(const Instruction &I);
  bool liftAddressConversion(const Instruction &I);

  // LiftMemory.cpp

  bool liftMemory(const Instruction &I);
  bool liftParameterLoad(const Instruction &I);
  /// What a load or a store moves: a register for each lane. The lanes have the
  /// type that the registers are declared with, where that has as many bits.
  struct Lanes {
    llvm::ArrayRef<Operand> Parts;
    llvm::Type *Lane; ///< in memory
    llvm::Type *All;
    llvm::Align Alignment;
  };
  std::optional<Lanes> lanesOf(const Instruction &I, const Operand &Registers);
  void liftLoad(const Instruction &I, llvm::Value *Address);
  void liftStore(const Instruction &I, llvm::Value *Address);
  llvm::Value *address(const Operand &O, unsigned AddressSpace);

  // LiftGroup.cpp: statements that belong together

  void findTextScopes();
  /// How many statements from \p At on are one group; 0 for none.
  size_t sizeOfGroup(size_t At) const;
  void liftAsText(llvm::ArrayRef<const Statement *> Group);

  // LiftText.cpp: everything else

  void liftAsText(const Instruction &I);
  void addResult(Assembly &Asm, llvm::StringRef Name, llvm::StringRef Mark);
  void addInput(Assembly &Asm, llvm::StringRef Name, bool IsAddress,
                const Instruction &I);
  void writeResults(const Assembly &Asm, llvm::CallInst *Call);

  const Module &M;
  const Function &K;
  llvm::LLVMContext &Context;
  const BadDivision Division;
  const llvm::SmallPtrSet<const Instruction *, 8> AsText;
  const AsyncRegisters Async;
  LiftedKernel Result;
  llvm::DataLayout Layout;
  llvm::IRBuilder<> B;
  llvm::Function *F = nullptr;
  /// Names, innermost scope last.
  std::vector<llvm::StringMap<Symbol>> Scopes;
  /// `%r<12>`: their registers are made when used.
  struct RegisterRange {
    Registers::Entry Names;
    llvm::Type *Ty;
  };
  std::vector<std::vector<RegisterRange>> Ranges;
  /// Scopes that are one piece of text: where they begin, and how many
  /// statements they have.
  llvm::DenseMap<size_t, size_t> TextScopes;
  /// The labels of each scope, by where it begins.
  std::map<size_t, std::set<llvm::StringRef>> Labels;
  /// Where the scopes around the statement at hand begin, innermost last. The
  /// body itself is no statement: one behind the last stands for it.
  std::vector<size_t> LabelScopes;
  llvm::StringMap<llvm::BasicBlock *> Blocks;
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> Defined, NotUnrolled;
  llvm::StringMap<const Directive *> BranchTargets;
  llvm::StringRef LastLabel;
  /// What registers have in the block at hand, by slot, as far as it has read
  /// or written them. Only what comes from other blocks is loaded: LLVM looks
  /// for the first access of each slot in each block.
  llvm::DenseMap<llvm::Value *, llvm::Value *> Values;
  llvm::BasicBlock *BlockOfValues = nullptr;
  /// The parts of what was put together, which unpack() need not compute.
  llvm::DenseMap<llvm::Value *, llvm::SmallVector<llvm::Value *, 2>> PartsOf;
  /// The array that stands for the shared memory that a launch adds.
  llvm::Value *DynamicShared = nullptr;
  /// What is computed of divisors alone, operands first.
  std::vector<llvm::WeakTrackingVH> DivisorGuards;
  /// A division with a guard, and the divisor without it.
  struct GuardedDivision {
    const Instruction *I;
    llvm::WeakTrackingVH Result, Divisor;
  };
  std::vector<GuardedDivision> Guarded;
  /// Addresses of parameters as numbers: in a space of their own, which IR does
  /// not tell from the generic one.
  std::vector<llvm::WeakTrackingVH> ParameterAddresses;
  /// The guard of the instruction at hand, or null.
  llvm::Value *Guard = nullptr;
  /// Whether generic addresses may be those of local arrays.
  bool HasLocalArrays = false;
  /// Nothing reaches the statement at hand.
  bool IsUnreachable = false;
  llvm::StringMap<unsigned> LocationNumbers;
  llvm::DISubprogram *Subprogram = nullptr;
  std::string Refusal;
};

/// LLVM's number of a space that PTX calls \p Word. Nothing for others, such as
/// shared::cluster.
std::optional<unsigned> addressSpaceNamed(llvm::StringRef Word);

/// The address space that \p I accesses: generic if it names none.
std::optional<unsigned> addressSpaceOf(const Instruction &I);

} // namespace unravel::ptx

#endif // UNRAVEL_PTX_LIFT_LIFTER_H
