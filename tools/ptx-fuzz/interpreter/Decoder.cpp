//===- Decoder.cpp - Instructions as steps of a program -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/interpreter/Decoder.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel::ptx {

Decoder::Run Decoder::fail(Outcome::Kind K, const Twine &What) {
  if (Problem.empty()) {
    Problem = What.str();
    ProblemKind = K;
  }
  return nullptr;
}

Step Decoder::decode(const Instruction &I, StringRef Text) {
  Problem.clear();
  Step S;
  S.Origin = &I;
  S.Text = Text;
  S.Run = decodeAny(I);
  if (!I.Predicate.empty()) {
    Operand Name;
    Name.K = Operand::Kind::Name;
    Name.Name = Name.Text = I.Predicate;
    S.Guard = source(Name, 1);
    S.Guard->IsNegated = I.IsNegated;
  }
  if (!S.Run || !Problem.empty()) {
    if (Problem.empty())
      fail(Outcome::Kind::NotModelled, "");
    S.Run = [K = ProblemKind, What = Problem](Machine &M, Thread &) {
      M.fail(K, What);
    };
  }
  return S;
}

Decoder::Run Decoder::decodeAny(const Instruction &I) {
  for (auto Decode : {&Decoder::decodeControl, &Decoder::decodeVectorMove,
                      &Decoder::decodeOperation, &Decoder::decodeMemory,
                      &Decoder::decodeAtomic, &Decoder::decodeBarrier,
                      &Decoder::decodeOpaque, &Decoder::decodeWarp}) {
    Run R = (this->*Decode)(I);
    if (R || !Problem.empty())
      return R;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Decimal floats have no place in the tree.
Source Decoder::literal(const Operand &O, unsigned Width) {
  double Value;
  Source S;
  S.Width = Width;
  if (O.Text.getAsDouble(Value) || (Width != 32 && Width != 64)) {
    failMalformed("operand '" + O.Text + "' is no value");
    return S;
  }
  APFloat F(Value);
  bool LosesInfo;
  if (Width == 32)
    F.convert(APFloat::IEEEsingle(), RoundingMode::NearestTiesToEven,
              &LosesInfo);
  S.Value = F.bitcastToAPInt().getZExtValue();
  return S;
}

Source Decoder::source(const Operand &O, unsigned Width, Fit F) {
  Source S;
  S.Width = Width;
  switch (O.K) {
  case Operand::Kind::Integer:
    S.Value = O.Value & maskOf(Width);
    return S;
  case Operand::Kind::Float:
    S.Value = O.Value;
    if (O.Width == 32 && Width == 64) {
      APFloat Wide(APFloat::IEEEsingle(), APInt(32, O.Value));
      bool LosesInfo;
      Wide.convert(APFloat::IEEEdouble(), RoundingMode::NearestTiesToEven,
                   &LosesInfo);
      S.Value = Wide.bitcastToAPInt().getZExtValue();
    } else if (O.Width != Width) {
      failMalformed("operand '" + O.Text + "' has " + Twine(O.Width) +
                    " bits, not " + Twine(Width));
    }
    return S;
  case Operand::Kind::Not:
    if (Width != 1) {
      failMalformed("operand '" + O.Text + "' has to be a predicate");
      return S;
    }
    S = source(O.Parts[0], Width);
    S.IsNegated = true;
    if (S.K != Source::Kind::Register)
      failMalformed("operand '" + O.Text + "' has to be a predicate");
    return S;
  case Operand::Kind::Name:
    break;
  default:
    return literal(O, Width);
  }

  const Symbol *Known = N.find(O.Name);
  if (Known && Known->IsRegister) {
    S.K = Source::Kind::Register;
    S.Slot = Known->Slot;
    bool Fits =
        Known->Width == Width || (F == Fit::MayBeWider && Known->Width > Width);
    if (!Fits || !O.isName())
      failMalformed("operand '" + O.Text + "' has " + Twine(Known->Width) +
                    " bits, not " + Twine(Width));
    return S;
  }
  if (Known && !Known->NotModelled.empty()) {
    fail(Outcome::Kind::NotModelled, Known->NotModelled);
    return S;
  }
  if (Known) {
    S.Value = (Known->Address + O.Value) & maskOf(Width);
    if (Width < 32)
      failMalformed("an address in " + Twine(Width) + " bits");
    return S;
  }
  if (O.Name == "WARP_SZ") {
    S.Value = WarpSize;
    return S;
  }
  StringRef Special = O.Name;
  if (Special.consume_front("%")) {
    auto It = find(specialRegisters(), Special);
    if (It != specialRegisters().end()) {
      S.K = Source::Kind::Special;
      S.Slot = It - specialRegisters().begin();
      if (Width != 32)
        failMalformed("special register '" + O.Text + "' has 32 bits, not " +
                      Twine(Width));
      return S;
    }
    fail(Outcome::Kind::NotModelled, "'" + O.Text + "'");
    return S;
  }
  failMalformed("'" + O.Text + "' is not declared");
  return S;
}

Target Decoder::target(const Operand &O, unsigned Width, Fit F) {
  Target T;
  T.Width = Width;
  if (O.K == Operand::Kind::Name && O.Name == "_")
    return T;
  const Symbol *Known = O.isName() ? N.find(O.Name) : nullptr;
  if (!Known || !Known->IsRegister) {
    failMalformed("destination '" + O.Text + "' is no register");
    return T;
  }
  if (Known->Width != Width && !(F == Fit::MayBeWider && Known->Width > Width))
    failMalformed("destination '" + O.Text + "' has " + Twine(Known->Width) +
                  " bits, not " + Twine(Width));
  T.Slot = Known->Slot;
  T.Width = Known->Width;
  return T;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Decoder::Run Decoder::decodeOperation(const Instruction &I) {
  std::optional<Operation> O = findOperation(I);
  if (!O)
    return nullptr;
  size_t MaxOperands = O->OperandWidths.size();
  if (I.Operands.empty() || I.Operands.size() - 1 > MaxOperands ||
      I.Operands.size() - 1 + O->NumOptional < MaxOperands)
    return failMalformed("it needs " + Twine(MaxOperands + 1) + " operands");

  Target First, Second;
  const Operand &D = I.Operands[0];
  Fit F = O->IsConversion ? Fit::MayBeWider : Fit::Exact;
  if (D.K == Operand::Kind::Pair && O->SecondWidth) {
    First = target(D.Parts[0], O->ResultWidth);
    Second = target(D.Parts[1], O->SecondWidth);
  } else {
    First = target(D, O->ResultWidth, F);
  }
  SmallVector<Source, 4> Sources;
  for (size_t K = 1; K != I.Operands.size(); ++K)
    Sources.push_back(source(I.Operands[K], O->OperandWidths[K - 1], F));
  unsigned ResultWidth = O->ResultWidth;
  bool IsSigned = O->IsResultSigned;
  return [=, Compute = O->Run](Machine &M, Thread &T) {
    SmallVector<uint64_t, 5> Values;
    for (const Source &S : Sources)
      Values.push_back(M.read(T, S) & maskOf(S.Width));
    Results R = Compute(Values, T.Flags);
    // A conversion fills a wider register by the sign of its type.
    R.First &= maskOf(ResultWidth);
    if (IsSigned)
      R.First = uint64_t(signedOf(R.First, ResultWidth));
    M.write(T, First, R.First);
    M.write(T, Second, R.Second);
  };
}

/// mov.b64 %rd, {%r1, %r2} and mov.b64 {%r1, _}, %rd
Decoder::Run Decoder::decodeVectorMove(const Instruction &I) {
  if (I.base() != "mov" || I.Operands.size() != 2 || I.Words.size() != 2)
    return nullptr;
  std::optional<Type> T = I.type();
  if (!T || T->Width > 64)
    return nullptr;
  const Operand &D = I.Operands[0], &A = I.Operands[1];
  bool Packs = A.K == Operand::Kind::Vector;
  if (Packs == (D.K == Operand::Kind::Vector))
    return nullptr;
  const std::vector<Operand> &Parts = Packs ? A.Parts : D.Parts;
  if (Parts.size() != 2 && Parts.size() != 4)
    return failMalformed("a vector has 2 or 4 parts here");
  unsigned Width = T->Width / Parts.size();
  if (Packs) {
    Target To = target(D, T->Width);
    SmallVector<Source, 4> Sources;
    for (const Operand &Part : Parts)
      Sources.push_back(source(Part, Width));
    return [=](Machine &M, Thread &T) {
      uint64_t Value = 0;
      for (auto [K, S] : enumerate(Sources))
        Value |= (M.read(T, S) & maskOf(Width)) << (K * Width);
      M.write(T, To, Value);
    };
  }
  Source From = source(A, T->Width);
  SmallVector<Target, 4> Targets;
  for (const Operand &Part : Parts)
    Targets.push_back(target(Part, Width));
  return [=](Machine &M, Thread &T) {
    uint64_t Value = M.read(T, From);
    for (auto [K, To] : enumerate(Targets))
      M.write(T, To, Value >> (K * Width));
  };
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

Decoder::Run Decoder::decodeBranchTable(const Instruction &I) {
  if (I.Operands.size() != 2)
    return failMalformed("it needs 2 operands");
  Source Index = source(I.Operands[0], 32);
  auto Labels = N.findTargets(I.Operands[1].Name);
  if (!Labels)
    return failMalformed("'" + I.Operands[1].Text + "' lists no targets");
  SmallVector<size_t, 8> Targets;
  for (StringRef Name : *Labels) {
    std::optional<size_t> At = N.findLabel(Name);
    if (!At)
      return failMalformed("there is no label '" + Name + "'");
    Targets.push_back(*At);
  }
  return [=](Machine &M, Thread &T) {
    uint64_t Number = M.read(T, Index);
    if (Number >= Targets.size())
      return M.fail(Outcome::Kind::Fault,
                    "index " + Twine(Number) + " is outside of the table");
    T.At = Targets[Number];
  };
}

Decoder::Run Decoder::decodeControl(const Instruction &I) {
  StringRef Base = I.base();
  if (Base == "bra") {
    std::optional<size_t> At;
    if (I.Operands.size() == 1)
      At = N.findLabel(I.Operands[0].Name);
    if (!At)
      return failMalformed("there is no such label");
    return [At = *At](Machine &, Thread &T) { T.At = At; };
  }
  if (Base == "brx")
    return decodeBranchTable(I);
  if (Base == "ret" || Base == "exit")
    return [](Machine &, Thread &T) { T.IsDone = true; };
  if (Base == "trap")
    return [](Machine &M, Thread &) {
      M.fail(Outcome::Kind::Fault, "a thread traps");
    };
  // What only says when things happen, or where data should wait.
  if (is_contained({"membar", "fence", "nanosleep", "prefetch", "prefetchu",
                    "griddepcontrol", "pmevent", "setmaxnreg"},
                   Base))
    return [](Machine &, Thread &) {};
  return nullptr;
}

} // namespace unravel::ptx
