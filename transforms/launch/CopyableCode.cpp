//===- CopyableCode.cpp - What a kernel may contain twice -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/launch/CopyableCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace unravel {

bool isCopyable(const Instruction &I) {
  if (isa<IndirectBrInst>(I) || isa<CallBrInst>(I) || I.isEHPad())
    return false;
  if (auto *Alloca = dyn_cast<AllocaInst>(&I))
    return Alloca->isStaticAlloca();
  // Tokens tie code to a place: to the entry of the function, say.
  auto IsToken = [](const Value *V) { return V->getType()->isTokenTy(); };
  if (IsToken(&I) || any_of(I.operands(), IsToken))
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return true;
  if (auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return !Call->cannotDuplicate() && !definesNames(Assembly->getAsmString());
  return !Call->cannotDuplicate() &&
         Call->getIntrinsicID() != Intrinsic::localescape;
}

/// Moves \p Text behind the next \p End, or to its end.
static void skipBehind(StringRef &Text, StringRef End) {
  size_t At = Text.find(End);
  Text = At == StringRef::npos ? "" : Text.substr(At + End.size());
}

namespace {
/// What is known of a statement, up to some point and outside of braces.
struct Statement {
  bool IsEmpty = true, IsDefinition = false, HasNumber = false;
  bool definesName() const { return IsDefinition && !HasNumber; }
};
} // namespace

bool definesNames(StringRef Assembly) {
  Statement Current;
  unsigned Depth = 0;
  while (!Assembly.empty()) {
    if (Assembly.consume_front("//")) {
      skipBehind(Assembly, "\n");
      continue;
    }
    if (Assembly.consume_front("/*")) {
      skipBehind(Assembly, "*/");
      continue;
    }
    if (Assembly.consume_front("${")) { // an operand, or the number
      Current.HasNumber |= Depth == 0 && Assembly.starts_with(":uid}");
      Current.IsEmpty &= Depth != 0;
      skipBehind(Assembly, "}");
      continue;
    }
    // Part of a name (mbarrier.try_wait.shared::cta).
    if (Assembly.consume_front("::"))
      continue;
    char C = Assembly.front();
    Assembly = Assembly.drop_front();
    switch (C) {
    case '$': // $0, $$, and $( a $| b $), which PTX does not use
      if (Assembly.starts_with("(") || Assembly.starts_with("|"))
        return true;
      Assembly = Assembly.drop_front(!Assembly.empty());
      Current.IsEmpty &= Depth != 0;
      break;
    case '"':
      skipBehind(Assembly, "\"");
      break;
    case '{':
      ++Depth;
      break;
    case '}':
      if (Depth-- == 0)
        return true;
      break;
    case ';':
      if (Depth == 0 && Current.definesName())
        return true;
      if (Depth == 0)
        Current = {};
      break;
    case ':':
      Current.IsDefinition |= Depth == 0;
      break;
    default:
      if (isSpace(C))
        break;
      Current.IsDefinition |= Depth == 0 && Current.IsEmpty && C == '.';
      Current.IsEmpty &= Depth != 0;
    }
  }
  return Depth != 0 || Current.definesName();
}

} // namespace unravel
