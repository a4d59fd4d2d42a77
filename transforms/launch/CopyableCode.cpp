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
#include <optional>

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
  if (Call->cannotDuplicate() ||
      Call->getIntrinsicID() == Intrinsic::localescape)
    return false;
  auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand());
  return !Assembly || !definesNames(Assembly->getAsmString());
}

/// Moves \p Text behind the next \p End, or to its end.
static void skipBehind(StringRef &Text, StringRef End) {
  size_t At = Text.find(End);
  Text = At == StringRef::npos ? "" : Text.substr(At + End.size());
}

/// In place of the number in textOutsideOfBraces.
static constexpr char Number = '\1';

/// \p Assembly without comments, strings, and what is in braces; nullopt where
/// it is not clear what LLVM writes.
static std::optional<std::string> textOutsideOfBraces(StringRef Assembly) {
  std::string Text;
  unsigned Depth = 0;
  auto Add = [&](char C) {
    if (Depth == 0)
      Text += C;
  };
  while (!Assembly.empty()) {
    if (Assembly.consume_front("//")) {
      skipBehind(Assembly, "\n");
    } else if (Assembly.consume_front("/*")) {
      skipBehind(Assembly, "*/");
    } else if (Assembly.consume_front("\"")) {
      skipBehind(Assembly, "\"");
    } else if (Assembly.consume_front("${:uid}")) {
      Add(Number);
    } else if (Assembly.starts_with("${:") || Assembly.starts_with("$(") ||
               Assembly.starts_with("$|") || Assembly.starts_with("#")) {
      return std::nullopt; // comments, alternatives, preprocessing
    } else if (Assembly.consume_front("${")) { // an operand
      skipBehind(Assembly, "}");
      Add('$');
    } else if (Assembly.consume_front("::")) { // in a name: shared::cta
      Add('_');
    } else {
      char C = Assembly.front();
      Assembly = Assembly.drop_front();
      if (C == '}' && Depth-- == 0)
        return std::nullopt;
      if (C != '}' && C != '{')
        Add(C);
      Depth += C == '{';
    }
  }
  return Depth == 0 ? std::optional(Text) : std::nullopt;
}

/// Whether a name in \p Names, which are separated by \p Separator, has no
/// number.
static bool hasPlainName(StringRef Names, char Separator) {
  return any_of(split(Names, Separator),
                [](StringRef Name) { return !Name.contains(Number); });
}

bool definesNames(StringRef Assembly) {
  std::optional<std::string> Text = textOutsideOfBraces(Assembly);
  if (!Text)
    return true;
  for (StringRef Statement : split(*Text, ';')) {
    auto [Labels, Rest] = Statement.rsplit(':');
    bool HasLabel = Labels.size() != Statement.size();
    if (HasLabel && hasPlainName(Labels, ':'))
      return true;
    StringRef Code = (HasLabel ? Rest : Statement).trim();
    if (Code.starts_with(".") && !Code.starts_with(".pragma") &&
        !Code.starts_with(".loc ") && hasPlainName(Code, ','))
      return true;
  }
  return false;
}

} // namespace unravel
