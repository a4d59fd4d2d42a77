//===- FactRemarks.cpp - The facts that divisions are missing -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operand has to be (not negative, above 0, below 2^31) is asked for
// only where recovery does not know it. MissingFacts turns that into facts
// about sizes of the launch; what remains is said of the operand itself.
// Divisions that miss the same fact are counted in one remark. Of the facts
// that can be tried (FactTrials.h), only those that save something are told.
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/FactRemarks.h"
#include "analysis/facts/MissingFacts.h"
#include "analysis/facts/RangeFacts.h"
#include "analysis/facts/SourcePlaces.h"
#include "analysis/facts/UniformValues.h"
#include "transforms/facts/SourceNames.h"
#include "transforms/simplify/FactSuggestion.h"
#include "transforms/simplify/FactTrials.h"
#include "transforms/simplify/FormText.h"
#include "transforms/simplify/IndexRoots.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include <map>

using namespace llvm;

#define DEBUG_TYPE "index-simplify"

namespace unravel {

/// Divisions of a kernel that are looked at, and values below one of them.
static constexpr unsigned MaxDivisions = 64, MaxDepth = 8;

/// For divisors that are no values of the source.
static constexpr StringLiteral UnnamedDivisor = "a computed value";

namespace {
class FactCollector {
public:
  FactCollector(Function &F, FunctionAnalysisManager &AM,
                IndexRecovery &Recovery, bool IsFastBody)
      : F(F), AM(AM), Recovery(Recovery), IsFastBody(IsFastBody) {}

  void examine(BinaryOperator &Division);
  void emit(OptimizationRemarkEmitter &ORE, FactTrials *Trials) const;

private:
  void emitFact(const WantedFact &Missing, uint64_t Cost, bool IsOneOfMany,
                OptimizationRemarkEmitter &ORE) const;
  void emitSuggestion(const FactSuggestion &Suggested,
                      OptimizationRemarkEmitter &ORE) const;
  void emitRuntimeDivisors(OptimizationRemarkEmitter &ORE) const;
  void ask(BinaryOperator &Division, bool IsDivisor);
  void askForSymbols(BinaryOperator &Division, const MissingFacts &Facts);
  void askForBound(BinaryOperator &Division, const MissingFacts &Facts,
                   const CountBound &B);
  void askForValue(BinaryOperator &Division, Value *V, int64_t Least,
                   const MissingFacts &Facts, unsigned Depth = 0);
  bool askForRecurrence(BinaryOperator &Division, Value *V,
                        const MissingFacts &Facts, unsigned Depth = 0);
  WantedFact &note(BinaryOperator &Division, WantedFact::About Kind,
                   std::string Text);

  Interval rangeOf(Value *V) {
    return CurrentScope->Domain.range(
        Recovery.recover(V, *CurrentScope).Signed);
  }

  Function &F;
  FunctionAnalysisManager &AM;
  IndexRecovery &Recovery;
  bool IsFastBody;
  RecoveryScope *CurrentScope = nullptr;
  template <typename T>
  using InOrder = MapVector<std::string, T, std::map<std::string, unsigned>>;
  InOrder<WantedFact> Found;
  /// Divisions by values of run time, by the divisor's name.
  InOrder<unsigned> RuntimeDivisors;
  SmallSet<std::pair<Value *, Value *>, 16> Counted;
  Instruction *FirstByRuntimeDivisor = nullptr;
};
} // namespace

static bool isWide(const BinaryOperator &Division) {
  return Division.getType()->isIntegerTy(64);
}

//===----------------------------------------------------------------------===//
// What is missing
//===----------------------------------------------------------------------===//

/// Facts about the same are one, as strong as necessary.
WantedFact &FactCollector::note(BinaryOperator &Division,
                                WantedFact::About Kind, std::string Text) {
  WantedFact &Missing = Found[Text];
  if (!Missing.First) {
    Missing.Kind = Kind;
    Missing.Text = std::move(Text);
    Missing.First = &Division;
  }
  Missing.Unsigned |= isSignedDivision(Division);
  Missing.Narrow |= isWide(Division);
  Missing.Divisions.insert({Division.getOperand(0), Division.getOperand(1)});
  return Missing;
}

/// Whether \p Symbol is the divisor \p V or a factor of it.
static bool isFactorOf(const Value *Symbol, const Value *V,
                       unsigned Depth = 0) {
  if (V == Symbol || isSameLoad(V, Symbol))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  return I && Depth < MaxDepth &&
         (I->getOpcode() == Instruction::Mul || isa<CastInst>(I)) &&
         any_of(
             I->operands(),
             [&](const Use &U) { return isFactorOf(Symbol, U, Depth + 1); });
}

void FactCollector::askForSymbols(BinaryOperator &Division,
                                  const MissingFacts &Facts) {
  for (const UniformSymbol &S : Facts.Symbols) {
    // The size of a number matters where it is narrowed.
    bool Sign = S.needsSignTest(), Size = isWide(Division) && S.needsSizeTest();
    std::string Name =
        S.Source && (Sign || Size) ? signedSourceName(*S.Source) : "";
    // What is known to be wrong is no advice.
    if (Name.empty() || S.Known.hi() < S.IsFactor)
      continue;
    WantedFact &Missing = note(Division, WantedFact::About::Launch, Name);
    Missing.Values.insert(S.Source);
    Missing.HasLeast |= Sign;
    Missing.HasMost |= Size;
    Missing.Least = std::max<int64_t>(Missing.Least, S.IsFactor);
    if (auto *A = dyn_cast<Argument>(S.Source))
      Missing.ArgumentNumber = A->getArgNo();
    Missing.IsPromise |= Sign && isSignedDivision(Division) &&
                         isFactorOf(S.Source, Division.getOperand(1));
  }
}

/// Whether \p Factors are blockDim and gridDim of one dimension.
static bool isGrid(ArrayRef<const UniformSymbol *> Factors) {
  if (Factors.size() != 2)
    return false;
  std::string A = sourceName(Factors[0]->Register),
              B = sourceName(Factors[1]->Register);
  return !A.empty() && !B.empty() && A != B && A.back() == B.back();
}

void FactCollector::askForBound(BinaryOperator &Division,
                                const MissingFacts &Facts,
                                const CountBound &B) {
  std::string Sum;
  ListSeparator Plus(" + ");
  SmallVector<const UniformSymbol *, 4> Factors;
  SmallVector<std::string, 4> Names;
  bool IsProduct = true, HasRegister = false;
  SmallVector<WantedFact::Monomial, 2> Parts;
  for (const CountBound::Monomial &M : B.monomials()) {
    if (M.Symbols.empty())
      continue;
    Parts.push_back({M.Coefficient, {}});
    IsProduct &= Factors.empty() && M.Coefficient == 1;
    ListSeparator Times(" * ");
    Sum += StringRef(Plus);
    (Sum += StringRef(Times)) += std::to_string(M.Coefficient) + "LL";
    for (unsigned Index : M.Symbols) {
      const UniformSymbol &S = Facts.Symbols[Index];
      Factors.push_back(&S);
      Parts.back().Factors.push_back({S.Source, S.Register});
      HasRegister |= !S.Source;
      Names.push_back(S.Source ? sourceName(*S.Source)
                               : sourceName(S.Register));
      if (Names.back().empty())
        return;
      (Sum += StringRef(Times)) += Names.back();
    }
  }
  bool Fits = IsProduct && !HasRegister && Factors.size() >= 2 &&
              Factors.size() <= 4 && B.constantTerm() == 1;
  WantedFact::About Kind = IsProduct && isGrid(Factors)
                               ? WantedFact::About::Grid
                           : Fits ? WantedFact::About::Product
                                  : WantedFact::About::Bound;
  WantedFact &Missing =
      note(Division, Kind,
           Kind == WantedFact::About::Bound ? Sum : join(Names, " * "));
  Missing.Factors = Names;
  if (Kind != WantedFact::About::Grid)
    Missing.Sum = Parts;
  // (Of the grid, the macro states a bound of its own, whatever is added.)
  uint64_t Most = Kind == WantedFact::About::Grid
                      ? MissingFacts::Limit
                      : MissingFacts::Limit - B.constantTerm();
  Missing.Most = Missing.HasMost ? std::min(Missing.Most, Most) : Most;
  Missing.HasMost = true;
}

/// Asks for what no fact about the launch says: sums and products that do not
/// wrap are natural if their operands are.
void FactCollector::askForValue(BinaryOperator &Division, Value *V,
                                int64_t Least, const MissingFacts &Facts,
                                unsigned Depth) {
  if (isa<Constant>(V) || Facts.Small.contains(V))
    return;
  Interval Range = rangeOf(V);
  bool TooLarge = isWide(Division) && Range.hi() > UINT32_MAX;
  if ((Range.lo() >= Least && !TooLarge) || Range.hi() < Least)
    return;
  auto *Op = dyn_cast<OverflowingBinaryOperator>(V);
  bool IsSum = Op && Op->hasNoSignedWrap() &&
               Op->getOpcode() != Instruction::Sub &&
               none_of(Op->operands(), [](const Use &U) {
                 auto *C = dyn_cast<ConstantInt>(U);
                 return C && C->isNegative();
               });
  bool IsSame = isa<SExtInst>(V) || isa<ZExtInst>(V) || isa<FreezeInst>(V);
  if ((IsSum || IsSame) && Depth < MaxDepth) {
    for (Value *Operand : cast<User>(V)->operands())
      askForValue(Division, Operand, Least, Facts, Depth + 1);
    return;
  }
  std::string Name = signedSourceName(*V);
  if (Name.empty())
    Name = Least > 0 ? "the divisor" : "the dividend";
  WantedFact &Missing = note(Division, WantedFact::About::Value, Name);
  Missing.Values.insert(V);
  Missing.HasLeast = true;
  Missing.HasMost |= TooLarge;
  Missing.Least = std::max(Missing.Least, Least);
}

/// The sizes of the launch prove a grid-stride loop's index by induction, which
/// only the test at kernel entry does: in the source, the index is what to
/// state.
bool FactCollector::askForRecurrence(BinaryOperator &Division, Value *V,
                                     const MissingFacts &Facts,
                                     unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth || !IndexRecovery::isIndexValue(I) ||
      rangeOf(V).lo() >= 0)
    return false;
  if (!isa<PHINode>(I) || !Facts.Small.contains(V)) {
    if (!IndexRecovery::isIndexOperation(I) || isa<PHINode>(I))
      return false;
    bool HasAsked = false;
    for (Value *Operand : I->operands())
      HasAsked |= askForRecurrence(Division, Operand, Facts, Depth + 1);
    return HasAsked;
  }
  std::string Name = signedSourceName(*V);
  WantedFact &Missing = note(Division, WantedFact::About::Value,
                             Name.empty() ? "the dividend" : Name);
  Missing.HasLeast = true;
  Missing.Values.insert(V);
  return true;
}

void FactCollector::ask(BinaryOperator &Division, bool IsDivisor) {
  Value *V = Division.getOperand(IsDivisor);
  if (isa<Constant>(V))
    return;
  Interval Range = rangeOf(V);
  bool NeedsSign =
      isSignedDivision(Division) && Range.lo() < (IsDivisor ? 1 : 0);
  bool NeedsSize =
      isWide(Division) && (Range.lo() < 0 || Range.hi() > UINT32_MAX);
  if (!NeedsSign && !NeedsSize)
    return;
  // The body was chosen by all facts about the launch that it can use.
  MissingFacts Facts;
  if (!IsFastBody)
    Facts = findMissingFacts(F, AM, V, IsDivisor);
  if (!askForRecurrence(Division, V, Facts)) {
    askForSymbols(Division, Facts);
    for (const CountBound &B : Facts.Bounds)
      askForBound(Division, Facts, B);
  }
  askForValue(Division, V, IsDivisor ? 1 : 0, Facts);
}

void FactCollector::examine(BinaryOperator &Division) {
  if (!Division.getType()->isIntegerTy(32) && !isWide(Division))
    return;
  CurrentScope = &Recovery.scopeOf(Division.getParent());
  if (CurrentScope->Domain.isKnownEmpty())
    return;
  ask(Division, /*IsDivisor=*/true);
  ask(Division, /*IsDivisor=*/false);
  Value *Dividend = Division.getOperand(0), *Divisor = Division.getOperand(1);
  if (isa<Constant>(Divisor) || !Counted.insert({Dividend, Divisor}).second)
    return;
  if (!FirstByRuntimeDivisor)
    FirstByRuntimeDivisor = &Division;
  std::string Name = sourceName(*Divisor);
  ++RuntimeDivisors[Name.empty() ? UnnamedDivisor.str() : Name];
}

//===----------------------------------------------------------------------===//
// How it is said
//===----------------------------------------------------------------------===//

static std::string divisions(size_t Count) {
  return Count == 1 ? "1 division" : std::to_string(Count) + " divisions";
}

/// Whether debug info has the names of variables, not lines alone.
static bool hasNames(const Function &F) {
  const DISubprogram *Subprogram = F.getSubprogram();
  const DICompileUnit *Unit = Subprogram ? Subprogram->getUnit() : nullptr;
  return Unit && Unit->getEmissionKind() == DICompileUnit::FullDebug;
}

/// Behind a number, what is counted.
static constexpr StringLiteral InstructionsOfThread =
    " SASS instructions of a thread, those in loops counted by depth";

void FactCollector::emitFact(const WantedFact &Missing, uint64_t Cost,
                             bool IsOneOfMany,
                             OptimizationRemarkEmitter &ORE) const {
  ORE.emit([&] {
    StringRef State = Missing.Unsigned && Missing.Narrow
                          ? "signed and at 64 bits"
                      : Missing.Unsigned ? "signed"
                                         : "at 64 bits";
    bool IsLocal = Missing.Kind == WantedFact::About::Value;
    size_t Count = Missing.Divisions.size();
    OptimizationRemarkMissed R(
        DEBUG_TYPE, IsLocal ? "UnknownSign" : "MissingFact",
        remarkPlace(*Missing.First), Missing.First->getParent());
    R << ore::NV("Divisions", divisions(Count))
      << (Count == 1 ? " stays " : " stay ") << ore::NV("State", State)
      << ", because nothing says that " << ore::NV("Fact", Missing.condition())
      << ".";
    std::string Ways = waysToState(Missing, F.getName());
    std::string Flag = Missing.flag();
    if (!Ways.empty() && !Flag.empty() && !StringRef(Ways).contains(Flag))
      Ways += " or " + Flag;
    if (Missing.isWritable())
      R << " To state it: " << ore::NV("Line", Missing.line())
        << StringRef(Ways).drop_front(Missing.line().size());
    else if (!Ways.empty())
      R << " To state it: " << ore::NV("Others", Ways) << ".";
    if (!Missing.isWritable())
      R << (hasNames(F)
                ? " Give the value a variable of its own, and state it "
                  "of that"
                : " With -g -Xclang -debug-info-kind=limited, and -S, this "
                  "remark says its name");
    if (Missing.Saving)
      R << (Missing.isWritable() && Ways == Missing.line() ? " " : ". ")
        << "Predicted saving"
        << (IsOneOfMany ? ", with the other facts stated" : "") << ": "
        << ore::NV("Saving", *Missing.Saving) << " of " << ore::NV("Cost", Cost)
        << InstructionsOfThread;
    return R;
  });
}

void FactCollector::emitSuggestion(const FactSuggestion &Suggested,
                                   OptimizationRemarkEmitter &ORE) const {
  std::string Ways = waysToState(Suggested.Facts, F.getName());
  if (Ways.empty())
    return;
  ORE.emit([&] {
    const Instruction &At = *Suggested.Facts.front().First;
    return OptimizationRemarkMissed(DEBUG_TYPE, "StateFacts", remarkPlace(At),
                                    At.getParent())
           << ore::NV("Facts", unsigned(Suggested.Facts.size()))
           << " facts together save " << ore::NV("Saving", Suggested.saving())
           << " of " << ore::NV("Cost", Suggested.Before)
           << InstructionsOfThread
           << " (predicted), and none of them can be left out. To state them: "
           << ore::NV("Lines", Ways);
  });
}

void FactCollector::emit(OptimizationRemarkEmitter &ORE,
                         FactTrials *Trials) const {
  SmallVector<const WantedFact *, 8> Candidates;
  if (Trials)
    for (const auto &Entry : Found)
      if (Trials->canState(Entry.second))
        Candidates.push_back(&Entry.second);
  std::optional<FactSuggestion> Suggested =
      Candidates.empty() ? std::nullopt : suggestFacts(Candidates, *Trials);
  if (Suggested) {
    bool AreMany = Suggested->Facts.size() > 1;
    if (AreMany)
      emitSuggestion(*Suggested, ORE);
    for (const WantedFact &Fact : Suggested->Facts)
      emitFact(Fact, Suggested->Before, AreMany, ORE);
  }
  // What cannot be tried may help.
  for (const auto &Entry : Found)
    if (!Suggested || !is_contained(Candidates, &Entry.second))
      emitFact(Entry.second, /*Cost=*/0, /*IsOneOfMany=*/false, ORE);
  emitRuntimeDivisors(ORE);
}

void FactCollector::emitRuntimeDivisors(OptimizationRemarkEmitter &ORE) const {
  if (!FirstByRuntimeDivisor)
    return;
  ORE.emit([&] {
    std::string Divisors, Example;
    ListSeparator Comma;
    for (const auto &[Name, Count] : RuntimeDivisors) {
      (Divisors += StringRef(Comma)) += Name + " (" + divisions(Count) + ")";
      // Who computes a divisor knows its parts, if anything.
      bool IsOneSize = Name != UnnamedDivisor && Name.front() != '(';
      if (Example.empty() && IsOneSize && isWritable(Name))
        Example = ", or stated: UNRAVEL_ASSUME(" + Name + " == 75);";
    }
    return OptimizationRemarkMissed(DEBUG_TYPE, "RuntimeDivisor",
                                    remarkPlace(*FirstByRuntimeDivisor),
                                    FirstByRuntimeDivisor->getParent())
           << "divisors are known at run time only: "
           << ore::NV("Divisors", Divisors)
           << ". A size that is always the same can be constexpr or a template "
              "parameter"
           << Example;
  });
}

//===----------------------------------------------------------------------===//
// Sums that may wrap
//===----------------------------------------------------------------------===//

namespace {
/// Sums and products that nothing cancels through, because they may wrap. Those
/// are told that would save something if they did not.
class WrapRemarks {
public:
  WrapRemarks(IndexRecovery &Recovery, FactTrials &Trials,
              OptimizationRemarkEmitter &ORE)
      : Recovery(Recovery), Trials(Trials), ORE(ORE) {}
  void examine(const IndexRoot &Root);

private:
  void report(const IndexRoot &Root, const Instruction *I,
              RecoveryScope &Scope);

  IndexRecovery &Recovery;
  FactTrials &Trials;
  OptimizationRemarkEmitter &ORE;
  SmallPtrSet<const Instruction *, 8> Reported;
};
} // namespace

static StringRef resultOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
    return "sum";
  case Instruction::Sub:
    return "difference";
  default:
    return "product";
  }
}

void WrapRemarks::report(const IndexRoot &Root, const Instruction *I,
                         RecoveryScope &Scope) {
  std::optional<uint64_t> Before = Trials.priceWith({}),
                          After = Trials.priceWithExact(I);
  if (!Before || !After || *After >= *Before ||
      (*Before - *After) * LeastShareOfKernel < *Before)
    return;
  ORE.emit([&] {
    FormText Text(Recovery);
    auto Operand = [&](unsigned Index) {
      return Text.text(Recovery.recover(I->getOperand(Index), Scope).Signed);
    };
    StringRef Kind = Root.Kind == RootKind::Address      ? "address"
                     : Root.Kind == RootKind::Comparison ? "comparison"
                                                         : "value";
    unsigned Width = I->getType()->getIntegerBitWidth();
    std::string Left = Operand(0), Right = Operand(1);
    OptimizationRemarkMissed R(DEBUG_TYPE, "MayWrap", remarkPlace(*I),
                               I->getParent());
    R << "nothing cancels through this " << resultOf(*I) << " of "
      << ore::NV("Left", Left) << " and " << ore::NV("Right", Right)
      << " in the " << ore::NV("Kind", Kind) << Text.legend()
      << ": it may wrap around its " << ore::NV("Width", Width)
      << " bits. Compute it in "
      << (Width == 32 ? "int, which does not wrap, or in 64 bits"
                      : "a signed type, which does not wrap")
      << ". Predicted saving: " << ore::NV("Saving", *Before - *After) << " of "
      << ore::NV("Cost", *Before) << InstructionsOfThread;
    return R;
  });
}

/// Whether a division is computed for one of the operands of \p I.
static bool joinsDigits(const Instruction *I, IndexRecovery &Recovery,
                        RecoveryScope &Scope) {
  return any_of(I->operands(), [&](Value *V) {
    return IndexRecovery::isIndexValue(V) &&
           countDivisions(Recovery.recover(V, Scope).Signed) > 0;
  });
}

void WrapRemarks::examine(const IndexRoot &Root) {
  RecoveryScope &Scope = Recovery.scopeOf(Root.At->getParent());
  SmallVector<const IndexAtom *, 8> Atoms;
  for (IndexExpr Form : Root.forms())
    forEachAtom(Form, [&](const IndexAtom *A) { Atoms.push_back(A); });
  for (const IndexAtom *A : Atoms) {
    auto *I = A->isVariable() ? dyn_cast<Instruction>(Recovery.valueOf(A).first)
                              : nullptr;
    if (I && isa<OverflowingBinaryOperator>(I) &&
        joinsDigits(I, Recovery, Scope) && Reported.insert(I).second)
      report(Root, I, Scope);
  }
}

void reportMissingFacts(Function &F, const IndexSimplifyOptions &Options,
                        FunctionAnalysisManager &AM, FactTrials *Trials,
                        const BasicBlock *Region) {
  auto &ORE = AM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  if (Options.RunsAgain || !ORE.allowExtraAnalysis(DEBUG_TYPE))
    return;
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  auto &AC = AM.getResult<AssumptionAnalysis>(F);
  auto IsInside = [&](const Instruction &I) {
    return DT.isReachableFromEntry(I.getParent()) &&
           (!Region || DT.dominates(Region, I.getParent()));
  };
  RangeFacts Facts(F, AM);
  IndexRecovery Recovery(Facts, DT, AM.getResult<LoopAnalysis>(F),
                         Options.Limits.Recovery);
  FactCollector Collector(F, AM, Recovery, /*IsFastBody=*/Region);
  unsigned DivisionsLeft = MaxDivisions;
  for (Instruction &I : instructions(F))
    if (I.isIntDivRem() && IsInside(I) && DivisionsLeft != 0) {
      --DivisionsLeft;
      Collector.examine(cast<BinaryOperator>(I));
    }
  Collector.emit(ORE, Trials);
  if (!Trials)
    return;

  WrapRemarks Wrapping(Recovery, *Trials, ORE);
  for (IndexRoot &Root : collectRoots(F, Options, DT, AC))
    if (IsInside(*Root.At) && recoverRoot(Root, Recovery))
      Wrapping.examine(Root);
}

} // namespace unravel
