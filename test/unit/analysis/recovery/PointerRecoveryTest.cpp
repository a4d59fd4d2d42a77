//===- PointerRecoveryTest.cpp - Pointers as a base and an offset ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What recoverPointer() says of chains of getelementptr, against the addresses
// that they compute.
//
//===----------------------------------------------------------------------===//

#include "test/unit/ClaimChecker.h"
#include "test/unit/ProgramWriter.h"
#include "test/unit/Share.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

struct PointerCase {
  const char *Name, *Lines; ///< the pointer is %r, computed from %p
  bool InBounds, NoUnsignedWrap;
};

TEST(PointerRecovery, ByteOffsetsOfPointers) {
  const PointerCase Cases[] = {
      {"None", "%r = getelementptr i8, ptr %p, i64 0", false, false},
      {"Wide", "%r = getelementptr float, ptr %p, i64 %i", false, false},
      {"WideInbounds", "%r = getelementptr inbounds float, ptr %p, i64 %i",
       true, false},
      {"Narrow", "%r = getelementptr nuw i64, ptr %p, i32 %j", false, true},
      {"Constant", "%r = getelementptr inbounds nuw i64, ptr %p, i64 -3", true,
       true},
      {"WrappingIndex",
       "%a = mul i64 %i, 7\n%b = add i64 %a, -9223372036854775808\n"
       "%r = getelementptr [3 x i32], ptr %p, i64 %b, i64 %i",
       false, false},
      {"ExtendedIndex",
       "%a = zext i32 %j to i64\n%b = sext i8 %k to i64\n"
       "%r = getelementptr [5 x [7 x i16]], ptr %p, i64 %b, i64 %a, i8 %k",
       false, false},
      {"WrappingNarrowIndex",
       "%a = add i32 %j, 2147483647\n"
       "%r = getelementptr inbounds nuw i8, ptr %p, i32 %a",
       true, true},
      {"Struct",
       "%r = getelementptr nuw {i8, i64, [4 x i16]}, ptr %p, i64 %i, i32 2, "
       "i32 %j",
       false, true},
      {"ChainOfAll",
       "%q = getelementptr inbounds nuw double, ptr %p, i64 %i\n"
       "%r = getelementptr inbounds nuw i8, ptr %q, i32 %j",
       true, true},
      {"ChainOfOneInbounds",
       "%q = getelementptr nuw double, ptr %p, i64 %i\n"
       "%r = getelementptr inbounds nuw i8, ptr %q, i32 %j",
       false, true},
      {"ChainOfFirstInbounds",
       "%q = getelementptr inbounds nuw double, ptr %p, i64 %i\n"
       "%r = getelementptr nuw i8, ptr %q, i32 %j",
       false, true},
      {"ChainOfOneNuw",
       "%q = getelementptr inbounds nuw double, ptr %p, i64 %i\n"
       "%r = getelementptr inbounds i8, ptr %q, i32 %j",
       true, false},
      {"DividedIndex",
       "%a = sdiv i64 %i, 75\n%b = mul i64 %a, 75\n%c = sub i64 %i, %b\n"
       "%q = getelementptr [75 x float], ptr %p, i64 %a\n"
       "%r = getelementptr float, ptr %q, i64 %c",
       false, false}};
  std::mt19937_64 Random(3);
  for (const PointerCase &Case : Cases) {
    SCOPED_TRACE(Case.Name);
    DeviceModule M("define void @f(ptr noundef %p, i64 noundef %i, i32 noundef "
                   "%j, i8 noundef %k) {\nentry:\n" +
                   std::string(Case.Lines) + "\nret void\n}");
    AnalysedFunction A(M);
    std::optional<RecoveredPointer> P =
        A.Recovery.recoverPointer(A.value("r"), A.scope("entry"));
    ASSERT_TRUE(P);
    EXPECT_EQ(P->Base, A.value("p"));
    EXPECT_EQ(P->InBounds, Case.InBounds);
    EXPECT_EQ(P->NoUnsignedWrap, Case.NoUnsignedWrap);
    Machine Run(A.F);
    for (const Input &In : sampledInputs(A.F, Random, 3000)) {
      Run.Arguments = In.Arguments;
      ASSERT_TRUE(Run.run());
      std::optional<Wide> Offset = evaluateWide(P->Offset, A.Recovery, Run);
      ASSERT_TRUE(Offset);
      ASSERT_EQ(uint64_t(*Offset),
                Run.find(A.value("r"))->Bits - In.Arguments[0].Bits)
          << toString(A.Recovery.context(), P->Offset);
    }
  }
}

/// A chain over different element types is one offset, and cancels.
TEST(PointerRecovery, DividedPointerIndexCancels) {
  DeviceModule M(R"(
    define void @f(ptr %p, i64 %i) {
    entry:
      %a = sdiv i64 %i, 75
      %b = mul i64 %a, 75
      %c = sub i64 %i, %b
      %q = getelementptr [75 x float], ptr %p, i64 %a
      %r = getelementptr float, ptr %q, i64 %c
      ret void
    })");
  AnalysedFunction A(M);
  auto P = A.Recovery.recoverPointer(A.value("r"), A.scope("entry"));
  ASSERT_TRUE(P);
  EXPECT_EQ(toString(A.Recovery.context(), P->Offset), "4 * i");
}

/// Offsets of 32 bits are known modulo 2^32, and nothing is said of the steps.
TEST(PointerRecovery, ShortPointers) {
  DeviceModule M(R"(
    define void @f(ptr addrspace(6) %p, i32 %i, i64 %l, i16 %h) {
    entry:
      %a = sdiv i32 %i, 75
      %b = mul i32 %a, 75
      %c = sub i32 %i, %b
      %q = getelementptr inbounds nuw [75 x float], ptr addrspace(6) %p, i32 %a
      %divided = getelementptr inbounds nuw float, ptr addrspace(6) %q, i32 %c
      %s = add i32 %i, %i
      %wrapped = getelementptr i8, ptr addrspace(6) %p, i32 %s
      %cut = getelementptr i8, ptr addrspace(6) %p, i64 %l
      %t = add i16 %h, %h
      %extended = getelementptr i8, ptr addrspace(6) %p, i16 %t
      ret void
    })");
  AnalysedFunction A(M);
  for (auto [Name, Offset] :
       std::initializer_list<std::pair<StringRef, StringRef>>{
           {"divided", "4 * i"},
           {"wrapped", "2 * i"},
           {"cut", "l"},
           {"extended", "t"}}) {
    auto P = A.Recovery.recoverPointer(A.value(Name), A.scope("entry"));
    ASSERT_TRUE(P) << Name.str();
    EXPECT_EQ(P->Width, 32u);
    EXPECT_EQ(P->Base, A.value("p"));
    EXPECT_EQ(toString(A.Recovery.context(), P->Offset), Offset);
    EXPECT_FALSE(P->InBounds || P->NoUnsignedWrap);
  }
}

TEST(PointerRecovery, PointersThatAreNot) {
  DeviceModule M(R"(
    define void @f(ptr %p, i64 %i, i128 %w, <2 x i64> %v) {
    entry:
      %huge = getelementptr i8, ptr %p, i128 %w
      %vector = getelementptr i8, ptr %p, <2 x i64> %v
      ret void
    })");
  AnalysedFunction A(M);
  for (const char *Name : {"huge", "vector", "i"})
    EXPECT_FALSE(A.Recovery.recoverPointer(A.value(Name), A.scope("entry")))
        << Name;
  auto P = A.Recovery.recoverPointer(A.value("p"), A.scope("entry"));
  ASSERT_TRUE(P);
  EXPECT_TRUE(P->Offset.isConstant(0));
  EXPECT_TRUE(P->InBounds && P->NoUnsignedWrap);
}

} // namespace
