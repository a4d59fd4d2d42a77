//===- KernelManifest.cpp - Launches and buffers as JSON ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/kernels/KernelEmitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

/// In the order of KernelBuffer::Kind.
constexpr StringLiteral KindNames[] = {"input", "output", "temporary"};

static json::Array toJson(ArrayRef<KernelBuffer> Buffers) {
  json::Array List;
  for (const KernelBuffer &Buffer : Buffers) {
    const HloShape &Shape = Buffer.Shape;
    json::Object Entry{
        {"name", Buffer.Name},
        {"kind", KindNames[unsigned(Buffer.BufferKind)]},
        {"type", unravel::nameOf(Shape.elementType())},
        {"dimensions", json::Array(Shape.dimensions())},
        {"minor_to_major", json::Array(Shape.minorToMajor())},
        {"bytes", Shape.byteSize()},
    };
    if (Buffer.AliasOf)
      Entry["alias_of"] = *Buffer.AliasOf;
    if (Buffer.InTuples) {
      if (Buffer.InTuples->Parameter)
        Entry["parameter"] = *Buffer.InTuples->Parameter;
      Entry["index"] = json::Array(Buffer.InTuples->Index);
    }
    List.push_back(std::move(Entry));
  }
  return List;
}

static json::Array toJson(ArrayRef<EmittedKernel> Kernels) {
  json::Array List;
  for (const EmittedKernel &Kernel : Kernels)
    List.push_back(json::Object{
        {"name", Kernel.Name},
        {"grid", json::Array(Kernel.Grid)},
        {"block", json::Array({Kernel.Block, 1, 1})},
        {"threads", Kernel.Threads},
        {"arguments", json::Array(Kernel.Arguments)},
        {"written", json::Array(Kernel.Written)},
    });
  return List;
}

static json::Value toJson(const EmittedStep &Step) {
  if (Step.StepKind == EmittedStep::Kind::Launch)
    return json::Object{{"step", "launch"}, {"kernel", Step.Kernel}};
  json::Object Entry{{"name", json::fixUTF8(Step.Name)},
                     {"operands", json::Array(Step.Operands)},
                     {"results", json::Array(Step.Results)}};
  switch (Step.StepKind) {
  case EmittedStep::Kind::Launch:
    break; // above
  case EmittedStep::Kind::While:
    Entry["step"] = "while";
    Entry["condition"] = Step.Computations[0];
    Entry["body"] = Step.Computations[1];
    break;
  case EmittedStep::Kind::Conditional:
    Entry["step"] = "conditional";
    Entry["branches"] = json::Array(Step.Computations);
    break;
  case EmittedStep::Kind::Call: {
    json::Object Attributes;
    for (const HloTextAttribute &A : Step.Attributes)
      Attributes[json::fixUTF8(A.Name)] = json::fixUTF8(A.Value);
    Entry["step"] = Step.IsOperation ? "operation" : "call";
    Entry[Step.IsOperation ? "opcode" : "target"] = json::fixUTF8(Step.Target);
    Entry["attributes"] = std::move(Attributes);
  }
  }
  return Entry;
}

static json::Object toJson(const EmittedComputation &C) {
  json::Array Steps;
  for (const EmittedStep &Step : C.Steps)
    Steps.push_back(toJson(Step));
  return json::Object{{"name", json::fixUTF8(C.Name)},
                      {"buffers", toJson(C.Buffers)},
                      {"kernels", toJson(C.Kernels)},
                      {"steps", std::move(Steps)}};
}

json::Value EmittedModule::manifest() const {
  // Without other steps, the kernels say it all.
  auto IsLaunch = [](const EmittedStep &Step) {
    return Step.StepKind == EmittedStep::Kind::Launch;
  };
  json::Object Entry = toJson(*this);
  Entry.erase("name");
  Entry["module"] = IR->getModuleIdentifier();
  if (all_of(Steps, IsLaunch)) {
    Entry.erase("steps");
    return Entry;
  }
  json::Array List;
  for (const EmittedComputation &C : Computations)
    List.push_back(toJson(C));
  Entry["computations"] = std::move(List);
  return Entry;
}

} // namespace unravel
