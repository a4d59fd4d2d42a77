//===- VectorInterpreterTest.cpp - Vectors in kernel-fuzz's interpreter ---===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What acts on each lane is compared with the scalar operation, lane by lane,
// which PoisonInterpreterTest compares with APInt. The rest is what is
// particular about lanes.
//
//===----------------------------------------------------------------------===//

#include "test/unit/tools/kernel-fuzz/InterpretedFunction.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace unravel;

namespace {

const Scalar Poison = Scalar::poison();

/// <2 x i8> v = (a, b) and w = (c, d), then \p Body, which ends by returning.
std::string pairs(const std::string &Type, const std::string &Body) {
  return "define " + Type +
         " @f(i8 %a, i8 %b, i8 %c, i8 %d) {\n"
         " %v0 = insertelement <2 x i8> poison, i8 %a, i32 0\n"
         " %v = insertelement <2 x i8> %v0, i8 %b, i32 1\n"
         " %w0 = insertelement <2 x i8> poison, i8 %c, i32 0\n"
         " %w = insertelement <2 x i8> %w0, i8 %d, i32 1\n" +
         Body + "\n}\n";
}

std::string lane(const std::string &Operation, unsigned Lane,
                 const std::string &Vector = "<2 x i8>",
                 const std::string &Type = "i8") {
  return pairs(Type, " %r = " + Operation + "\n %e = extractelement " + Vector +
                         " %r, i32 " + std::to_string(Lane) + "\n ret " + Type +
                         " %e");
}

bool isSame(const Scalar &A, const Scalar &B) {
  return A.IsPoison == B.IsPoison && (A.IsPoison || A.Bits == B.Bits);
}

} // namespace

TEST(VectorInterpreterTest, LaneByLane) {
  struct {
    const char *Vector, *OfLanes, *Scalar, *Type;
  } const Operations[] = {
      {"add nsw <2 x i8> %v, %w", "<2 x i8>", "add nsw i8 %a, %b", "i8"},
      {"mul nuw <2 x i8> %v, %w", "<2 x i8>", "mul nuw i8 %a, %b", "i8"},
      {"shl nsw <2 x i8> %v, %w", "<2 x i8>", "shl nsw i8 %a, %b", "i8"},
      {"or disjoint <2 x i8> %v, %w", "<2 x i8>", "or disjoint i8 %a, %b",
       "i8"},
      {"icmp samesign ult <2 x i8> %v, %w", "<2 x i1>",
       "icmp samesign ult i8 %a, %b", "i1"},
      {"zext nneg <2 x i8> %v to <2 x i16>", "<2 x i16>",
       "zext nneg i8 %a to i16", "i16"},
      {"sext <2 x i8> %v to <2 x i16>", "<2 x i16>", "sext i8 %a to i16",
       "i16"},
      {"trunc nuw <2 x i8> %v to <2 x i4>", "<2 x i4>", "trunc nuw i8 %a to i4",
       "i4"},
      {"call <2 x i8> @llvm.smax.v2i8(<2 x i8> %v, <2 x i8> %w)", "<2 x i8>",
       "call i8 @llvm.smax.i8(i8 %a, i8 %b)", "i8"},
      {"call <2 x i8> @llvm.abs.v2i8(<2 x i8> %v, i1 true)", "<2 x i8>",
       "call i8 @llvm.abs.i8(i8 %a, i1 true)", "i8"},
      {"call range(i8 0, 3) <2 x i8> @llvm.ctpop.v2i8(<2 x i8> %v)", "<2 x i8>",
       "call range(i8 0, 3) i8 @llvm.ctpop.i8(i8 %a)", "i8"}};
  std::vector<Scalar> Values{Poison};
  for (unsigned Bits : {0, 1, 2, 7, 8, 15, 16, 100, 127, 128, 129, 255})
    Values.push_back(word(Bits));
  for (const auto &O : Operations) {
    InterpretedFunction Lanes[] = {
        InterpretedFunction(lane(O.Vector, 0, O.OfLanes, O.Type)),
        InterpretedFunction(lane(O.Vector, 1, O.OfLanes, O.Type))};
    InterpretedFunction Single(std::string("define ") + O.Type +
                               " @f(i8 %a, i8 %b) {\n %r = " + O.Scalar +
                               "\n ret " + O.Type + " %r\n}");
    ASSERT_TRUE(Lanes[0].Program && Single.Program) << O.Vector;
    for (const Scalar &A : Values)
      for (const Scalar &B : Values) {
        // The other lane is poison now and then.
        Scalar Other = A.IsPoison ? word(5) : Poison;
        Scalar Wanted = *Single.result({A, B});
        EXPECT_TRUE(isSame(*Lanes[0].result({A, Other, B, word(3)}), Wanted))
            << O.Vector << ' ' << A.Bits << ' ' << B.Bits;
        EXPECT_TRUE(isSame(*Lanes[1].result({Other, A, word(3), B}), Wanted))
            << O.Vector << ' ' << A.Bits << ' ' << B.Bits;
      }
  }
}

TEST(VectorInterpreterTest, DivisionIsUndefinedIfOneLaneIs) {
  InterpretedFunction P(lane("udiv <2 x i8> %v, %w", 0));
  EXPECT_EQ(P.result({word(9), word(8), word(2), word(1)})->Bits, 4u);
  EXPECT_EQ(P.run({word(9), word(8), word(2), word(0)}).Status, UB);
  EXPECT_EQ(P.run({word(9), word(8), word(2), Poison}).Status, UB);
  EXPECT_EQ(P.result({word(9), Poison, word(2), word(1)})->Bits, 4u);
}

TEST(VectorInterpreterTest, IndicesOfLanes) {
  InterpretedFunction Extract(
      pairs("i8", " %e = extractelement <2 x i8> %v, i8 %c\n ret i8 %e"));
  auto Extracted = [&](Scalar Index) {
    return *Extract.result({word(10), word(11), Index, word(0)});
  };
  EXPECT_EQ(Extracted(word(0)).Bits, 10u);
  EXPECT_EQ(Extracted(word(1)).Bits, 11u);
  EXPECT_TRUE(Extracted(word(2)).IsPoison);
  EXPECT_TRUE(Extracted(word(255)).IsPoison); // unsigned
  EXPECT_TRUE(Extracted(Poison).IsPoison);
  for (unsigned Lane : {0, 1}) {
    InterpretedFunction Insert(
        lane("insertelement <2 x i8> %v, i8 %d, i8 %c", Lane));
    auto Inserted = [&](Scalar Index) {
      return *Insert.result({word(10), word(11), Index, word(77)});
    };
    EXPECT_EQ(Inserted(word(Lane)).Bits, 77u);
    EXPECT_EQ(Inserted(word(1 - Lane)).Bits, 10 + Lane);
    EXPECT_TRUE(Inserted(word(2)).IsPoison);
    EXPECT_TRUE(Inserted(Poison).IsPoison);
  }
}

TEST(VectorInterpreterTest, Shuffles) {
  const char *Shuffle = "shufflevector <2 x i8> %v, <2 x i8> %w, <5 x i32> "
                        "<i32 3, i32 poison, i32 0, i32 2, i32 1>";
  std::optional<unsigned> Wanted[] = {13, std::nullopt, 10, 12, 11};
  for (unsigned Lane = 0; Lane < 5; ++Lane) {
    InterpretedFunction P(lane(Shuffle, Lane, "<5 x i8>"));
    Scalar R = *P.result({word(10), word(11), word(12), word(13)});
    EXPECT_EQ(R.IsPoison, !Wanted[Lane]) << Lane;
    if (Wanted[Lane]) {
      EXPECT_EQ(R.Bits, *Wanted[Lane]) << Lane;
    }
  }
}

TEST(VectorInterpreterTest, SelectsByLaneOrAsAWhole) {
  InterpretedFunction ByLane(lane(
      "select <2 x i1> <i1 poison, i1 false>, <2 x i8> %v, <2 x i8> %w", 1)),
      First(lane(
          "select <2 x i1> <i1 poison, i1 false>, <2 x i8> %v, <2 x i8> %w",
          0));
  std::vector<Scalar> Arguments{word(10), Poison, word(12), word(13)};
  EXPECT_EQ(ByLane.result(Arguments)->Bits, 13u);
  EXPECT_TRUE(First.result(Arguments)->IsPoison);
  for (unsigned Lane : {0, 1}) {
    InterpretedFunction Whole(
        pairs("i8", " %t = icmp eq i8 %c, 12\n"
                    " %r = select i1 %t, <2 x i8> %v, <2 x i8> %w\n"
                    " %e = extractelement <2 x i8> %r, i32 " +
                        std::to_string(Lane) + "\n ret i8 %e"));
    EXPECT_EQ(Whole.result(Arguments)->IsPoison, Lane == 1);
    Arguments[2] = word(0);
    EXPECT_EQ(Whole.result(Arguments)->Bits, Lane ? 13u : 0u);
    Arguments[2] = Poison;
    EXPECT_TRUE(Whole.result(Arguments)->IsPoison);
    Arguments[2] = word(12);
  }
}

TEST(VectorInterpreterTest, FreezesEachLane) {
  InterpretedFunction P(pairs(
      "i8", " %f = freeze <2 x i8> %v\n %x = extractelement <2 x i8> %f, i8 0\n"
            " %y = extractelement <2 x i8> %f, i8 0\n"
            " %z = extractelement <2 x i8> %f, i8 1\n"
            " %s = sub i8 %x, %y\n %r = add i8 %s, %z\n ret i8 %r"));
  EXPECT_EQ(P.result({Poison, word(7), word(0), word(0)})->Bits, 7u);
  EXPECT_EQ(P.run({Poison, word(7), word(0), word(0)}).Frozen.size(), 1u);
  EXPECT_EQ(P.run({Poison, Poison, word(0), word(0)}).Frozen.size(), 2u);
}

TEST(VectorInterpreterTest, Reductions) {
  struct {
    const char *Name;
    unsigned Wanted;
  } const Reductions[] = {{"add", 29},   {"mul", 219}, {"and", 1},
                          {"or", 255},   {"xor", 227}, {"smin", 141},
                          {"smax", 115}, {"umin", 29}, {"umax", 141}};
  for (const auto &[Name, Wanted] : Reductions) {
    InterpretedFunction P(pairs(
        "i8", " %x = shufflevector <2 x i8> %v, <2 x i8> %w, <3 x i32> "
              "<i32 0, i32 1, i32 2>\n %r = call i8 @llvm.vector.reduce." +
                  std::string(Name) + ".v3i8(<3 x i8> %x)\n ret i8 %r"));
    // As signed numbers: 115, -115, 29.
    EXPECT_EQ(P.result({word(115), word(141), word(29), Poison})->Bits, Wanted)
        << Name;
    EXPECT_TRUE(P.result({word(1), word(2), Poison, word(3)})->IsPoison);
  }
}

TEST(VectorInterpreterTest, BitcastsCutTheBitsElsewhere) {
  InterpretedFunction Word(
      pairs("i16", " %r = bitcast <2 x i8> %v to i16\n ret i16 %r"));
  std::vector<Scalar> Arguments{word(0x12), word(0x34), word(0x56), Poison};
  EXPECT_EQ(Word.result(Arguments)->Bits, 0x3412u);
  const char *Two = " %x = shufflevector <2 x i8> %v, <2 x i8> %w, <4 x i32> "
                    "<i32 0, i32 1, i32 2, i32 3>\n"
                    " %y = bitcast <4 x i8> %x to <2 x i16>\n"
                    " %r = extractelement <2 x i16> %y, i32 ";
  EXPECT_EQ(
      InterpretedFunction(pairs("i16", Two + std::string("0\n ret i16 %r")))
          .result(Arguments)
          ->Bits,
      0x3412u);
  EXPECT_TRUE(
      InterpretedFunction(pairs("i16", Two + std::string("1\n ret i16 %r")))
          .result(Arguments)
          ->IsPoison);
  InterpretedFunction Bits(pairs("i2", " %t = icmp ult <2 x i8> %v, %w\n"
                                       " %r = bitcast <2 x i1> %t to i2\n"
                                       " ret i2 %r"));
  EXPECT_EQ(Bits.result({word(9), word(1), word(2), word(3)})->Bits, 2u);
}

TEST(VectorInterpreterTest, PhisOfVectorsTakeTheirValuesAtTheSameTime) {
  InterpretedFunction P(R"(
define i8 @f(i8 %n) {
entry:
  br label %head
head:
  %v = phi <2 x i8> [ <i8 1, i8 2>, %entry ], [ %swapped, %head ]
  %w = phi <2 x i8> [ <i8 3, i8 4>, %entry ], [ %v, %head ]
  %i = phi i8 [ 1, %entry ], [ %next, %head ]
  %swapped = shufflevector <2 x i8> %w, <2 x i8> poison, <2 x i32> <i32 1, i32 0>
  %next = add i8 %i, 1
  %more = icmp ule i8 %next, %n
  br i1 %more, label %head, label %exit
exit:
  %x = extractelement <2 x i8> %v, i32 0
  %y = extractelement <2 x i8> %w, i32 1
  %x16 = shl i8 %x, 4
  %r = or i8 %x16, %y
  ret i8 %r
})");
  EXPECT_EQ(P.result({word(1)})->Bits, 0x14u);
  EXPECT_EQ(P.result({word(2)})->Bits, 0x42u);
  EXPECT_EQ(P.result({word(3)})->Bits, 0x23u);
}

TEST(VectorInterpreterTest, Memory) {
  InterpretedFunction P(R"(
define i32 @f(ptr %p, i16 %a, i16 %b) {
  %v0 = insertelement <2 x i16> poison, i16 %a, i32 0
  %v = insertelement <2 x i16> %v0, i16 %b, i32 1
  %q = getelementptr <2 x i16>, ptr %p, i64 1
  store <2 x i16> %v, ptr %q, align 4
  %again = load <2 x i16>, ptr %q, align 4
  %sum = call i16 @llvm.vector.reduce.add.v2i16(<2 x i16> %again)
  %low = load i16, ptr %q, align 4
  %x = zext i16 %sum to i32
  %y = zext i16 %low to i32
  %z = shl i32 %y, 16
  %r = or i32 %z, %x
  ret i32 %r
})");
  RunResult R = P.run({Scalar(), word(5), word(7)});
  ASSERT_EQ(R.Events.size(), 3u);
  EXPECT_EQ(R.Events[0].Address, 0x10004u);
  EXPECT_EQ(R.Events[1].Address, 0x10006u);
  EXPECT_EQ(R.Events[1].Value, 7u);
  EXPECT_EQ(R.Events[2].Value, 0x5000cu);
  // A lane that is poison leaves the other one.
  R = P.run({Scalar(), word(5), Poison});
  EXPECT_FALSE(R.Events[0].IsPoison);
  EXPECT_TRUE(R.Events[1].IsPoison);
  // The alignment is that of the whole vector.
  InterpretedFunction Misaligned(
      "define void @f(ptr %p) {\n %q = getelementptr i8, ptr %p, i64 2\n"
      " store <2 x i16> zeroinitializer, ptr %q, align 4\n ret void\n}");
  EXPECT_EQ(Misaligned.run({Scalar()}).Status, UB);
  // The object of %p has 64 bytes.
  InterpretedFunction Bounds(
      "define i32 @f(ptr %p, i64 %i) {\n"
      " %q = getelementptr i8, ptr %p, i64 %i\n"
      " %v = load <2 x i32>, ptr %q, align 1\n"
      " %e = extractelement <2 x i32> %v, i32 0\n ret i32 %e\n}");
  EXPECT_EQ(Bounds.run({Scalar(), word(56)}).Status, RunStatus::Done);
  EXPECT_EQ(Bounds.run({Scalar(), word(57)}).Status, UB);
  EXPECT_EQ(Bounds.run({Scalar(), word(UINT64_MAX)}).Status, UB);
  EXPECT_EQ(InterpretedFunction("define void @f(ptr %p) {\n"
                                " store <4 x i1> zeroinitializer, ptr %p\n"
                                " ret void\n}")
                .Why,
            "a vector of bits in memory");
}

TEST(VectorInterpreterTest, Addresses) {
  auto Lane = [](const char *Which) {
    InterpretedFunction P(std::string(R"(
define ptr @f(ptr %p, i64 %i) {
  %v = insertelement <2 x i64> <i64 poison, i64 3>, i64 %i, i32 0
  %q = getelementptr { i32, [4 x i16] }, ptr %p, i64 1, i32 1, <2 x i64> %v
  %r = getelementptr i8, <2 x ptr> %q, <2 x i64> <i64 0, i64 1>
  %e = extractelement <2 x ptr> %r, i32 )") +
                          Which + "\n ret ptr %e\n}");
    return P.result({Scalar(), word(2)})->Bits;
  };
  EXPECT_EQ(Lane("0"), 0x10000u + 12 + 4 + 4);
  EXPECT_EQ(Lane("1"), 0x10000u + 12 + 4 + 6 + 1);
}

TEST(VectorInterpreterTest, Calls) {
  InterpretedFunction P(
      "declare void @observe(<2 x i8>, i8) willreturn\n" +
      pairs("void", " call void @observe(<2 x i8> %v, i8 %d)\n ret void"));
  RunResult R = P.run({word(1), Poison, word(3), word(4)});
  ASSERT_EQ(R.Events.size(), 3u);
  EXPECT_EQ(R.Events[0].Value, 1u);
  EXPECT_TRUE(R.Events[1].IsPoison);
  EXPECT_EQ(R.Events[2].Value, 4u);
  EXPECT_EQ(InterpretedFunction("declare <2 x i8> @g()\ndefine void @f() {\n"
                                " %v = call <2 x i8> @g()\n ret void\n}")
                .Why,
            "a call that returns a vector");
}

/// Undef is less than poison as long as nothing may make poison of it.
TEST(VectorInterpreterTest, UndefIsNotPoison) {
  auto ResultOf = [](const char *Operation) {
    InterpretedFunction P(
        pairs("void", " %u = insertelement <2 x i8> undef, i8 %a, i8 0\n"
                      " %e = extractelement <2 x i8> %u, i8 1\n %r = " +
                          std::string(Operation) +
                          "\n store i8 %r, ptr null\n ret void"));
    return P.run({word(1), Poison, word(3), word(4)}).Events[0];
  };
  for (const char *Operation :
       {"add i8 %e, %c", "shl i8 %e, 7", "and i8 %e, 0",
        "select i1 true, i8 %e, i8 0", "select i1 undef, i8 %a, i8 %c"}) {
    EXPECT_TRUE(ResultOf(Operation).IsPoison) << Operation;
    EXPECT_TRUE(ResultOf(Operation).IsUndef) << Operation;
  }
  for (const char *Operation :
       {"add nsw i8 %e, %c", "add i8 %e, %b", "shl i8 %c, %e", "shl i8 %e, 8",
        "select i1 true, i8 poison, i8 %e", "udiv exact i8 %e, 3"}) {
    EXPECT_TRUE(ResultOf(Operation).IsPoison) << Operation;
    EXPECT_FALSE(ResultOf(Operation).IsUndef) << Operation;
  }
  EXPECT_FALSE(ResultOf("freeze i8 %e").IsPoison);
  InterpretedFunction Branch(
      "define void @f() {\n br i1 undef, label %a, label "
      "%a\na:\n ret void\n}");
  EXPECT_EQ(Branch.run({}).Status, UB);
}
