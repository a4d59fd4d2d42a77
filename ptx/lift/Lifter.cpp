//===- Lifter.cpp - A kernel of PTX as LLVM IR ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Lifter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

/// Whether a 64-bit register addresses shared memory: then the backend should
/// compute such addresses with 64 bits, too.
static bool hasWideSharedAddresses(const ptx::Function &K) {
  std::vector<Registers::Entry> Wide;
  for (const Statement &S : K.Body)
    if (auto *R = S.as<Registers>(); R && R->Of.Width == 64)
      append_range(Wide, R->Entries);
  auto IsWide = [&](StringRef Name) {
    return any_of(Wide,
                  [&](const Registers::Entry &E) { return E.declares(Name); });
  };
  for (const Statement &S : K.Body)
    if (auto *I = S.as<ptx::Instruction>()) {
      // cp.async.ca.shared.global [in shared memory], [in global memory]
      ArrayRef<Operand> Rest = I->Operands;
      for (StringRef Word : I->Words) {
        bool IsShared = Word.starts_with("shared");
        if (!IsShared && Word != "global")
          continue;
        Rest = Rest.drop_until(
            [](const Operand &O) { return O.K == Operand::Kind::Address; });
        if (Rest.empty())
          break;
        if (IsShared && IsWide(Rest.front().Name))
          return true;
        Rest = Rest.drop_front();
      }
    }
  return false;
}

/// Whether \p K has local memory. ptxas keeps arrays of it in registers where
/// their addresses are computed with 64 bits.
static bool hasLocalMemory(const ptx::Function &K) {
  return any_of(K.Body, [](const Statement &S) {
    auto *V = S.as<Variables>();
    return V && V->All.front().Space == "local";
  });
}

Lifter::Lifter(const Module &M, const Function &Kernel, LLVMContext &Context,
               BadDivision Division, ArrayRef<const ptx::Instruction *> AsText)
    : M(M), K(Kernel), Context(Context), Division(Division),
      AsText(AsText.begin(), AsText.end()), Async(Kernel), Layout(""),
      B(Context) {
  Result.HasShortPointers = !hasWideSharedAddresses(K) && !hasLocalMemory(K);
  Result.WaitsForLoads = Async.waitsForLoads();
  Layout = DataLayout(
      Result.HasShortPointers
          ? "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-"
            "i256:256-v16:16-v32:32-n16:32:64"
          : "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64");
  Result.IR = std::make_unique<llvm::Module>("ptx", Context);
  Result.IR->setDataLayout(Layout);
  Result.IR->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  Scopes.emplace_back();
  Ranges.emplace_back();
}

void Lifter::refuse(const Twine &Reason) {
  if (Refusal.empty())
    Refusal = Reason.str();
}

Expected<LiftedKernel> Lifter::run() {
  if (M.AddressSize != 64)
    refuse("addresses have 32 bits; only .address_size 64 is modelled");
  if (!Async.problem().empty())
    refuse(Async.problem());
  if (!isRefused())
    declareModuleVariables();
  if (!isRefused())
    makeFunction();
  if (!isRefused())
    liftBody();
  if (!isRefused())
    finish();
  if (isRefused())
    return createStringError(Refusal);
  Result.Kernel = F;
  return std::move(Result);
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Variables of the module, and shared ones, keep their declarations in PTX:
/// for the IR they are external, so that LLVM knows nothing of their contents.
static GlobalVariable *makeGlobal(llvm::Module &IR, const Variable &V) {
  auto *Ty = ArrayType::get(llvm::Type::getInt8Ty(IR.getContext()), V.Size);
  auto *G = new GlobalVariable(
      IR, Ty, /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
      V.Name, nullptr, GlobalValue::NotThreadLocal,
      addressSpaceNamed(V.Space).value_or(NVPTXAS::ADDRESS_SPACE_GENERIC));
  G->setAlignment(MaybeAlign(V.Align));
  return G;
}

/// Whether the backend has registers of such names, which would hide what \p
/// Name stands for; it cannot print others.
static bool isRegisterName(StringRef Name) { return Name.starts_with("%"); }

/// The shared memory that a launch adds. All such arrays begin in one place.
static bool isDynamic(const Variable &V) {
  return V.IsExtern && StringRef(V.Space).starts_with("shared");
}

void Lifter::declareModuleVariables() {
  for (const Item &I : M.Items) {
    auto *Declared = I.as<Variables>();
    if (!Declared)
      continue;
    for (const Variable &V : Declared->All)
      if (V.Space != "local" && V.Space != "param" && !isRegisterName(V.Name))
        Scopes.front()[V.Name] = {Symbol::Kind::Global,
                                  makeGlobal(*Result.IR, V), nullptr,
                                  isDynamic(V)};
  }
}

void Lifter::declare(const Variables &Declared, StringRef Text) {
  for (const Variable &V : Declared.All) {
    if (V.Space == "local") {
      // In the entry block, so that it is one array however often it is passed.
      IRBuilder<> Entry(&F->getEntryBlock(), F->getEntryBlock().begin());
      AllocaInst *Array = Entry.CreateAlloca(
          ArrayType::get(Entry.getInt8Ty(), V.Size), nullptr, V.Name);
      Array->setAlignment(Align(V.Align));
      Scopes.back()[V.Name] = {
          Symbol::Kind::Local,
          Entry.CreateAddrSpaceCast(
              Array, PointerType::get(Context, NVPTXAS::ADDRESS_SPACE_LOCAL)),
          nullptr};
      continue;
    }
    if (isRegisterName(V.Name))
      return refuse("variable '" + V.Name + "'");
    if (V.Space == "param")
      return refuse("a parameter '" + V.Name + "' outside of a call");
    if (Result.IR->getNamedValue(V.Name))
      return refuse("two variables are named '" + V.Name + "'");
    Scopes.back()[V.Name] = {Symbol::Kind::Global, makeGlobal(*Result.IR, V),
                             nullptr, isDynamic(V)};
    Result.KeptNames.insert(V.Name);
  }
  if (Declared.All.front().Space != "local")
    Result.Declarations.push_back(Text);
}

void Lifter::declare(const Registers &R) {
  if (R.Lanes != 1)
    return refuse("vector registers are not modelled");
  if (R.Of.Width == 128 && M.architecture() < 70)
    return refuse("registers of 128 bits before sm_70");
  llvm::Type *Ty = typeOf(R.Of);
  for (const Registers::Entry &E : R.Entries) {
    if (E.Count)
      Ranges.back().push_back({E, Ty});
    else
      Scopes.back()[E.Name] = {Symbol::Kind::Register, nullptr, Ty};
  }
}

namespace {

/// How the instructions of a kernel use its parameters.
struct ParameterUses {
  explicit ParameterUses(const ptx::Function &K);

  /// Loaded in parts, or as something else, or used in another way: structures
  /// in memory. All others are arguments.
  std::set<StringRef> InMemory;
  /// Their values become addresses in global memory.
  std::set<StringRef> Pointers;
};

} // namespace

ParameterUses::ParameterUses(const ptx::Function &K) {
  std::map<StringRef, const Variable *> Parameters;
  for (const Variable &P : K.Parameters)
    Parameters[P.Name] = &P;
  std::map<StringRef, StringRef> LoadedFrom; // register -> parameter
  for (const Statement &S : K.Body) {
    auto *I = S.as<ptx::Instruction>();
    if (!I)
      continue;
    ArrayRef<Operand> Operands = I->Operands;
    bool IsLoad = I->base() == "ld" && Operands.size() == 2 &&
                  Operands[0].K == Operand::Kind::Name && I->type();
    for (const Operand &O : Operands)
      if (auto It = Parameters.find(O.Name); It != Parameters.end())
        if (!IsLoad || O.Value != 0 || I->type()->Width != It->second->Of.Width)
          InMemory.insert(O.Name);
    if (Operands.size() != 2 || !Operands[0].isName())
      continue;
    if (I->base() == "ld" && I->Words.size() > 1 &&
        I->Words[1].starts_with("param"))
      LoadedFrom[Operands[0].Name] = Operands[1].Name;
    else if (I->Opcode == "cvta.to.global.u64")
      if (auto It = LoadedFrom.find(Operands[1].Name); It != LoadedFrom.end())
        Pointers.insert(It->second);
  }
}

void Lifter::makeFunction() {
  if (isRegisterName(K.Name))
    return refuse("the name of the kernel");
  ParameterUses Uses(K);
  SmallVector<llvm::Type *, 8> Types;
  for (const Variable &P : K.Parameters) {
    if (isRegisterName(P.Name))
      return refuse("parameter '" + P.Name + "'");
    if (P.IsArray || Uses.InMemory.count(P.Name))
      Types.push_back(
          PointerType::get(Context, NVPTXAS::ADDRESS_SPACE_GENERIC));
    else if (P.Of.Width == 64 && (Uses.Pointers.count(P.Name) ||
                                  (P.IsPointer && P.PointerSpace == "global")))
      Types.push_back(PointerType::get(Context, NVPTXAS::ADDRESS_SPACE_GLOBAL));
    else
      Types.push_back(typeOf(P.Of));
    if (!Types.back())
      return refuse("the type of parameter '" + P.Name + "'");
  }
  F = llvm::Function::Create(
      FunctionType::get(llvm::Type::getVoidTy(Context), Types, false),
      GlobalValue::ExternalLinkage, K.Name, *Result.IR);
  F->setCallingConv(CallingConv::PTX_Kernel);
  F->addFnAttr(Attribute::NoUnwind);
  // `x & 0x7fffffff` is no abs.f32, which changes NaNs.
  F->addFnAttr(Attribute::NoImplicitFloat);
  for (auto [P, A] : zip_equal(K.Parameters, F->args())) {
    A.addAttr(Attribute::NoUndef);
    if (A.getType()->isPointerTy() && A.getType()->getPointerAddressSpace() ==
                                          NVPTXAS::ADDRESS_SPACE_GENERIC) {
      A.addAttr(Attribute::getWithByValType(
          Context, ArrayType::get(llvm::Type::getInt8Ty(Context), P.Size)));
      A.addAttr(Attribute::getWithAlignment(Context, Align(P.Align)));
      // cvta.param has its address: no copy in local memory.
      A.addAttr(Attribute::get(Context, "nvvm.grid_constant"));
    } else if (A.getType()->isPointerTy() && P.PointerAlign > 1) {
      A.addAttr(Attribute::getWithAlignment(Context, Align(P.PointerAlign)));
    }
    A.setName(P.Name); // what remarks call it
    Scopes.front()[P.Name] = {Symbol::Kind::Parameter, &A, nullptr};
  }
  const std::pair<StringRef, StringRef> Attributes[] = {
      {"maxntid", "nvvm.maxntid"},
      {"reqntid", "nvvm.reqntid"},
      {"reqnctapercluster", "nvvm.cluster_dim"}};
  for (auto [Name, Attribute] : Attributes)
    if (const Limit *L = K.limit(Name)) {
      SmallVector<uint64_t, 3> Sizes(L->Values);
      Sizes.resize(3, 1);
      F->addFnAttr(
          Attribute,
          join(map_range(Sizes, [](uint64_t N) { return utostr(N); }), ","));
    }
  startLocations();
  B.SetInsertPoint(BasicBlock::Create(Context, "entry", F));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The first place is that of the whole kernel.
void Lifter::startLocations() {
  DIBuilder D(*Result.IR);
  DIFile *File = D.createFile("ptx", "");
  D.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C), File, "", true,
                      "", 0, "", DICompileUnit::DebugDirectivesOnly);
  Subprogram = D.createFunction(
      File, K.Name, K.Name, File, 1,
      D.createSubroutineType(D.getOrCreateTypeArray({})), 1, DINode::FlagZero,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  D.finalize();
  F->setSubprogram(Subprogram);
  Result.IR->addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                           DEBUG_METADATA_VERSION);
  auto First = find_if(
      K.Body, [](const Statement &S) { return S.as<Location>() != nullptr; });
  Result.HasLocations = First != K.Body.end();
  Result.Places.push_back(Result.HasLocations ? First->Text : K.Name);
  LocationNumbers[Result.Places.front()] = 1;
}

void Lifter::setPlace(unsigned Number) {
  B.SetCurrentDebugLocation(DILocation::get(Context, Number, 0, Subprogram));
}

void Lifter::setLocation(StringRef Text) {
  auto [It, IsNew] =
      LocationNumbers.try_emplace(Text, Result.Places.size() + 1);
  if (IsNew)
    Result.Places.push_back(Text);
  setPlace(It->second);
}

void Lifter::liftBody() {
  findLabels();
  HasLocalArrays = any_of(K.Body, [](const Statement &S) {
    auto *V = S.as<Variables>();
    return V && V->All.front().Space == "local";
  });
  findTextScopes();
  for (size_t I = 0; I < K.Body.size() && !isRefused();) {
    if (size_t Size = sizeOfGroup(I)) {
      SmallVector<const Statement *, 8> Group;
      for (size_t End = I + Size; I < End; ++I)
        Group.push_back(&K.Body[I]);
      if (!IsUnreachable)
        liftAsText(Group);
      continue;
    }
    liftStatement(K.Body[I++]);
  }
  if (isRefused())
    return;
  if (!IsUnreachable)
    B.CreateRetVoid();
  for (const auto &Entry : Blocks)
    if (!Defined.count(Entry.second))
      return refuse("there is no label '" + Entry.first() + "'");
  disableUnrolling();
}

void Lifter::liftStatement(const Statement &S) {
  if (auto *I = S.as<ptx::Instruction>()) {
    if (IsUnreachable)
      return;
    if (!Result.HasLocations) {
      Result.Places.push_back(S.Text);
      setPlace(Result.Places.size());
    }
    liftInstruction(*I);
  } else if (auto *L = S.as<Label>()) {
    if (BranchTargets.count(scopedLabel(L->Name)))
      return;
    startBlock(L->Name);
    LastLabel = L->Name;
  } else if (auto *R = S.as<Registers>()) {
    declare(*R);
  } else if (auto *V = S.as<Variables>()) {
    declare(*V, S.Text);
  } else if (S.as<Location>()) {
    setLocation(S.Text);
  } else if (auto *Braces = S.as<Scope>()) {
    if (Braces->Begins) {
      Scopes.emplace_back();
      Ranges.emplace_back();
      LabelScopes.push_back(&S - K.Body.data());
    } else {
      Scopes.pop_back();
      Ranges.pop_back();
      LabelScopes.pop_back();
    }
  } else if (auto *D = S.as<Directive>()) {
    if (D->Name == "pragma" && D->Rest.contains("nounroll")) {
      if (!LastLabel.empty())
        NotUnrolled.insert(blockOf(LastLabel));
    } else if (D->Name == "pragma" && (D->Rest.contains("used_bytes_mask") ||
                                       D->Rest.contains("frequency"))) {
      // Hints for the code as it was.
    } else if (D->Name != "branchtargets") {
      refuse("directive '." + D->Name + "'");
    }
  }
}

void Lifter::liftInstruction(const Instruction &I) {
  if (liftControl(I) || isRefused())
    return;
  Guard = nullptr;
  if (!I.Predicate.empty()) {
    Guard = readPredicate(I.Predicate);
    if (isRefused())
      return;
    if (I.IsNegated)
      Guard = B.CreateNot(Guard);
  }
  bool IsModelled = liftArithmetic(I) || liftBits(I) || liftCompare(I) ||
                    liftMove(I) || liftMemory(I);
  if (!IsModelled && !isRefused())
    liftAsText(I);
  Guard = nullptr;
}

/// Behind the last of its operands, if that dominates where \p I is. It is
/// computed more often then, and needs no operand that was not computed before.
static void hoist(llvm::Instruction &I, const DominatorTree &DT) {
  llvm::Instruction *Last = nullptr;
  for (Value *Operand : I.operands())
    if (auto *Def = dyn_cast<llvm::Instruction>(Operand))
      if (!Last || DT.dominates(Last, Def))
        Last = Def;
  if (!Last)
    I.moveBefore(I.getFunction()->getEntryBlock().getFirstInsertionPt());
  else if (std::optional<BasicBlock::iterator> Place =
               Last->getInsertionPointAfterDef())
    I.moveBefore(*Place);
  I.setDebugLoc(DebugLoc());
}

/// Whether \p Address only computes addresses of loads, or generic addresses by
/// cvta.param.
static bool isOnlyLoadedFrom(Value *Address) {
  SmallVector<Value *, 8> Work{Address};
  SmallPtrSet<Value *, 8> Seen{Address};
  while (!Work.empty())
    for (User *U : Work.pop_back_val()->users()) {
      if (isa<LoadInst, AddrSpaceCastInst>(U))
        continue;
      auto *I = cast<llvm::Instruction>(U);
      if (I->getOpcode() != llvm::Instruction::Add &&
          I->getOpcode() != llvm::Instruction::Sub &&
          !isa<IntToPtrInst, GetElementPtrInst, PHINode, SelectInst>(I))
        return false;
      if (Seen.insert(I).second)
        Work.push_back(I);
    }
  return true;
}

void Lifter::finish() {
  EliminateUnreachableBlocks(*F);
  SmallVector<AllocaInst *, 64> Slots;
  for (llvm::Instruction &I : F->getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A))
      Slots.push_back(A);
  DominatorTree DT(*F);
  PromoteMemToReg(Slots, DT);
  for (const WeakTrackingVH &Address : ParameterAddresses)
    if (auto *I = dyn_cast_or_null<llvm::Instruction>(Address);
        I && !isOnlyLoadedFrom(I))
      return refuse("the address of a parameter that is more than loaded from");
  for (const GuardedDivision &D : Guarded)
    if (auto *I = dyn_cast_or_null<llvm::Instruction>(D.Result);
        I && D.Divisor &&
        !isKnownNonZero(D.Divisor, SimplifyQuery(Layout, &DT, nullptr, I)))
      Result.GuardedDivisions.push_back(D.I);
  for (const WeakTrackingVH &Guard : DivisorGuards)
    if (auto *I = dyn_cast_or_null<llvm::Instruction>(Guard))
      hoist(*I, DT);
  for (llvm::Instruction &I : make_early_inc_range(instructions(*F)))
    if (isInstructionTriviallyDead(&I))
      I.eraseFromParent();
}

LiftedKernel LiftedKernel::with(std::unique_ptr<llvm::Module> NewIR) const {
  llvm::Function *NewKernel = NewIR->getFunction(Kernel->getName());
  return {std::move(NewIR), NewKernel,    Places,           HasLocations,
          Declarations,     KeptNames,    HasShortPointers, HasBypasses,
          GuardedDivisions, WaitsForLoads};
}

Expected<LiftedKernel>
unravel::ptx::liftKernel(const ptx::Module &M, const ptx::Function &Kernel,
                         LLVMContext &Context, BadDivision Division,
                         ArrayRef<const ptx::Instruction *> AsText) {
  return Lifter(M, Kernel, Context, Division, AsText).run();
}
