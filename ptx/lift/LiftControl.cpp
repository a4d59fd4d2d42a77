//===- LiftControl.cpp - Labels and branches ------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Lifter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

/// Labels and tables of targets.
void Lifter::findLabels() {
  LabelScopes = {K.Body.size()};
  for (auto [At, S] : enumerate(K.Body))
    if (auto *Braces = S.as<Scope>()) {
      if (Braces->Begins)
        LabelScopes.push_back(At);
      else
        LabelScopes.pop_back();
    } else if (auto *L = S.as<Label>()) {
      Labels[LabelScopes.back()].insert(L->Name);
      LastLabel = L->Name;
    } else if (auto *D = S.as<Directive>(); D && D->Name == "branchtargets") {
      if (!BranchTargets.try_emplace(scopedLabel(LastLabel), D).second)
        return refuse("table '" + LastLabel + "' is there twice");
    }
  LastLabel = "";
}

/// A scope sees the labels of those around it, and hides those of their names.
std::string Lifter::scopedLabel(StringRef Label) const {
  for (size_t Begin : reverse(LabelScopes))
    if (auto It = Labels.find(Begin);
        It != Labels.end() && It->second.count(Label))
      return Begin == K.Body.size() ? Label.str()
                                    : (Label + "@" + Twine(Begin)).str();
  return Label.str();
}

BasicBlock *Lifter::blockOf(StringRef Label) {
  BasicBlock *&Block = Blocks[scopedLabel(Label)];
  if (!Block)
    Block = BasicBlock::Create(Context, "", F);
  return Block;
}

void Lifter::startBlock(StringRef Label) {
  BasicBlock *Block = blockOf(Label);
  if (!Defined.insert(Block).second)
    return refuse("label '" + Label + "' is there twice");
  if (!IsUnreachable)
    B.CreateBr(Block);
  IsUnreachable = false;
  B.SetInsertPoint(Block);
}

bool Lifter::liftControl(const ptx::Instruction &I) {
  bool IsBranch = I.base() == "bra";
  bool IsReturn = I.base() == "ret" || I.base() == "exit";
  if (I.base() == "brx")
    return liftIndexedBranch(I);
  if (!IsBranch && !IsReturn)
    return false;
  BasicBlock *Target;
  if (IsBranch) {
    if (I.Operands.size() != 1 || !I.Operands[0].isName()) {
      refuse("branch '" + I.Opcode + "'");
      return true;
    }
    Target = blockOf(I.Operands[0].Name);
  } else {
    Target = BasicBlock::Create(Context, "", F);
    IRBuilder<> Return(Target);
    Return.SetCurrentDebugLocation(B.getCurrentDebugLocation());
    Return.CreateRetVoid();
  }
  if (I.Predicate.empty()) {
    B.CreateBr(Target);
    IsUnreachable = true;
    return true;
  }
  Value *Condition = readPredicate(I.Predicate);
  BasicBlock *Next = BasicBlock::Create(Context, "", F);
  if (I.IsNegated)
    B.CreateCondBr(Condition, Next, Target);
  else
    B.CreateCondBr(Condition, Target, Next);
  B.SetInsertPoint(Next);
  return true;
}

/// `brx.idx index, table;` with `table: .branchtargets A, B;`. An index beyond
/// the table is undefined behaviour in PTX, too.
bool Lifter::liftIndexedBranch(const ptx::Instruction &I) {
  auto Refuse = [&] {
    refuse("branch '" + I.Opcode + "'");
    return true;
  };
  if (!I.has("idx") || I.Operands.size() != 2 || !I.Predicate.empty())
    return Refuse();
  const Directive *Table =
      BranchTargets.lookup(scopedLabel(I.Operands[1].Name));
  if (!Table)
    return Refuse();
  SmallVector<StringRef, 8> Labels;
  Table->Rest.split(Labels, ',');
  Value *Index = readInt(I.Operands[0], 32);
  BasicBlock *Beyond = BasicBlock::Create(Context, "", F);
  new UnreachableInst(Context, Beyond);
  SwitchInst *Switch = B.CreateSwitch(Index, Beyond, Labels.size());
  for (auto [Number, Label] : enumerate(Labels))
    Switch->addCase(B.getInt32(Number), blockOf(Label.trim()));
  IsUnreachable = true;
  return true;
}

/// `.pragma "nounroll"` behind a label speaks of the loop that begins there.
void Lifter::disableUnrolling() {
  for (BasicBlock *Header : NotUnrolled) {
    MDNode *Disable = MDNode::get(
        Context, MDString::get(Context, "llvm.loop.unroll.disable"));
    MDNode *Loop = MDNode::getDistinct(Context, {nullptr, Disable});
    Loop->replaceOperandWith(0, Loop);
    for (BasicBlock *From : predecessors(Header))
      From->getTerminator()->setMetadata(LLVMContext::MD_loop, Loop);
  }
}
