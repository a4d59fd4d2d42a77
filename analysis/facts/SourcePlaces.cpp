//===- SourcePlaces.cpp - Where the source computes a value ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/facts/SourcePlaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace unravel {

const DILocation *sourcePlace(const Instruction &I) {
  const DILocation *Innermost = I.getDebugLoc();
  if (!Innermost || Innermost->getLine() == 0)
    return nullptr;
  const DISubprogram *Kernel = I.getFunction()->getSubprogram();
  for (const DILocation *L = Innermost; L && Kernel; L = L->getInlinedAt())
    if (L->getLine() && L->getFilename() == Kernel->getFilename())
      return L;
  return Innermost;
}

/// The first one in \p Instructions.
template <typename RangeT>
static const DILocation *firstPlace(RangeT &&Instructions) {
  for (const Instruction &I : Instructions)
    if (const DILocation *Place = sourcePlace(I))
      return Place;
  return nullptr;
}

static const DILocation *placeOf(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I ? sourcePlace(*I) : nullptr;
}

const DILocation *nearestPlace(const Instruction &I) {
  if (const DILocation *Place = sourcePlace(I))
    return Place;
  for (const User *U : I.users())
    if (const DILocation *Place = placeOf(U))
      return Place;
  for (const Value *Operand : I.operands())
    if (const DILocation *Place = placeOf(Operand))
      return Place;
  const BasicBlock &BB = *I.getParent();
  if (auto *Place = firstPlace(make_range(I.getIterator(), BB.end())))
    return Place;
  if (auto *Place =
          firstPlace(reverse(make_range(BB.begin(), I.getIterator()))))
    return Place;
  for (const BasicBlock &Other : *BB.getParent())
    if (const DILocation *Place = firstPlace(Other))
      return Place;
  return nullptr;
}

DiagnosticLocation remarkPlace(const Instruction &I) {
  if (const DILocation *Place = nearestPlace(I))
    return DebugLoc(Place);
  return I.getFunction()->getSubprogram();
}

} // namespace unravel
