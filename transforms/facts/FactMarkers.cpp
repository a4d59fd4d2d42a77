//===- FactMarkers.cpp - Facts that survive the optimizer -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/FactMarkers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

/// In front of the name of a kind, in the text of a marker.
static constexpr StringLiteral MarkerPrefix = "// unravel.";
static constexpr StringLiteral KindNames[] = {"exact.signed", "exact.unsigned",
                                              "holds"};

/// On what was stated from a marker, to find it again.
static constexpr StringRef StatedTag = "unravel.stated";

//===----------------------------------------------------------------------===//
// Markers
//===----------------------------------------------------------------------===//

static constexpr StringLiteral GlobalName = "unravel.facts",
                               GlobalSection = "llvm.metadata";

/// The global of the module's markers, or null. (Others may have its name.)
static GlobalVariable *knownGlobal(Module &M) {
  auto IsOurs = [](const GlobalVariable &G) {
    return G.getName().starts_with(GlobalName) &&
           G.getSection() == GlobalSection &&
           G.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL;
  };
  auto *Named = M.getGlobalVariable(GlobalName, /*AllowInternal=*/true);
  if (Named && IsOurs(*Named))
    return Named;
  auto It = find_if(M.globals(), IsOurs);
  return It == M.global_end() ? nullptr : &*It;
}

static GlobalVariable *globalOfMarkers(Module &M) {
  if (GlobalVariable *G = knownGlobal(M))
    return G;
  Type *Byte = Type::getInt8Ty(M.getContext());
  auto *G = new GlobalVariable(
      M, Byte, /*isConstant=*/true, GlobalValue::PrivateLinkage,
      Constant::getNullValue(Byte), GlobalName, /*InsertBefore=*/nullptr,
      GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_GLOBAL);
  G->setSection(GlobalSection);
  return G;
}

/// A call of assembly without effects: \p Text, with \p Operands.
static CallInst *createAssembly(IRBuilderBase &B, StringRef Text,
                                ArrayRef<Value *> Operands, Type *Result) {
  SmallVector<Type *, 8> Types;
  std::string Constraints = "=l";
  for (Value *V : Operands) {
    Types.push_back(V->getType());
    Constraints += V->getType()->isIntegerTy(64) ? ",l" : ",r";
  }
  auto *Assembly = InlineAsm::get(FunctionType::get(Result, Types, false), Text,
                                  Constraints, /*hasSideEffects=*/false);
  CallInst *Call = B.CreateCall(Assembly, Operands);
  for (Attribute::AttrKind A :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
        Attribute::NoSync, Attribute::NoCallback})
    Call->addFnAttr(A);
  Call->setMemoryEffects(MemoryEffects::none());
  return Call;
}

AssumeInst *insertMarker(const RecordedFact &Fact, Instruction *Place,
                         AssumptionCache &AC) {
  IRBuilder<> B(Place);
  std::string Text =
      (MarkerPrefix + Twine(KindNames[unsigned(Fact.Kind)])).str();
  SmallVector<Value *, 8> Operands;
  for (Value *Token : Fact.Tokens) {
    if (std::optional<int> Code = codeOf(Token)) {
      Text += " " + itostr(*Code);
      continue;
    }
    Operands.push_back(Token);
    Text += " $" + utostr(Operands.size());
  }
  GlobalVariable *Global = globalOfMarkers(*Place->getModule());
  CallInst *Marker = createAssembly(B, Text, Operands, Global->getType());
  auto *Assume =
      cast<AssumeInst>(B.CreateAssumption(B.CreateICmpNE(Marker, Global)));
  // Two facts in two branches must not become one assumption about a phi.
  Assume->addFnAttr(Attribute::NoMerge);
  AC.registerAssumption(Assume);
  return Assume;
}

/// The fact that a marker states, well-formed or not; nullopt if \p V is none.
static std::optional<RecordedFact> factOfAssembly(const Value *V) {
  auto *Call = dyn_cast<CallInst>(V);
  auto *Assembly =
      Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  StringRef Text = Assembly ? Assembly->getAsmString() : StringRef();
  if (!Text.consume_front(MarkerPrefix))
    return std::nullopt;
  auto [Kind, Rest] = Text.split(' ');
  auto *Known = find(KindNames, Kind);
  if (Known == std::end(KindNames))
    return std::nullopt;
  RecordedFact Fact{FactKind(Known - std::begin(KindNames)), {}};
  for (StringRef Word : split(Rest, ' ')) {
    unsigned Number;
    bool IsOperand = Word.consume_front("$");
    // (A marker that is written by hand may have any text.)
    if (Word.getAsInteger(10, Number) || Number > INT8_MAX ||
        (IsOperand && (Number == 0 || Number > Call->arg_size())))
      return RecordedFact{Fact.Kind, {}};
    Fact.Tokens.push_back(IsOperand ? Call->getArgOperand(Number - 1)
                                    : operationToken(V->getContext(), Number));
  }
  return Fact;
}

std::optional<RecordedFact> markedFact(const AssumeInst &Assume) {
  Value *Left, *Right;
  if (!match(Assume.getArgOperand(0),
             m_SpecificICmp(ICmpInst::ICMP_NE, m_Value(Left), m_Value(Right))))
    return std::nullopt;
  std::optional<RecordedFact> Fact = factOfAssembly(Left);
  if (!Fact)
    Fact = factOfAssembly(Right);
  return Fact && isWellFormed(*Fact) ? Fact : std::nullopt;
}

void removeAssumption(AssumeInst &Assume, AssumptionCache &AC) {
  Value *Condition = Assume.getArgOperand(0);
  AC.unregisterAssumption(&Assume);
  Assume.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Condition);
}

/// Assumptions about markers that a pass has merged with others, so that they
/// state no fact any more.
static SmallVector<AssumeInst *, 4> mergedMarkers(Function &F) {
  SmallVector<Instruction *, 8> Work;
  SmallPtrSet<Instruction *, 8> Seen;
  for (Instruction &I : instructions(F))
    if (std::optional<RecordedFact> Fact = factOfAssembly(&I);
        Fact && isWellFormed(*Fact) && Seen.insert(&I).second)
      Work.push_back(&I);
  SmallVector<AssumeInst *, 4> Assumptions;
  while (!Work.empty())
    for (User *U : Work.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (!Seen.insert(I).second)
        continue;
      if (auto *Assume = dyn_cast<AssumeInst>(I))
        Assumptions.push_back(Assume);
      else
        Work.push_back(I);
    }
  return Assumptions;
}

/// Removes the assumptions of \p F for which \p IsOurs. True if there was any.
static bool removeAssumptions(Function &F, AssumptionCache &AC,
                              function_ref<bool(const AssumeInst &)> IsOurs) {
  SmallVector<AssumeInst *, 8> Ours;
  for (Instruction &I : instructions(F))
    if (auto *Assume = dyn_cast<AssumeInst>(&I); Assume && IsOurs(*Assume))
      Ours.push_back(Assume);
  for (AssumeInst *Assume : Ours)
    removeAssumption(*Assume, AC);
  return !Ours.empty();
}

bool withdrawFacts(Function &F, AssumptionCache &AC) {
  return removeAssumptions(F, AC, [](const AssumeInst &Assume) {
    return Assume.hasMetadata(StatedTag);
  });
}

bool forgetFacts(Function &F, AssumptionCache &AC) {
  bool Changed = removeAssumptions(F, AC, [](const AssumeInst &Assume) {
    return Assume.hasMetadata(StatedTag) || markedFact(Assume);
  });
  SmallVector<AssumeInst *, 4> Merged = mergedMarkers(F);
  for (AssumeInst *Assume : Merged)
    removeAssumption(*Assume, AC);
  Changed |= !Merged.empty();
  // Markers that lost their assumption; in reverse, so that uses go first.
  for (BasicBlock &BB : F)
    for (Instruction &I : make_early_inc_range(reverse(BB)))
      if (factOfAssembly(&I) && isInstructionTriviallyDead(&I)) {
        I.eraseFromParent();
        Changed = true;
      }
  if (GlobalVariable *G = knownGlobal(*F.getParent()); G && G->use_empty())
    G->eraseFromParent();
  return Changed;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void stateCondition(Value *Condition, Instruction *Place, AssumptionCache &AC) {
  IRBuilder<> B(Place);
  // Known anyway, or code that is never executed.
  if (isa<Constant>(Condition))
    return;
  auto *Assume = cast<AssumeInst>(B.CreateAssumption(Condition));
  Assume->setMetadata(StatedTag, MDNode::get(B.getContext(), {}));
  AC.registerAssumption(Assume);
}

bool hasStatedFacts(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return isa<AssumeInst>(I) && I.hasMetadata(StatedTag);
  });
}

namespace {
/// Turns tokens back into instructions in front of a place.
class FactStatement {
public:
  FactStatement(const RecordedFact &Fact, Instruction *Place,
                AssumptionCache &AC)
      : Rest(Fact.Tokens), Signed(Fact.Kind == FactKind::ExactSigned),
        Width(Fact.Kind == FactKind::Holds ? 0 : widthOfExact(Fact)),
        Place(Place), AC(AC), B(Place) {}

  /// The comparison of a `Holds`.
  void stateComparison() {
    auto Pred = static_cast<CmpInst::Predicate>(*codeOf(next()));
    Value *Left = plain();
    Value *Right = plain();
    stateCondition(B.CreateICmp(Pred, Left, Right), Place, AC);
  }

  /// The value of an exact expression, computed as a number: in 64 bits for
  /// words of 32. States that each operation is in the range of the word.
  Value *exact() {
    Value *Token = next();
    std::optional<int> Code = codeOf(Token);
    if (!Code)
      return widened(Token, Signed);
    if (*Code == SignExtend || *Code == ZeroExtend)
      return widened(next(), *Code == SignExtend);
    Value *Left = exact();
    Value *Right = exact();
    return Width == 32 ? exactNarrow(*Code, Left, Right)
                       : exactWide(*Code, Left, Right);
  }

private:
  Value *next() {
    Value *Token = Rest.front();
    Rest = Rest.drop_front();
    return Token;
  }

  Value *widened(Value *V, bool AsSigned) {
    Type *Wide = B.getInt64Ty();
    return AsSigned ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide);
  }

  /// Operands in [-2^31, 2^32): neither product, sum nor difference leaves 64
  /// bits under the reading that is meant, except 0 - 1 as unsigned.
  Value *exactNarrow(int Code, Value *Left, Value *Right) {
    if (Code == '-' && !Signed)
      stateCondition(B.CreateICmpUGE(Left, Right), Place, AC);
    Value *Result = Code == '*' ? B.CreateMul(Left, Right, "", !Signed, Signed)
                    : Code == '+'
                        ? B.CreateAdd(Left, Right, "", !Signed, Signed)
                        : B.CreateSub(Left, Right, "", !Signed, Signed);
    if (!Signed) {
      stateCondition(B.CreateICmpULE(Result, B.getInt64(UINT32_MAX)), Place,
                     AC);
      return Result;
    }
    stateCondition(B.CreateICmpSLE(Result, B.getInt64(INT32_MAX)), Place, AC);
    stateCondition(B.CreateICmpSGE(Result, B.getInt64(INT32_MIN)), Place, AC);
    return Result;
  }

  Value *exactWide(int Code, Value *Left, Value *Right) {
    Intrinsic::ID ID = Code == '*'   ? (Signed ? Intrinsic::smul_with_overflow
                                               : Intrinsic::umul_with_overflow)
                       : Code == '+' ? (Signed ? Intrinsic::sadd_with_overflow
                                               : Intrinsic::uadd_with_overflow)
                                     : (Signed ? Intrinsic::ssub_with_overflow
                                               : Intrinsic::usub_with_overflow);
    Value *Both = B.CreateBinaryIntrinsic(ID, Left, Right);
    Value *Wraps = B.CreateExtractValue(Both, 1);
    stateCondition(B.CreateNot(Wraps), Place, AC);
    return B.CreateExtractValue(Both, 0);
  }

  Value *plain() {
    Value *Token = next();
    std::optional<int> Code = codeOf(Token);
    if (!Code)
      return Token;
    if (*Code == NoSignedWrap || *Code == NoUnsignedWrap) {
      // (Constants are folded.)
      Value *Result = plain();
      if (auto *Op = dyn_cast<BinaryOperator>(Result))
        *Code == NoSignedWrap ? Op->setHasNoSignedWrap()
                              : Op->setHasNoUnsignedWrap();
      return Result;
    }
    if (*Code == SignExtend)
      return B.CreateSExt(plain(), B.getInt64Ty());
    if (*Code == ZeroExtend)
      return B.CreateZExt(plain(), B.getInt64Ty());
    if (*Code == Truncate)
      return B.CreateTrunc(plain(), B.getInt32Ty());
    Value *Left = plain();
    Value *Right = plain();
    return B.CreateBinOp(*opcodeOf(*Code), Left, Right);
  }

  ArrayRef<Value *> Rest;
  bool Signed;
  unsigned Width; ///< of an exact expression
  Instruction *Place;
  AssumptionCache &AC;
  IRBuilder<> B;
};
} // namespace

void stateFact(const RecordedFact &Fact, Instruction *Place,
               AssumptionCache &AC) {
  FactStatement Statement(Fact, Place, AC);
  if (Fact.Kind == FactKind::Holds)
    return Statement.stateComparison();
  // What is known about the last operation is stated; its value is not needed.
  RecursivelyDeleteTriviallyDeadInstructions(Statement.exact());
}

/// Moves an expression from \p T to the result if it is a value or a product of
/// values; otherwise the result is empty, and what was a product is noted.
static SmallVector<ProductFactor, 4>
takeFactors(ArrayRef<Value *> &T,
            function_ref<void(ArrayRef<ProductFactor>)> NoteProduct) {
  Value *Token = T.front();
  T = T.drop_front();
  std::optional<int> Code = codeOf(Token);
  if (!Code)
    return {{Token, false}};
  if (*Code == SignExtend || *Code == ZeroExtend) {
    ProductFactor Extended(T.front(), *Code == ZeroExtend);
    T = T.drop_front();
    return {Extended};
  }
  SmallVector<ProductFactor, 4> Factors = takeFactors(T, NoteProduct);
  SmallVector<ProductFactor, 4> Right = takeFactors(T, NoteProduct);
  if (*Code != '*' || Factors.empty() || Right.empty())
    return {};
  Factors.append(Right);
  NoteProduct(Factors);
  return Factors;
}

void collectProducts(const RecordedFact &Fact, Instruction *Place,
                     SmallVectorImpl<KnownProduct> &Products) {
  if (Fact.Kind == FactKind::Holds)
    return;
  ArrayRef<Value *> Rest = Fact.Tokens;
  takeFactors(Rest, [&](ArrayRef<ProductFactor> Factors) {
    Products.push_back({SmallVector<ProductFactor, 4>(Factors),
                        widthOfExact(Fact), Fact.Kind == FactKind::ExactSigned,
                        Place});
  });
}

} // namespace unravel
