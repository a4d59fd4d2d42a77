//===- ConcatenateKernelTest.cpp - A thread for an index of all operands --===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/indexing/ThreadMaps.h"
#include "test/unit/EmitterTestHelper.h"
#include "test/unit/HloIndexingTestHelper.h"
#include "test/unit/Share.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::test;

namespace {

std::string sizes(ArrayRef<int64_t> Sizes) {
  return "[" +
         join(map_range(Sizes, [](int64_t S) { return itostr(S); }), ",") + "]";
}

struct Case {
  std::string Type;
  std::vector<int64_t> Sizes; ///< of each operand, but for Along
  size_t Along;
  std::vector<int64_t> Pieces;
  std::string Layout; ///< of everything
  /// Of the root: each %s is the type with its shape and layout, c the
  /// concatenation, s a side input.
  std::string Epilogue;

  std::string shape(int64_t Piece) const {
    std::vector<int64_t> Own = Sizes;
    Own[Along] = Piece;
    return Type + sizes(Own) + Layout;
  }
  std::string whole() const {
    int64_t Sum = 0;
    for (int64_t Piece : Pieces)
      Sum += Piece;
    return shape(Sum);
  }
  std::string text() const {
    std::string Text = "ENTRY e {\n", Operands;
    for (auto [K, Piece] : enumerate(Pieces)) {
      Text += formatv(" p{0} = {1} parameter({0})\n", K, shape(Piece));
      Operands += (K ? ", p" : "p") + utostr(K);
    }
    Text += formatv(" s = {0} parameter({1})\n", whole(), Pieces.size());
    Text += formatv(" c = {0} concatenate({1}), dimensions={{{2}}\n", whole(),
                    Operands, Along);
    std::string Rest = Epilogue;
    for (size_t At; (At = Rest.find("%s")) != std::string::npos;)
      Rest.replace(At, 2, whole());
    return Text + Rest + "\n}";
  }
};

/// The threads of the only kernel of \p Text; 0 if there are more, or none.
uint64_t threadsOf(StringRef Text) {
  auto Module = parseModule(Text);
  EXPECT_FALSE(bool(verifyHlo(*Module)));
  LLVMContext Context;
  EmittedModule Emitted =
      cantFail(emitKernels(*Module, Module->entry(), Context, {}));
  return Emitted.Kernels.size() == 1 ? Emitted.Kernels[0].Threads : 0;
}

const char *const Alone = " ROOT r = %s copy(c)";
const char *const WithSide = " n = %s negate(c)\n ROOT r = %s add(n, s)";
const char *const TwoOutputs = " n = %s negate(c)\n m = %s multiply(n, s)\n"
                               " ROOT r = (%s, %s) tuple(m, c)";

TEST(ConcatenateKernel, AllSizes) {
  unsigned Chosen = 0, Cases = 0;
  auto Check = [&](const Case &C) {
    if (isLeftOut())
      return;
    ++Cases;
    std::string Text = C.text();
    EXPECT_EQ(differenceOf(Text), "") << Text;
    uint64_t Longest = 1;
    for (auto [D, Size] : enumerate(C.Sizes))
      Longest *= D == C.Along ? *llvm::max_element(C.Pieces) : Size;
    Chosen += threadsOf(Text) == Longest;
  };
  std::vector<std::vector<int64_t>> Pieces;
  for (int64_t A = 0; A <= 2; ++A)
    for (int64_t B = 0; B <= 2; ++B) {
      Pieces.push_back({A, B});
      Pieces.push_back({A, B, 2});
    }
  Pieces.push_back({4});
  Pieces.push_back({5, 5, 5, 5, 5, 5, 5, 5});
  Pieces.push_back({1, 1, 1, 1, 1, 1, 1, 1, 1});
  for (const std::vector<int64_t> &P : Pieces)
    for (const char *Epilogue : {Alone, WithSide, TwoOutputs}) {
      Check({"s32", {0}, 0, P, "{0}", Epilogue});
      Check({"s32", {0, 3}, 0, P, "{1,0}", Epilogue});
      Check({"c128", {3, 0, 2}, 1, P, "{2,1,0}", Epilogue});
      Check({"s64", {4, 3, 0}, 2, P, "{1,2,0}", Epilogue});
      Check({"s8", {2, 0}, 1, P, "{0,1}", Epilogue});
    }
  // The others have pieces like 0+0, one piece, or many, short or unequal ones.
  EXPECT_GT(Chosen, Cases / 3);
  EXPECT_LT(Chosen, Cases);
}

struct Wanted {
  Case Of;
  uint64_t Threads;
};

/// Of four blocks and more, with vectors, and a block that is not full.
TEST(ConcatenateKernel, Vectors) {
  for (const auto &[C, Threads] : std::vector<Wanted>{
           {{"f32", {0}, 0, {4104, 4096}, "{0}", WithSide}, 4104 / 4},
           {{"f32", {0}, 0, {4096, 4098}, "{0}", WithSide}, 4098 / 2},
           {{"f32", {0}, 0, {4097, 4097}, "{0}", WithSide}, 4097},
           {{"f16", {0, 20}, 0, {205, 210}, "{1,0}", TwoOutputs}, 4200 / 4},
           {{"f64", {70, 0}, 1, {60, 64}, "{1,0}", TwoOutputs}, 70 * 64 / 2},
           {{"u8", {65, 0, 5}, 1, {32, 32}, "{2,1,0}", WithSide},
            65 * 32 * 5 / 16},
           {{"f32", {65, 0, 5}, 1, {16, 24, 32}, "{2,1,0}", TwoOutputs},
            65 * 32 * 5 / 4}}) {
    std::string Text = C.text();
    EXPECT_EQ(differenceOf(Text), "") << Text;
    EXPECT_EQ(threadsOf(Text), Threads) << Text;
  }
}

/// The same, where a loop kernel is better or the only one that is right.
TEST(ConcatenateKernel, Vectors_negative) {
  // Short rows, an operand that is nearly all, vectors that are split, no
  // concatenation but under a transposition, and one at two indices.
  for (const auto &[C, Threads] : std::vector<Wanted>{
           {{"f32", {100, 0}, 1, {5, 9}, "{1,0}", WithSide}, 1400 / 2},
           {{"f32", {0}, 0, {4000, 8}, "{0}", WithSide}, 4008 / 4},
           {{"f32", {0}, 0, {4001, 4003}, "{0}", Alone}, 8004 / 4},
           {{"f32",
             {8, 0},
             1,
             {4, 4},
             "{1,0}",
             " ROOT r = %s transpose(c), dimensions={1,0}"},
            64},
           {{"f32",
             {0, 8},
             0,
             {4, 4},
             "{1,0}",
             " t = %s transpose(c), dimensions={1,0}\n ROOT r = %s add(c, t)"},
            64},
           {{"f32",
             {0, 8},
             0,
             {4, 4},
             "{1,0}",
             " d = %s reverse(c), dimensions={0}\n"
             " ROOT r = (%s, %s) tuple(c, d)"},
            64},
           {{"f32",
             {0, 8},
             0,
             {4, 4},
             "{1,0}",
             " d = %s concatenate(p1, p0), dimensions={0}\n"
             " ROOT r = %s add(c, d)"},
            64}}) {
    std::string Text = C.text();
    EXPECT_EQ(differenceOf(Text), "") << Text;
    EXPECT_EQ(threadsOf(Text), Threads) << Text;
  }
}

/// What operands are computed from may be shared, or read at several places.
TEST(ConcatenateKernel, OperandsAreComputed) {
  for (const char *Operands :
       {" x = s32[6] negate(p)\n y = s32[6] reverse(x), dimensions={0}\n",
        " x = s32[6] negate(p)\n y = s32[6] add(x, p)\n",
        " n = s32[6] negate(p)\n x = s32[6] reverse(n), dimensions={0}\n"
        " y = s32[6] add(x, n)\n",
        " x = s32[4] slice(p), slice={[1:5]}\n y = s32[6] multiply(p, p)\n"}) {
    std::string Text = "p = s32[6] parameter(0)\n";
    Text += Operands;
    bool IsShort = StringRef(Operands).contains("s32[4]");
    std::string Whole = IsShort ? "s32[10]" : "s32[12]";
    Text += formatv("c = {0} concatenate(x, y), dimensions={{0}\n"
                    "e = {0} multiply(c, c)\nr = {0} subtract(e, c)",
                    Whole);
    EXPECT_EQ(differenceOf(Text), "") << Text;
    EXPECT_EQ(threadsOf(Text), 6u) << Text;
  }
}

/// What is loaded is no concatenation of this kernel.
TEST(ConcatenateKernel, InMemory_negative) {
  const char *Text = "f { a = s32[6] parameter(0)\n"
                     " ROOT c = s32[12] concatenate(a, a), dimensions={0} }\n"
                     "ENTRY e { p = s32[6] parameter(0)\n"
                     " c = s32[12] fusion(p), kind=kLoop, calls=f\n"
                     " ROOT n = s32[12] negate(c) }";
  auto Module = parseModule(Text);
  LLVMContext Context;
  EmittedModule Emitted =
      cantFail(emitKernels(*Module, Module->entry(), Context, {}));
  ASSERT_EQ(Emitted.Kernels.size(), 2u);
  EXPECT_EQ(Emitted.Kernels[0].Threads, 6u);
  EXPECT_EQ(Emitted.Kernels[1].Threads, 12u);
  EXPECT_EQ(differenceOf(Text), "");
}

/// Each element of the result belongs to one thread, operand and place.
TEST(ConcatenateKernel, ThreadMaps) {
  for (const Case &C :
       std::vector<Case>{{"f32", {0}, 0, {1030, 1024}, "{0}", Alone},
                         {"f32", {0}, 0, {1, 0, 3}, "{0}", Alone},
                         {"f32", {7, 0, 5}, 1, {3, 4}, "{2,1,0}", Alone},
                         {"f32", {7, 0, 5}, 1, {4, 4, 2}, "{0,1,2}", Alone}}) {
    auto Module = parseModule(C.text());
    const HloInstruction &I = *Module->entry().root().operands()[0];
    LaunchLimits Limits;
    Limits.MaxVector = 2;
    HloShape Longest = ConcatenatedSizes::of(I).longest(I.shape());
    LaunchDimensions Launch = launchFor(Longest, Limits);
    std::vector<unsigned> Hits(I.shape().elementCount());
    IndexContext Context;
    std::optional<IndexingMap> Map = threadMapOfConcatenation(
        ConcatenatedSizes::of(I), I.shape(), Launch, Context);
    ASSERT_TRUE(Map);
    EXPECT_TRUE(Map->forEachPoint(1 << 20, [&](ArrayRef<int64_t> P) {
      ++Hits[offsetIn(I.shape(), *Map->evaluate(P))];
      return true;
    }));
    EXPECT_TRUE(all_of(Hits, [](unsigned H) { return H == 1; })) << C.text();
  }
}

} // namespace
