//===- Program.cpp - A kernel, ready to be executed -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Program.h"
#include "tools/ptx-fuzz/interpreter/Decoder.h"
#include "tools/ptx-fuzz/interpreter/Variables.h"

using namespace llvm;

namespace unravel::ptx {

Expected<Program> prepare(const Module &M, const Function &Kernel) {
  Program P;
  P.Kernel = &Kernel;
  Names N(Kernel);
  VariablePlacer Placer(P, N);
  Decoder D(N);
  for (const Item &I : M.Items)
    if (const auto *V = I.as<Variables>())
      Placer.placeGlobals(*V, I.Text);
  if (Error E = Placer.placeParameters(Kernel))
    return E;
  for (const Statement &S : Kernel.Body) {
    if (const auto *R = S.as<Registers>()) {
      if (Error E = N.declare(*R))
        return E;
    } else if (const auto *V = S.as<Variables>()) {
      if (Error E = Placer.place(*V, S.Text))
        return E;
    } else if (const auto *Bracket = S.as<ptx::Scope>()) {
      if (Bracket->Begins)
        N.enterScope();
      else
        N.leaveScope();
    } else if (const auto *I = S.as<Instruction>()) {
      P.Steps.push_back(D.decode(*I, S.Text));
    }
  }
  P.SlotWidths = N.slotWidths();
  P.NumSlots = P.SlotWidths.size();
  return P;
}

} // namespace unravel::ptx
