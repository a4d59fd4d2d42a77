//===- UndefUses.cpp - Inputs that are another value at each use ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input that may be undef may be another value at each use, and so may be
// what is computed from it. What the later version makes of it, for any values
// of its uses, the earlier version has to be able to make with some values.
//
// If the later version uses each such input once, the proof for inputs that are
// one value says so: the earlier version may use that value everywhere. Else
// each of a few choices of the earlier version is tried: all of its uses as one
// of the later version's, or use by use the same.
//
//===----------------------------------------------------------------------===//

#include "Refinement.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

namespace {

/// A value as a tree, where each use of an undef input has its own variable.
class UseTree {
public:
  UseTree(FunctionEncoder &Encoder, StringRef Prefix)
      : Encoder(Encoder), W(Encoder.world()), Rules(W), Prefix(Prefix) {}

  SymbolicValue build(const Value *V);

  /// Input -> the variables of its uses, first to last.
  std::map<unsigned, std::pair<expr, std::vector<expr>>> Uses;
  bool IsTooLarge = false;

private:
  bool isInput(const Value *V);
  bool dependsOnUndef(const Value *V);
  SymbolicValue use(const Value *V);
  SymbolicValue phi(const PHINode &Phi);

  FunctionEncoder &Encoder;
  World &W;
  Semantics Rules;
  std::string Prefix;
  std::map<const Value *, SymbolicValue> Frozen;
  unsigned Nodes = 0, Count = 0;
};

} // namespace

/// Where undef comes from.
bool UseTree::isInput(const Value *V) {
  if (auto *A = dyn_cast<Argument>(V))
    return !A->hasAttribute(Attribute::NoUndef);
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  if (auto *Call = dyn_cast<CallBase>(I))
    return !Call->hasRetAttr(Attribute::NoUndef) && !isa<IntrinsicInst>(Call);
  if (isa<AllocaInst>(I))
    return false;
  return isEvent(*I) && !I->hasMetadata(LLVMContext::MD_noundef);
}

bool UseTree::dependsOnUndef(const Value *V) {
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 16> Seen{V};
  while (!Work.empty()) {
    const Value *Top = Work.pop_back_val();
    if (isInput(Top))
      return true;
    auto *I = dyn_cast<Instruction>(Top);
    if (!I || isEvent(*I))
      continue;
    for (const Use &Operand : I->operands())
      if (Seen.insert(Operand).second)
        Work.push_back(Operand);
  }
  return false;
}

SymbolicValue UseTree::use(const Value *V) {
  SymbolicValue Result = Encoder.valueOf(V);
  for (Lane &L : Result) {
    unsigned Id = Z3_get_ast_id(W.context(), L.Bits);
    expr Variable = W.context().bv_const(
        (Prefix + " use " + std::to_string(++Count)).c_str(), widthOf(L.Bits));
    Uses.try_emplace(Id, L.Bits, std::vector<expr>())
        .first->second.second.push_back(Variable);
    L.Bits = Variable;
  }
  return Result;
}

SymbolicValue UseTree::phi(const PHINode &Phi) {
  const FunctionPair &Pair = Encoder.pair();
  unsigned Position = Pair.Position.lookup(Phi.getParent());
  std::optional<SymbolicValue> Result;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
    const BasicBlock *From = Phi.getIncomingBlock(I);
    if (!Pair.Position.count(From) || Pair.isBackEdge(From, Phi.getParent()))
      continue;
    SymbolicValue Value = build(Phi.getIncomingValue(I));
    Result = Result
                 ? choose(Encoder.taken(Pair.Position.lookup(From), Position),
                          Value, *Result)
                 : Value;
  }
  return *Result;
}

SymbolicValue UseTree::build(const Value *V) {
  static constexpr unsigned MaxNodes = 2000;
  if (++Nodes > MaxNodes)
    IsTooLarge = true;
  if (IsTooLarge || !dependsOnUndef(V))
    return Encoder.valueOf(V);
  if (isInput(V))
    return use(V);
  auto &I = *cast<Instruction>(V);
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    bool IsCut = Encoder.view() == LoopView::AnyIteration &&
                 Encoder.pair().Headers.count(
                     Encoder.pair().Position.lookup(I.getParent()));
    return IsCut ? use(V) : phi(*Phi);
  }
  if (isa<FreezeInst>(I)) { // one value from here on
    if (auto It = Frozen.find(V); It != Frozen.end())
      return It->second;
    SymbolicValue Value = Encoder.freeze(I, build(I.getOperand(0)));
    return Frozen.try_emplace(V, Value).first->second;
  }
  std::vector<SymbolicValue> Operands;
  for (const Use &Operand : I.operands())
    Operands.push_back(isa<Function>(Operand) ? SymbolicValue()
                                              : build(Operand));
  return Rules.evaluate(I, Operands).Result;
}

std::optional<UndefQuestion> undefQuestion(FunctionEncoder &Before,
                                           FunctionEncoder &After,
                                           const Obligation &O,
                                           const std::vector<expr> &Facts) {
  if (!O.New)
    return std::nullopt; // about dividing and assuming: nothing is used
  z3::context &C = Before.world().context();
  UseTree New(After, "after:"), Old(Before, "before:");
  SymbolicValue Later = New.build(O.New);
  size_t Most = 0;
  for (const auto &[Id, Input] : New.Uses)
    Most = std::max(Most, Input.second.size());
  if (Most <= 1 && !New.IsTooLarge)
    return std::nullopt;
  SymbolicValue Earlier = Old.build(O.Old);
  UndefQuestion Q{{}, C.bool_val(true), std::nullopt, {}};
  if (New.IsTooLarge || Old.IsTooLarge)
    return Q; // cannot be shown

  // 1. The earlier version with one value of each input.
  std::vector<SymbolicValue> Choices;
  auto Replaced = [](SymbolicValue V, const z3::expr_vector &From,
                     const z3::expr_vector &To) {
    for (Lane &L : V) {
      L.Bits = L.Bits.substitute(From, To);
      L.Poison = L.Poison.substitute(From, To);
    }
    return V;
  };
  for (size_t I = 0; I < Most; ++I) {
    z3::expr_vector From(C), To(C);
    for (const auto &[Id, Input] : New.Uses) {
      From.push_back(Input.first);
      To.push_back(Input.second[std::min(I, Input.second.size() - 1)]);
    }
    Choices.push_back(Replaced(O.Before, From, To));
    // Undefined behaviour with any choice is undefined behaviour.
    for (expr Fact : Facts)
      Q.Facts.push_back(Fact.substitute(From, To));
  }
  // 2. Use by use the same.
  bool SameUses = Old.Uses.size() == New.Uses.size();
  z3::expr_vector From(C), To(C);
  for (const auto &[Id, Input] : Old.Uses) {
    auto It = New.Uses.find(Id);
    SameUses &=
        It != New.Uses.end() && It->second.second.size() == Input.second.size();
    for (size_t I = 0; SameUses && I < Input.second.size(); ++I) {
      From.push_back(Input.second[I]);
      To.push_back(It->second.second[I]);
    }
  }
  if (SameUses)
    Choices.push_back(Replaced(Earlier, From, To));

  // 3. None of them fits. An address or a condition has to be one value
  // whatever is chosen, or the earlier version is undefined.
  for (const SymbolicValue &Choice : Choices) {
    Q.Violated = both(Q.Violated, isWrong(Choice, Later, C));
    if (O.NeedsDefined)
      Q.Violated =
          both(Q.Violated, equal(Choice.front().Bits, Choices[0].front().Bits));
  }
  for (const auto &[Id, Input] : New.Uses)
    Q.Inputs.insert(Q.Inputs.end(), Input.second.begin(), Input.second.end());
  // Whether something is undefined must not depend on what is chosen.
  bool FactsAreFixed = !O.NeedsDefined;
  for (expr Fact : Facts)
    for (const auto &[Id, Input] : Old.Uses) {
      z3::expr_vector One(C), Other(C);
      One.push_back(Input.first);
      Other.push_back(Input.second.front());
      FactsAreFixed &= isSameTerm(Fact, Fact.substitute(One, Other));
    }
  if (FactsAreFixed)
    Q.SomeChoiceFits = negate(isWrong(Earlier, Later, C));
  return Q;
}

} // namespace unravel::refinement
