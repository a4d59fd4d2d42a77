//===- HloTestHelper.h - HLO text in tests ----------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_HLOTESTHELPER_H
#define UNRAVEL_TEST_UNIT_HLOTESTHELPER_H

#include "frontend/evaluate/HloEvaluator.h"
#include "frontend/hlo/HloLiteral.h"
#include "frontend/text/HloParser.h"
#include "frontend/text/HloPrinter.h"
#include "frontend/verify/HloVerifier.h"
#include "gtest/gtest.h"

namespace unravel {

/// The module \p Text is; a failure and a small module if it is none.
inline std::unique_ptr<HloModule>
parseModule(llvm::StringRef Text,
            std::vector<std::string> *Warnings = nullptr) {
  std::vector<std::string> Ignored;
  auto Module = parseHlo(Text, "<test>", Warnings ? *Warnings : Ignored);
  if (Module)
    return std::move(*Module);
  ADD_FAILURE() << llvm::toString(Module.takeError()) << "\nin\n" << Text.str();
  return parseModule("x = pred[] parameter(0)");
}

/// What a text of instructions is printed as, without the first lines.
inline std::string body(llvm::StringRef Text) {
  std::string Printed = toString(*parseModule(Text));
  return llvm::StringRef(Printed).split("{\n").second.rtrim("}\n").str();
}

/// The first line of the error for \p Text, parsed and verified; empty if there
/// is none.
inline std::string errorOf(const llvm::Twine &Text) {
  std::vector<std::string> Warnings;
  auto Module = parseHlo(Text.str(), "t", Warnings);
  llvm::Error E = Module ? verifyHlo(**Module) : Module.takeError();
  return E ? llvm::StringRef(llvm::toString(std::move(E)))
                 .split('\n')
                 .first.str()
           : "";
}

/// Numbers from 0 to 7 (floats: and a half), the same ones every time, in
/// row-major order.
inline HloLiteral someNumbers(const HloShape &Shape) {
  HloLiteral L(Shape.withDescendingLayout());
  uint32_t State = 1;
  ElementType Type = Shape.elementType();
  for (int64_t I = 0; I < Shape.elementCount(); ++I) {
    State = State * 1664525 + 1013904223;
    int64_t Value = State >> 29;
    L.setAtOffset(I, isFloat(Type) || isComplex(Type)
                         ? HloElement::number(Type, double(Value) + 0.5)
                         : HloElement::integer(Type, Value));
  }
  return L.relaidOut(Shape);
}

/// An array of those for each parameter of the entry.
inline std::vector<HloLiteral> someArguments(const HloModule &Module) {
  std::vector<HloLiteral> Arguments;
  for (const HloInstruction *Parameter : Module.entry().parameters())
    Arguments.push_back(someNumbers(Parameter->shape()));
  return Arguments;
}

/// The value of a module without parameters, or its error.
inline std::string value(const llvm::Twine &Text,
                         const HloEvaluatorLimits &Limits = {}) {
  auto Module = parseModule(Text.str());
  if (llvm::Error E = verifyHlo(*Module))
    return llvm::toString(std::move(E));
  llvm::Expected<HloLiteral> Value = evaluateHlo(*Module, {}, Limits);
  return Value ? Value->str() : llvm::toString(Value.takeError());
}

/// The value of `SHAPE OPCODE(x, y, ...), ATTRIBUTES` for constants x, y, ...;
/// each is "SHAPE LITERAL".
inline std::string apply(llvm::StringRef Result, llvm::StringRef Opcode,
                         llvm::ArrayRef<llvm::StringRef> Constants,
                         llvm::StringRef Attributes = "") {
  std::string Text, Operands;
  char Name = 'a';
  for (llvm::StringRef Constant : Constants) {
    auto [Shape, Literal] = Constant.split(' ');
    Text += std::string(1, Name) + " = " + Shape.str() + " constant(" +
            Literal.str() + ")\n";
    Operands += (Operands.empty() ? "" : ", ") + std::string(1, Name++);
  }
  return value(Text + "r = " + Result + " " + Opcode + "(" + Operands + ")" +
               (Attributes.empty() ? "" : ", ") + Attributes);
}

} // namespace unravel

#endif // UNRAVEL_TEST_UNIT_HLOTESTHELPER_H
