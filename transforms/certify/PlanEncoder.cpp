//===- PlanEncoder.cpp - Planned arithmetic as integers -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/certify/PlanEncoder.h"
#include "transforms/plan/PlanInstruction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace unravel {

Word PlanEncoder::valueOf(const PlanNode *Node) {
  auto It = Words.find(Node);
  if (It != Words.end())
    return It->second;
  Word W = compute(*Node);
  return Words[Node] = W;
}

Word PlanEncoder::leafValue(const PlanNode &Node) {
  return Node.Imm == PlanNode::MayBeUndef
             ? Values.frozenValueOf(Node.Leaf)
             : Values.valueOf(Node.Leaf, Trust::Proved);
}

Word PlanEncoder::compute(const PlanNode &Node) {
  if (Node.Op == PlanOp::Leaf)
    return leafValue(Node);
  WordEncoder &W = Values.words();
  if (Node.Op == PlanOp::Phi) {
    auto *Beside = cast<PHINode>(Node.Leaf);
    const BasicBlock *Entry = Values.entryOf(Beside->getParent());
    return valueOf(Beside->getIncomingBlock(0) == Entry ? Node.A : Node.B);
  }
  if (Node.Op == PlanOp::Select)
    return W.isTrue(Values.valueOf(Node.Leaf, Trust::Proved)) ? valueOf(Node.A)
                                                              : valueOf(Node.B);
  if (Node.Op == PlanOp::PtrAdd)
    return address(Node);
  PlanInstruction I = instructionOf(Node);
  auto Operand = [&](const PlanNode *N) {
    return N ? valueOf(N)
             : W.constant(APInt(Node.Width, uint64_t(I.Imm), true, true));
  };
  Word A = Operand(I.Left);
  if (Node.Op == PlanOp::Constant)
    return A;
  switch (I.Form) {
  case PlanForm::Binary: {
    Word B = Operand(I.Right);
    // checkDivisions() proves that a division by a value is defined.
    Trust T = Node.Anchor ? Trust::Believed : Trust::Proved;
    // What was given up for an operand stays so.
    if (hasFlags(Node) && C.reason().empty()) {
      PoisonFlags Flags;
      Flags.NoUnsignedWrap = I.NoUnsignedWrap;
      Flags.NoSignedWrap = I.NoSignedWrap;
      Word Flagged = W.binary(I.Code, A, B, Flags, T);
      if (!withdrawFlags(Node))
        return Flagged;
    }
    return W.binary(I.Code, A, B, {}, T);
  }
  case PlanForm::Intrinsic: {
    Word B = Operand(I.Right);
    switch (I.Code) {
    case Intrinsic::smin:
    case Intrinsic::umin:
      return W.lesser(A, B, I.Code == Intrinsic::smin);
    case Intrinsic::smax:
      return W.greater(A, B, true);
    case Intrinsic::nvvm_mulhi_ui:
      return W.upperProduct(A, B);
    default:
      break;
    }
    break;
  }
  case PlanForm::Cast:
    if (I.Code == Instruction::Trunc)
      return W.truncated(A, Node.Width, {}, Trust::Proved);
    return I.Code == Instruction::ZExt ? W.zeroExtended(A, Node.Width)
                                       : W.signExtended(A, Node.Width);
  case PlanForm::Other:
    if (Node.Op == PlanOp::Compare)
      return W.truth(W.compare(static_cast<CmpInst::Predicate>(I.Imm), A,
                               Operand(I.Right)));
    break;
  }
  C.giveUp("an operation of the new code that has no definition here");
  return A;
}

/// Whether the node has flags, and they have not been given up before.
bool PlanEncoder::hasFlags(const PlanNode &Node) const {
  return (Node.NoUnsignedWrap || Node.NoSignedWrap || Node.InBounds) &&
         (!Unflagged || !Unflagged->contains(&Node));
}

/// Whether the case was given up just now and is taken up again without the
/// flags of the node.
bool PlanEncoder::withdrawFlags(const PlanNode &Node) {
  if (!Unflagged || C.reason().empty())
    return false;
  C.withdraw();
  Unflagged->insert(&Node);
  return true;
}

/// A pointer plus an offset.
Word PlanEncoder::address(const PlanNode &Node) {
  WordEncoder &W = Values.words();
  Word Start = valueOf(Node.A), Offset = valueOf(Node.B);
  Word Sum;
  Sum.Width = Start.Width;
  if (hasFlags(Node) && C.reason().empty()) {
    Polynomial Bytes = W.signedOf(Offset);
    Sum.Bits = Start.Bits + Bytes;
    Sum.Unsigned = W.unsignedOf(Start) + Bytes;
    W.fixQuotients();
    if (!isInBounds(Node, Start, Sum, Bytes))
      C.giveUp("an address that may not be in bounds");
    if (!withdrawFlags(Node))
      return Sum;
    Sum.Unsigned = std::nullopt;
  }
  Sum.Bits = Start.Bits + Offset.Bits;
  return Sum;
}

/// `inbounds` holds between two places of the object that the old code went
/// through, and no object wraps.
bool PlanEncoder::isInBounds(const PlanNode &Node, const Word &Start,
                             const Word &Sum, const Polynomial &Bytes) {
  WordEncoder &W = Values.words();
  const PlanNode *Root = &Node;
  while (Root->Op == PlanOp::PtrAdd)
    Root = Root->A;
  if (Root->Op != PlanOp::Leaf)
    return false;
  Polynomial Base = W.unsignedOf(valueOf(Root));
  std::vector<Polynomial> Places = Values.offsetsInObject(Old, Root->Leaf);
  auto IsProved = [&](const Polynomial &P) { return C.Proofs.proves(P, 32); };
  auto IsInObject = [&](const Polynomial &Place) {
    return any_of(Places,
                  [&](const Polynomial &P) {
                    return W.haveSameOrigin(P, Place, Sum.Width);
                  }) ||
           (any_of(Places,
                   [&](const Polynomial &P) { return IsProved(Place - P); }) &&
            any_of(Places,
                   [&](const Polynomial &P) { return IsProved(P - Place); }));
  };
  return IsInObject(W.unsignedOf(Start) - Base) &&
         IsInObject(*Sum.Unsigned - Base) &&
         (!Node.NoUnsignedWrap || IsProved(Bytes));
}

/// One case of isDefined().
bool PlanEncoder::dividesInOrder(const PlanNode &Node, Case &There,
                                 const LeafRanges &Ranges,
                                 PlanNodeSet *Dropped) const {
  const Instruction *Anchor = Node.Anchor;
  bool IsSigned = Node.Op == PlanOp::SDivBy || Node.Op == PlanOp::SRemBy;
  ValueEncoder ValuesThere(View, There, Anchor, Ranges);
  ValuesThere.learn();
  DenseSet<const PlanNode *> Seen;
  forEachNode(Node.B, Seen, [&](const PlanNode *Part) {
    if (Part->Op == PlanOp::Leaf && !isa<Constant>(Part->Leaf))
      ValuesThere.valueOf(Part->Leaf, Trust::Proved);
  });
  PlanEncoder PlanThere(View, There, ValuesThere, Old, Dropped);
  WordEncoder &W = ValuesThere.words();
  auto IsRight = [&](unsigned Splits) {
    Word Divisor = PlanThere.valueOf(Node.B);
    Polynomial D = IsSigned ? W.signedOf(Divisor) : W.unsignedOf(Divisor);
    // The least number by -1 is no number.
    return W.isNotZero(D, Splits) &&
           (!IsSigned ||
            There.Proofs.provesNotBothZero(
                W.signedOf(PlanThere.valueOf(Node.A)) -
                    Polynomial(WordEncoder::lowest(Node.Width, true)),
                D + 1, Splits));
  };
  // Mostly that is easy. Where it is not, the divisions behind the anchor say
  // more.
  ValuesThere.learnDivisors();
  W.fixMultiples();
  bool IsProved = IsRight(/*Splits=*/0);
  if (!IsProved) {
    ValuesThere.learnDivisionsToCome(IsSigned);
    ValuesThere.learnDivisors();
    W.fixMultiples();
    IsProved = IsRight(/*Splits=*/8);
  }
  return There.followsScript() &&
         ((IsProved && There.reason().empty()) || There.Proofs.isImpossible(8));
}

/// Division by zero is undefined where it is executed, which may be as early as
/// at its anchor: only what holds there counts.
bool PlanEncoder::isDefined(const PlanNode &Node, PlanNodeSet *Dropped) const {
  static constexpr unsigned MaxCases = 64;
  LeafRanges Ranges = ValueEncoder::rangesAt(View, Node.Anchor);
  Case::Script Script;
  unsigned Cases = 0;
  do {
    Case There(Script, View.Memo);
    if (++Cases > MaxCases || !dividesInOrder(Node, There, Ranges, Dropped))
      return false;
    Script = There.nextScript();
  } while (!Script.empty());
  return true;
}

void PlanEncoder::checkDivisions(const PlanNode *Plan, DivisionProofs &Proofs) {
  // What is opaque in one plan is not in another.
  bool IsShared = View.Opaque.empty();
  DenseSet<const PlanNode *> Seen;
  forEachNode(Plan, Seen, [&](const PlanNode *Node) {
    if (!is_contained(
            {PlanOp::UDivBy, PlanOp::URemBy, PlanOp::SDivBy, PlanOp::SRemBy},
            Node->Op))
      return;
    if (!Node->Anchor)
      return C.giveUp("a division of the new code without a place");
    auto Known = IsShared ? Proofs.find(Node) : Proofs.end();
    // A proof holds however it was found; that there is none only says
    // something where nothing was left out.
    if (Known != Proofs.end() &&
        (Known->second.IsDefined ? !Unflagged && !Known->second.Dropped.empty()
                                 : !View.Cuts.empty()))
      Known = Proofs.end();
    DivisionProof Proof;
    if (Known != Proofs.end()) {
      Proof = Known->second;
    } else {
      Proof.IsDefined = isDefined(*Node, Unflagged ? &Proof.Dropped : nullptr);
      if (IsShared && (Proof.IsDefined || (Unflagged && View.Cuts.empty())))
        Proofs[Node] = Proof;
    }
    if (!Proof.IsDefined)
      C.giveUp("a divisor that may be 0 where the new code divides");
    if (Unflagged)
      Unflagged->insert(Proof.Dropped.begin(), Proof.Dropped.end());
  });
}

std::optional<ValueSet> opaqueValues(const PlanNode *Plan) {
  struct Use {
    const Value *Leaf;
    bool IsFrozen;
  };
  DenseMap<const Value *, SmallVector<Use, 2>> Uses;
  // Operands have smaller ids than their users.
  std::map<unsigned, std::pair<const PlanNode *, unsigned>> Work;
  Work[Plan->Id] = {Plan, 1};
  while (!Work.empty()) {
    auto [Node, Times] = std::prev(Work.end())->second;
    Work.erase(std::prev(Work.end()));
    if (Node->usesLeaf() && Node->Op != PlanOp::Phi) {
      bool IsFrozen =
          Node->Op == PlanOp::Leaf && Node->Imm == PlanNode::MayBeUndef;
      for (const Value *Source : sourcesOfUndef(Node->Leaf))
        Uses[Source].append(IsFrozen ? 1 : Times, {Node->Leaf, IsFrozen});
    }
    for (const PlanNode *Operand : {Node->A, Node->B}) {
      if (!Operand)
        continue;
      unsigned &All =
          Work.try_emplace(Operand->Id, Operand, 0).first->second.second;
      All = std::min(All + Times, 2u);
    }
  }
  ValueSet Opaque;
  for (const auto &[Source, All] : Uses) {
    if (All.size() == 1)
      continue;
    SmallPtrSet<const Value *, 4> OfSource;
    for (const Use &U : All)
      if (!U.IsFrozen || !OfSource.insert(U.Leaf).second)
        return std::nullopt;
    Opaque.insert(OfSource.begin(), OfSource.end());
  }
  return Opaque;
}

} // namespace unravel
