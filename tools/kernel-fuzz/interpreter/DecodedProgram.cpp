//===- DecodedProgram.cpp - IR, taken apart once for many runs ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/interpreter/DecodedProgram.h"
#include "tools/kernel-fuzz/interpreter/ExecuteOperation.h"
#include "tools/kernel-fuzz/interpreter/FunctionDecoder.h"
#include "tools/kernel-fuzz/interpreter/ThreadInput.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace unravel {

StringMap<unsigned> numberGlobals(const Function &F) {
  unsigned Next = 0;
  for (const Argument &A : F.args())
    Next += A.getType()->isPointerTy();
  StringMap<unsigned> Numbers;
  for (const GlobalVariable &G : F.getParent()->globals())
    Numbers[G.getName()] = Next++;
  return Numbers;
}

std::optional<unsigned> DecodedProgram::globalNumber(StringRef Name) const {
  auto It = Globals.find(Name);
  if (Name.empty() || It == Globals.end())
    return std::nullopt;
  return It->second;
}

/// Scalars of at most 64 bits and vectors of them.
static bool isSupported(const Type *Ty) {
  static constexpr unsigned MaxLanes = 64;
  if (auto *Vector = dyn_cast<FixedVectorType>(Ty))
    return Vector->getNumElements() <= MaxLanes &&
           isSupported(Vector->getElementType());
  return (Ty->isIntegerTy() && Ty->getIntegerBitWidth() <= 64) ||
         Ty->isPointerTy() || Ty->isHalfTy() || Ty->isFloatTy() ||
         Ty->isDoubleTy();
}

/// Of a scalar, or of a lane.
static unsigned widthOf(const Type *Ty) {
  return Ty->isPtrOrPtrVectorTy() ? 64 : unsigned(Ty->getScalarSizeInBits());
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// A constant address: a global variable and an offset.
int FunctionDecoder::objectSlot(const Constant *Address) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  const Value *Base = Address->stripAndAccumulateConstantOffsets(
      Layout, Offset, /*AllowNonInbounds=*/true);
  auto *G = dyn_cast<GlobalVariable>(Base);
  if (!G) {
    fail("constant expression");
    return -1;
  }
  // Folding would know what such a variable holds; here memory is arbitrary.
  if (G->hasInitializer() && !isa<UndefValue>(G->getInitializer())) {
    fail("initialised global variable");
    return -1;
  }
  std::optional<unsigned> Number = Program.globalNumber(G->getName());
  if (!Number) {
    fail("new global variable");
    return -1;
  }
  int Slot = int(D->Initial.size());
  D->Initial.push_back({});
  D->Objects.push_back({Slot, *Number, Offset.getSExtValue()});
  return Slot;
}

int FunctionDecoder::constantSlot(const Constant *C) {
  Scalar Start;
  if (auto *Integer = dyn_cast<ConstantInt>(C)) {
    Start.Bits = Integer->getZExtValue();
  } else if (auto *Float = dyn_cast<ConstantFP>(C)) {
    Start.Bits = Float->getValueAPF().bitcastToAPInt().getZExtValue();
  } else if (isa<PoisonValue>(C)) {
    Start = Scalar::poison();
  } else if (isa<UndefValue>(C)) {
    Start = Scalar::undef();
    D->Undefs.push_back({int(D->Initial.size()), widthOf(C->getType())});
  } else if (C->getType()->isPointerTy() && !isa<ConstantPointerNull>(C)) {
    return objectSlot(C);
  } else if (!isa<ConstantPointerNull>(C)) {
    fail("constant expression");
    return -1;
  }
  D->Initial.push_back(Start);
  return int(D->Initial.size()) - 1;
}

int FunctionDecoder::slotOf(const Value *V) {
  auto It = D->Slots.find(V);
  if (It != D->Slots.end())
    return It->second;
  if (!isSupported(V->getType())) {
    std::string Type;
    raw_string_ostream(Type) << *V->getType();
    fail("a value of type " + Type);
    return -1;
  }
  int Slot;
  if (V->getType()->isVectorTy() && isa<Constant>(V)) {
    Slot = constantLanes(cast<Constant>(V));
  } else if (auto *C = dyn_cast<Constant>(V)) {
    Slot = constantSlot(C);
  } else {
    Slot = int(D->Initial.size());
    D->Initial.resize(D->Initial.size() + countLanes(V->getType()));
  }
  if (Slot < 0)
    return -1;
  D->Slots[V] = Slot;
  return Slot;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The violations that \p I's flags forbid.
static unsigned forbiddenBy(const Instruction &I) {
  unsigned Forbidden = 0;
  auto Add = [&](bool HasFlag, unsigned Violation) {
    Forbidden |= HasFlag ? Violation : 0;
  };
  if (auto *Op = dyn_cast<OverflowingBinaryOperator>(&I)) {
    Add(Op->hasNoSignedWrap(), SignedWrap);
    Add(Op->hasNoUnsignedWrap(), UnsignedWrap);
  } else if (auto *Trunc = dyn_cast<TruncInst>(&I)) {
    Add(Trunc->hasNoSignedWrap(), SignedWrap);
    Add(Trunc->hasNoUnsignedWrap(), UnsignedWrap);
  } else if (auto *Gep = dyn_cast<GEPOperator>(&I)) {
    Add(Gep->hasNoUnsignedSignedWrap(), SignedWrap);
    Add(Gep->hasNoUnsignedWrap(), UnsignedWrap);
    Add(Gep->isInBounds(), SignedWrap | OutOfBounds);
  } else if (auto *Cmp = dyn_cast<ICmpInst>(&I)) {
    Add(Cmp->hasSameSign(), DifferentSigns);
  }
  if (auto *Op = dyn_cast<PossiblyExactOperator>(&I))
    Add(Op->isExact(), Inexact);
  if (auto *Op = dyn_cast<PossiblyDisjointInst>(&I))
    Add(Op->isDisjoint(), NotDisjoint);
  if (auto *Op = dyn_cast<PossiblyNonNegInst>(&I))
    Add(Op->hasNonNeg(), Negative);
  return Forbidden;
}

bool FunctionDecoder::decodePointerSteps(const GetElementPtrInst &Gep,
                                         Operation &Op) {
  if (Layout.getIndexTypeSizeInBits(Gep.getType()) != 64)
    return fail("pointers of less than 64 bits");
  for (auto It = gep_type_begin(Gep), End = gep_type_end(Gep); It != End;
       ++It) {
    if (StructType *Struct = It.getStructTypeOrNull()) {
      uint64_t Field =
          cast<Constant>(It.getOperand())->getUniqueInteger().getZExtValue();
      Op.Steps.push_back(
          {-1, 64,
           int64_t(Layout.getStructLayout(Struct)->getElementOffset(Field))});
      continue;
    }
    int Slot = slotOf(It.getOperand());
    if (Slot < 0)
      return false;
    Op.Steps.push_back(
        {Slot, It.getOperand()->getType()->getScalarSizeInBits(),
         int64_t(It.getSequentialElementStride(Layout).getFixedValue())});
  }
  Op.Operands.push_back(slotOf(Gep.getPointerOperand()));
  return Op.Operands[0] >= 0;
}

bool FunctionDecoder::decodeAccess(const Instruction &I, Operation &Op) {
  Op.AlignMask = getLoadStoreAlignment(&I).value() - 1;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    Op.Width = widthOf(Store->getValueOperand()->getType());
  if (const MDNode *Range = I.getMetadata(LLVMContext::MD_range))
    Op.Range = getConstantRangeFromMetadata(*Range);
  Op.NoUndef = I.hasMetadata(LLVMContext::MD_noundef);
  return true;
}

/// What is not known of a function without a body: a hash of its arguments
/// decides what it returns and whether the thread ends in it.
bool FunctionDecoder::decodeUnknownCall(const CallBase &Call, Operation &Op) {
  const Function &Callee = *Call.getCalledFunction();
  if (Callee.isIntrinsic() && !Callee.getName().starts_with("llvm.nvvm."))
    return fail("intrinsic " + Callee.getName());
  bool MayEnd = !Callee.isIntrinsic() && !Call.hasFnAttr(Attribute::WillReturn);
  Op.Unknown = UnknownCallee{MayEnd || !Call.onlyReadsMemory(), MayEnd,
                             xxh3_64bits(Callee.getName())};
  return true;
}

bool FunctionDecoder::decodeCall(const CallBase &Call, Operation &Op) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !isa<CallInst>(Call))
    return fail("indirect call");
  Op.ID = Call.getIntrinsicID();
  if (Op.ID == Intrinsic::assume && Call.hasOperandBundles())
    return fail("assumption with operand bundles");
  Op.Register = specialRegister(Op.ID);
  // What a cluster is, the launch decides; any number is wrong.
  if (Op.ID && Callee->getName().contains("cluster"))
    return fail("a register of clusters");
  for (const Value *Argument : Call.args()) {
    if (Argument->getType()->isMetadataTy())
      continue;
    Op.Operands.push_back(slotOf(Argument));
    if (Op.Operands.back() < 0)
      return false;
  }
  if (!Op.Operands.empty())
    Op.OperandWidth = widthOf(Call.getArgOperand(0)->getType());
  if (Call.getType()->isIntOrIntVectorTy())
    Op.Range = Call.getRange();
  Op.NoUndef = Call.hasRetAttr(Attribute::NoUndef);
  if (Op.Register)
    return true;
  if (!Callee->isDeclaration()) {
    if (Callee->getCallingConv() != Call.getCallingConv())
      return fail("call with a wrong calling convention");
    Op.Callee = Program.decode(*Callee);
    return Op.Callee || fail("call: " + Program.Why);
  }
  if (isReduction(Op.ID))
    return true;
  switch (Op.ID) {
  case Intrinsic::assume:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::usub_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::sadd_sat:
  case Intrinsic::nvvm_mulhi_ui:
  case Intrinsic::nvvm_ui2f_rp:
  case Intrinsic::nvvm_rcp_approx_ftz_f:
  case Intrinsic::nvvm_f2ui_rz:
  case Intrinsic::expect:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
  case Intrinsic::memset:
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fabs:
  case Intrinsic::donothing:
    return true;
  default:
    return decodeUnknownCall(Call, Op);
  }
}

bool FunctionDecoder::decodeInstruction(const Instruction &I, Operation &Op) {
  Op.Inst = &I;
  Op.Opcode = I.getOpcode();
  Op.Forbidden = forbiddenBy(I);
  if (!I.getType()->isVoidTy()) {
    Op.Result = slotOf(&I);
    if (Op.Result < 0)
      return false;
    Op.Width = widthOf(I.getType());
  }
  if (isa<FPMathOperator>(I) && I.getFastMathFlags().any())
    return fail("fast math");
  if (auto *Branch = dyn_cast<BranchInst>(&I)) {
    for (const BasicBlock *Target : successors(&I))
      Op.Targets.push_back(Blocks.lookup(Target));
    if (Branch->isUnconditional())
      return true;
    Op.Operands.push_back(slotOf(Branch->getCondition()));
    return Op.Operands[0] >= 0;
  }
  switch (I.getOpcode()) {
  case Instruction::GetElementPtr:
    return decodePointerSteps(cast<GetElementPtrInst>(I), Op);
  case Instruction::Call:
    return decodeCall(cast<CallBase>(I), Op);
  case Instruction::Switch: {
    auto &Switch = cast<SwitchInst>(I);
    Op.Targets.push_back(Blocks.lookup(Switch.getDefaultDest()));
    Op.Operands.push_back(slotOf(Switch.getCondition()));
    if (Op.Operands[0] < 0)
      return false;
    for (auto &Case : Switch.cases())
      Op.Cases.push_back({Case.getCaseValue()->getZExtValue(),
                          Blocks.lookup(Case.getCaseSuccessor())});
    return true;
  }
  case Instruction::Load:
  case Instruction::Store:
    if (!decodeAccess(I, Op))
      return false;
    break;
  case Instruction::Alloca:
  case Instruction::AtomicCmpXchg:
  case Instruction::Fence:
  case Instruction::FRem:
  case Instruction::VAArg:
  case Instruction::Invoke:
  case Instruction::IndirectBr:
    return fail(Twine("instruction ") + I.getOpcodeName());
  case Instruction::ICmp:
  case Instruction::FCmp:
    Op.Predicate = cast<CmpInst>(I).getPredicate();
    break;
  default:
    break;
  }
  for (const Value *Operand : I.operands()) {
    Op.Operands.push_back(slotOf(Operand));
    if (Op.Operands.back() < 0)
      return false;
  }
  if (I.getNumOperands() > 0)
    Op.OperandWidth = widthOf(I.getOperand(0)->getType());
  return true;
}

bool FunctionDecoder::decodePhi(const PHINode &Phi, DecodedBlock &Block) {
  int Slot = slotOf(&Phi);
  if (Slot < 0)
    return false;
  Block.Phis.push_back(&Phi);
  DenseMap<const BasicBlock *, bool> Seen; // a switch may have several edges
  for (unsigned K = 0; K < Phi.getNumIncomingValues(); ++K) {
    int Source = slotOf(Phi.getIncomingValue(K));
    if (Source < 0)
      return false;
    const BasicBlock *From = Phi.getIncomingBlock(K);
    if (!Seen.insert({From, true}).second)
      continue;
    for (int Lane = 0, E = int(countLanes(Phi.getType())); Lane < E; ++Lane)
      Block.PhiMoves[Blocks.lookup(From)].push_back(
          {Slot + Lane, Source + Lane});
  }
  return true;
}

std::unique_ptr<DecodedFunction> FunctionDecoder::decode() {
  D = std::make_unique<DecodedFunction>();
  D->F = &F;
  for (const BasicBlock &BB : F)
    Blocks.insert({&BB, int(Blocks.size())});
  unsigned Pointers = 0;
  for (const Argument &A : F.args()) {
    if (A.getType()->isVectorTy()) {
      fail("an argument that is a vector");
      return nullptr;
    }
    D->ArgumentSlots.push_back(slotOf(&A));
    if (D->ArgumentSlots.back() < 0)
      return nullptr;
    if (A.getType()->isPointerTy())
      D->Objects.push_back({D->ArgumentSlots.back(), Pointers++, 0});
  }
  D->Blocks.resize(Blocks.size());
  for (const BasicBlock &BB : F) {
    DecodedBlock &Block = D->Blocks[Blocks.lookup(&BB)];
    for (const Instruction &I : BB) {
      if (auto *Phi = dyn_cast<PHINode>(&I)) {
        if (!decodePhi(*Phi, Block))
          return nullptr;
        continue;
      }
      Operation Op;
      if (!decodeInstruction(I, Op))
        return nullptr;
      if (!hasVectors(I))
        Block.Operations.push_back(std::move(Op));
      else if (!decodeLanes(I, Op, Block))
        return nullptr;
    }
  }
  return std::move(D);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

const DecodedFunction *DecodedProgram::decode(const Function &F) {
  auto [It, IsNew] = Functions.insert({&F, nullptr});
  if (!IsNew) {
    if (!It->second)
      Why = "recursion"; // or failed before, with the same consequence
    return It->second.get();
  }
  FunctionDecoder Decoder(*this, F);
  std::unique_ptr<DecodedFunction> Decoded = Decoder.decode();
  if (!Decoded)
    Why = Decoder.Why;
  return (Functions[&F] = std::move(Decoded)).get();
}

std::unique_ptr<DecodedProgram>
DecodedProgram::create(const Function &F, const StringMap<unsigned> &Globals,
                       std::string &Why) {
  std::unique_ptr<DecodedProgram> Program(new DecodedProgram(Globals));
  Program->Entry = Program->decode(F);
  Why = Program->Why;
  return Program->Entry ? std::move(Program) : nullptr;
}

} // namespace unravel
