//===- HloEvaluatorTest.cpp - Values of every opcode ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All values are worked out by hand from the definitions of the operations.
//
//===----------------------------------------------------------------------===//

#include "frontend/HloEvaluator.h"
#include "HloTestHelper.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace unravel;

namespace {

/// The value of a module without parameters, or its error.
std::string value(const Twine &Text, const HloEvaluatorLimits &Limits = {}) {
  auto Module = parseModule(Text.str());
  if (Error E = verifyHlo(*Module))
    return toString(std::move(E));
  Expected<HloLiteral> Value = evaluateHlo(*Module, {}, Limits);
  return Value ? Value->str() : toString(Value.takeError());
}

/// The value of `SHAPE OPCODE(x, y, ...), ATTRIBUTES` for constants x, y, ...;
/// each is "SHAPE LITERAL".
std::string apply(StringRef Result, StringRef Opcode,
                  ArrayRef<StringRef> Constants, StringRef Attributes = "") {
  std::string Text, Operands;
  char Name = 'a';
  for (StringRef Constant : Constants) {
    auto [Shape, Literal] = Constant.split(' ');
    Text += std::string(1, Name) + " = " + Shape.str() + " constant(" +
            Literal.str() + ")\n";
    Operands += (Operands.empty() ? "" : ", ") + std::string(1, Name++);
  }
  return value(Text + "r = " + Result + " " + Opcode + "(" + Operands + ")" +
               (Attributes.empty() ? "" : ", ") + Attributes);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

TEST(HloEvaluator, UnaryOfIntegers) {
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

TEST(HloEvaluator, UnaryOfFloats) {
  auto F = [](StringRef Opcode, StringRef X) {
    return apply("f32[]", Opcode, {("f32[] " + X).str()});
  };
  EXPECT_EQ(F("abs", "-2.5"), "2.5");
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

TEST(HloEvaluator, UnaryOfComplexNumbers) {
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
}

TEST(HloEvaluator, ReducePrecision) {
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

TEST(HloEvaluator, Convert) {
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

TEST(HloEvaluator, BinaryOfIntegers) {
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

TEST(HloEvaluator, BinaryOfPred) {
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

TEST(HloEvaluator, BinaryOfFloats) {
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

TEST(HloEvaluator, ComplexNumbers) {
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

TEST(HloEvaluator, Compare) {
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

TEST(HloEvaluator, SelectAndClamp) {
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

TEST(HloEvaluator, Map) {
  EXPECT_EQ(value(R"(
    f { x = s32[] parameter(0) y = f32[] parameter(1)
        z = f32[] convert(x) two = f32[] constant(2)
        p = f32[] multiply(z, two) ROOT r = f32[] subtract(p, y) }
    ENTRY e { x = s32[2,2] constant({{1, 2}, {3, 4}})
      y = f32[2,2] constant({{0.5, 0}, {1, 8}})
      m = f32[2,2] map(x, y), dimensions={0,1}, to_apply=f })"),
            "{ {1.5, 4}, {5, 0} }");
}

//===----------------------------------------------------------------------===//
// Index transforms
//===----------------------------------------------------------------------===//

constexpr StringLiteral Matrix = "s8[2,3] {{1,2,3},{4,5,6}}";

TEST(HloEvaluator, Iota) {
  EXPECT_EQ(value("i = f32[2,3] iota(), iota_dimension=1"),
            "{ {0, 1, 2}, {0, 1, 2} }");
  EXPECT_EQ(value("i = s4[2,9] iota(), iota_dimension=1"),
            "{ {0, 1, 2, 3, 4, 5, 6, 7, -8}, {0, 1, 2, 3, 4, 5, 6, 7, -8} }");
}

TEST(HloEvaluator, Broadcast) {
  EXPECT_EQ(apply("s8[2,3,2]", "broadcast", {Matrix}, "dimensions={0,1}"),
            "{ { {1, 1}, {2, 2}, {3, 3} }, { {4, 4}, {5, 5}, {6, 6} } }");
  EXPECT_EQ(apply("s8[3,2]", "broadcast", {Matrix}, "dimensions={1,0}"),
            "{ {1, 4}, {2, 5}, {3, 6} }");
  EXPECT_EQ(apply("s8[2,2]", "broadcast", {"s8[] 7"}, "dimensions={}"),
            "{ {7, 7}, {7, 7} }");
}

TEST(HloEvaluator, Transpose) {
  EXPECT_EQ(apply("s8[3,2]", "transpose", {Matrix}, "dimensions={1,0}"),
            "{ {1, 4}, {2, 5}, {3, 6} }");
  // Output dimension i is operand dimension {2,0,1}[i].
  EXPECT_EQ(apply("s8[2,1,3]", "transpose", {"s8[1,3,2] {{{1,2},{3,4},{5,6}}}"},
                  "dimensions={2,0,1}"),
            "{ { {1, 3, 5} }, { {2, 4, 6} } }");
}

TEST(HloEvaluator, Reverse) {
  EXPECT_EQ(apply("s8[2,3]", "reverse", {Matrix}, "dimensions={1}"),
            "{ {3, 2, 1}, {6, 5, 4} }");
  EXPECT_EQ(apply("s8[2,3]", "reverse", {Matrix}, "dimensions={0,1}"),
            "{ {6, 5, 4}, {3, 2, 1} }");
}

TEST(HloEvaluator, Reshape) {
  EXPECT_EQ(apply("s8[3,2]", "reshape", {Matrix}),
            "{ {1, 2}, {3, 4}, {5, 6} }");
  EXPECT_EQ(apply("s8[6]", "reshape", {Matrix}), "{1, 2, 3, 4, 5, 6}");
  EXPECT_EQ(apply("s8[]", "reshape", {"s8[1,1] {{9}}"}), "9");
  EXPECT_EQ(apply("s8[1,1]", "reshape", {"s8[] 9"}), "{ {9} }");
  // Layouts do not matter: elements keep their row-major order.
  EXPECT_EQ(
      apply("s8[3,2]{0,1}", "reshape", {"s8[2,3]{0,1} {{1,2,3},{4,5,6}}"}),
      "{ {1, 2}, {3, 4}, {5, 6} }");
}

TEST(HloEvaluator, Bitcast) {
  // Layouts do matter: memory is 1 4 2 5 3 6.
  EXPECT_EQ(apply("s8[3,2]", "bitcast", {"s8[2,3]{0,1} {{1,2,3},{4,5,6}}"}),
            "{ {1, 4}, {2, 5}, {3, 6} }");
  EXPECT_EQ(apply("s16[2]", "bitcast", {"f16[2,1] {{1},{-2}}"}),
            "{15360, -16384}"); // 0x3c00, 0xc000
}

TEST(HloEvaluator, BitcastConvert) {
  EXPECT_EQ(apply("s32[1]", "bitcast-convert", {"f32[1] {1}"}), "{1065353216}");
  EXPECT_EQ(apply("u8[1,4]", "bitcast-convert", {"u32[1] {67305985}"}),
            "{ {1, 2, 3, 4} }"); // 0x04030201: the low byte first
  EXPECT_EQ(apply("u32[]", "bitcast-convert", {"u8[4] {1, 2, 3, 4}"}),
            "67305985");
  EXPECT_EQ(apply("u4[2]", "bitcast-convert", {"u8[] 33"}), "{1, 2}");
}

TEST(HloEvaluator, Concatenate) {
  EXPECT_EQ(apply("s8[2,5]", "concatenate",
                  {Matrix, "s8[2,0] {}", "s8[2,2] {{7,8},{9,10}}"},
                  "dimensions={1}"),
            "{ {1, 2, 3, 7, 8}, {4, 5, 6, 9, 10} }");
  EXPECT_EQ(apply("s8[3,3]", "concatenate", {Matrix, "s8[1,3] {{7,8,9}}"},
                  "dimensions={0}"),
            "{ {1, 2, 3}, {4, 5, 6}, {7, 8, 9} }");
}

TEST(HloEvaluator, Slice) {
  EXPECT_EQ(
      apply("s8[3]", "slice", {"s8[8] {0,1,2,3,4,5,6,7}"}, "slice={[1:8:3]}"),
      "{1, 4, 7}");
  EXPECT_EQ(apply("s8[1,2]", "slice", {Matrix}, "slice={[1:2], [1:3]}"),
            "{ {5, 6} }");
}

TEST(HloEvaluator, Pad) {
  EXPECT_EQ(apply("s8[8]", "pad", {"s8[3] {1,2,3}", "s8[] 9"}, "padding=1_2_1"),
            "{9, 1, 9, 2, 9, 3, 9, 9}");
  // Holes first: 1 9 9 2 9 9 3, then the cuts.
  EXPECT_EQ(
      apply("s8[5]", "pad", {"s8[3] {1,2,3}", "s8[] 9"}, "padding=-1_-1_2"),
      "{9, 9, 2, 9, 9}");
  EXPECT_EQ(apply("s8[2,2]", "pad", {Matrix, "s8[] 9"}, "padding=-1_1x0_-1"),
            "{ {4, 5}, {9, 9} }");
  EXPECT_EQ(apply("s8[2]", "pad", {"s8[0] {}", "s8[] 9"}, "padding=1_1_5"),
            "{9, 9}");
}

//===----------------------------------------------------------------------===//
// Dynamic indices
//===----------------------------------------------------------------------===//

TEST(HloEvaluator, DynamicSlice) {
  auto D = [](StringRef Type, StringRef Start) {
    return apply("s8[2]", "dynamic-slice",
                 {"s8[5] {0,1,2,3,4}", (Type + "[] " + Start).str()},
                 "dynamic_slice_sizes={2}");
  };
  EXPECT_EQ(D("s32", "1"), "{1, 2}");
  EXPECT_EQ(D("s32", "4"), "{3, 4}");  // clamped to 3
  EXPECT_EQ(D("s32", "-7"), "{0, 1}"); // clamped to 0
  EXPECT_EQ(D("u64", "18446744073709551615"), "{3, 4}");
  EXPECT_EQ(D("s64", "-9223372036854775808"), "{0, 1}");
  EXPECT_EQ(apply("s8[1,2]", "dynamic-slice", {Matrix, "s32[] 1", "s64[] 2"},
                  "dynamic_slice_sizes={1,2}"),
            "{ {5, 6} }");
}

TEST(HloEvaluator, DynamicUpdateSlice) {
  auto D = [](StringRef Row, StringRef Column) {
    return apply("s8[2,3]", "dynamic-update-slice",
                 {Matrix, "s8[1,2] {{8,9}}", ("s32[] " + Row).str(),
                  ("s32[] " + Column).str()});
  };
  EXPECT_EQ(D("0", "1"), "{ {1, 8, 9}, {4, 5, 6} }");
  EXPECT_EQ(D("5", "-1"), "{ {1, 2, 3}, {8, 9, 6} }");
  EXPECT_EQ(D("1", "2"), "{ {1, 2, 3}, {4, 8, 9} }");
}

TEST(HloEvaluator, Gather) {
  // Rows 2 and 0 of a table, then one that is clamped.
  EXPECT_EQ(apply("s8[3,2]", "gather",
                  {"s8[3,2] {{1,2},{3,4},{5,6}}", "s32[3] {2, 0, 9}"},
                  "offset_dims={1}, collapsed_slice_dims={0}, "
                  "start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}"),
            "{ {5, 6}, {1, 2}, {5, 6} }");
  // Start vectors (column, row), windows of 1x2, the offsets in front. (2, 1)
  // is clamped to column 1, (-5, -5) to (0, 0).
  EXPECT_EQ(apply("s8[1,2,3]", "gather",
                  {Matrix, "s32[3,2] {{0,1},{2,1},{-5,-5}}"},
                  "offset_dims={0,1}, collapsed_slice_dims={}, "
                  "start_index_map={1,0}, index_vector_dim=1, "
                  "slice_sizes={1,2}"),
            "{ { {4, 5, 1}, {5, 6, 2} } }");
  // The index vectors are columns: (0, 2), (1, 0).
  EXPECT_EQ(apply("s8[2]", "gather", {Matrix, "s32[2,2] {{0,1},{2,0}}"},
                  "offset_dims={}, collapsed_slice_dims={0,1}, "
                  "start_index_map={0,1}, index_vector_dim=0, "
                  "slice_sizes={1,1}"),
            "{3, 4}");
  // Row b of the indices reads row b of the operand.
  EXPECT_EQ(apply("s8[2,2]", "gather",
                  {Matrix, "s32[2,2,1] {{{2},{0}},{{1},{1}}}"},
                  "offset_dims={}, collapsed_slice_dims={1}, "
                  "start_index_map={1}, operand_batching_dims={0}, "
                  "start_indices_batching_dims={0}, index_vector_dim=2, "
                  "slice_sizes={1,1}"),
            "{ {3, 1}, {5, 5} }");
}

std::string scatter(StringRef Function, StringRef Operand, StringRef Indices,
                    StringRef Updates, StringRef Attributes) {
  auto Constant = [](StringRef Text) {
    auto [Shape, Literal] = Text.split(' ');
    return (Shape + " constant(" + Literal + ")").str();
  };
  return value("f { x = s8[] parameter(0) y = s8[] parameter(1)\n" + Function +
               " }\nENTRY e { o = " + Constant(Operand) +
               "\ni = " + Constant(Indices) + "\nu = " + Constant(Updates) +
               "\nr = " + Operand.split(' ').first +
               " scatter(o, i, u), to_apply=f, " + Attributes + "}");
}

TEST(HloEvaluator, Scatter) {
  const char *Add = "r = s8[] add(x, y)";
  const char *Rows = "update_window_dims={1}, inserted_window_dims={0}, "
                     "scatter_dims_to_operand_dims={0}, index_vector_dim=1";
  // Row 1 twice; rows 3 and -1 do not exist.
  EXPECT_EQ(scatter(Add, "s8[3,2] {{1,1},{2,2},{3,3}}", "s32[4] {1, 3, 1, -1}",
                    "s8[4,2] {{10,20},{99,99},{30,40},{99,99}}", Rows),
            "{ {1, 1}, {42, 62}, {3, 3} }");
  // The last one wins.
  EXPECT_EQ(scatter("ROOT r = s8[] negate(y)", "s8[3,1] {{1},{2},{3}}",
                    "s32[2] {2, 2}", "s8[2,1] {{5},{6}}", Rows),
            "{ {1}, {2}, {-6} }");
  // Also where the window's dimension comes first: window 1 behind window 0.
  EXPECT_EQ(scatter("ROOT r = s8[] negate(y)", "s8[3] {1, 2, 3}",
                    "s32[2,1] {{0},{1}}", "s8[2,2] {{10,30},{20,40}}",
                    "update_window_dims={0}, inserted_window_dims={}, "
                    "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
            "{-10, -30, -40}");
  // Windows of 2: at 0 and 1; at 2 a part would be outside, so all is dropped.
  EXPECT_EQ(scatter(Add, "s8[3] {1, 2, 3}", "s32[3,1] {{0},{1},{2}}",
                    "s8[3,2] {{10,20},{30,40},{50,60}}",
                    "update_window_dims={1}, inserted_window_dims={}, "
                    "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
            "{11, 52, 43}");
  // Vectors (column, row).
  EXPECT_EQ(scatter(Add, Matrix, "s32[2,2] {{2,0},{0,1}}", "s8[2] {10, 20}",
                    "update_window_dims={}, inserted_window_dims={0,1}, "
                    "scatter_dims_to_operand_dims={1,0}, index_vector_dim=1"),
            "{ {1, 2, 13}, {24, 5, 6} }");
  // Row b of the indices writes to row b.
  EXPECT_EQ(scatter(Add, Matrix, "s32[2,1] {{2},{0}}", "s8[2] {10, 20}",
                    "update_window_dims={}, inserted_window_dims={1}, "
                    "scatter_dims_to_operand_dims={1}, "
                    "input_batching_dims={0}, "
                    "scatter_indices_batching_dims={0}, index_vector_dim=1"),
            "{ {1, 2, 13}, {24, 5, 6} }");
}

TEST(HloEvaluator, VariadicScatter) {
  EXPECT_EQ(value(R"(
    f { a = s8[] parameter(0) b = f32[] parameter(1)
        c = s8[] parameter(2) d = f32[] parameter(3)
        s = s8[] add(a, c) m = f32[] maximum(b, d)
        ROOT t = (s8[], f32[]) tuple(s, m) }
    ENTRY e { a = s8[2] constant({1, 2}) b = f32[2] constant({0.5, 0.5})
      i = s32[2,1] constant({{1}, {1}})
      c = s8[2] constant({10, 20}) d = f32[2] constant({-1, 3})
      r = (s8[2], f32[2]) scatter(a, b, i, c, d), to_apply=f,
        update_window_dims={}, inserted_window_dims={0},
        scatter_dims_to_operand_dims={0}, index_vector_dim=1 })"),
            "({1, 32}, {0.5, 3})");
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

TEST(HloEvaluator, Reduce) {
  auto R = [](StringRef Shape, StringRef Dimensions) {
    return value("f { x = s8[] parameter(0) y = s8[] parameter(1)\n"
                 "r = s8[] add(x, y) }\n"
                 "ENTRY e { m = s8[2,3] constant({{1,2,3},{4,5,6}})\n"
                 "i = s8[] constant(10)\nr = " +
                 Shape + " reduce(m, i), to_apply=f, dimensions=" + Dimensions +
                 "}");
  };
  EXPECT_EQ(R("s8[2]", "{1}"), "{16, 25}");
  EXPECT_EQ(R("s8[3]", "{0}"), "{15, 17, 19}");
  EXPECT_EQ(R("s8[]", "{0,1}"), "31");
  EXPECT_EQ(R("s8[2,3]", "{}"), "{ {11, 12, 13}, {14, 15, 16} }");
}

/// ((10 - 1) - 2) - 3: from left to right, the accumulator first.
TEST(HloEvaluator, ReduceGoesFromLeftToRight) {
  EXPECT_EQ(value(R"(
    f { x = s8[] parameter(0) y = s8[] parameter(1)
        r = s8[] subtract(x, y) }
    ENTRY e { m = s8[3] constant({1, 2, 3}) i = s8[] constant(10)
      r = s8[] reduce(m, i), to_apply=f, dimensions={0} })"),
            "4");
}

TEST(HloEvaluator, VariadicReduce) {
  EXPECT_EQ(value(R"(
    f { a = f32[] parameter(0) i = s32[] parameter(1)
        b = f32[] parameter(2) j = s32[] parameter(3)
        ge = pred[] compare(a, b), direction=GE
        v = f32[] select(ge, a, b) n = s32[] select(ge, i, j)
        ROOT t = (f32[], s32[]) tuple(v, n) }
    ENTRY e { m = f32[2,3] constant({{1, 7, 3}, {4, 4, -1}})
      k = s32[2,3] iota(), iota_dimension=1
      i = f32[] constant(-inf) z = s32[] constant(-1)
      r = (f32[2], s32[2]) reduce(m, k, i, z), to_apply=f, dimensions={1} })"),
            "({7, 4}, {1, 0})");
}

/// A callee that is more than operations on scalars.
TEST(HloEvaluator, ReduceWithArraysInTheCallee) {
  EXPECT_EQ(value(R"(
    g { a = s32[2] parameter(0) b = s32[2] parameter(1)
        r = s32[2] add(a, b) }
    f { x = s32[] parameter(0) y = s32[] parameter(1)
        xx = s32[2] broadcast(x), dimensions={}
        yy = s32[2] broadcast(y), dimensions={}
        s = s32[2] call(xx, yy), to_apply=g
        one = s32[1] slice(s), slice={[1:2]} r = s32[] reshape(one) }
    ENTRY e { m = s32[4] constant({1, 2, 3, 4}) i = s32[] constant(0)
      r = s32[] reduce(m, i), to_apply=f, dimensions={0} })"),
            "10");
}

std::string window(StringRef Result, StringRef Operand, StringRef Window,
                   StringRef Function = "add", StringRef Initial = "0") {
  auto [Shape, Literal] = Operand.split(' ');
  return value("f { x = s8[] parameter(0) y = s8[] parameter(1)\n"
               "r = s8[] " +
               Function + "(x, y) }\nENTRY e { m = " + Shape + " constant(" +
               Literal + ")\ni = s8[] constant(" + Initial +
               ")\nr = " + Result +
               " reduce-window(m, i), to_apply=f, window={" + Window + "}}");
}

TEST(HloEvaluator, ReduceWindow) {
  StringRef Five = "s8[5] {1,2,3,4,5}";
  EXPECT_EQ(window("s8[3]", Five, "size=3"), "{6, 9, 12}");
  EXPECT_EQ(window("s8[2]", Five, "size=2 stride=3"), "{3, 9}");
  EXPECT_EQ(window("s8[5]", Five, "size=3 pad=1_1"), "{3, 6, 9, 12, 9}");
  EXPECT_EQ(window("s8[2]", Five, "size=3 pad=-1_0"), "{9, 12}");
  EXPECT_EQ(window("s8[1]", Five, "size=3 rhs_dilate=2"), "{9}"); // 1 + 3 + 5
  // 1 . 2 . 3 . 4 . 5 in windows of two.
  EXPECT_EQ(window("s8[8]", Five, "size=2 lhs_dilate=2"),
            "{1, 2, 2, 3, 3, 4, 4, 5}");
  EXPECT_EQ(window("s8[1,2]", Matrix, "size=2x2"), "{ {12, 16} }");
  EXPECT_EQ(
      window("s8[3]", "s8[3] {3,1,2}", "size=2 pad=1_0", "maximum", "-128"),
      "{3, 3, 2}");
  // The last window is all padding: nothing but the initial value.
  EXPECT_EQ(window("s8[2]", "s8[1] {5}", "size=1 pad=0_1", "add", "7"),
            "{12, 7}");
  EXPECT_EQ(window("s8[0]", "s8[1] {5}", "size=5"), "{}");
}

TEST(HloEvaluator, Dot) {
  EXPECT_EQ(apply("s32[2,2]", "dot", {Matrix, "s8[3,2] {{1,2},{3,4},{5,6}}"},
                  "lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
            "{ {22, 28}, {49, 64} }");
  // Batches: row b with row b.
  EXPECT_EQ(apply("s8[2]", "dot", {Matrix, "s8[2,3] {{1,1,1},{1,0,2}}"},
                  "lhs_batch_dims={0}, lhs_contracting_dims={1}, "
                  "rhs_batch_dims={0}, rhs_contracting_dims={1}"),
            "{6, 16}");
  EXPECT_EQ(apply("s8[2,2]", "dot", {"s8[2] {1,2}", "s8[2] {3,4}"}),
            "{ {3, 4}, {6, 8} }");
  EXPECT_EQ(apply("s16[]", "dot", {"u8[1] {255}", "s8[1] {-1}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "-255");
  EXPECT_EQ(apply("s8[]", "dot", {"s8[2] {100,100}", "s8[2] {2,1}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "44"); // 300 modulo 256
  EXPECT_EQ(apply("pred[]", "dot", {"pred[2] {1,0}", "pred[2] {1,1}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "true");
  EXPECT_EQ(apply("c64[]", "dot", {"c64[1] {(0,1)}", "c64[1] {(0,1)}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "(-1, 0)");
  EXPECT_EQ(apply("f32[]", "dot",
                  {"f8e4m3fn[2] {2, 3}", "f8e5m2[2] {0.5, 0.25}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "1.75");
  // Added up in more than f32: 2^24 + 1 + 1.
  EXPECT_EQ(apply("f32[]", "dot",
                  {"f32[3] {16777216, 1, 1}", "f32[3] {1, 1, 1}"},
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
            "1.6777218e+07");
}

/// One batch, one feature: b0f_0io->b0f is a correlation.
std::string correlate(StringRef Result, StringRef Window) {
  return apply(
      Result, "convolution",
      {"s8[1,4,1] {{{1},{2},{3},{4}}}", "s8[2,1,1] {{{10}},{{1}}}"},
      ("dim_labels=b0f_0io->b0f, window={size=2 " + Window + "}").str());
}

TEST(HloEvaluator, Convolution) {
  EXPECT_EQ(correlate("s8[1,3,1]", ""), "{ { {12}, {23}, {34} } }");
  EXPECT_EQ(correlate("s8[1,3,1]", "rhs_reversal=1"),
            "{ { {21}, {32}, {43} } }");
  EXPECT_EQ(correlate("s8[1,5,1]", "pad=1_1"),
            "{ { {1}, {12}, {23}, {34}, {40} } }");
  EXPECT_EQ(correlate("s8[1,2,1]", "stride=2"), "{ { {12}, {34} } }");
  EXPECT_EQ(correlate("s8[1,2,1]", "rhs_dilate=2"), "{ { {13}, {24} } }");
  // 1 . 2 . 3 . 4
  EXPECT_EQ(correlate("s8[1,6,1]", "lhs_dilate=2"),
            "{ { {10}, {2}, {20}, {3}, {30}, {4} } }");
  // No spatial dimensions: a product of matrices, features 2 -> 3.
  EXPECT_EQ(apply("s8[1,3]", "convolution",
                  {"s8[1,2] {{1,2}}", "s8[2,3] {{1,2,3},{4,5,6}}"},
                  "dim_labels=bf_io->bf"),
            "{ {9, 12, 15} }");
}

TEST(HloEvaluator, ConvolutionGroups) {
  // Features (1, 2) and (3, 4) in two groups of one feature; the kernel has
  // output features 0, 1 for group 0 and 2, 3 for group 1.
  EXPECT_EQ(apply("s8[1,4]", "convolution",
                  {"s8[1,2] {{3,5}}", "s8[1,4] {{1,2,3,4}}"},
                  "dim_labels=bf_io->bf, feature_group_count=2"),
            "{ {3, 6, 15, 20} }");
  // Batches 0, 1 belong to output features 0, 1; batches 2, 3 to 2, 3.
  EXPECT_EQ(apply("s8[2,4]", "convolution",
                  {"s8[4,1] {{1},{2},{3},{4}}", "s8[1,4] {{1,2,3,4}}"},
                  "dim_labels=bf_io->bf, batch_group_count=2"),
            "{ {1, 2, 9, 12}, {2, 4, 12, 16} }");
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

TEST(HloEvaluator, ParametersAndLayouts) {
  auto Module = parseModule(R"(
    f { x = s8[2,3]{0,1} parameter(0) y = s8[] parameter(1)
        z = s8[2,3] broadcast(y), dimensions={}
        s = s8[2,3]{1,0} add(x, z)
        ROOT t = (s8[2,3]{1,0}, s8[]) tuple(s, y) }
    ENTRY e { a = s8[] parameter(1) b = s8[2,3] parameter(0)
      t = (s8[2,3]{1,0}, s8[]) fusion(b, a), kind=kLoop, calls=f
      ROOT r = s8[2,3]{0,1} get-tuple-element(t), index=0 })");
  EXPECT_EQ(errorOf(toString(*Module)), "");
  HloLiteral B(HloShape(Module->entry().parameter(0).shape()),
               {1, 2, 3, 4, 5, 6});
  HloLiteral A = HloLiteral::scalar(HloElement::integer(ElementType::S8, 10));
  Expected<HloLiteral> Value = evaluateHlo(*Module, {B, A});
  ASSERT_TRUE(bool(Value)) << toString(Value.takeError());
  EXPECT_EQ(Value->str(), "{ {11, 12, 13}, {14, 15, 16} }");
  EXPECT_EQ(Value->bytes(), ArrayRef<uint8_t>({11, 14, 12, 15, 13, 16}));

  EXPECT_EQ(toString(evaluateHlo(*Module, {B}).takeError()),
            "'e' has 2 parameters, but gets 1 arguments");
  EXPECT_EQ(toString(evaluateHlo(*Module, {A, B}).takeError()),
            "parameter 0 ('b') is s8[2,3], but the argument is s8[]");
}

/// A bitcast in a fusion sees the layout of its parameter, not that of the
/// operand, from which elements are copied.
TEST(HloEvaluator, ParametersAreRelaidOut) {
  EXPECT_EQ(value(R"(
    f { x = s8[2,3]{0,1} parameter(0) ROOT r = s8[6] bitcast(x) }
    ENTRY e { b = s8[2,3] constant({{1,2,3},{4,5,6}})
      ROOT r = s8[6] fusion(b), kind=kLoop, calls=f })"),
            "{1, 4, 2, 5, 3, 6}");
}

TEST(HloEvaluator, Tuples) {
  EXPECT_EQ(value("a = (s8[], (f32[2], pred[])) constant((1, ({2, 3}, true)))\n"
                  "b = (f32[2], pred[]) get-tuple-element(a), index=1\n"
                  "c = f32[2] get-tuple-element(b), index=0\n"
                  "e = () tuple()\n"
                  "d = (f32[2], (f32[2], pred[]), ()) tuple(c, b, e)"),
            "({2, 3}, ({2, 3}, true), ())");
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST(HloEvaluator, Limits) {
  HloEvaluatorLimits Limits;
  Limits.MaxSteps = 1000;
  EXPECT_EQ(value("a = s8[1001] iota(), iota_dimension=0", Limits),
            "<test>:1:1: error: instruction 'a' (iota): the reference "
            "evaluator would compute more than 1000 elements; use smaller "
            "shapes");
  EXPECT_EQ(value("a = s8[30,30] iota(), iota_dimension=0\n"
                  "b = s8[] dot(a, a), lhs_contracting_dims={0,1}, "
                  "rhs_contracting_dims={0,1}",
                  Limits),
            "<test>:2:1: error: instruction 'b' (dot): the reference evaluator "
            "would compute more than 1000 elements; use smaller shapes");
  Limits = HloEvaluatorLimits();
  Limits.MaxBytes = 1000;
  EXPECT_EQ(value("a = f64[126] iota(), iota_dimension=0", Limits),
            "<test>:1:1: error: instruction 'a' (iota): the reference "
            "evaluator would need more than 1000 bytes; use smaller shapes");
  // What is not needed any more does not count.
  std::string Chain = "x0 = s8[400] iota(), iota_dimension=0\n";
  for (unsigned I = 1; I < 20; ++I)
    Chain += "x" + std::to_string(I) + " = s8[400] negate(x" +
             std::to_string(I - 1) + ")\n";
  EXPECT_EQ(
      StringRef(value(Chain + "r = s8[1] slice(x19), slice={[7:8]}", Limits)),
      "{-7}");
}

/// Twice two calls, a hundred levels deep, of next to nothing.
TEST(HloEvaluator, CallsThatDouble) {
  std::string Text = "f0 { x = s8[0] parameter(0) }\n";
  for (unsigned I = 1; I < 100; ++I) {
    std::string Callee = "f" + std::to_string(I - 1);
    Text += "f" + std::to_string(I) +
            " { x = s8[0] parameter(0) y = s8[0] call(x), to_apply=" + Callee +
            " z = s8[0] call(y), to_apply=" + Callee + " }\n";
  }
  Text += "ENTRY e { c = s8[0] constant({}) r = s8[0] call(c), to_apply=f99 }";
  HloEvaluatorLimits Limits;
  Limits.MaxSteps = 100000;
  EXPECT_NE(value(Text, Limits).find("would compute more than 100000"),
            std::string::npos);
}

} // namespace
