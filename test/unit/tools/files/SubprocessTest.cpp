//===- SubprocessTest.cpp - Tests of Subprocess ---------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/files/Subprocess.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

FinishedProgram runScript(StringRef Script, unsigned MaxSeconds = 0) {
  return cantFail(runProgram({"/bin/sh", "-c", Script}, MaxSeconds));
}

TEST(Subprocess, TemporaryFilesGoWithTheObject) {
  std::string Path;
  {
    auto File = cantFail(TemporaryFile::create("test", "txt"));
    Path = File->path().str();
    EXPECT_TRUE(sys::fs::exists(Path));
    EXPECT_TRUE(StringRef(Path).ends_with(".txt"));
  }
  EXPECT_FALSE(sys::fs::exists(Path));
}

TEST(Subprocess, BothStreamsAreMessages) {
  FinishedProgram P = runScript("echo out; echo err >&2");
  EXPECT_TRUE(P.succeeded());
  EXPECT_EQ(P.Messages, "out\nerr\n");
}

TEST(Subprocess, StatusOfAFailure) {
  FinishedProgram P = runScript("exit 3");
  EXPECT_FALSE(P.succeeded());
  EXPECT_EQ(P.Status, 3);
  EXPECT_EQ(P.firstErrors(4), "");
}

TEST(Subprocess, AProgramThatIsNotThere) {
  FinishedProgram P = cantFail(runProgram({"/no/such/program"}));
  EXPECT_LT(P.Status, 0);
  EXPECT_NE(P.Problem, "");
}

TEST(Subprocess, TimeLimit) {
  FinishedProgram P = runScript("sleep 20", 1);
  EXPECT_LT(P.Status, 0);
}

TEST(Subprocess, ErrorsComeBehindWarnings) {
  FinishedProgram P{1, "",
                    "a.cu: warning: x\n\n code\nb.cu: error: y\n code\n"};
  EXPECT_EQ(P.firstErrors(4), "b.cu: error: y\n   code");
  EXPECT_EQ(P.firstErrors(1), "b.cu: error: y");
  // Lines in front of an error that are no warnings explain it.
  P.Messages = "in file c.cu\nb.cu: error: y\n";
  EXPECT_EQ(P.firstErrors(4), "in file c.cu\n  b.cu: error: y");
}

} // namespace
