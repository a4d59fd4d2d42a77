//===- FunctionEncoder.cpp - A function as formulas -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEncoder.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

FunctionEncoder::FunctionEncoder(World &W, const FunctionPair &Pair,
                                 LoopView View, const FunctionEncoder *Before)
    : W(W), Rules(W), Pair(Pair), View(View), Before(Before), C(W.context()) {
  if (Before) {
    Reached = Before->Reached;
    Taken = Before->Taken;
    TimeOf = Before->TimeOf;
    TimeOfBlock = Before->TimeOfBlock;
  }
}

expr FunctionEncoder::taken(unsigned From, unsigned To) const {
  auto It = Taken.find({From, To});
  return It == Taken.end() ? C.bool_val(false) : It->second;
}

const SymbolicValue &FunctionEncoder::valueOf(const Value *V) {
  if (auto It = Values.find(V); It != Values.end())
    return It->second;
  SymbolicValue Result;
  if (auto *A = dyn_cast<Argument>(V)) {
    // Both versions get the same arguments.
    Result = W.argument(*Pair.Before->getArg(A->getArgNo()));
  } else if (auto *Expression = dyn_cast<ConstantExpr>(V)) {
    Instruction *I = Expression->getAsInstruction();
    std::vector<SymbolicValue> Operands;
    for (const Use &Operand : I->operands())
      Operands.push_back(valueOf(Operand));
    Result = Rules.evaluate(*I, Operands).Result;
    I->deleteValue();
  } else if (auto *Known = dyn_cast<Constant>(V)) {
    Result = W.constant(*Known);
  } else if (!V->getType()->isMetadataTy() && !V->getType()->isLabelTy()) {
    W.giveUp("a value used before its definition");
    Result = W.poison(V->getType());
  }
  return Values.try_emplace(V, std::move(Result)).first->second;
}

/// The same for both versions.
std::string FunctionEncoder::nameOf(const Instruction &I) {
  const Instruction *Old = Pair.partnerOf(I);
  if (!Old)
    return ("after:%" + I.getName()).str();
  std::string Name = ("%" + Old->getName()).str();
  if (!Old->hasName()) // the position is a name, too
    Name += std::to_string(Pair.Position.lookup(Old->getParent())) + "." +
            std::to_string(
                std::distance(Old->getParent()->begin(), Old->getIterator()));
  return Name;
}

void FunctionEncoder::encode() {
  ArrayRef<const BasicBlock *> Blocks =
      isBefore() ? Pair.BeforeBlocks : Pair.AfterBlocks;
  for (unsigned Position = 0; Position < Blocks.size(); ++Position)
    encodeBlock(Position, *Blocks[Position]);
  collectIncoming();
}

void FunctionEncoder::encodeBlock(unsigned Position, const BasicBlock &BB) {
  if (isBefore()) {
    expr Here = C.bool_val(Position == 0);
    for (const BasicBlock *From : predecessors(&BB))
      if (Pair.Position.count(From) && !Pair.isBackEdge(From, &BB))
        Here = either(Here, taken(Pair.Position.lookup(From), Position));
    Reached.push_back(Here);
    TimeOfBlock[Position] = Now;
    // How often a loop runs is unknown.
    if (Pair.Headers.count(Position))
      MayStopAt.push_back(Now);
  }
  Now = TimeOfBlock.lookup(Position);
  for (const Instruction &I : BB) {
    if (isBefore()) {
      TimeOf[&I] = Now;
      if (mayStop(I))
        MayStopAt.push_back(Now + 1);
    } else if (const Instruction *Old = Pair.partnerOf(I);
               Old && Old->getParent() == Pair.BeforeBlocks[Position] &&
               isEvent(I)) {
      Now = TimeOf.lookup(Old);
    }
    if (auto *Phi = dyn_cast<PHINode>(&I))
      Values[&I] = phi(*Phi, Position);
    else if (I.isTerminator())
      encodeTerminator(I, Reached[Position]);
    else
      encodeInstruction(I, Reached[Position]);
    if (isBefore() || isEvent(I))
      ++Now;
  }
}

SymbolicValue FunctionEncoder::phi(const PHINode &Phi, unsigned Position) {
  if (isa<FPMathOperator>(Phi) && !isAnyFloat(Phi))
    W.giveUp("a phi with fast-math flags");
  if (Pair.Headers.count(Position) && View == LoopView::AnyIteration)
    return W.unknown(Phi.getType(), nameOf(Phi), /*NeverPoison=*/false);
  std::optional<SymbolicValue> Result;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
    const BasicBlock *From = Phi.getIncomingBlock(I);
    if (!Pair.Position.count(From) || Pair.isBackEdge(From, Phi.getParent()))
      continue;
    const SymbolicValue &Value = valueOf(Phi.getIncomingValue(I));
    Result = Result ? choose(taken(Pair.Position.lookup(From), Position), Value,
                             *Result)
                    : Value;
  }
  return Result ? *Result : W.poison(Phi.getType());
}

/// A poison operand becomes some value. That of the later version is anything;
/// that of the earlier one may then be chosen to fit: where the later version
/// has the same freeze, as the same value.
SymbolicValue FunctionEncoder::freeze(const Instruction &I,
                                      const SymbolicValue &Operand) {
  SymbolicValue Result;
  for (size_t L = 0; L < Operand.size(); ++L) {
    const Lane &From = Operand[L];
    if (From.Poison.is_false()) {
      Result.push_back(From);
      continue;
    }
    if (From.Memory)
      W.giveUp("freeze of a pointer that may be poison");
    expr Chosen =
        W.variable("freeze " + nameOf(I) + "." + Twine(L), widthOf(From.Bits));
    Choices.push_back(Chosen);
    Result.push_back({choose(From.Poison, Chosen, From.Bits), C.bool_val(false),
                      From.Memory});
  }
  return Result;
}

void FunctionEncoder::encodeInstruction(const Instruction &I,
                                        const expr &Here) {
  std::vector<SymbolicValue> Operands;
  for (const Use &Operand : I.operands())
    Operands.push_back(isa<CallBase>(I) && isa<Function>(Operand)
                           ? SymbolicValue() // what is called has a name
                           : valueOf(Operand));
  if (isa<FreezeInst>(I)) {
    Values[&I] = freeze(I, Operands[0]);
    return;
  }
  if (isEvent(I))
    return encodeEvent(I, Here, Operands);
  if (isa<DbgInfoIntrinsic>(I))
    return;
  Effect E = Rules.evaluate(I, Operands);
  Values[&I] = E.Result;
  if (!E.Undefined.is_false())
    Hazards.push_back({both(Here, E.Undefined), Now, &I});
}

void FunctionEncoder::encodeEvent(const Instruction &I, const expr &Here,
                                  ArrayRef<SymbolicValue> Operands) {
  const DataLayout &DL = W.layout();
  expr Undefined = C.bool_val(false);
  auto Access = [&](const SymbolicValue &Pointer, Type *Ty, Align A) {
    TypeSize Size = DL.getTypeStoreSize(Ty);
    if (Size.isScalable())
      return W.giveUp("a scalable type");
    Undefined = either(
        Undefined, Rules.isBadAccess(Pointer.front(), Size.getFixedValue(), A));
  };
  SymbolicValue Result =
      W.unknown(I.getType(), nameOf(I), /*NeverPoison=*/isa<AllocaInst>(I));
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Access(Operands[0], I.getType(), Load->getAlign());
    Undefined = either(Undefined, Rules.applyPromises(I, Result));
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Access(Operands[1], Store->getValueOperand()->getType(), Store->getAlign());
  } else if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    Access(Operands[0], I.getType(), Update->getAlign());
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Access(Operands[0], Exchange->getNewValOperand()->getType(),
           Exchange->getAlign());
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    Undefined = Rules.isBadCall(*Call, Operands.take_front(Call->arg_size()));
    Undefined = either(Undefined, Rules.applyPromises(I, Result));
  } else if (auto *Alloca = dyn_cast<AllocaInst>(&I)) {
    auto *Count = dyn_cast<ConstantInt>(Alloca->getArraySize());
    const Lane &L = Result.front();
    W.Axioms.push_back(L.Bits == L.Memory->Base);
    if (Count && Count->getValue().getActiveBits() < 32)
      W.Axioms.push_back(
          L.Memory->Size ==
          number(C,
                 Count->getZExtValue() *
                     DL.getTypeAllocSize(Alloca->getAllocatedType()),
                 widthOf(L.Bits)));
    W.Axioms.push_back(
        (L.Bits & number(C, Alloca->getAlign().value() - 1, widthOf(L.Bits))) ==
        number(C, 0, widthOf(L.Bits)));
  } else if (!isa<FenceInst>(I)) {
    W.giveUp(Twine("instruction ") + I.getOpcodeName());
  }
  Values[&I] = Result;
  if (!Undefined.is_false())
    Hazards.push_back({both(Here, Undefined), Now, &I});
  Events.push_back({&I, Now, Here, Operands.vec()});
}

void FunctionEncoder::encodeTerminator(const Instruction &I, const expr &Here) {
  Event E{&I, Now, Here, {}};
  unsigned Position = Pair.Position.lookup(I.getParent());
  auto Take = [&](const BasicBlock *To, const expr &Condition) {
    if (!isBefore())
      return;
    std::pair<unsigned, unsigned> Edge(Position, Pair.Position.lookup(To));
    expr Old = taken(Edge.first, Edge.second);
    Taken.insert_or_assign(Edge, either(Old, both(Here, Condition)));
  };
  auto Decide = [&](const Value *Condition) -> const Lane & {
    const SymbolicValue &V = valueOf(Condition);
    E.Operands.push_back(V);
    if (!V.front().Poison.is_false())
      Hazards.push_back({both(Here, V.front().Poison), Now, &I});
    return V.front();
  };
  if (auto *Return = dyn_cast<ReturnInst>(&I)) {
    if (const Value *V = Return->getReturnValue()) {
      E.Operands.push_back(valueOf(V));
      if (I.getFunction()->hasRetAttribute(Attribute::NoUndef))
        Hazards.push_back(
            {both(Here, anyPoison(E.Operands.front(), C)), Now, &I});
      if (I.getFunction()->hasRetAttribute(Attribute::Range))
        W.ignoreFact("range of a returned value");
    }
  } else if (auto *Branch = dyn_cast<BranchInst>(&I)) {
    if (Branch->isUnconditional()) {
      Take(Branch->getSuccessor(0), C.bool_val(true));
    } else {
      expr Holds = isSet(Decide(Branch->getCondition()).Bits);
      Take(Branch->getSuccessor(0), Holds);
      Take(Branch->getSuccessor(1), negate(Holds));
    }
  } else if (auto *Switch = dyn_cast<SwitchInst>(&I)) {
    expr Value = Decide(Switch->getCondition()).Bits;
    expr Other = C.bool_val(true);
    for (const auto &Case : Switch->cases()) {
      expr Holds =
          folded(equal(Value, number(C, Case.getCaseValue()->getValue())));
      Take(Case.getCaseSuccessor(), Holds);
      Other = both(Other, negate(Holds));
    }
    Take(Switch->getDefaultDest(), Other);
  } else { // unreachable
    Hazards.push_back({Here, Now, &I});
  }
  Events.push_back(E);
}

void FunctionEncoder::collectIncoming() {
  ArrayRef<const BasicBlock *> Blocks =
      isBefore() ? Pair.BeforeBlocks : Pair.AfterBlocks;
  for (unsigned Header : Pair.Headers)
    for (const PHINode &Phi : Blocks[Header]->phis())
      for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
        const BasicBlock *From = Phi.getIncomingBlock(I);
        if (!Pair.Position.count(From))
          continue;
        unsigned Position = Pair.Position.lookup(From);
        const BasicBlock *Old = Pair.BeforeBlocks[Position];
        unsigned At = TimeOf.lookup(Old->getTerminator());
        Incomings.push_back(
            {&Phi, Position >= Header, At, taken(Position, Header),
             valueOf(Phi.getIncomingValue(I)), Phi.getIncomingValue(I)});
      }
}

} // namespace unravel::refinement
