//===- FactMarkers.cpp - Facts that survive the optimizer -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/FactMarkers.h"
#include "analysis/facts/RangeFacts.h"
#include "analysis/facts/SpecialRegisters.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

static constexpr StringRef KindNames[] = {
    "unravel.exact.signed", "unravel.exact.unsigned", "unravel.holds"};

/// On what was stated from a marker, to find it again.
static constexpr StringRef StatedTag = "unravel.stated";

/// Expressions are shapes and sizes; what is longer is something else.
static constexpr size_t MaxTokens = 32;

//===----------------------------------------------------------------------===//
// Expressions as tokens
//===----------------------------------------------------------------------===//

static constexpr std::pair<char, Instruction::BinaryOps> Operations[] = {
    {'+', Instruction::Add},  {'-', Instruction::Sub},
    {'*', Instruction::Mul},  {'/', Instruction::UDiv},
    {'d', Instruction::SDiv}, {'%', Instruction::URem},
    {'r', Instruction::SRem}, {'<', Instruction::Shl},
    {'>', Instruction::LShr}, {'a', Instruction::AShr},
    {'&', Instruction::And},  {'|', Instruction::Or},
    {'^', Instruction::Xor}};
static std::optional<Instruction::BinaryOps> opcodeOf(int Code) {
  for (auto [Known, Opcode] : Operations)
    if (Known == Code)
      return Opcode;
  return std::nullopt;
}

static constexpr char SignExtend = 's', ZeroExtend = 'z', Truncate = 't';

static Value *token(LLVMContext &C, int Code) {
  return ConstantInt::get(Type::getInt8Ty(C), Code);
}

static std::optional<int> codeOf(const Value *Token) {
  auto *Code = dyn_cast<ConstantInt>(Token);
  if (!Code || !Code->getType()->isIntegerTy(8))
    return std::nullopt;
  return Code->getSExtValue();
}

static bool isWord(const Value *V) {
  return V->getType()->isIntegerTy(32) || V->getType()->isIntegerTy(64);
}

/// Memory that nothing writes to while the kernel runs: its parameters, what is
/// marked invariant.
static bool isUniformLoad(const Value *V) {
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || !Load->isSimple())
    return false;
  auto *Base =
      dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()));
  return (Base && Base->hasByValAttr()) ||
         Load->hasMetadata(LLVMContext::MD_invariant_load);
}

static bool isSize(const Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return isWord(V) && (isa<ConstantInt>(V) || isa<Argument>(V) ||
                       (Call && isGridOrBlockSize(*Call)) || isUniformLoad(V));
}

/// `shl x, k` is a multiplication by 2^k that wraps in the same cases, as long
/// as 2^k is a positive number.
static std::optional<APInt> factorOfShift(const BinaryOperator &Shift) {
  const APInt *Amount;
  unsigned Width = Shift.getType()->getIntegerBitWidth();
  if (!match(Shift.getOperand(1), m_APInt(Amount)) || Amount->uge(Width - 1))
    return std::nullopt;
  return APInt::getOneBitSet(Width, Amount->getZExtValue());
}

/// Appends the tokens of an expression in which nothing wraps.
static bool encodeExactTree(Value *V, bool Signed,
                            SmallVectorImpl<Value *> &Tokens) {
  LLVMContext &C = V->getContext();
  if (Tokens.size() >= MaxTokens)
    return false;
  if (isSize(V)) {
    Tokens.push_back(V);
    return true;
  }
  auto *Cast = dyn_cast<CastInst>(V);
  if (Cast && isWord(V) && isSize(Cast->getOperand(0)) &&
      (isa<SExtInst>(V) || isa<ZExtInst>(V))) {
    Tokens.push_back(token(C, isa<SExtInst>(V) ? SignExtend : ZeroExtend));
    Tokens.push_back(Cast->getOperand(0));
    return true;
  }
  auto *Op = dyn_cast<OverflowingBinaryOperator>(V);
  if (!Op || !isWord(V) ||
      !(Signed ? Op->hasNoSignedWrap() : Op->hasNoUnsignedWrap()))
    return false;
  if (Op->getOpcode() == Instruction::Shl) {
    std::optional<APInt> Factor = factorOfShift(*cast<BinaryOperator>(V));
    if (!Factor)
      return false;
    Tokens.push_back(token(C, '*'));
    Tokens.push_back(ConstantInt::get(C, *Factor));
    return encodeExactTree(Op->getOperand(0), Signed, Tokens);
  }
  char Code = Op->getOpcode() == Instruction::Mul   ? '*'
              : Op->getOpcode() == Instruction::Add ? '+'
                                                    : '-';
  Tokens.push_back(token(C, Code));
  return encodeExactTree(Op->getOperand(0), Signed, Tokens) &&
         encodeExactTree(Op->getOperand(1), Signed, Tokens);
}

bool encodeExact(Value *V, bool Signed, RecordedFact &Fact) {
  Fact = {Signed ? FactKind::ExactSigned : FactKind::ExactUnsigned, {}};
  if (!isa<OverflowingBinaryOperator>(V) ||
      !encodeExactTree(V, Signed, Fact.Tokens))
    return false;
  // The product of two extended 32-bit words never wraps.
  SmallVectorImpl<Value *> &T = Fact.Tokens;
  bool IsWideProduct = T.size() == 5 && codeOf(T[1]) && codeOf(T[3]);
  bool HasValue = any_of(T, [](Value *X) { return !isa<ConstantInt>(X); });
  return HasValue && !IsWideProduct;
}

bool hasProduct(const RecordedFact &Fact) {
  return any_of(Fact.Tokens, [](Value *T) { return codeOf(T) == '*'; });
}

/// Whether the operation, taken out of its place, is defined for all operands.
static bool isTotal(const BinaryOperator &Op) {
  const APInt *C;
  if (!Op.isIntDivRem() && !Op.isShift())
    return true;
  if (!match(Op.getOperand(1), m_APInt(C)))
    return false;
  return Op.isShift() ? C->ult(C->getBitWidth())
                      : !C->isZero() && !C->isAllOnes();
}

static bool encodeTree(Value *V, SmallVectorImpl<Value *> &Tokens) {
  LLVMContext &C = V->getContext();
  if (Tokens.size() >= MaxTokens || !isWord(V))
    return false;
  if (isSize(V)) {
    Tokens.push_back(V);
    return true;
  }
  if (auto *Cast = dyn_cast<CastInst>(V)) {
    char Code = isa<SExtInst>(Cast)    ? SignExtend
                : isa<ZExtInst>(Cast)  ? ZeroExtend
                : isa<TruncInst>(Cast) ? Truncate
                                       : 0;
    if (!Code)
      return false;
    Tokens.push_back(token(C, Code));
    return encodeTree(Cast->getOperand(0), Tokens);
  }
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op || !isTotal(*Op))
    return false;
  for (auto [Code, Opcode] : Operations)
    if (Opcode == Op->getOpcode()) {
      Tokens.push_back(token(C, Code));
      return encodeTree(Op->getOperand(0), Tokens) &&
             encodeTree(Op->getOperand(1), Tokens);
    }
  return false;
}

bool encodeCondition(Value *Condition, RecordedFact &Fact) {
  Fact = {FactKind::Holds, {}};
  auto *Cmp = dyn_cast<ICmpInst>(Condition);
  if (!Cmp)
    return false;
  Fact.Tokens.push_back(token(Cmp->getContext(), Cmp->getPredicate()));
  return encodeTree(Cmp->getOperand(0), Fact.Tokens) &&
         encodeTree(Cmp->getOperand(1), Fact.Tokens);
}

/// Moves an expression from \p T to the result, the operands of commutative
/// operations in an order of their own.
static SmallVector<Value *, 8> takeCanonical(ArrayRef<Value *> &T) {
  SmallVector<Value *, 8> Result;
  if (T.empty())
    return Result;
  Result.push_back(T.front());
  T = T.drop_front();
  std::optional<int> Code = codeOf(Result.front());
  std::optional<Instruction::BinaryOps> Opcode =
      Code ? opcodeOf(*Code) : std::nullopt;
  if (!Code)
    return Result;
  SmallVector<Value *, 8> Left = takeCanonical(T), Right;
  if (Opcode)
    Right = takeCanonical(T);
  if (Opcode && Instruction::isCommutative(*Opcode) && Right < Left)
    std::swap(Left, Right);
  Result.append(Left);
  Result.append(Right);
  return Result;
}

bool isSameFact(const RecordedFact &A, const RecordedFact &B) {
  if (A.Kind != B.Kind || A.Tokens.size() != B.Tokens.size())
    return false;
  ArrayRef<Value *> RestA = A.Tokens, RestB = B.Tokens;
  if (A.Kind == FactKind::Holds) {
    // The predicate is no operation.
    if (RestA.front() != RestB.front())
      return false;
    RestA = RestA.drop_front();
    RestB = RestB.drop_front();
  }
  while (!RestA.empty())
    if (takeCanonical(RestA) != takeCanonical(RestB))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Markers
//===----------------------------------------------------------------------===//

static FunctionCallee markerFunction(Module &M, FactKind Kind) {
  LLVMContext &C = M.getContext();
  AttrBuilder Pure(C);
  for (Attribute::AttrKind A :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::Speculatable,
        Attribute::NoFree, Attribute::NoSync, Attribute::NoCallback,
        Attribute::NoRecurse, Attribute::MustProgress})
    Pure.addAttribute(A);
  Pure.addMemoryAttr(MemoryEffects::none());
  return M.getOrInsertFunction(
      KindNames[unsigned(Kind)],
      FunctionType::get(PointerType::get(C, 0), /*isVarArg=*/true),
      AttributeList().addFnAttributes(C, Pure));
}

AssumeInst *insertMarker(const RecordedFact &Fact, Instruction *Place,
                         AssumptionCache &AC) {
  IRBuilder<> B(Place);
  FunctionCallee Marker = markerFunction(*Place->getModule(), Fact.Kind);
  CallInst *Call = B.CreateCall(Marker, Fact.Tokens);
  auto *Assume = cast<AssumeInst>(
      B.CreateAssumption(B.CreateICmpEQ(Call, Marker.getCallee())));
  // Two facts in two branches must not become one assumption about a phi.
  Assume->addFnAttr(Attribute::NoMerge);
  AC.registerAssumption(Assume);
  return Assume;
}

/// The width of the expression that begins at T, which moves behind it; 0 if
/// there is none. Markers can be written by hand.
static unsigned widthOf(ArrayRef<Value *> &T, bool IsExact) {
  if (T.empty() || T.size() > MaxTokens)
    return 0;
  Value *Token = T.front();
  T = T.drop_front();
  std::optional<int> Code = codeOf(Token);
  if (!Code)
    return isWord(Token) ? Token->getType()->getIntegerBitWidth() : 0;
  if (*Code == SignExtend || *Code == ZeroExtend || *Code == Truncate) {
    if (IsExact && (*Code == Truncate || T.empty() || codeOf(T.front())))
      return 0;
    unsigned Inner = widthOf(T, IsExact);
    return *Code == Truncate ? (Inner == 64 ? 32 : 0) : (Inner == 32 ? 64 : 0);
  }
  unsigned Left = widthOf(T, IsExact);
  Value *Second = T.empty() ? nullptr : T.front();
  unsigned Right = widthOf(T, IsExact);
  std::optional<Instruction::BinaryOps> Opcode = opcodeOf(*Code);
  if (Left == 0 || Left != Right || !Opcode)
    return 0;
  if (IsExact)
    return StringRef("+-*").contains(*Code) ? Left : 0;
  auto *C = dyn_cast<ConstantInt>(Second);
  if (Instruction::isShift(*Opcode))
    return C && C->getValue().ult(Left) ? Left : 0;
  if (Instruction::isIntDivRem(*Opcode))
    return C && !C->isZero() && !C->isMinusOne() ? Left : 0;
  return Left;
}

static bool isWellFormed(const RecordedFact &Fact) {
  ArrayRef<Value *> Rest = Fact.Tokens;
  if (Fact.Kind != FactKind::Holds)
    return widthOf(Rest, /*IsExact=*/true) != 0 && Rest.empty();
  std::optional<int> Pred = Rest.empty() ? std::nullopt : codeOf(Rest.front());
  if (!Pred || !CmpInst::isIntPredicate(CmpInst::Predicate(*Pred)))
    return false;
  Rest = Rest.drop_front();
  unsigned Left = widthOf(Rest, /*IsExact=*/false);
  return Left != 0 && widthOf(Rest, /*IsExact=*/false) == Left && Rest.empty();
}

std::optional<RecordedFact> markedFact(const AssumeInst &Assume) {
  Value *Left, *Right;
  if (!match(Assume.getArgOperand(0),
             m_SpecificICmp(ICmpInst::ICMP_EQ, m_Value(Left), m_Value(Right))))
    return std::nullopt;
  auto *Call = dyn_cast<CallInst>(isa<CallInst>(Left) ? Left : Right);
  Value *Other = Call == Left ? Right : Left;
  if (!Call || Call->getCalledOperand() != Other)
    return std::nullopt;
  for (auto [Index, Name] : enumerate(KindNames))
    if (Other->getName() == Name) {
      RecordedFact Fact{FactKind(Index), SmallVector<Value *, 8>(Call->args())};
      if (isWellFormed(Fact))
        return Fact;
    }
  return std::nullopt;
}

void removeAssumption(AssumeInst &Assume, AssumptionCache &AC) {
  Value *Condition = Assume.getArgOperand(0);
  AC.unregisterAssumption(&Assume);
  Assume.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Condition);
}

/// Markers that a pass has torn from their assumptions. A call that stayed
/// would be one of an undefined function; and what it is compared with
/// is what it yields.
static bool removeStrayMarkers(Function &F, AssumptionCache &AC) {
  SmallVector<CallInst *, 4> Strays;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Callee->isDeclaration())
      continue;
    for (auto [Index, Name] : enumerate(KindNames))
      if (Callee->getName() == Name &&
          isWellFormed(
              {FactKind(Index), SmallVector<Value *, 8>(Call->args())}))
        Strays.push_back(Call);
  }
  for (CallInst *Call : Strays) {
    bool GoesWithItsUses = !Call->mayHaveSideEffects();
    replaceAndRecursivelySimplify(Call, Call->getCalledOperand());
    if (!GoesWithItsUses)
      Call->eraseFromParent();
  }
  SmallVector<AssumeInst *, 4> Trivial;
  for (Instruction &I : instructions(F))
    if (auto *Assume = dyn_cast<AssumeInst>(&I);
        !Strays.empty() && Assume && match(Assume->getArgOperand(0), m_One()) &&
        !Assume->hasOperandBundles())
      Trivial.push_back(Assume);
  for (AssumeInst *Assume : Trivial)
    removeAssumption(*Assume, AC);
  return !Strays.empty();
}

bool forgetFacts(Function &F, AssumptionCache &AC) {
  SmallVector<AssumeInst *, 8> Ours;
  for (Instruction &I : instructions(F))
    if (auto *Assume = dyn_cast<AssumeInst>(&I))
      if (Assume->hasMetadata(StatedTag) || markedFact(*Assume))
        Ours.push_back(Assume);
  for (AssumeInst *Assume : Ours)
    removeAssumption(*Assume, AC);
  return removeStrayMarkers(F, AC) || !Ours.empty();
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

namespace {
/// Turns tokens back into instructions in front of a place.
class FactStatement {
public:
  FactStatement(const RecordedFact &Fact, Instruction *Place,
                AssumptionCache &AC)
      : Rest(Fact.Tokens), Signed(Fact.Kind == FactKind::ExactSigned),
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

  void readWidth() {
    // All words of an exact expression have one width; behind a cast it is 64.
    Width = 0;
    for (Value *V : Rest)
      if (!codeOf(V))
        Width = std::max(Width, V->getType()->getIntegerBitWidth());
    for (Value *V : Rest)
      if (codeOf(V) == SignExtend || codeOf(V) == ZeroExtend)
        Width = 64;
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
  unsigned Width = 0;
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
  Statement.readWidth();
  Statement.exact();
}

/// Moves an expression from \p T to the result if it is a value or a product of
/// values; otherwise the result is empty, and what was a product is noted.
static SmallVector<Value *, 4>
takeFactors(ArrayRef<Value *> &T,
            function_ref<void(ArrayRef<Value *>)> NoteProduct) {
  Value *Token = T.front();
  T = T.drop_front();
  std::optional<int> Code = codeOf(Token);
  if (!Code)
    return {Token};
  if (*Code == SignExtend || *Code == ZeroExtend) {
    T = T.drop_front();
    return {};
  }
  SmallVector<Value *, 4> Factors = takeFactors(T, NoteProduct);
  SmallVector<Value *, 4> Right = takeFactors(T, NoteProduct);
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
  takeFactors(Rest, [&](ArrayRef<Value *> Factors) {
    Products.push_back({SmallVector<Value *, 4>(Factors),
                        Fact.Kind == FactKind::ExactSigned, Place});
  });
}

} // namespace unravel
