//===- Comparison.cpp - Two versions of a kernel on one input -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/Comparison.h"
#include "tools/files/InputFile.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel::ptx {

Expected<KernelPair> KernelPair::create(const Module &Old, const Module &New,
                                        StringRef Kernel) {
  const Function *Before = Old.find(Kernel), *After = New.find(Kernel);
  if (!Before || !After)
    return makeError(Kernel, "the kernel is missing on one side");
  Expected<Program> A = prepare(Old, *Before);
  if (!A)
    return makeError(Kernel, "the old code: " + toString(A.takeError()));
  Expected<Program> B = prepare(New, *After);
  if (!B)
    return makeError(Kernel, "the new code: " + toString(B.takeError()));
  return KernelPair(std::move(*A), std::move(*B));
}

namespace {
struct RunResult {
  Outcome Out;
  GlobalMemory Memory;
};
} // namespace

static void runOn(const Program &P, const Function &Kernel,
                  ArrayRef<ParameterPart> Parts, const Input &In, RunResult &To,
                  uint64_t Salt = 0, uint64_t ZeroQuotient = ~uint64_t(0)) {
  Launch L = makeLaunch(Kernel, Parts, In, To.Memory);
  L.Fill ^= Salt;
  L.ZeroQuotient = ZeroQuotient;
  To.Out = execute(P, L, To.Memory);
}

Verdict KernelPair::compareOn(const Input &In) const {
  using Kind = Verdict::Kind;
  // Both with the parameters that the old code has.
  RunResult Before, After;
  runOn(Old, *Old.Kernel, Parts, In, Before);
  switch (Before.Out.K) {
  case Outcome::Kind::NotModelled:
    return {Kind::NotModelled, "the old code: " + Before.Out.Reason};
  case Outcome::Kind::Fault:
  case Outcome::Kind::TooLong:
    return {Kind::Skipped, "the old code: " + Before.Out.Reason};
  case Outcome::Kind::Finished:
    break;
  }
  if (Before.Out.DividedByZero && !In.KeepsZeroDivisors)
    return {Kind::Skipped, "the old code divides by zero"};
  if (Before.Out.ReadsUnwritten && In.IsStrict)
    return {Kind::Skipped, "the old code reads an unwritten register"};

  Input Longer = In;
  Longer.MaxSteps = std::max<uint64_t>(8 * Before.Out.Steps, 100'000);
  runOn(New, *Old.Kernel, Parts, Longer, After);
  if (After.Out.K == Outcome::Kind::NotModelled)
    return {Kind::NotModelled, "the new code: " + After.Out.Reason};
  std::string Text;
  if (After.Out.K != Outcome::Kind::Finished) {
    Text = "the new code: " + After.Out.Reason;
  } else if (auto D = Before.Memory.compare(After.Memory)) {
    Text = "byte " + std::to_string(D->Offset) + " of " + D->Buffer + " is 0x" +
           utohexstr(D->Here, false, 2) + " in the old code, 0x" +
           utohexstr(D->There, false, 2) + " in the new";
  } else if (Before.Out.Notes != After.Out.Notes) {
    Text = "the new code has other operands for matrices or barriers in memory";
  } else {
    return {Kind::Same, ""};
  }

  // What was never written has any value, and so has a quotient by zero. A
  // comparison with such a value may turn out the same many times.
  static constexpr uint64_t Salt = 0x15bd1e995;
  auto Depends = [&](uint64_t Fill, uint64_t ZeroQuotient) {
    RunResult Again;
    runOn(Old, *Old.Kernel, Parts, In, Again, Fill, ZeroQuotient);
    return Again.Out.K != Outcome::Kind::Finished ||
           Before.Out.Notes != Again.Out.Notes ||
           Before.Memory.compare(Again.Memory);
  };
  bool IsDefined = true;
  unsigned Fills = Before.Out.ReadsUnwritten ? 31 : 1;
  for (uint64_t Times = 1; Times <= Fills && IsDefined; ++Times)
    IsDefined = !Depends(Times * Salt, Salt);
  if (Before.Out.DividedByZero)
    IsDefined = IsDefined && !Depends(Salt, 0) && !Depends(Salt, 1);
  if (!IsDefined)
    return {Kind::Skipped, "the old code reads a register or memory that "
                           "nothing was written to, or divides by zero"};
  return {Kind::Different, Text};
}

} // namespace unravel::ptx
