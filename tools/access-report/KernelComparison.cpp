//===- KernelComparison.cpp - Accesses before and after -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/KernelComparison.h"
#include "analysis/warps/AccessText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace unravel {

static auto costOf(const AccessReport &R) {
  auto Of = [](const RequestCost &C) {
    return std::tuple(C.ActiveLanes, C.Sectors, C.IdealSectors, C.Wavefronts,
                      C.Conflicts);
  };
  return std::tuple(Of(R.Best), Of(R.Worst), Of(R.Least), Of(R.Most),
                    R.LowestEfficiency, R.HighestEfficiency);
}

bool AccessPair::isSame() const {
  return Before && After && Before->NotUnderstood == After->NotUnderstood &&
         Before->Access.Bytes == After->Access.Bytes &&
         Before->Pattern == After->Pattern && costOf(*Before) == costOf(*After);
}

/// Pairs those of both sides that have the same key, in their order.
template <typename KeyT>
static void
pairBy(function_ref<KeyT(const KernelReport &, const AccessReport &)> KeyOf,
       const KernelReport &Before, const KernelReport &After,
       std::map<const AccessReport *, const AccessReport *> &Pairs,
       SmallPtrSetImpl<const AccessReport *> &Taken) {
  std::map<KeyT, std::vector<const AccessReport *>> Waiting;
  for (const AccessReport &R : reverse(After.Accesses))
    if (!Taken.contains(&R))
      Waiting[KeyOf(After, R)].push_back(&R);
  for (const AccessReport &R : Before.Accesses) {
    if (Pairs.count(&R))
      continue;
    std::vector<const AccessReport *> &Same = Waiting[KeyOf(Before, R)];
    if (Same.empty())
      continue;
    Pairs[&R] = Same.back();
    Taken.insert(Same.back());
    Same.pop_back();
  }
}

static std::vector<AccessPair> pairAccesses(const KernelReport &Before,
                                            const KernelReport &After) {
  using Kind = std::tuple<AccessKind, AccessSpace>;
  using Whole = std::tuple<Kind, uint64_t, std::string>;
  std::map<const AccessReport *, const AccessReport *> Pairs;
  SmallPtrSet<const AccessReport *, 16> Taken;
  auto KindOf = [](const KernelReport &, const AccessReport &R) {
    return Kind(R.Access.Kind, R.Access.Space);
  };
  pairBy<Whole>(
      [&](const KernelReport &Of, const AccessReport &R) {
        // The files may have different names.
        std::string Place = Of.Kernel->placeOf(*R.Access.Instruction);
        return Whole(KindOf(Of, R), R.Access.Bytes,
                     StringRef(Place).rsplit(':').second.str());
      },
      Before, After, Pairs, Taken);
  pairBy<Kind>(KindOf, Before, After, Pairs, Taken);
  std::vector<AccessPair> Result;
  for (const AccessReport &R : Before.Accesses) {
    auto It = Pairs.find(&R);
    Result.push_back({&R, It == Pairs.end() ? nullptr : It->second});
  }
  for (const AccessReport &R : After.Accesses)
    if (!Taken.contains(&R))
      Result.push_back({nullptr, &R});
  return Result;
}

std::vector<KernelComparison> compareKernels(ArrayRef<KernelReport> Before,
                                             ArrayRef<KernelReport> After) {
  StringMap<const KernelReport *> ByName;
  for (const KernelReport &Kernel : After)
    ByName[Kernel.Kernel->Name] = &Kernel;
  std::vector<KernelComparison> Result;
  for (const KernelReport &Kernel : Before) {
    KernelComparison C{&Kernel, ByName.lookup(Kernel.Kernel->Name), {}};
    if (C.After) {
      C.Accesses = pairAccesses(*C.Before, *C.After);
      ByName.erase(Kernel.Kernel->Name);
    }
    Result.push_back(std::move(C));
  }
  for (const KernelReport &Kernel : After)
    if (ByName.count(Kernel.Kernel->Name))
      Result.push_back({nullptr, &Kernel, {}});
  return Result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Of all requests of a kernel, each once.
struct Sums {
  unsigned Accesses = 0, NotUnderstood = 0;
  unsigned Sectors[2] = {}, Conflicts[2] = {};
  explicit Sums(const KernelReport &Report) {
    for (const AccessReport &R : Report.Accesses) {
      ++Accesses;
      NotUnderstood += !R.NotUnderstood.empty();
      Sectors[0] += R.Least.Sectors;
      Sectors[1] += R.Most.Sectors;
      Conflicts[0] += R.Least.Conflicts;
      Conflicts[1] += R.Most.Conflicts;
    }
  }
};
} // namespace

static void printSums(const KernelReport &Report, raw_ostream &OS) {
  auto Range = [&](const unsigned (&Both)[2]) {
    OS << Both[0];
    if (Both[1] != Both[0])
      OS << " to " << Both[1];
  };
  Sums S(Report);
  OS << S.Accesses << " accesses, sectors: ";
  Range(S.Sectors);
  OS << ", bank conflicts: ";
  Range(S.Conflicts);
  if (S.NotUnderstood)
    OS << ", not understood: " << S.NotUnderstood;
  OS << '\n';
}

static void printSide(StringRef Name, const KernelReport *Kernel,
                      const AccessReport *R, raw_ostream &OS) {
  OS << "  " << Name << ": ";
  if (R)
    print(*R, Kernel->Kernel->placeOf(*R->Access.Instruction), OS);
  else
    OS << "no such access\n";
}

void printText(ArrayRef<KernelComparison> Kernels, raw_ostream &OS) {
  for (const KernelComparison &C : Kernels) {
    OS << "kernel " << demangle((C.Before ? C.Before : C.After)->Kernel->Name);
    if (!C.Before || !C.After) {
      OS << ": only " << (C.Before ? "before" : "after") << '\n';
      continue;
    }
    const KernelReport *Refused = !C.Before->Kernel->Refused.empty()  ? C.Before
                                  : !C.After->Kernel->Refused.empty() ? C.After
                                                                      : nullptr;
    if (Refused) {
      OS << ": not understood " << (Refused == C.Before ? "before" : "after")
         << ": " << Refused->Kernel->Refused << '\n';
      continue;
    }
    OS << ", ";
    print(C.After->Block, C.After->BlockSource, OS);
    OS << "\n  before: ";
    printSums(*C.Before, OS);
    OS << "  after: ";
    printSums(*C.After, OS);
    size_t Same =
        count_if(C.Accesses, [](const AccessPair &P) { return P.isSame(); });
    if (Same)
      OS << "  the same: " << Same << '\n';
    for (const AccessPair &P : C.Accesses)
      if (!P.isSame()) {
        printSide("before", C.Before, P.Before, OS);
        printSide("after", C.After, P.After, OS);
      }
    for (auto [Name, Of] :
         {std::pair("before", C.Before), std::pair("after", C.After)})
      if (Of->Estimate)
        for (const std::string &Line : linesOf(*Of->Estimate))
          OS << "  " << Name << ": " << Line << '\n';
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

void printJson(ArrayRef<KernelComparison> Kernels, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/2);
  auto Number = [&](const AccessReport *R, const KernelReport *Of) {
    if (R)
      J.value(int64_t(R - Of->Accesses.data()));
    else
      J.value(nullptr);
  };
  auto Side = [&](StringRef Name, const KernelReport *Of) {
    J.attributeBegin(Name);
    if (Of)
      writeKernel(J, *Of);
    else
      J.value(nullptr);
    J.attributeEnd();
  };
  J.object([&] {
    J.attributeArray("kernels", [&] {
      for (const KernelComparison &C : Kernels)
        J.object([&] {
          Side("before", C.Before);
          Side("after", C.After);
          J.attributeArray("pairs", [&] {
            for (const AccessPair &P : C.Accesses)
              J.array([&] {
                Number(P.Before, C.Before);
                Number(P.After, C.After);
              });
          });
        });
    });
  });
  OS << '\n';
}

} // namespace unravel
