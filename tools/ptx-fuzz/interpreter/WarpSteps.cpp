//===- WarpSteps.cpp - What threads do together ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Decoder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel::ptx {

/// Calls \p Visit with the number of each lane that takes part.
template <typename T> static void forEachLane(ArrayRef<Lane> Warp, T Visit) {
  for (unsigned K = 0; K != Warp.size(); ++K)
    if (Warp[K].TakesPart)
      Visit(K);
}

static uint64_t lanesWhere(ArrayRef<Lane> Warp,
                           function_ref<bool(const Lane &)> Holds) {
  uint64_t Mask = 0;
  forEachLane(Warp, [&](unsigned K) { Mask |= uint64_t(Holds(Warp[K])) << K; });
  return Mask;
}

static void giveAll(MutableArrayRef<Lane> Warp, uint64_t First,
                    uint64_t Second = 0) {
  for (Lane &L : Warp)
    L.Out = {First, Second};
}

//===----------------------------------------------------------------------===//
// What lanes exchange
//===----------------------------------------------------------------------===//

/// Operands: a, b, c. The manual's pseudo code, word by word.
static Exchange shuffle(StringRef Mode) {
  return [Mode](MutableArrayRef<Lane> Warp) {
    forEachLane(Warp, [&](unsigned Number) {
      Lane &L = Warp[Number];
      int LaneId = Number, B = L.Operands[1] & 0x1f;
      int Clamp = L.Operands[2] & 0x1f, SegMask = L.Operands[2] >> 8 & 0x1f;
      int MaxLane = (LaneId & SegMask) | (Clamp & ~SegMask);
      int MinLane = LaneId & SegMask;
      int J;
      bool IsInside;
      if (Mode == "up") {
        J = LaneId - B;
        IsInside = J >= MaxLane;
      } else if (Mode == "down") {
        J = LaneId + B;
        IsInside = J <= MaxLane;
      } else if (Mode == "bfly") {
        J = LaneId ^ B;
        IsInside = J <= MaxLane;
      } else {
        J = MinLane | (B & ~SegMask);
        IsInside = J <= MaxLane;
      }
      if (!IsInside)
        J = LaneId;
      // From a lane that takes no part comes what is not specified: here 0.
      bool IsThere = Warp[J].TakesPart;
      L.Out = {IsThere ? Warp[J].Operands[0] : 0, IsInside};
    });
  };
}

/// Operands: the predicate.
static Exchange vote(StringRef Mode) {
  return [Mode](MutableArrayRef<Lane> Warp) {
    auto IsSet = [](const Lane &L) { return L.Operands[0] != 0; };
    uint64_t Set = lanesWhere(Warp, IsSet);
    uint64_t All = lanesWhere(Warp, [](const Lane &) { return true; });
    if (Mode == "ballot")
      giveAll(Warp, Set);
    else if (Mode == "any")
      giveAll(Warp, Set != 0);
    else if (Mode == "all")
      giveAll(Warp, Set == All);
    else
      giveAll(Warp, Set == All || Set == 0);
  };
}

static Exchange match(bool IsAll) {
  return [IsAll](MutableArrayRef<Lane> Warp) {
    uint64_t All = lanesWhere(Warp, [](const Lane &) { return true; });
    forEachLane(Warp, [&](unsigned K) {
      uint64_t Same = lanesWhere(Warp, [&](const Lane &L) {
        return L.Operands[0] == Warp[K].Operands[0];
      });
      Warp[K].Out = {Same, 1};
      if (IsAll && Same != All)
        Warp[K].Out = {0, 0};
    });
  };
}

static Exchange reduce(StringRef Name, bool IsSigned) {
  auto Order = [IsSigned](uint64_t Value) {
    return IsSigned ? signedOf(Value, 32) : int64_t(Value);
  };
  return [=](MutableArrayRef<Lane> Warp) {
    std::optional<uint64_t> Sum;
    forEachLane(Warp, [&](unsigned K) {
      uint64_t Value = Warp[K].Operands[0];
      if (!Sum)
        Sum = Value;
      else if (Name == "add")
        Sum = *Sum + Value;
      else if (Name == "and")
        Sum = *Sum & Value;
      else if (Name == "or")
        Sum = *Sum | Value;
      else if (Name == "xor")
        Sum = *Sum ^ Value;
      else if ((Order(Value) < Order(*Sum)) == (Name == "min"))
        Sum = Value;
    });
    giveAll(Warp, Sum.value_or(0));
  };
}

static void elect(MutableArrayRef<Lane> Warp) {
  uint64_t All = lanesWhere(Warp, [](const Lane &) { return true; });
  unsigned Leader = countr_zero(All);
  forEachLane(Warp, [&](unsigned K) { Warp[K].Out = {Leader, K == Leader}; });
}

static void countActive(MutableArrayRef<Lane> Warp) {
  giveAll(Warp, lanesWhere(Warp, [](const Lane &) { return true; }));
}

//===----------------------------------------------------------------------===//
// Their instructions
//===----------------------------------------------------------------------===//

Decoder::Run Decoder::exchangeStep(Exchange Combine, Target First,
                                   Target Second, ArrayRef<Source> Sources,
                                   const Source &Mask, bool IsConvergence) {
  return [=, Sources = SmallVector<Source, 4>(Sources),
          Combine = std::make_shared<Exchange>(std::move(Combine))](Machine &M,
                                                                    Thread &T) {
    T.Waits = Waiting();
    T.Waits.K = Waiting::Kind::Warp;
    T.Waits.Mask = M.read(T, Mask);
    T.Waits.IsConvergence = IsConvergence;
    T.Waits.Combine = Combine.get();
    for (const Source &S : Sources)
      T.Waits.Operands.push_back(M.read(T, S));
    T.Waits.First = First;
    T.Waits.Second = Second;
  };
}

Decoder::Run Decoder::decodeWarp(const Instruction &I) {
  OpcodeReader R(I);
  StringRef Base = R.base();
  auto NumOperands = [&] { return I.Operands.size(); };
  auto IsPair = [](const Operand &O) { return O.K == Operand::Kind::Pair; };
  Source Everybody;
  if (Base == "activemask" && NumOperands() == 1)
    return exchangeStep(countActive, target(I.Operands[0], 32), {}, {},
                        Everybody, /*IsConvergence=*/true);
  if (!R.take("sync") || NumOperands() == 0)
    return nullptr;
  const Operand &D = I.Operands[0];
  const Operand &First = IsPair(D) ? D.Parts[0] : D;
  Target Second;
  if (IsPair(D))
    Second = target(D.Parts[1], 1);
  Source Mask = NumOperands() > 1 ? source(I.Operands.back(), 32) : Everybody;

  if (Base == "shfl" && NumOperands() == 5) {
    StringRef Mode = R.takeOneOf({"up", "down", "bfly", "idx"});
    if (Mode.empty() || !R.take("b32") || !R.isDone())
      return nullptr;
    SmallVector<Source, 4> Sources{source(I.Operands[1], 32),
                                   source(I.Operands[2], 32),
                                   source(I.Operands[3], 32)};
    return exchangeStep(shuffle(Mode), target(First, 32), Second, Sources,
                        Mask);
  }
  if (Base == "elect" && NumOperands() == 2 && R.isDone())
    return exchangeStep(elect, target(First, 32), Second, {}, Mask);
  if (NumOperands() != 3)
    return nullptr;
  if (Base == "vote") {
    StringRef Mode = R.takeOneOf({"all", "any", "uni", "ballot"});
    bool IsBallot = Mode == "ballot";
    if (Mode.empty() || !R.take(IsBallot ? "b32" : "pred") || !R.isDone())
      return nullptr;
    return exchangeStep(vote(Mode), target(First, IsBallot ? 32 : 1), {},
                        source(I.Operands[1], 1), Mask);
  }
  if (Base == "match") {
    bool IsAll = R.take("all");
    std::optional<Type> T = R.takeType();
    if ((!IsAll && !R.take("any")) || !T || !R.isDone() ||
        T->K != Type::Kind::Bits)
      return nullptr;
    return exchangeStep(match(IsAll), target(First, 32), Second,
                        source(I.Operands[1], T->Width), Mask);
  }
  if (Base == "redux") {
    std::optional<Type> T = R.takeType();
    StringRef Name = R.takeOneOf({"add", "min", "max", "and", "or", "xor"});
    if (!T || !T->isInteger() || T->Width != 32 || Name.empty() || !R.isDone())
      return nullptr;
    return exchangeStep(reduce(Name, T->isSigned()), target(First, 32), {},
                        source(I.Operands[1], 32), Mask);
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// popc, and, or of the predicates of all threads at a barrier.
static Exchange barrierReduction(StringRef Name) {
  return [Name](MutableArrayRef<Lane> Threads) {
    size_t Set = llvm::count_if(
        Threads, [](const Lane &L) { return L.Operands[0] != 0; });
    giveAll(Threads, Name == "popc"  ? Set
                     : Name == "and" ? Set == Threads.size()
                                     : Set != 0);
  };
}

Decoder::Run Decoder::decodeBarrier(const Instruction &I) {
  OpcodeReader R(I);
  if (R.base() != "bar" && R.base() != "barrier")
    return nullptr;
  ArrayRef<Operand> Operands = I.Operands;
  if (R.take("warp")) {
    if (!R.take("sync") || !R.isDone() || Operands.size() != 1)
      return nullptr;
    return exchangeStep([](MutableArrayRef<Lane>) {}, {}, {}, {},
                        source(Operands[0], 32));
  }
  R.take("cta");
  R.take("aligned");
  bool IsReduction = R.take("red");
  StringRef Name = R.takeOneOf({"popc", "and", "or"});
  bool IsSync = R.take("sync");
  Target D;
  Source Predicate;
  Exchange Combine;
  if (IsReduction && !Name.empty() && Operands.size() >= 3) {
    bool IsCount = Name == "popc";
    if (!R.take(IsCount ? "u32" : "pred"))
      return nullptr;
    D = target(Operands.front(), IsCount ? 32 : 1);
    Predicate = source(Operands.back(), 1);
    Operands = Operands.drop_front().drop_back();
    Combine = barrierReduction(Name);
  } else if (!IsSync || !Name.empty()) {
    return nullptr;
  }
  if (!R.isDone() || Operands.empty() || Operands.size() > 2)
    return nullptr;
  Source Number = source(Operands[0], 32), Count;
  if (Operands.size() == 2)
    Count = source(Operands[1], 32);
  auto Shared = std::make_shared<Exchange>(std::move(Combine));
  return [=](Machine &M, Thread &T) {
    T.Waits = Waiting();
    T.Waits.K = Waiting::Kind::Barrier;
    T.Waits.Barrier = M.read(T, Number);
    T.Waits.Count = M.read(T, Count);
    if (*Shared) {
      T.Waits.Combine = Shared.get();
      T.Waits.Operands.push_back(M.read(T, Predicate));
      T.Waits.First = D;
    }
  };
}

} // namespace unravel::ptx
