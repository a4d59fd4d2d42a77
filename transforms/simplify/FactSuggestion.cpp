//===- FactSuggestion.cpp - Which facts are worth stating -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/simplify/FactSuggestion.h"
#include "transforms/simplify/FactTrials.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

/// Facts of one kernel that are tried.
static constexpr size_t MaxFacts = 12;
/// What is not worth a fact: one part in so many of what all of them save.
static constexpr uint64_t LeastShareOfSaving = 20;

namespace {
/// Takes facts away, and makes others weaker, as long as the kernel stays as
/// cheap as with all of them.
class Search {
public:
  Search(ArrayRef<const WantedFact *> Candidates, FactTrials &Trials)
      : Trials(Trials) {
    for (const WantedFact *Fact : Candidates.take_front(MaxFacts))
      Facts.push_back(*Fact);
  }
  std::optional<FactSuggestion> run();

private:
  /// The price without the fact number \p Left, or with all.
  std::optional<uint64_t> priceWithout(std::optional<size_t> Left);
  void dropFacts();
  void weakenFacts();
  void measureFacts();

  FactTrials &Trials;
  std::vector<WantedFact> Facts;
  uint64_t Before = 0, After = 0, Enough = 0;
};
} // namespace

std::optional<uint64_t> Search::priceWithout(std::optional<size_t> Left) {
  SmallVector<const WantedFact *, MaxFacts> Stated;
  for (const auto &[Index, Fact] : enumerate(Facts))
    if (Index != Left)
      Stated.push_back(&Fact);
  return Trials.priceWith(Stated);
}

/// Facts about the launch are known to whoever writes it; about the values of a
/// thread less is known.
static unsigned difficulty(const WantedFact &Fact) {
  switch (Fact.Kind) {
  case WantedFact::About::Launch:
    return Fact.isWritable() ? 0 : 1;
  case WantedFact::About::Grid:
    return 2;
  case WantedFact::About::Product:
    return 3;
  case WantedFact::About::Bound:
    return 4;
  case WantedFact::About::Value:
    return 5;
  }
  llvm_unreachable("covered switch");
}

/// The most difficult ones first.
void Search::dropFacts() {
  stable_sort(Facts, [](const WantedFact &A, const WantedFact &B) {
    return difficulty(A) < difficulty(B);
  });
  for (size_t I = Facts.size(); I-- > 0;) {
    std::optional<uint64_t> Price = priceWithout(I);
    if (!Price || *Price > Enough)
      continue;
    Facts.erase(Facts.begin() + I);
    After = *Price;
  }
}

void Search::weakenFacts() {
  for (WantedFact &Fact : Facts) {
    bool IsWeaker = true;
    while (std::exchange(IsWeaker, false))
      for (WantedFact &Weaker : Fact.weaker()) {
        std::swap(Fact, Weaker);
        std::optional<uint64_t> Price = priceWithout(std::nullopt);
        if (Price && *Price <= Enough) {
          After = *Price;
          IsWeaker = true;
          break;
        }
        std::swap(Fact, Weaker);
      }
  }
}

void Search::measureFacts() {
  for (size_t I = 0; I < Facts.size(); ++I) {
    std::optional<uint64_t> Price =
        Facts.size() == 1 ? Before : priceWithout(I);
    if (Price && *Price >= After)
      Facts[I].Saving = *Price - After;
  }
  stable_sort(Facts, [](const WantedFact &A, const WantedFact &B) {
    return A.Saving.value_or(0) > B.Saving.value_or(0);
  });
}

std::optional<FactSuggestion> Search::run() {
  std::optional<uint64_t> WithNone = Trials.priceWith({});
  std::optional<uint64_t> WithAll = priceWithout(std::nullopt);
  if (!WithNone || !WithAll)
    return std::nullopt;
  Before = *WithNone;
  After = *WithAll;
  // The kernel cannot be more expensive with facts: prices are wrong about it.
  if (After > Before)
    return std::nullopt;
  if (After == Before || (Before - After) * LeastShareOfKernel < Before)
    return FactSuggestion{{}, Before, Before};
  Enough = After + (Before - After) / LeastShareOfSaving;
  dropFacts();
  weakenFacts();
  measureFacts();
  return FactSuggestion{std::move(Facts), Before, After};
}

std::optional<FactSuggestion>
suggestFacts(ArrayRef<const WantedFact *> Candidates, FactTrials &Trials) {
  if (Candidates.empty())
    return std::nullopt;
  return Search(Candidates, Trials).run();
}

static std::string linesFor(ArrayRef<WantedFact> Facts) {
  std::string Lines;
  ListSeparator Space(" ");
  for (const WantedFact &Fact : Facts)
    (Lines += StringRef(Space)) += Fact.line();
  return Lines;
}

/// A facts file and options, if these can say it all.
static std::string filesFor(ArrayRef<WantedFact> Facts, StringRef KernelName) {
  SmallVector<std::string, 4> Arguments;
  SmallSetVector<StringRef, 2> Flags;
  std::vector<std::string> AllFlags;
  for (const WantedFact &Fact : Facts)
    AllFlags.push_back(Fact.flag());
  for (const auto &[Fact, Flag] : zip_equal(Facts, AllFlags)) {
    std::string Limits = Fact.fileLimits();
    if (!Limits.empty())
      Arguments.push_back("\"" + std::to_string(*Fact.ArgumentNumber) +
                          "\": {" + Limits + "}");
    else if (!Flag.empty())
      Flags.insert(Flag);
    else
      return "";
  }
  std::string Text;
  if (!Arguments.empty())
    Text = ("in a facts file {\"kernels\": {\"" + KernelName +
            "\": {\"args\": {" + join(Arguments, ", ") + "}}}}")
               .str();
  if (!Flags.empty())
    Text += (Text.empty() ? "" : " and ") + join(Flags, " ");
  return Text;
}

std::string waysToState(ArrayRef<WantedFact> Facts, StringRef KernelName) {
  bool AreWritable =
      all_of(Facts, [](const WantedFact &Fact) { return Fact.isWritable(); });
  SmallVector<std::string, 2> Ways;
  if (AreWritable)
    Ways.push_back(linesFor(Facts));
  if (std::string Files = filesFor(Facts, KernelName); !Files.empty())
    Ways.push_back(std::move(Files));
  return join(Ways, " or ");
}

} // namespace unravel
