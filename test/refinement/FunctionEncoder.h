//===- FunctionEncoder.h - A function as formulas ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every value of one version of a function over the inputs of the World, for
// an arbitrary iteration of each loop: the phis of a loop's header are
// inputs. Both versions take the branches of the earlier one, as each branch is
// proved to be decided alike.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_REFINEMENT_FUNCTIONENCODER_H
#define UNRAVEL_TEST_REFINEMENT_FUNCTIONENCODER_H

#include "FunctionPair.h"
#include "Semantics.h"
#include "World.h"
#include <map>

namespace unravel::refinement {

/// What the phis of a loop's header are.
enum class LoopView {
  AnyIteration,
  FirstIteration, // what comes in from outside: no loop is left
};

/// Undefined behaviour if \c When.
struct Hazard {
  z3::expr When;
  unsigned Time;
  const llvm::Instruction *Where;
};

/// Something that the other version has to do as well.
struct Event {
  const llvm::Instruction *Where;
  unsigned Time;
  z3::expr Reached;
  std::vector<SymbolicValue> Operands;
};

/// What a loop's phi gets along an edge.
struct Incoming {
  const llvm::PHINode *Phi;
  bool IsBack;
  unsigned Time;
  z3::expr Taken;
  SymbolicValue Value;
  const llvm::Value *From;
};

class FunctionEncoder {
public:
  /// \p Before is null for the earlier version itself.
  FunctionEncoder(World &W, const FunctionPair &Pair, LoopView View,
                  const FunctionEncoder *Before);

  void encode();
  const SymbolicValue &valueOf(const llvm::Value *V);

  /// What \p I makes of \p Operand.
  SymbolicValue freeze(const llvm::Instruction &I,
                       const SymbolicValue &Operand);

  std::vector<Hazard> Hazards;
  std::vector<Event> Events;
  std::vector<Incoming> Incomings;
  /// Results of choices (freeze of poison) that are this version's own.
  std::vector<z3::expr> Choices;
  /// Instructions of the earlier version are numbered by time. An event before
  /// one of these times may be the last that happens.
  std::vector<unsigned> MayStopAt;

  z3::expr reached(unsigned Block) const { return Reached[Block]; }
  unsigned timeOf(unsigned Block) const { return TimeOfBlock.lookup(Block); }
  z3::expr taken(unsigned From, unsigned To) const;
  World &world() const { return W; }
  LoopView view() const { return View; }
  const FunctionPair &pair() const { return Pair; }

private:
  void encodeBlock(unsigned Position, const llvm::BasicBlock &BB);
  void encodeInstruction(const llvm::Instruction &I, const z3::expr &Here);
  void encodeEvent(const llvm::Instruction &I, const z3::expr &Here,
                   llvm::ArrayRef<SymbolicValue> Operands);
  void encodeTerminator(const llvm::Instruction &I, const z3::expr &Here);
  void collectIncoming();
  SymbolicValue phi(const llvm::PHINode &Phi, unsigned Position);
  std::string nameOf(const llvm::Instruction &I);
  bool isBefore() const { return !Before; }

  World &W;
  Semantics Rules;
  const FunctionPair &Pair;
  LoopView View;
  const FunctionEncoder *Before;
  z3::context &C;
  std::map<const llvm::Value *, SymbolicValue> Values;
  std::vector<z3::expr> Reached;
  std::map<std::pair<unsigned, unsigned>, z3::expr> Taken;
  llvm::DenseMap<const llvm::Instruction *, unsigned> TimeOf;
  llvm::DenseMap<unsigned, unsigned> TimeOfBlock;
  unsigned Now = 0;
};

} // namespace unravel::refinement

#endif // UNRAVEL_TEST_REFINEMENT_FUNCTIONENCODER_H
