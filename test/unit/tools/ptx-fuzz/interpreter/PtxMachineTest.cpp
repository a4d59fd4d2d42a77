//===- PtxMachineTest.cpp - Control, memory, threads ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/PtxTestHelper.h"

using namespace llvm;
using namespace unravel::ptx;

namespace {

using Kind = Outcome::Kind;

TEST(PtxMachineTest, InnerScopesHideRegistersAndLabels) {
  KernelRun K(R"(
    mov.u32 %r0, 1;
    { .reg .b32 %r<2>;
      mov.u32 %r0, 7;
      bra L;
      mov.u32 %r0, 8;
      L: st.global.u32 [%out], %r0; }
    { bra L;
      mov.u32 %r0, 9;
      L: }
    st.global.u32 [%out+4], %r0;)",
              {1, 1, 1});
  EXPECT_EQ(K.Out.K, Kind::Finished) << K.Out.Reason;
  EXPECT_EQ(K.word(0), 7u);
  EXPECT_EQ(K.word(1), 1u);
}

TEST(PtxMachineTest, GuardsLoopsAndTables) {
  KernelRun K(R"(
    mov.u32 %r0, 0;
    mov.u32 %r1, 0;
    Loop:
    add.s32 %r1, %r1, %r0;
    add.s32 %r0, %r0, 1;
    setp.lt.s32 %p0|%p1, %r0, 5;
    @%p0 bra Loop;
    @!%p1 mov.u32 %r1, 100;
    st.global.u32 [%out], %r1;
    mov.u32 %r2, 2;
    Table: .branchtargets A, B, C;
    brx.idx %r2, Table;
    A: B: st.global.u32 [%out+4], 1;
    ret;
    C: st.global.u32 [%out+4], 3;
    exit;
    st.global.u32 [%out+4], 4;)",
              {1, 1, 1});
  EXPECT_EQ(K.Out.K, Kind::Finished) << K.Out.Reason;
  EXPECT_EQ(K.word(0), 10u);
  EXPECT_EQ(K.word(1), 3u);
}

TEST(PtxMachineTest, LoadsExtendAndConversionsFillWiderRegisters) {
  KernelRun K(R"(
    st.global.u32 [%out], 0x80ff;
    ld.global.s8 %r0, [%out];
    ld.global.u8 %r1, [%out];
    ld.global.s16 %d0, [%out];
    ld.global.b16 %d1, [%out];
    cvt.s8.s32 %r2, 0x80;
    cvt.u8.u32 %r3, 0x1ff;
    st.global.u32 [%out+4], %r0;
    st.global.u32 [%out+8], %r1;
    st.global.u64 [%out+16], %d0;
    st.global.u64 [%out+24], %d1;
    st.global.u32 [%out+32], %r2;
    st.global.u32 [%out+36], %r3;
    st.global.u8 [%out+40], %r0;
    mov.b32 {%h0, %h1}, 0x12345678;
    mov.b32 %r4, {%h1, %h0};
    st.global.v2.u32 [%out+48], {%r4, 5};
    ld.global.v2.u16 {_, %h2}, [%out+48];
    st.global.u16 [%out+56], %h2;)",
              {1, 1, 1});
  EXPECT_EQ(K.Out.K, Kind::Finished) << K.Out.Reason;
  EXPECT_EQ(K.word(1), 0xffffffffu);
  EXPECT_EQ(K.word(2), 0xffu);
  EXPECT_EQ(K.at(16, 8), 0xffffffffffff80ffu);
  EXPECT_EQ(K.at(24, 8), 0x80ffu);
  EXPECT_EQ(K.word(8), 0xffffff80u);
  EXPECT_EQ(K.word(9), 0xffu);
  EXPECT_EQ(K.word(10), 0xffu);
  EXPECT_EQ(K.word(12), 0x56781234u);
  EXPECT_EQ(K.word(13), 5u);
  EXPECT_EQ(K.word(14), 0x5678u);
}

TEST(PtxMachineTest, SpacesAndInitialisers) {
  KernelRun K(R"(
    .shared .align 8 .b8 s[16];
    .local .align 4 .b32 l[2];
    mov.u32 %r0, s;
    st.shared.u32 [%r0+4], 11;
    cvt.u64.u32 %d0, %r0;
    cvta.shared.u64 %d1, %d0;
    ld.u32 %r1, [%d1+4];
    st.global.u32 [%out], %r1;
    cvta.to.shared.u64 %d2, %d1;
    setp.eq.u64 %p0, %d2, %d0;
    selp.b32 %r2, 1, 0, %p0;
    st.global.u32 [%out+4], %r2;
    isspacep.shared %p1, %d1;
    isspacep.global %p2, %d1;
    selp.b32 %r3, 1, 0, %p1;
    selp.b32 %r4, 1, 0, %p2;
    st.global.v2.u32 [%out+8], {%r3, %r4};
    st.local.u32 [l+4], 12;
    mov.u64 %d3, l;
    cvta.local.u64 %d4, %d3;
    ld.u32 %r5, [%d4+4];
    st.global.u32 [%out+16], %r5;
    ld.const.u16 %r6, [table+6];
    st.global.u32 [%out+20], %r6;
    ld.global.u64 %d5, [where];
    ld.u32 %r7, [%d5];
    st.global.u32 [%out+24], %r7;
    ld.const.s32 %r8, [rows+12];
    st.global.u32 [%out+28], %r8;
    ld.global.u64 %d6, [bytes];
    ld.u32 %r9, [%d6];
    st.global.u32 [%out+32], %r9;)",
              {1, 1, 1}, R"(
    .const .align 2 .b16 table[5] = {1, 2, 3, 0xabcd};
    .const .align 4 .s32 rows[2][3] = {{1}, {-4, 5}};
    .global .u32 value = 77;
    .global .u64 where = generic(value);
    .global .align 8 .b8 bytes[8] = {0xFF(value), 0xFF00(value),
      0xFF0000(value), 0xFF000000(value), 0xFF00000000(value),
      0xFF0000000000(value), 0xFF000000000000(value),
      0xFF00000000000000(value)};)");
  EXPECT_EQ(K.Out.K, Kind::Finished) << K.Out.Reason;
  EXPECT_EQ(K.word(0), 11u);
  EXPECT_EQ(K.word(1), 1u);
  EXPECT_EQ(K.word(2), 1u);
  EXPECT_EQ(K.word(3), 0u);
  EXPECT_EQ(K.word(4), 12u);
  EXPECT_EQ(K.word(5), 0xabcdu);
  EXPECT_EQ(K.word(6), 77u);
  EXPECT_EQ(K.word(7), uint32_t(-4));
  EXPECT_EQ(K.word(8), 77u);
}

TEST(PtxMachineTest, BarriersSeparateWritesFromReads) {
  KernelRun K(R"(
    .shared .align 4 .b32 s[64];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, s;
    mad.lo.u32 %r2, %r0, 4, %r1;
    st.shared.u32 [%r2], %r0;
    bar.sync 0;
    sub.u32 %r3, 63, %r0;
    mad.lo.u32 %r4, %r3, 4, %r1;
    ld.shared.u32 %r5, [%r4];
    mad.wide.u32 %d0, %r0, 4, %out;
    st.global.u32 [%d0], %r5;
    setp.lt.u32 %p0, %r0, 10;
    bar.red.popc.u32 %r6, 1, %p0;
    st.global.u32 [%d0+256], %r6;)",
              {64, 1, 1});
  EXPECT_EQ(K.Out.K, Kind::Finished) << K.Out.Reason;
  for (unsigned T = 0; T != 64; ++T) {
    EXPECT_EQ(K.word(T), 63 - T);
    EXPECT_EQ(K.word(64 + T), 10u);
  }
}

/// Each of 32 lanes stores what \p Instructions leave in %r9, %r0 is the lane.
std::vector<uint32_t> ofLanes(const std::string &Instructions) {
  KernelRun K("mov.u32 %r0, %laneid; mov.u32 %r9, 0;" + Instructions +
                  "mad.wide.u32 %d0, %r0, 4, %out; st.global.u32 [%d0], %r9;",
              {32, 1, 1});
  EXPECT_EQ(K.Out.K, Kind::Finished) << K.Out.Reason;
  std::vector<uint32_t> Values;
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    Values.push_back(K.word(Lane));
  return Values;
}

TEST(PtxMachineTest, WarpsExchange) {
  auto Down = ofLanes("shfl.sync.down.b32 %r9|%p0, %r0, 4, 31, -1;");
  auto Bfly = ofLanes("shfl.sync.bfly.b32 %r9, %r0, 16, 31, -1;");
  auto Up = ofLanes("shfl.sync.up.b32 %r9, %r0, 1, 0, -1;");
  // Segments of 8 lanes.
  auto Index = ofLanes("shfl.sync.idx.b32 %r9, %r0, 3, 0x181f, -1;");
  auto Ballot = ofLanes("setp.lt.u32 %p0, %r0, 5;"
                        "vote.sync.ballot.b32 %r9, %p0, -1;");
  auto Sum = ofLanes("redux.sync.add.u32 %r9, %r0, -1;");
  auto Least = ofLanes("sub.s32 %r1, %r0, 4;"
                       "redux.sync.min.s32 %r9, %r1, -1;");
  auto Match = ofLanes("and.b32 %r1, %r0, 1;"
                       "match.any.sync.b32 %r9, %r1, -1;");
  // Halves of the warp on their own.
  auto Halves = ofLanes("setp.lt.u32 %p0, %r0, 16; @%p0 bra L;"
                        "redux.sync.add.u32 %r9, 1, 0xffff0000; bra E;"
                        "L: redux.sync.add.u32 %r9, 2, 0x0000ffff; E:");
  auto Active = ofLanes("setp.lt.u32 %p0, %r0, 3; @!%p0 bra E;"
                        "activemask.b32 %r9; E:");
  auto Elected = ofLanes("elect.sync %r1|%p0, -1; selp.b32 %r9, 5, %r1, %p0;");
  for (unsigned L = 0; L != 32; ++L) {
    EXPECT_EQ(Down[L], L + 4 < 32 ? L + 4 : L);
    EXPECT_EQ(Bfly[L], L ^ 16);
    EXPECT_EQ(Up[L], L ? L - 1 : 0);
    EXPECT_EQ(Index[L], L / 8 * 8 + 3);
    EXPECT_EQ(Ballot[L], 31u);
    EXPECT_EQ(Sum[L], 496u);
    EXPECT_EQ(Least[L], uint32_t(-4));
    EXPECT_EQ(Match[L], L & 1 ? 0xaaaaaaaa : 0x55555555);
    EXPECT_EQ(Halves[L], L < 16 ? 32u : 16u);
    EXPECT_EQ(Active[L], L < 3 ? 7u : 0u);
    EXPECT_EQ(Elected[L], L ? 0u : 5u);
  }
}

TEST(PtxMachineTest, Atomics) {
  KernelRun K(R"(
    atom.global.add.u32 %r0, [%out], 3;
    red.global.max.s32 [%out+4], -1;
    atom.global.inc.u32 %r1, [%out+8], 5;
    atom.global.dec.u32 %r2, [%out+12], 5;
    atom.global.cas.b32 %r3, [%out+16], 0, 9;
    atom.relaxed.gpu.global.exch.b64 %d0, [%out+24], 8;
    red.global.add.f32 [%out+32], 0f3F800000;)",
              {8, 1, 1});
  EXPECT_EQ(K.Out.K, Kind::Finished) << K.Out.Reason;
  EXPECT_EQ(K.word(0), 24u);
  EXPECT_EQ(K.word(1), 0u);
  EXPECT_EQ(K.word(2), 2u); // 0 to 5, and again
  EXPECT_EQ(K.word(3), 4u); // 0, 5, 4, 3, 2, 1, 0, 5, 4
  EXPECT_EQ(K.word(4), 9u);
  EXPECT_EQ(K.word(6), 8u);
  EXPECT_EQ(K.word(8), 0x41000000u); // 8.0
}

TEST(PtxMachineTest, SpecialRegisters) {
  KernelRun K(R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z;
    mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y;
    mad.lo.u32 %r5, %r2, %r4, %r1;
    mad.lo.u32 %r5, %r5, %r3, %r0;
    mov.u32 %r6, %ctaid.y; mov.u32 %r7, %nctaid.y; mov.u32 %r8, %warpid;
    setp.ne.u32 %p0, %r5, 37;
    @%p0 ret;
    st.global.v4.u32 [%out], {%r0, %r1, %r2, %r8};
    st.global.v2.u32 [%out+16], {%r6, %r7};
    mov.u32 %r9, %lanemask_lt;
    st.global.u32 [%out+24], %r9;)",
              {4, 4, 4}, "", {1, 2, 1});
  EXPECT_EQ(K.Out.K, Kind::Finished) << K.Out.Reason;
  EXPECT_EQ(K.word(0), 1u);
  EXPECT_EQ(K.word(1), 1u);
  EXPECT_EQ(K.word(2), 2u);
  EXPECT_EQ(K.word(3), 1u);
  EXPECT_EQ(K.word(4), 1u); // of the last block
  EXPECT_EQ(K.word(5), 2u);
  EXPECT_EQ(K.word(6), 31u);
}

TEST(PtxMachineTest, WhatIsForbiddenIsAFault) {
  const std::pair<const char *, const char *> Cases[] = {
      {"st.global.u32 [%out+4096], 1;", "outside of all"},
      {"st.global.u32 [%out+-4], 1;", "outside of all"},
      {"st.global.u32 [%out+2], 1;", "no multiple of 4"},
      {"st.global.v2.u32 [%out+4], {1, 2};", "no multiple of 8"},
      {"add.s32 %r0, %d0, 1;", "has 64 bits, not 32"},
      {"add.s64 %r0, %d0, 1;", "has 32 bits, not 64"},
      {"mov.u32 %r0, %nothing;", "'%nothing'"},
      {"bra Nowhere;", "no such label"},
      {"L: bra L;", "more than 100000"},
      {"mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; @%p0 bar.sync 0, 64;",
       "wait here for others for ever"},
      {"shfl.sync.bfly.b32 %r0, %r1, 1, 31, 0x2;", "not in its own mask"},
      {"wmma.frob %r0;", "not modelled: 'wmma.frob %r0;'"},
      {"trap;", "traps"}};
  for (auto [Body, Reason] : Cases) {
    KernelRun K(Body, {32, 1, 1});
    EXPECT_NE(K.Out.K, Kind::Finished) << Body;
    EXPECT_TRUE(StringRef(K.Out.Reason).contains(Reason)) << K.Out.Reason;
  }
  // Only where a thread comes by.
  KernelRun K("setp.ne.u32 %p0, %r0, %r0; @%p0 wmma.frob %r0;", {1, 1, 1});
  EXPECT_EQ(K.Out.K, Kind::Finished) << K.Out.Reason;
}

TEST(PtxMachineTest, UnwrittenRegistersFollowTheFill) {
  const char *Body = "st.global.u32 [%out], %r0;";
  KernelRun A(Body, {1, 1, 1}), B(Body, {1, 1, 1}),
      C(Body, {1, 1, 1}, "", {1, 1, 1}, /*Fill=*/1);
  EXPECT_EQ(A.word(0), B.word(0));
  EXPECT_NE(A.word(0), C.word(0));
}

} // namespace
