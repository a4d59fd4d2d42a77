//===- SignExtensionsTest.cpp - zext nneg becomes sext for addresses ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/launch/SignExtensions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

/// The opcode of %e once the extensions of the function around \p Body are what
/// later passes want.
std::string extensionIn(StringRef Body) {
  LLVMContext Context;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(
      ("define i64 @f(ptr %p, i32 %x, i8 %b, i64 %d) {\n" + Body + "}").str(),
      Error, Context);
  if (!M)
    return Error.getMessage().str();
  Function *F = M->getFunction("f");
  useSignExtensions(
      to_vector(map_range(*F, [](BasicBlock &BB) { return &BB; })));
  for (Instruction &I : instructions(F))
    if (I.getName() == "e")
      return I.getOpcodeName();
  return "%e is gone";
}

TEST(SignExtensionsTest, OfAddresses) {
  EXPECT_EQ(extensionIn(R"(
    %e = zext nneg i32 %x to i64
    %q = getelementptr float, ptr %p, i64 %e
    store i32 0, ptr %q
    ret i64 0
  )"),
            "sext");
  EXPECT_EQ(extensionIn(R"(
    %e = zext nneg i32 %x to i64
    %s = add i64 %e, %d
    %m = mul i64 %e, %s
    ret i64 %m
  )"),
            "sext");
}

/// Without nneg the two differ; a division is cheaper if it sees zeros.
TEST(SignExtensionsTest, OfAddresses_negative) {
  EXPECT_EQ(extensionIn(R"(
    %e = zext i32 %x to i64
    %q = getelementptr float, ptr %p, i64 %e
    store i32 0, ptr %q
    ret i64 0
  )"),
            "zext");
  EXPECT_EQ(extensionIn(R"(
    %e = zext nneg i32 %x to i64
    %q = getelementptr float, ptr %p, i64 %e
    %r = udiv i64 %e, %d
    ret i64 %r
  )"),
            "zext");
  EXPECT_EQ(extensionIn(R"(
    %e = zext nneg i8 %b to i64
    %q = getelementptr float, ptr %p, i64 %e
    ret i64 0
  )"),
            "zext");
}

} // namespace
