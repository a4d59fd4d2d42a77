//===- Refinement.cpp - Does the later version do what the earlier did? ---===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Refinement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

using namespace llvm;
using z3::expr;

namespace unravel::refinement {

StringRef nameOf(Judgement J) {
  static constexpr StringLiteral Names[] = {"unchanged", "proved",
                                            "refuted",   "inconclusive",
                                            "timed out", "unsupported"};
  return Names[unsigned(J)];
}

static std::string shown(const Reply &R, const SymbolicValue &V) {
  std::string Text;
  for (const Lane &L : V) {
    if (!Text.empty())
      Text += ", ";
    if (R.Evaluate(L.Poison).is_true()) {
      Text += "poison";
      continue;
    }
    std::optional<APInt> N = numberIn(R.Evaluate(L.Bits));
    SmallString<40> Digits;
    if (N)
      N->toStringUnsigned(Digits);
    Text += N ? Digits.str().str() : "?";
    if (N && N->isNegative() && N->getBitWidth() > 1) {
      Digits.clear();
      N->toStringSigned(Digits);
      Text += (" (" + Digits + ")").str();
    }
  }
  return Text;
}

namespace {

/// One function, seen with its loops cut or without them.
class Judge {
public:
  Judge(z3::context &C, const FunctionPair &Pair, LoopView View, Prover &P)
      : C(C), Pair(Pair), View(View), P(P), W(C, *Pair.Before),
        Before(W, Pair, View, nullptr) {
    Before.encode();
    After = std::make_unique<FunctionEncoder>(W, Pair, View, &Before);
    After->encode();
  }

  Verdict decide();

private:
  bool hasLoops() const { return !Pair.Headers.empty(); }
  std::vector<expr> factsFor(const Obligation &O);
  Verdict judgeCounterexample(const Obligation &O, const Reply &R);
  bool dependsOnOpaque(const Obligation &O, const Reply &R);
  std::optional<Verdict> judgeChoices(const Obligation &O, Reply R);
  expr excuse(const Obligation &O, const z3::expr_vector &Names);
  std::string describe(const Obligation &O, const Reply &R);
  std::optional<std::string> unlikelyMemory(const Reply &R);
  Verdict judgeUndef(const Obligation &O);

  z3::context &C;
  const FunctionPair &Pair;
  LoopView View;
  Prover &P;
  World W;
  FunctionEncoder Before;
  std::unique_ptr<FunctionEncoder> After;
  std::vector<Invariant> Invariants;
  bool HasInvariants = false;
};

} // namespace

std::vector<expr> Judge::factsFor(const Obligation &O) {
  std::vector<expr> Facts = factsAt(Before, O.Time, Invariants);
  Facts.push_back(O.Reached);
  return Facts;
}

Verdict Judge::decide() {
  std::vector<Obligation> Owed = obligations(Before, *After);
  if (!W.Unsupported.empty())
    return {Judgement::Unsupported, W.Unsupported};
  Verdict Worst{Judgement::Proved, "", unsigned(Owed.size())};
  for (const Obligation &O : Owed) {
    Reply R = P.solve(factsFor(O), O.Violated);
    if (R.Is != Answer::Impossible && hasLoops() &&
        View == LoopView::AnyIteration && !HasInvariants) {
      Invariants = loopInvariants(Before, P);
      HasInvariants = true;
      R = P.solve(factsFor(O), O.Violated);
    }
    Verdict V{Judgement::TimedOut, O.What};
    if (R.Is == Answer::Impossible)
      V = judgeUndef(O);
    else if (R.Is == Answer::Possible)
      V = judgeCounterexample(O, R);
    if (V.Is == Judgement::Proved)
      continue;
    V.Questions = Owed.size();
    if (V.Is == Judgement::Refuted)
      return V;
    if (Worst.Is == Judgement::Proved)
      Worst = V;
  }
  return Worst;
}

/// A counterexample counts only if nothing in it was invented.
Verdict Judge::judgeCounterexample(const Obligation &O, const Reply &R) {
  auto Maybe = [&](const Twine &Why) {
    return Verdict{Judgement::Inconclusive, (Why + ": " + O.What).str()};
  };
  if (hasLoops() && View == LoopView::AnyIteration)
    return Maybe("loop");
  if (!W.IgnoredFact.empty())
    return Maybe(W.IgnoredFact);
  if (std::optional<std::string> Why = unlikelyMemory(R))
    return Maybe(*Why);
  if (!W.NotLookedInto.empty() && dependsOnOpaque(O, R))
    return Maybe(W.NotLookedInto);
  if (!Before.Choices.empty())
    return judgeChoices(O, R).value_or(Maybe("freeze"));
  return {Judgement::Refuted, describe(O, R)};
}

/// Whether for the inputs of \p R operations that were not looked into can give
/// what makes it no counterexample.
bool Judge::dependsOnOpaque(const Obligation &O, const Reply &R) {
  std::vector<expr> Fixed;
  for (const auto &[Name, Input] : W.Inputs)
    Fixed.push_back(Input == R.Evaluate(Input));
  for (const expr &Result : W.FreeResults)
    Fixed.push_back(Result == R.Evaluate(Result));
  expr IsCounterexample = O.Violated;
  for (const expr &Fact : factsFor(O))
    IsCounterexample = both(IsCounterexample, Fact);
  Fixed.push_back(negate(IsCounterexample));
  return P.solve(Fixed).Is != Answer::Impossible;
}

/// So far each input was one value. Now those that may be undef.
Verdict Judge::judgeUndef(const Obligation &O) {
  std::optional<UndefQuestion> Q =
      undefQuestion(Before, *After, O, factsFor(O));
  if (!Q)
    return {Judgement::Proved, ""};
  Reply R = P.solve(Q->Facts, Q->Violated);
  if (R.Is == Answer::Impossible)
    return {Judgement::Proved, ""};
  Verdict Open{Judgement::Inconclusive, "undef: " + O.What};
  if (R.Is != Answer::Possible || !Q->SomeChoiceFits ||
      (hasLoops() && View == LoopView::AnyIteration) || unlikelyMemory(R) ||
      !W.IgnoredFact.empty() || !W.NotLookedInto.empty() ||
      !Before.Choices.empty())
    return Open;
  std::vector<expr> Fixed{*Q->SomeChoiceFits};
  for (const auto &[Name, Input] : W.Inputs)
    Fixed.push_back(Input == R.Evaluate(Input));
  for (const expr &Use : Q->Inputs)
    Fixed.push_back(Use == R.Evaluate(Use));
  if (P.solve(Fixed).Is != Answer::Impossible)
    return Open;
  std::string Text = "where inputs are undef: " + describe(O, R);
  for (const expr &Use : Q->Inputs)
    Text += "  " + Use.to_string() + " = " +
            shown(R, {{Use, C.bool_val(false), std::nullopt}});
  return {Judgement::Refuted, Text};
}

/// A load from a place that was accessed before: its value is not free.
std::optional<std::string> Judge::unlikelyMemory(const Reply &R) {
  struct Place {
    APInt From, To;
    bool IsLoad;
  };
  SmallVector<Place, 8> Places;
  for (const Event &E : Before.Events) {
    auto *Load = dyn_cast<LoadInst>(E.Where);
    auto *Store = dyn_cast<StoreInst>(E.Where);
    if ((!Load && !Store) || !R.Evaluate(E.Reached).is_true())
      continue;
    const SymbolicValue &Pointer = E.Operands[Load ? 0 : 1];
    std::optional<APInt> Address = numberIn(R.Evaluate(Pointer.front().Bits));
    Type *Ty = Load ? Load->getType() : Store->getValueOperand()->getType();
    if (!Address)
      return std::string("memory");
    APInt From = Address->zext(96);
    Places.push_back({From,
                      From + W.layout().getTypeStoreSize(Ty).getFixedValue(),
                      Load != nullptr});
  }
  for (size_t Later = 0; Later < Places.size(); ++Later)
    for (size_t Earlier = 0; Earlier < Later; ++Earlier)
      if (Places[Later].IsLoad && Places[Earlier].From.ult(Places[Later].To) &&
          Places[Later].From.ult(Places[Earlier].To))
        return std::string("memory");
  return std::nullopt;
}

/// When the earlier version, with \p Names for what it makes of poison, is
/// undefined or agrees with the later one as far as \p O.
expr Judge::excuse(const Obligation &O, const z3::expr_vector &Names) {
  z3::expr_vector Choices(C);
  for (const expr &Choice : Before.Choices)
    Choices.push_back(Choice);
  auto Rename = [&](expr &E) { E = E.substitute(Choices, Names); };
  FunctionEncoder Free(W, Pair, View, nullptr);
  Free.encode();
  for (Event &E : Free.Events)
    for (SymbolicValue &V : E.Operands)
      for (Lane &L : V) {
        Rename(L.Bits);
        Rename(L.Poison);
      }
  for (Hazard &H : Free.Hazards)
    Rename(H.When);
  expr IsUndefined = C.bool_val(false), Agrees = C.bool_val(true);
  for (const expr &Fact : factsAt(Free, O.Time, {}))
    IsUndefined = either(IsUndefined, negate(Fact));
  for (Obligation &Other : obligations(Free, *After))
    if (Other.Time <= O.Time) {
      Rename(Other.Reached);
      Agrees = both(Agrees, negate(both(Other.Reached, Other.Violated)));
    }
  return either(IsUndefined, Agrees);
}

/// The earlier version makes a value of a poison one as it likes. It is wrong
/// only if there is an input for which no choice excuses the later version.
std::optional<Verdict> Judge::judgeChoices(const Obligation &O, Reply R) {
  static constexpr unsigned MaxRounds = 8;
  z3::expr_vector Names(C);
  for (const expr &Choice : Before.Choices)
    Names.push_back(
        C.bv_const(("before: " + Choice.to_string()).c_str(), widthOf(Choice)));
  expr Excuse = excuse(O, Names);
  std::vector<expr> Facts = factsFor(O);
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    std::vector<expr> Fixed{Excuse};
    for (const auto &[Name, Input] : W.Inputs)
      Fixed.push_back(Input == R.Evaluate(Input));
    Reply Other = P.solve(Fixed);
    if (Other.Is == Answer::Impossible)
      return Verdict{Judgement::Refuted, describe(O, R)};
    if (Other.Is != Answer::Possible)
      break;
    // Another input, for which this choice does not help.
    z3::expr_vector Values(C);
    for (const expr &Name : Names)
      Values.push_back(Other.Evaluate(Name));
    Facts.push_back(negate(Excuse.substitute(Names, Values)));
    R = P.solve(Facts, O.Violated);
    if (R.Is != Answer::Possible || unlikelyMemory(R))
      break;
  }
  return std::nullopt;
}

std::string Judge::describe(const Obligation &O, const Reply &R) {
  std::string Text = O.What;
  raw_string_ostream OS(Text);
  if (!O.Before.empty())
    OS << "\n    before: " << shown(R, O.Before)
       << "\n    after:  " << shown(R, O.After);
  OS << "\n    for";
  for (const auto &[Name, Input] : W.Inputs) {
    expr Value = R.Evaluate(Input);
    if (Value.is_true())
      OS << "  " << Name;
    else if (Value.is_numeral())
      OS << "  " << Name << " = "
         << shown(R, {{Value, C.bool_val(false), std::nullopt}});
  }
  return Text;
}

/// The same instructions with the same names.
static bool isSameText(const Function &A, const Function &B) {
  std::string X, Y;
  raw_string_ostream(X) << A;
  raw_string_ostream(Y) << B;
  // The header names groups of attributes by number.
  auto Body = [](StringRef Text) {
    return Text.drop_until([](char C) { return C == '\n'; });
  };
  return Body(X) == Body(Y);
}

Verdict judge(const Function &Before, const Function &After, const Limits &L) {
  if (isSameText(Before, After))
    return {Judgement::Unchanged, ""};
  if (Before.getInstructionCount() > L.MaxInstructions)
    return {Judgement::Unsupported, "too many instructions"};
  Expected<FunctionPair> Pair = pairFunctions(Before, After);
  if (!Pair)
    return {Judgement::Unsupported, toString(Pair.takeError())};
  try {
    z3::context C;
    Prover P(C, L.Effort);
    Verdict V = Judge(C, *Pair, LoopView::AnyIteration, P).decide();
    if (Pair->Headers.empty() || V.Is == Judgement::Proved ||
        V.Is == Judgement::Unsupported)
      return V;
    // Something a run can meet in its first iteration is a counterexample.
    Verdict First = Judge(C, *Pair, LoopView::FirstIteration, P).decide();
    return First.Is == Judgement::Refuted ? First : V;
  } catch (const z3::exception &E) {
    return {Judgement::Unsupported, std::string("Z3: ") + E.msg()};
  }
}

} // namespace unravel::refinement
