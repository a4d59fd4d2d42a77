//===- WithFacts.h - Passes that stand alone see all facts ------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Our own pipelines run `index-facts<state>` and `index-facts<forget>` around
// the passes that use facts. A pipeline of opt that names such a pass alone
// would ignore facts files, promises and what index-facts recorded, and say
// nothing; these wrappers put the facts in force.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_WITHFACTS_H
#define UNRAVEL_TRANSFORMS_FACTS_WITHFACTS_H

#include "transforms/facts/IndexFacts.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace unravel {

/// A pass that changes functions. Behind it are the assumptions that promises
/// and facts files made of arguments, as behind our own pipelines, but no
/// markers and nothing that was stated, unless it was in force before.
template <typename PassT>
class WithFacts : public llvm::PassInfoMixin<WithFacts<PassT>> {
public:
  WithFacts(PassT Pass, IndexFactsOptions Facts,
            std::shared_ptr<IndexFactsState> Shared)
      : Pass(std::move(Pass)), Facts(std::move(Facts)),
        Shared(std::move(Shared)) {}

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM) {
    Facts.Mode = IndexFactsOptions::Mode::Forget;
    IndexFactsPass OfFacts(Facts, Shared);
    if (!OfFacts.bringIntoForce(F, AM))
      return Pass.run(F, AM);
    llvm::PreservedAnalyses PA = Pass.run(F, AM);
    AM.invalidate(F, PA);
    PA.intersect(OfFacts.run(F, AM));
    // What was in force may have changed the function, too.
    llvm::PreservedAnalyses OfCFG;
    OfCFG.preserveSet<llvm::CFGAnalyses>();
    PA.intersect(OfCFG);
    return PA;
  }

  static llvm::StringRef name() { return PassT::name(); }
  void printPipeline(
      llvm::raw_ostream &OS,
      llvm::function_ref<llvm::StringRef(llvm::StringRef)> MapClassName) {
    Pass.printPipeline(OS, MapClassName);
  }

private:
  PassT Pass;
  IndexFactsOptions Facts;
  std::shared_ptr<IndexFactsState> Shared;
};

/// A pass that prints: it sees a copy of the function, under the same name, so
/// that the module and what was recorded in it stay as they are.
template <typename PassT>
class PrinterWithFacts : public llvm::PassInfoMixin<PrinterWithFacts<PassT>> {
public:
  PrinterWithFacts(PassT Pass, IndexFactsOptions Facts,
                   std::shared_ptr<IndexFactsState> Shared)
      : Pass(std::move(Pass)), Facts(std::move(Facts)),
        Shared(std::move(Shared)) {}

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM) {
    IndexFactsPass OfFacts(Facts, Shared);
    llvm::ValueToValueMapTy Map;
    llvm::Function *Copy = llvm::CloneFunction(&F, Map);
    std::string Name = F.getName().str();
    F.setName("");
    Copy->setName(Name);
    OfFacts.bringIntoForce(*Copy, AM);
    Pass.run(*Copy, AM);
    AM.clear(*Copy, Name);
    Copy->dropAllReferences();
    // Facts declared intrinsics behind the copy.
    llvm::Module &M = *F.getParent();
    for (auto It = std::next(Copy->getIterator()); It != M.end();) {
      llvm::Function &Declared = *It++;
      if (Declared.use_empty())
        Declared.eraseFromParent();
    }
    Copy->eraseFromParent();
    F.setName(Name);
    return llvm::PreservedAnalyses::all();
  }

  static bool isRequired() { return true; }
  static llvm::StringRef name() { return PassT::name(); }

private:
  PassT Pass;
  IndexFactsOptions Facts;
  std::shared_ptr<IndexFactsState> Shared;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_WITHFACTS_H
