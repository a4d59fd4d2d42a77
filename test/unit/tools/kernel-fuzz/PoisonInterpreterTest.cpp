//===- PoisonInterpreterTest.cpp - The interpreter of kernel-fuzz ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation on all pairs of bytes against APInt, with and without flags;
// then what is particular about poison, undefined behavior, memory and calls.
//
//===----------------------------------------------------------------------===//

#include "test/unit/tools/kernel-fuzz/InterpretedFunction.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace unravel;

namespace {

/// The result, or nothing for poison.
using Expected = std::optional<APInt>;

void testAllBytes(
    const std::string &Operation,
    function_ref<Expected(const APInt &, const APInt &)> Compute) {
  InterpretedFunction P("define i8 @f(i8 %a, i8 %b) {\n %r = " + Operation +
                        " i8 %a, %b\n ret i8 %r\n}");
  ASSERT_TRUE(P.Program) << P.Why;
  for (unsigned A = 0; A < 256; ++A)
    for (unsigned B = 0; B < 256; ++B) {
      Expected E = Compute(APInt(8, A), APInt(8, B));
      std::optional<Scalar> R = P.result({word(A), word(B)});
      ASSERT_TRUE(R) << Operation << ' ' << A << ' ' << B;
      ASSERT_EQ(R->IsPoison, !E) << Operation << ' ' << A << ' ' << B;
      if (E) {
        ASSERT_EQ(R->Bits, E->getZExtValue())
            << Operation << ' ' << A << ' ' << B;
      }
    }
}

Expected unless(bool Poison, const APInt &Value) {
  return Poison ? Expected() : Value;
}

} // namespace

TEST(PoisonInterpreterTest, LinearOperations) {
  bool Over = false;
  testAllBytes("add", [](auto &A, auto &B) { return A + B; });
  testAllBytes("sub", [](auto &A, auto &B) { return A - B; });
  testAllBytes("mul", [](auto &A, auto &B) { return A * B; });
  testAllBytes("add nsw", [&](auto &A, auto &B) {
    APInt R = A.sadd_ov(B, Over);
    return unless(Over, R);
  });
  testAllBytes("add nuw", [&](auto &A, auto &B) {
    APInt R = A.uadd_ov(B, Over);
    return unless(Over, R);
  });
  testAllBytes("sub nsw", [&](auto &A, auto &B) {
    APInt R = A.ssub_ov(B, Over);
    return unless(Over, R);
  });
  testAllBytes("sub nuw", [&](auto &A, auto &B) {
    APInt R = A.usub_ov(B, Over);
    return unless(Over, R);
  });
  testAllBytes("mul nsw", [&](auto &A, auto &B) {
    APInt R = A.smul_ov(B, Over);
    return unless(Over, R);
  });
  testAllBytes("mul nuw", [&](auto &A, auto &B) {
    APInt R = A.umul_ov(B, Over);
    return unless(Over, R);
  });
}

TEST(PoisonInterpreterTest, Shifts) {
  bool Over = false;
  testAllBytes("shl",
               [](auto &A, auto &B) { return unless(B.uge(8), A.shl(B)); });
  testAllBytes("shl nsw", [&](auto &A, auto &B) {
    APInt R = A.sshl_ov(B, Over);
    return unless(Over, R);
  });
  testAllBytes("shl nuw", [&](auto &A, auto &B) {
    APInt R = A.ushl_ov(B, Over);
    return unless(Over, R);
  });
  testAllBytes("lshr",
               [](auto &A, auto &B) { return unless(B.uge(8), A.lshr(B)); });
  testAllBytes("ashr exact", [](auto &A, auto &B) {
    return unless(B.uge(8) || A.countr_zero() < B.getLimitedValue(), A.ashr(B));
  });
}

TEST(PoisonInterpreterTest, BitOperations) {
  testAllBytes("and", [](auto &A, auto &B) { return A & B; });
  testAllBytes("xor", [](auto &A, auto &B) { return A ^ B; });
  testAllBytes("or disjoint",
               [](auto &A, auto &B) { return unless(A.intersects(B), A | B); });
}

TEST(PoisonInterpreterTest, Divisions) {
  struct {
    const char *Operation;
    APInt (*Compute)(const APInt &, const APInt &);
    bool IsSigned;
  } const Operations[] = {
      {"udiv", [](const APInt &A, const APInt &B) { return A.udiv(B); }, false},
      {"urem", [](const APInt &A, const APInt &B) { return A.urem(B); }, false},
      {"sdiv", [](const APInt &A, const APInt &B) { return A.sdiv(B); }, true},
      {"srem", [](const APInt &A, const APInt &B) { return A.srem(B); }, true}};
  for (const auto &[Operation, Compute, IsSigned] : Operations) {
    InterpretedFunction P(std::string("define i8 @f(i8 %a, i8 %b) {\n %r = ") +
                          Operation + " i8 %a, %b\n ret i8 %r\n}");
    for (unsigned A = 0; A < 256; ++A)
      for (unsigned B = 0; B < 256; ++B) {
        std::optional<Scalar> R = P.result({word(A), word(B)});
        bool IsUndefined = B == 0 || (IsSigned && A == 128 && B == 255);
        ASSERT_EQ(!R, IsUndefined) << Operation << ' ' << A << ' ' << B;
        if (R) {
          ASSERT_EQ(R->Bits, Compute(APInt(8, A), APInt(8, B)).getZExtValue())
              << Operation << ' ' << A << ' ' << B;
        }
      }
    EXPECT_EQ(P.run({word(1), Scalar::poison()}).Status, UB);
    for (unsigned B : {1, 127, 128, 254})
      EXPECT_TRUE(P.result({Scalar::poison(), word(B)})->IsPoison);
    // Poison may be -128.
    EXPECT_EQ(P.run({Scalar::poison(), word(255)}).Status == UB, IsSigned);
  }
}

TEST(PoisonInterpreterTest, Casts) {
  InterpretedFunction Z("define i16 @f(i8 %a) {\n %r = zext nneg i8 %a to i16\n"
                        " ret i16 %r\n}");
  InterpretedFunction S("define i16 @f(i8 %a) {\n %r = sext i8 %a to i16\n"
                        " ret i16 %r\n}");
  InterpretedFunction T("define i4 @f(i8 %a) {\n %r = trunc nsw i8 %a to i4\n"
                        " ret i4 %r\n}");
  InterpretedFunction U("define i4 @f(i8 %a) {\n %r = trunc nuw i8 %a to i4\n"
                        " ret i4 %r\n}");
  for (int A = -128; A < 128; ++A) {
    uint64_t Bits = uint8_t(A);
    EXPECT_EQ(Z.result({word(Bits)})->IsPoison, A < 0);
    EXPECT_EQ(S.result({word(Bits)})->Bits, uint16_t(A));
    EXPECT_EQ(T.result({word(Bits)})->IsPoison, A < -8 || A > 7);
    EXPECT_EQ(U.result({word(Bits)})->IsPoison, Bits > 15);
  }
}

TEST(PoisonInterpreterTest, PoisonOnlyWhereItIsChosen) {
  InterpretedFunction P("define i8 @f(i1 %c, i8 %a, i8 %b) {\n"
                        " %r = select i1 %c, i8 %a, i8 %b\n ret i8 %r\n}");
  Scalar Poison = Scalar::poison();
  EXPECT_EQ(P.result({word(1), word(5), Poison})->Bits, 5u);
  EXPECT_TRUE(P.result({word(0), word(5), Poison})->IsPoison);
  EXPECT_TRUE(P.result({Poison, word(5), word(5)})->IsPoison);
}

TEST(PoisonInterpreterTest, FreezeMakesOneValueOfPoison) {
  InterpretedFunction P("define i8 @f(i8 %a) {\n %x = freeze i8 %a\n"
                        " %r = xor i8 %x, %x\n ret i8 %r\n}");
  EXPECT_EQ(P.result({Scalar::poison()})->Bits, 0u);
  EXPECT_FALSE(P.result({Scalar::poison()})->IsPoison);
  EXPECT_EQ(P.run({Scalar::poison()}).Frozen.size(), 1u);
  EXPECT_TRUE(P.run({word(3)}).Frozen.empty());
}

TEST(PoisonInterpreterTest, UndefinedBehavior) {
  const char *Bodies[] = {
      "br i1 %c, label %a, label %a\na:\n ret void",
      "switch i1 %c, label %a []\na:\n ret void",
      "call void @llvm.assume(i1 %c)\n ret void",
      "%p = select i1 %c, ptr null, ptr null\n store i8 0, ptr %p\n ret void",
      "%p = select i1 %c, ptr null, ptr null\n %v = load i8, ptr %p\n"
      " ret void"};
  for (const char *Body : Bodies) {
    InterpretedFunction P(std::string("declare void @llvm.assume(i1)\n"
                                      "define void @f(i1 %c) {\n ") +
                          Body + "\n}");
    ASSERT_TRUE(P.Program) << P.Why;
    EXPECT_EQ(P.run({Scalar::poison()}).Status, UB) << Body;
    EXPECT_EQ(P.run({word(1)}).Status, RunStatus::Done) << Body;
  }
}

TEST(PoisonInterpreterTest, PhisTakeTheirValuesAtTheSameTime) {
  InterpretedFunction P(R"(
define i32 @f(i32 %n) {
entry:
  br label %head
head:
  %a = phi i32 [ 1, %entry ], [ %b, %head ]
  %b = phi i32 [ 2, %entry ], [ %a, %head ]
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %head, label %exit
exit:
  %r = shl i32 %a, 4
  %s = add i32 %r, %b
  ret i32 %s
})");
  EXPECT_EQ(P.result({word(1)})->Bits, 0x12u);
  EXPECT_EQ(P.result({word(2)})->Bits, 0x21u);
  EXPECT_EQ(P.run({word(100000)}).Status, RunStatus::OutOfSteps);
}

TEST(PoisonInterpreterTest, AddressesAndMemory) {
  InterpretedFunction P(R"(
define i16 @f(ptr %p, i64 %i) {
  %q = getelementptr { i32, [3 x i16] }, ptr %p, i64 %i, i32 1, i64 2
  store i32 305419896, ptr %q, align 1
  %at = getelementptr i8, ptr %q, i64 1
  %r = load i16, ptr %at, align 1
  ret i16 %r
})");
  RunResult R = P.run({Scalar(), word(UINT64_MAX)});
  ASSERT_EQ(R.Events.size(), 2u);
  EXPECT_EQ(R.Events[0].Address, 0x10000u - 12 + 4 + 4);
  EXPECT_EQ(R.Events[1].Value, 0x3456u);
  EXPECT_EQ(R.Memory.written().size(), 4u);
}

TEST(PoisonInterpreterTest, FlagsOfAddresses) {
  auto IsPoison = [](const char *Flags, uint64_t Index) {
    InterpretedFunction P(std::string("define ptr @f(ptr %p, i64 %i) {\n"
                                      " %q = getelementptr ") +
                          Flags + " i32, ptr %p, i64 %i\n ret ptr %q\n}");
    return P.result({Scalar(), word(Index)})->IsPoison;
  };
  // The object has 64 bytes.
  EXPECT_FALSE(IsPoison("inbounds", 16));
  EXPECT_TRUE(IsPoison("inbounds", 17));
  EXPECT_TRUE(IsPoison("inbounds", UINT64_MAX));
  EXPECT_FALSE(IsPoison("nusw", UINT64_MAX));
  EXPECT_TRUE(IsPoison("nusw", uint64_t(1) << 62));
  EXPECT_TRUE(IsPoison("nuw", UINT64_MAX));
  EXPECT_FALSE(IsPoison("", uint64_t(1) << 62));
}

TEST(PoisonInterpreterTest, Calls) {
  InterpretedFunction P(R"(
declare void @observe(i32) willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define internal i32 @twice(i32 noundef %x) {
  %r = shl i32 %x, 1
  ret i32 %r
}
define i32 @f(i32 %x) {
  call void @observe(i32 %x)
  %t = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @twice(i32 noundef %x)
  ret i32 %r
})");
  ASSERT_TRUE(P.Program) << P.Why;
  RunResult R = P.run({word(21)});
  ASSERT_EQ(R.Events.size(), 2u);
  EXPECT_EQ(R.Events[0].What, Event::Argument);
  EXPECT_EQ(R.Events[0].Value, 21u);
  EXPECT_EQ(R.Events[1].Value, 42u);
  EXPECT_EQ(P.run({Scalar::poison()}).Status, UB);
}

TEST(PoisonInterpreterTest, RangesOfResults) {
  auto StatusOf = [](const char *Range) {
    InterpretedFunction P(
        std::string("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                    "define i32 @f() {\n %r = call range(") +
        Range + ") i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n ret i32 %r\n}");
    return P.run({}).Status;
  };
  // The register is 7. Its declaration says noundef by itself.
  EXPECT_EQ(StatusOf("i32 0, 8"), RunStatus::Done);
  EXPECT_EQ(StatusOf("i32 0, 7"), UB);
  InterpretedFunction P(
      "declare i32 @llvm.umin.i32(i32, i32)\n"
      "define i32 @f(i32 %x) {\n"
      " %r = call range(i32 0, 4) i32 @llvm.umin.i32(i32 %x, i32 9)\n"
      " ret i32 %r\n}");
  EXPECT_EQ(P.result({word(3)})->Bits, 3u);
  EXPECT_TRUE(P.result({word(4)})->IsPoison);
}

TEST(PoisonInterpreterTest, StepsOfReciprocals) {
  auto Call = [](const std::string &Result, const char *Name,
                 const std::string &Operand, uint64_t X) {
    // Floats as their bits.
    InterpretedFunction P(
        "declare " + Result + " @llvm." + Name + "(" + Operand +
        ")\ndefine i32 @f(i32 %x) {\n %a = bitcast i32 %x to " + Operand +
        "\n %r = call " + Result + " @llvm." + Name + "(" + Operand +
        " %a)\n %b = bitcast " + Result + " %r to i32\n ret i32 %b\n}");
    EXPECT_TRUE(P.result({Scalar::poison()})->IsPoison);
    return P.result({word(X)})->Bits;
  };
  auto Bits = [](float F) { return uint64_t(bit_cast<uint32_t>(F)); };
  auto ToFloat = [&](uint64_t X) {
    return Call("float", "nvvm.ui2f.rp", "i32", X);
  };
  EXPECT_EQ(ToFloat(3), Bits(3));
  EXPECT_EQ(ToFloat(16777217), Bits(16777218));
  EXPECT_EQ(ToFloat(4294967295), Bits(4294967296.0f));
  auto ToInteger = [&](float F) {
    return Call("i32", "nvvm.f2ui.rz", "float", Bits(F));
  };
  EXPECT_EQ(ToInteger(2.75f), 2u);
  EXPECT_EQ(ToInteger(-1), 0u);
  EXPECT_EQ(ToInteger(NAN), 0u);
  EXPECT_EQ(ToInteger(4294967296.0f), 4294967295u);
  auto Inverse = [&](float F) {
    return Call("float", "nvvm.rcp.approx.ftz.f", "float", Bits(F));
  };
  EXPECT_EQ(Inverse(4), Bits(0.25f));
  EXPECT_EQ(Inverse(0), Bits(INFINITY));
  EXPECT_EQ(Inverse(std::numeric_limits<float>::denorm_min()), Bits(INFINITY));
  EXPECT_EQ(Inverse(std::numeric_limits<float>::max()), Bits(0));
  // One is an odd number of units, the other an even one.
  float Odd = bit_cast<float>(uint32_t(Bits(3) + 1)), Even = 3;
  EXPECT_EQ(Inverse(Even), Bits(std::nextafter(1 / 3.0f, 0.0f)));
  EXPECT_GE(double(bit_cast<float>(uint32_t(Inverse(Odd)))) * double(Odd), 1);
}

TEST(PoisonInterpreterTest, UnknownCodeIsRefused) {
  EXPECT_EQ(
      InterpretedFunction("define i128 @f(i128 %x) {\n ret i128 %x\n}").Why,
      "a value of type i128");
  EXPECT_EQ(
      InterpretedFunction("define void @f(<2 x i32> %x) {\n ret void\n}").Why,
      "an argument that is a vector");
  EXPECT_EQ(InterpretedFunction("@g = constant i32 5\n"
                                "define i32 @f() {\n %v = load i32, ptr @g\n"
                                " ret i32 %v\n}")
                .Why,
            "initialised global variable");
}
