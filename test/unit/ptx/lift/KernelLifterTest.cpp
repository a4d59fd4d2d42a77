//===- KernelLifterTest.cpp - Lifted instructions mean what they did ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each instruction is lifted with constants as operands, LLVM folds it, and the
// interpreter of ptx-fuzz, which shares no code with the lifter, says what it
// gives. Operands are where something happens: near 0, the extremes, powers of
// two, shifts beyond the width.
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/KernelLifter.h"
#include "test/unit/PtxTestHelper.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace unravel;

namespace {

constexpr StringLiteral Prologue =
    ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n"
    ".reg .b16 %h<9>;\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n"
    "ld.param.u64 %d8, [p];\n";

/// The kernel with \p Body; fails the test if it is not lifted.
struct Lifted {
  explicit Lifted(StringRef Body)
      : Text((Prologue + Body + "ret;\n}\n").str()) {
    Expected<ptx::Module> M = ptx::parseModule(Text, "test");
    if (!M) {
      Problem = toString(M.takeError());
      return;
    }
    Expected<ptx::LiftedKernel> K = ptx::liftKernel(*M, *M->find("k"), Context);
    if (!K) {
      Problem = toString(K.takeError());
      return;
    }
    Kernel = std::move(*K);
    EXPECT_FALSE(verifyFunction(*Kernel.Kernel, &errs())) << Text;
  }

  std::string Text, Problem;
  LLVMContext Context;
  ptx::LiftedKernel Kernel;
};

/// The number that the only store of \p F stores when everything is folded.
std::optional<uint64_t> storedNumber(Function &F) {
  const DataLayout &Layout = F.getDataLayout();
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      auto *C = dyn_cast<ConstantInt>(Store->getValueOperand());
      return C ? std::optional<uint64_t>(C->getZExtValue()) : std::nullopt;
    }
    if (Constant *C = ConstantFoldInstruction(&I, Layout))
      I.replaceAllUsesWith(C);
  }
  return std::nullopt;
}

char letterOf(unsigned Width) {
  return Width == 16 ? 'h' : Width == 32 ? 'r' : 'd';
}

/// `OPCODE result, operands;` with registers that hold the numbers. The last
/// one may stand in the instruction itself.
std::string instructionWith(StringRef Opcode, ArrayRef<uint64_t> Numbers,
                            ArrayRef<unsigned> Widths, unsigned ResultWidth,
                            bool HasImmediate) {
  std::string Body, Operands;
  for (auto [Place, Number] : enumerate(Numbers)) {
    unsigned Width = Widths[Place];
    if (Width == 1) { // A predicate: the number is 0 or 1.
      Body += ("mov.b32 %r7, " + Twine(Number & 1) +
               ";\nsetp.ne.s32 %p1, %r7, 0;\n")
                  .str();
      Operands += ", %p1";
      continue;
    }
    if (HasImmediate && Place + 1 == Numbers.size()) {
      Operands += ", " + std::to_string(Number & ptx::maskOf(Width));
      continue;
    }
    std::string Register =
        "%" + std::string(1, letterOf(Width)) + std::to_string(Place + 1);
    Body += ("mov.b" + Twine(Width) + " " + Register + ", " +
             Twine(Number & ptx::maskOf(Width)) + ";\n")
                .str();
    Operands += ", " + Register;
  }
  std::string Result = "%" + std::string(1, letterOf(ResultWidth)) + "0";
  Body += (Opcode + " " + Result + Operands + ";\nst.global.b" +
           Twine(ResultWidth) + " [%d8], " + Result + ";\n")
              .str();
  return Body;
}

/// Tries \p Opcode on edges of its operands.
void check(StringRef Opcode) {
  std::optional<ptx::Operation> Op = ptx::operationOf(Opcode);
  ASSERT_TRUE(Op) << Opcode.str();
  bool Divides = Opcode.starts_with("div") || Opcode.starts_with("rem");
  std::vector<std::vector<uint64_t>> Choices;
  for (unsigned Width : Op->OperandWidths)
    Choices.push_back(Width == 1 ? std::vector<uint64_t>{0, 1}
                                 : ptx::edgesOf(Width));
  // All pairs of the first two operands; the third one goes around.
  size_t Second = Choices.size() > 1 ? Choices[1].size() : 1;
  for (size_t A = 0; A < Choices[0].size(); ++A)
    for (size_t B = 0; B < Second; ++B) {
      // Every seventh pair is enough where no pair is special.
      if (!Divides && (A + 3 * B) % 7)
        continue;
      std::vector<uint64_t> Numbers{Choices[0][A]};
      if (Choices.size() > 1)
        Numbers.push_back(Choices[1][B]);
      if (Choices.size() > 2)
        Numbers.push_back(Choices[2][(A + B) % Choices[2].size()]);
      if (Divides && (Numbers[1] & ptx::maskOf(Op->OperandWidths[1])) == 0)
        continue; // Any result is right.
      Lifted L(instructionWith(Opcode, Numbers, Op->OperandWidths,
                               Op->ResultWidth, (A + B) % 2));
      ASSERT_EQ(L.Problem, "") << L.Text;
      std::optional<uint64_t> Stored = storedNumber(*L.Kernel.Kernel);
      ASSERT_TRUE(Stored) << L.Text;
      ASSERT_EQ(*Stored, ptx::compute(Opcode, Numbers)) << L.Text;
    }
}

class LiftedOpcode : public testing::TestWithParam<const char *> {};

TEST_P(LiftedOpcode, MeansWhatItDid) { check(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    KernelLifter, LiftedOpcode,
    testing::Values("add.s32", "add.u64", "sub.s16", "sub.u64", "mul.lo.s32",
                    "mul.wide.s32", "mul.wide.u16", "mad.lo.s32",
                    "mad.wide.u32", "mul24.lo.s32", "mul24.hi.u32",
                    "mad24.lo.u32", "div.s32", "div.u32", "div.s64", "rem.s32",
                    "rem.u32", "rem.s64", "div.s16", "min.s32", "min.u64",
                    "max.s16", "max.u32", "abs.s32", "abs.s64", "neg.s32",
                    "neg.s16", "sad.s32", "sad.u32", "add.u16x2", "add.s16x2",
                    "min.s16x2", "min.u16x2", "max.s16x2", "max.u16x2",
                    "and.b32", "or.b64", "xor.b16", "not.b32", "cnot.b32",
                    "shl.b32", "shl.b64", "shl.b16", "shr.u32", "shr.s32",
                    "shr.s64", "shr.u64", "shr.s16", "popc.b32", "popc.b64",
                    "clz.b32", "clz.b64", "brev.b32", "brev.b64", "selp.b32",
                    "slct.s32.s32", "cvt.s64.s32", "cvt.u64.u32", "cvt.u16.u32",
                    "cvt.s32.s16", "shf.l.wrap.b32", "shf.r.wrap.b32",
                    "shf.l.clamp.b32", "shf.r.clamp.b32"),
    [](const testing::TestParamInfo<const char *> &Info) {
      std::string Name = Info.param;
      std::replace(Name.begin(), Name.end(), '.', '_');
      return Name;
    });

TEST(KernelLifter, RefusalsNameTheInstruction) {
  EXPECT_EQ(Lifted("stacksave.u32 %r1;\n").Problem,
            "instruction 'stacksave.u32'");
  EXPECT_EQ(Lifted("add.s32 %r1, %r2, %unknown;\n").Problem,
            "operand '%unknown'");
  EXPECT_EQ(Lifted(".reg .b32 x;\nvadd.u32.u32.u32 %r1, x.b1, %r2;\n").Problem,
            "operand 'x.b1' of 'vadd.u32.u32.u32'");
  EXPECT_EQ(Lifted("bra $L_nowhere;\n").Problem,
            "there is no label '$L_nowhere'");
}

/// Threads of a warp execute these together, whatever they are.
TEST(KernelLifter, AlignedInstructionsAreConvergent) {
  auto IsConvergent = [](StringRef Body) {
    Lifted L(Body);
    EXPECT_EQ(L.Problem, "");
    return any_of(instructions(*L.Kernel.Kernel), [](Instruction &I) {
      auto *Call = dyn_cast<CallInst>(&I);
      return Call && Call->isInlineAsm() && Call->isConvergent();
    });
  };
  EXPECT_TRUE(IsConvergent(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release."
      "gpu.sync.aligned [%d8], [%d1], 128;\n"));
  EXPECT_TRUE(IsConvergent("wgmma.fence.sync.aligned;\n"));
  EXPECT_FALSE(IsConvergent(
      "tensormap.replace.tile.rank.global.b1024.b32 [%d8], %r1;\n"));
  EXPECT_FALSE(IsConvergent("red.global.add.u32 [%d8], %r1;\n"));
}

/// Which of the addresses is the one in shared memory, the words say in their
/// order.
TEST(KernelLifter, AddressesInSharedMemoryAreAsWideAsTheirRegisters) {
  EXPECT_TRUE(Lifted("st.shared.u32 [%r1], %r2;\n").Kernel.HasShortPointers);
  EXPECT_FALSE(Lifted("st.shared.u32 [%d1], %r2;\n").Kernel.HasShortPointers);
  EXPECT_TRUE(Lifted("cp.async.ca.shared.global [%r1], [%d8], 16;\n")
                  .Kernel.HasShortPointers);
  EXPECT_FALSE(Lifted("cp.async.ca.shared.global [%d1], [%d8], 16;\n")
                   .Kernel.HasShortPointers);
  EXPECT_TRUE(
      Lifted("cp.async.bulk.global.shared::cta.bulk_group [%d8], [%r1], "
             "%r2;\n")
          .Kernel.HasShortPointers);
  EXPECT_FALSE(Lifted("cp.async.bulk.global.shared::cta.bulk_group [%d8], "
                      "[%d1], %r2;\n")
                   .Kernel.HasShortPointers);
}

/// A divisor that is a parameter may be 0, the size of a block is not.
TEST(KernelLifter, GuardedDivisionsMayStayText) {
  std::string Text = (Prologue + "mov.u32 %r1, %ntid.x;\n"
                                 "ld.global.u32 %r2, [%d8];\n"
                                 "div.u32 %r3, %r2, %r1;\n"
                                 "div.s32 %r4, %r3, %r2;\n"
                                 "st.global.u32 [%d8], %r4;\nret;\n}\n")
                         .str();
  Expected<ptx::Module> M = ptx::parseModule(Text, "test");
  ASSERT_TRUE(bool(M));
  const ptx::Function &K = *M->find("k");
  auto Divisions = [](ptx::LiftedKernel &Kernel) {
    return count_if(instructions(*Kernel.Kernel),
                    [](Instruction &I) { return I.isIntDivRem(); });
  };
  LLVMContext Context;
  Expected<ptx::LiftedKernel> Guarded = ptx::liftKernel(*M, K, Context);
  ASSERT_TRUE(bool(Guarded));
  ASSERT_EQ(Guarded->GuardedDivisions.size(), 1u);
  EXPECT_EQ(Guarded->GuardedDivisions.front()->Opcode, "div.s32");
  EXPECT_EQ(Divisions(*Guarded), 2);
  Expected<ptx::LiftedKernel> Plain = ptx::liftKernel(
      *M, K, Context, ptx::BadDivision::Defined, Guarded->GuardedDivisions);
  ASSERT_TRUE(bool(Plain));
  EXPECT_TRUE(Plain->GuardedDivisions.empty());
  EXPECT_EQ(Divisions(*Plain), 1);
  EXPECT_FALSE(verifyFunction(*Plain->Kernel, &errs()));
}

/// What is loaded is no undef, but in arrays of the kernel's own.
TEST(KernelLifter, LoadsAreDefined) {
  Lifted L("ld.global.u32 %r1, [%d8];\nst.global.u32 [%d8+4], %r1;\n");
  ASSERT_EQ(L.Problem, "");
  EXPECT_TRUE(all_of(instructions(*L.Kernel.Kernel), [](Instruction &I) {
    return !isa<LoadInst>(I) || I.hasMetadata(LLVMContext::MD_noundef);
  }));
  Lifted Local(".local .align 4 .b8 a[4];\nmov.u64 %d1, a;\n"
               "ld.local.u32 %r1, [%d1];\nst.global.u32 [%d8], %r1;\n");
  ASSERT_EQ(Local.Problem, "");
  EXPECT_TRUE(none_of(instructions(*Local.Kernel.Kernel), [](Instruction &I) {
    return isa<LoadInst>(I) && I.hasMetadata(LLVMContext::MD_noundef);
  }));
}

/// What is not modelled stays text.
TEST(KernelLifter, FloatingPointIsText) {
  Lifted L("st.global.b32 [%d8], 1;\n"
           "{\n.reg .f32 %f<3>;\nmov.f32 %f1, 0f3F800000;\n"
           "fma.rn.f32 %f2, %f1, %f1, %f1;\nst.global.f32 [%d8+4], %f2;\n}\n");
  ASSERT_EQ(L.Problem, "");
  bool HasText = any_of(instructions(*L.Kernel.Kernel), [](Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    return Call && Call->isInlineAsm() && Call->doesNotAccessMemory();
  });
  EXPECT_TRUE(HasText);
}

} // namespace
