//===- PrivateArrays.cpp - Arrays as ptxas understands them ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/forms/PrivateArrays.h"
#include "ptx/forms/PureText.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr unsigned LocalSpace = NVPTXAS::ADDRESS_SPACE_LOCAL;

/// Metadata of an array: its places in use, ascending.
static constexpr StringLiteral PlacesName = "unravel.places";

/// The places of \p Array, behind its beginning, that sums compute for more
/// than one user; and its beginning where that is converted from a generic
/// address.
static std::set<int64_t> placesIn(AllocaInst &Array) {
  std::set<int64_t> Places;
  SmallVector<std::pair<Value *, int64_t>, 8> Work{{&Array, 0}};
  while (!Work.empty()) {
    auto [V, Offset] = Work.pop_back_val();
    for (User *U : V->users()) {
      int64_t Sum = Offset;
      const APInt *C;
      if (match(U, m_Add(m_Specific(V), m_APInt(C)))) {
        if (!C->isSignedIntN(32))
          continue;
        Sum += C->getSExtValue();
      } else if (auto *Cast = dyn_cast<AddrSpaceCastInst>(U)) {
        bool IsBack = V != &Array && Cast->getDestAddressSpace() == LocalSpace;
        if (IsBack && Sum == 0)
          Places.insert(0);
      } else if (!isa<PtrToIntInst, IntToPtrInst>(U)) {
        continue;
      }
      if (Sum > 0 && U->hasNUsesOrMore(2))
        Places.insert(Sum);
      Work.push_back({U, Sum});
    }
  }
  return Places;
}

void unravel::ptx::noteArrayPlaces(llvm::Function &F) {
  llvm::Type *I64 = llvm::Type::getInt64Ty(F.getContext());
  for (llvm::Instruction &I : instructions(F)) {
    auto *Array = dyn_cast<AllocaInst>(&I);
    if (!Array)
      continue;
    SmallVector<Metadata *, 8> Places;
    for (int64_t Place : placesIn(*Array))
      Places.push_back(ConstantAsMetadata::get(ConstantInt::get(I64, Place)));
    if (!Places.empty())
      Array->setMetadata(PlacesName, MDNode::get(F.getContext(), Places));
  }
}

namespace {

/// Makes the pointers to places, each once.
class PlacePointers {
public:
  explicit PlacePointers(llvm::Function &F) : DL(F.getDataLayout()) {}

  /// \p Pointer as a place and a constant, or null.
  Value *relativeToPlace(Value *Pointer, llvm::Instruction &Access);

private:
  Value *pointerTo(AllocaInst &Array, int64_t Place, llvm::Type *Ty);

  const DataLayout &DL;
  DenseMap<std::pair<AllocaInst *, int64_t>, Value *> Made;
};

} // namespace

/// The last place that is not behind \p Offset.
static std::optional<int64_t> lastPlace(const AllocaInst &Array,
                                        int64_t Offset) {
  std::optional<int64_t> Last;
  if (MDNode *Places = Array.getMetadata(PlacesName))
    for (const MDOperand &Each : Places->operands()) {
      int64_t Place = mdconst::extract<ConstantInt>(Each)->getSExtValue();
      if (Place <= Offset)
        Last = Place;
    }
  return Last;
}

Value *PlacePointers::pointerTo(AllocaInst &Array, int64_t Place,
                                llvm::Type *Ty) {
  Value *&Pointer = Made[{&Array, Place}];
  if (Pointer)
    return Pointer;
  IRBuilder<> B(Array.getNextNode());
  llvm::Type *Number = DL.getIntPtrType(Ty);
  Value *Begin = B.CreatePtrToInt(B.CreateAddrSpaceCast(&Array, Ty), Number);
  std::string Type = Number->getIntegerBitWidth() == 64 ? "64" : "32";
  auto Text = [&](const Twine &Opcode, Value *V, const Twine &Rest = "") {
    return pureText(B, (Opcode + Type).str(), Number, {V},
                    ("$0, $1" + Rest).str());
  };
  Value *Sum = Place ? Text("add.s", Begin, ", " + Twine(Place))
                     : Text("cvta.to.local.u", Text("cvta.local.u", Begin));
  return Pointer = B.CreateIntToPtr(Sum, Ty);
}

Value *PlacePointers::relativeToPlace(Value *Pointer,
                                      llvm::Instruction &Access) {
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  auto *Array = dyn_cast<AllocaInst>(Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true));
  std::optional<int64_t> Place =
      Array ? lastPlace(*Array, Offset.getSExtValue()) : std::nullopt;
  if (!Place)
    return nullptr;
  Value *Base = pointerTo(*Array, *Place, Pointer->getType());
  return IRBuilder<>(&Access).CreatePtrAdd(
      Base, ConstantInt::get(DL.getIndexType(Pointer->getType()),
                             Offset.getSExtValue() - *Place));
}

void unravel::ptx::keepArrayPlaces(llvm::Function &F) {
  PlacePointers Places(F);
  for (llvm::Instruction &I : instructions(F)) {
    Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer || Pointer->getType()->getPointerAddressSpace() != LocalSpace)
      continue;
    if (Value *New = Places.relativeToPlace(Pointer, I))
      I.setOperand(isa<StoreInst>(I) ? StoreInst::getPointerOperandIndex()
                                     : LoadInst::getPointerOperandIndex(),
                   New);
  }
}
