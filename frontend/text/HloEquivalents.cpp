//===- HloEquivalents.cpp - Operations that are read as others ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloEquivalents.h"
#include "frontend/hlo/HloLiteral.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

HloEquivalent equivalentOf(StringRef Name) {
  if (opcodeNamed(Name) || isLibraryOperation(Name)) // send-done is one
    return {HloReading::AsWritten, Name};
  if (Name == "after-all")
    return {HloReading::Nothing, Name};
  if (Name == "add-dependency" || Name == "domain")
    return {HloReading::FirstOperand, Name};
  StringRef Operation = Name;
  HloReading Reading = HloReading::AsWritten;
  if (Operation.consume_back("-start"))
    Reading = HloReading::Start;
  else if (Operation.consume_back("-update"))
    Reading = HloReading::FirstOperand;
  else if (Operation.consume_back("-done"))
    Reading = HloReading::Done;
  std::optional<HloOpcode> Opcode = opcodeNamed(Operation);
  bool HasOperands = Opcode && classOf(*Opcode) != HloOpClass::Source;
  if (Operation == "async" || HasOperands || isLibraryOperation(Operation))
    return {Reading, Operation};
  return {HloReading::AsWritten, Name};
}

std::optional<int64_t> placeOfResult(StringRef Operation) {
  if (Operation == "all-reduce")
    return std::nullopt;
  return Operation == "copy" ? 0 : 1;
}

static Error noStart(StringRef Operation, const HloShape &State) {
  return createStringError("the value of " + Operation + "-start is written " +
                           State.str(false) + "; it has to be " +
                           (Operation == "copy"
                                ? "(result, operand, handles ...)"
                                : "((operands ...), result, handles ...)"));
}

Expected<HloShape> resultOfStart(StringRef Operation, const HloShape &State) {
  std::optional<int64_t> Place = placeOfResult(Operation);
  if (!Place)
    return State;
  if (State.isArray() || State.elements().size() <= size_t(*Place))
    return noStart(Operation, State);
  return State.elements()[*Place];
}

static const HloInstruction &
addNew(HloComputation &C, std::string Name, HloOpcode Opcode, HloShape Shape,
       HloAttributes Attributes, HloLocation Location,
       ArrayRef<const HloInstruction *> Operands = {}) {
  HloInstruction I(std::move(Name), Opcode, std::move(Shape));
  I.setAttributes(std::move(Attributes));
  I.Location = Location;
  return C.add(std::move(I), Operands);
}

/// What stands for part \p Number of a start, which has shape \p Part.
static const HloInstruction *
addPart(HloComputation &C, const HloInstruction &Result, const HloShape &Part,
        size_t Number, function_ref<std::string(StringRef)> FreshName) {
  ArrayRef<const HloInstruction *> Operands = Result.operands();
  if (Number < 2) {
    bool IsOperands =
        Part.isTuple() &&
        equal(Part.elements(), Operands,
              [](const HloShape &Element, const HloInstruction *Operand) {
                return Element.isCompatible(Operand->shape());
              });
    if (IsOperands)
      return &addNew(C, FreshName("operands"), HloOpcode::Tuple, Part,
                     std::monostate(), Result.Location, Operands);
    // (What is done in place has its output among the operands.)
    bool IsOperand =
        !Operands.empty() && Part.isCompatible(Operands.front()->shape());
    return IsOperand ? Operands.front() : nullptr;
  }
  if (Part.isTuple())
    return Part.elements().empty() // a token
               ? &addNew(C, FreshName("handle"), HloOpcode::Tuple, Part,
                         std::monostate(), Result.Location)
               : nullptr;
  if (Part.byteSize() > MaxUnwrittenBytes)
    return nullptr;
  return &addNew(
      C, FreshName("handle"), HloOpcode::Constant, Part,
      HloConstant{std::make_shared<const HloLiteral>(HloLiteral(Part))},
      Result.Location);
}

Expected<const HloInstruction *>
addStart(HloComputation &C, StringRef Operation, const HloInstruction &Result,
         const HloShape &State,
         function_ref<std::string(StringRef)> FreshName) {
  std::optional<int64_t> Place = placeOfResult(Operation);
  if (!Place)
    return &Result;
  SmallVector<const HloInstruction *, 4> Parts;
  for (auto [K, Shape] : enumerate(State.elements())) {
    Parts.push_back(K == size_t(*Place)
                        ? &Result
                        : addPart(C, Result, Shape, K, FreshName));
    if (!Parts.back())
      return noStart(Operation, State);
  }
  return &addNew(C, FreshName("started"), HloOpcode::Tuple, State,
                 std::monostate(), Result.Location, Parts);
}

} // namespace unravel
