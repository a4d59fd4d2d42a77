//===- prove-refinement.cpp - Was the transformation right? ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates each function of two modules, before and after a pass that keeps
// control flow, into formulas and asks Z3 whether the later one refines the
// earlier one: for every input, launch and content of memory.
//
//   prove-refinement --list before.ll after.ll
//
// Values should have names (opt -passes=instnamer): they relate old and new
// values, see what. Exit status: 0 nothing refuted; 1 a function is refuted; 2
// bad input.
//
//===----------------------------------------------------------------------===//

#include "Refinement.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace unravel::refinement;

static cl::OptionCategory Category("prove-refinement options");
static cl::opt<std::string> BeforePath(cl::Positional, cl::Required,
                                       cl::desc("<before>"), cl::cat(Category));
static cl::opt<std::string> AfterPath(cl::Positional, cl::Required,
                                      cl::desc("<after>"), cl::cat(Category));
static cl::opt<std::string> OnlyFunction("function", cl::value_desc("name"),
                                         cl::desc("Only this function"),
                                         cl::cat(Category));
static cl::opt<unsigned>
    Effort("effort", cl::init(2000000), cl::value_desc("steps"),
           cl::desc("Z3's steps for one question (default 2000000)"),
           cl::cat(Category));
static cl::opt<unsigned>
    MaxInstructions("max-instructions", cl::init(400), cl::value_desc("n"),
                    cl::desc("Larger functions are unsupported (default 400)"),
                    cl::cat(Category));
static cl::opt<bool> List("list",
                          cl::desc("One line for each function, not only for "
                                   "what is refuted"),
                          cl::cat(Category));

int main(int ArgC, char **ArgV) {
  InitLLVM Init(ArgC, ArgV);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(
      ArgC, ArgV, "Proves that functions after a pass refine those before\n");
  LLVMContext Context;
  SMDiagnostic Problem;
  auto Read = [&](StringRef Path) {
    std::unique_ptr<Module> M = parseIRFile(Path, Problem, Context);
    if (!M) {
      Problem.print(ArgV[0], errs());
      exit(2);
    }
    return M;
  };
  std::unique_ptr<Module> Before = Read(BeforePath), After = Read(AfterPath);
  if (!OnlyFunction.empty() && !Before->getFunction(OnlyFunction)) {
    WithColor::error(errs(), "prove-refinement")
        << BeforePath << " has no function '" << OnlyFunction
        << "'; drop --function to see all\n";
    return 2;
  }
  bool Refuted = false;
  for (const Function &F : *Before) {
    if (F.isDeclaration() ||
        (!OnlyFunction.empty() && F.getName() != OnlyFunction))
      continue;
    const Function *Later = After->getFunction(F.getName());
    Verdict V{Judgement::Unsupported, "the function is gone"};
    if (Later && !Later->isDeclaration())
      V = judge(F, *Later, {Effort, MaxInstructions});
    Refuted |= V.Is == Judgement::Refuted;
    if (!List && V.Is != Judgement::Refuted)
      continue;
    outs() << nameOf(V.Is) << ": " << F.getName();
    if (!V.Reason.empty())
      outs() << ": " << V.Reason;
    outs() << '\n';
    outs().flush();
  }
  return Refuted;
}
