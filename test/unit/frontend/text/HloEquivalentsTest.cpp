//===- HloEquivalentsTest.cpp - Operations that are read as others --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloEquivalents.h"
#include "test/unit/HloTestHelper.h"

using namespace llvm;
using namespace unravel;

namespace {

/// What instructions behind a parameter `a` are printed as, without layouts.
std::string read(StringRef Text) {
  std::string Printed = body(("a = f32[4] parameter(0)\n" + Text).str());
  StringRef Body = StringRef(Printed).split("parameter(0)\n").second;
  std::string Result;
  while (!Body.empty()) {
    auto [Before, Behind] = Body.split("]{0}");
    Result += Before;
    Result += Before == Body ? "" : "]";
    Body = Behind;
  }
  return Result;
}

std::string errorOfBody(StringRef Text) {
  return errorOf(("a = f32[4] parameter(0)\n" + Text).str());
}

TEST(HloEquivalents, Names) {
  auto Is = [](StringRef Name, HloReading Reading, StringRef Operation) {
    HloEquivalent Found = equivalentOf(Name);
    EXPECT_EQ(Found.Reading, Reading) << Name.str();
    EXPECT_EQ(Found.Operation, Operation) << Name.str();
  };
  Is("add", HloReading::AsWritten, "add");
  Is("send-done", HloReading::AsWritten, "send-done");
  Is("after-all", HloReading::Nothing, "after-all");
  Is("add-dependency", HloReading::FirstOperand, "add-dependency");
  Is("all-gather-start", HloReading::Start, "all-gather");
  Is("fusion-update", HloReading::FirstOperand, "fusion");
  Is("copy-done", HloReading::Done, "copy");
  Is("async-start", HloReading::Start, "async");
  // Begun is what there is.
  Is("frobnicate-start", HloReading::AsWritten, "frobnicate-start");
  Is("-start", HloReading::AsWritten, "-start");
  Is("constant-start", HloReading::AsWritten, "constant-start");
}

TEST(HloEquivalents, Tokens) {
  EXPECT_EQ(read("t = token[] after-all(a)\n"
                 "d = f32[4] add-dependency(a, t)\n"
                 "e = domain(d), domain={kind=\"sharding\"}\n"
                 "r = (f32[4], token[]) tuple(e, t)"),
            "  %t = () tuple()\n"
            "  %d = f32[4] opt-barrier(%a)\n"
            "  %e = f32[4] opt-barrier(%d)\n"
            "  ROOT %r = (f32[4], ()) tuple(%e, %t)");
}

TEST(HloEquivalents, OperandsThenResult) {
  EXPECT_EQ(read("s = ((f32[4]), f32[4], s32[]) negate-start(a)\n"
                 "u = ((f32[4]), f32[4], s32[]) negate-update(s)\n"
                 "d = negate-done(u)"),
            "  %s = f32[4] negate(%a)\n"
            "  %operands = (f32[4]) tuple(%a)\n"
            "  %handle = s32[] constant(0)\n"
            "  %started = ((f32[4]), f32[4], s32[]) tuple(%operands, %s, "
            "%handle)\n"
            "  %u = ((f32[4]), f32[4], s32[]) opt-barrier(%started)\n"
            "  ROOT %d = f32[4] get-tuple-element(%u), index=1");
}

TEST(HloEquivalents, OneOperandNeedsNoTuple) {
  EXPECT_EQ(read("s = (f32[4], f32[8]) all-gather-start(a), dimensions={0}\n"
                 "d = f32[8] all-gather-done(s)"),
            "  %s = f32[8] all-gather(%a), dimensions={0}\n"
            "  %started = (f32[4], f32[8]) tuple(%a, %s)\n"
            "  ROOT %d = f32[8] get-tuple-element(%started), index=1");
}

/// What is done in place has its output among the operands. Handles may be
/// tokens and arrays.
TEST(HloEquivalents, Handles) {
  EXPECT_EQ(read("s = (f32[4], f32[4], token[], u32[2]) "
                 "collective-permute-start(a, a)"),
            "  %s = f32[4] collective-permute(%a, %a)\n"
            "  %handle = () tuple()\n"
            "  %handle.1 = u32[2] constant({0, 0})\n"
            "  ROOT %started = (f32[4], f32[4], (), u32[2]) tuple(%a, %s, "
            "%handle, %handle.1)");
}

TEST(HloEquivalents, ResultFirst) {
  EXPECT_EQ(read("s = (f32[4]{0:S(1)}, f32[4], u32[]) copy-start(a)\n"
                 "d = copy-done(s)"),
            "  %s = f32[4] copy(%a)\n"
            "  %handle = u32[] constant(0)\n"
            "  %started = (f32[4], f32[4], u32[]) tuple(%s, %a, %handle)\n"
            "  ROOT %d = f32[4] get-tuple-element(%started), index=0");
}

TEST(HloEquivalents, ResultAlone) {
  EXPECT_EQ(read("s = f32[4] all-reduce-start(a), to_apply=add\n"
                 "d = f32[4] all-reduce-done(s)"),
            "  %s = f32[4] all-reduce(%a), to_apply=add\n"
            "  ROOT %d = f32[4] opt-barrier(%s)");
}

/// The root is the start, not what is added for it; a computation is inlined.
TEST(HloEquivalents, Computations) {
  auto Module = parseModule("f { x = f32[4] parameter(0) ROOT y = negate(x) }\n"
                            "ENTRY e { a = f32[4] parameter(0)\n"
                            "  s = ((f32[4]), f32[4]) async-start(a), calls=f, "
                            "async_execution_thread=\"t\" }");
  const HloInstruction &Root = Module->entry().root();
  EXPECT_EQ(Root.opcode(), HloOpcode::Tuple);
  EXPECT_EQ(Root.operand(1).opcode(), HloOpcode::Call);
  EXPECT_EQ(Root.operand(1).callee()->name(), "f");
}

TEST(HloEquivalents, Errors) {
  EXPECT_EQ(errorOfBody("s = negate-start(a)"),
            "t:2:5: error: the shape of 's' is missing; write it in front of "
            "'negate-start', since the operands do not tell it");
  EXPECT_EQ(
      errorOfBody("s = f32[4] negate-start(a)"),
      "t:2:12: error: the value of negate-start is written f32[4]; it has "
      "to be ((operands ...), result, handles ...)");
  EXPECT_EQ(errorOfBody("s = (f32[4], f32[5], u32[]) copy-start(a)"),
            "t:2:1: error: the value of copy-start is written (f32[4], f32[5], "
            "u32[]); it has to be (result, operand, handles ...)");
  EXPECT_EQ(errorOfBody("d = negate-done(a)"),
            "t:2:1: error: the value of negate-start is written f32[4]; it has "
            "to be ((operands ...), result, handles ...)");
}

} // namespace
