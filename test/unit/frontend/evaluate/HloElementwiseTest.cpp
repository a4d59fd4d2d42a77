//===- HloElementwiseTest.cpp - Values of elementwise operations ----------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All values are worked out by hand from the definitions of the operations.
//
//===----------------------------------------------------------------------===//

#include "test/unit/HloTestHelper.h"

using namespace llvm;
using namespace unravel;

namespace {

TEST(HloElementwise, UnaryOfIntegers) {
  EXPECT_EQ(apply("s8[4]", "abs", {"s8[4] {5, -5, 0, -128}"}),
            "{5, 5, 0, -128}");
  EXPECT_EQ(apply("u8[1]", "abs", {"u8[1] {200}"}), "{200}");
  EXPECT_EQ(apply("s8[3]", "negate", {"s8[3] {5, -5, -128}"}), "{-5, 5, -128}");
  EXPECT_EQ(apply("u8[1]", "negate", {"u8[1] {1}"}), "{255}");
  EXPECT_EQ(apply("s8[3]", "sign", {"s8[3] {7, -7, 0}"}), "{1, -1, 0}");
  EXPECT_EQ(apply("u8[2]", "sign", {"u8[2] {200, 0}"}), "{1, 0}");
  EXPECT_EQ(apply("s8[2]", "not", {"s8[2] {0, 5}"}), "{-1, -6}");
  EXPECT_EQ(apply("pred[2]", "not", {"pred[2] {true, false}"}),
            "{false, true}");
  EXPECT_EQ(apply("s16[3]", "popcnt", {"s16[3] {7, -1, 0}"}), "{3, 16, 0}");
  EXPECT_EQ(apply("u4[2]", "popcnt", {"u4[2] {15, 8}"}), "{4, 1}");
  EXPECT_EQ(apply("s32[3]", "count-leading-zeros", {"s32[3] {1, 0, -1}"}),
            "{31, 32, 0}");
}

TEST(HloElementwise, UnaryOfFloats) {
  auto F = [](StringRef Opcode, StringRef X) {
    return apply("f32[]", Opcode, {("f32[] " + X).str()});
  };
  EXPECT_EQ(F("abs", "-2.5"), "2.5");
  EXPECT_EQ(F("acos", "0"), "1.5707964");
  EXPECT_EQ(F("acosh", "1"), "0");
  EXPECT_EQ(F("asin", "1"), "1.5707964");
  EXPECT_EQ(F("asinh", "1e-10"), "1e-10");
  EXPECT_EQ(F("atanh", "1"), "inf");
  EXPECT_EQ(F("cosh", "0"), "1");
  EXPECT_EQ(F("sinh", "1"), "1.1752012");
  EXPECT_EQ(F("cbrt", "-27"), "-3");
  EXPECT_EQ(F("ceil", "-1.5"), "-1");
  EXPECT_EQ(F("cosine", "0"), "1");
  EXPECT_EQ(F("erf", "1"), "0.8427008");
  EXPECT_EQ(F("exponential", "1"), "2.7182817");
  EXPECT_EQ(F("exponential-minus-one", "1e-10"), "1e-10");
  EXPECT_EQ(F("floor", "-1.5"), "-2");
  EXPECT_EQ(F("imag", "3"), "0");
  EXPECT_EQ(F("log", "0"), "-inf");
  EXPECT_EQ(F("log", "7.389056"), "2");
  EXPECT_EQ(F("log-plus-one", "1e-10"), "1e-10");
  EXPECT_EQ(F("logistic", "0"), "0.5");
  EXPECT_EQ(F("logistic", "-inf"), "0");
  EXPECT_EQ(F("negate", "0"), "-0.0");
  EXPECT_EQ(F("real", "3"), "3");
  EXPECT_EQ(F("round-nearest-afz", "2.5"), "3");
  EXPECT_EQ(F("round-nearest-afz", "-2.5"), "-3");
  EXPECT_EQ(F("round-nearest-even", "2.5"), "2");
  EXPECT_EQ(F("round-nearest-even", "-3.5"), "-4");
  EXPECT_EQ(F("rsqrt", "4"), "0.5");
  EXPECT_EQ(F("sign", "-2"), "-1");
  EXPECT_EQ(F("sign", "-0.0"), "-0.0");
  EXPECT_EQ(F("sign", "nan"), "nan");
  EXPECT_EQ(F("sine", "0.5"), "0.47942555");
  EXPECT_EQ(F("sqrt", "2"), "1.4142135");
  EXPECT_EQ(F("tan", "0.5"), "0.5463025");
  EXPECT_EQ(F("tanh", "1"), "0.7615942");
  EXPECT_EQ(apply("pred[4]", "is-finite", {"f32[4] {1, inf, -inf, nan}"}),
            "{true, false, false, false}");
  EXPECT_EQ(apply("f32[2]", "copy", {"f32[2] {1, nan(0x1)}"}), "{1, nan(0x1)}");
}

TEST(HloElementwise, UnaryOfComplexNumbers) {
  auto C = [](StringRef Opcode, StringRef X) {
    return apply("c64[]", Opcode, {("c64[] " + X).str()});
  };
  EXPECT_EQ(apply("f32[]", "abs", {"c64[] (3, -4)"}), "5");
  EXPECT_EQ(apply("f32[]", "real", {"c64[] (3, -4)"}), "3");
  EXPECT_EQ(apply("f32[]", "imag", {"c64[] (3, -4)"}), "-4");
  EXPECT_EQ(C("negate", "(3, -4)"), "(-3, 4)");
  EXPECT_EQ(C("sign", "(3, -4)"), "(0.6, -0.8)");
  EXPECT_EQ(C("sqrt", "(-4, 0)"), "(0, 2)");
  EXPECT_EQ(C("exponential", "(0, 0)"), "(1, 0)");
  EXPECT_EQ(C("rsqrt", "(4, 0)"), "(0.5, 0)");
  EXPECT_EQ(C("log", "(1, 0)"), "(0, 0)");
  // The sides of the cuts.
  EXPECT_EQ(C("sqrt", "(-4, -0.0)"), "(0, -2)");
  EXPECT_EQ(C("rsqrt", "(-4, -0.0)"), "(-0.0, 0.5)");
  EXPECT_EQ(C("cbrt", "(-8, 0)"), "(1, 1.7320508)");
  EXPECT_EQ(C("cbrt", "(-8, -0.0)"), "(1, -1.7320508)");
  EXPECT_EQ(C("log-plus-one", "(-2, -0.0)"), "(0, -3.1415927)");
  // What is close to a zero or a pole.
  EXPECT_EQ(C("exponential-minus-one", "(1e-12, 2e-12)"), "(1e-12, 2e-12)");
  EXPECT_EQ(C("log-plus-one", "(1e-12, 2e-12)"), "(1e-12, 2e-12)");
  EXPECT_EQ(C("logistic", "(0, 0)"), "(0.5, 0)");
  EXPECT_EQ(value("x = c128[] constant((1e-10, 3.141592653589793))\n"
                  "l = c128[] logistic(x)\nc = c64[] convert(l)"),
            "(1e+10, 12246.468)");
  // What is far away, and whose exponentials are not numbers of its type.
  EXPECT_EQ(C("logistic", "(-1000, 1)"), "(0, 0)");
  EXPECT_EQ(C("logistic", "(1000, 1)"), "(1, 0)");
  EXPECT_EQ(C("tanh", "(-1000, 1)"), "(-1, 0)");
  EXPECT_EQ(C("tan", "(1, 1000)"), "(0, 1)");
  EXPECT_EQ(C("sign", "(3e38, -3e38)"), "(0.70710677, -0.70710677)");
  EXPECT_EQ(value("x = c128[] constant((-1e306, 1e280))\n"
                  "r = c128[] cbrt(x)\ns = c128[] constant((1e-100, 0))\n"
                  "p = c128[] multiply(r, s)\nc = c64[] convert(p)"),
            "(50, 86.60254)");
}

TEST(HloElementwise, ReducePrecision) {
  auto R = [](StringRef X, StringRef Exponent, StringRef Mantissa) {
    return apply(
        "f32[]", "reduce-precision", {("f32[] " + X).str()},
        ("exponent_bits=" + Exponent + ", mantissa_bits=" + Mantissa).str());
  };
  EXPECT_EQ(R("1.5", "8", "0"), "2");    // a tie: 1 and 2, even is 2
  EXPECT_EQ(R("1.25", "8", "1"), "1");   // a tie: 1 and 1.5
  EXPECT_EQ(R("1.75", "8", "1"), "2");   // a tie: 1.5 and 2
  EXPECT_EQ(R("1.26", "8", "1"), "1.5"); // above the tie
  EXPECT_EQ(R("65504", "5", "10"), "65504");
  EXPECT_EQ(R("65520", "5", "10"), "inf");                      // as in f16
  EXPECT_EQ(R("-1e-5", "5", "10"), "-0.0");                     // below 2^-14
  EXPECT_EQ(R("0.00006103515625", "5", "10"), "6.1035156e-05"); // 2^-14
  EXPECT_EQ(R("0.000030517578125", "5", "10"), "0");            // 2^-15
  EXPECT_EQ(R("nan", "5", "10"), "nan");
  EXPECT_EQ(R("-inf", "5", "10"), "-inf");
  EXPECT_EQ(R("1.2345678", "8", "23"), "1.2345678");
}

TEST(HloElementwise, Convert) {
  EXPECT_EQ(apply("s8[8]", "convert",
                  {"f32[8] {1.9, -1.9, 127.5, 128, -129, inf, -inf, nan}"}),
            "{1, -1, 127, 127, -128, 127, -128, 0}");
  EXPECT_EQ(apply("u8[3]", "convert", {"f32[3] {-1, 255.9, 256}"}),
            "{0, 255, 255}");
  EXPECT_EQ(apply("s64[1]", "convert", {"f64[1] {1e300}"}),
            "{9223372036854775807}");
  EXPECT_EQ(apply("pred[4]", "convert", {"f32[4] {0, -0, 0.5, nan}"}),
            "{false, false, true, true}");
  EXPECT_EQ(apply("pred[2]", "convert", {"s32[2] {0, 256}"}), "{false, true}");
  EXPECT_EQ(apply("s8[3]", "convert", {"s32[3] {300, -300, -1}"}),
            "{44, -44, -1}");
  EXPECT_EQ(apply("s32[2]", "convert", {"s8[2] {-1, 5}"}), "{-1, 5}");
  EXPECT_EQ(apply("s32[1]", "convert", {"u8[1] {255}"}), "{255}");
  EXPECT_EQ(apply("u32[1]", "convert", {"s8[1] {-1}"}), "{4294967295}");
  EXPECT_EQ(apply("s4[2]", "convert", {"s32[2] {8, 7}"}), "{-8, 7}");
  EXPECT_EQ(apply("f32[2]", "convert", {"pred[2] {true, false}"}), "{1, 0}");
  EXPECT_EQ(apply("f16[2]", "convert", {"f32[2] {0.1, 1e6}"}), "{0.1, inf}");
  EXPECT_EQ(apply("f16[2]", "convert", {"f32[2] {nan(0x600000), -nan}"}),
            "{nan, -nan}"); // payloads are lost
  EXPECT_EQ(apply("c64[1]", "convert", {"s32[1] {-3}"}), "{(-3, 0)}");
  EXPECT_EQ(apply("c64[1]", "convert", {"c128[1] {(0.1, -0.5)}"}),
            "{(0.1, -0.5)}");
  // 2^24 + 1 is a tie, and goes to even; so does 2^24 + 3, upwards. Above a tie
  // by less than a double can say, the number still goes up.
  EXPECT_EQ(apply("f32[2]", "convert", {"s32[2] {16777217, 16777219}"}),
            "{1.6777216e+07, 1.677722e+07}");
  EXPECT_EQ(apply("f32[1]", "convert", {"s64[1] {1152921573326323713}"}),
            "{1.1529216e+18}"); // 2^60 + 2^36 + 1: up to 2^60 + 2^37
  EXPECT_EQ(apply("f64[1]", "convert", {"f32[1] {1.1529216e18}"}),
            "{1.1529216420458004e+18}");
  EXPECT_EQ(apply("f64[1]", "convert", {"u64[1] {18446744073709551615}"}),
            "{1.8446744073709552e+19}");
}

TEST(HloElementwise, BinaryOfIntegers) {
  auto S = [](StringRef Opcode, StringRef X, StringRef Y) {
    return apply("s8[]", Opcode, {("s8[] " + X).str(), ("s8[] " + Y).str()});
  };
  auto U = [](StringRef Opcode, StringRef X, StringRef Y) {
    return apply("u8[]", Opcode, {("u8[] " + X).str(), ("u8[] " + Y).str()});
  };
  EXPECT_EQ(S("add", "100", "100"), "-56");
  EXPECT_EQ(U("add", "200", "100"), "44");
  EXPECT_EQ(S("subtract", "-100", "100"), "56");
  EXPECT_EQ(S("multiply", "100", "3"), "44");
  EXPECT_EQ(S("divide", "-7", "2"), "-3");
  EXPECT_EQ(S("divide", "7", "0"), "-1");
  EXPECT_EQ(S("divide", "-128", "-1"), "-128");
  EXPECT_EQ(U("divide", "200", "3"), "66");
  EXPECT_EQ(U("divide", "7", "0"), "255");
  EXPECT_EQ(S("remainder", "-7", "2"), "-1");
  EXPECT_EQ(S("remainder", "7", "-2"), "1");
  EXPECT_EQ(S("remainder", "7", "0"), "7");
  EXPECT_EQ(S("remainder", "-128", "-1"), "0");
  EXPECT_EQ(U("remainder", "200", "7"), "4");
  EXPECT_EQ(S("maximum", "-1", "1"), "1");
  EXPECT_EQ(U("maximum", "255", "1"), "255");
  EXPECT_EQ(S("minimum", "-1", "1"), "-1");
  EXPECT_EQ(U("minimum", "255", "1"), "1");
  EXPECT_EQ(S("power", "3", "4"), "81");
  EXPECT_EQ(S("power", "-2", "7"), "-128");
  EXPECT_EQ(S("power", "3", "5"), "-13"); // 243 - 256
  EXPECT_EQ(S("power", "0", "0"), "1");
  EXPECT_EQ(S("power", "2", "-1"), "0");
  EXPECT_EQ(S("power", "-1", "-3"), "-1");
  EXPECT_EQ(S("power", "-1", "-2"), "1");
  EXPECT_EQ(S("power", "1", "-5"), "1");
  EXPECT_EQ(U("power", "3", "255"), "171"); // 3^-1 modulo 256
  EXPECT_EQ(S("and", "12", "10"), "8");
  EXPECT_EQ(S("or", "12", "10"), "14");
  EXPECT_EQ(S("xor", "12", "10"), "6");
  EXPECT_EQ(S("shift-left", "3", "6"), "-64");
  EXPECT_EQ(S("shift-left", "3", "8"), "0");
  EXPECT_EQ(S("shift-left", "3", "-1"), "0");
  EXPECT_EQ(S("shift-right-arithmetic", "-8", "1"), "-4");
  EXPECT_EQ(S("shift-right-arithmetic", "-8", "100"), "-1");
  EXPECT_EQ(S("shift-right-arithmetic", "8", "100"), "0");
  EXPECT_EQ(S("shift-right-logical", "-8", "1"), "124");
  EXPECT_EQ(S("shift-right-logical", "-8", "8"), "0");
}

TEST(HloElementwise, BinaryOfPred) {
  auto P = [](StringRef Opcode) {
    return apply("pred[4]", Opcode,
                 {"pred[4] {0, 0, 1, 1}", "pred[4] {0, 1, 0, 1}"});
  };
  EXPECT_EQ(P("add"), "{false, true, true, true}");
  EXPECT_EQ(P("maximum"), "{false, true, true, true}");
  EXPECT_EQ(P("or"), "{false, true, true, true}");
  EXPECT_EQ(P("multiply"), "{false, false, false, true}");
  EXPECT_EQ(P("minimum"), "{false, false, false, true}");
  EXPECT_EQ(P("and"), "{false, false, false, true}");
  EXPECT_EQ(P("xor"), "{false, true, true, false}");
}

TEST(HloElementwise, BinaryOfFloats) {
  auto F = [](StringRef Opcode, StringRef X, StringRef Y) {
    return apply("f32[]", Opcode, {("f32[] " + X).str(), ("f32[] " + Y).str()});
  };
  EXPECT_EQ(F("add", "16777216", "1"), "1.6777216e+07"); // rounded
  EXPECT_TRUE(StringRef(F("subtract", "inf", "inf")).ends_with("nan"));
  EXPECT_EQ(F("multiply", "1e30", "1e30"), "inf");
  EXPECT_EQ(F("divide", "1", "-0.0"), "-inf");
  EXPECT_EQ(F("remainder", "-7.5", "2"), "-1.5");
  EXPECT_EQ(F("power", "2", "-0.5"), "0.70710677");
  EXPECT_EQ(F("atan2", "1", "-1"), "2.3561945");
  EXPECT_EQ(F("maximum", "nan", "1"), "nan");
  EXPECT_EQ(F("maximum", "1", "nan"), "nan");
  EXPECT_EQ(F("maximum", "-0", "0"), "0");
  EXPECT_EQ(F("minimum", "0", "-0.0"), "-0.0");
  EXPECT_EQ(F("minimum", "nan", "1"), "nan");
  EXPECT_EQ(F("minimum", "2", "1"), "1");
  // 1 + 2^-8 is a tie between 1 and 1 + 2^-7.
  EXPECT_EQ(apply("bf16[]", "add", {"bf16[] 1", "bf16[] 0.00390625"}), "1");
  EXPECT_EQ(apply("f8e4m3fn[]", "multiply", {"f8e4m3fn[] 30", "f8e4m3fn[] 30"}),
            "nan"); // more than 448, and no infinity
}

TEST(HloElementwise, ComplexNumbers) {
  auto C = [](StringRef Opcode) {
    return apply("c64[]", Opcode, {"c64[] (1, 2)", "c64[] (3, -4)"});
  };
  EXPECT_EQ(C("add"), "(4, -2)");
  EXPECT_EQ(C("subtract"), "(-2, 6)");
  EXPECT_EQ(C("multiply"), "(11, 2)");
  EXPECT_EQ(C("divide"), "(-0.2, 0.4)");
  EXPECT_EQ(apply("c64[]", "power", {"c64[] (0, 0)", "c64[] (0, 0)"}),
            "(1, 0)");
  EXPECT_EQ(apply("c64[]", "power", {"c64[] (0, 1)", "c64[] (0, 0)"}),
            "(1, 0)");
  EXPECT_EQ(apply("c64[2]", "complex", {"f32[2] {1, 2}", "f32[2] {3, 4}"}),
            "{(1, 3), (2, 4)}");
}

TEST(HloElementwise, Compare) {
  auto C = [](StringRef Type, StringRef X, StringRef Y, StringRef Attributes) {
    return apply("pred[]", "compare",
                 {(Type + "[] " + X).str(), (Type + "[] " + Y).str()},
                 ("direction=" + Attributes).str());
  };
  EXPECT_EQ(C("s8", "-1", "1", "LT"), "true");
  EXPECT_EQ(C("u8", "255", "1", "LT"), "false");
  EXPECT_EQ(C("s8", "1", "1", "LE"), "true");
  EXPECT_EQ(C("s8", "1", "1", "GE"), "true");
  EXPECT_EQ(C("s8", "1", "1", "GT"), "false");
  EXPECT_EQ(C("s8", "1", "1", "EQ"), "true");
  EXPECT_EQ(C("s8", "1", "2", "NE"), "true");
  for (StringRef Direction : {"EQ", "GE", "GT", "LE", "LT"})
    EXPECT_EQ(C("f32", "nan", "nan", Direction), "false") << Direction.str();
  EXPECT_EQ(C("f32", "nan", "nan", "NE"), "true");
  EXPECT_EQ(C("f32", "-0", "0", "EQ"), "true");
  EXPECT_EQ(C("f32", "-0", "0", "LT, type=TOTALORDER"), "true");
  EXPECT_EQ(C("f32", "nan", "nan", "EQ, type=TOTALORDER"), "true");
  EXPECT_EQ(C("f32", "inf", "nan", "LT, type=TOTALORDER"), "true");
  EXPECT_EQ(C("f32", "-nan", "-inf", "LT, type=TOTALORDER"), "true");
  EXPECT_EQ(C("f32", "-2", "-1", "LT, type=TOTALORDER"), "true");
  EXPECT_EQ(C("pred", "false", "true", "LT"), "true");
  EXPECT_EQ(C("c64", "(1, 2)", "(1, 2)", "EQ"), "true");
  EXPECT_EQ(C("c64", "(1, 2)", "(1, 3)", "NE"), "true");
}

TEST(HloElementwise, SelectAndClamp) {
  EXPECT_EQ(apply("s8[2]", "select",
                  {"pred[2] {true, false}", "s8[2] {1, 2}", "s8[2] {3, 4}"}),
            "{1, 4}");
  EXPECT_EQ(apply("s8[2]", "select",
                  {"pred[] false", "s8[2] {1, 2}", "s8[2] {3, 4}"}),
            "{3, 4}");
  EXPECT_EQ(apply("f32[4]", "clamp",
                  {"f32[] -1", "f32[4] {-2, 0.5, 2, nan}", "f32[] 1"}),
            "{-1, 0.5, 1, nan}");
  EXPECT_EQ(apply("s8[2]", "clamp",
                  {"s8[2] {0, 10}", "s8[2] {5, 5}", "s8[2] {3, 20}"}),
            "{3, 10}");
}

TEST(HloElementwise, Map) {
  EXPECT_EQ(value(R"(
    f { x = s32[] parameter(0) y = f32[] parameter(1)
        z = f32[] convert(x) two = f32[] constant(2)
        p = f32[] multiply(z, two) ROOT r = f32[] subtract(p, y) }
    ENTRY e { x = s32[2,2] constant({{1, 2}, {3, 4}})
      y = f32[2,2] constant({{0.5, 0}, {1, 8}})
      m = f32[2,2] map(x, y), dimensions={0,1}, to_apply=f })"),
            "{ {1.5, 4}, {5, 0} }");
}

} // namespace
