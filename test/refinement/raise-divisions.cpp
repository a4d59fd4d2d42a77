//===- raise-divisions.cpp - Raise the divisions of a module of IR --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   raise-divisions expanded.ll raised.ll
//
// What raising.py has proved. Nothing else is changed.
//
//===----------------------------------------------------------------------===//

#include "ptx/backend/AnalysisManagers.h"
#include "ptx/raise/RaiseDivisions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

int main(int ArgC, char **ArgV) {
  if (ArgC != 3) {
    errs() << "usage: raise-divisions expanded.ll raised.ll\n";
    return 2;
  }
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseIRFile(ArgV[1], Problem, Context);
  if (!M) {
    Problem.print(ArgV[0], errs());
    return 2;
  }
  PassBuilder PB;
  unravel::AnalysisManagers Managers(PB);
  for (Function &F : *M)
    if (!F.isDeclaration())
      unravel::ptx::raiseDivisions(F, Managers.Functions);
  if (verifyModule(*M, &errs()))
    return 1;
  std::error_code Error;
  raw_fd_ostream OS(ArgV[2], Error);
  if (Error) {
    errs() << ArgV[2] << ": " << Error.message() << '\n';
    return 2;
  }
  M->print(OS, nullptr);
  return 0;
}
