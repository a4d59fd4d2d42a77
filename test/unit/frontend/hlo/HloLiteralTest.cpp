//===- HloLiteralTest.cpp - Literals as text and as bytes -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/hlo/HloLiteral.h"
#include "frontend/text/HloLexer.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace unravel;

namespace {

HloShape shape(StringRef Text) {
  HloLexer Lexer(Text, "<shape>");
  return cantFail(Lexer.parseShape());
}

HloLiteral literal(StringRef Shape, StringRef Text) {
  Expected<HloLiteral> L = parseLiteral(Text, "<test>", shape(Shape));
  if (L)
    return *L;
  ADD_FAILURE() << toString(L.takeError());
  return HloLiteral(shape(Shape));
}

std::string errorOf(StringRef Shape, StringRef Text) {
  Expected<HloLiteral> L = parseLiteral(Text, "t", shape(Shape));
  if (L)
    return "no error: " + L->str();
  return StringRef(toString(L.takeError())).split('\n').first.str();
}

/// The bits of a scalar.
uint64_t bits(StringRef Type, StringRef Text) {
  return literal((Type + "[]").str(), Text).bitsAtOffset(0).getZExtValue();
}

using Bytes = std::vector<uint8_t>;

TEST(HloLiteral, BytesAreInTheOrderOfTheLayout) {
  EXPECT_EQ(literal("s8[2,3]", "{ {1, 2, 3}, {4, 5, 6} }").bytes(),
            ArrayRef(Bytes{1, 2, 3, 4, 5, 6}));
  HloLiteral ColumnMajor = literal("s8[2,3]{0,1}", "{{1,2,3},{4,5,6}}");
  EXPECT_EQ(ColumnMajor.bytes(), ArrayRef(Bytes{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(ColumnMajor.at({1, 2}).asInt64(), 6);
  EXPECT_EQ(ColumnMajor.str(), "{ {1, 2, 3}, {4, 5, 6} }");
  EXPECT_EQ(ColumnMajor.relaidOut(shape("s8[2,3]")).bytes(),
            ArrayRef(Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(literal("s32[1]", "{-2}").bytes(),
            ArrayRef(Bytes{0xfe, 0xff, 0xff, 0xff}));
  EXPECT_EQ(literal("s4[2]", "{-2, 7}").bytes(), ArrayRef(Bytes{0x0e, 7}));
  EXPECT_EQ(literal("pred[2]", "{true, 0}").bytes(), ArrayRef(Bytes{1, 0}));
}

TEST(HloLiteral, PrintsWhatItParses) {
  const std::pair<const char *, const char *> Cases[] = {
      {"f32[]", "-0.1"},
      {"f32[]", "inf"},
      {"f32[2]", "{-inf, nan}"},
      {"f32[1]", "{-nan}"},
      {"f32[]", "nan(0x400001)"},
      {"f32[]", "3.4028235e+38"},
      {"f32[]", "1e-45"},
      {"f32[]", "-0.0"},
      {"f64[]", "0.1"},
      {"f16[]", "0.1"},
      {"bf16[]", "0.1"},
      {"bf16[]", "1e+30"},
      {"f8e4m3fn[3]", "{448, -nan, 0.002}"},
      {"f8e5m2[3]", "{57344, -inf, -nan(0x1)}"},
      {"f8e4m3b11fnuz[2]", "{30, nan}"},
      {"f8e8m0fnu[3]", "{1, 0.5, nan}"},
      {"s64[]", "-9223372036854775808"},
      {"u64[]", "18446744073709551615"},
      {"u4[2]", "{15, 0}"},
      {"pred[3]", "{true, false, true}"},
      {"c64[2]", "{(1, -2.5), (nan, inf)}"},
      {"s8[2,1,2]", "{ { {1, 2} }, { {3, 4} } }"},
      {"(s8[], (f32[2], pred[]), ())", "(1, ({1, 2}, true), ())"},
      {"f32[0]", "{}"},
      {"f32[3,0,4]", "{}"},
      {"()", "()"},
  };
  for (auto [Shape, Text] : Cases) {
    HloLiteral L = literal(Shape, Text);
    EXPECT_EQ(L.str(), Text) << Shape;
    EXPECT_EQ(literal(Shape, L.str()), L);
  }
}

TEST(HloLiteral, OtherSpellings) {
  EXPECT_EQ(literal("s8[2,2]", "{ /*i0=0*/ {1,2}, // one\n {3,4} }").str(),
            "{ {1, 2}, {3, 4} }");
  EXPECT_EQ(literal("pred[3]", "{1, 0, true}").str(), "{true, false, true}");
  EXPECT_EQ(literal("f32[2]", "{1e3, +.5}").str(), "{1000, 0.5}");
  EXPECT_EQ(literal("f32[]", "0x1.8p1").str(), "3");
  EXPECT_EQ(literal("c64[]", "3").str(), "(3, 0)");
  EXPECT_EQ(literal("f32[2,0]", "{{}, {}}").str(), "{}");
}

/// Every bit pattern of the small types is printed and parsed back, and goes
/// through a double unless it is a NaN with a payload.
TEST(HloLiteral, AllSmallElements) {
  for (const char *Type : {"pred", "s4", "u4", "s8", "u8", "f8e3m4", "f8e4m3",
                           "f8e4m3fn", "f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2",
                           "f8e5m2fnuz", "f8e8m0fnu", "f16", "bf16"}) {
    ElementType T = *elementTypeNamed(Type);
    unsigned Step = bitWidth(T) == 16 ? 7 : 1; // is prime to 2^16
    for (unsigned I = 0; I < (1u << bitWidth(T)); I += Step) {
      HloLiteral L(HloShape::scalar(T));
      L.setBitsAtOffset(0, APInt(bitWidth(T), I));
      EXPECT_EQ(bits(Type, L.str()), I) << Type << " " << L.str();
      HloElement E = L.atOffset(0);
      if (!std::isnan(E.real())) {
        EXPECT_EQ(E.bits(), I) << Type << " " << L.str();
      }
    }
  }
}

TEST(HloLiteral, FloatBits) {
  EXPECT_EQ(bits("f32", "1"), 0x3f800000u);
  EXPECT_EQ(bits("f64", "-2"), 0xc000000000000000u);
  EXPECT_EQ(bits("f16", "65504"), 0x7bffu);
  EXPECT_EQ(bits("bf16", "1.00390625"), 0x3f80u); // a tie, to even
  EXPECT_EQ(bits("bf16", "1.01171875"), 0x3f82u); // a tie, to even
  EXPECT_EQ(bits("f8e4m3fn", "448"), 0x7eu);
  EXPECT_EQ(bits("f8e8m0fnu", "2"), 0x80u);
  EXPECT_EQ(bits("f32", "nan"), 0x7fc00000u);
  // A single rounding: by way of a float, this would be a tie.
  EXPECT_EQ(bits("f16", "1.00048828125000001"), 0x3c01u);
}

TEST(HloLiteral, RoundingOfElements) {
  auto Rounded = [](ElementType Type, double Value) {
    return HloElement::number(Type, Value).real();
  };
  EXPECT_EQ(Rounded(ElementType::F16, 65519), 65504);
  EXPECT_EQ(Rounded(ElementType::F16, 65520), INFINITY);
  EXPECT_EQ(Rounded(ElementType::F8E4M3FN, 464), 448);
  EXPECT_TRUE(std::isnan(Rounded(ElementType::F8E4M3FN, 1000)));
  EXPECT_EQ(Rounded(ElementType::F8E5M2, 1e9), INFINITY);
  EXPECT_TRUE(std::isnan(Rounded(ElementType::F8E8M0FNU, -1)));
  for (ElementType Type : {ElementType::F8E4M3FN, ElementType::F8E4M3B11FNUZ,
                           ElementType::F8E4M3FNUZ, ElementType::F8E5M2FNUZ,
                           ElementType::F8E8M0FNU}) {
    EXPECT_TRUE(std::isnan(Rounded(Type, INFINITY))) << nameOf(Type).str();
    EXPECT_TRUE(std::isnan(Rounded(Type, NAN))) << nameOf(Type).str();
    EXPECT_TRUE(std::isnan(Rounded(Type, -NAN))) << nameOf(Type).str();
  }
  EXPECT_EQ(Rounded(ElementType::F8E8M0FNU, 0), std::ldexp(1, -127));
  EXPECT_EQ(Rounded(ElementType::F8E8M0FNU, 3.1), 4);
  EXPECT_EQ(Rounded(ElementType::BF16, 257), 256);
  EXPECT_EQ(Rounded(ElementType::F32, 16777217), 16777216);
}

TEST(HloLiteral, Errors) {
  const std::tuple<const char *, const char *, const char *> Cases[] = {
      {"s8[]", "128",
       "t:1:1: error: 128 does not fit s8, which goes from -128 to 127"},
      {"u8[]", "-1",
       "t:1:1: error: -1 does not fit u8, which goes from 0 to 255"},
      {"u64[]", "18446744073709551616",
       "t:1:1: error: 18446744073709551616 does not fit u64, which goes from 0 "
       "to 18446744073709551615"},
      {"s32[]", "1.5",
       "t:1:1: error: '1.5' is not an integer of type s32, which goes from "
       "-2147483648 to 2147483647"},
      {"s32[]", "x",
       "t:1:1: error: expected an element of type s32, found 'x'"},
      {"pred[]", "2",
       "t:1:1: error: 2 does not fit pred, which goes from 0 to 1"},
      {"f32[]", "1e39", "t:1:1: error: 1e39 does not fit f32"},
      {"f8e4m3fn[]", "inf",
       "t:1:1: error: f8e4m3fn has no infinity; the largest number is 448"},
      {"f8e8m0fnu[]", "0", "t:1:1: error: 0 does not fit f8e8m0fnu"},
      {"f8e8m0fnu[]", "-1", "t:1:1: error: -1 does not fit f8e8m0fnu"},
      {"f32[2]", "{1}",
       "t:1:3: error: expected ',' between the 2 elements of dimension 0, "
       "found '}'"},
      {"f32[2]", "{1, 2, 3}",
       "t:1:6: error: expected '}' behind the 2 elements of dimension 0, found "
       "','"},
      {"f32[2,2]", "{1, 2}",
       "t:1:2: error: expected '{' before the elements of dimension 1 of "
       "f32[2,2], found '1'"},
      {"f32[1000000000000]", "{1}",
       "t:1:3: error: expected ',' between the 1000000000000 elements of "
       "dimension 0, found '}'"},
      {"(f32[], f32[])", "(1)",
       "t:1:3: error: expected ',' between the elements of a tuple, found ')'"},
      {"(f32[])", "(1, 2)",
       "t:1:3: error: expected ')' behind a tuple of 1, found ','"},
      {"f32[]", "1 2",
       "t:1:3: error: expected the end of the literal, found '2'"},
      {"f32[]", "",
       "t:1:1: error: expected an element of type f32, found the "
       "end of the text"},
      {"c64[]", "(1)",
       "t:1:3: error: expected ',' and the imaginary part, found ')'"},
      {"f8e4m3fn[]", "nan(0x1)",
       "t:1:5: error: NaNs of type f8e4m3fn have no payload; write 'nan'"},
      {"f32[]", "nan(0x800000)",
       "t:1:5: error: the payload of a NaN has to be a number of 23 bits"},
  };
  for (auto [Shape, Text, Message] : Cases)
    EXPECT_EQ(errorOf(Shape, Text), Message) << Shape << " " << Text;
}

} // namespace
