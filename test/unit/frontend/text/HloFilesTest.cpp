//===- HloFilesTest.cpp - The fusions of test/Inputs/hlo
//--------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluator.h"
#include "test/unit/HloTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

SmallString<128> pathOf(const Twine &InFrontend) {
  SmallString<128> Path(UNRAVEL_TEST_INPUTS);
  sys::path::append(Path, "hlo", InFrontend);
  return Path;
}

/// Calls \p F with the module of each file. Returns how many there are.
unsigned forEachFile(const Twine &InFrontend,
                     function_ref<void(StringRef Name, StringRef Text)> F) {
  SmallString<128> Folder = pathOf(InFrontend);
  std::error_code EC;
  unsigned Count = 0;
  for (sys::fs::directory_iterator It(Folder, EC), End; It != End && !EC;
       It.increment(EC)) {
    if (!StringRef(It->path()).ends_with(".hlo"))
      continue;
    ++Count;
    auto Buffer = MemoryBuffer::getFile(It->path());
    if (!Buffer)
      ADD_FAILURE() << It->path();
    else
      F(sys::path::stem(It->path()), (*Buffer)->getBuffer());
  }
  return Count;
}

/// The fusions, and the programs with loops, branches and sorts.
unsigned forEachFile(function_ref<void(StringRef Name, StringRef Text)> F) {
  return forEachFile("", F) + forEachFile("programs", F);
}

TEST(HloFiles, ParseVerifyAndRoundTrip) {
  unsigned Count = forEachFile([](StringRef Name, StringRef Text) {
    std::vector<std::string> Warnings;
    auto Module = parseModule(Text, &Warnings);
    EXPECT_EQ(Warnings, std::vector<std::string>());
    EXPECT_EQ(Module->name(), Name);
    if (Error E = verifyHlo(*Module))
      ADD_FAILURE() << Name.str() << ": " << toString(std::move(E));
    std::string Printed = toString(*Module);
    EXPECT_EQ(toString(*parseModule(Printed)), Printed) << Name.str();
  });
  EXPECT_GE(Count, 60u);
}

/// Each has a value, but for the one that is too large, and what is printed has
/// the same one.
TEST(HloFiles, Evaluate) {
  forEachFile([](StringRef Name, StringRef Text) {
    if (isLeftOut())
      return;
    auto Module = parseModule(Text);
    std::vector<HloLiteral> Arguments = someArguments(*Module);
    Expected<HloLiteral> Value = evaluateHlo(*Module, Arguments);
    EXPECT_EQ(bool(Value), Name != "huge_broadcast") << Name.str();
    if (!Value)
      return consumeError(Value.takeError());
    EXPECT_TRUE(Value->shape() == Module->entry().root().shape());
    auto Printed = parseModule(toString(*Module));
    EXPECT_TRUE(cantFail(evaluateHlo(*Printed, Arguments)) == *Value);
  });
}

//===----------------------------------------------------------------------===//
// test/Inputs/hlo/jax: what JAX 0.10.2 gives to XLA, and what XLA makes of it
//===----------------------------------------------------------------------===//

/// Differences that come from adding up in another order.
bool areClose(const HloLiteral &A, const HloLiteral &B) {
  if (A.shape() != B.shape())
    return false;
  for (int64_t I = 0; I < A.shape().elementCount(); ++I) {
    HloElement X = A.atOffset(I), Y = B.atOffset(I);
    if (X.Integer != Y.Integer ||
        !(X.real() == Y.real() ||
          std::fabs(X.real() - Y.real()) <= 1e-4 * std::fabs(Y.real()) + 1e-5))
      return false;
  }
  return true;
}

TEST(HloFiles, OptimizedByXla) {
  unsigned Count = forEachFile("jax", [](StringRef Name, StringRef Text) {
    std::vector<std::string> Warnings;
    auto Optimized = parseModule(Text, &Warnings);
    EXPECT_EQ(Warnings, std::vector<std::string>()) << Name.str();
    if (Error E = verifyHlo(*Optimized))
      ADD_FAILURE() << Name.str() << ": " << toString(std::move(E));
    std::string Printed = toString(*Optimized);
    EXPECT_EQ(toString(*parseModule(Printed)), Printed) << Name.str();
    if (!Name.consume_back(".optimized"))
      return;
    auto Buffer = MemoryBuffer::getFile(pathOf("jax/" + Name + ".hlo"));
    ASSERT_TRUE(bool(Buffer)) << Name.str();
    auto Original = parseModule((*Buffer)->getBuffer());
    std::vector<HloLiteral> Arguments = someArguments(*Original);
    EXPECT_TRUE(areClose(cantFail(evaluateHlo(*Optimized, Arguments)),
                         cantFail(evaluateHlo(*Original, Arguments))))
        << Name.str();
  });
  EXPECT_GE(Count, 30u);
}

} // namespace
