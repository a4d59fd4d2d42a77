//===- ElementEmitterTest.cpp - Every operation on every type -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/EmitterTestHelper.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>
#include <random>

using namespace llvm;
using namespace unravel;

namespace {

constexpr ElementType AllTypes[] = {
#define HLO_TYPE(Enum, Name, Bits, Kind) ElementType::Enum,
#include "frontend/hlo/HloElementTypes.def"
};

/// 16 values at which operations like to be wrong. Complex numbers are finite:
/// what is left of infinities depends on the formula.
std::vector<HloElement> specialValues(ElementType T) {
  std::vector<HloElement> Values;
  if (isComplex(T)) {
    for (int K = 0; K < 16; ++K)
      Values.push_back(
          HloElement::number(T, {(K % 4 - 1.5) * 2, K / 4 - 1.25}));
  } else if (isFloat(T)) {
    double Infinity = std::numeric_limits<double>::infinity();
    for (double V : {0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.5, 3.0, 1e-3, -1e-40,
                     Infinity, -Infinity, 0.0 / 0.0 * 1.0, 100.0, 1e30, -7.75})
      Values.push_back(HloElement::number(T, V));
    Values[12] =
        HloElement::number(T, std::numeric_limits<double>::quiet_NaN());
  } else {
    unsigned Width = bitWidth(T);
    APInt Least = APInt::getSignedMinValue(Width), One(Width, 1);
    for (int64_t V : {0, 1, 2, 3, 5, 7, -1, -2, -3, 31, 32, 64})
      Values.push_back(HloElement::integer(T, V));
    for (const APInt &V : {Least, ~Least, Least + One, Least.lshr(1)})
      Values.push_back(HloElement::integer(T, V));
  }
  return Values;
}

/// a and b hold all pairs of special values, c all bits or random ones.
std::vector<HloLiteral> inputs(ElementType T) {
  HloShape Shape = cantFail(HloShape::array(T, {256}));
  HloLiteral A(Shape), B(Shape), C(Shape);
  std::vector<HloElement> Special = specialValues(T);
  std::mt19937_64 Engine(7);
  unsigned Width = bitWidth(T);
  for (int64_t K = 0; K < 256; ++K) {
    A.setAtOffset(K, Special[K / 16]);
    B.setAtOffset(K, Special[K % 16]);
    uint64_t Random = Width <= 8 ? K : Engine();
    C.setAtOffset(K, isComplex(T) ? Special[K % 16]
                                  : HloElement::fromBits(
                                        T, APInt(64, Random).trunc(Width)));
  }
  return {A, B, C};
}

/// A module with all of \p Operations that the verifier lets pass.
std::string moduleOf(ElementType T, ArrayRef<std::string> Operations) {
  std::string Parameters;
  for (auto [K, Name] : enumerate(StringRef("abc")))
    Parameters +=
        formatv("  {0} = {1}[256] parameter({2})\n", Name, nameOf(T), K);
  std::string Body, Names, Shapes;
  unsigned Count = 0;
  for (const std::string &Operation : Operations) {
    std::string Name = "r" + std::to_string(Count);
    std::string Line = formatv("{0} = {1}\n", Name, Operation);
    std::string Single = "ENTRY e {\n" + Parameters + "  ROOT " + Line + "}";
    std::vector<std::string> Warnings;
    auto Module = parseHlo(Single, "t", Warnings);
    if (!Module) {
      ADD_FAILURE() << toString(Module.takeError());
      continue;
    }
    if (Error E = verifyHlo(**Module)) { // what is not defined
      std::string Message = toString(std::move(E));
      EXPECT_TRUE(isComplex(T) ||
                  StringRef(Message).contains("is not defined") ||
                  StringRef(Message).contains("no infinity"))
          << Message;
      continue;
    }
    std::string Separator = Count++ ? ", " : "";
    Body += "  " + Line;
    Names += Separator + Name;
    Shapes += Separator + (*Module)->entry().root().shape().str(false);
  }
  return "ENTRY e {\n" + Parameters + Body + "  ROOT t = (" + Shapes +
         ") tuple(" + Names + ")\n}";
}

class ElementEmitterTest : public testing::TestWithParam<ElementType> {};

TEST_P(ElementEmitterTest, OneOperand) {
  ElementType T = GetParam();
  StringRef Own = nameOf(T);
  std::vector<std::string> Operations;
  for (StringRef Operand : {"a", "c"}) {
#define HLO_OP(Enum, Name, Operands, Class)                                    \
  if (HloOpClass::Class == HloOpClass::ElementwiseUnary) {                     \
    StringRef Result = Own;                                                    \
    if (HloOpcode::Enum == HloOpcode::IsFinite)                                \
      Result = "pred";                                                         \
    else if (isComplex(T) && (HloOpcode::Enum == HloOpcode::Abs ||             \
                              HloOpcode::Enum == HloOpcode::Real ||            \
                              HloOpcode::Enum == HloOpcode::Imag))             \
      Result = nameOf(componentOf(T));                                         \
    std::string Attributes = HloOpcode::Enum == HloOpcode::ReducePrecision     \
                                 ? ", exponent_bits=3, mantissa_bits=1"        \
                                 : "";                                         \
    Operations.push_back(                                                      \
        formatv("{0}[256] {1}({2}){3}", Result, Name, Operand, Attributes));   \
  }
#include "frontend/hlo/HloOpcodes.def"
  }
  EXPECT_EQ(differenceOf(moduleOf(T, Operations), inputs(T)), "");
}

TEST_P(ElementEmitterTest, Conversions) {
  ElementType T = GetParam();
  std::vector<std::string> Operations;
  for (StringRef Operand : {"a", "c"})
    for (ElementType To : AllTypes) {
      Operations.push_back(
          formatv("{0}[256] convert({1})", nameOf(To), Operand));
      if (bitWidth(To) == bitWidth(T) && isPred(To) == isPred(T) &&
          isComplex(To) == isComplex(T))
        Operations.push_back(
            formatv("{0}[256] bitcast-convert({1})", nameOf(To), Operand));
    }
  EXPECT_EQ(differenceOf(moduleOf(T, Operations), inputs(T)), "");
}

TEST_P(ElementEmitterTest, SeveralOperands) {
  ElementType T = GetParam();
  StringRef Own = nameOf(T);
  std::vector<std::string> Operations;
#define HLO_OP(Enum, Name, Operands, Class)                                    \
  if (HloOpClass::Class == HloOpClass::ElementwiseBinary &&                    \
      HloOpcode::Enum != HloOpcode::Compare &&                                 \
      HloOpcode::Enum != HloOpcode::Complex)                                   \
    Operations.push_back(formatv("{0}[256] {1}(a, b)", Own, Name));
#include "frontend/hlo/HloOpcodes.def"
  if (T == ElementType::F32 || T == ElementType::F64)
    Operations.push_back(formatv("{0}[256] complex(a, b)",
                                 T == ElementType::F32 ? "c64" : "c128"));
  for (StringRef Direction : {"EQ", "NE", "GE", "GT", "LE", "LT"}) {
    Operations.push_back(
        formatv("pred[256] compare(a, b), direction={0}", Direction));
    if (isFloat(T))
      Operations.push_back(
          formatv("pred[256] compare(a, b), direction={0}, type=TOTALORDER",
                  Direction));
  }
  if (!isComplex(T))
    Operations.push_back(formatv("{0}[256] clamp(a, c, b)", Own));
  if (isPred(T))
    Operations.push_back("pred[256] select(a, b, c)");
  EXPECT_EQ(differenceOf(moduleOf(T, Operations), inputs(T)), "");
}

INSTANTIATE_TEST_SUITE_P(AllTypes, ElementEmitterTest,
                         testing::ValuesIn(AllTypes), [](const auto &Info) {
                           return nameOf(Info.param).str();
                         });

/// Products and sums in the type of the result.
TEST(ElementEmitter, DotOfMixedTypes) {
  for (StringRef Types :
       {"s32 s8 u8", "s64 s4 u4", "u8 u8 u8", "f32 f8e5m2 f16",
        "bf16 bf16 bf16", "c64 c64 c64", "pred pred pred"}) {
    auto [Result, Operands] = Types.split(' ');
    auto [Lhs, Rhs] = Operands.split(' ');
    EXPECT_EQ(
        differenceOf(
            formatv("l = {0}[3,7] parameter(0)\nr = {1}[7,5] parameter(1)\n"
                    "d = {2}[3,5] dot(l, r), lhs_contracting_dims={{1}, "
                    "rhs_contracting_dims={{0}",
                    Lhs, Rhs, Result)
                .str()),
        "")
        << Types.str();
  }
}

} // namespace
