//===- PtxArithmeticTest.cpp - Arithmetic against APInt -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each instruction on all edges of its width against a second reading of the
// manual, in exact integers of 192 bits.
//
//===----------------------------------------------------------------------===//

#include "test/unit/PtxTestHelper.h"
#include "llvm/ADT/APInt.h"

using namespace llvm;
using namespace unravel::ptx;

namespace {

constexpr unsigned Exact = 192;

struct Number {
  unsigned Width;
  bool IsSigned;
  APInt of(uint64_t Value) const {
    APInt Cut(Width, Value & maskOf(Width));
    return IsSigned ? Cut.sext(Exact) : Cut.zext(Exact);
  }
  std::string type() const {
    return (IsSigned ? ".s" : ".u") + std::to_string(Width);
  }
};

uint64_t low(const APInt &Value, unsigned Width) {
  return Value.extractBitsAsZExtValue(Width, 0);
}

APInt clampTo(const APInt &Value, unsigned Width) {
  APInt Max = APInt::getSignedMaxValue(Width).sext(Exact);
  APInt Min = APInt::getSignedMinValue(Width).sext(Exact);
  return Value.sgt(Max) ? Max : Value.slt(Min) ? Min : Value;
}

const Number Numbers[] = {{16, false}, {16, true},  {32, false},
                          {32, true},  {64, false}, {64, true}};

void checkBinary(const std::string &Opcode, const Number &N, unsigned Width,
                 function_ref<APInt(APInt, APInt)> Meaning) {
  for (uint64_t A : edgesOf(N.Width))
    for (uint64_t B : edgesOf(N.Width))
      ASSERT_EQ(compute(Opcode, {A, B}), low(Meaning(N.of(A), N.of(B)), Width))
          << Opcode << ' ' << A << ' ' << B;
}

TEST(PtxArithmeticTest, SumsProductsAndExtremes) {
  for (const Number &N : Numbers) {
    unsigned W = N.Width;
    std::string T = N.type();
    checkBinary("add" + T, N, W, [](APInt A, APInt B) { return A + B; });
    checkBinary("sub" + T, N, W, [](APInt A, APInt B) { return A - B; });
    checkBinary("mul.lo" + T, N, W, [](APInt A, APInt B) { return A * B; });
    checkBinary("mul.hi" + T, N, W,
                [&](APInt A, APInt B) { return (A * B).ashr(W); });
    checkBinary("min" + T, N, W,
                [](APInt A, APInt B) { return A.slt(B) ? A : B; });
    checkBinary("max" + T, N, W,
                [](APInt A, APInt B) { return A.slt(B) ? B : A; });
    if (W < 64)
      checkBinary("mul.wide" + T, N, 2 * W,
                  [](APInt A, APInt B) { return A * B; });
  }
  Number S32{32, true};
  checkBinary("add.sat.s32", S32, 32,
              [](APInt A, APInt B) { return clampTo(A + B, 32); });
  checkBinary("sub.sat.s32", S32, 32,
              [](APInt A, APInt B) { return clampTo(A - B, 32); });
  checkBinary("min.relu.s32", S32, 32, [](APInt A, APInt B) {
    APInt Min = A.slt(B) ? A : B;
    return Min.isNegative() ? APInt(Exact, 0) : Min;
  });
}

TEST(PtxArithmeticTest, QuotientsTruncateAndZeroDoesNotTrap) {
  for (const Number &N : Numbers) {
    unsigned W = N.Width;
    auto Check = [&](bool IsRemainder) {
      std::string Opcode = (IsRemainder ? "rem" : "div") + N.type();
      for (uint64_t A : edgesOf(W))
        for (uint64_t B : edgesOf(W)) {
          ThreadFlags Flags;
          uint64_t Got = compute(Opcode, {A, B}, &Flags);
          ASSERT_EQ(Flags.DividedByZero, B == 0);
          uint64_t Want = IsRemainder ? A : maskOf(W);
          if (B) // -2^(W-1) / -1 wraps: exact integers do not
            Want = low(
                IsRemainder ? N.of(A).srem(N.of(B)) : N.of(A).sdiv(N.of(B)), W);
          ASSERT_EQ(Got, Want) << Opcode << ' ' << A << ' ' << B;
        }
    };
    Check(false);
    Check(true);
  }
}

TEST(PtxArithmeticTest, ThreeOperands) {
  for (const Number &N : Numbers) {
    unsigned W = N.Width;
    Number Wide{2 * W, N.IsSigned};
    for (uint64_t A : edgesOf(W))
      for (uint64_t B : edgesOf(W))
        for (uint64_t C : {uint64_t(0), uint64_t(1), maskOf(W), maskOf(W - 1),
                           maskOf(W - 1) + 1}) {
          APInt X = N.of(A), Y = N.of(B), Z = N.of(C), P = X * Y;
          std::string T = N.type();
          ASSERT_EQ(compute("mad.lo" + T, {A, B, C}), low(P + Z, W));
          ASSERT_EQ(compute("mad.hi" + T, {A, B, C}), low(P.ashr(W) + Z, W));
          APInt Distance = X.slt(Y) ? Y - X : X - Y;
          ASSERT_EQ(compute("sad" + T, {A, B, C}), low(Distance + Z, W));
          if (W < 64) {
            ASSERT_EQ(compute("mad.wide" + T, {A, B, C}),
                      low(P + Wide.of(C), 2 * W));
          }
          if (W == 32 && N.IsSigned) {
            ASSERT_EQ(compute("mad.hi.sat.s32", {A, B, C}),
                      low(clampTo(P.ashr(32) + Z, 32), 32));
          }
          if (W == 32) {
            Number N24{24, N.IsSigned};
            APInt Q = N24.of(A) * N24.of(B);
            ASSERT_EQ(compute("mul24.lo" + T, {A, B}), low(Q, 32));
            ASSERT_EQ(compute("mul24.hi" + T, {A, B}), low(Q.ashr(16), 32));
            ASSERT_EQ(compute("mad24.lo" + T, {A, B, C}), low(Q + Z, 32));
            ASSERT_EQ(compute("mad24.hi" + T, {A, B, C}),
                      low(Q.ashr(16) + Z, 32));
          }
        }
  }
}

TEST(PtxArithmeticTest, NegAndAbsWrap) {
  for (unsigned W : {16, 32, 64})
    for (uint64_t A : edgesOf(W)) {
      std::string T = ".s" + std::to_string(W);
      APInt X = Number{W, true}.of(A);
      EXPECT_EQ(compute("neg" + T, {A}), low(-X, W));
      EXPECT_EQ(compute("abs" + T, {A}), low(X.abs(), W));
    }
}

/// A chain of three words is arithmetic of 96 bits.
TEST(PtxArithmeticTest, CarryChains) {
  const uint64_t Words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
  for (uint64_t A0 : Words)
    for (uint64_t A1 : Words)
      for (uint64_t B0 : Words)
        for (uint64_t B1 : Words)
          for (bool IsSub : {false, true}) {
            std::string Op = IsSub ? "sub" : "add";
            APInt A = APInt(Exact, A1 << 32 | A0), B(Exact, B1 << 32 | B0);
            A |= APInt(Exact, 5) << 64;
            APInt Want = IsSub ? A - B : A + B;
            ThreadFlags Flags;
            EXPECT_EQ(compute(Op + ".cc.u32", {A0, B0}, &Flags), low(Want, 32));
            EXPECT_EQ(compute(Op + "c.cc.u32", {A1, B1}, &Flags),
                      low(Want.lshr(32), 32));
            EXPECT_EQ(compute(Op + "c.s32", {5, 0}, &Flags),
                      low(Want.lshr(64), 32));
          }
  // mad.lo.cc and madc.hi: a product of 32 bits added to 64.
  for (uint64_t A : Words)
    for (uint64_t B : Words)
      for (uint64_t C : Words) {
        uint64_t Want = A * B + (C << 32 | C);
        ThreadFlags Flags;
        EXPECT_EQ(compute("mad.lo.cc.u32", {A, B, C}, &Flags),
                  Want & 0xffffffff);
        EXPECT_EQ(compute("madc.hi.u32", {A, B, C}, &Flags), Want >> 32);
      }
}

TEST(PtxArithmeticTest, PackedAndDotProducts) {
  EXPECT_EQ(compute("add.u16x2", {0xffff0001, 0x0001ffff}), 0x00000000u);
  EXPECT_EQ(compute("min.s16x2", {0x80000001, 0x00007fff}), 0x80000001u);
  EXPECT_EQ(compute("max.u16x2", {0x80000001, 0x00007fff}), 0x80007fffu);
  EXPECT_EQ(compute("max.relu.s16x2", {0x8000ffff, 0xfffffffe}), 0u);
  // 1*5 + 2*6 + 3*7 + 4*8 + 100
  EXPECT_EQ(compute("dp4a.u32.u32", {0x04030201, 0x08070605, 100}), 170u);
  EXPECT_EQ(compute("dp4a.s32.s32", {0xff, 0x02, 0}), uint32_t(-2));
  EXPECT_EQ(compute("dp4a.u32.s32", {0xff, 0xff, 0}), uint32_t(-255));
  EXPECT_EQ(compute("dp4a.s32.u32", {0xff, 0xff, 0}), uint32_t(-255));
  // Halves 3 and 2 with bytes: the low two, or the high two.
  EXPECT_EQ(compute("dp2a.lo.u32.u32", {0x00030002, 0x08070605, 1}), 29u);
  EXPECT_EQ(compute("dp2a.hi.u32.u32", {0x00030002, 0x08070605, 1}), 39u);
  EXPECT_EQ(compute("dp2a.lo.s32.u32", {0x0000ffff, 0x000000ff, 0}),
            uint32_t(-255));
}

TEST(PtxArithmeticTest, WhatIsNotInTheManualIsNotModelled) {
  for (StringRef Opcode :
       {"add.s8", "add.sat.s64", "add.sat.u32", "mul.s32", "mul.wide.s64",
        "neg.u32", "div.b32", "add.cc.s16", "mad.lo.sat.s32", "min.b32",
        "add.foo.s32", "dp4a.s32", "sad.b32", "frob.s32"})
    EXPECT_FALSE(operationOf(Opcode)) << Opcode.str();
}

} // namespace
