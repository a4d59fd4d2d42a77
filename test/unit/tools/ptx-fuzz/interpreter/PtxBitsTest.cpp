//===- PtxBitsTest.cpp - Bits, fields, comparisons, conversions -----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against other formulas than the interpreter's where there are some, otherwise
// values worked out by hand from the pseudo code of the manual.
//
//===----------------------------------------------------------------------===//

#include "test/unit/PtxTestHelper.h"
#include "llvm/ADT/APInt.h"

using namespace llvm;
using namespace unravel::ptx;

namespace {

const uint64_t Amounts[] = {
    0,          1,         7,   8,   15,
    16,         17,        31,  32,  33,
    63,         64,        65,  127, 128,
    255,        256,       257, 512, 0x100000001f & 0xffffffff,
    0x80000000, 0xffffffff};

TEST(PtxBitsTest, ShiftsClamp) {
  for (unsigned W : {16, 32, 64})
    for (uint64_t A : edgesOf(W))
      for (uint64_t B : Amounts) {
        std::string T = std::to_string(W);
        unsigned Amount = std::min<uint64_t>(B, W);
        APInt X(W, A);
        EXPECT_EQ(compute("shl.b" + T, {A, B}), X.shl(Amount).getZExtValue());
        EXPECT_EQ(compute("shr.u" + T, {A, B}), X.lshr(Amount).getZExtValue());
        EXPECT_EQ(compute("shr.b" + T, {A, B}), X.lshr(Amount).getZExtValue());
        EXPECT_EQ(compute("shr.s" + T, {A, B}), X.ashr(Amount).getZExtValue());
      }
}

TEST(PtxBitsTest, FunnelShifts) {
  for (uint64_t A : edgesOf(32))
    for (uint64_t B : {0ul, 0x12345678ul, 0xfffffffful})
      for (uint64_t C : Amounts)
        for (bool Wraps : {false, true}) {
          unsigned N = Wraps ? C & 31 : std::min<uint64_t>(C, 32);
          std::string M = Wraps ? "wrap.b32" : "clamp.b32";
          // d = (b << n) | (a >> (32-n)), and shifts by 32 give nothing.
          APInt X(64, A), Y(64, B);
          APInt L = Y.shl(N) | X.lshr(32 - N), R = Y.shl(32 - N) | X.lshr(N);
          EXPECT_EQ(compute("shf.l." + M, {A, B, C}),
                    L.getLoBits(32).getZExtValue());
          EXPECT_EQ(compute("shf.r." + M, {A, B, C}),
                    R.getLoBits(32).getZExtValue());
        }
}

/// By shifts of wide integers, not bit by bit.
TEST(PtxBitsTest, BitFields) {
  for (unsigned W : {32, 64})
    for (uint64_t A : edgesOf(W))
      for (uint64_t B : Amounts)
        for (uint64_t C : Amounts) {
          unsigned Position = B & 255, Length = C & 255;
          std::string T = std::to_string(W);
          APInt X(W, A), Mask = APInt::getLowBitsSet(512, Length);
          APInt Unsigned = X.zext(512).lshr(Position) & Mask;
          ASSERT_EQ(compute("bfe.u" + T, {A, B, C}),
                    Unsigned.extractBitsAsZExtValue(W, 0));
          // Above the value is its sign; above the field, the field's.
          APInt Signed = X.sext(600).ashr(Position);
          Signed = Length == 0 ? APInt(600, 0) : Signed.trunc(Length).sext(600);
          ASSERT_EQ(compute("bfe.s" + T, {A, B, C}),
                    Signed.extractBitsAsZExtValue(W, 0))
              << A << ' ' << B << ' ' << C;
          APInt Base(512, 0x5a5a5a5a5a5a5a5a & maskOf(W));
          APInt Moved = Mask.shl(Position);
          APInt Inserted =
              (Base & ~Moved) | (X.zext(512).shl(Position) & Moved);
          ASSERT_EQ(compute("bfi.b" + T, {A, 0x5a5a5a5a5a5a5a5a, B, C}),
                    Inserted.extractBitsAsZExtValue(W, 0));
        }
}

TEST(PtxBitsTest, Counts) {
  for (unsigned W : {32, 64})
    for (uint64_t A : edgesOf(W)) {
      std::string T = std::to_string(W);
      APInt X(W, A);
      EXPECT_EQ(compute("popc.b" + T, {A}), X.popcount());
      EXPECT_EQ(compute("clz.b" + T, {A}), X.countl_zero());
      EXPECT_EQ(compute("brev.b" + T, {A}), X.reverseBits().getZExtValue());
      unsigned None = ~0u, Zeros = X.countl_zero();
      EXPECT_EQ(compute("bfind.u" + T, {A}), A ? W - 1 - Zeros : None);
      EXPECT_EQ(compute("bfind.shiftamt.u" + T, {A}), A ? Zeros : None);
      APInt Y = X.isNegative() ? ~X : X;
      Zeros = Y.countl_zero();
      EXPECT_EQ(compute("bfind.s" + T, {A}), Y != 0 ? W - 1 - Zeros : None);
      EXPECT_EQ(compute("bfind.shiftamt.s" + T, {A}), Y != 0 ? Zeros : None);
    }
  // The examples of the manual.
  EXPECT_EQ(compute("fns.b32", {0xaaaaaaaa, 3, 1}), 3u);
  EXPECT_EQ(compute("fns.b32", {0xaaaaaaaa, 3, uint64_t(-1)}), 3u);
  EXPECT_EQ(compute("fns.b32", {0xaaaaaaaa, 2, 1}), 3u);
  EXPECT_EQ(compute("fns.b32", {0xaaaaaaaa, 2, uint64_t(-1)}), 1u);
  EXPECT_EQ(compute("fns.b32", {0xaaaaaaaa, 2, 0}), 0xffffffffu);
  EXPECT_EQ(compute("fns.b32", {0xaaaaaaaa, 3, 0}), 3u);
  EXPECT_EQ(compute("fns.b32", {0xaaaaaaaa, 1, 16}), 31u);
  EXPECT_EQ(compute("fns.b32", {0xaaaaaaaa, 1, 17}), 0xffffffffu);
}

TEST(PtxBitsTest, Permutations) {
  uint64_t A = 0x83828180, B = 0x07060504; // bytes 0 to 3, 4 to 7
  EXPECT_EQ(compute("prmt.b32", {A, B, 0x3210}), A);
  EXPECT_EQ(compute("prmt.b32", {A, B, 0x7654}), B);
  EXPECT_EQ(compute("prmt.b32", {A, B, 0x0736}), 0x80078306u);
  // With its highest bit a nibble replicates the sign of the byte.
  EXPECT_EQ(compute("prmt.b32", {A, B, 0x8c3b}), 0xff0083ffu);
  EXPECT_EQ(compute("prmt.b32", {A, B, 0xffff3210}), A);
  const struct {
    const char *Mode;
    uint32_t Want[4];
  } Modes[] = {{"f4e", {0x83828180, 0x04838281, 0x05048382, 0x06050483}},
               {"b4e", {0x05060780, 0x06078081, 0x07808182, 0x80818283}},
               {"rc8", {0x80808080, 0x81818181, 0x82828282, 0x83838383}},
               {"ecl", {0x83828180, 0x83828181, 0x83828282, 0x83838383}},
               {"ecr", {0x80808080, 0x81818180, 0x82828180, 0x83828180}},
               {"rc16", {0x81808180, 0x83828382, 0x81808180, 0x83828382}}};
  for (const auto &M : Modes)
    for (unsigned C = 0; C != 4; ++C)
      EXPECT_EQ(compute(std::string("prmt.b32.") + M.Mode, {A, B, 0xfc + C}),
                M.Want[C])
          << M.Mode << C;
}

TEST(PtxBitsTest, MasksExtensionsTables) {
  EXPECT_EQ(compute("bmsk.wrap.b32", {1, 2}), 6u); // the manual's example
  EXPECT_EQ(compute("bmsk.clamp.b32", {0, 32}), 0xffffffffu);
  EXPECT_EQ(compute("bmsk.wrap.b32", {0, 32}), 0u);
  EXPECT_EQ(compute("bmsk.clamp.b32", {32, 4}), 0u);
  EXPECT_EQ(compute("bmsk.wrap.b32", {33, 4}), 0x1eu);
  EXPECT_EQ(compute("bmsk.clamp.b32", {31, 5}), 0x80000000u);
  EXPECT_EQ(compute("bmsk.clamp.b32", {4, 0}), 0u);
  EXPECT_EQ(compute("szext.wrap.s32", {0xff, 8}), 0xffffffffu);
  EXPECT_EQ(compute("szext.wrap.u32", {0x1ff, 8}), 0xffu);
  EXPECT_EQ(compute("szext.clamp.s32", {0x1ff, 32}), 0x1ffu);
  EXPECT_EQ(compute("szext.wrap.s32", {0x1ff, 32}), 0u);
  EXPECT_EQ(compute("szext.wrap.s32", {0x1ff, 0}), 0u);
  // The table is the result for a = 0xF0, b = 0xCC, c = 0xAA.
  for (uint64_t Table : {0x00, 0x80, 0xfe, 0x96, 0x1a, 0xca, 0xff})
    EXPECT_EQ(compute("lop3.b32", {0xf0, 0xcc, 0xaa, Table}) & 0xff, Table);
  EXPECT_EQ(compute("cnot.b32", {0}), 1u);
  EXPECT_EQ(compute("cnot.b16", {0x10000}), 1u);
  EXPECT_EQ(compute("not.pred", {1}), 0u);
}

TEST(PtxBitsTest, Comparisons) {
  for (unsigned W : {16, 32, 64})
    for (uint64_t A : edgesOf(W))
      for (uint64_t B : edgesOf(W)) {
        std::string T = std::to_string(W);
        APInt X(W, A), Y(W, B);
        EXPECT_EQ(compute("setp.lt.s" + T, {A, B}), X.slt(Y));
        EXPECT_EQ(compute("setp.le.s" + T, {A, B}), X.sle(Y));
        EXPECT_EQ(compute("setp.gt.s" + T, {A, B}), X.sgt(Y));
        EXPECT_EQ(compute("setp.ge.s" + T, {A, B}), X.sge(Y));
        EXPECT_EQ(compute("setp.lo.u" + T, {A, B}), X.ult(Y));
        EXPECT_EQ(compute("setp.ls.u" + T, {A, B}), X.ule(Y));
        EXPECT_EQ(compute("setp.gt.u" + T, {A, B}), X.ugt(Y));
        EXPECT_EQ(compute("setp.hs.u" + T, {A, B}), X.uge(Y));
        EXPECT_EQ(compute("setp.eq.b" + T, {A, B}), A == B);
        EXPECT_EQ(compute("set.ne.u32.s" + T, {A, B}), A != B ? ~0u : 0u);
      }
  // q is the negated comparison, combined with the same predicate.
  std::optional<Operation> O = operationOf("setp.lt.and.s32");
  ThreadFlags Flags;
  for (uint64_t C : {0, 1}) {
    Results R = O->Run({1, 2, C}, Flags);
    EXPECT_EQ(R.First, C);
    EXPECT_EQ(R.Second, 0u);
    R = O->Run({2, 1, C}, Flags);
    EXPECT_EQ(R.First, 0u);
    EXPECT_EQ(R.Second, C);
  }
  uint64_t NaN = 0x7fc00000, One = 0x3f800000, MinusZero = 0x80000000;
  EXPECT_EQ(compute("setp.lt.f32", {NaN, One}), 0u);
  EXPECT_EQ(compute("setp.ltu.f32", {NaN, One}), 1u);
  EXPECT_EQ(compute("setp.ne.f32", {NaN, NaN}), 0u);
  EXPECT_EQ(compute("setp.neu.f32", {NaN, NaN}), 1u);
  EXPECT_EQ(compute("setp.num.f32", {One, One}), 1u);
  EXPECT_EQ(compute("setp.nan.f32", {One, NaN}), 1u);
  EXPECT_EQ(compute("setp.eq.f32", {0, MinusZero}), 1u);
  EXPECT_EQ(compute("slct.u32.f32", {7, 8, MinusZero}), 7u);
  EXPECT_EQ(compute("slct.u32.f32", {7, 8, NaN}), 8u);
  EXPECT_EQ(compute("slct.u32.s32", {7, 8, 0x80000000}), 8u);
  EXPECT_FALSE(operationOf("setp.lo.s32"));
  EXPECT_FALSE(operationOf("setp.lt.b32"));
}

TEST(PtxBitsTest, IntegerConversions) {
  for (unsigned From : {8, 16, 32, 64})
    for (unsigned To : {8, 16, 32, 64})
      for (bool IsFromSigned : {false, true})
        for (bool IsToSigned : {false, true})
          for (uint64_t A : edgesOf(From)) {
            std::string T = std::string(IsToSigned ? ".s" : ".u") +
                            std::to_string(To) + (IsFromSigned ? ".s" : ".u") +
                            std::to_string(From);
            APInt X(From, A);
            X = IsFromSigned ? X.sext(128) : X.zext(128);
            EXPECT_EQ(compute("cvt" + T, {A}), X.extractBitsAsZExtValue(To, 0));
            APInt Max = (IsToSigned ? APInt::getSignedMaxValue(To)
                                    : APInt::getMaxValue(To))
                            .zext(128);
            APInt Min = IsToSigned ? APInt::getSignedMinValue(To).sext(128)
                                   : APInt(128, 0);
            APInt Clamped = X.sgt(Max) ? Max : X.slt(Min) ? Min : X;
            EXPECT_EQ(compute("cvt.sat" + T, {A}),
                      Clamped.extractBitsAsZExtValue(To, 0))
                << T << ' ' << A;
          }
  EXPECT_EQ(compute("cvt.pack.sat.u16.s32", {70000, uint64_t(-1)}),
            0xffff0000u);
  EXPECT_EQ(compute("cvt.pack.sat.s8.s32.b32", {200, uint64_t(-200), 0x1234}),
            0x12347f80u);
}

uint64_t bitsOf(float F) {
  uint32_t Bits;
  std::memcpy(&Bits, &F, 4);
  return Bits;
}

TEST(PtxBitsTest, FloatConversions) {
  EXPECT_EQ(compute("cvt.rzi.s32.f32", {bitsOf(-1.75f)}), uint32_t(-1));
  EXPECT_EQ(compute("cvt.rmi.s32.f32", {bitsOf(-1.25f)}), uint32_t(-2));
  EXPECT_EQ(compute("cvt.rpi.s32.f32", {bitsOf(1.25f)}), 2u);
  EXPECT_EQ(compute("cvt.rni.s32.f32", {bitsOf(2.5f)}), 2u);
  // Out of range: the nearest number; NaN: zero.
  EXPECT_EQ(compute("cvt.rzi.s32.f32", {bitsOf(1e20f)}), 0x7fffffffu);
  EXPECT_EQ(compute("cvt.rzi.u32.f32", {bitsOf(-5)}), 0u);
  EXPECT_EQ(compute("cvt.rzi.u8.f32", {bitsOf(300)}), 255u);
  EXPECT_EQ(compute("cvt.rzi.s32.f32", {0x7fc00000}), 0u);
  EXPECT_EQ(compute("cvt.rzi.s64.f32", {0x7fc00000}), uint64_t(1) << 63);
  EXPECT_EQ(compute("cvt.rn.f32.s32", {uint64_t(-3)}), bitsOf(-3));
  EXPECT_EQ(compute("cvt.rn.f32.u32", {0xffffffff}), bitsOf(4294967296.f));
  EXPECT_EQ(compute("cvt.rz.f32.u32", {0xffffffff}), 0x4f7fffffu);
  EXPECT_EQ(compute("cvt.sat.f32.f32", {bitsOf(-3)}), 0u);
  EXPECT_EQ(compute("cvt.rmi.f32.f32", {bitsOf(-1.5f)}), bitsOf(-2));
  EXPECT_EQ(compute("cvt.rn.f16.f32", {bitsOf(1)}), 0x3c00u);
  EXPECT_EQ(compute("cvt.f32.f16", {0x3c00}), bitsOf(1));
  EXPECT_EQ(compute("cvt.rn.bf16x2.f32", {bitsOf(1), bitsOf(2)}), 0x3f804000u);
}

TEST(PtxBitsTest, FloatArithmetic) {
  EXPECT_EQ(compute("add.rn.f32", {bitsOf(1.5f), bitsOf(2)}), bitsOf(3.5f));
  EXPECT_EQ(compute("add.rz.f32", {bitsOf(1), 1}), bitsOf(1));
  EXPECT_EQ(compute("add.rp.f32", {bitsOf(1), 1}), bitsOf(1) + 1);
  EXPECT_EQ(compute("mul.ftz.f32", {1, bitsOf(2)}), 0u); // a denormal
  EXPECT_EQ(compute("mul.f32", {1, bitsOf(2)}), 2u);
  EXPECT_EQ(compute("fma.rn.f32", {bitsOf(3), bitsOf(4), bitsOf(5)}),
            bitsOf(17));
  EXPECT_EQ(compute("min.f32", {0x7fc00000, bitsOf(5)}), bitsOf(5));
  EXPECT_EQ(compute("min.NaN.f32", {0x7fc00000, bitsOf(5)}), 0x7fffffffu);
  EXPECT_EQ(compute("max.f32", {0x80000000, 0}), 0u);
  EXPECT_EQ(compute("add.sat.f32", {bitsOf(1), bitsOf(1)}), bitsOf(1));
  EXPECT_EQ(compute("sqrt.rn.f32", {bitsOf(9)}), bitsOf(3));
  EXPECT_EQ(compute("add.f16x2", {0x3c003c00, 0x3c004000}), 0x40004200u);
  EXPECT_FALSE(operationOf("sqrt.rp.f32"));
}

} // namespace
