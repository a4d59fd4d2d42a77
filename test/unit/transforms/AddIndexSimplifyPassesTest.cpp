//===- AddIndexSimplifyPassesTest.cpp - The passes as a library -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels made with IRBuilder, simplified by pipelines of a compiler's own and
// by LLVM's.
//
//===----------------------------------------------------------------------===//

#include "transforms/AddIndexSimplifyPasses.h"
#include "ptx/backend/AnalysisManagers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

/// How the kernel below says that its grid has 469 blocks of 128 threads.
enum class Says { Nothing, Attributes, Ranges, Assumption };

/// if (i < 60032) out[(i/75)*75 + i%75] = 1, of int, for the signed i =
/// ctaid*128 + tid. That place is i, and with 469 blocks there is no other i.
class Kernel {
public:
  explicit Kernel(Says What) : M("m", Context), B(Context) {
    M.setTargetTriple(Triple("nvptx64-nvidia-cuda"));
    M.setDataLayout("e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:"
                    "64");
    Type *I32 = B.getInt32Ty();
    F = Function::Create(
        FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false),
        GlobalValue::ExternalLinkage, "k", M);
    F->setCallingConv(CallingConv::PTX_Kernel);
    auto *Entry = BasicBlock::Create(Context, "entry", F);
    auto *Body = BasicBlock::Create(Context, "body", F);
    auto *Done = BasicBlock::Create(Context, "done", F);
    B.SetInsertPoint(Entry);
    auto Read = [&](Intrinsic::ID Register, unsigned Count) {
      CallInst *Call = B.CreateIntrinsic(I32, Register, ArrayRef<Value *>());
      if (What == Says::Ranges)
        Call->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, Count)));
      return Call;
    };
    Value *Block = Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 469);
    Value *Thread = Read(Intrinsic::nvvm_read_ptx_sreg_tid_x, 128);
    Value *I = B.CreateAdd(B.CreateMul(Block, B.getInt32(128)), Thread);
    if (What == Says::Attributes) {
      F->addFnAttr("unravel.grid", "469");
      F->addFnAttr("nvvm.reqntid", "128");
    } else if (What == Says::Assumption) {
      B.CreateAssumption(B.CreateICmpULT(Block, B.getInt32(469)));
      B.CreateAssumption(B.CreateICmpULT(Thread, B.getInt32(128)));
    }
    B.CreateCondBr(B.CreateICmpSLT(I, B.getInt32(60032)), Body, Done);
    B.SetInsertPoint(Body);
    Value *Row = B.CreateMul(B.CreateSDiv(I, B.getInt32(75)), B.getInt32(75));
    Value *Place = B.CreateAdd(Row, B.CreateSRem(I, B.getInt32(75)));
    B.CreateStore(B.getInt32(1), B.CreateGEP(I32, F->getArg(0), {Place}));
    B.CreateBr(Done);
    B.SetInsertPoint(Done);
    B.CreateRetVoid();
  }

  /// "D divisions, G guards", and calls that only tell passes something.
  std::string left() const {
    unsigned Divisions = 0, Guards = 0, Markers = 0;
    for (const Instruction &I : instructions(*F)) {
      Divisions += I.isIntDivRem();
      if (const auto *Branch = dyn_cast<BranchInst>(&I))
        Guards += Branch->isConditional();
      if (const auto *Call = dyn_cast<CallInst>(&I))
        Markers += !isa<IntrinsicInst>(Call);
    }
    return std::to_string(Divisions) + " divisions, " + std::to_string(Guards) +
           " guards" + (Markers ? ", and markers" : "");
  }

  void run(FunctionPassManager FPM) {
    ModulePassManager MPM;
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
    PassBuilder PB;
    run(PB, std::move(MPM));
  }
  void run(PassBuilder &PB, ModulePassManager MPM) {
    AnalysisManagers Managers(PB);
    ASSERT_FALSE(verifyModule(M, &errs()));
    MPM.run(M, Managers.Modules);
    ASSERT_FALSE(verifyModule(M, &errs()));
  }

private:
  LLVMContext Context;
  Module M;
  IRBuilder<> B;
  Function *F;
};

FunctionPassManager ownPipeline(const IndexSimplifyPasses &Passes) {
  FunctionPassManager FPM;
  recordIndexFacts(FPM, Passes);
  addIndexSimplifyPasses(FPM, Passes);
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(SimplifyCFGPass());
  return FPM;
}

TEST(AddIndexSimplifyPasses, OwnPipeline) {
  for (Says What : {Says::Attributes, Says::Ranges, Says::Assumption}) {
    Kernel K(What);
    EXPECT_EQ(K.left(), "2 divisions, 1 guards");
    K.run(ownPipeline(IndexSimplifyPasses()));
    EXPECT_EQ(K.left(), "0 divisions, 0 guards");
  }
}

TEST(AddIndexSimplifyPasses, NoFacts_negative) {
  Kernel K(Says::Nothing);
  K.run(ownPipeline(IndexSimplifyPasses()));
  EXPECT_EQ(K.left(), "0 divisions, 1 guards");
}

TEST(AddIndexSimplifyPasses, OptionsAreObeyed) {
  IndexSimplifyPasses Passes;
  Passes.Simplify.Addresses = Passes.Simplify.Values = false;
  Kernel K(Says::Attributes);
  K.run(ownPipeline(Passes));
  EXPECT_EQ(K.left(), "2 divisions, 0 guards");
}

TEST(AddIndexSimplifyPasses, OnlyRecorded_negative) {
  Kernel K(Says::Attributes);
  FunctionPassManager FPM;
  recordIndexFacts(FPM, IndexSimplifyPasses());
  FPM.addPass(InstSimplifyPass());
  K.run(std::move(FPM));
  EXPECT_EQ(StringRef(K.left()).take_front(23), "2 divisions, 1 guards");
}

/// What LLVM's pipeline leaves.
std::string leftByLlvm(Says What, OptimizationLevel Level,
                       IndexSimplifyPlace Place) {
  Kernel K(What);
  PassBuilder PB;
  IndexSimplifyPasses Passes;
  addIndexSimplifyCallbacks(PB, Passes, Place);
  K.run(PB, Level == OptimizationLevel::O0
                ? PB.buildO0DefaultPipeline(Level)
                : PB.buildPerModuleDefaultPipeline(Level));
  return K.left();
}

TEST(AddIndexSimplifyPasses, PipelinesOfLlvm) {
  using Place = IndexSimplifyPlace;
  auto O0 = OptimizationLevel::O0, O1 = OptimizationLevel::O1,
       O3 = OptimizationLevel::O3;
  for (auto [Level, Where] : {std::pair(O1, Place::VectorizerEnd),
                              {O3, Place::VectorizerEnd},
                              {O3, Place::ScalarOptimizerLate}}) {
    EXPECT_EQ(leftByLlvm(Says::Attributes, Level, Where),
              "0 divisions, 0 guards");
    EXPECT_EQ(leftByLlvm(Says::Nothing, Level, Where), "0 divisions, 1 guards");
  }
  EXPECT_EQ(leftByLlvm(Says::Attributes, O0, Place::VectorizerEnd),
            "2 divisions, 1 guards");
  EXPECT_NE(leftByLlvm(Says::Attributes, O3, Place::None),
            "0 divisions, 0 guards");
}

/// Pipelines that unroll nothing, as that of ptx-simplify, do without the run
/// in front of unrolling.
TEST(AddIndexSimplifyPasses, BeforeUnrolling) {
  for (bool Runs : {true, false}) {
    PassBuilder PB;
    IndexSimplifyPasses Passes;
    Passes.BeforeUnrolling = Runs;
    addIndexSimplifyCallbacks(PB, Passes);
    std::string Text;
    raw_string_ostream OS(Text);
    PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
        .printPipeline(OS, [](StringRef Name) { return Name; });
    size_t Before = Text.find("BeforeUnrolling");
    EXPECT_EQ(Before != std::string::npos, Runs);
    if (Runs) {
      EXPECT_LT(Before, Text.find("LoopUnrollPass<"));
    }
  }
}

} // namespace
