//===- KernelMapsTest.cpp - Maps of accesses against executions ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emitted kernels run on the CPU with code that notes, for each thread, which
// elements of which buffer it loads and stores. These have to be the elements
// of the maps that the plan supplies, no more and no less.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/KernelMaps.h"
#include "test/unit/EmitterTestHelper.h"
#include "test/unit/HloIndexingTestHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cstdlib>
#include <set>

using namespace llvm;
using namespace unravel;

namespace {

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

/// The places of the notes about one kernel: for each argument, first loads,
/// then stores, a byte for each thread and element.
struct Notes {
  std::vector<int64_t> Elements, Begin;
  int64_t Threads = 0, Bytes = 0;

  Notes(const EmittedModule &Emitted, const EmittedKernel &Kernel) {
    Threads = int64_t(Kernel.Grid[0]) * Kernel.Grid[1] * Kernel.Grid[2] *
              Kernel.Block;
    for (unsigned Buffer : Kernel.Arguments) {
      Elements.push_back(Emitted.Buffers[Buffer].Shape.elementCount());
      Begin.push_back(Bytes);
      Bytes += 2 * Threads * Elements.back();
    }
  }
  int64_t placeOf(size_t Argument, bool IsStore, int64_t Thread,
                  int64_t Element) const {
    return Begin[Argument] +
           ((IsStore ? Threads : 0) + Thread) * Elements[Argument] + Element;
  }
};

void inlineCalls(Function &F) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = Call->getCalledFunction();
            Callee && !Callee->isDeclaration()) {
          InlineFunctionInfo Info;
          ASSERT_TRUE(InlineFunction(*Call, Info).isSuccess());
          Changed = true;
          break;
        }
  }
}

/// Adds a parameter to the kernel \p Old, and code that notes its accesses.
void addNotes(Function &Old, const EmittedModule &Emitted,
              const EmittedKernel &Kernel) {
  inlineCalls(Old);
  LLVMContext &C = Old.getContext();
  SmallVector<Type *, 8> Types(Old.getFunctionType()->params());
  Types.push_back(PointerType::get(C, 1));
  auto *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false),
                       Old.getLinkage(), "", Old.getParent());
  F->takeName(&Old);
  F->copyAttributesFrom(&Old);
  F->splice(F->begin(), &Old);
  for (auto [From, To] : zip(Old.args(), F->args())) {
    From.replaceAllUsesWith(&To);
    To.takeName(&From);
  }
  Old.eraseFromParent();
  Argument *Table = F->getArg(F->arg_size() - 1);

  Notes Places(Emitted, Kernel);
  IRBuilder<> B(&*F->getEntryBlock().getFirstInsertionPt());
  auto Register = [&](Intrinsic::ID ID) {
    return B.CreateZExt(B.CreateIntrinsic(ID, ArrayRef<Value *>()),
                        B.getInt64Ty());
  };
  Value *Block =
      B.CreateAdd(B.CreateMul(Register(Intrinsic::nvvm_read_ptx_sreg_ctaid_y),
                              B.getInt64(Kernel.Grid[0])),
                  Register(Intrinsic::nvvm_read_ptx_sreg_ctaid_x));
  Value *Thread = B.CreateAdd(B.CreateMul(Block, B.getInt64(Kernel.Block)),
                              Register(Intrinsic::nvvm_read_ptx_sreg_tid_x));
  SmallVector<Instruction *, 32> Accesses;
  for (Instruction &I : instructions(*F))
    if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
      Accesses.push_back(&I);
  for (Instruction *I : Accesses) {
    const Value *Pointer =
        isa<StoreInst>(I)       ? cast<StoreInst>(I)->getPointerOperand()
        : isa<AtomicRMWInst>(I) ? cast<AtomicRMWInst>(I)->getPointerOperand()
        : isa<AtomicCmpXchgInst>(I)
            ? cast<AtomicCmpXchgInst>(I)->getPointerOperand()
            : cast<LoadInst>(I)->getPointerOperand();
    const Value *Base = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
    if (!isa<Argument>(Base)) {
      ASSERT_TRUE(isa<GlobalVariable>(Base)) << "unknown base";
      continue;
    }
    unsigned Argument = cast<llvm::Argument>(Base)->getArgNo();
    unsigned Width = byteWidth(
        Emitted.Buffers[Kernel.Arguments[Argument]].Shape.elementType());
    B.SetInsertPoint(I);
    auto Address = [&](const Value *V) {
      return B.CreatePtrToInt(const_cast<Value *>(V), B.getInt64Ty());
    };
    Value *Element = B.CreateUDiv(B.CreateSub(Address(Pointer), Address(Base)),
                                  B.getInt64(Width));
    Value *Place = B.CreateAdd(
        B.CreateMul(Thread, B.getInt64(Places.Elements[Argument])), Element);
    Place = B.CreateAdd(
        Place, B.getInt64(Places.placeOf(Argument, !isa<LoadInst>(I), 0, 0)));
    B.CreateStore(B.getInt8(1), B.CreateGEP(B.getInt8Ty(), Table, Place));
  }
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// The arrays of parameters, which plans count one by one.
void addArrays(const HloLiteral &Value, std::vector<HloLiteral> &Arrays) {
  if (Value.shape().isArray())
    Arrays.push_back(Value);
  else
    for (const HloLiteral &Element : Value.elements())
      addArrays(Element, Arrays);
}

/// The elements that \p Access says, as places of notes. Values of run time are
/// those of the arrays in \p Inputs.
void addPlaces(const BufferAccess &Access, const Notes &Places, size_t Argument,
               bool IsStore, const EmittedKernel &Kernel,
               ArrayRef<HloLiteral> Inputs, std::set<int64_t> &To) {
  ASSERT_TRUE(Access.Maps.isKnown()) << Access.Maps.WhyUnknown;
  std::vector<int64_t> Strides = Access.Array.strides();
  for (const OperandMap &M : Access.Maps.Maps) {
    size_t FirstRuntime = M.Map.numVariables() - M.Runtimes.size();
    bool Visited = M.Map.forEachPoint(1 << 26, [&](ArrayRef<int64_t> P) {
      for (auto [K, R] : enumerate(M.Runtimes)) {
        EXPECT_EQ(R.Source->opcode(), HloOpcode::Parameter);
        int64_t Value = 0, Number = 0;
        const HloLiteral &Source =
            Inputs[R.Source->attributes<HloParameter>().Number];
        for (auto [Index, Stride] :
             zip_equal(*R.ToElement.evaluate(P), Source.shape().strides()))
          Number += Index * Stride;
        std::memcpy(&Value, Source.bytes().data() + 4 * Number, 4);
        Value = int32_t(Value);
        if (R.Clamp)
          Value = std::clamp(Value, R.Clamp->lo(), R.Clamp->hi());
        if (P[FirstRuntime + K] != Value)
          return true;
      }
      int64_t Element = 0;
      for (auto [Index, Stride] : zip_equal(*M.Map.evaluate(P), Strides))
        Element += Index * Stride;
      int64_t Thread = (P[4] * Kernel.Grid[0] + P[3]) * Kernel.Block + P[0];
      To.insert(Places.placeOf(Argument, IsStore, Thread, Element));
      return true;
    });
    ASSERT_TRUE(Visited) << "too many points";
  }
}

/// The kinds of the kernels of \p Text, whose accesses are as the maps say. Of
/// the array \p MayLoadLess, whose elements are used or not by values of run
/// time or by conditions that are no map, fewer elements may be loaded; `*` is
/// all arrays.
std::set<std::string> check(StringRef Text, StringRef MayLoadLess = "",
                            IndexSource Source = IndexSource::Naive) {
  std::set<std::string> Kinds;
  auto Module = parseModule(Text);
  EXPECT_FALSE(bool(verifyHlo(*Module)));
  KernelEmitterOptions Options;
  Options.Indices = Source;
  LLVMContext Context;
  auto Plan = cantFail(planKernels(
      *Module, {&Module->entry(), boundaryOf(Module->entry())}, Options));
  EmittedModule Emitted =
      cantFail(emitKernels(*Module, Module->entry(), Context, Options));
  EXPECT_EQ(Plan.Kernels.size(), Emitted.Kernels.size());

  std::vector<Notes> AllNotes;
  size_t Outputs = 0;
  for (const KernelBuffer &Buffer : Emitted.Buffers)
    Outputs += Buffer.BufferKind == KernelBuffer::Kind::Output;
  for (EmittedKernel &Kernel : Emitted.Kernels) {
    AllNotes.emplace_back(Emitted, Kernel);
    addNotes(*Emitted.IR->getFunction(Kernel.Name), Emitted, Kernel);
  }
  for (auto [Kernel, Places] : zip_equal(Emitted.Kernels, AllNotes)) {
    Kernel.Arguments.push_back(Emitted.Buffers.size());
    Kernel.Written.push_back(Emitted.Buffers.size());
    Emitted.Buffers.push_back(
        {KernelBuffer::Kind::Output, "notes",
         cantFail(HloShape::array(ElementType::U8, {Places.Bytes})),
         std::nullopt});
  }
  std::vector<HloLiteral> Inputs =
      cantFail(randomInputs(Module->entry(), /*Seed=*/1));
  auto Run = runKernels(Emitted, *Emitted.IR, "test", Inputs);
  if (!Run) {
    ADD_FAILURE() << toString(Run.takeError());
    return Kinds;
  }

  std::vector<HloLiteral> Arrays;
  for (const HloLiteral &Input : Inputs)
    addArrays(Input, Arrays);
  IndexContext Indices;
  HloIndexingAnalysis Analysis(Indices);
  for (auto [K, Kernel] : enumerate(Emitted.Kernels)) {
    const Notes &Places = AllNotes[K];
    std::set<int64_t> Expected, Optional, Found;
    for (const BufferAccess &Access :
         accessesOf(Plan, Plan.Kernels[K], Analysis)) {
      size_t Argument =
          find(Kernel.Arguments, Access.Buffer) - Kernel.Arguments.begin();
      bool IsStore = Access.Kind != ThreadAction::Load;
      bool IsOptional =
          !IsStore && (MayLoadLess == "*" ||
                       Emitted.Buffers[Access.Buffer].Name == MayLoadLess);
      addPlaces(Access, Places, Argument, IsStore, Kernel, Arrays,
                IsOptional ? Optional : Expected);
      if (Access.Kind == ThreadAction::Update)
        addPlaces(Access, Places, Argument, /*IsStore=*/false, Kernel, Arrays,
                  Optional);
    }
    ArrayRef<uint8_t> Bytes = (*Run)[Outputs + K].bytes();
    for (int64_t Place = 0; Place < Places.Bytes; ++Place)
      if (Bytes[Place] == 1)
        Found.insert(Place);
    std::string Kind = nameOf(Plan.Kernels[K].Kind).str();
    // Of modules that are not known, a kernel may have nothing to do: a scatter
    // whose updates are all outside, for example.
    EXPECT_FALSE(Found.empty() && MayLoadLess != "*") << Text.str();
    for (int64_t Place : Expected)
      if (!Found.count(Place)) {
        ADD_FAILURE() << Kernel.Name << ", " << Kind << ": place " << Place
                      << " is not accessed\n"
                      << Text.str();
        break;
      }
    for (int64_t Place : Found)
      if (!Expected.count(Place) && !Optional.count(Place)) {
        ADD_FAILURE() << Kernel.Name << ", " << Kind << ": place " << Place
                      << " is accessed\n"
                      << Text.str();
        break;
      }
    Kinds.insert(Kind);
  }
  return Kinds;
}

using Set = std::set<std::string>;

const std::string Add = "add { a = f32[] parameter(0)\n b = f32[] "
                        "parameter(1)\n ROOT c = f32[] add(a, b) }\n";

//===----------------------------------------------------------------------===//
// Kernel kinds
//===----------------------------------------------------------------------===//

TEST(KernelMaps, Loops) {
  for (const char *Text :
       {// Vectors, and a guard.
        "ENTRY e { p = f32[16,132] parameter(0)\n ROOT n = f32[16,132] "
        "negate(p) }",
        "ENTRY e { p = f32[7,11] parameter(0)\n q = f32[] parameter(1)\n"
        " b = f32[7,11] broadcast(q), dimensions={}\n"
        " ROOT n = f32[7,11] add(p, b) }",
        "ENTRY e { p = f32[6,10] parameter(0)\n r = f32[5,12] reshape(p)\n"
        " v = f32[5,12] reverse(r), dimensions={1}\n"
        " ROOT s = f32[3,4] slice(v), slice={[0:5:2], [1:12:3]} }",
        "ENTRY e { p = f32[6,10] parameter(0)\n z = f32[] constant(0)\n"
        " ROOT q = f32[12,22] pad(p, z), padding=1_0_1x2_1_1 }",
        "ENTRY e { p = f32[3,5] parameter(0)\n q = f32[3,2] parameter(1)\n"
        " ROOT c = f32[3,7] concatenate(p, q), dimensions={1} }",
        "ENTRY e { p = f32[9,8] parameter(0)\n q = f32[8,7] parameter(1)\n"
        " ROOT d = f32[9,7] dot(p, q), lhs_contracting_dims={1}, "
        "rhs_contracting_dims={0} }",
        // Places of run time.
        "ENTRY e { p = f32[9,20] parameter(0)\n i = s32[5,2] parameter(1)\n"
        " ROOT g = f32[5,3,4] gather(p, i), offset_dims={1,2}, "
        "collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=1, "
        "slice_sizes={3,4} }",
        "ENTRY e { p = f32[9,20] parameter(0)\n a = s32[] parameter(1)\n"
        " b = s32[] parameter(2)\n ROOT d = f32[3,7] dynamic-slice(p, a, b), "
        "dynamic_slice_sizes={3,7} }",
        // Another layout of the same elements, and two outputs.
        "ENTRY e { p = f32[5,6]{0,1} parameter(0)\n n = f32[5,6]{0,1} "
        "negate(p)\n a = f32[5,6]{0,1} abs(p)\n"
        " ROOT t = (f32[5,6]{0,1}, f32[5,6]{0,1}) tuple(n, a) }"})
    for (IndexSource Source : {IndexSource::Naive, IndexSource::Maps})
      EXPECT_EQ(check(Text, "", Source), Set{"loop"}) << Text;
  // The value is loaded around the operand, which no map says.
  EXPECT_EQ(check("ENTRY e { p = f32[6,10] parameter(0)\n z = f32[] "
                  "parameter(1)\n ROOT q = f32[12,22] pad(p, z), "
                  "padding=1_0_1x2_1_1 }",
                  /*MayLoadLess=*/"z"),
            Set{"loop"});
  EXPECT_EQ(check(Add + "ENTRY e { p = f32[9,20] parameter(0)\n"
                        " z = f32[] constant(0)\n ROOT r = f32[9,7] "
                        "reduce-window(p, z), window={size=3x5 stride=1x3 "
                        "pad=1_1x1_2}, to_apply=add }"),
            Set{"loop"});
}

TEST(KernelMaps, Reductions) {
  auto Reduce = [](const std::string &From, const std::string &To,
                   const std::string &Dimensions) {
    std::string Parameters = "p = f32[" + From +
                             "] parameter(0)\n z = f32[] parameter(1)\n"
                             " q = f32[" +
                             To + "] parameter(2)\n";
    return Add + "f { " + Parameters + " n = f32[" + From +
           "] negate(p)\n r = f32[" + To + "] reduce(n, z), dimensions={" +
           Dimensions + "}, to_apply=add\n ROOT m = f32[" + To +
           "] multiply(r, q) }\nENTRY e { " + Parameters + " ROOT r = f32[" +
           To + "] fusion(p, z, q), kind=kLoop, calls=f }";
  };
  EXPECT_EQ(check(Reduce("5,512", "5", "1")), Set{"reduction"});
  EXPECT_EQ(check(Reduce("3,100", "3", "1")), Set{"reduction"});
  EXPECT_EQ(check(Reduce("200,9", "9", "0")), Set{"reduction"});
  EXPECT_EQ(check(Reduce("128,40", "40", "0")), Set{"reduction"});
  EXPECT_EQ(check(Reduce("6,5,70", "5", "0,2")), Set{"reduction"});
  EXPECT_EQ(check(Reduce("4,100,6", "4,6", "1")), Set{"reduction"});
  // A thread for each result.
  EXPECT_EQ(check(Reduce("50,8", "50", "1")), Set{"loop"});
}

TEST(KernelMaps, Transposes) {
  for (const char *Text :
       {"ENTRY e { p = f32[40,50] parameter(0)\n ROOT t = f32[50,40] "
        "transpose(p), dimensions={1,0} }",
        "ENTRY e { p = f32[3,33,40] parameter(0)\n n = f32[3,33,40] negate(p)\n"
        " ROOT t = f32[3,40,33] transpose(n), dimensions={0,2,1} }",
        // p + p^T, from the seeds.
        "ENTRY e { p = f32[45,45] parameter(0)\n t = f32[45,45] transpose(p), "
        "dimensions={1,0}\n ROOT a = f32[45,45] add(p, t) }",
        // By layouts alone.
        "ENTRY e { p = f32[40,50] parameter(0)\n q = f32[40,50]{0,1} "
        "parameter(1)\n ROOT a = f32[40,50] add(p, q) }",
        // An output that is written while the tile is filled.
        "f { p = f32[40,50] parameter(0)\n n = f32[40,50] negate(p)\n"
        " t = f32[50,40] transpose(n), dimensions={1,0}\n"
        " ROOT r = (f32[40,50], f32[50,40]) tuple(n, t) }\n"
        "ENTRY e { p = f32[40,50] parameter(0)\n ROOT r = (f32[40,50], "
        "f32[50,40]) fusion(p), kind=kLoop, calls=f }"})
    EXPECT_EQ(check(Text), Set{"transpose"}) << Text;
}

TEST(KernelMaps, Concatenations) {
  EXPECT_EQ(check("f { p = f32[4,600] parameter(0)\n q = f32[4,596] "
                  "parameter(1)\n s = f32[4,1196] parameter(2)\n"
                  " c = f32[4,1196] concatenate(p, q), dimensions={1}\n"
                  " ROOT a = f32[4,1196] add(c, s) }\n"
                  "ENTRY e { p = f32[4,600] parameter(0)\n q = f32[4,596] "
                  "parameter(1)\n s = f32[4,1196] parameter(2)\n"
                  " ROOT r = f32[4,1196] fusion(p, q, s), kind=kLoop, "
                  "calls=f }"),
            Set{"concatenate"});
}

TEST(KernelMaps, Updates) {
  EXPECT_EQ(check("HloModule m, input_output_alias={ {}: (0, {}, may-alias) }\n"
                  "ENTRY e { p = f32[20,30] parameter(0)\n u = f32[5,6] "
                  "parameter(1)\n a = s32[] parameter(2)\n b = s32[] "
                  "parameter(3)\n ROOT d = f32[20,30] dynamic-update-slice(p, "
                  "u, a, b) }"),
            Set{"update"});
  // Not in place: the operand need not be loaded where it is updated.
  EXPECT_EQ(check("ENTRY e { p = f32[20,30] parameter(0)\n u = f32[5,6] "
                  "parameter(1)\n a = s32[] parameter(2)\n b = s32[] "
                  "parameter(3)\n ROOT d = f32[20,30] dynamic-update-slice(p, "
                  "u, a, b) }",
                  /*MayLoadLess=*/"p"),
            Set{"loop"});
}

/// Updates outside of the operand are dropped before they are loaded.
TEST(KernelMaps, Scatters) {
  for (const char *Unique : {"", ", unique_indices=true"})
    EXPECT_EQ(check(Add +
                        "ENTRY e { p = f32[40,5] parameter(0)\n i = s32[24,1] "
                        "parameter(1)\n u = f32[24,2,3] parameter(2)\n"
                        " ROOT s = f32[40,5] scatter(p, i, u), "
                        "update_window_dims={1,2}, inserted_window_dims={}, "
                        "scatter_dims_to_operand_dims={0}, index_vector_dim=1" +
                        Unique + ", to_apply=add }",
                    /*MayLoadLess=*/"u"),
              (Set{"loop", "scatter"}));
}

/// Kernels that read what others have written.
TEST(KernelMaps, Softmax) {
  EXPECT_EQ(check("max { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                  " ROOT c = f32[] maximum(a, b) }\n" +
                  Add +
                  "ENTRY e { p = f32[2,9,125] parameter(0)\n"
                  " l = f32[] constant(-inf)\n z = f32[] constant(0)\n"
                  " m = f32[2,9] reduce(p, l), dimensions={2}, to_apply=max\n"
                  " mb = f32[2,9,125] broadcast(m), dimensions={0,1}\n"
                  " d = f32[2,9,125] subtract(p, mb)\n"
                  " x = f32[2,9,125] exponential(d)\n"
                  " s = f32[2,9] reduce(x, z), dimensions={2}, to_apply=add\n"
                  " sb = f32[2,9,125] broadcast(s), dimensions={0,1}\n"
                  " ROOT r = f32[2,9,125] divide(x, sb) }"),
            (Set{"loop", "reduction"}));
}

/// Whether the kernels of \p Text are all that it does, all places are known or
/// of run time and can be computed here, and there is room for the notes.
bool isCheckable(StringRef Text) {
  auto Module = parseModule(Text);
  auto Plan = planKernels(
      *Module, {&Module->entry(), boundaryOf(Module->entry())}, KernelLimits());
  if (!Plan) {
    consumeError(Plan.takeError());
    return false;
  }
  LLVMContext OfCode;
  EmittedModule Emitted =
      cantFail(emitKernels(*Module, Module->entry(), OfCode, {}));
  if (any_of(Emitted.Steps, [](const EmittedStep &Step) {
        return Step.StepKind != EmittedStep::Kind::Launch;
      }))
    return false;
  IndexContext Context;
  HloIndexingAnalysis Analysis(Context);
  for (const PlannedKernel &Kernel : Plan->Kernels) {
    uint64_t Threads = Kernel.blocks() * Kernel.BlockSize, Elements = 0;
    for (const BufferAccess &Access : accessesOf(*Plan, Kernel, Analysis)) {
      if (!Access.Maps.isKnown())
        return false;
      Elements += Access.Array.elementCount();
      for (const OperandMap &M : Access.Maps.Maps) {
        if (M.Map.boxSize().value_or(UINT64_MAX) > (1 << 18))
          return false;
        for (const RuntimeVariable &R : M.Runtimes)
          if (R.Source->opcode() != HloOpcode::Parameter ||
              byteWidth(R.Source->shape().elementType()) != 4)
            return false;
      }
    }
    if (Threads > (1 << 14) || Elements > (1 << 14) ||
        Threads * Elements > (1 << 20))
      return false;
  }
  return true;
}

/// Stores are exactly those of the maps, and no other elements are loaded.
/// UNRAVEL_HLO_FOLDER names a folder with other modules.
TEST(KernelMaps, OtherModules) {
  Set Kinds;
  unsigned Checked = 0;
  const char *Folder = std::getenv("UNRAVEL_HLO_FOLDER");
  forEachFusion(
      [&](StringRef Name, StringRef Text) {
        // Inlined, its functions double at each of 19 steps.
        if (Name == "diamonds" || !isCheckable(Text))
          return;
        SCOPED_TRACE(Name.str());
        Kinds.merge(check(Text, /*MayLoadLess=*/"*"));
        ++Checked;
      },
      Folder ? Folder : "");
  outs() << Checked << " modules, kernels: " << join(Kinds, ", ") << "\n";
  EXPECT_GE(Checked, 20u);
  EXPECT_GE(Kinds.size(), 4u);
}

} // namespace
