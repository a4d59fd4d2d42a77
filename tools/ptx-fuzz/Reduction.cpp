//===- Reduction.cpp - A finding with few lines ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines go away, many at once at first, as long as what is left shows the
// finding. A kernel that reads what nothing was written to shows none, so
// nothing has to be known of the lines.
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/Subject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel::ptx {

/// Other kernels of the module: none of their lines is needed.
static std::string onlyKernel(StringRef Module, StringRef Kernel) {
  std::string Result;
  bool IsInside = true;
  SmallVector<StringRef, 0> Lines;
  Module.split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (Line.starts_with(".visible .entry "))
      IsInside = Line.contains((" " + Kernel + "(").str());
    if (IsInside)
      Result += (Line + "\n").str();
  }
  return Result;
}

/// Declarations, braces and the head stay; so do barriers, and what they keep
/// apart, or threads would race.
static bool canGo(StringRef Line) {
  Line = Line.trim();
  return !Line.empty() && !Line.starts_with(".") && Line != "{" &&
         Line != "}" && Line != ")" && !Line.starts_with("bar.") &&
         !Line.contains("st.shared");
}

/// What goes at once: a line, or a chain of carries.
static std::vector<std::string> unitsOf(StringRef Text) {
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  std::vector<std::string> Units;
  for (StringRef Line : Lines) {
    StringRef Opcode = Line.trim();
    bool ReadsCarry = Opcode.starts_with("addc.") ||
                      Opcode.starts_with("subc.") ||
                      Opcode.starts_with("madc.");
    if (ReadsCarry && !Units.empty())
      Units.back() += "\n" + Line.str();
    else
      Units.push_back(Line.str());
  }
  return Units;
}

Expected<Finding> reduce(const Rewriter &R, const Finding &F) {
  Finding Best = F;
  if (Best.On)
    Best.On->IsStrict = true;
  std::string Text = onlyKernel(F.Before, F.Kernel);
  Expected<std::optional<Finding>> Alone = examineOn(R, Text, Best);
  if (!Alone)
    return Alone.takeError();
  if (!*Alone)
    return F; // it takes the whole module
  Best = **Alone;
  std::vector<std::string> Lines = unitsOf(Text);
  // From the end: what reads a register has to go before what writes it. One
  // line at a time until nothing goes any more.
  for (size_t Step = Lines.size() / 2; Step;) {
    bool HasShrunk = false;
    for (size_t End = Lines.size(); End > 0;) {
      size_t Begin = End > Step ? End - Step : 0;
      std::vector<std::string> Fewer;
      for (auto [K, Line] : enumerate(Lines))
        if (K < Begin || K >= End || !canGo(Line))
          Fewer.push_back(Line);
      End = Begin;
      if (Fewer.size() == Lines.size())
        continue;
      Expected<std::optional<Finding>> Still =
          examineOn(R, join(Fewer, "\n"), Best);
      // What cannot be read any more shows nothing.
      if (!Still)
        consumeError(Still.takeError());
      if (!Still || !*Still)
        continue;
      Best = **Still;
      Lines = std::move(Fewer);
      HasShrunk = true;
    }
    if (Step > 1 || !HasShrunk)
      Step /= 2;
  }
  return Best;
}

} // namespace unravel::ptx
