//===- SyntaxEmitter.cpp - Syntax trees as IR -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/SyntaxEmitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

Value *SyntaxEmitter::emit(const SyntaxTree &Tree, Instruction *Before) {
  SmallVector<Instruction *, 16> Created;
  IRBuilder<ConstantFolder, IRBuilderCallbackInserter> Builder(
      Before->getContext(), ConstantFolder(),
      IRBuilderCallbackInserter(
          [&Created](Instruction *I) { Created.push_back(I); }));
  Builder.SetInsertPoint(Before);
  B = &Builder;
  Operand Result = emit(Tree);
  B = nullptr;
  if (Result)
    return Result.V;
  for (Instruction *I : reverse(Created)) // users before operands
    I->eraseFromParent();
  return nullptr;
}

/// Whether the word has the value itself, as a signed number.
bool SyntaxEmitter::isExact(const Interval &Range) const {
  return Range.isBounded() && isIntN(Type->getBitWidth(), Range.lo()) &&
         isIntN(Type->getBitWidth(), Range.hi());
}

SyntaxEmitter::Operand SyntaxEmitter::constant(int64_t Value) {
  return {ConstantInt::get(
              Type, APInt(64, Value, true).sextOrTrunc(Type->getBitWidth())),
          Interval::point(Value)};
}

SyntaxEmitter::Operand SyntaxEmitter::emit(const SyntaxTree &Tree) {
  if (Tree->Op == SyntaxOp::Number)
    return constant(Tree->Value);
  LoweringFailure Failure;
  IndexExpr Form = lower(Basis, Tree, FormOf, Failure);
  if (!Form)
    return emitUnknown(Tree, Interval());
  Interval Range = Basis.domain().range(Form);
  if (Range.isPoint())
    return constant(Range.lo());
  if (Value *Known = ValueOf(Form))
    return {Known, Range};
  return emitUnknown(Tree, Range);
}

/// A value in \p Range, which nothing has computed yet.
SyntaxEmitter::Operand SyntaxEmitter::emitUnknown(const SyntaxTree &Tree,
                                                  const Interval &Range) {
  Operand Result;
  switch (Tree->Op) {
  case SyntaxOp::Negate:
    if (Operand Positive = emit(Tree->Args[0]))
      Result = sum(constant(0), Positive, /*IsDifference=*/true);
    break;
  case SyntaxOp::Add:
    Result = emitSum(*Tree);
    break;
  case SyntaxOp::Multiply:
    Result = emitProduct(*Tree);
    break;
  case SyntaxOp::Min:
  case SyntaxOp::Max:
    Result = emitMinMax(*Tree);
    break;
  default:
    if (isDivision(Tree->Op))
      Result = emitDivision(*Tree);
    // There is no code for the others; indices are not made of them.
  }
  Result.Range = Result.Range.intersect(Range);
  return Result;
}

/// The flags follow from exact operands: what is exact and in the word has not
/// wrapped.
SyntaxEmitter::Operand SyntaxEmitter::sum(const Operand &X, const Operand &Y,
                                          bool IsDifference) {
  Interval Range = IsDifference ? X.Range - Y.Range : X.Range + Y.Range;
  bool NSW = isExact(X.Range) && isExact(Y.Range) && isExact(Range);
  bool NUW = NSW && X.Range.isNonNegative() && Y.Range.isNonNegative() &&
             Range.isNonNegative();
  return {IsDifference ? B->CreateSub(X.V, Y.V, "", NUW, NSW)
                       : B->CreateAdd(X.V, Y.V, "", NUW, NSW),
          Range};
}

SyntaxEmitter::Operand SyntaxEmitter::emitSum(const SyntaxNode &Tree) {
  Operand Sum;
  for (const SyntaxTree &Arg : Tree.Args) {
    bool IsDifference = Sum && Arg->Op == SyntaxOp::Negate;
    Operand Next = emit(IsDifference ? Arg->Args[0] : Arg);
    if (!Next)
      return {};
    Sum = Sum ? sum(Sum, Next, IsDifference) : Next;
  }
  return Sum;
}

SyntaxEmitter::Operand SyntaxEmitter::emitProduct(const SyntaxNode &Tree) {
  Operand Product;
  for (const SyntaxTree &Arg : Tree.Args) {
    Operand Next = emit(Arg);
    if (!Next)
      return {};
    if (!Product) {
      Product = Next;
      continue;
    }
    Interval Range = Product.Range * Next.Range;
    bool NSW = isExact(Product.Range) && isExact(Next.Range) && isExact(Range);
    bool NUW =
        NSW && Product.Range.isNonNegative() && Next.Range.isNonNegative();
    Product = {B->CreateMul(Product.V, Next.V, "", NUW, NSW), Range};
  }
  return Product;
}

/// Of what is not negative by what is positive, the five kinds of quotients
/// that round down are one, and so are their remainders.
SyntaxEmitter::Operand SyntaxEmitter::emitDivision(const SyntaxNode &Tree) {
  Operand Dividend = emit(Tree.Args[0]), Divisor = emit(Tree.Args[1]);
  if (!Dividend || !Divisor || Tree.Op == SyntaxOp::CeilDiv)
    return {};
  if (!isExact(Dividend.Range) || !Dividend.Range.isNonNegative() ||
      !isa<ConstantInt>(Divisor.V) || !isExact(Divisor.Range) ||
      Divisor.Range.lo() <= 0)
    return {};
  int64_t D = Divisor.Range.lo();
  switch (Tree.Op) {
  case SyntaxOp::FloorDiv:
  case SyntaxOp::TruncDiv:
  case SyntaxOp::EuclidDiv:
    return {B->CreateUDiv(Dividend.V, Divisor.V), Dividend.Range.floorDivBy(D)};
  default:
    return {B->CreateURem(Dividend.V, Divisor.V), Interval(0, D - 1)};
  }
}

SyntaxEmitter::Operand SyntaxEmitter::emitMinMax(const SyntaxNode &Tree) {
  Operand Result;
  for (const SyntaxTree &Arg : Tree.Args) {
    Operand Next = emit(Arg);
    if (!Next || !isExact(Next.Range))
      return {};
    if (!Result) {
      Result = Next;
      continue;
    }
    bool IsMin = Tree.Op == SyntaxOp::Min;
    auto Pick = [&](int64_t L, int64_t R) {
      return IsMin ? std::min(L, R) : std::max(L, R);
    };
    Result = {B->CreateBinaryIntrinsic(
                  IsMin ? Intrinsic::smin : Intrinsic::smax, Result.V, Next.V),
              Interval(Pick(Result.Range.lo(), Next.Range.lo()),
                       Pick(Result.Range.hi(), Next.Range.hi()))};
  }
  return Result;
}

} // namespace unravel
