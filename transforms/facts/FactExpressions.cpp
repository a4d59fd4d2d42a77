//===- FactExpressions.cpp - Facts as lists of tokens ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/FactExpressions.h"
#include "analysis/facts/SpecialRegisters.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

/// Expressions are shapes and sizes; what is longer is something else.
static constexpr size_t MaxTokens = 48;

static constexpr std::pair<char, Instruction::BinaryOps> Operations[] = {
    {'+', Instruction::Add},  {'-', Instruction::Sub},
    {'*', Instruction::Mul},  {'/', Instruction::UDiv},
    {'d', Instruction::SDiv}, {'%', Instruction::URem},
    {'r', Instruction::SRem}, {'<', Instruction::Shl},
    {'>', Instruction::LShr}, {'a', Instruction::AShr},
    {'&', Instruction::And},  {'|', Instruction::Or},
    {'^', Instruction::Xor}};

std::optional<Instruction::BinaryOps> opcodeOf(int Code) {
  for (auto [Known, Opcode] : Operations)
    if (Known == Code)
      return Opcode;
  return std::nullopt;
}

Value *operationToken(LLVMContext &C, int Code) {
  return ConstantInt::get(Type::getInt8Ty(C), Code);
}

std::optional<int> codeOf(const Value *Token) {
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

bool extendsSign(const CastInst &Cast) {
  return isa<SExtInst>(Cast) || Cast.hasNonNeg();
}

static Value *extensionToken(const CastInst &Cast) {
  return operationToken(Cast.getContext(),
                        extendsSign(Cast) ? SignExtend : ZeroExtend);
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
    Tokens.push_back(extensionToken(*Cast));
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
    Tokens.push_back(operationToken(C, '*'));
    Tokens.push_back(ConstantInt::get(C, *Factor));
    return encodeExactTree(Op->getOperand(0), Signed, Tokens);
  }
  char Code = Op->getOpcode() == Instruction::Mul   ? '*'
              : Op->getOpcode() == Instruction::Add ? '+'
                                                    : '-';
  Tokens.push_back(operationToken(C, Code));
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

static bool isFlag(const Value *Token) {
  std::optional<int> Code = codeOf(Token);
  return Code == NoSignedWrap || Code == NoUnsignedWrap;
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
    if (isa<SExtInst, ZExtInst>(Cast))
      Tokens.push_back(extensionToken(*Cast));
    else if (isa<TruncInst>(Cast))
      Tokens.push_back(operationToken(C, Truncate));
    else
      return false;
    return encodeTree(Cast->getOperand(0), Tokens);
  }
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op || !isTotal(*Op))
    return false;
  if (auto *Wrapping = dyn_cast<OverflowingBinaryOperator>(Op)) {
    if (Wrapping->hasNoSignedWrap())
      Tokens.push_back(operationToken(C, NoSignedWrap));
    if (Wrapping->hasNoUnsignedWrap())
      Tokens.push_back(operationToken(C, NoUnsignedWrap));
  }
  for (auto [Code, Opcode] : Operations)
    if (Opcode == Op->getOpcode()) {
      Tokens.push_back(operationToken(C, Code));
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
  Fact.Tokens.push_back(operationToken(Cmp->getContext(), Cmp->getPredicate()));
  return encodeTree(Cmp->getOperand(0), Fact.Tokens) &&
         encodeTree(Cmp->getOperand(1), Fact.Tokens);
}

/// Moves an expression from \p T to the result, the operands of commutative
/// operations in an order of their own, without what does not wrap.
static SmallVector<Value *, 8> takeCanonical(ArrayRef<Value *> &T) {
  SmallVector<Value *, 8> Result;
  T = T.drop_while(isFlag);
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
  if (A.Kind != B.Kind)
    return false;
  ArrayRef<Value *> RestA = A.Tokens, RestB = B.Tokens;
  if (A.Kind == FactKind::Holds) {
    // The predicate is no operation.
    if (RestA.front() != RestB.front())
      return false;
    RestA = RestA.drop_front();
    RestB = RestB.drop_front();
  }
  while (!RestA.empty() && !RestB.empty())
    if (takeCanonical(RestA) != takeCanonical(RestB))
      return false;
  return RestA.empty() && RestB.empty();
}

/// The width of the expression that begins at T, which moves behind it; 0 if
/// there is none. Markers can be written by hand.
static unsigned widthOf(ArrayRef<Value *> &T, bool IsExact) {
  if (T.empty() || T.size() > MaxTokens)
    return 0;
  bool HasFlags = isFlag(T.front());
  T = T.drop_while(isFlag);
  if (T.empty() || (HasFlags && IsExact))
    return 0;
  Value *Token = T.front();
  T = T.drop_front();
  std::optional<int> Code = codeOf(Token);
  if (HasFlags && !(Code && StringRef("+-*<").contains(*Code)))
    return 0;
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

unsigned widthOfExact(const RecordedFact &Fact) {
  ArrayRef<Value *> Rest = Fact.Tokens;
  return widthOf(Rest, /*IsExact=*/true);
}

bool isWellFormed(const RecordedFact &Fact) {
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

} // namespace unravel
