//===- MapIndexEmitter.cpp - Code for indices from their maps -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/MapIndexEmitter.h"
#include "analysis/algebra/IndexSubstitution.h"
#include "analysis/syntax/IndexRaising.h"
#include "analysis/syntax/PricedSyntax.h"
#include "frontend/emit/SyntaxEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace unravel {

/// Sums and products of values are looked through so far.
static constexpr unsigned MaxDepth = 16;
/// More facts about several variables are not kept.
static constexpr size_t MaxFacts = 16;

//===----------------------------------------------------------------------===//
// What is known at a place
//===----------------------------------------------------------------------===//

/// A place in the code, where certain values are and certain facts hold. Facts
/// come before questions.
class MapIndexEmitter::Place {
public:
  explicit Place(IndexContext &Context) : Domain(Context), Basis(Domain) {}

  FloorBasis &basis() { return Basis; }
  const Facts &known() const { return Known; }

  void learn(IndexExpr E, const Interval &Range) {
    if (!E || Domain.isWithin(E, Range))
      return;
    if (E.terms().size() > 1 && Known.size() >= MaxFacts)
      return;
    Domain.constrain(E, Range);
    Basis.forget();
    Known.push_back({E, Range});
  }
  /// Values with this meaning are there.
  IndexExpr learn(const Meaning &M) {
    for (const IndexConstraint &Fact : M.Known)
      learn(Fact.Expr, Fact.Range);
    return M.Form;
  }
  /// The place is in front of an index into a dimension of this size. An
  /// empty one has none; its code is not executed.
  void learnIndex(IndexExpr E, int64_t Size) {
    learn(E, Interval(0, std::max<int64_t>(0, Size - 1)));
  }

private:
  IndexDomain Domain;
  FloorBasis Basis;
  Facts Known;
};

//===----------------------------------------------------------------------===//
// What values mean
//===----------------------------------------------------------------------===//

IndexExpr MapIndexEmitter::variableFor(Value *V) {
  IndexExpr Form = Context.atom(Context.createVariable(""));
  ValueOfForm[Form] = V;
  Meanings[V] = {Form, {}};
  return Form;
}

/// Of a number that fits the word as a signed one.
MapIndexEmitter::Meaning MapIndexEmitter::meaningOf(Value *V, unsigned Depth) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return {Context.constant(C->getSExtValue()), {}};
  auto Found = Meanings.find(V);
  if (Found != Meanings.end())
    return Found->second;
  if (auto *Operation = dyn_cast<BinaryOperator>(V);
      Operation && Depth < MaxDepth)
    if (Meaning M = combined(*Operation, Depth); M.Form)
      return Meanings[V] = std::move(M);
  return {variableFor(V), {}};
}

/// Emitters add, subtract and scale indices. Where nsw does not hold, the value
/// is not used.
MapIndexEmitter::Meaning
MapIndexEmitter::combined(const BinaryOperator &Operation, unsigned Depth) {
  auto *Overflowing = dyn_cast<OverflowingBinaryOperator>(&Operation);
  if (!Overflowing || !Overflowing->hasNoSignedWrap())
    return {};
  unsigned Opcode = Operation.getOpcode();
  auto *Factor = dyn_cast<ConstantInt>(Operation.getOperand(1));
  if (Opcode != Instruction::Add && Opcode != Instruction::Sub &&
      (Opcode != Instruction::Mul || !Factor))
    return {};
  Meaning X = meaningOf(Operation.getOperand(0), Depth + 1);
  Meaning Y = meaningOf(Operation.getOperand(1), Depth + 1);
  if (!X.Form || !Y.Form)
    return {};
  IndexExpr Form = Opcode == Instruction::Mul
                       ? Context.scale(X.Form, Factor->getSExtValue())
                   : Opcode == Instruction::Add ? Context.add(X.Form, Y.Form)
                                                : Context.sub(X.Form, Y.Form);
  append_range(X.Known, Y.Known);
  return {Form, std::move(X.Known)};
}

/// The number of a thread: sums and products without unsigned wrap of registers
/// with ranges. It is below 2^31 (2^63) where it is asked for, and then so are
/// all of its parts, and none of them is negative.
MapIndexEmitter::Meaning MapIndexEmitter::meaningOfThread(Value *V,
                                                          unsigned Depth) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return {Context.constant(C->getZExtValue()), {}};
  auto Found = Meanings.find(V);
  if (Found != Meanings.end())
    return Found->second;
  Value *X, *Y;
  bool IsSum = match(V, m_NUWAdd(m_Value(X), m_Value(Y)));
  if (Depth < MaxDepth &&
      (IsSum || match(V, m_NUWMul(m_Value(X), m_Value(Y))))) {
    Meaning A = meaningOfThread(X, Depth + 1);
    Meaning B = meaningOfThread(Y, Depth + 1);
    append_range(A.Known, B.Known);
    if (!A.Form || !B.Form)
      return {};
    if (IsSum)
      return {Context.add(A.Form, B.Form), std::move(A.Known)};
    if (B.Form.isConstant())
      return {Context.scale(A.Form, B.Form.constant()), std::move(A.Known)};
    return {variableFor(V), {}};
  }
  Value *Register = V;
  match(V, m_ZExt(m_Value(Register)));
  auto *Call = dyn_cast<CallBase>(Register);
  std::optional<ConstantRange> Range;
  if (Call)
    Range = Call->getRange();
  if (!Range || Range->isFullSet() || Range->isWrappedSet())
    return {variableFor(V), {}};
  if (const APInt *Only = Range->getSingleElement())
    return {Context.constant(Only->getZExtValue()), {}};
  IndexExpr Form = variableFor(V);
  Meaning &Own = Meanings[V];
  Own.Known.push_back({Form, Interval(Range->getUnsignedMin().getZExtValue(),
                                      Range->getUnsignedMax().getZExtValue())});
  return Own;
}

void MapIndexEmitter::record(const Place &P, Value *V, IndexExpr Form) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Meanings.contains(V))
    return;
  if (!Form) {
    variableFor(V);
    return;
  }
  Meaning M = {Form, P.known()};
  Meanings[V] = M;
  Placeholders.push_back({I, std::move(M)});
}

void MapIndexEmitter::record(const Place &P, const ElementIndex &Index,
                             ArrayRef<IndexExpr> Forms) {
  for (auto [V, Form] : zip_equal(Index, Forms))
    record(P, V, Form);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

using Forms = SmallVector<IndexExpr, 6>;

static IndexExpr linearize(FloorBasis &Basis, const HloShape &Shape,
                           ArrayRef<int64_t> MinorToMajor,
                           ArrayRef<IndexExpr> Index) {
  IndexExpr Linear = Basis.context().constant(0);
  int64_t Stride = 1;
  for (int64_t D : MinorToMajor) {
    Linear = Basis.add(Linear, Index[D], Stride);
    Stride *= Shape.dimension(D);
  }
  return Basis.simplify(Linear);
}

static Forms delinearize(FloorBasis &Basis, const HloShape &Shape,
                         ArrayRef<int64_t> MinorToMajor, IndexExpr Linear) {
  Forms Index(Shape.rank());
  int64_t Stride = 1;
  for (int64_t D : MinorToMajor) {
    Index[D] = Basis.floorDiv(Linear, Stride);
    if (D != MinorToMajor.back())
      Index[D] = Basis.floorMod(Index[D], Shape.dimension(D));
    Stride *= Shape.dimension(D);
  }
  return Index;
}

/// What element \p Index of \p I is of operand 0.
static Forms transformed(FloorBasis &Basis, const HloInstruction &I,
                         ArrayRef<IndexExpr> Index) {
  IndexContext &Context = Basis.context();
  const HloShape &From = I.operand(0).shape();
  Forms Result(From.rank());
  switch (I.opcode()) {
  case HloOpcode::Bitcast:
    return delinearize(
        Basis, From, From.minorToMajor(),
        linearize(Basis, I.shape(), I.shape().minorToMajor(), Index));
  case HloOpcode::Reshape:
    return delinearize(
        Basis, From, From.withDescendingLayout().minorToMajor(),
        linearize(Basis, I.shape(),
                  I.shape().withDescendingLayout().minorToMajor(), Index));
  case HloOpcode::Broadcast:
    for (auto [K, D] : enumerate(I.dimensions()))
      Result[K] = Index[D];
    return Result;
  case HloOpcode::Transpose:
    for (auto [K, D] : enumerate(I.dimensions()))
      Result[D] = Index[K];
    return Result;
  case HloOpcode::Reverse:
    Result.assign(Index.begin(), Index.end());
    for (int64_t D : I.dimensions())
      Result[D] = Context.add(Context.negate(Index[D]), From.dimension(D) - 1);
    return Result;
  case HloOpcode::Slice:
    for (auto [D, Range] : enumerate(I.attributes<HloSlice>().Dimensions))
      Result[D] =
          Context.add(Context.scale(Index[D], Range.Stride), Range.Start);
    return Result;
  default:
    llvm_unreachable("not a transformation of indices");
  }
}

SmallVector<IndexExpr, 6> MapIndexEmitter::formsOf(Place &P,
                                                   const HloShape &Shape,
                                                   const ElementIndex &Index) {
  Forms Result;
  for (Value *V : Index)
    Result.push_back(P.learn(meaningOf(V)));
  for (auto [Form, Size] : zip_equal(Result, Shape.dimensions()))
    P.learnIndex(Form, Size);
  return Result;
}

ElementIndex MapIndexEmitter::fromOffset(IRBuilderBase &B,
                                         const HloShape &Shape, Value *Offset) {
  ElementIndex Index = Naive.fromOffset(B, Shape, Offset);
  Meaning Thread = meaningOfThread(Offset);
  Meanings.try_emplace(Offset, Thread);
  if (Thread.Form) {
    Shortcuts.try_emplace(Thread.Form, Shortcut{Offset, Placeholders.size()});
    noteWhole(Thread.Form);
  }
  Place P(Context);
  P.learn(Thread);
  P.learnIndex(Thread.Form, Shape.elementCount());
  if (Shape.elementCount() != 0)
    record(P, Index,
           delinearize(P.basis(), Shape, Shape.minorToMajor(), Thread.Form));
  return Index;
}

Value *MapIndexEmitter::toOffset(IRBuilderBase &B, const HloShape &Shape,
                                 const ElementIndex &Index) {
  Value *Offset = Naive.toOffset(B, Shape, Index);
  Place P(Context);
  Forms Own = formsOf(P, Shape, Index);
  record(P, Offset, linearize(P.basis(), Shape, Shape.minorToMajor(), Own));
  return Offset;
}

ElementIndex MapIndexEmitter::throughTransform(IRBuilderBase &B,
                                               const HloInstruction &I,
                                               const ElementIndex &Index) {
  ElementIndex Result = Naive.throughTransform(B, I, Index);
  if (I.shape().elementCount() == 0)
    return Result;
  Place P(Context);
  Forms Own = formsOf(P, I.shape(), Index);
  record(P, Result, transformed(P.basis(), I, Own));
  return Result;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static SmallVector<const IndexAtom *, 4> variablesOf(IndexExpr E) {
  SmallVector<const IndexAtom *, 4> Found;
  forEachAtom(E, [&](const IndexAtom *A) {
    if (A->isVariable())
      Found.push_back(A);
  });
  return Found;
}

/// Whether \p E divides by a power of two, as where threads are told apart by
/// their bits.
static bool hasShifts(IndexExpr E) {
  bool Has = false;
  forEachAtom(E, [&](const IndexAtom *A) {
    Has |= A->isConstantDivision() && isPowerOf2_64(A->constantDivisor());
  });
  return Has;
}

/// Code is appended to blocks, so what has been emitted earlier is in front of
/// what came later in its block and those that it dominates.
Value *MapIndexEmitter::shortcutFor(IndexExpr E, size_t Placeholder,
                                    const Instruction &Before) {
  auto Found = Shortcuts.find(E);
  if (Found == Shortcuts.end() ||
      Placeholder < Found->second.EarlierPlaceholders)
    return nullptr;
  Value *V = Found->second.Value;
  auto *I = dyn_cast_or_null<Instruction>(V);
  if (!I || I->getParent() == Before.getParent())
    return V;
  Function *F = I->getFunction();
  if (F != Before.getFunction())
    return nullptr;
  std::unique_ptr<DominatorTree> &Tree = Trees[F];
  if (!Tree)
    Tree = std::make_unique<DominatorTree>(*F);
  return Tree->dominates(I->getParent(), Before.getParent()) ? V : nullptr;
}

void MapIndexEmitter::noteWhole(IndexExpr Sum) {
  if (Sum.terms().size() < 2)
    return;
  for (const IndexTerm &T : Sum.terms())
    if (T.Coefficient == 1 && T.Atom->isVariable()) {
      Wholes.try_emplace(
          T.Atom, WholeSum{Sum, Context.atom(Context.createVariable(""))});
      return;
    }
}

/// \p Of in terms of the sum as a whole, and not of \p Part. Composed maps take
/// blocks out of divisions, 256*b + t out of one by 7 as 36*b + (t + 4*b)/7; if
/// all of them cancel in the end, the number of the thread has to be divided,
/// which is there.
MapIndexEmitter::Meaning MapIndexEmitter::inWhole(const Meaning &Of,
                                                  const IndexAtom *Part,
                                                  const WholeSum &Known) {
  auto [Sum, Whole] = Known;
  Replacements With;
  With[Part] = Context.sub(Whole, Context.sub(Sum, Context.atom(Part)));
  Place Before(Context), Now(Context);
  Before.learn(Of);
  Now.learn(Whole, Before.basis().domain().range(Sum));
  auto InWhole = [&](IndexExpr E) {
    return IndexSubstitution(Now.basis(), With).apply(E);
  };
  for (const IndexConstraint &Fact : Of.Known)
    Now.learn(InWhole(Fact.Expr), Fact.Range);
  return {Now.basis().simplify(InWhole(Of.Form)), Now.known()};
}

void MapIndexEmitter::replace(size_t Placeholder, Instruction &I) {
  Meaning Of = Placeholders[Placeholder].Of;
  Place P(Context);
  P.learn(Of);
  Of.Form = P.basis().simplify(Of.Form);
  if (!Of.Form)
    return;
  StringMap<IndexExpr> Variables;
  auto Raise = [&](IndexExpr Form) {
    return raise(Context, Form, [&](const IndexAtom *A) {
      std::string Name = "v" + std::to_string(A->id());
      Variables[Name] = Context.atom(A);
      return Name;
    });
  };
  SyntaxTree Tree = Raise(Of.Form);
  auto Emit = [&](Place &At, const SyntaxTree &T, const WholeSum &Known) {
    auto FormOf = [&](StringRef Name) { return Variables.lookup(Name); };
    auto ValueOf = [&](IndexExpr E) -> Value * {
      if (Value *V = ValueOfForm.lookup(E))
        return V;
      return shortcutFor(E == Known.Whole ? Known.Sum : E, Placeholder, I);
    };
    Value *V = SyntaxEmitter(At.basis(), type(), FormOf, ValueOf).emit(T, &I);
    if (V)
      I.replaceAllUsesWith(V);
    return V != nullptr;
  };
  for (const IndexAtom *A : variablesOf(Of.Form)) {
    auto Known = Wholes.find(A);
    if (Known == Wholes.end() || hasShifts(Of.Form) ||
        !shortcutFor(Known->second.Sum, Placeholder, I))
      continue;
    Meaning Other = inWhole(Of, A, Known->second);
    auto IsPart = [&](const IndexAtom *B) {
      return is_contained(variablesOf(Known->second.Sum), B);
    };
    if (!Other.Form || any_of(variablesOf(Other.Form), IsPart))
      continue;
    SyntaxTree OtherTree = Raise(Other.Form);
    Place OtherPlace(Context);
    OtherPlace.learn(Other);
    // The sum may be computed for this alone.
    if (costOf(OtherTree) + costOf(Raise(Known->second.Sum)) < costOf(Tree) &&
        Emit(OtherPlace, OtherTree, Known->second))
      return;
  }
  Emit(P, Tree, {});
}

/// Backwards: what is used by a value that has been removed, or replaced, may
/// have no other use. The variables of a form are there as long as the value
/// is, because its naive code was made of them.
void MapIndexEmitter::finish() {
  for (size_t Number = Placeholders.size(); Number-- > 0;) {
    auto *I = cast_or_null<Instruction>(
        static_cast<Value *>(Placeholders[Number].Value));
    if (!I)
      continue;
    if (!I->use_empty())
      replace(Number, *I);
    RecursivelyDeleteTriviallyDeadInstructions(I);
  }
  Placeholders.clear();
  Trees.clear();
}

} // namespace unravel
