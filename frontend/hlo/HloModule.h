//===- HloModule.h - HLO modules, computations and instructions -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is a list of computations, a computation a list of instructions.
// Operands come before their users and callees before their callers, so both
// lists are in topological order and no graph has a cycle.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_HLO_HLOMODULE_H
#define UNRAVEL_FRONTEND_HLO_HLOMODULE_H

#include "frontend/hlo/HloAttributes.h"
#include "frontend/hlo/HloShape.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>

namespace unravel {

enum class HloOpcode : uint8_t {
#define HLO_OP(Enum, Name, Operands, Class) Enum,
#include "frontend/hlo/HloOpcodes.def"
};

enum class HloOpClass : uint8_t {
  ElementwiseUnary,
  ElementwiseBinary,
  ElementwiseTernary,
  ElementwiseCall,
  Source,
  IndexTransform,
  DynamicIndex,
  Contraction,
  Order,
  Host,
  Structure,
  Other,
};

/// Stands for "any number of operands".
constexpr int HloVariadic = -1;

llvm::StringRef nameOf(HloOpcode Opcode);
std::optional<HloOpcode> opcodeNamed(llvm::StringRef Name);
/// Whether \p Name is an operation that a library has to do, whose instructions
/// are custom-calls here.
bool isLibraryOperation(llvm::StringRef Name);
/// The opcode whose name is most like \p Name; empty if none is.
llvm::StringRef opcodeSimilarTo(llvm::StringRef Name);
HloOpClass classOf(HloOpcode Opcode);
int operandCountOf(HloOpcode Opcode);
/// Output element i depends on element i of every operand only, but for scalar
/// operands of select and clamp, which have one element for all.
bool isElementwise(HloOpcode Opcode);

llvm::StringRef nameOf(HloDirection Direction);
std::optional<HloDirection> directionNamed(llvm::StringRef Name);
llvm::StringRef nameOf(HloCompareType Type);
std::optional<HloCompareType> compareTypeNamed(llvm::StringRef Name);

/// A place in the text; 0 if there is none. Counted from 1, columns in bytes.
struct HloLocation {
  unsigned Line = 0, Column = 0;
};

class HloComputation;

class HloInstruction {
public:
  HloInstruction(std::string Name, HloOpcode Opcode, HloShape Shape)
      : Name(std::move(Name)), Opcode(Opcode), Shape(std::move(Shape)) {}

  llvm::StringRef name() const { return Name; }
  HloOpcode opcode() const { return Opcode; }
  const HloShape &shape() const { return Shape; }
  void setShape(HloShape S) { Shape = std::move(S); }

  llvm::ArrayRef<const HloInstruction *> operands() const { return Operands; }
  const HloInstruction &operand(size_t I) const { return *Operands[I]; }
  /// Every instruction that has this one among its operands, once.
  llvm::ArrayRef<const HloInstruction *> users() const { return Users; }

  /// The computations that it calls: condition and body of while; select and
  /// scatter of select-and-scatter; the branches of conditional, where
  /// true_computation comes first; one, `to_apply` or `calls`, of others.
  llvm::ArrayRef<const HloComputation *> callees() const { return Callees; }
  void setCallees(llvm::ArrayRef<const HloComputation *> C) {
    Callees.assign(C.begin(), C.end());
  }
  /// The first one; null if the opcode calls nothing.
  const HloComputation *callee() const {
    return Callees.empty() ? nullptr : Callees.front();
  }

  /// The struct of the opcode, see HloAttributes.h.
  template <typename T> const T &attributes() const {
    const T *A = std::get_if<T>(&Attributes);
    assert(A && "not the attributes of this opcode");
    return *A;
  }
  template <typename T> const T *attributesIf() const {
    return std::get_if<T>(&Attributes);
  }
  const HloAttributes &attributes() const { return Attributes; }
  void setAttributes(HloAttributes A) { Attributes = std::move(A); }
  /// `dimensions={...}`; empty if the opcode has none.
  llvm::ArrayRef<int64_t> dimensions() const {
    const auto *A = attributesIf<HloDimensions>();
    return A ? llvm::ArrayRef<int64_t>(A->Dimensions)
             : llvm::ArrayRef<int64_t>();
  }

  std::vector<HloTextAttribute> TextAttributes;
  HloLocation Location;

  const HloComputation &parent() const { return *Parent; }
  /// Its place in the computation: operands have smaller numbers.
  size_t index() const { return Index; }

private:
  friend class HloComputation;
  std::string Name;
  HloOpcode Opcode;
  HloShape Shape;
  HloAttributes Attributes;
  llvm::SmallVector<const HloComputation *, 1> Callees;
  llvm::SmallVector<const HloInstruction *, 2> Operands, Users;
  const HloComputation *Parent = nullptr;
  size_t Index = 0;
};

class HloComputation {
public:
  explicit HloComputation(std::string Name) : Name(std::move(Name)) {}
  HloComputation(const HloComputation &) = delete;
  HloComputation &operator=(const HloComputation &) = delete;

  llvm::StringRef name() const { return Name; }
  /// In topological order: operands before users.
  const std::deque<HloInstruction> &instructions() const {
    return Instructions;
  }
  const HloInstruction &root() const { return *Root; }
  /// Ordered by parameter number.
  llvm::ArrayRef<const HloInstruction *> parameters() const {
    return Parameters;
  }
  const HloInstruction &parameter(size_t I) const { return *Parameters[I]; }

  /// Appends an instruction and makes it the root until another one is chosen
  /// or appended. The operands belong to this computation.
  HloInstruction &add(HloInstruction Instruction,
                      llvm::ArrayRef<const HloInstruction *> Operands = {});
  void setRoot(const HloInstruction &Instruction) { Root = &Instruction; }
  /// Collects the parameters, once all instructions are there. Errors:
  /// parameter numbers that are not 0, 1, 2, ...; the message has no place,
  /// \p Culprit is set to the instruction it is about, or null.
  llvm::Error finish(const HloInstruction *&Culprit);

  HloLocation Location;
  /// Behind the body: execution_thread and others.
  std::vector<HloTextAttribute> TextAttributes;

private:
  std::string Name;
  std::deque<HloInstruction> Instructions;
  std::vector<const HloInstruction *> Parameters;
  const HloInstruction *Root = nullptr;
};

/// `{1}: (0, {}, may-alias)`: an array among the results has the memory of an
/// array among the parameters. Indices are those of tuples in tuples.
struct HloAlias {
  std::vector<int64_t> Output;
  int64_t Parameter = 0;
  std::vector<int64_t> InParameter;
  /// Otherwise it is only allowed to have it.
  bool IsMust = false;
  HloLocation Location;
};

class HloModule {
public:
  explicit HloModule(std::string Name) : Name(std::move(Name)) {}

  llvm::StringRef name() const { return Name; }
  /// Callees before callers.
  const std::deque<HloComputation> &computations() const {
    return Computations;
  }
  const HloComputation &entry() const { return *Entry; }
  /// Null if there is none.
  const HloComputation *computationNamed(llvm::StringRef Name) const;

  HloComputation &addComputation(std::string Name) {
    return Computations.emplace_back(std::move(Name));
  }
  void setEntry(const HloComputation &Computation) { Entry = &Computation; }

  /// Where the text came from, for messages.
  std::string BufferName = "<hlo>";
  /// Behind the module's name: entry_computation_layout and others.
  std::vector<HloTextAttribute> TextAttributes;
  /// `input_output_alias={...}`, of the entry.
  std::vector<HloAlias> Aliases;
  /// FileNames and others, to which metadata refers.
  std::string SourceTables;

  /// "BUFFER:LINE:COLUMN: error: instruction 'NAME' (OPCODE): WHAT".
  llvm::Error error(const HloInstruction &I, const llvm::Twine &What) const;

private:
  std::string Name;
  std::deque<HloComputation> Computations;
  const HloComputation *Entry = nullptr;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_HLO_HLOMODULE_H
