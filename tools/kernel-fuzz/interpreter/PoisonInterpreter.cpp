//===- PoisonInterpreter.cpp - Runs one thread of a kernel ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/interpreter/PoisonInterpreter.h"
#include "tools/kernel-fuzz/interpreter/ExecuteOperation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace unravel {

namespace {

class Thread {
public:
  Thread(const ThreadInput &Input, uint64_t MaxSteps, ExecutionTrace *Trace)
      : Result(Input.Seed), Input(Input), StepsLeft(MaxSteps), Trace(Trace) {}

  /// Runs \p D; false if the thread ends in it.
  bool run(const DecodedFunction &D, ArrayRef<Scalar> Arguments,
           Scalar &Return);
  RunResult Result;

private:
  using Slots = std::vector<Scalar>;
  void enterBlock(const DecodedFunction &D, const DecodedBlock &Block, int From,
                  Slots &S);
  bool step(const Operation &Op, Slots &S, int &Next);
  Outcome compute(const Operation &Op, ArrayRef<Scalar> Operands,
                  const Slots &S);
  Outcome freeze(const Operation &Op, Scalar A);
  uint64_t arbitraryValue(const Operation &Op, unsigned Count) const;
  bool isWithinObject(Scalar Address, uint64_t Bytes) const;
  Outcome load(const Operation &Op, Scalar Address);
  Outcome store(const Operation &Op, Scalar Value, Scalar Address);
  Outcome updateAtomically(const Operation &Op, Scalar Address, Scalar Value);
  Outcome fillOrCopy(const Operation &Op, ArrayRef<Scalar> Operands);
  bool call(const Operation &Op, ArrayRef<Scalar> Operands, Outcome &Out);
  bool callUnknown(const Operation &Op, ArrayRef<Scalar> Operands,
                   Outcome &Out);
  bool branch(const Operation &Op, Scalar Condition, int &Next);
  void trace(const Operation &Op, ArrayRef<Scalar> Operands,
             const Outcome &Out);
  bool stop(RunStatus Status, const char *Reason, const Instruction *At) {
    Result.Status = Status;
    Result.Reason = Reason;
    Result.At = At;
    return false;
  }
  bool undefined(const char *Reason, const Instruction *At) {
    return stop(RunStatus::UndefinedBehavior, Reason, At);
  }

  const ThreadInput &Input;
  uint64_t StepsLeft;
  ExecutionTrace *Trace;
  DenseMap<const Instruction *, unsigned> FreezeCounts;
  unsigned Depth = 0;
};

unsigned bytesOf(unsigned Width) { return (Width + 7) / 8; }

/// A small number as often as a large one.
uint64_t anyNumber(uint64_t Hash) {
  Hash = mixBits(Hash);
  return mixBits(Hash) & 1 ? Hash : Hash & 15;
}

Outcome undefinedOutcome(const char *Reason) {
  Outcome Out;
  Out.UndefinedBehavior = Reason;
  return Out;
}

} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool Thread::isWithinObject(Scalar Address, uint64_t Bytes) const {
  if (Address.Object < 0)
    return true;
  const MemoryObject &Object = Input.Objects[Address.Object];
  uint64_t Offset = Address.Bits - Object.Base;
  return Offset <= Object.Size && Bytes <= Object.Size - Offset;
}

Outcome Thread::load(const Operation &Op, Scalar Address) {
  if (Address.IsPoison)
    return undefinedOutcome("load from poison");
  if (Address.Bits & Op.AlignMask)
    return undefinedOutcome("misaligned load");
  Outcome Out;
  unsigned Bytes = bytesOf(Op.Width);
  // Scalars may lie anywhere. Of a vector, LLVM loads single lanes from where
  // they lie within the object.
  if (unsigned Lanes = countLanes(Op.Inst->getType());
      Lanes > 1 && !isWithinObject(Address, Lanes * Bytes))
    return undefinedOutcome("vector outside of an object");
  Out.Value = Result.Memory.loadWord(Address.Bits + Op.Lane * Bytes, Bytes);
  Out.Value.Bits = lowBits(Out.Value.Bits, Op.Width);
  if (Trace)
    (*Trace)[Op.Inst].AddressBits |= Address.Bits;
  return Out;
}

Outcome Thread::store(const Operation &Op, Scalar Value, Scalar Address) {
  if (Address.IsPoison)
    return undefinedOutcome("store to poison");
  if (Address.Bits & Op.AlignMask)
    return undefinedOutcome("misaligned store");
  unsigned Bytes = bytesOf(Op.Width);
  uint64_t LaneAddress = Address.Bits + Op.Lane * Bytes;
  Result.Memory.storeWord(LaneAddress, Bytes, Value);
  Result.Events.push_back({Event::Store, uint8_t(Bytes), Value.IsPoison,
                           LaneAddress, Value.Bits, Op.Inst, Value.IsUndef});
  if (Trace) {
    InstructionTrace &T = (*Trace)[Op.Inst];
    T.AddressBits |= Address.Bits;
    ++T.Count;
  }
  return {};
}

Outcome Thread::updateAtomically(const Operation &Op, Scalar Address,
                                 Scalar Value) {
  auto &Atomic = *cast<AtomicRMWInst>(Op.Inst);
  if (Address.IsPoison)
    return undefinedOutcome("atomic access to poison");
  unsigned Bytes = bytesOf(Op.Width);
  Outcome Out;
  Out.Value = Result.Memory.loadWord(Address.Bits, Bytes);
  APInt Old(Op.Width, lowBits(Out.Value.Bits, Op.Width)),
      New(Op.Width, lowBits(Value.Bits, Op.Width));
  switch (Atomic.getOperation()) {
  case AtomicRMWInst::Xchg:
    break;
  case AtomicRMWInst::Add:
    New = Old + New;
    break;
  case AtomicRMWInst::Sub:
    New = Old - New;
    break;
  case AtomicRMWInst::And:
    New = Old & New;
    break;
  case AtomicRMWInst::Or:
    New = Old | New;
    break;
  case AtomicRMWInst::Xor:
    New = Old ^ New;
    break;
  case AtomicRMWInst::Max:
    New = Old.sgt(New) ? Old : New;
    break;
  case AtomicRMWInst::Min:
    New = Old.slt(New) ? Old : New;
    break;
  case AtomicRMWInst::UMax:
    New = Old.ugt(New) ? Old : New;
    break;
  case AtomicRMWInst::UMin:
    New = Old.ult(New) ? Old : New;
    break;
  default:
    Out.IsUnsupported = true;
    return Out;
  }
  Scalar Word{New.getZExtValue(), Value.IsPoison || Out.Value.IsPoison, -1};
  Result.Memory.storeWord(Address.Bits, Bytes, Word);
  Result.Events.push_back({Event::Store, uint8_t(Bytes), Word.IsPoison,
                           Address.Bits, Word.Bits, Op.Inst});
  return Out;
}

/// memset, memcpy and memmove.
Outcome Thread::fillOrCopy(const Operation &Op, ArrayRef<Scalar> Operands) {
  static constexpr uint64_t MaxBytes = 4096;
  Scalar To = Operands[0], From = Operands[1], Count = Operands[2];
  if (Count.IsPoison)
    return undefinedOutcome("poison number of bytes");
  if (Count.Bits == 0)
    return {};
  bool IsFill = Op.ID == Intrinsic::memset;
  if (To.IsPoison || (!IsFill && From.IsPoison))
    return undefinedOutcome("access to poison");
  Outcome Out;
  Out.IsUnsupported = Count.Bits > MaxBytes;
  if (Out.IsUnsupported)
    return Out;
  SmallVector<MemoryByte, 64> Bytes;
  for (uint64_t K = 0; K < Count.Bits; ++K)
    Bytes.push_back(
        IsFill ? MemoryByte{uint8_t(From.Bits), From.IsPoison, From.IsUndef}
               : Result.Memory.load(From.Bits + K));
  for (uint64_t K = 0; K < Count.Bits; ++K) {
    Result.Memory.store(To.Bits + K, Bytes[K]);
    Result.Events.push_back({Event::Store, 1, Bytes[K].IsPoison, To.Bits + K,
                             Bytes[K].Value, Op.Inst, Bytes[K].IsUndef});
  }
  return Out;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// False if the thread ends.
bool Thread::callUnknown(const Operation &Op, ArrayRef<Scalar> Operands,
                         Outcome &Out) {
  const UnknownCallee &Callee = *Op.Unknown;
  uint64_t Hash = Input.Seed ^ Callee.NameHash;
  bool AnyPoison = false;
  for (const Scalar &Operand : Operands) {
    Hash = mixBits(Hash * 31 + Operand.Bits);
    AnyPoison |= Operand.IsPoison;
    if (Callee.MayBeSeen)
      Result.Events.push_back({Event::Argument, 0, Operand.IsPoison,
                               Callee.NameHash, Operand.Bits, Op.Inst,
                               Operand.IsUndef});
  }
  if (Operands.empty() && Callee.MayBeSeen)
    Result.Events.push_back(
        {Event::Argument, 0, false, Callee.NameHash, 0, Op.Inst});
  if (AnyPoison && Callee.MayEndThread) {
    Out = undefinedOutcome("poison decides whether a call returns");
    return true;
  }
  if (Callee.MayEndThread && Hash % 4 == 0) {
    Result.Events.push_back({Event::ThreadEnd, 0, false, 0, 0, Op.Inst});
    return stop(RunStatus::Done, "ended by a call", Op.Inst);
  }
  if (Op.Result >= 0)
    Out.Value = AnyPoison ? Scalar::poison()
                          : Scalar{lowBits(mixBits(Hash), Op.Width), false, -1};
  return true;
}

bool Thread::call(const Operation &Op, ArrayRef<Scalar> Operands,
                  Outcome &Out) {
  static constexpr unsigned MaxDepth = 16;
  auto &Call = *cast<CallBase>(Op.Inst);
  if (Op.Register) {
    Out.Value.Bits = Input.Registers[*Op.Register];
  } else if (Op.Callee) {
    for (unsigned K = 0; K < Operands.size(); ++K)
      if (Operands[K].IsPoison && Call.paramHasAttr(K, Attribute::NoUndef)) {
        Out = undefinedOutcome("poison argument");
        return true;
      }
    if (Depth >= MaxDepth)
      return stop(RunStatus::Unsupported, "deep calls", Op.Inst);
    ++Depth;
    bool Returns = run(*Op.Callee, Operands, Out.Value);
    --Depth;
    return Returns;
  } else if (Op.Unknown) {
    return callUnknown(Op, Operands, Out);
  } else if (Op.ID == Intrinsic::assume) {
    if (Operands[0].IsPoison || !Operands[0].Bits)
      Out = undefinedOutcome("wrong assumption");
  } else if (Op.ID == Intrinsic::memset || Op.ID == Intrinsic::memcpy ||
             Op.ID == Intrinsic::memmove) {
    Out = fillOrCopy(Op, Operands);
  } else if (Call.getType()->isFPOrFPVectorTy() ||
             Op.ID == Intrinsic::nvvm_f2ui_rz) {
    Out = executeFloat(Op, Operands);
  } else if (isReduction(Op.ID)) {
    Out = executeReduction(Op, Operands);
  } else if (Op.Result >= 0) {
    Out = executeIntrinsic(Op, Operands);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

/// One arbitrary value, the same for a freeze of the same name before and after
/// the pass.
uint64_t Thread::arbitraryValue(const Operation &Op, unsigned Count) const {
  if (Input.FreezeValues) {
    auto Others = Input.FreezeValues->find(Op.Inst->getName());
    if (Others != Input.FreezeValues->end() && Count < Others->second.size())
      return Others->second[Count];
  }
  switch (Input.FreezeChoice) {
  case 1:
  case 3:
    return Input.FreezeChoice / 2;
  case 2:
    return UINT64_MAX;
  case 4:
    return uint64_t(1) << (Op.Width - 1);
  default:
    break;
  }
  uint64_t Hash = Input.Seed + Input.FreezeChoice;
  for (char C : Op.Inst->getName())
    Hash = Hash * 131 + uint8_t(C);
  return anyNumber(Hash + Count);
}

Outcome Thread::freeze(const Operation &Op, Scalar A) {
  Outcome Out;
  Out.Value = A;
  unsigned Count = FreezeCounts[Op.Inst]++;
  if (A.IsPoison) {
    Result.Frozen.push_back(Op.Inst);
    Out.Value = {lowBits(arbitraryValue(Op, Count), Op.Width), false, -1};
  }
  Result.FreezeValues[Op.Inst->getName()].push_back(Out.Value.Bits);
  return Out;
}

Outcome Thread::compute(const Operation &Op, ArrayRef<Scalar> Operands,
                        const Slots &S) {
  if (isa<FPMathOperator>(Op.Inst) && !isa<CallBase>(Op.Inst) &&
      !isa<SelectInst>(Op.Inst))
    return executeFloat(Op, Operands);
  if (isa<BinaryOperator>(Op.Inst))
    return executeBinary(Op, Operands[0], Operands[1]);
  switch (Op.Opcode) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return executeFloat(Op, Operands);
  case Instruction::ICmp:
    return executeCompare(Op, Operands[0], Operands[1]);
  case Instruction::Freeze:
    return freeze(Op, Operands[0]);
  case Instruction::Select: {
    Outcome Out;
    Out.Value = Operands[0].IsPoison ? Scalar::poison()
                                     : Operands[Operands[0].Bits ? 1 : 2];
    return Out;
  }
  case Instruction::ExtractElement:
    return executeExtract(Op, Operands);
  case Instruction::InsertElement:
    return executeInsert(Op, Operands);
  case Instruction::ShuffleVector: {
    Outcome Out;
    Out.Value = Operands[0];
    return Out;
  }
  case Instruction::BitCast:
    return Op.Width == Op.OperandWidth ? executeCast(Op, Operands[0])
                                       : executeRegroup(Op, Operands);
  case Instruction::GetElementPtr:
    return executeAddress(Op, Operands[0], S, Input.Objects);
  case Instruction::Load:
    return load(Op, Operands[0]);
  case Instruction::Store:
    return store(Op, Operands[0], Operands[1]);
  case Instruction::AtomicRMW:
    return updateAtomically(Op, Operands[0], Operands[1]);
  default:
    break;
  }
  if (isa<CastInst>(Op.Inst))
    return executeCast(Op, Operands[0]);
  Outcome Out;
  Out.IsUnsupported = true;
  return Out;
}

void Thread::trace(const Operation &Op, ArrayRef<Scalar> Operands,
                   const Outcome &Out) {
  InstructionTrace &T = (*Trace)[Op.Inst];
  ++T.Count;
  T.Violations |= Out.Violations;
  if (Op.Opcode == Instruction::ICmp) {
    (Out.Value.Bits ? T.WasTrue : T.WasFalse) = true;
    T.note(Operands[0].Bits, asSigned(Operands[0].Bits, Op.OperandWidth));
  } else {
    T.note(Out.Value.Bits, asSigned(Out.Value.Bits, Op.Width));
  }
}

/// Whether \p Op, whose result is taken for poison, gives no more than undef:
/// it passes that on, or none of its operands is poison and it makes none.
static bool isOnlyUndef(const Operation &Op, ArrayRef<Scalar> Operands,
                        const Scalar &Result) {
  if (Op.Forbidden != 0 || Op.Range)
    return false;
  if (Result.IsUndef)
    return true;
  if (any_of(Operands,
             [](const Scalar &V) { return V.IsPoison && !V.IsUndef; }))
    return false;
  if (Op.Inst->isShift())
    return !Operands[1].IsPoison && Operands[1].Bits < Op.Width;
  return isa<BinaryOperator, ICmpInst, SelectInst, TruncInst, ZExtInst,
             SExtInst, BitCastInst>(Op.Inst);
}

/// False if the run is over. \p Next becomes the next block at a branch.
bool Thread::step(const Operation &Op, Slots &S, int &Next) {
  if (StepsLeft-- == 0)
    return stop(RunStatus::OutOfSteps, "too many steps", Op.Inst);
  SmallVector<Scalar, 4> Operands;
  for (int Slot : Op.Operands)
    Operands.push_back(S[Slot]);
  if (isa<BranchInst, SwitchInst>(Op.Inst))
    return branch(Op, Operands.empty() ? Scalar() : Operands[0], Next);
  if (Op.Opcode == Instruction::Unreachable)
    return undefined("unreachable", Op.Inst);
  Outcome Out;
  if (Op.Opcode == Instruction::Call) {
    if (!call(Op, Operands, Out))
      return false;
  } else {
    Out = compute(Op, Operands, S);
  }
  if (Out.UndefinedBehavior)
    return undefined(Out.UndefinedBehavior, Op.Inst);
  if (Out.IsUnsupported)
    return stop(RunStatus::Unsupported, "unknown operation", Op.Inst);
  if (Op.Result < 0)
    return true;
  if ((Out.Violations & Op.Forbidden) ||
      (Op.Range && !Out.Value.IsPoison &&
       !Op.Range->contains(APInt(Op.Width, Out.Value.Bits))))
    Out.Value = Scalar::poison();
  if (Out.Value.IsPoison && Op.NoUndef)
    return undefined("poison where it must not be", Op.Inst);
  if (Out.Value.IsPoison)
    Out.Value = isOnlyUndef(Op, Operands, Out.Value) ? Scalar::undef()
                                                     : Scalar::poison();
  else if (Trace)
    trace(Op, Operands, Out);
  S[Op.Result] = Out.Value;
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

bool Thread::branch(const Operation &Op, Scalar Condition, int &Next) {
  if (Condition.IsPoison)
    return undefined("branch on poison", Op.Inst);
  Next = Op.Targets[0];
  if (Op.Opcode == Instruction::Switch) {
    for (auto [Value, Target] : Op.Cases)
      if (Value == Condition.Bits)
        Next = Target;
  } else if (Op.Targets.size() > 1 && !Condition.Bits) {
    Next = Op.Targets[1];
  }
  return true;
}

void Thread::enterBlock(const DecodedFunction &D, const DecodedBlock &Block,
                        int From, Slots &S) {
  auto Moves = Block.PhiMoves.find(From);
  if (Moves == Block.PhiMoves.end())
    return;
  SmallVector<Scalar, 8> Values; // phis take their values at the same time
  for (auto [Phi, Source] : Moves->second)
    Values.push_back(S[Source]);
  for (size_t K = 0; K < Values.size(); ++K)
    S[Moves->second[K].first] = Values[K];
  if (!Trace)
    return;
  for (const PHINode *Phi : Block.Phis) {
    Scalar V = S[D.Slots.lookup(Phi)];
    if (V.IsPoison || !Phi->getType()->isIntegerTy())
      continue;
    InstructionTrace &T = (*Trace)[Phi];
    ++T.Count;
    T.note(V.Bits, asSigned(V.Bits, Phi->getType()->getIntegerBitWidth()));
  }
}

bool Thread::run(const DecodedFunction &D, ArrayRef<Scalar> Arguments,
                 Scalar &Return) {
  Slots S = D.Initial;
  for (size_t K = 0; K < Arguments.size(); ++K)
    S[D.ArgumentSlots[K]] = Arguments[K];
  for (const auto &[Slot, Object, Offset] : D.Objects) {
    bool IsArgument = is_contained(D.ArgumentSlots, Slot);
    if (IsArgument && Depth > 0)
      continue; // the caller's pointer
    S[Slot] = {Input.Objects[Object].Base + uint64_t(Offset), false,
               int16_t(Object)};
  }
  if (Input.ChoosesUndef)
    for (auto [Slot, Width] : D.Undefs)
      S[Slot] = {lowBits(anyNumber(Input.Seed + uint64_t(Slot)), Width), false,
                 -1};
  for (int Current = 0, From = -1;;) {
    const DecodedBlock &Block = D.Blocks[Current];
    enterBlock(D, Block, From, S);
    int Next = -1;
    for (const Operation &Op : Block.Operations) {
      if (Op.Opcode == Instruction::Ret) {
        if (!Op.Operands.empty())
          Return = S[Op.Operands[0]];
        if (Return.IsPoison && D.F->hasRetAttribute(Attribute::NoUndef))
          return undefined("returns poison", Op.Inst);
        if (Depth == 0 && !Op.Operands.empty())
          Result.Events.push_back({Event::Return, 0, Return.IsPoison, 0,
                                   Return.Bits, Op.Inst, Return.IsUndef});
        return true;
      }
      if (!step(Op, S, Next))
        return false;
    }
    From = Current;
    Current = Next;
  }
}

RunResult runThread(const DecodedProgram &Program, const ThreadInput &Input,
                    uint64_t MaxSteps, ExecutionTrace *Trace) {
  Thread T(Input, MaxSteps, Trace);
  Scalar Return;
  T.run(Program.entry(), Input.Arguments, Return);
  return std::move(T.Result);
}

} // namespace unravel
