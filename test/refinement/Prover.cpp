//===- Prover.cpp - Is there an input like that? --------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prover.h"
#include "IntegerTranslation.h"
#include "SymbolicValue.h"
#include <map>
#include <set>

using z3::expr;

namespace unravel::refinement {

//===----------------------------------------------------------------------===//
// What the facts say without arithmetic
//===----------------------------------------------------------------------===//

namespace {
/// Conditions that are known to hold or not to hold.
class KnownConditions {
public:
  explicit KnownConditions(z3::context &C) : C(C) {}

  /// False if the opposite is known.
  bool add(expr E) {
    bool Holds = true;
    for (; E.is_not(); E = E.arg(0))
      Holds = !Holds;
    Alive.push_back(E);
    auto [It, IsNew] = Known.try_emplace(Z3_get_ast_id(C, E), Holds);
    if (IsNew)
      Cache.clear();
    return It->second == Holds;
  }

  expr simplified(const expr &E) {
    unsigned Id = Z3_get_ast_id(C, E);
    if (auto It = Known.find(Id); It != Known.end())
      return C.bool_val(It->second);
    if (auto It = Cache.find(Id); It != Cache.end())
      return It->second;
    expr Result = E;
    if (E.is_not()) {
      Result = negate(simplified(E.arg(0)));
    } else if (E.is_and() || E.is_or()) {
      Result = C.bool_val(E.is_and());
      for (unsigned I = 0; I < E.num_args(); ++I) {
        expr Part = simplified(E.arg(I));
        Result = E.is_and() ? both(Result, Part) : either(Result, Part);
      }
    } else if (E.is_app() && E.is_bool() && E.decl().decl_kind() == Z3_OP_ITE) {
      Result = choose(simplified(E.arg(0)), simplified(E.arg(1)),
                      simplified(E.arg(2)));
    }
    Alive.push_back(E);
    return Cache.try_emplace(Id, Result).first->second;
  }

private:
  z3::context &C;
  std::map<unsigned, bool> Known;
  std::map<unsigned, expr> Cache;
  std::vector<expr> Alive; // keeps ids unique
};
} // namespace

/// Splits `a and b`, `not (a or b)`.
static void split(const expr &E, std::vector<expr> &Parts) {
  bool IsConjunction = E.is_and() || (E.is_not() && E.arg(0).is_or());
  if (!IsConjunction) {
    if (!E.is_true())
      Parts.push_back(E);
    return;
  }
  expr Inner = E.is_not() ? E.arg(0) : E;
  for (unsigned I = 0; I < Inner.num_args(); ++I)
    split(E.is_not() ? negate(Inner.arg(I)) : Inner.arg(I), Parts);
}

static bool isCompound(const expr &E) {
  expr Inner = E.is_not() ? E.arg(0) : E;
  return Inner.is_and() || Inner.is_or() ||
         (Inner.is_app() && Inner.decl().decl_kind() == Z3_OP_ITE);
}

std::vector<expr> singleFacts(const std::vector<expr> &Facts, z3::context &C) {
  std::vector<expr> Work = Facts, Singles;
  KnownConditions Known(C);
  for (bool Changed = true; Changed;) {
    Changed = false;
    std::vector<expr> Parts, Rest;
    for (const expr &Fact : Work)
      split(Fact, Parts);
    for (const expr &Part : Parts) {
      if (isCompound(Part)) {
        Rest.push_back(Part);
        continue;
      }
      if (Part.is_false() || !Known.add(Part))
        return {C.bool_val(false)};
      Singles.push_back(Part);
      Changed = true;
    }
    Work.clear();
    for (const expr &Fact : Rest) {
      expr Simple = Known.simplified(Fact);
      Changed |= !isSameTerm(Simple, Fact);
      if (Simple.is_false())
        return {Simple};
      Work.push_back(Simple);
    }
  }
  std::set<unsigned> Seen;
  std::vector<expr> Result;
  Singles.insert(Singles.end(), Work.begin(), Work.end());
  for (const expr &Fact : Singles)
    if (!Fact.is_true() && Seen.insert(Z3_get_ast_id(C, Fact)).second)
      Result.push_back(Fact);
  return Result;
}

//===----------------------------------------------------------------------===//
// Solvers
//===----------------------------------------------------------------------===//

static void limit(z3::context &C, z3::solver &S, unsigned Steps) {
  z3::params P(C);
  P.set("rlimit", Steps);
  S.set(P);
}

/// Whether some function of several arguments is left open.
static bool hasFunctions(const expr &E, std::set<unsigned> &Seen) {
  if (!E.is_app() || !Seen.insert(Z3_get_ast_id(E.ctx(), E)).second)
    return false;
  if (E.num_args() && E.decl().decl_kind() == Z3_OP_UNINTERPRETED)
    return true;
  for (unsigned I = 0; I < E.num_args(); ++I)
    if (hasFunctions(E.arg(I), Seen))
      return true;
  return false;
}

static void collectConstants(const expr &E, std::set<unsigned> &Seen,
                             std::vector<expr> &Constants) {
  if (!E.is_app() || !Seen.insert(Z3_get_ast_id(E.ctx(), E)).second)
    return;
  if (!E.num_args() && E.decl().decl_kind() == Z3_OP_UNINTERPRETED)
    Constants.push_back(E);
  for (unsigned I = 0; I < E.num_args(); ++I)
    collectConstants(E.arg(I), Seen, Constants);
}

/// Whether all of \p Facts can hold; then S has a model of them.
static Answer ask(z3::solver &S, const std::vector<expr> &Facts) {
  for (const expr &Fact : Facts)
    S.add(Fact);
  z3::check_result Result = S.check();
  return Result == z3::sat     ? Answer::Possible
         : Result == z3::unsat ? Answer::Impossible
                               : Answer::Unknown;
}

Reply Prover::solveAsIntegers(const std::vector<expr> &Facts, unsigned Limit) {
  IntegerTranslation Translation(C);
  std::vector<expr> Integers = Translation.translate(Facts);
  z3::solver S(C, z3::solver::simple());
  limit(C, S, Limit);
  if (Answer Is = ask(S, Integers); Is != Answer::Possible)
    return {Is, nullptr};
  // The integers may allow more: does it hold for the bits?
  z3::model M = S.get_model();
  z3::expr_vector From(C), To(C);
  std::set<unsigned> Seen;
  std::vector<expr> Constants;
  for (const expr &Fact : Facts) {
    if (hasFunctions(Fact, Seen))
      return {Answer::Unknown, nullptr};
  }
  Seen.clear();
  for (const expr &Fact : Facts)
    collectConstants(Fact, Seen, Constants);
  for (const expr &Constant : Constants) {
    From.push_back(Constant);
    expr Value = Constant.is_bool() ? M.eval(Constant, true)
                                    : number(C, 0, widthOf(Constant));
    for (auto &[Word, Integer] : Translation.Variables)
      if (isSameTerm(Word, Constant))
        Value = C.bv_val(Z3_get_numeral_string(C, M.eval(Integer, true)),
                         widthOf(Constant));
    To.push_back(Value);
  }
  auto Evaluate = [From, To](const expr &E) mutable {
    expr Copy = E;
    return Copy.substitute(From, To).simplify();
  };
  for (const expr &Fact : Facts)
    if (!Evaluate(Fact).is_true())
      return {Answer::Unknown, nullptr};
  return {Answer::Possible, Evaluate};
}

Reply Prover::solveAsBits(const std::vector<expr> &Facts, unsigned Limit) {
  std::set<unsigned> Seen;
  bool Functions = false;
  for (const expr &Fact : Facts)
    Functions |= hasFunctions(Fact, Seen);
  z3::solver S(C, Functions ? "QF_UFBV" : "QF_BV");
  limit(C, S, Limit);
  if (Answer Is = ask(S, Facts); Is != Answer::Possible)
    return {Is, nullptr};
  z3::model M = S.get_model();
  return {Answer::Possible,
          [M](const expr &E) { return M.eval(E, /*model_completion=*/true); }};
}

/// A step of the bit solver is so much cheaper.
static constexpr unsigned StepsOfBits = 20;

bool Prover::isImpossible(const std::vector<expr> &Facts) {
  std::vector<expr> Singles = singleFacts(Facts, C);
  if (Singles.size() == 1 && Singles.front().is_false())
    return true;
  return solveAsIntegers(Singles, Effort / 4).Is == Answer::Impossible;
}

Reply Prover::solve(const std::vector<expr> &Facts) {
  std::vector<expr> Singles = singleFacts(Facts, C);
  if (Singles.size() == 1 && Singles.front().is_false()) {
    ++ByLogic;
    return {Answer::Impossible, nullptr};
  }
  Reply Integers = solveAsIntegers(Singles, Effort);
  if (Integers.Is != Answer::Unknown) {
    ++ByIntegers;
    return Integers;
  }
  Reply Bits = solveAsBits(Singles, Effort * StepsOfBits);
  if (Bits.Is != Answer::Unknown)
    ++ByBits;
  return Bits;
}

/// The parts of `a or (b and (c or d))`: a, b and c, b and d.
static void alternatives(const expr &E, const expr &Also,
                         std::vector<expr> &Parts) {
  if (E.is_or()) {
    for (unsigned I = 0; I < E.num_args(); ++I)
      alternatives(E.arg(I), Also, Parts);
    return;
  }
  if (E.is_and() && E.num_args() == 2)
    for (unsigned I = 0; I < 2; ++I)
      if (E.arg(I).is_or() || (E.arg(I).is_and() && !E.arg(1 - I).is_or()))
        return alternatives(E.arg(I), both(Also, E.arg(1 - I)), Parts);
  Parts.push_back(both(Also, E));
}

Reply Prover::solve(std::vector<expr> Facts, const expr &Goal) {
  std::vector<expr> Parts;
  alternatives(Goal, C.bool_val(true), Parts);
  // What is hard may be easy when the rest is known.
  std::vector<expr> Hard;
  for (bool Last : {false, true}) {
    for (const expr &Part : Parts) {
      std::vector<expr> Question = Facts;
      Question.push_back(Part);
      Reply R = solve(Question);
      if (R.Is == Answer::Possible)
        return R;
      if (R.Is == Answer::Impossible)
        Facts.push_back(negate(Part));
      else
        Hard.push_back(Part);
    }
    if (Hard.empty() || Hard.size() == Parts.size() || Last)
      break;
    std::swap(Parts, Hard);
    Hard.clear();
  }
  return {Hard.empty() ? Answer::Impossible : Answer::Unknown, nullptr};
}

} // namespace unravel::refinement
