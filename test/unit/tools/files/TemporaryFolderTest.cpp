//===- TemporaryFolderTest.cpp - A folder that goes with the run ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/files/TemporaryFolder.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

TEST(TemporaryFolder, GoesWithTheObjectAndAllThatIsInIt) {
  std::string Path;
  {
    TemporaryFolder First = cantFail(TemporaryFolder::create("test"));
    TemporaryFolder Folder = std::move(First);
    Path = Folder.path().str();
    EXPECT_FALSE(sys::fs::create_directory(Folder.file("x")));
    EXPECT_TRUE(sys::fs::exists(Path + "/x"));
  }
  EXPECT_FALSE(sys::fs::exists(Path));
}

} // namespace
