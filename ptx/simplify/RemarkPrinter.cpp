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
  SourcePlace Place = Source.placeOf(Places[Line - (Line ? 1 : 0)]);
  errs() << "remark: " << Place.File;
  // Code of no line has line 0.
  if (Place.Line != 0)
    errs() << ":" << Place.Line << ":" << Place.Column;
  errs() << ": " << Remark->getMsg() << "\n";
  return true;
}
