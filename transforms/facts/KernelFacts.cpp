//===- KernelFacts.cpp - What people state about a kernel -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/KernelFacts.h"
#include "analysis/facts/LaunchLimits.h"
#include "transforms/facts/Contradictions.h"
#include "transforms/facts/RegisterRanges.h"
#include "transforms/facts/SourceNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

void FactErrors::report(LLVMContext &Context, const Twine &Message) {
  if (Reported.insert(Message.str()).second)
    Context.emitError(Message);
}

void FactErrors::warn(LLVMContext &Context, const Twine &Message) {
  if (Reported.insert(Message.str()).second)
    Context.diagnose(DiagnosticInfoGeneric(Message, DS_Warning));
}

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string toText(const SizeFacts &Sizes) {
  std::string Text;
  for (const std::optional<SizeFact> &Size : Sizes)
    Text += (Text.empty() ? "" : ",") + (!Size ? "*"
                                         : Size->Least == Size->Most
                                             ? Twine(Size->Most)
                                             : ".." + Twine(Size->Most))
                                            .str();
  return Text;
}

std::string toText(const ArgumentFact &Fact) {
  SmallVector<std::string, 3> Parts;
  if (Fact.Min)
    Parts.push_back(("min=" + Twine(*Fact.Min)).str());
  if (Fact.Max)
    Parts.push_back(("max=" + Twine(*Fact.Max)).str());
  if (Fact.MultipleOf)
    Parts.push_back(("multiple_of=" + Twine(*Fact.MultipleOf)).str());
  return join(Parts, ",");
}

static std::optional<SizeFacts> parseSizes(StringRef Text) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  SizeFacts Sizes;
  if (Parts.size() > Sizes.size())
    return std::nullopt;
  for (auto [Part, Size] : zip(Parts, Sizes)) {
    StringRef Number = Part.trim();
    if (Number == "*")
      continue;
    bool IsBound = Number.consume_front("..");
    int64_t N;
    if (Number.getAsInteger(10, N))
      return std::nullopt;
    Size = SizeFact{IsBound ? 1 : N, N};
  }
  return Sizes;
}

static std::optional<ArgumentFact> parseArgument(StringRef Text) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  ArgumentFact Fact;
  for (StringRef Part : Parts) {
    auto [Name, Number] = Part.trim().split('=');
    int64_t N;
    if (Number.getAsInteger(10, N))
      return std::nullopt;
    if (Name == "min")
      Fact.Min = N;
    else if (Name == "max")
      Fact.Max = N;
    else if (Name == "multiple_of")
      Fact.MultipleOf = N;
    else
      return std::nullopt;
  }
  return Fact;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string checkLimits(const SizeFacts &Sizes, ArrayRef<int64_t> Limits,
                               StringRef What) {
  for (unsigned D = 0; D < 3; ++D)
    if (Sizes[D] && (Sizes[D]->Least < 1 || Sizes[D]->Most > Limits[D]))
      return (What + "." + Twine("xyz"[D]) + " = " + Twine(Sizes[D]->Most) +
              ", but GPUs take 1 to " + Twine(Limits[D]))
          .str();
  return "";
}

std::string whyWrongGrid(const SizeFacts &Grid) {
  return checkLimits(Grid, MaxGrid, "grid");
}

std::string whyWrongBlock(const SizeFacts &Block, const Function &F) {
  if (std::string Wrong = checkLimits(Block, MaxBlock, "block"); !Wrong.empty())
    return Wrong;
  int64_t Least = 1;
  for (const std::optional<SizeFact> &Size : Block)
    Least *= Size ? Size->Least : 1;
  if (Least > MaxThreadsOfBlock)
    return ("a block of " + Twine(Least) + " threads, but GPUs take up to " +
            Twine(MaxThreadsOfBlock))
        .str();
  auto Bounds = [&](StringRef Name) {
    return parseSizes(F.getFnAttribute(Name).getValueAsString());
  };
  if (F.hasFnAttribute("nvvm.reqntid"))
    if (std::optional<SizeFacts> Required = Bounds("nvvm.reqntid"))
      for (unsigned D = 0; D < 3; ++D)
        if (Block[D] && (*Required)[D] &&
            ((*Required)[D]->Most < Block[D]->Least ||
             (*Required)[D]->Most > Block[D]->Most))
          return ("block." + Twine("xyz"[D]) + " = " + Twine(Block[D]->Most) +
                  " contradicts \"nvvm.reqntid\"=\"" +
                  F.getFnAttribute("nvvm.reqntid").getValueAsString() +
                  "\" (__block_size__)")
              .str();
  if (F.hasFnAttribute("nvvm.maxntid"))
    if (std::optional<SizeFacts> Most = Bounds("nvvm.maxntid")) {
      int64_t Threads = 1;
      for (const std::optional<SizeFact> &Size : *Most)
        Threads *= Size ? std::min<int64_t>(Size->Most, MaxThreadsOfBlock) : 1;
      if (Least > Threads)
        return ("a block of " + Twine(Least) +
                " threads contradicts __launch_bounds__(" + Twine(Threads) +
                ")")
            .str();
    }
  return "";
}

std::string whyWrong(const ArgumentFact &Fact, unsigned Index,
                     const Function &F) {
  if (Index >= F.arg_size())
    return ("there is no argument " + Twine(Index) + ": the kernel has " +
            Twine(F.arg_size()) + ", counted from 0")
        .str();
  Type *Ty = F.getArg(Index)->getType();
  if (!Ty->isIntegerTy() || Ty->getIntegerBitWidth() > 64)
    return ("argument " + Twine(Index) +
            " is not an integer; facts are about integer arguments")
        .str();
  unsigned Width = Ty->getIntegerBitWidth();
  int64_t Least = APInt::getSignedMinValue(Width).getSExtValue();
  int64_t Most = APInt::getSignedMaxValue(Width).getSExtValue();
  for (std::optional<int64_t> Bound : {Fact.Min, Fact.Max, Fact.MultipleOf})
    if (Bound && (*Bound < Least || *Bound > Most))
      return (Twine(*Bound) + " does not fit a signed integer of " +
              Twine(Width) + " bits")
          .str();
  if (Fact.Min && Fact.Max && *Fact.Min > *Fact.Max)
    return ("min = " + Twine(*Fact.Min) + " is above max = " + Twine(*Fact.Max))
        .str();
  if (!Fact.MultipleOf)
    return "";
  int64_t K = *Fact.MultipleOf;
  if (K < 1)
    return ("multiple_of = " + Twine(K) + "; give a positive number").str();
  // The largest multiple that is not above the bound is below the other one.
  int64_t Hi = Fact.Max.value_or(Most);
  if (Hi >= Least + K && Hi - (Hi % K + K) % K < Fact.Min.value_or(Least))
    return ("no multiple of " + Twine(K) + " from min = " + Twine(*Fact.Min) +
            " to max = " + Twine(Hi))
        .str();
  return "";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static constexpr StringRef ArgumentPrefix = "unravel.arg.";

KernelFacts readKernelFacts(Function &F, FactErrors &Errors) {
  KernelFacts Facts;
  auto Refuse = [&](StringRef Name, const Twine &Why) {
    Errors.report(F.getContext(),
                  demangle(F.getName()) + ": \"" + Name + "\"=\"" +
                      F.getFnAttribute(Name).getValueAsString() + "\": " + Why);
    F.removeFnAttr(Name);
  };
  auto ReadSizes = [&](StringRef Name, SizeFacts &Sizes,
                       function_ref<std::string(const SizeFacts &)> Check) {
    if (!F.hasFnAttribute(Name))
      return;
    std::optional<SizeFacts> Read =
        parseSizes(F.getFnAttribute(Name).getValueAsString());
    if (!Read)
      return Refuse(Name, "not up to three sizes such as 469,..8,*");
    if (std::string Wrong = Check(*Read); !Wrong.empty())
      return Refuse(Name, Wrong);
    Sizes = *Read;
  };
  ReadSizes("unravel.grid", Facts.Grid, whyWrongGrid);
  ReadSizes("unravel.block", Facts.Block,
            [&](const SizeFacts &Block) { return whyWrongBlock(Block, F); });
  SmallVector<StringRef, 4> Names;
  for (Attribute A : F.getAttributes().getFnAttrs())
    if (A.isStringAttribute() &&
        A.getKindAsString().starts_with(ArgumentPrefix))
      Names.push_back(A.getKindAsString());
  for (StringRef Name : Names) {
    unsigned Index;
    if (Name.drop_front(ArgumentPrefix.size()).getAsInteger(10, Index)) {
      Refuse(Name, "no argument number behind " + ArgumentPrefix);
      continue;
    }
    std::optional<ArgumentFact> Fact =
        parseArgument(F.getFnAttribute(Name).getValueAsString());
    if (!Fact)
      Refuse(Name, "not a list such as min=1,max=4096,multiple_of=4");
    else if (std::string Wrong = whyWrong(*Fact, Index, F); !Wrong.empty())
      Refuse(Name, Wrong);
    else
      Facts.Arguments[Index] = *Fact;
  }
  return Facts;
}

//===----------------------------------------------------------------------===//
// Into the IR
//===----------------------------------------------------------------------===//

/// The conditions that state the fact about \p A.
static void buildConditions(IRBuilder<> &B, Value *A, const ArgumentFact &Fact,
                            function_ref<void(Value *)> Assume) {
  auto Constant = [&](int64_t N) {
    return ConstantInt::getSigned(A->getType(), N);
  };
  if (Fact.Min && Fact.Max && *Fact.Min == *Fact.Max) {
    Assume(B.CreateICmpEQ(A, Constant(*Fact.Min)));
  } else {
    if (Fact.Min)
      Assume(B.CreateICmpSGE(A, Constant(*Fact.Min)));
    if (Fact.Max)
      Assume(B.CreateICmpSLE(A, Constant(*Fact.Max)));
  }
  if (!Fact.MultipleOf || *Fact.MultipleOf == 1)
    return;
  Value *Rest = isPowerOf2_64(*Fact.MultipleOf)
                    ? B.CreateAnd(A, Constant(*Fact.MultipleOf - 1))
                    : B.CreateSRem(A, Constant(*Fact.MultipleOf));
  Assume(B.CreateICmpEQ(Rest, Constant(0)));
}

static constexpr Intrinsic::ID GridRegisters[] = {
    Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
static constexpr Intrinsic::ID BlockRegisters[] = {
    Intrinsic::nvvm_read_ptx_sreg_ntid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_y,
    Intrinsic::nvvm_read_ptx_sreg_ntid_z};

static Instruction *entryPoint(Function &F) {
  return &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
}

/// "1 <= n <= 8", "n >= 0", "n == 4", "n != 0": what \p Values says of \p Name
/// as a signed number, however LLVM wrote it; sets that are in two pieces as
/// signed numbers are written as unsigned ones.
static std::string conditionText(const ConstantRange &Values, StringRef Name) {
  if (Values.isEmptySet())
    return "false";
  std::string Text;
  raw_string_ostream OS(Text);
  bool IsSigned = !Values.isSignWrappedSet();
  auto Write = [&](const APInt &N) { N.print(OS, IsSigned); };
  if (const APInt *Only = Values.getSingleElement()) {
    OS << Name << " == ";
    Only->print(OS, /*isSigned=*/true);
    return Text;
  }
  if (const APInt *Missing = Values.getSingleMissingElement()) {
    OS << Name << " != ";
    Missing->print(OS, /*isSigned=*/true);
    return Text;
  }
  APInt Least = IsSigned ? Values.getSignedMin() : Values.getUnsignedMin();
  APInt Most = IsSigned ? Values.getSignedMax() : Values.getUnsignedMax();
  bool HasMost = IsSigned ? !Most.isMaxSignedValue() : !Most.isMaxValue();
  bool HasLeast = IsSigned ? !Least.isMinSignedValue() : !Least.isMinValue();
  if (HasLeast && HasMost) {
    Write(Least);
    OS << " <= ";
  }
  OS << Name;
  if (HasMost) {
    OS << " <= ";
    Write(Most);
  } else if (HasLeast) {
    OS << " >= ";
    Write(Least);
  }
  if (!IsSigned)
    OS << " as an unsigned number";
  return Text;
}

/// Reports assumptions at the entry that no value of the argument meets.
static void checkAssumptions(Function &F, const KernelFacts &Facts,
                             AssumptionCache &AC, FactErrors &Errors) {
  for (auto &Handle : AC.assumptions()) {
    auto *Assume = cast_or_null<AssumeInst>(Handle);
    CmpPredicate Pred;
    Value *Left;
    const APInt *C;
    if (!Assume ||
        !match(Assume->getArgOperand(0),
               m_ICmp(Pred, m_Value(Left), m_APInt(C))) ||
        Assume->getParent() != &F.getEntryBlock() ||
        !isGuaranteedToTransferExecutionToSuccessor(F.getEntryBlock().begin(),
                                                    Assume->getIterator(),
                                                    /*ScanLimit=*/64))
      continue;
    ConstantRange Assumed = ConstantRange::makeExactICmpRegion(Pred, *C);
    auto Contradicts = [&](const APInt &Least, const APInt &Most) {
      return Assumed.intersectWith(ConstantRange::getNonEmpty(Least, Most + 1))
          .isEmptySet();
    };
    std::string Name = sourceName(*Left);
    std::string Text = conditionText(Assumed, Name.empty() ? "value" : Name);
    std::string Where = "the assumption in the source";
    if (const DebugLoc &At = Assume->getDebugLoc())
      Where += (" (line " + Twine(At.getLine()) + ")").str();
    auto Report = [&](const Twine &Fact) {
      Errors.report(F.getContext(), demangle(F.getName()) + ": " + Fact +
                                        " contradicts " + Where + ": " + Text);
      expectContradiction(F);
    };
    if (auto *A = dyn_cast<Argument>(Left)) {
      auto It = Facts.Arguments.find(A->getArgNo());
      if (It == Facts.Arguments.end())
        continue;
      unsigned Width = C->getBitWidth();
      APInt Least = It->second.Min ? APInt(Width, *It->second.Min, true)
                                   : APInt::getSignedMinValue(Width);
      APInt Most = It->second.Max ? APInt(Width, *It->second.Max, true)
                                  : APInt::getSignedMaxValue(Width);
      if (Contradicts(Least, Most))
        Report("argument " + Twine(A->getArgNo()) + ": " + toText(It->second));
      continue;
    }
    auto *Read = dyn_cast<IntrinsicInst>(Left);
    for (unsigned D = 0; Read && D < 3; ++D) {
      auto Check = [&](Intrinsic::ID ID, const std::optional<SizeFact> &Size,
                       StringRef What) {
        if (Read->getIntrinsicID() == ID && Size &&
            Contradicts(APInt(32, Size->Least), APInt(32, Size->Most)))
          Report(What + "." + Twine("xyz"[D]) + " = " + Twine(Size->Most));
      };
      Check(GridRegisters[D], Facts.Grid[D], "grid");
      Check(BlockRegisters[D], Facts.Block[D], "block");
    }
  }
}

/// On a kernel whose facts are assumed at its entry already.
static constexpr StringRef AppliedMark = "unravel.applied";

bool applyKernelFacts(Function &F, const KernelFacts &Facts,
                      AssumptionCache &AC, FactErrors &Errors) {
  bool Changed = false;
  auto Narrow = [&](Intrinsic::ID Register,
                    const std::optional<SizeFact> &Size) {
    if (Size)
      Changed |= narrowReads(
          F, Register,
          ConstantRange(APInt(32, Size->Least), APInt(32, Size->Most + 1)),
          [](const Instruction &) { return true; });
  };
  for (unsigned D = 0; D < 3; ++D) {
    Narrow(GridRegisters[D], Facts.Grid[D]);
    Narrow(BlockRegisters[D], Facts.Block[D]);
  }
  if (F.hasFnAttribute(AppliedMark))
    return Changed;
  checkAssumptions(F, Facts, AC, Errors);
  // A launch with another block fails then, where it would go wrong otherwise.
  bool IsExact = all_of(Facts.Block, [](const std::optional<SizeFact> &Size) {
    return Size && Size->Least == Size->Most;
  });
  if (IsExact && !F.hasFnAttribute("nvvm.reqntid")) {
    F.addFnAttr("nvvm.reqntid", toText(Facts.Block));
    F.removeFnAttr("nvvm.maxntid"); // says less, and PTX takes one of the two
    Changed = true;
  }
  if (Facts.Arguments.empty())
    return Changed;
  F.addFnAttr(AppliedMark);
  IRBuilder<> B(entryPoint(F));
  for (const auto &[Index, Fact] : Facts.Arguments)
    buildConditions(B, F.getArg(Index), Fact, [&](Value *Condition) {
      AC.registerAssumption(cast<AssumeInst>(B.CreateAssumption(Condition)));
    });
  return true;
}

bool forgetKernelFacts(Function &F) {
  bool Had = F.hasFnAttribute(AppliedMark);
  F.removeFnAttr(AppliedMark);
  return Had;
}

} // namespace unravel
