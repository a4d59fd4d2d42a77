//===- HostLaunches.cpp - What all launches of a kernel agree on ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/host/HostLaunches.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

static constexpr StringLiteral StubPrefix = "__device_stub__";

bool isLaunchStub(const Function &F) {
  return F.getName().contains(StubPrefix);
}

/// The kernel of a stub, as the source has it.
static std::string demangledKernelOf(StringRef Stub) {
  std::string Name = demangle(Stub);
  if (size_t At = Name.find(StubPrefix); At != std::string::npos)
    Name.erase(At, StubPrefix.size());
  return Name;
}

/// The kernel of a stub: its mangled name with a shorter identifier. An
/// identifier stands behind its length, and what stands before that may end in
/// a digit, too; so of the lengths that may be meant the one is taken that
/// leaves a name of the same function. Empty if there is none.
static std::string kernelOf(StringRef Stub) {
  auto [Before, After] = Stub.split(StubPrefix);
  std::string Wanted = demangledKernelOf(Stub);
  std::string Kernel = (Before + After).str();
  if (Kernel == Wanted)
    return Kernel; // extern "C"
  size_t Length;
  for (size_t At = Before.size(); At-- > 0 && isDigit(Before[At]);) {
    if (Before.substr(At).getAsInteger(10, Length) ||
        Length <= StubPrefix.size())
      continue;
    Kernel = (Before.take_front(At) + Twine(Length - StubPrefix.size()) + After)
                 .str();
    if (demangle(Kernel) == Wanted)
      return Kernel;
  }
  return "";
}

namespace {
/// The calls of __cudaPushCallConfiguration in one function, each with the edge
/// that is taken if it succeeds.
using FunctionLaunches = std::vector<std::pair<CallBase *, BasicBlockEdge>>;
using LaunchesByFunction = DenseMap<const Function *, FunctionLaunches>;

/// Collects the launches of one kernel.
class LaunchReader {
public:
  LaunchReader(Function &Stub, FunctionAnalysisManager &FAM,
               LaunchesByFunction &Launching)
      : Stub(Stub), FAM(FAM), Launching(Launching) {}

  /// Why not all launches are known; empty if they are.
  std::string read();
  bool hasLaunches() const { return Launches.has_value(); }
  KernelLaunches take() { return std::move(*Launches); }

private:
  std::string readUse(const Use &U);
  void readStubCall(CallBase &Call);
  void readLaunchCall(CallBase &Call);
  void findParameters();
  ConstantRange rangeOf(Value *V, Instruction &At);
  ConstantRange half(Value *V, bool IsUpper, Instruction &At,
                     unsigned Depth = 0);
  ConstantRange computeHalf(Value *V, bool IsUpper, Instruction &At,
                            unsigned Depth);
  KernelLaunches::Sizes sizes(CallBase &Call, unsigned FirstOperand);
  CallBase *configurationOf(CallBase &Call);
  void add(const KernelLaunches::Sizes &Grid,
           const KernelLaunches::Sizes &Block,
           const std::map<unsigned, LaunchArgument> &Arguments);

  Function &Stub;
  FunctionAnalysisManager &FAM;
  LaunchesByFunction &Launching;
  /// Parameters of the kernel and the argument of the stub that each is.
  std::vector<std::pair<unsigned, Argument *>> Parameters;
  std::optional<KernelLaunches> Launches;
  /// By value, place and which half it is.
  std::map<std::tuple<Value *, Instruction *, bool>, ConstantRange> Halves;
};
} // namespace

static StringRef calleeOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? Callee->getName() : StringRef();
}

/// Functions of the CUDA runtime that take a kernel and do not launch it.
static bool onlyAsksAbout(StringRef Callee) {
  return Callee == "__cudaRegisterFunction" ||
         Callee == "cudaFuncGetAttributes" ||
         Callee == "cudaFuncSetAttribute" ||
         Callee == "cudaFuncSetCacheConfig" ||
         Callee == "cudaFuncSetSharedMemConfig" ||
         Callee.starts_with("cudaOccupancy");
}

/// cudaLaunchKernel, cudaLaunchCooperativeKernel, and their variants for
/// another default stream.
static bool launches(StringRef Callee) {
  Callee.consume_back("_ptsz");
  return Callee == "cudaLaunchKernel" ||
         Callee == "cudaLaunchCooperativeKernel";
}

std::string LaunchReader::read() {
  if (!Stub.hasLocalLinkage())
    return "another file may launch it; declare it static, or in an unnamed "
           "namespace";
  findParameters();
  for (const Use &U : Stub.uses())
    if (std::string Reason = readUse(U); !Reason.empty())
      return Reason;
  return "";
}

std::string LaunchReader::readUse(const Use &U) {
  if (isa<ICmpInst>(U.getUser()))
    return "";
  auto *Call = dyn_cast<CallBase>(U.getUser());
  if (!Call)
    return "its address is kept, so code that cannot be seen may launch it";
  StringRef Callee = calleeOf(*Call);
  if (Call->isCallee(&U)) {
    if (Call->getFunctionType() != Stub.getFunctionType())
      return "it is called as if it had other parameters";
    readStubCall(*Call);
    return "";
  }
  if (onlyAsksAbout(Callee))
    return "";
  if (launches(Callee) && U.getOperandNo() == 0) {
    if (Call->getFunction() != &Stub)
      readLaunchCall(*Call);
    return "";
  }
  std::string Name = Callee.empty() ? "a function that is not known"
                                    : "'" + demangle(Callee) + "'";
  return "its address is handed to " + Name + ", which may launch it";
}

/// The stub stores its arguments, puts their addresses into an array, one for
/// each parameter of the kernel, and hands that over. A parameter that the
/// host's calling convention passes in parts is left out.
void LaunchReader::findParameters() {
  Value *Array = nullptr;
  for (Instruction &I : instructions(Stub))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && launches(calleeOf(*Call)) && Call->arg_size() == 8)
      Array = Call->getArgOperand(5)->stripPointerCasts();
  auto *Alloca = dyn_cast_or_null<AllocaInst>(Array);
  if (!Alloca)
    return;
  const DataLayout &DL = Stub.getDataLayout();
  for (Instruction &I : instructions(Stub)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store)
      continue;
    APInt Offset(DL.getIndexTypeSizeInBits(Store->getPointerOperandType()), 0);
    Value *Base = Store->getPointerOperand()->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/false);
    auto *Slot = dyn_cast<AllocaInst>(Store->getValueOperand());
    if (Base != Alloca || !Slot)
      continue;
    // The whole of the parameter, from one argument.
    Argument *Whole = nullptr;
    unsigned NumStores = 0;
    for (User *Other : Slot->users())
      if (auto *Into = dyn_cast<StoreInst>(Other);
          Into && Into->getPointerOperand() == Slot) {
        ++NumStores;
        Whole = dyn_cast<Argument>(Into->getValueOperand());
      }
    if (NumStores == 1 && Whole && Whole->getType()->isIntegerTy() &&
        Whole->getType()->getIntegerBitWidth() <= 64 &&
        Slot->getAllocatedType() == Whole->getType())
      Parameters.push_back(
          {Offset.getZExtValue() / DL.getPointerSize(), Whole});
  }
}

//===----------------------------------------------------------------------===//
// Values at a launch
//===----------------------------------------------------------------------===//

ConstantRange LaunchReader::rangeOf(Value *V, Instruction &At) {
  auto &LVI = FAM.getResult<LazyValueAnalysis>(*At.getFunction());
  return LVI.getConstantRange(V, &At, /*UndefAllowed=*/false);
}

/// A half of a number of 64 bits that was put together from two of 32.
ConstantRange LaunchReader::half(Value *V, bool IsUpper, Instruction &At,
                                 unsigned Depth) {
  static constexpr unsigned MaxDepth = 6;
  if (Depth == MaxDepth)
    return ConstantRange::getFull(32);
  auto [It, IsNew] =
      Halves.try_emplace({V, &At, IsUpper}, ConstantRange::getFull(32));
  if (!IsNew)
    return It->second; // nothing is known on a way around a loop
  ConstantRange Result = computeHalf(V, IsUpper, At, Depth);
  Halves.insert_or_assign({V, &At, IsUpper}, Result);
  return Result;
}

ConstantRange LaunchReader::computeHalf(Value *V, bool IsUpper, Instruction &At,
                                        unsigned Depth) {
  ConstantRange Unknown = ConstantRange::getFull(32), Zero(APInt(32, 0));
  Value *A, *B;
  if (auto *C = dyn_cast<ConstantInt>(V))
    return ConstantRange(C->getValue().extractBits(32, IsUpper ? 32 : 0));
  auto HalfOf = [&](Value *Part, bool IsItsUpper, Instruction &Where) {
    return half(Part, IsItsUpper, Where, Depth + 1);
  };
  if (match(V, m_ZExt(m_Value(A))) && A->getType()->isIntegerTy(32))
    return IsUpper ? Zero : rangeOf(A, At);
  if (match(V, m_Shl(m_Value(A), m_SpecificInt(32))))
    return IsUpper ? HalfOf(A, /*IsItsUpper=*/false, At) : Zero;
  // No bit is set in both, so one is zero or nothing is known.
  if (match(V, m_DisjointOr(m_Value(A), m_Value(B)))) {
    ConstantRange OfA = HalfOf(A, IsUpper, At), OfB = HalfOf(B, IsUpper, At);
    return OfA == Zero ? OfB : OfB == Zero ? OfA : Unknown;
  }
  if (auto *Select = dyn_cast<SelectInst>(V))
    return HalfOf(Select->getTrueValue(), IsUpper, At)
        .unionWith(HalfOf(Select->getFalseValue(), IsUpper, At),
                   ConstantRange::Unsigned);
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    ConstantRange All = ConstantRange::getEmpty(32);
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
      All = All.unionWith(HalfOf(Phi->getIncomingValue(I), IsUpper,
                                 *Phi->getIncomingBlock(I)->getTerminator()),
                          ConstantRange::Unsigned);
    return All;
  }
  return Unknown;
}

/// A dim3 as x86's calling convention passes it: x and y in one number, then z.
KernelLaunches::Sizes LaunchReader::sizes(CallBase &Call,
                                          unsigned FirstOperand) {
  ConstantRange Unknown = ConstantRange::getFull(32);
  if (Call.arg_size() < FirstOperand + 2)
    return {Unknown, Unknown, Unknown};
  Value *XY = Call.getArgOperand(FirstOperand);
  Value *Z = Call.getArgOperand(FirstOperand + 1);
  if (!XY->getType()->isIntegerTy(64) || !Z->getType()->isIntegerTy(32))
    return {Unknown, Unknown, Unknown};
  return {half(XY, /*IsUpper=*/false, Call), half(XY, /*IsUpper=*/true, Call),
          rangeOf(Z, Call)};
}

/// Whether \p I may push a configuration or use one up. (A function that is
/// called uses up what it pushes.)
static bool mayConfigure(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->isInlineAsm())
    return false;
  const Function *Callee = Call->getCalledFunction();
  return !Callee || isLaunchStub(*Callee) ||
         Callee->getName() == "__cudaPushCallConfiguration";
}

static FunctionLaunches findLaunches(Function &F) {
  FunctionLaunches Found;
  for (Instruction &I : instructions(F)) {
    auto *Push = dyn_cast<CallBase>(&I);
    if (!Push || calleeOf(*Push) != "__cudaPushCallConfiguration")
      continue;
    for (User *Test : Push->users())
      for (User *Branch : Test->users()) {
        auto *Br = dyn_cast<BranchInst>(Branch);
        CmpPredicate Predicate;
        if (Br && match(Test, m_ICmp(Predicate, m_Specific(Push), m_Zero())) &&
            ICmpInst::isEquality(Predicate))
          Found.push_back(
              {Push,
               {Br->getParent(),
                Br->getSuccessor(Predicate == CmpInst::ICMP_EQ ? 0 : 1)}});
      }
  }
  return Found;
}

/// The call of __cudaPushCallConfiguration whose configuration \p Call uses up,
/// or null. \p Call is executed only if that succeeds, and nothing on the way
/// from there pushes another configuration or uses this one up. A way stays
/// behind the success, or it would come by the push once more.
CallBase *LaunchReader::configurationOf(CallBase &Call) {
  Function &F = *Call.getFunction();
  auto [It, IsNew] = Launching.try_emplace(&F);
  if (IsNew)
    It->second = findLaunches(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  CallBase *Last = nullptr;
  const BasicBlockEdge *Success = nullptr;
  for (const auto &[Push, Edge] : It->second)
    if (DT.dominates(Edge, Call.getParent()) &&
        (!Last || DT.dominates(*Success, Push->getParent()))) {
      Last = Push;
      Success = &Edge;
    }
  if (!Last)
    return nullptr;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Work;
  auto AddPredecessors = [&](const BasicBlock *BB) {
    for (const BasicBlock *Pred : predecessors(BB))
      if (DT.dominates(*Success, Pred) && Seen.insert(Pred).second)
        Work.push_back(Pred);
  };
  for (const Instruction &I : *Call.getParent()) {
    if (&I == &Call)
      break;
    if (mayConfigure(I))
      return nullptr;
  }
  AddPredecessors(Call.getParent());
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (any_of(*BB, mayConfigure))
      return nullptr; // also Call itself, in a loop without the push
    AddPredecessors(BB);
  }
  return Last;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static void unite(ConstantRange &A, const ConstantRange &B,
                  ConstantRange::PreferredRangeType Type) {
  A = A.unionWith(B, Type);
}

void LaunchReader::add(const KernelLaunches::Sizes &Grid,
                       const KernelLaunches::Sizes &Block,
                       const std::map<unsigned, LaunchArgument> &Arguments) {
  if (!Launches) {
    Launches = KernelLaunches{"", Grid, Block, Arguments};
    return;
  }
  for (unsigned D = 0; D < 3; ++D) {
    unite(Launches->Grid[D], Grid[D], ConstantRange::Unsigned);
    unite(Launches->Block[D], Block[D], ConstantRange::Unsigned);
  }
  // What one launch says nothing about is not known.
  for (auto It = Launches->Arguments.begin();
       It != Launches->Arguments.end();) {
    auto Other = Arguments.find(It->first);
    if (Other == Arguments.end()) {
      It = Launches->Arguments.erase(It);
      continue;
    }
    unite(It->second.Range, Other->second.Range, ConstantRange::Signed);
    It->second.TrailingZeros =
        std::min(It->second.TrailingZeros, Other->second.TrailingZeros);
    ++It;
  }
}

void LaunchReader::readStubCall(CallBase &Call) {
  ConstantRange Unknown = ConstantRange::getFull(32);
  KernelLaunches::Sizes Grid{Unknown, Unknown, Unknown}, Block = Grid;
  if (CallBase *Configuration = configurationOf(Call)) {
    Grid = sizes(*Configuration, 0);
    Block = sizes(*Configuration, 2);
  }
  std::map<unsigned, LaunchArgument> Arguments;
  for (auto [Number, Parameter] : Parameters) {
    Value *V = Call.getArgOperand(Parameter->getArgNo());
    KnownBits Bits =
        computeKnownBits(V, Stub.getDataLayout(), /*AC=*/nullptr, &Call);
    Arguments.insert(
        {Number, {rangeOf(V, Call), Bits.countMinTrailingZeros()}});
  }
  add(Grid, Block, Arguments);
}

/// cudaLaunchKernel(kernel, grid, block, arguments, ...) in the program itself.
void LaunchReader::readLaunchCall(CallBase &Call) {
  add(sizes(Call, 1), sizes(Call, 3), {});
}

HostLaunches findHostLaunches(Module &M, FunctionAnalysisManager &FAM) {
  HostLaunches Result;
  LaunchesByFunction Launching;
  for (Function &F : M) {
    if (!isLaunchStub(F) || F.isDeclaration())
      continue;
    LaunchReader Reader(F, FAM, Launching);
    std::string Reason = Reader.read(), Kernel = kernelOf(F.getName());
    if (Reason.empty() && Kernel.empty())
      Reason = "its mangled name is not understood";
    if (!Reason.empty()) {
      Result.Unknown.push_back({&F, demangledKernelOf(F.getName()), Reason});
    } else if (Reader.hasLaunches()) {
      Result.Known.push_back(Reader.take());
      Result.Known.back().Kernel = Kernel;
    }
  }
  return Result;
}

} // namespace unravel
