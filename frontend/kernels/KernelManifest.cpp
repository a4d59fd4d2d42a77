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

json::Value EmittedModule::manifest() const {
  json::Array BufferList, KernelList;
  for (auto [Number, Buffer] : enumerate(Buffers)) {
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
    BufferList.push_back(std::move(Entry));
  }
  for (const EmittedKernel &Kernel : Kernels)
    KernelList.push_back(json::Object{
        {"name", Kernel.Name},
        {"grid", json::Array(Kernel.Grid)},
        {"block", json::Array({Kernel.Block, 1, 1})},
        {"threads", Kernel.Threads},
        {"arguments", json::Array(Kernel.Arguments)},
        {"written", json::Array(Kernel.Written)},
    });
  return json::Object{{"module", IR->getModuleIdentifier()},
                      {"buffers", std::move(BufferList)},
                      {"kernels", std::move(KernelList)}};
}

} // namespace unravel
