//===- RemarkPrinter.cpp - Remarks with places in the source --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/simplify/RemarkPrinter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

SourcePlaces::SourcePlaces(const ptx::Module &M, StringRef BufferName)
    : ModuleText(M.Text), BufferName(BufferName) {
  auto Note = [&](const Directive *D) {
    if (D && D->Name == "file")
      noteFile(D->Rest);
  };
  for (const Item &I : M.Items) {
    Note(I.as<Directive>());
    if (auto *F = I.as<ptx::Function>())
      for (const Statement &S : F->Body)
        Note(S.as<Directive>());
  }
}

/// `1 "path"`, and more that does not matter.
void SourcePlaces::noteFile(StringRef Rest) {
  unsigned Number;
  Rest = Rest.ltrim();
  if (!Rest.consumeInteger(10, Number))
    Files[Number] = Rest.split('"').second.split('"').first;
}

std::string SourcePlaces::placeOf(StringRef Text) const {
  if (StringRef Rest = Text; Rest.consume_front(".loc")) {
    unsigned Numbers[3] = {}; // file, line, column
    for (unsigned &Number : Numbers) {
      Rest = Rest.ltrim();
      if (Rest.consumeInteger(10, Number))
        break;
    }
    if (auto It = Files.find(Numbers[0]); It != Files.end())
      return (It->second + ":" + Twine(Numbers[1]) + ":" + Twine(Numbers[2]))
          .str();
  }
  StringRef Before = ModuleText.take_front(Text.begin() - ModuleText.begin());
  size_t LineBegin = Before.rfind('\n') + 1;
  return (BufferName + ":" + Twine(Before.count('\n') + 1) + ":" +
          Twine(Before.size() - LineBegin + 1))
      .str();
}

bool RemarkPrinter::handleDiagnostics(const DiagnosticInfo &DI) {
  auto *Remark = dyn_cast<DiagnosticInfoOptimizationBase>(&DI);
  if (!Remark)
    return false;
  // What has no place is of the whole kernel: the first place.
  unsigned Line = 0;
  if (Remark->isLocationAvailable()) {
    StringRef File;
    unsigned Column;
    Remark->getLocation(File, Line, Column);
  }
  StringRef Place = Places[Line - (Line ? 1 : 0)];
  errs() << "remark: " << Source.placeOf(Place) << ": " << Remark->getMsg()
         << "\n";
  return true;
}
