//===- IndexRecovery.cpp - IR values as index forms -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading order: scopes, then values and variables. The facts in a scope are in
// RecoverScopeFacts.cpp, the forms of single operations in
// RecoverOperation.cpp.
//
//===----------------------------------------------------------------------===//

#include "analysis/recovery/IndexRecovery.h"
#include "analysis/facts/SpecialRegisters.h"
#include "analysis/recovery/RecoverOperation.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace unravel {

IndexRecovery::IndexRecovery(RangeFacts &Facts, DominatorTree &DT, LoopInfo &LI,
                             const RecoveryLimits &Limits)
    : Facts(Facts), DT(DT), LI(LI), Context(Limits.Forms), Root(Context),
      Limits(Limits), StepsLeft(uint64_t(Limits.MaxValuesPerInstruction) *
                                (Facts.function().getInstructionCount() + 16)) {
  addLaunchRelations(Root);
  addSizeRelations(Root);
}

IndexRecovery::~IndexRecovery() = default;

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

RecoveryScope &IndexRecovery::scopeOf(const BasicBlock *BB) {
  // Walk up to a block whose scope is known, then down again: the dominator
  // tree may be too deep for recursion.
  SmallVector<const BasicBlock *, 8> Path;
  RecoveryScope *Scope = nullptr;
  for (const BasicBlock *B = BB; !Scope;) {
    auto It = Scopes.find(B);
    if (It != Scopes.end()) {
      Scope = It->second;
      break;
    }
    Path.push_back(B);
    DomTreeNode *Node = DT.getNode(B);
    if (!Node || !Node->getIDom()) {
      Scope = &Root;
      break;
    }
    B = Node->getIDom()->getBlock();
  }
  for (const BasicBlock *B : reverse(Path)) {
    bool IsGuarded = !Facts.conditionsAt(B).empty() || Facts.caseAt(B) ||
                     !Facts.invariantsAt(B).empty() ||
                     !Facts.recurrencesAt(B).empty();
    RanOutOfGuards |= IsGuarded && Scope->Depth >= Limits.MaxGuards;
    if (IsGuarded && Scope->Depth < Limits.MaxGuards) {
      // The conditions are recovered with what holds in front of the block.
      Owned.push_back(std::make_unique<RecoveryScope>(*Scope));
      Scope = Owned.back().get();
      Scope->Head = B;
      addConditions(*Scope, B);
    }
    Scopes[B] = Scope;
  }
  return *Scope;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool IndexRecovery::isIndexValue(const Value *V) {
  auto *Ty = dyn_cast<IntegerType>(V->getType());
  return Ty && Ty->getBitWidth() <= 64;
}

bool IndexRecovery::isIndexOperation(const Value *V) {
  // A comparison is a root, or a condition; it computes no index.
  return isRecoverableOperation(V) && !isa<ICmpInst>(V);
}

std::pair<Value *, Reading>
IndexRecovery::valueOf(const IndexAtom *Variable) const {
  return VariableValues.lookup(Variable);
}

unsigned IndexRecovery::opacityOf(IndexExpr E) const {
  unsigned Count = 0;
  forEachAtom(E, [&](const IndexAtom *A) {
    Count += A->isVariable() && isRecoverableOperation(valueOf(A).first);
  });
  return Count;
}

bool IndexRecovery::explainsMore(IndexExpr A, IndexExpr B,
                                 const RecoveryScope &Scope) const {
  unsigned OpacityA = opacityOf(A), OpacityB = opacityOf(B);
  if (OpacityA != OpacityB)
    return OpacityA < OpacityB;
  return Scope.Domain.range(A).size().value_or(UINT64_MAX) <
         Scope.Domain.range(B).size().value_or(UINT64_MAX);
}

const RecoveredValue &IndexRecovery::recover(Value *V, RecoveryScope &Scope) {
  auto It = Scope.Values.find(V);
  if (It != Scope.Values.end())
    return It->second;
  // Operands before users, without recursion: chains can be long.
  SmallVector<Value *, 16> Stack{V};
  while (!Stack.empty()) {
    Value *Top = Stack.back();
    if (Scope.Values.count(Top)) {
      Stack.pop_back();
      continue;
    }
    size_t Before = Stack.size();
    if (StepsLeft > 0 && isRecoverableOperation(Top))
      for (Value *Operand : cast<Instruction>(Top)->operands())
        if (isIndexValue(Operand) && !Scope.Values.count(Operand))
          Stack.push_back(Operand);
    if (Stack.size() != Before)
      continue;
    Stack.pop_back();
    RecoveredValue Result =
        StepsLeft > 0 && isRecoverableOperation(Top)
            ? computeOperation(cast<Instruction>(Top), Scope)
            : opaque(Top, Scope);
    StepsLeft -= StepsLeft > 0 ? 1 : 0;
    for (const RecoveryScope *S = &Scope; S && Result.MayBePoison;
         S = S->Parent)
      Result.MayBePoison = !S->NotPoison.contains(Top);
    Scope.Values[Top] = Result;
    Scope.Order.push_back(Top);
  }
  return Scope.Values.find(V)->second;
}

const RecoveredValue &IndexRecovery::known(Value *V,
                                           const RecoveryScope &Scope) const {
  return Scope.Values.find(V)->second;
}

RecoveredValue IndexRecovery::computeOperation(Instruction *I,
                                               RecoveryScope &Scope) {
  // Nothing, of values that no operand led to.
  const RecoveredValue Nothing;
  auto FormsOf = [&](Value *V) -> const RecoveredValue & {
    auto It = Scope.Values.find(V);
    return It == Scope.Values.end() ? Nothing : It->second;
  };
  auto NoteDivision = [&](IndexExpr Dividend, int64_t Divisor,
                          IndexExpr Quotient) {
    noteDivision(Scope, Dividend, Divisor, Quotient);
  };
  auto NoteRuntimeDivision = [&](BinaryOperator *Division) {
    Scope.RuntimeDivisions.insert(Division);
  };
  auto ExplainsMore = [&](IndexExpr A, IndexExpr B) {
    return explainsMore(A, B, Scope);
  };
  OperationRecovery Operation(Scope.Domain, Scope.Basis, FormsOf, NoteDivision,
                              NoteRuntimeDivision, ExplainsMore,
                              Limits.ReadsBits);
  RecoveredValue Result = Operation.recover(I);
  Result.Divides = I->isIntDivRem() || any_of(I->operands(), [&](Value *V) {
                     return isIndexValue(V) && known(V, Scope).Divides;
                   });
  if (I->getOpcode() == Instruction::Mul)
    noteFactorSums(*I, Scope);
  takeFormOfCases(I, Result, Scope);
  if (auto *Choice = dyn_cast<SelectInst>(I))
    takeFormOfChoice(*Choice, Result, Scope);
  keepThreadIndexWhole(I, Result, Scope);
  // A reading that could not be proved makes the value a variable.
  if (!Result.Signed)
    Result.Signed = variable(I, Reading::Signed, Scope);
  if (!Result.Unsigned)
    Result.Unsigned = variable(I, Reading::Unsigned, Scope);
  if (!Result.Ring)
    Result.Ring = Result.Signed;
  return Result;
}

/// blockIdx.x*blockDim.x + threadIdx.x is a value that the program has, and
/// better kept as one; what is known of the sum is known of the variable. This
/// serves every kernel without launch bounds: where the block size is not a
/// constant, the sum has a product, and quotients of a product of registers
/// have no rule that would cancel it.
void IndexRecovery::keepThreadIndexWhole(Instruction *I, RecoveredValue &Value,
                                         RecoveryScope &Scope) {
  IndexExpr E = Value.Signed;
  if (!E || E.terms().size() < 2 ||
      none_of(E.terms(), [](IndexTerm T) { return T.Atom->isProduct(); }))
    return;
  bool IsOfThread = false;
  auto IsRegister = [&](const IndexAtom *A) {
    auto *Register =
        A->isVariable() ? dyn_cast<IntrinsicInst>(valueOf(A).first) : nullptr;
    IsOfThread |= Register && boundingRegister(Register->getIntrinsicID()) !=
                                  Intrinsic::not_intrinsic;
    return Register && launchRange(Register);
  };
  for (const IndexTerm &T : E.terms())
    if (!all_of(factorsOf(T.Atom), IsRegister))
      return;
  if (!IsOfThread)
    return;
  Interval Range = Scope.Domain.range(E).intersect(
      wordRange(I->getType()->getIntegerBitWidth(), Reading::Signed));
  Value.Signed = variable(I, Reading::Signed, Scope);
  if (const IndexAtom *Atom = Value.Signed.asAtom(); Atom && !Range.isEmpty())
    Scope.Domain.restrict(Atom, Range);
  // Where it is not negative both readings agree.
  Value.Unsigned = variable(I, Reading::Unsigned, Scope);
  Value.Ring = {};
}

RecoveredValue IndexRecovery::opaque(Value *V, RecoveryScope &Scope) {
  RecoveredValue Result;
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    Result.Signed = Context.constant(C->getSExtValue());
    // An i64 constant above INT64_MAX has no unsigned form; the signed one is
    // congruent to it.
    bool Fits = C->getBitWidth() < 64 || !C->isNegative();
    Result.Unsigned = Fits ? Context.constant(C->getZExtValue()) : IndexExpr();
    Result.MayBePoison = Result.MayBeUndef = false;
  } else {
    Result.MayBePoison = !Facts.isNeverPoison(V);
    Result.MayBeUndef = !Facts.isNeverUndef(V);
  }
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && isIndexValue(Phi))
    takeFormsOfEdges(*Phi, Result, Scope);
  // A variable (or a constant at the edge of int64_t that forms exclude).
  if (!Result.Signed)
    Result.Signed = variable(V, Reading::Signed, Scope);
  if (!Result.Unsigned)
    Result.Unsigned = variable(V, Reading::Unsigned, Scope);
  if (!Result.Ring)
    Result.Ring = Result.Signed;
  return Result;
}

/// A guard in front of a barrier leaves phis of what both sides have computed.
/// Whatever the facts of an edge were used for, over it the value *is* the
/// number that its form there means; and a variable that dominates the phi
/// has, at the phi, the value that it had on the edge. So a form that comes in
/// over all edges is the phi's.
void IndexRecovery::takeFormsOfEdges(PHINode &Phi, RecoveredValue &Result,
                                     RecoveryScope &Scope) {
  // Deeper ones stay variables; each level is a recursion.
  static constexpr unsigned MaxNestedJoins = 4;
  // Header and exits of loops are left alone: what changes in the loop (the
  // phi itself, say) is a value of another iteration there, or moves uses of
  // it out of the loop.
  const Loop *L = LI.getLoopFor(Phi.getParent());
  if (NestedJoins >= MaxNestedJoins || StepsLeft == 0 ||
      Phi.getNumIncomingValues() < 2 || LI.isLoopHeader(Phi.getParent()) ||
      any_of(Phi.blocks(), [&](const BasicBlock *Pred) {
        return !DT.isReachableFromEntry(Pred) || LI.getLoopFor(Pred) != L ||
               DT.dominates(Phi.getParent(), Pred);
      }))
    return;
  SaveAndRestore Nesting(NestedJoins, NestedJoins + 1);
  SmallVector<FormInScope, 2> Signed, Unsigned, Ring;
  SmallVector<std::unique_ptr<RecoveryScope>, 2> Cases;
  bool MayBePoison = false, MayBeUndef = false;
  for (const Use &Incoming : Phi.incoming_values()) {
    RecoveryScope &Edge = edgeOf(Phi, Incoming, Cases);
    const RecoveredValue &OnEdge = recover(Incoming, Edge);
    Signed.push_back({OnEdge.Signed, &Edge});
    Unsigned.push_back({OnEdge.Unsigned, &Edge});
    Ring.push_back({OnEdge.Ring, &Edge});
    MayBePoison |= OnEdge.MayBePoison;
    MayBeUndef |= OnEdge.MayBeUndef;
    Result.Divides |= OnEdge.Divides;
  }
  auto IsThereAtPhi = [&](IndexExpr E) {
    bool IsThere = true;
    forEachAtom(E, [&](const IndexAtom *A) {
      IsThere &= !A->isVariable() || DT.dominates(valueOf(A).first, &Phi);
    });
    return IsThere;
  };
  auto Take = [&](IndexExpr &To, ArrayRef<FormInScope> OnEdges) {
    if (IndexExpr Form = commonForm(OnEdges); Form && IsThereAtPhi(Form))
      To = Scope.Basis.simplify(Form);
  };
  Take(Result.Signed, Signed);
  Take(Result.Unsigned, Unsigned);
  Take(Result.Ring, Ring);
  Result.MayBePoison &= MayBePoison;
  Result.MayBeUndef &= MayBeUndef;
}

IndexExpr IndexRecovery::variable(Value *V, Reading R, RecoveryScope &Scope) {
  auto Get = [&](Reading R) {
    const IndexAtom *&Atom = Variables[{V, static_cast<unsigned>(R)}];
    if (!Atom) {
      std::string Name = variableName(V, R);
      Atom = Context.createVariable(Name);
      VariableValues[Atom] = {V, R};
      // Facts about a value that is always poison may contradict each other;
      // that does not make the code around it dead.
      Interval Range = Facts.rangeOf(V, R);
      Congruence Lattice = Facts.latticeOf(V);
      Root.Domain.declare(Atom, Range,
                          tighten(Range, Lattice).isEmpty() ? Congruence()
                                                            : Lattice);
    }
    return Context.atom(Atom);
  };
  // Where both readings agree the signed variable stands for both.
  IndexExpr Signed = Get(Reading::Signed);
  Interval SignedRange = Scope.Domain.range(Signed);
  if (SignedRange.isPoint())
    if (R == Reading::Signed || SignedRange.lo() >= 0)
      return Context.constant(SignedRange.lo());
  if (SignedRange.isNonNegative()) {
    // What guards said of the unsigned reading holds for it as well.
    Scope.Domain.restrict(Signed.asAtom(),
                          Scope.Domain.range(Get(Reading::Unsigned)));
    return Signed;
  }
  IndexExpr Wanted = Get(R);
  if (R == Reading::Signed) {
    IndexExpr Unsigned = Get(Reading::Unsigned);
    Interval Half =
        wordRange(V->getType()->getIntegerBitWidth(), Reading::Signed);
    Interval URange = Scope.Domain.range(Unsigned);
    if (URange.isBoundedAbove() && URange.hi() <= Half.hi())
      return Unsigned;
  }
  return Wanted;
}

/// The names of XLA's indexing maps for thread and block indices, the IR's
/// names for everything else.
std::string IndexRecovery::variableName(Value *V, Reading R) {
  std::string Name = V->getName().str();
  if (auto *Call = dyn_cast<IntrinsicInst>(V)) {
    StringRef Register = Call->getCalledFunction()->getName();
    if (Register.consume_front("llvm.nvvm.read.ptx.sreg.")) {
      static const std::pair<StringRef, StringRef> Names[] = {
          {"tid.", "th_"},
          {"ctaid.", "bl_"},
          {"ntid.", "block_"},
          {"nctaid.", "grid_"}};
      for (auto [Prefix, Short] : Names)
        if (Register.consume_front(Prefix))
          return (Short + Register).str();
      return Register.str();
    }
  }
  if (isa<Constant>(V))
    Name = "constant"; // an expression, undef or poison
  else if (Name.empty())
    Name = "v" + std::to_string(slotOf(V));
  return R == Reading::Signed ? Name : "u(" + Name + ")";
}

/// The number of a value without a name. (LLVM's ModuleSlotTracker looks at the
/// whole module first, which is too much for each of many functions.)
unsigned IndexRecovery::slotOf(const Value *V) {
  if (Slots.empty()) {
    auto Number = [&](const Value &X) {
      if (!X.hasName() && !X.getType()->isVoidTy())
        Slots.try_emplace(&X, Slots.size());
    };
    for (const Argument &A : function().args())
      Number(A);
    for (const BasicBlock &BB : function()) {
      Number(BB);
      for (const Instruction &I : BB)
        Number(I);
    }
  }
  return Slots.lookup(V);
}

/// A handful is enough to choose from.
static constexpr size_t MaxSpellings = 4;

void IndexRecovery::noteDivision(RecoveryScope &Scope, IndexExpr Dividend,
                                 int64_t Divisor, IndexExpr Quotient) {
  if (!Quotient)
    return;
  for (const IndexTerm &T : Quotient.terms())
    if (T.Atom->isConstantFloorDiv() && T.Coefficient == 1) {
      auto &Known = Scope.Divisions[T.Atom];
      if (Known.size() < MaxSpellings)
        Known.push_back({Dividend, Divisor, Quotient});
    }
}

void IndexRecovery::noteFactorSums(const Instruction &Product,
                                   const RecoveryScope &Scope) {
  if (any_of(Product.operands(), IsaPred<Constant>))
    return;
  for (Value *Factor : Product.operands()) {
    const RecoveredValue &R = known(Factor, Scope);
    for (IndexExpr E : {R.Signed, R.Unsigned, R.Ring}) {
      // Digits are no sums: expanding knows them by their quotients.
      if (numSummands(E) < 2 || countDivisions(E) != 0)
        continue;
      const IndexAtom *First = factorsOf(E.terms().front().Atom).front();
      auto &Known = FactorSums[First];
      if (Known.size() < MaxSpellings && !is_contained(Known, E))
        Known.push_back(E);
    }
  }
}

ArrayRef<IndexExpr> IndexRecovery::factorSums(const IndexAtom *Atom) const {
  auto It = FactorSums.find(Atom);
  return It == FactorSums.end() ? ArrayRef<IndexExpr>() : It->second;
}

IndexExpr IndexRecovery::anyReading(const RecoveredValue &R,
                                    const RecoveryScope &Scope) {
  IndexExpr Form =
      explainsMore(R.Unsigned, R.Signed, Scope) ? R.Unsigned : R.Signed;
  return opacityOf(R.Ring) < opacityOf(Form) ? R.Ring : Form;
}

std::optional<RecoveredPointer>
IndexRecovery::recoverPointer(Value *Pointer, RecoveryScope &Scope) {
  const DataLayout &DL = function().getDataLayout();
  if (!Pointer->getType()->isPointerTy())
    return std::nullopt;
  unsigned Width = DL.getIndexTypeSizeInBits(Pointer->getType());
  if (Width != 32 && Width != 64)
    return std::nullopt;
  RecoveredPointer Result{Pointer, Width, Context.constant(0), true, true};
  SmallPtrSet<Value *, 8> Visited; // a GEP in dead code can use itself
  while (auto *Gep = dyn_cast<GEPOperator>(Result.Base)) {
    if (Visited.size() == Limits.MaxPointerChain)
      break; // any GEP is as good a base
    if (!Visited.insert(Gep).second || Gep->getType()->isVectorTy())
      return std::nullopt;
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(Width, 0);
    if (!Gep->collectOffset(DL, Width, Variable, Constant))
      return std::nullopt;
    IndexExpr Offset = Context.add(Result.Offset, Constant.getSExtValue());
    for (auto &[Index, Scale] : Variable) {
      if (!isIndexValue(Index))
        return std::nullopt;
      // GEP indices are sign-extended or truncated to the width of addresses,
      // and wrap from there.
      const RecoveredValue &R = recover(Index, Scope);
      unsigned IndexWidth = Index->getType()->getIntegerBitWidth();
      IndexExpr Steps = IndexWidth < Width ? R.Signed
                        : Width == 64      ? R.Ring
                                           : anyReading(R, Scope);
      Offset = Context.add(Offset, Steps, Scale.getSExtValue());
    }
    if (!Offset)
      return std::nullopt;
    Result = {Gep->getPointerOperand(), Width, Offset,
              Result.InBounds && Gep->isInBounds(),
              Result.NoUnsignedWrap && Gep->hasNoUnsignedWrap()};
  }
  // What is congruent to an offset of 32 bits may be negative where that is
  // not: nothing is said of the steps.
  Result.InBounds &= Width == 64;
  Result.NoUnsignedWrap &= Width == 64;
  return Result;
}

std::optional<IndexRecovery::RangeCheck>
IndexRecovery::rangeCheckOf(const ICmpInst &Cmp, RecoveryScope &Scope) {
  Value *A = Cmp.getOperand(0), *B = Cmp.getOperand(1);
  if (!Cmp.isUnsigned() || !isIndexValue(A))
    return std::nullopt;
  RecoveredValue L = recover(A, Scope), R = recover(B, Scope);
  if (!explainsMore(L.Signed, L.Unsigned, Scope))
    return std::nullopt;
  // x <= n and x > n are checks against n + 1.
  bool Inclusive =
      ICmpInst::isLE(Cmp.getPredicate()) || ICmpInst::isGT(Cmp.getPredicate());
  RangeCheck Check{L.Signed, Context.add(R.Unsigned, Inclusive ? 1 : 0)};
  Interval Half =
      wordRange(A->getType()->getIntegerBitWidth(), Reading::Signed);
  // A negative x reads as at least 2^(w-1): above every such limit.
  if (!Check.Limit || !Scope.Domain.range(Check.Limit).isBoundedAbove() ||
      Scope.Domain.range(Check.Limit).hi() > Half.hi())
    return std::nullopt;
  return Check;
}

IndexExpr IndexRecovery::differenceOf(const ICmpInst &Cmp,
                                      RecoveryScope &Scope) {
  Value *A = Cmp.getOperand(0), *B = Cmp.getOperand(1);
  if (!isIndexValue(A))
    return {};
  RecoveredValue L = recover(A, Scope), R = recover(B, Scope);
  if (Cmp.isSigned())
    return Context.sub(L.Signed, R.Signed);
  if (Cmp.isUnsigned())
    return Context.sub(L.Unsigned, R.Unsigned);
  // Equality holds under both readings or neither: take the form
  // that explains more.
  IndexExpr S = Context.sub(L.Signed, R.Signed);
  IndexExpr U = Context.sub(L.Unsigned, R.Unsigned);
  if (!S || !U)
    return S ? S : U;
  return explainsMore(U, S, Scope) ? U : S;
}

} // namespace unravel
