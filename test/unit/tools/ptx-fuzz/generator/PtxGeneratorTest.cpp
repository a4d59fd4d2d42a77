//===- PtxGeneratorTest.cpp - Random kernels and their idioms -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/generator/PtxGenerator.h"
#include "test/unit/PtxTestHelper.h"
#include "tools/ptx-fuzz/generator/Divisions.h"

using namespace llvm;
using namespace unravel::ptx;

namespace {

/// The sequences for constant divisors divide: each against `div` and `rem`,
/// on dividends around everything.
TEST(PtxGeneratorTest, DivisionsByConstantsDivide) {
  for (unsigned Width : {16, 32, 64})
    for (bool IsSigned : {false, true})
      for (unsigned Seed = 0; Seed != 60; ++Seed) {
        KernelText K(Seed);
        uint64_t D = constantDivisor(K, Width, IsSigned);
        std::string Q = divideByConstant(K, Width, IsSigned, "%x", D);
        std::string R = remainderOf(K, Width, "%x", Q, D);
        std::string W = std::to_string(Width), B = std::to_string(Width / 8);
        std::string T = (IsSigned ? "s" : "u") + W;
        std::string Body = ".reg .b" + W + " %x, %d, %q, %m;\n{" +
                           K.declarations() + "mov.u" + W + " %d, " +
                           std::to_string(SignExtend64(D, Width)) + ";\n";
        // One text for each dividend would take long: jump over the others.
        std::vector<uint64_t> Dividends = edgesOf(Width);
        for (uint64_t Multiple : {D - 1, D, D + 1, 7 * D, 7 * D - 1})
          Dividends.push_back(Multiple & maskOf(Width));
        std::string Bad = "mov.u32 %r0, 1; st.global.u32 [%out], %r0; ret;";
        std::string Table = "mov.u32 %r1, %tid.x;\n";
        for (auto [I, X] : enumerate(Dividends))
          Table += "setp.eq.u32 %p0, %r1, " + std::to_string(I) +
                   "; @%p0 mov.u" + W + " %x, " +
                   std::to_string(SignExtend64(X, Width)) + ";\n";
        Body += Table + K.body() + "div." + T + " %q, %x, %d;\nrem." + T +
                " %m, %x, %d;\n" + "setp.ne.b" + W + " %p0, %q, " + Q +
                ";\nsetp.ne.or.u" + W + " %p0, %m, " + R + ", %p0;\n" +
                "@!%p0 ret;\n" + Bad + "}";
        KernelRun Run(Body, {uint32_t(Dividends.size()), 1, 1});
        ASSERT_EQ(Run.Out.K, Outcome::Kind::Finished) << Run.Out.Reason;
        ASSERT_EQ(Run.word(0), 0u) << Body;
      }
}

TEST(PtxGeneratorTest, TheSameSeedGivesTheSameText) {
  EXPECT_EQ(generateModule(7, 3, std::nullopt),
            generateModule(7, 3, std::nullopt));
  EXPECT_NE(generateModule(7, 3, std::nullopt),
            generateModule(8, 3, std::nullopt));
}

/// Random kernels end, and depend on nothing that was not written.
TEST(PtxGeneratorTest, KernelsAreWellDefined) {
  for (uint64_t Seed = 0; Seed != 30; ++Seed) {
    std::string Text = generateModule(Seed, 6, std::nullopt);
    Expected<Module> M = parseModule(Text, "generated.ptx");
    ASSERT_TRUE(bool(M)) << toString(M.takeError());
    for (const Item &I : M->Items) {
      const auto *F = I.as<Function>();
      if (!F)
        continue;
      Expected<Program> P = prepare(*M, *F);
      ASSERT_TRUE(bool(P)) << toString(P.takeError());
      GlobalMemory Memory[2];
      Outcome Out[2];
      for (unsigned Fill : {0, 1}) {
        Launch L;
        L.Grid = {3, 1, 1};
        L.Block = {64, 1, 1};
        L.Fill = Fill;
        L.MaxSteps = 2'000'000;
        for (unsigned K = 0; K != 7; ++K) {
          uint64_t Value = K < 3 ? GlobalMemory::addressOf(K) : 3 + 7 * K;
          L.Arguments.emplace_back(K == 3 || K == 4 ? 4 : 8);
          std::memcpy(L.Arguments[K].data(), &Value, L.Arguments[K].size());
          if (K < 3)
            Memory[Fill].add(K, "buffer", GlobalMemory::NoEnd,
                             [](uint64_t Offset, GlobalMemory::Page &To) {
                               for (size_t B = 0; B != To.size(); ++B)
                                 To[B] = uint8_t((Offset + B) * 37 >> 3);
                             });
        }
        Out[Fill] = execute(*P, L, Memory[Fill]);
        EXPECT_EQ(Out[Fill].K, Outcome::Kind::Finished)
            << "seed " << Seed << ", " << F->Name.str() << ": "
            << Out[Fill].Reason;
      }
      EXPECT_FALSE(Memory[0].compare(Memory[1]))
          << "seed " << Seed << ", " << F->Name.str();
    }
  }
}

} // namespace
