//===- PtxPrinter.cpp - Write PTX -----------------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxPrinter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace unravel::ptx;

static void printOffset(uint64_t Value, raw_ostream &OS) {
  if (Value)
    OS << '+' << int64_t(Value);
}

void unravel::ptx::print(const Operand &O, NameMap Rename, raw_ostream &OS) {
  auto PrintParts = [&](StringRef Between) {
    interleave(
        O.Parts, OS, [&](const Operand &P) { print(P, Rename, OS); }, Between);
  };
  switch (O.K) {
  case Operand::Kind::Name:
    OS << Rename(O.Name);
    return printOffset(O.Value, OS);
  case Operand::Kind::Integer:
    OS << int64_t(O.Value);
    return;
  case Operand::Kind::Float:
    OS << (O.Width == 32 ? "0f" : "0d")
       << format_hex_no_prefix(O.Value, O.Width / 4, /*Upper=*/true);
    return;
  case Operand::Kind::Address:
    OS << '[';
    if (O.Name.empty()) {
      OS << int64_t(O.Value);
    } else {
      OS << Rename(O.Name);
      printOffset(O.Value, OS);
    }
    OS << ']';
    return;
  case Operand::Kind::Vector:
    OS << '{';
    PrintParts(", ");
    OS << '}';
    return;
  case Operand::Kind::Pair:
    return PrintParts("|");
  case Operand::Kind::Not:
    OS << '!';
    return PrintParts("");
  case Operand::Kind::List:
    OS << '(';
    PrintParts(", ");
    OS << ')';
    return;
  case Operand::Kind::Other:
    OS << O.Text;
    return;
  }
}

void unravel::ptx::print(const Instruction &I, NameMap Rename,
                         raw_ostream &OS) {
  if (!I.Predicate.empty())
    OS << '@' << (I.IsNegated ? "!" : "") << Rename(I.Predicate) << ' ';
  OS << I.Opcode;
  ListSeparator Separator(", ");
  for (const Operand &O : I.Operands) {
    OS << (&O == I.Operands.begin() ? " " : "") << StringRef(Separator);
    print(O, Rename, OS);
  }
  OS << ';';
}

std::string unravel::ptx::splice(
    const Module &M,
    function_ref<std::optional<StringRef>(const Function &)> NewBody) {
  std::string Result;
  const char *Copied = M.Text.begin();
  for (const Item &I : M.Items) {
    auto *F = I.as<Function>();
    if (!F || !F->HasBody)
      continue;
    std::optional<StringRef> Body = NewBody(*F);
    if (!Body)
      continue;
    Result.append(Copied, F->BodyText.begin());
    Result += *Body;
    Copied = F->BodyText.end();
  }
  Result.append(Copied, M.Text.end());
  return Result;
}
