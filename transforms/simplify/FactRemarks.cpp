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
// Divisions that miss the same fact are counted in one remark.
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/FactRemarks.h"
#include "analysis/facts/MissingFacts.h"
#include "analysis/facts/RangeFacts.h"
#include "analysis/facts/UniformValues.h"
#include "transforms/facts/SourceNames.h"
#include "transforms/simplify/IndexRoots.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include <map>

using namespace llvm;

#define DEBUG_TYPE "index-simplify"

namespace unravel {

/// Divisions of a kernel that are looked at, and values below one of them.
static constexpr unsigned MaxDivisions = 64, MaxDepth = 8;

namespace {
/// A fact that is missing, in the strongest form that a division asks for.
struct Fact {
  enum class About {
    Launch,  ///< a size, which all threads agree on
    Value,   ///< a value of one thread
    Bound,   ///< a sum of products of sizes
    Grid,    ///< the index of the last thread
    Product, ///< two to four sizes
  };
  About Kind = About::Launch;
  std::string Text; ///< the name of the size, the terms of the bound
  SmallVector<std::string, 4> Factors; ///< of a product
  bool HasLeast = false, HasMost = false, IsPromise = false;
  int64_t Least = 0;
  uint64_t Most = INT32_MAX;
  std::optional<unsigned> ArgumentNumber;

  bool Unsigned = false, Narrow = false; ///< what divisions would become
  Instruction *First = nullptr;
  /// A quotient and its remainder are one division.
  SmallSet<std::pair<Value *, Value *>, 4> Divisions;

  std::string condition() const;
  /// Whether the names of the source are known, so that line() compiles.
  bool isWritable() const;
  std::string line() const;
  std::string otherWays(const Function &F) const;
};

class FactCollector {
public:
  FactCollector(Function &F, FunctionAnalysisManager &AM,
                IndexRecovery &Recovery, bool IsFastBody)
      : F(F), AM(AM), Recovery(Recovery), IsFastBody(IsFastBody) {}

  void examine(BinaryOperator &Division);
  void emit(OptimizationRemarkEmitter &ORE) const;

private:
  void ask(BinaryOperator &Division, bool IsDivisor);
  void askForSymbols(BinaryOperator &Division, const MissingFacts &Facts);
  void askForBound(BinaryOperator &Division, const MissingFacts &Facts,
                   const CountBound &B);
  void askForValue(BinaryOperator &Division, Value *V, int64_t Least,
                   const MissingFacts &Facts, unsigned Depth = 0);
  bool askForRecurrence(BinaryOperator &Division, Value *V,
                        const MissingFacts &Facts, unsigned Depth = 0);
  Fact &note(BinaryOperator &Division, Fact::About Kind, std::string Text);

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
  InOrder<Fact> Found;
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
Fact &FactCollector::note(BinaryOperator &Division, Fact::About Kind,
                          std::string Text) {
  Fact &Missing = Found[Text];
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
    std::string Name = S.Source && (Sign || Size) ? sourceName(*S.Source) : "";
    if (Name.empty())
      continue;
    Fact &Missing = note(Division, Fact::About::Launch, Name);
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
  for (const CountBound::Monomial &M : B.monomials()) {
    if (M.Symbols.empty())
      continue;
    IsProduct &= Factors.empty() && M.Coefficient == 1;
    ListSeparator Times(" * ");
    Sum += StringRef(Plus);
    (Sum += StringRef(Times)) += std::to_string(M.Coefficient) + "LL";
    for (unsigned Index : M.Symbols) {
      const UniformSymbol &S = Facts.Symbols[Index];
      Factors.push_back(&S);
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
  Fact::About Kind = IsProduct && isGrid(Factors) ? Fact::About::Grid
                     : Fits                       ? Fact::About::Product
                                                  : Fact::About::Bound;
  Fact &Missing = note(Division, Kind,
                       Kind == Fact::About::Bound ? Sum : join(Names, " * "));
  Missing.Factors = Names;
  uint64_t Most = MissingFacts::Limit - B.constantTerm();
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
  if (Range.lo() >= Least && !TooLarge)
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
  std::string Name = sourceName(*V);
  if (Name.empty())
    Name = Least > 0 ? "the divisor" : "the dividend";
  Fact &Missing = note(Division, Fact::About::Value, Name);
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
  std::string Name = sourceName(*V);
  note(Division, Fact::About::Value, Name.empty() ? "the dividend" : Name)
      .HasLeast = true;
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
  ++RuntimeDivisors[Name.empty() ? "a computed value" : Name];
}

//===----------------------------------------------------------------------===//
// How it is said
//===----------------------------------------------------------------------===//

static std::string divisions(size_t Count) {
  return Count == 1 ? "1 division" : std::to_string(Count) + " divisions";
}

std::string Fact::condition() const {
  std::string Min = std::to_string(Least), Max = std::to_string(Most);
  if (HasLeast && HasMost)
    return Min + " <= " + Text + " <= " + Max;
  if (HasMost)
    return Text + " <= " + Max;
  return Text + (Least > 0 ? " > 0" : " >= 0");
}

bool Fact::isWritable() const {
  return unravel::isWritable(Text) && all_of(Factors, unravel::isWritable);
}

std::string Fact::line() const {
  switch (Kind) {
  case About::Grid:
    return "UNRAVEL_NO_WRAP_GRID();";
  case About::Product:
    return "UNRAVEL_PRODUCT_FITS(" + join(Factors, ", ") + ");";
  case About::Launch:
  case About::Value:
    if (HasLeast && HasMost)
      return "UNRAVEL_RANGE(" + Text + ", " + std::to_string(Least) + ", " +
             std::to_string(Most) + ");";
    if (HasLeast && Least > 0)
      return "UNRAVEL_POSITIVE(" + Text + ");";
    [[fallthrough]];
  case About::Bound:
    return "UNRAVEL_ASSUME(" + condition() + ");";
  }
  llvm_unreachable("covered switch");
}

std::string Fact::otherWays(const Function &F) const {
  SmallVector<std::string, 2> Ways;
  if (ArgumentNumber) {
    SmallVector<std::string, 2> Limits;
    if (HasLeast)
      Limits.push_back("\"min\": " + std::to_string(Least));
    if (HasMost)
      Limits.push_back("\"max\": " + std::to_string(Most));
    Ways.push_back(("in a facts file {\"kernels\": {\"" + F.getName() +
                    "\": {\"args\": {\"" + Twine(*ArgumentNumber) + "\": {" +
                    join(Limits, ", ") + "}}}}}")
                       .str());
  }
  if (IsPromise && !HasMost)
    Ways.push_back(
        "-Xarch_device -mllvm=-index-simplify-promise-positive-sizes");
  if (Kind == About::Grid)
    Ways.push_back("-Xarch_device -mllvm=-index-simplify-promise-index-fits");
  return join(Ways, " or ");
}

void FactCollector::emit(OptimizationRemarkEmitter &ORE) const {
  for (const auto &Entry : Found) {
    const Fact &Missing = Entry.second;
    ORE.emit([&] {
      StringRef State = Missing.Unsigned && Missing.Narrow
                            ? "signed and at 64 bits"
                        : Missing.Unsigned ? "signed"
                                           : "at 64 bits";
      bool IsLocal = Missing.Kind == Fact::About::Value;
      size_t Count = Missing.Divisions.size();
      OptimizationRemarkMissed R(
          DEBUG_TYPE, IsLocal ? "UnknownSign" : "MissingFact", Missing.First);
      R << ore::NV("Divisions", divisions(Count))
        << (Count == 1 ? " stays " : " stay ") << State
        << ", because nothing says that "
        << ore::NV("Fact", Missing.condition()) << ".";
      std::string Others = Missing.otherWays(F);
      if (Missing.isWritable()) {
        R << " To state it: " << ore::NV("Line", Missing.line());
        if (!Others.empty())
          R << " or " << ore::NV("Others", Others);
        return R;
      }
      if (!Others.empty())
        R << " To state it: " << ore::NV("Others", Others) << ".";
      R << " Compiled with debug info, this remark says its name";
      return R;
    });
  }
  if (!FirstByRuntimeDivisor)
    return;
  ORE.emit([&] {
    std::string Divisors;
    ListSeparator Comma;
    for (const auto &[Name, Count] : RuntimeDivisors)
      (Divisors += StringRef(Comma)) += Name + " (" + divisions(Count) + ")";
    return OptimizationRemarkMissed(DEBUG_TYPE, "RuntimeDivisor",
                                    FirstByRuntimeDivisor)
           << "divisors are known at run time only: "
           << ore::NV("Divisors", Divisors)
           << ". A size that is always the same can be constexpr or a template "
              "parameter, or stated: UNRAVEL_ASSUME(size == 75);";
  });
}

//===----------------------------------------------------------------------===//
// Sums that may wrap
//===----------------------------------------------------------------------===//

static void reportMayWrap(const IndexRoot &Root, const Instruction *I,
                          IndexRecovery &Recovery, RecoveryScope &Scope,
                          OptimizationRemarkEmitter &ORE) {
  ORE.emit([&] {
    auto Operand = [&](unsigned Index) {
      return toString(Recovery.context(),
                      Recovery.recover(I->getOperand(Index), Scope).Signed);
    };
    StringRef Kind = Root.Kind == RootKind::Address      ? "address"
                     : Root.Kind == RootKind::Comparison ? "comparison"
                                                         : "value";
    return OptimizationRemarkMissed(DEBUG_TYPE, "MayWrap", I)
           << "nothing cancels through this " << I->getOpcodeName() << " of "
           << ore::NV("Left", Operand(0)) << " and "
           << ore::NV("Right", Operand(1)) << " in the " << Kind
           << ": it may wrap around its "
           << ore::NV("Width",
                      std::to_string(I->getType()->getIntegerBitWidth()))
           << " bits. Check the index against its bound first, or state the "
              "missing fact: UNRAVEL_ASSUME(index < bound);";
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

static void reportWrapping(const IndexRoot &Root, IndexRecovery &Recovery,
                           SmallPtrSetImpl<const Instruction *> &Reported,
                           OptimizationRemarkEmitter &ORE) {
  RecoveryScope &Scope = Recovery.scopeOf(Root.At->getParent());
  SmallVector<const IndexAtom *, 8> Atoms;
  for (IndexExpr Form : Root.forms())
    forEachAtom(Form, [&](const IndexAtom *A) { Atoms.push_back(A); });
  for (const IndexAtom *A : Atoms) {
    auto *I = A->isVariable() ? dyn_cast<Instruction>(Recovery.valueOf(A).first)
                              : nullptr;
    if (I && isa<OverflowingBinaryOperator>(I) &&
        joinsDigits(I, Recovery, Scope) && Reported.insert(I).second)
      reportMayWrap(Root, I, Recovery, Scope, ORE);
  }
}

void reportMissingFacts(Function &F, const IndexSimplifyOptions &Options,
                        FunctionAnalysisManager &AM, const BasicBlock *Region) {
  auto &ORE = AM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  if (!ORE.allowExtraAnalysis(DEBUG_TYPE))
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
  Collector.emit(ORE);

  SmallPtrSet<const Instruction *, 8> Reported;
  for (IndexRoot &Root : collectRoots(F, Options, DT, AC))
    if (IsInside(*Root.At) && recoverRoot(Root, Recovery))
      reportWrapping(Root, Recovery, Reported, ORE);
}

} // namespace unravel
