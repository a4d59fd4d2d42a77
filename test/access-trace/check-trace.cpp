//===- check-trace.cpp - Are traced requests what the analysis says? -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   check-trace MODULE TRACE
//
// TRACE is what `kernel-run --trace-access=TRACE` wrote for MODULE. For each
// request there has to be a class of the analysis in which
//
//   * all lanes that took part are active,
//   * lanes of one group lie as far apart as in the trace,
//   * what the lanes share has the residue that it has in the trace,
//   * the sectors or wavefronts are in the range of that class. If fewer lanes
//     took part than the analysis has active, no more than the most of them.
//
// Where there is none, an assumption of the report has to be broken: its values
// are computed in the lanes of the request. If they cannot be, because they
// depend on memory, the request is counted as not decided.
//
// Prints a line of counts, as JSON, and a line for each of the first mistakes.
// Exit status: 0 no mistake, 1 mistakes, 2 an error.
//
//===----------------------------------------------------------------------===//

#include "LaneValues.h"
#include "analysis/warps/AccessReport.h"
#include "ptx/backend/AnalysisManagers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <numeric>
#include <set>

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// What the analysis says
//===----------------------------------------------------------------------===//

namespace {
/// A request of the analysis without what does not matter here, so that many
/// classes become one.
struct Shape {
  uint32_t Active = 0;
  std::array<uint8_t, LanesPerWarp> GroupOf = {};   ///< the first lane of each
  std::array<int64_t, LanesPerWarp> Distances = {}; ///< from it
  /// The first lanes are congruent to Residue modulo Modulus.
  std::array<uint16_t, LanesPerWarp> Modulus = {}, Residue = {};
  unsigned Least = 0, Most = 0; ///< sectors or wavefronts
  bool IsBounded = false;       ///< of the lanes, nothing more is known

  auto tuple() const {
    return std::tie(Active, GroupOf, Distances, Modulus, Residue, Least, Most,
                    IsBounded);
  }
  bool operator<(const Shape &Other) const { return tuple() < Other.tuple(); }
};

struct CheckedAccess {
  AccessReport Report;
  std::map<unsigned, std::set<Shape>> Shapes; ///< by warp
};
} // namespace

/// Host addresses are known modulo this.
static constexpr int64_t Period = 256;

static Shape shapeOf(const RequestForm &R) {
  Shape S;
  const WarpForm &Form = R.Lanes.Form;
  S.IsBounded = R.IsBounded;
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    if (!R.Lanes.Active[L])
      continue;
    S.Active |= 1u << L;
    if (R.IsBounded)
      continue;
    unsigned First = 0;
    while (!R.Lanes.Active[First] ||
           !all_of(Form.Terms, [&](const WarpTerm &T) {
             return T.Coefficients[First] == T.Coefficients[L];
           }))
      ++First;
    S.GroupOf[L] = First;
    S.Distances[L] = Form.Constants[L] - Form.Constants[First];
    int64_t Gcd = Period;
    for (const WarpTerm &T : Form.Terms)
      Gcd = std::gcd(Gcd, T.Coefficients[First]);
    if (First == L) {
      S.Modulus[L] = Gcd;
      S.Residue[L] = floorMod(Form.Constants[L], Gcd);
    }
  }
  S.Least = R.Best.Sectors + R.Best.Wavefronts;
  S.Most = R.Worst.Sectors + R.Worst.Wavefronts;
  return S;
}

//===----------------------------------------------------------------------===//
// What happened
//===----------------------------------------------------------------------===//

namespace {
struct TracedRequest {
  unsigned Access, Warp;
  std::array<uint32_t, 3> Block;
  SmallVector<uint32_t, 4> Iterations;
  uint32_t Active = 0;
  std::array<int64_t, LanesPerWarp> Addresses = {}; ///< modulo 256
  unsigned Units, ObjectModulo;
  bool IsShared;
};

enum Verdict { Agrees, IsBroken, IsUndecided, IsWrong };
enum Count {
  Equal,
  Fewer,
  Broken,
  Undecided,
  Wrong,
  OfNotUnderstood,
  CountEnd
};
} // namespace

static std::array<uint32_t, 3> extentOf(const json::Array &A) {
  return {uint32_t(*A[0].getAsInteger()), uint32_t(*A[1].getAsInteger()),
          uint32_t(*A[2].getAsInteger())};
}

static TracedRequest requestOf(const json::Object &O) {
  TracedRequest R;
  R.Access = *O.getInteger("access");
  R.Warp = *O.getInteger("warp");
  R.Block = extentOf(*O.getArray("block"));
  for (const json::Value &V : *O.getArray("iterations"))
    R.Iterations.push_back(*V.getAsInteger());
  R.ObjectModulo = *O.getInteger("object_modulo_256");
  for (auto [L, V] : enumerate(*O.getArray("offsets")))
    if (std::optional<int64_t> Offset = V.getAsInteger()) {
      R.Active |= 1u << L;
      R.Addresses[L] = *Offset + R.ObjectModulo;
    }
  std::optional<int64_t> Wavefronts = O.getInteger("wavefronts");
  R.IsShared = Wavefronts.has_value();
  R.Units = Wavefronts ? *Wavefronts : *O.getInteger("sectors");
  return R;
}

/// How far a shape fits: distances, residues, cost.
static unsigned fitOf(const Shape &S, const TracedRequest &R) {
  if (R.Active & ~S.Active)
    return 0;
  bool AreResidues = true, IsAll = R.Active == S.Active;
  bool IsCost = R.Units <= S.Most && (!IsAll || R.Units >= S.Least);
  if (S.IsBounded)
    return IsCost ? 4 : 3;
  std::array<int, LanesPerWarp> Leader;
  Leader.fill(-1);
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    if (!(R.Active >> L & 1))
      continue;
    int &First = Leader[S.GroupOf[L]];
    if (First < 0)
      First = L;
    if (R.Addresses[L] - R.Addresses[First] !=
        S.Distances[L] - S.Distances[First])
      return 1;
    unsigned G = S.GroupOf[L];
    AreResidues &= floorMod(R.Addresses[L] - S.Distances[L] - S.Residue[G],
                            int64_t(S.Modulus[G])) == 0;
  }
  if (!AreResidues)
    return 2;
  return IsCost ? 4 : 3;
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

namespace {
/// The kernel, and what is needed to judge its assumptions.
class KernelCheck {
public:
  KernelCheck(Function &F, FunctionAnalysisManager &FAM)
      : F(F), FAM(FAM), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)) {
    ModuleSlotTracker Slots(F.getParent());
    Slots.incorporateFunction(F);
    auto Name = [&](const Value &V) {
      std::string Text;
      raw_string_ostream OS(Text);
      V.printAsOperand(OS, /*PrintType=*/false, Slots);
      Named[Text] = &V;
    };
    for (const Argument &A : F.args())
      Name(A);
    for (const Instruction &I : instructions(F))
      if (!I.getType()->isVoidTy())
        Name(I);
  }

  void start(const json::Object &Header);
  void check(const TracedRequest &R);
  std::vector<CheckedAccess> &accesses() { return Accesses; }

  std::array<uint64_t, CountEnd> Counts = {};
  std::map<std::string, uint64_t> BrokenBy;
  std::vector<std::string> Mistakes;
  uint64_t OutsideReport = 0;

private:
  Verdict judge(const CheckedAccess &A, const TracedRequest &R,
                std::string &By);
  Verdict judge(StringRef Assumption, const CheckedAccess &A,
                const TracedRequest &R);
  Verdict lanesDiffer(const TracedRequest &R,
                      function_ref<std::optional<APInt>(LaneValues &)> Of);
  LaneValues valuesIn(const TracedRequest &R, unsigned Lane);

  Function &F;
  FunctionAnalysisManager &FAM;
  DominatorTree &DT;
  LoopInfo &LI;
  StringMap<const Value *> Named;
  TracedLaunch Launch;
  std::map<std::array<uint32_t, 3>, std::vector<CheckedAccess>> ByBlock;
  std::vector<CheckedAccess> Accesses;
  std::array<uint32_t, 3> BlockOfAccesses = {};
};
} // namespace

void KernelCheck::start(const json::Object &Header) {
  Launch.Grid = extentOf(*Header.getArray("grid"));
  Launch.Block = extentOf(*Header.getArray("block"));
  Launch.Arguments.clear();
  for (const json::Value &V : *Header.getArray("arguments"))
    Launch.Arguments.push_back(V.getAsInteger());
  if (BlockOfAccesses == Launch.Block)
    return;
  BlockOfAccesses = Launch.Block;
  BlockShape Block{Launch.Block[0], Launch.Block[1], Launch.Block[2]};
  Accesses.clear();
  auto Keep = [&](const AccessReport &, ArrayRef<RequestForm> Forms) {
    CheckedAccess &A = Accesses.emplace_back();
    for (const RequestForm &Form : Forms)
      A.Shapes[Form.Warp].insert(shapeOf(Form));
  };
  std::vector<AccessReport> Reports = reportAccesses(F, FAM, Block, Keep);
  for (auto [A, Report] : zip_equal(Accesses, Reports))
    A.Report = std::move(Report);
}

LaneValues KernelCheck::valuesIn(const TracedRequest &R, unsigned Lane) {
  LaneValues Values(Launch, DT, LI);
  DenseMap<const Loop *, uint32_t> Iterations;
  const Instruction *I = Accesses[R.Access].Report.Access.Instruction;
  const Loop *L = LI.getLoopFor(I->getParent());
  for (uint32_t Iteration : reverse(R.Iterations)) {
    if (!L)
      break;
    Iterations[L] = Iteration;
    L = L->getParentLoop();
  }
  Values.start(R.Block, R.Warp * LanesPerWarp + Lane, std::move(Iterations));
  return Values;
}

Verdict
KernelCheck::lanesDiffer(const TracedRequest &R,
                         function_ref<std::optional<APInt>(LaneValues &)> Of) {
  std::optional<APInt> First;
  for (unsigned L = 0; L < LanesPerWarp; ++L) {
    if (!(R.Active >> L & 1))
      continue;
    LaneValues Values = valuesIn(R, L);
    std::optional<APInt> Value = Of(Values);
    if (!Value)
      return IsUndecided;
    if (!First)
      First = Value;
    if (*First != *Value)
      return IsBroken;
  }
  return Agrees;
}

/// Whether lanes of different groups share a sector or a bank's word in the
/// trace: their cost may be less than assumed then.
static bool groupsMeet(const CheckedAccess &A, const TracedRequest &R) {
  auto Warp = A.Shapes.find(R.Warp);
  if (Warp == A.Shapes.end())
    return false;
  for (const Shape &S : Warp->second) {
    std::map<int64_t, unsigned> GroupOfSector;
    for (unsigned L = 0; L < LanesPerWarp; ++L)
      if (R.Active >> L & 1)
        for (int64_t B :
             {R.Addresses[L],
              R.Addresses[L] + int64_t(A.Report.Access.Bytes) - 1}) {
          int64_t Size = R.IsShared ? BytesPerWord : BytesPerSector;
          auto [It, IsNew] =
              GroupOfSector.try_emplace(floorDiv(B, Size), S.GroupOf[L]);
          if (It->second != S.GroupOf[L])
            return true;
        }
  }
  return false;
}

Verdict KernelCheck::judge(StringRef Assumption, const CheckedAccess &A,
                           const TracedRequest &R) {
  if (Assumption.contains("is aligned to 256 bytes"))
    return R.ObjectModulo == 0 ? Agrees : IsBroken;
  if (Assumption.starts_with("lanes that are a multiple of"))
    return groupsMeet(A, R) ? IsBroken : Agrees;
  if (Assumption.consume_back(" is the same in all lanes of a warp")) {
    auto [X, D] = Assumption.split(" / ");
    const Value *Dividend = Named.lookup(X), *Divisor = Named.lookup(D);
    if (!Dividend || !Divisor)
      return IsUndecided;
    Verdict Result = Agrees;
    for (bool IsSigned : {true, false}) {
      auto Quotient = [&](LaneValues &Of) -> std::optional<APInt> {
        std::optional<APInt> N = Of.valueOf(Dividend), By = Of.valueOf(Divisor);
        if (!N || !By || By->isZero())
          return std::nullopt;
        return IsSigned ? N->sdiv(*By) : N->udiv(*By);
      };
      Verdict V = lanesDiffer(R, Quotient);
      if (V == IsBroken || Result == Agrees)
        Result = V;
    }
    return Result;
  }
  if (Assumption.consume_front("all lanes of a warp agree on ")) {
    const Value *V = Named.lookup(Assumption);
    if (!V)
      return IsUndecided;
    auto *Call = dyn_cast<IntrinsicInst>(V);
    return lanesDiffer(R, [&](LaneValues &Of) -> std::optional<APInt> {
      // Of a minimum, which operand it is.
      if (Call && Call->arg_size() == 2) {
        std::optional<APInt> X = Of.valueOf(Call->getArgOperand(0));
        std::optional<APInt> Y = Of.valueOf(Call->getArgOperand(1));
        std::optional<APInt> Least = Of.valueOf(Call);
        if (!X || !Y || !Least || *X == *Y)
          return std::nullopt;
        return APInt(1, *Least == *X);
      }
      return Of.valueOf(V);
    });
  }
  if (Assumption.consume_back(" is not negative")) {
    const Value *V = Named.lookup(Assumption);
    Verdict Result = Agrees;
    for (unsigned L = 0; L < LanesPerWarp; ++L) {
      if (!(R.Active >> L & 1))
        continue;
      LaneValues Values = valuesIn(R, L);
      std::optional<APInt> Value = V ? Values.valueOf(V) : std::nullopt;
      if (!Value)
        return IsUndecided;
      if (Value->isNegative())
        Result = IsBroken;
    }
    return Result;
  }
  if (Assumption.contains("does not wrap") ||
      Assumption.contains("leave the loop") ||
      Assumption.contains("from one block"))
    return IsUndecided;
  // The active lanes are compared as they are.
  return Agrees;
}

Verdict KernelCheck::judge(const CheckedAccess &A, const TracedRequest &R,
                           std::string &By) {
  Verdict Result = IsWrong;
  for (const std::string &Assumption : A.Report.Assumptions) {
    Verdict V = judge(Assumption, A, R);
    if (V == IsBroken || (V == IsUndecided && Result == IsWrong)) {
      By = Assumption;
      Result = V;
    }
    if (Result == IsBroken)
      break;
  }
  return Result;
}

/// An assumption without its values.
static std::string kindOf(StringRef Assumption) {
  SmallVector<StringRef, 16> Words;
  Assumption.split(Words, ' ');
  std::string Text;
  for (StringRef Word : Words)
    Text += (Text.empty() ? "" : " ") +
            (Word.trim("(),").starts_with("%") ? std::string("V") : Word.str());
  return Text;
}

void KernelCheck::check(const TracedRequest &R) {
  if (R.Access >= Accesses.size())
    return; // of a function that is called
  const CheckedAccess &A = Accesses[R.Access];
  if (!A.Report.NotUnderstood.empty()) {
    ++Counts[OfNotUnderstood];
    return;
  }
  unsigned Fit = 0;
  bool IsAll = false;
  if (auto Warp = A.Shapes.find(R.Warp); Warp != A.Shapes.end())
    for (const Shape &S : Warp->second) {
      unsigned Here = fitOf(S, R);
      IsAll |= Here == 4 && S.Active == R.Active;
      Fit = std::max(Fit, Here);
    }
  if (Fit == 4) {
    ++Counts[IsAll ? Equal : Fewer];
    const RequestCost &Least = A.Report.Least, &Most = A.Report.Most;
    unsigned X = Least.Sectors + Least.Wavefronts;
    unsigned Y = Most.Sectors + Most.Wavefronts;
    if (R.Units > Y || (IsAll && R.Units < X)) {
      ++OutsideReport;
      Mistakes.push_back(("access " + Twine(R.Access) + ": " + Twine(R.Units) +
                          " are outside of " + Twine(X) + " to " + Twine(Y))
                             .str());
    }
    return;
  }
  std::string By;
  Verdict V = judge(A, R, By);
  ++Counts[V == IsBroken ? Broken : V == IsUndecided ? Undecided : Wrong];
  if (V != IsWrong) {
    ++BrokenBy[kindOf(By)];
    return;
  }
  static const char *const What[] = {"a lane is active", "distances differ",
                                     "residues differ", "its cost is outside"};
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "access " << R.Access << " (" << A.Report.Pattern << ", "
     << *A.Report.Access.Instruction << "): " << What[Fit] << ": block "
     << R.Block[0] << ',' << R.Block[1] << ',' << R.Block[2] << " warp "
     << R.Warp << " iterations";
  for (uint32_t Iteration : R.Iterations)
    OS << ' ' << Iteration;
  OS << " cost " << R.Units << " addresses";
  for (unsigned L = 0; L < LanesPerWarp; ++L)
    if (R.Active >> L & 1)
      OS << ' ' << R.Addresses[L];
    else
      OS << " -";
  for (const std::string &Assumption : A.Report.Assumptions)
    OS << "; assumed: " << Assumption;
  Mistakes.push_back(std::move(Text));
}

//===----------------------------------------------------------------------===//
// All of a trace
//===----------------------------------------------------------------------===//

static int fail(const Twine &What) {
  errs() << "check-trace: " << What << '\n';
  return 2;
}

int main(int Argc, char **Argv) {
  if (Argc != 3)
    return fail("usage: check-trace MODULE TRACE");
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseIRFile(Argv[1], Problem, Context);
  if (!M)
    return fail(Problem.getMessage());
  ErrorOr<std::unique_ptr<MemoryBuffer>> Trace = MemoryBuffer::getFile(Argv[2]);
  if (!Trace)
    return fail(Twine(Argv[2]) + ": " + Trace.getError().message());
  PassBuilder Builder;
  AnalysisManagers Managers(Builder);
  std::unique_ptr<KernelCheck> Check;
  for (line_iterator Line(**Trace); !Line.is_at_end(); ++Line) {
    Expected<json::Value> Parsed = json::parse(*Line);
    if (!Parsed)
      return fail(toString(Parsed.takeError()));
    const json::Object &O = *Parsed->getAsObject();
    if (std::optional<StringRef> Kernel = O.getString("kernel")) {
      Function *F = M->getFunction(*Kernel);
      if (!F)
        return fail("no kernel " + *Kernel);
      if (!Check)
        Check = std::make_unique<KernelCheck>(*F, Managers.Functions);
      Check->start(O);
    } else if (Check) {
      Check->check(requestOf(O));
    }
  }
  if (!Check)
    return fail("an empty trace");
  json::Object Summary;
  uint64_t NotUnderstood = 0, Bounded = 0;
  std::map<std::string, int64_t> Reasons;
  for (const CheckedAccess &A : Check->accesses()) {
    Bounded += A.Report.NotUnderstood.empty() && A.Report.IsBounded;
    if (!A.Report.NotUnderstood.empty()) {
      ++NotUnderstood;
      ++Reasons[kindOf(A.Report.NotUnderstood)];
    }
  }
  auto ObjectOf = [](const auto &Counts) {
    json::Object Result;
    for (const auto &[Text, Count] : Counts)
      Result[Text] = Count;
    return Result;
  };
  json::Object BrokenBy, ReasonsOf = ObjectOf(Reasons);
  BrokenBy = ObjectOf(Check->BrokenBy);
  outs() << json::Value(json::Object{
                {"accesses", int64_t(Check->accesses().size())},
                {"not_understood", NotUnderstood},
                {"bounded", Bounded},
                {"reasons", std::move(ReasonsOf)},
                {"equal", Check->Counts[Equal]},
                {"fewer_lanes", Check->Counts[Fewer]},
                {"broken_assumption", Check->Counts[Broken]},
                {"not_decided", Check->Counts[Undecided]},
                {"of_not_understood", Check->Counts[OfNotUnderstood]},
                {"wrong", Check->Counts[Wrong] + Check->OutsideReport},
                {"by", std::move(BrokenBy)}})
         << '\n';
  static constexpr size_t MaxShown = 4;
  for (const std::string &Mistake :
       ArrayRef(Check->Mistakes).take_front(MaxShown))
    outs() << "  " << Mistake << '\n';
  return Check->Counts[Wrong] + Check->OutsideReport ? 1 : 0;
}
