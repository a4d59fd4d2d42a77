//===- PtxParserTest.cpp - Reading modules of PTX -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxParser.h"
#include "ptx/text/PtxPrinter.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

namespace {

constexpr const char *Head = ".version 8.4\n.target sm_90a, debug\n"
                             ".address_size 64\n";

ptx::Module parsed(const std::string &Text) {
  Expected<ptx::Module> M = ptx::parseModule(Text, "in.ptx");
  if (!M) {
    ADD_FAILURE() << toString(M.takeError());
    return {};
  }
  return std::move(*M);
}

std::string errorOf(const std::string &Text) {
  Expected<ptx::Module> M = ptx::parseModule(Text, "in.ptx");
  if (M)
    return "";
  return StringRef(toString(M.takeError())).split('\n').first.str();
}

/// The instructions of a body, printed from the tree.
std::string printed(StringRef Body) {
  std::string Text = (Head + Twine(".entry f()\n{\n") + Body + "\n}\n").str();
  ptx::Module M = parsed(Text);
  std::string Result;
  raw_string_ostream OS(Result);
  const ptx::Function *F = M.find("f");
  if (!F)
    return "";
  for (const ptx::Statement &S : F->Body)
    if (auto *I = S.as<ptx::Instruction>()) {
      ptx::print(*I, [](StringRef Name) { return Name.str(); }, OS);
      OS << "|";
    }
  return Result;
}

TEST(PtxParser, Module) {
  std::string Text =
      std::string("// made by hand\n") + Head +
      ".file 1 \"a//b.cu\"\n"
      ".extern .shared .align 16 .b8 dynamic[];\n"
      ".visible .global .align 4 .u32 table[2][3] = {{1, 2, 3}, {4}};\n"
      ".weak .func (.param .b32 r) twice(.param .b32 a, .reg .u32 b);\n"
      ".visible .entry k(\n\t.param .u64 .ptr .global .align 16 p,\n"
      "\t.param .align 8 .b8 s[24]\n)\n.maxntid 256, 2, 1\n.minnctapersm 2\n"
      "{\n\tret;\n}\n"
      "\t.section\t.debug_str\n\t{\n$L__info:\n.b8 1,2\n\t}\n";
  ptx::Module M = parsed(Text);
  EXPECT_EQ(M.Major, 8u);
  EXPECT_EQ(M.Minor, 4u);
  EXPECT_EQ(M.Target, "sm_90a");
  ASSERT_EQ(M.Items.size(), 9u);
  EXPECT_EQ(M.Items[3].as<ptx::Directive>()->Rest, "1 \"a//b.cu\"");
  const ptx::Variable &Dynamic = M.Items[4].as<ptx::Variables>()->All[0];
  EXPECT_TRUE(Dynamic.IsExtern && Dynamic.IsArray);
  EXPECT_EQ(Dynamic.Size, 0u);
  EXPECT_EQ(Dynamic.Align, 16u);
  const ptx::Variable &Table = M.Items[5].as<ptx::Variables>()->All[0];
  EXPECT_EQ(Table.Size, 24u);
  EXPECT_TRUE(Table.HasInitialiser);
  EXPECT_FALSE(M.Items[6].as<ptx::Function>()->HasBody);
  const ptx::Function *K = M.find("k");
  ASSERT_TRUE(K && K->IsKernel);
  EXPECT_EQ(K->limit("maxntid")->Values[1], 2u);
  EXPECT_EQ(K->BodyText, "\n\tret;\n");
  ASSERT_EQ(K->Parameters.size(), 2u);
  EXPECT_TRUE(K->Parameters[0].IsPointer);
  EXPECT_EQ(K->Parameters[0].PointerSpace, "global");
  EXPECT_EQ(K->Parameters[0].PointerAlign, 16u);
  EXPECT_EQ(K->Parameters[1].Size, 24u);
  EXPECT_EQ(K->Parameters[1].Align, 8u);
  // Nothing changed: the same bytes. A new body: those around it.
  EXPECT_EQ(ptx::splice(M, [](auto &) { return std::nullopt; }), Text);
  std::string New = ptx::splice(
      M, [](auto &) { return std::optional<StringRef>("\ntrap;\n"); });
  size_t At = Text.find("\n\tret;\n");
  EXPECT_EQ(New, Text.substr(0, At) + "\ntrap;\n" + Text.substr(At + 7));
}

TEST(PtxParser, Instructions) {
  EXPECT_EQ(printed("@!%p1 ld.global.L1::no_allocate.L2::128B.v4.f32 "
                    "{%f1, %f2, _, %f4}, [%rd1+-16];"),
            "@!%p1 ld.global.L1::no_allocate.L2::128B.v4.f32 "
            "{%f1, %f2, _, %f4}, [%rd1+-16];|");
  EXPECT_EQ(printed("setp.lt.and.s32 %p1|%p2, %r1, -0x10, !%p3;"),
            "setp.lt.and.s32 %p1|%p2, %r1, -16, !%p3;|");
  EXPECT_EQ(printed("mov.f32 %f1, 0f3F800000; mov.f64 %d, "
                    "0d3FF0000000000000; mov.u32 %r1, %tid.x;"),
            "mov.f32 %f1, 0f3F800000;|mov.f64 %d, 0d3FF0000000000000;|"
            "mov.u32 %r1, %tid.x;|");
  EXPECT_EQ(printed("mov.u64 %rd1, table+8; st.shared.u8 [16], 017U;"),
            "mov.u64 %rd1, table+8;|st.shared.u8 [16], 15;|");
  EXPECT_EQ(printed("call.uni (retval0), vprintf, (param0, param1);"),
            "call.uni (retval0), vprintf, (param0, param1);|");
  EXPECT_EQ(printed("bar.sync 0; ret; L: bra.uni L;"),
            "bar.sync 0;|ret;|bra.uni L;|");
  // What is not parsed stays what it was.
  EXPECT_EQ(printed("cp.async.bulk.tensor.2d [%r1], [map, {%r2, %r3}], [m];"),
            "cp.async.bulk.tensor.2d [%r1], [map, {%r2, %r3}], [m];|");
  EXPECT_EQ(printed("createpolicy.b64 %rd2, 1.0;"),
            "createpolicy.b64 %rd2, 1.0;|");
}

TEST(PtxParser, Statements) {
  std::string Text = std::string(Head) +
                     ".entry f()\n{\n.reg .b32 %r<12>, x;\n"
                     ".loc 1 12 3, function_name $L, inlined_at 1 2 3 // why\n"
                     "# 5 \"x.cu\"\n{ .reg .pred p; }\n/* a */ L /**/ :\n"
                     ".pragma \"nounroll\";\nts: .branchtargets A, B;\n}\n";
  ptx::Module M = parsed(Text);
  const ptx::Function *F = M.find("f");
  ASSERT_EQ(F->Body.size(), 9u);
  auto *R = F->Body[0].as<ptx::Registers>();
  EXPECT_EQ(*R->Entries[0].Count, 12u);
  EXPECT_FALSE(R->Entries[1].Count);
  EXPECT_TRUE(F->Body[1].as<ptx::Location>());
  EXPECT_EQ(F->Body[1].Text, ".loc 1 12 3, function_name $L, inlined_at 1 2 3");
  EXPECT_TRUE(F->Body[2].as<ptx::Scope>()->Begins);
  EXPECT_EQ(F->Body[5].as<ptx::Label>()->Name, "L");
  EXPECT_EQ(F->Body[6].as<ptx::Directive>()->Rest, "\"nounroll\"");
  EXPECT_EQ(F->Body[8].as<ptx::Directive>()->Rest, "A, B");
}

TEST(PtxParser, Types) {
  using Kind = ptx::Type::Kind;
  auto Is = [](StringRef Word, Kind K, unsigned Width) {
    auto T = ptx::parseType(Word);
    return T && T->K == K && T->Width == Width;
  };
  EXPECT_TRUE(Is("s32", Kind::Signed, 32));
  EXPECT_TRUE(Is("b128", Kind::Bits, 128));
  EXPECT_TRUE(Is("f64", Kind::Float, 64));
  EXPECT_TRUE(Is("f16x2", Kind::SmallFloat, 32));
  EXPECT_TRUE(Is("u16x2", Kind::Packed, 32));
  EXPECT_TRUE(Is("e4m3x2", Kind::SmallFloat, 16));
  EXPECT_TRUE(Is("pred", Kind::Predicate, 1));
  for (StringRef Word : {"f4e", "b4e", "lo", "v4", "u7", "s", "rn", "u32x"})
    EXPECT_FALSE(ptx::parseType(Word)) << Word.str();
}

TEST(PtxParser, Errors) {
  EXPECT_EQ(errorOf(""), "in.ptx:1:1: error: no .version directive: this is "
                         "not a PTX module");
  EXPECT_EQ(errorOf(".version x\n"),
            "in.ptx:1:1: error: expected a version such as 9.0");
  EXPECT_EQ(errorOf(std::string(Head) + ".entry f()\n{\n\tret;\n"),
            "in.ptx:5:1: error: the body of function 'f' has no end: its '}' "
            "is missing");
  EXPECT_EQ(errorOf(std::string(Head) + ".entry f()\n{\n  add.s32 %r1, %r2\n}"),
            "in.ptx:7:1: error: expected ';' behind instruction 'add.s32'");
  EXPECT_EQ(errorOf(std::string(Head) + ".entry f()\n{ ld.u32 a, [b; }"),
            "in.ptx:5:13: error: nothing closes '['");
  EXPECT_EQ(errorOf(std::string(Head) + ".nonsense 5;"),
            "in.ptx:4:1: error: unknown directive '.nonsense'");
  EXPECT_EQ(errorOf(std::string(Head) + ".global .u32 a[4294967296][4294967296]"
                                        "[4];"),
            "in.ptx:4:38: error: array 'a' has more than 2^64 bytes");
  EXPECT_EQ(errorOf(std::string(Head) + "/* without end"),
            "in.ptx:4:1: error: expected a directive such as .visible or "
            ".global");
  EXPECT_EQ(errorOf(std::string(Head) + ".entry f()\n{ mov.b32 a, {{{{{{b}}}}}"
                                        "}; }"),
            "in.ptx:5:19: error: operands are nested too deeply");
}

/// What is not there has no text.
TEST(PtxParser, EmptyParts) {
  std::string Text = std::string(Head) + ".entry f()\n{ t: .branchtargets ; }";
  auto M = ptx::parseModule(Text, "in.ptx");
  ASSERT_TRUE(bool(M)) << toString(M.takeError());
  const ptx::Function *F = M->find("f");
  ASSERT_EQ(F->Body.size(), 2u);
  EXPECT_EQ(F->Body[1].as<ptx::Directive>()->Rest, "");
}

/// NVRTC's PTX ends with a zero byte, which stays; elsewhere it is an error.
TEST(PtxParser, ZeroByteBehindTheEnd) {
  std::string Text = std::string(Head) + ".entry f()\n{\n\tret;\n}\n";
  std::string WithZeros = Text + std::string(2, '\0');
  ptx::Module M = parsed(WithZeros);
  EXPECT_EQ(M.Text, StringRef(WithZeros));
  EXPECT_NE(M.find("f"), nullptr);
  EXPECT_EQ(errorOf(Text + '\0' + "\n"),
            "in.ptx:8:1: error: expected a directive such as .visible or "
            ".global");
}

/// Nothing is read behind the end, whatever is cut off.
TEST(PtxParser, EveryPrefix) {
  std::string Text = std::string(Head) +
                     ".visible .entry k(.param .u64 p)\n.maxntid 3\n{\n"
                     ".reg .b32 %r<2>; L: @%p add.s32 %r1, {a, b}, [c+4]; "
                     "mov.f32 a, 0f00000000; \"x\" /* y */ }\n";
  for (size_t Size = 0; Size < Text.size(); ++Size) {
    std::string Prefix = Text.substr(0, Size);
    if (auto M = ptx::parseModule(Prefix, "x"); !M)
      consumeError(M.takeError());
  }
}

} // namespace
