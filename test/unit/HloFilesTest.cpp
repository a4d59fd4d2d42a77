//===- HloFilesTest.cpp - The fusions of test/frontend --------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloTestHelper.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace unravel;

namespace {

TEST(HloFiles, ParseVerifyAndRoundTrip) {
  SmallString<128> Folder(UNRAVEL_TEST_INPUTS);
  sys::path::append(Folder, "..", "frontend");
  std::error_code EC;
  unsigned Count = 0;
  for (sys::fs::directory_iterator It(Folder, EC), End; It != End && !EC;
       It.increment(EC)) {
    if (!StringRef(It->path()).ends_with(".hlo"))
      continue;
    ++Count;
    auto Buffer = MemoryBuffer::getFile(It->path());
    ASSERT_TRUE(bool(Buffer)) << It->path();
    std::vector<std::string> Warnings;
    auto Module = parseModule((*Buffer)->getBuffer(), &Warnings);
    EXPECT_EQ(Warnings, std::vector<std::string>());
    EXPECT_EQ(Module->name(), sys::path::stem(It->path()));
    if (Error E = verifyHlo(*Module))
      ADD_FAILURE() << It->path() << ": " << toString(std::move(E));
    std::string Printed = toString(*Module);
    EXPECT_EQ(toString(*parseModule(Printed)), Printed) << It->path();
  }
  EXPECT_GE(Count, 60u);
}

} // namespace
