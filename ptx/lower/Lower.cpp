//===- Lower.cpp - From IR to a body of PTX -------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/backend/NvptxTarget.h"
#include "ptx/flow/AsyncRegisters.h"
#include "ptx/forms/DisjointSums.h"
#include "ptx/forms/ExitTests.h"
#include "ptx/forms/FloatWords.h"
#include "ptx/forms/HiddenWords.h"
#include "ptx/forms/JoinedTests.h"
#include "ptx/forms/MaskedWords.h"
#include "ptx/forms/NearTests.h"
#include "ptx/forms/PackedHalves.h"
#include "ptx/forms/PlainDivisions.h"
#include "ptx/forms/PlainShifts.h"
#include "ptx/forms/PrivateArrays.h"
#include "ptx/forms/SharedEdges.h"
#include "ptx/forms/TestChains.h"
#include "ptx/forms/TextAddresses.h"
#include "ptx/forms/UnwrittenRegisters.h"
#include "ptx/forms/UpperHalves.h"
#include "ptx/forms/WideExtrema.h"
#include "ptx/forms/WideProducts.h"
#include "ptx/lower/InlinedPlaces.h"
#include "ptx/lower/InvertedBranches.h"
#include "ptx/lower/KernelLowering.h"
#include "ptx/lower/SplitBodies.h"
#include "ptx/text/PtxParser.h"
#include "ptx/text/PtxPrinter.h"
#include "transforms/late/LatePrices.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

/// Names outside of functions.
static StringSet<> declaredNames(const ptx::Module &M) {
  StringSet<> Names;
  for (const Item &I : M.Items) {
    if (auto *V = I.as<Variables>())
      for (const Variable &Each : V->All)
        Names.insert(Each.Name);
    if (auto *F = I.as<ptx::Function>())
      Names.insert(F->Name);
  }
  return Names;
}

/// Names of parameters, variables and labels of \p F.
static StringSet<> ownNames(const ptx::Function &F) {
  StringSet<> Names;
  for (const ptx::Variable &P : F.Parameters)
    Names.insert(P.Name);
  for (const Statement &S : F.Body) {
    if (auto *V = S.as<Variables>())
      for (const Variable &Each : V->All)
        Names.insert(Each.Name);
    if (auto *L = S.as<Label>())
      Names.insert(L->Name);
  }
  return Names;
}

namespace {

/// Prints statements of the backend as statements of the old kernel.
class BodyPrinter {
public:
  BodyPrinter(const LiftedKernel &Kernel, const ptx::Function &Old,
              const ptx::Function &New)
      : Kernel(Kernel), Places(Kernel.Places) {
    for (auto [From, To] : zip_equal(New.Parameters, Old.Parameters))
      Parameters[From.Name] = To.Name;
  }
  std::string print(const ptx::Function &New);

private:
  void print(const Statement &S);
  void print(const ptx::Instruction &I);

  const LiftedKernel &Kernel;
  InlinedPlaces Places;
  /// Labels for debug information are those of the backend, which are not used.
  StringSet<> UsedLabels;
  StringMap<StringRef> Parameters;
  std::string Text;
  raw_string_ostream OS{Text};
};

} // namespace

/// `setp.eq.b32` as `setp.eq.s32`, which is the same test: ptxas takes the
/// counter of a loop that ends with the former for an unsigned number, and
/// makes a copy of the loop's code more. Empty for other instructions.
static std::string signedTest(const ptx::Instruction &I) {
  std::optional<ptx::Type> Type = ptx::parseType(I.Words.back());
  bool IsTest = I.base() == "setp" && Type && Type->K == ptx::Type::Kind::Bits;
  return IsTest ? (I.Opcode.drop_back(I.Words.back().size()) + "s" +
                   I.Words.back().drop_front())
                      .str()
                : "";
}

/// A signed field of 64 bits as two shifts: ptxas takes bfe.s64 apart into
/// more. Empty for other instructions.
static SmallVector<ptx::Instruction, 0> shifts(const ptx::Instruction &I) {
  if (I.Opcode != "bfe.s64" || !I.Operands[2].isInteger() ||
      !I.Operands[3].isInteger())
    return {};
  uint64_t Begin = I.Operands[2].Value, Width = I.Operands[3].Value;
  if (Begin > 64 || Width == 0 || Width > 64 - Begin)
    return {};
  ptx::Instruction Left = I, Right = I;
  Left.Opcode = "shl.b64";
  Left.Operands[2].Value = 64 - Begin - Width;
  Right.Opcode = "shr.s64";
  Right.Operands[1] = I.Operands[0];
  Right.Operands[2].Value = 64 - Width;
  for (ptx::Instruction *Shift : {&Left, &Right})
    Shift->Operands.pop_back();
  return {Left, Right};
}

void BodyPrinter::print(const ptx::Instruction &I) {
  auto Rename = [&](StringRef Name) {
    auto It = Parameters.find(Name);
    return (It == Parameters.end() ? Name : It->second).str();
  };
  OS << '\t';
  ptx::print(I, Rename, OS);
  OS << '\n';
}

void BodyPrinter::print(const Statement &S) {
  if (auto *L = S.as<Label>(); L && !UsedLabels.contains(L->Name))
    return;
  if (auto *I = S.as<ptx::Instruction>()) {
    auto Shifts = shifts(*I);
    for (const ptx::Instruction &Shift : Shifts)
      print(Shift);
    if (!Shifts.empty())
      return;
    std::string Opcode = signedTest(*I);
    if (Opcode.empty())
      return print(*I);
    ptx::Instruction Signed = *I;
    Signed.Opcode = Opcode;
    return print(Signed);
  }
  if (S.as<Location>()) {
    // `.loc 1 LINE 0`: the number of a directive of the old kernel.
    SmallVector<StringRef, 4> Words;
    S.Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
    unsigned Line = 0;
    if (Words.size() < 3 || Words[Words.size() - 2].getAsInteger(10, Line) ||
        Line == 0 || Line > Kernel.Places.size())
      return;
    Places.print(Line - 1, OS);
    return;
  } else {
    OS << (S.as<Label>() ? "" : "\t") << S.Text;
  }
  OS << '\n';
}

/// The labels that branches and tables name, and the tables.
static StringSet<> usedLabels(ArrayRef<Statement> Body) {
  StringSet<> Used;
  for (const Statement &S : Body) {
    if (auto *I = S.as<ptx::Instruction>()) {
      for (const Operand &O : I->Operands)
        Used.insert(O.Name);
    } else if (auto *D = S.as<Directive>(); D && D->Name == "branchtargets") {
      SmallVector<StringRef, 8> Labels;
      D->Rest.split(Labels, ',');
      for (StringRef Label : Labels)
        Used.insert(Label.trim());
    } else if (auto *L = S.as<Label>();
               L && L->Name.starts_with("prototype_")) {
      Used.insert(L->Name);
    }
  }
  return Used;
}

std::string BodyPrinter::print(const ptx::Function &New) {
  std::vector<Statement> Body = invertBranches(New.Body);
  UsedLabels = usedLabels(Body);
  for (const Statement &S : Body)
    print(S);
  return Text;
}

namespace {
/// Leaves out straight-line strength reduction, which takes time in the cube of
/// the length of a chain, and in the square of what is made of one value.
class NoStrengthReduction : public OptPassGate {
public:
  bool isEnabled() const override { return true; }
  bool shouldRunPass(StringRef Pass, StringRef) const override {
    return Pass != "slsr";
  }
};
} // namespace

static std::string printKernel(LiftedKernel &Kernel, const Backend &Target) {
  LLVMContext &Context = Kernel.IR->getContext();
  OptPassGate &Before = Context.getOptPassGate();
  NoStrengthReduction Gate;
  if (hasLongChain(*Kernel.Kernel) || hasManySiblings(*Kernel.Kernel))
    Context.setOptPassGate(Gate);
  std::string Text =
      printPtx(*Kernel.IR, Target.machine(Kernel.HasShortPointers));
  Context.setOptPassGate(Before);
  return Text;
}

/// The counts of \p Kernel, as \p Target prints it; none if nothing can read
/// that.
static std::optional<PtxCounts> countsOf(LiftedKernel Kernel, StringRef Name,
                                         const Backend &Target) {
  std::string Text = printKernel(Kernel, Target);
  Expected<ptx::Module> Lowered = parseModule(Text, Name);
  if (!Lowered) {
    consumeError(Lowered.takeError());
    return std::nullopt;
  }
  const ptx::Function *New = Lowered->find(Name);
  return New ? std::optional(countInstructions(*New)) : std::nullopt;
}

Expected<LoweredBody> unravel::ptx::lower(LiftedKernel &Kernel,
                                          const ptx::Module &M,
                                          const ptx::Function &Old,
                                          const Backend &Target) {
  // It was for LLVM's optimisations; the backend would not merge accesses.
  Kernel.Kernel->removeFnAttr(Attribute::NoImplicitFloat);
  settleUnwritten(*Kernel.Kernel);
  isolateCounters(*Kernel.Kernel);
  makePlainDivisions(*Kernel.Kernel);
  makePlainShifts(*Kernel.Kernel);
  packHalves(*Kernel.Kernel);
  compareUpperHalves(*Kernel.Kernel);
  restoreFloats(*Kernel.Kernel);
  widenExtrema(*Kernel.Kernel);
  widenProducts(*Kernel.Kernel);
  addDisjointProducts(*Kernel.Kernel);
  foldTextOffsets(*Kernel.Kernel);
  keepArrayPlaces(*Kernel.Kernel);
  maskWords(*Kernel.Kernel);
  joinTests(*Kernel.Kernel);
  orderTestChains(*Kernel.Kernel);
  shareEdges(*Kernel.Kernel);
  hideWords(*Kernel.Kernel);
  // Against paths for small operands beside each 64-bit division.
  Kernel.Kernel->addFnAttr(Attribute::OptimizeForSize);
  if (!Kernel.HasLocations)
    StripDebugInfo(*Kernel.IR);
  std::optional<PtxCounts> Judged;
  if (auto Crowded = crowdedBranches(*Kernel.Kernel); !Crowded.empty()) {
    Judged = countsOf(Kernel.with(CloneModule(*Kernel.IR)), Old.Name, Target);
    repeatTests(Crowded);
  }
  std::string Text = printKernel(Kernel, Target);
  Expected<ptx::Module> Lowered = parseModule(Text, Old.Name);
  if (!Lowered)
    return Lowered.takeError();
  const ptx::Function *New = Lowered->find(Old.Name);
  if (!New || New->Parameters.size() != Old.Parameters.size())
    return createStringError("the backend printed another kernel");
  AsyncRegisters Async(*New, Kernel.WaitsForLoads);
  if (!Async.problem().empty())
    return createStringError("in the new code, " + Async.problem());
  auto IsDeclared = [&, Declared = declaredNames(M)](StringRef Name) {
    return Declared.contains(Name) || Kernel.KeptNames.contains(Name);
  };
  for (const auto &[Name, _] : declaredNames(*Lowered))
    if (!IsDeclared(Name))
      return createStringError("the new code needs '" + Name +
                               "', which the module does not declare");
  for (const auto &[Name, _] : ownNames(*New))
    if (IsDeclared(Name))
      return createStringError("the new code has a name of its own '" + Name +
                               "', which the module declares");
  PtxCounts Counts = countInstructions(*New);
  return LoweredBody{BodyPrinter(Kernel, Old, *New).print(*New), Counts,
                     Judged.value_or(Counts)};
}

std::string unravel::ptx::composeBody(const LiftedKernel &Kernel,
                                      StringRef Statements) {
  std::string Body = ("\n\t" + Twine(SimplifiedComment) + "\n").str();
  for (StringRef Declaration : Kernel.Declarations)
    Body += ("\t" + Declaration + "\n").str();
  return Body + Statements.str();
}

/// Whether composeBody() repeats \p S: variables that are not of one body
/// alone.
static bool isRepeated(const Statement &S) {
  auto *V = S.as<Variables>();
  return V && V->All.front().Space != "local" &&
         V->All.front().Space != "param";
}

std::string unravel::ptx::oldStatements(const ptx::Function &Old) {
  std::string Text;
  for (const Statement &S : Old.Body)
    if (!isRepeated(S))
      Text += ((S.as<Label>() ? "" : "\t") + S.Text + "\n").str();
  return Text;
}

Expected<std::string> unravel::ptx::withFallback(StringRef Statements,
                                                 StringRef Rest) {
  std::string Marker = ("\t" + Twine(FallbackMarker) + ";\n").str();
  if (Statements.count(Marker) != 1)
    return createStringError("the backend copied the body for other launches");
  auto [Before, After] = Statements.split(Marker);
  // In braces: labels and registers have the same names in both bodies. The
  // comment is as LLVM names a block (PtxPaths.h).
  return (Before + "\t{\t// %fallback\n" + Rest + "\t}\n" + After).str();
}
