//===- LiftOperands.cpp - What instructions of PTX read and write ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Lifter.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

llvm::Type *Lifter::intType(unsigned Width) const {
  return IntegerType::get(Context, Width);
}

llvm::Type *Lifter::typeOf(const ptx::Type &T) const {
  if (T.isFloat())
    return T.Width == 32 ? llvm::Type::getFloatTy(Context)
                         : llvm::Type::getDoubleTy(Context);
  return intType(T.Width);
}

const Symbol *Lifter::lookUp(StringRef Name) {
  // From the innermost scope to the outermost.
  for (size_t At = Scopes.size(); At-- > 0;) {
    auto It = Scopes[At].find(Name);
    if (It == Scopes[At].end()) {
      auto Range = find_if(Ranges[At], [&](const RegisterRange &R) {
        return R.Names.declares(Name);
      });
      if (Range == Ranges[At].end())
        continue;
      It = Scopes[At]
               .try_emplace(Name,
                            Symbol{Symbol::Kind::Register, nullptr, Range->Ty})
               .first;
    }
    Symbol &S = It->second;
    if (S.K == Symbol::Kind::Register && !S.V) {
      // A register that is read before it is written has some value, the same
      // at each read.
      IRBuilder<> Entry(&F->getEntryBlock(), F->getEntryBlock().begin());
      S.V = Entry.CreateAlloca(S.Ty);
      Entry.CreateStore(Entry.CreateFreeze(PoisonValue::get(S.Ty)), S.V);
    }
    if (S.IsDynamic) {
      // For LLVM, two variables never overlap.
      if (DynamicShared && DynamicShared != S.V)
        refuse("'" + Name + "' overlaps another array of shared memory");
      DynamicShared = S.V;
    }
    return &S;
  }
  return nullptr;
}

const Symbol *Lifter::registerNamed(const Operand &O) {
  if (!O.isName())
    return nullptr;
  const Symbol *S = lookUp(O.Name);
  return S && S->K == Symbol::Kind::Register ? S : nullptr;
}

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

static Intrinsic::ID intrinsicOf(StringRef SpecialRegister) {
  return StringSwitch<Intrinsic::ID>(SpecialRegister)
      .Case("%tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x)
      .Case("%tid.y", Intrinsic::nvvm_read_ptx_sreg_tid_y)
      .Case("%tid.z", Intrinsic::nvvm_read_ptx_sreg_tid_z)
      .Case("%ntid.x", Intrinsic::nvvm_read_ptx_sreg_ntid_x)
      .Case("%ntid.y", Intrinsic::nvvm_read_ptx_sreg_ntid_y)
      .Case("%ntid.z", Intrinsic::nvvm_read_ptx_sreg_ntid_z)
      .Case("%ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x)
      .Case("%ctaid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y)
      .Case("%ctaid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z)
      .Case("%nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x)
      .Case("%nctaid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y)
      .Case("%nctaid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z)
      .Case("%cluster_ctaid.x", Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_x)
      .Case("%cluster_ctaid.y", Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_y)
      .Case("%cluster_ctaid.z", Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_z)
      .Case("%cluster_nctaid.x", Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x)
      .Case("%cluster_nctaid.y", Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y)
      .Case("%cluster_nctaid.z", Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z)
      .Case("%clusterid.x", Intrinsic::nvvm_read_ptx_sreg_clusterid_x)
      .Case("%clusterid.y", Intrinsic::nvvm_read_ptx_sreg_clusterid_y)
      .Case("%clusterid.z", Intrinsic::nvvm_read_ptx_sreg_clusterid_z)
      .Case("%nclusterid.x", Intrinsic::nvvm_read_ptx_sreg_nclusterid_x)
      .Case("%nclusterid.y", Intrinsic::nvvm_read_ptx_sreg_nclusterid_y)
      .Case("%nclusterid.z", Intrinsic::nvvm_read_ptx_sreg_nclusterid_z)
      .Case("%cluster_ctarank", Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank)
      .Case("%cluster_nctarank", Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank)
      .Case("%laneid", Intrinsic::nvvm_read_ptx_sreg_laneid)
      .Default(Intrinsic::not_intrinsic);
}

bool Lifter::isSpecialRegister(StringRef Name) const {
  if (Name == "WARP_SZ")
    return true;
  StringRef Base = Name.split('.').first;
  for (StringRef Prefix : {"%lanemask_", "%clock", "%globaltimer", "%pm",
                           "%envreg", "%cluster_", "%reserved_smem_"})
    if (Base.starts_with(Prefix))
      return true;
  return is_contained({"%tid", "%ntid", "%ctaid", "%nctaid", "%laneid",
                       "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid",
                       "%is_explicit_cluster", "%clusterid", "%nclusterid",
                       "%total_smem_size", "%aggr_smem_size",
                       "%dynamic_smem_size", "%current_graph_exec"},
                      Base);
}

/// Whether the backend can print registers of clusters: it stops at those that
/// the target does not have. In other modules they stay text.
static bool hasClusters(const ptx::Module &M) {
  return M.version() >= 78 && M.architecture() >= 90;
}

Value *Lifter::specialRegister(StringRef Name) {
  Intrinsic::ID Id = intrinsicOf(Name);
  if (!Id || (Name.contains("cluster") && !hasClusters(M)))
    return nullptr;
  return B.CreateIntrinsic(Id, {});
}

//===----------------------------------------------------------------------===//
// Reading and writing
//===----------------------------------------------------------------------===//

DenseMap<Value *, Value *> &Lifter::valuesHere() {
  if (BlockOfValues != B.GetInsertBlock()) {
    BlockOfValues = B.GetInsertBlock();
    Values.clear();
  }
  return Values;
}

Value *Lifter::valueOf(const Symbol &Register) {
  Value *&V = valuesHere()[Register.V];
  if (!V)
    V = B.CreateLoad(Register.Ty, Register.V);
  return V;
}

void Lifter::setValue(const Symbol &Register, Value *V) {
  B.CreateStore(V, Register.V);
  valuesHere()[Register.V] = V;
}

/// The same bits in another type of at most as many: the lowest ones.
Value *Lifter::bitsAs(Value *V, llvm::Type *Ty) {
  if (V->getType() == Ty)
    return V;
  unsigned From = V->getType()->getPrimitiveSizeInBits();
  unsigned To = Ty->getPrimitiveSizeInBits();
  if (!V->getType()->isIntegerTy())
    V = B.CreateBitCast(V, intType(From));
  if (From != To)
    V = B.CreateTrunc(V, intType(To));
  return B.CreateBitCast(V, Ty);
}

Value *Lifter::offset(const Operand &O, unsigned AddressSpace) {
  APInt Bytes = APInt(64, O.Value).trunc(pointerWidth(AddressSpace));
  return ConstantInt::get(Context, Bytes);
}

Value *Lifter::read(const Operand &O, llvm::Type *Ty) {
  unsigned Width = Ty->getPrimitiveSizeInBits();
  if (O.K == Operand::Kind::Integer)
    return B.CreateBitCast(
        ConstantInt::get(Context, APInt(64, O.Value).sextOrTrunc(Width)), Ty);
  if (O.K == Operand::Kind::Float && O.Width == Width)
    return B.CreateBitCast(ConstantInt::get(Context, APInt(Width, O.Value)),
                           Ty);
  if (O.K == Operand::Kind::Name) {
    if (O.isName())
      if (Value *V = specialRegister(O.Name))
        return bitsAs(B.CreateZExtOrTrunc(V, intType(Width)), Ty);
    const Symbol *S = lookUp(O.Name);
    if (S && S->K == Symbol::Kind::Register && O.Value == 0 &&
        S->Ty->getPrimitiveSizeInBits() >= Width)
      return bitsAs(valueOf(*S), Ty);
    bool IsVariable =
        S && (S->K == Symbol::Kind::Global || S->K == Symbol::Kind::Local);
    if (IsVariable && Ty->isIntegerTy() && (Width == 32 || Width == 64))
      return B.CreatePtrToInt(
          O.Value
              ? B.CreatePtrAdd(
                    S->V, offset(O, S->V->getType()->getPointerAddressSpace()))
              : S->V,
          Ty);
    // (Others are values.)
    if (S && S->K == Symbol::Kind::Parameter && Ty->isIntegerTy(64) &&
        S->V->getType() ==
            PointerType::get(Context, NVPTXAS::ADDRESS_SPACE_GENERIC)) {
      Value *Address = B.CreatePtrToInt(
          O.Value ? B.CreatePtrAdd(S->V, B.getInt64(O.Value)) : S->V, Ty);
      ParameterAddresses.emplace_back(Address);
      return Address;
    }
  }
  refuse("operand '" + O.Text + "'");
  return Constant::getNullValue(Ty);
}

Value *Lifter::readPredicate(const Operand &O) {
  if (O.K == Operand::Kind::Not)
    return B.CreateNot(readPredicate(O.Parts.front()));
  return readInt(O, 1);
}

Value *Lifter::readPredicate(StringRef Register) {
  Operand O;
  O.K = Operand::Kind::Name;
  O.Name = O.Text = Register;
  return readPredicate(O);
}

void Lifter::write(const Operand &O, Value *V, bool IsSigned) {
  if (O.isName() && O.Name == "_")
    return;
  const Symbol *S = registerNamed(O);
  if (!S)
    return refuse("destination '" + O.Text + "'");
  unsigned From = V->getType()->getPrimitiveSizeInBits();
  unsigned To = S->Ty->getPrimitiveSizeInBits();
  if (From > To)
    return refuse("destination '" + O.Text + "' is too narrow");
  if (From < To) {
    V = bitsAs(V, intType(From));
    V = IsSigned ? B.CreateSExt(V, intType(To)) : B.CreateZExt(V, intType(To));
  }
  V = bitsAs(V, S->Ty);
  if (Guard)
    V = B.CreateSelect(Guard, V, valueOf(*S));
  setValue(*S, V);
}
