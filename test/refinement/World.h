//===- World.h - What both versions of a function share ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inputs of a run: arguments, special registers, globals, what memory and
// other functions return, what a loop did so far. A thing with one name is one
// variable, for both versions. That loses nothing where memory of the later
// version is better defined than that of the earlier one: replacing poison by a
// value, LLVM's operations give a value that refines what they gave.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_REFINEMENT_WORLD_H
#define UNRAVEL_TEST_REFINEMENT_WORLD_H

#include "SymbolicValue.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <map>
#include <string>

namespace unravel::refinement {

class World {
public:
  World(z3::context &C, const llvm::Function &F);

  /// Conditions that every input meets.
  std::vector<z3::expr> Axioms;
  /// The inputs by name, for counterexamples.
  std::vector<std::pair<std::string, z3::expr>> Inputs;
  /// Why the function cannot be judged, or empty.
  std::string Unsupported;
  /// Something that could exclude a counterexample was not looked at.
  std::string IgnoredFact;
  /// An operation that was not looked into although LLVM defines what it gives:
  /// a counterexample counts only if it is one whatever that gives.
  std::string NotLookedInto;
  /// What unknown functions return, and what else is free.
  std::vector<z3::expr> FreeResults;
  void setFree(const SymbolicValue &Result);

  z3::context &context() const { return C; }
  const llvm::DataLayout &layout() const { return DL; }
  void giveUp(const llvm::Twine &Reason);
  void ignoreFact(const llvm::Twine &What);

  /// A variable; the same one for the same name.
  z3::expr variable(const llvm::Twine &Name, unsigned Width);
  z3::expr condition(const llvm::Twine &Name);
  /// A value of which nothing is known but its type.
  SymbolicValue unknown(llvm::Type *Ty, const llvm::Twine &Name,
                        bool NeverPoison);
  SymbolicValue poison(llvm::Type *Ty);

  SymbolicValue argument(const llvm::Argument &A);
  /// A constant without operands of its own (no constant expression).
  SymbolicValue constant(const llvm::Constant &V);
  /// A special register of the GPU, or nullopt.
  std::optional<SymbolicValue> specialRegister(const llvm::CallBase &Call);
  /// The result of an operation of LLVM that is not looked into: equal operands
  /// give equal results. Poison operands give poison if \p Propagates.
  SymbolicValue opaque(const llvm::Twine &Operation, llvm::Type *Ty,
                       llvm::ArrayRef<SymbolicValue> Operands,
                       bool Propagates = true);
  /// The same for a function of which nothing is known.
  SymbolicValue returned(const llvm::Twine &Function, llvm::Type *Ty,
                         llvm::ArrayRef<SymbolicValue> Arguments);

  /// The scalars in \p Ty, or nothing if there are too many or it has none.
  std::vector<llvm::Type *> scalars(llvm::Type *Ty);
  unsigned widthOf(llvm::Type *Scalar) const;

private:
  z3::expr apply(const std::string &Name, const z3::sort &Result,
                 const z3::expr_vector &Arguments);
  void addLaunchFacts(unsigned Dimension);

  z3::context &C;
  const llvm::Function &F;
  const llvm::DataLayout &DL;
  std::map<std::string, z3::expr> Variables;
  unsigned Objects = 0;
  bool HasLaunchFacts[3] = {};
};

} // namespace unravel::refinement

#endif // UNRAVEL_TEST_REFINEMENT_WORLD_H
