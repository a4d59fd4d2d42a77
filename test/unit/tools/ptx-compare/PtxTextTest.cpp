//===- PtxTextTest.cpp - Reading PTX and counting its instructions --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/PtxText.h"
#include "transforms/prices/PtxPrices.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace unravel;

static constexpr const char *Header = ".version 8.8\n.target sm_90\n"
                                      ".address_size 64\n";

/// Parses a module that must be good.
static PtxModule parse(const std::string &Text) {
  Expected<PtxModule> Module = parsePtx(Header + Text, "k.ptx");
  if (!Module) {
    ADD_FAILURE() << toString(Module.takeError());
    return {};
  }
  return std::move(*Module);
}

/// The counts of one kernel with this body.
static PtxCounts countBody(const std::string &Body) {
  PtxModule Module =
      parse(".visible .entry k(.param .u64 p)\n{\n" + Body + "}");
  if (Module.Functions.size() != 1) {
    ADD_FAILURE() << "not one function but " << Module.Functions.size();
    return {};
  }
  return Module.Functions.front().Counts;
}

static std::string parseError(const std::string &Text) {
  Expected<PtxModule> Module = parsePtx(Text, "k.ptx");
  return Module ? "" : toString(Module.takeError());
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

TEST(PtxClass, IntegerInstructions) {
  for (const char *Opcode : {"add.s32",         "sub.s64",
                             "add.cc.u32",      "addc.u32",
                             "mul.lo.s32",      "mul.wide.u32",
                             "mul24.lo.u32",    "mad.lo.s32",
                             "mad.wide.s32",    "madc.hi.u32",
                             "div.u32",         "rem.s64",
                             "abs.s32",         "neg.s32",
                             "min.u32",         "max.s16x2",
                             "sad.u32",         "dp4a.u32.s32",
                             "and.b32",         "or.b64",
                             "xor.b16",         "not.b32",
                             "cnot.b32",        "lop3.b32",
                             "shl.b32",         "shr.s32",
                             "shf.l.wrap.b32",  "bfe.u32",
                             "bfi.b32",         "bfind.shiftamt.u32",
                             "brev.b32",        "clz.b64",
                             "popc.b32",        "prmt.b32",
                             "prmt.b32.f4e",    "prmt.b32.b4e",
                             "szext.clamp.s32", "setp.ge.s32",
                             "setp.lt.and.u64", "set.eq.u32.s32",
                             "set.eq.f32.s32",  "selp.b32",
                             "slct.s32.f32",    "cvt.u32.u16",
                             "cvt.sat.u8.s32",  "cvt.pack.sat.u8.s32.b32"})
    EXPECT_TRUE(classifyPtxOpcode(Opcode).Integer) << Opcode;
}

TEST(PtxClass, OtherInstructionsCountAsNothing) {
  for (const char *Opcode : {"add.f32",
                             "add.rn.f64",
                             "add.f16x2",
                             "add.rn.bf16",
                             "mul.rn.f32",
                             "fma.rn.f32",
                             "div.rn.f32",
                             "div.full.f32",
                             "neg.f32",
                             "min.NaN.f32",
                             "max.f32",
                             "setp.lt.f32",
                             "set.lt.u32.f32",
                             "selp.f32",
                             "slct.f32.s32",
                             "cvt.rn.f32.s32",
                             "cvt.rzi.s32.f32",
                             "cvt.f64.f32",
                             "cvt.rn.satfinite.e4m3x2.f32",
                             "cvt.rna.tf32.f32",
                             "and.pred",
                             "or.pred",
                             "xor.pred",
                             "not.pred",
                             "mov.u32",
                             "mov.b64",
                             "mov.pred",
                             "cvta.to.global.u64",
                             "cvta.global.u64",
                             "bra",
                             "bra.uni",
                             "ret",
                             "call.uni",
                             "bar.sync",
                             "shfl.sync.idx.b32",
                             "vote.sync.all.pred",
                             "atom.global.add.u32",
                             "red.global.add.u32",
                             "redux.sync.min.s32",
                             "activemask.b32",
                             "ex2.approx.f32",
                             "ld.param.b32",
                             "st.param.b32",
                             "ld.param::entry.b64",
                             "st.param::func.b32",
                             "",
                             "nonsense"}) {
    PtxInstClass Class = classifyPtxOpcode(Opcode);
    EXPECT_FALSE(Class.Integer) << Opcode;
    EXPECT_FALSE(Class.Integer64) << Opcode;
    EXPECT_FALSE(Class.Division) << Opcode;
    EXPECT_FALSE(Class.Load || Class.Store) << Opcode;
    EXPECT_EQ(Class.Cost, 0u) << Opcode;
  }
}

TEST(PtxClass, DivisionsAreNotTheHighHalfOfAProduct) {
  for (const char *Opcode : {"div.s32", "div.u64", "rem.u16", "rem.s64"}) {
    EXPECT_TRUE(classifyPtxOpcode(Opcode).Division) << Opcode;
    EXPECT_FALSE(classifyPtxOpcode(Opcode).MultiplyHigh) << Opcode;
  }
  for (const char *Opcode :
       {"mul.hi.s32", "mul.hi.u16", "mul.hi.u64", "mad.hi.u32"}) {
    EXPECT_FALSE(classifyPtxOpcode(Opcode).Division) << Opcode;
    EXPECT_TRUE(classifyPtxOpcode(Opcode).MultiplyHigh) << Opcode;
  }
  for (const char *Opcode : {"mul.lo.s32", "mul.wide.u32", "shr.u32",
                             "div.rn.f32", "madc.hi.u32", "mul.rn.f32"}) {
    EXPECT_FALSE(classifyPtxOpcode(Opcode).Division) << Opcode;
    EXPECT_FALSE(classifyPtxOpcode(Opcode).MultiplyHigh) << Opcode;
  }
}

TEST(PtxClass, Integer64NeedsA64BitType) {
  for (const char *Opcode : {"add.s64", "and.b64", "setp.ne.u64", "selp.b64",
                             "cvt.u64.u32", "cvt.u32.u64", "mul.lo.s64"})
    EXPECT_TRUE(classifyPtxOpcode(Opcode).Integer64) << Opcode;
  for (const char *Opcode :
       {"mul.wide.s32", "mad.wide.u32", "add.s32", "cvt.u32.u16",
        "ld.global.b64", "mov.b64", "cvta.to.global.u64", "add.f64"})
    EXPECT_FALSE(classifyPtxOpcode(Opcode).Integer64) << Opcode;
}

TEST(PtxClass, CostByThePriceList) {
  auto Is = [](const char *Opcode, PtxClass Class, unsigned Bits) {
    EXPECT_EQ(classifyPtxOpcode(Opcode).Cost, priceOf(Class, Bits)) << Opcode;
  };
  Is("add.s32", PtxClass::Simple, 32);
  Is("add.s64", PtxClass::Simple, 64);
  Is("setp.lt.u64", PtxClass::Simple, 64);
  Is("min.u64", PtxClass::MinMax, 64);
  Is("abs.s32", PtxClass::Absolute, 32);
  Is("mul.hi.s32", PtxClass::SignedMultiplyHigh, 32);
  Is("mul.hi.s64", PtxClass::SignedMultiplyHigh, 64);
  Is("mul.hi.u64", PtxClass::MultiplyHigh, 64);
  Is("mul.wide.u32", PtxClass::MultiplyWide, 32);
  Is("mul.lo.s64", PtxClass::Multiply, 64);
  Is("mad.lo.s64", PtxClass::Multiply, 64);
  Is("cvt.s64.s32", PtxClass::Convert, 64);
  Is("cvt.u32.u16", PtxClass::Convert, 32);
  Is("div.u16", PtxClass::Division, 32);
  Is("rem.s32", PtxClass::SignedDivision, 32);
  Is("div.u64", PtxClass::Division, 64);
  Is("div.s64", PtxClass::SignedDivision, 64);
  Is("ld.global.b8", PtxClass::Access, 32);
  Is("st.global.v4.b32", PtxClass::Access, 32);
}

// Some compilers write one instruction where others write two.
TEST(PtxClass, WideSumsCostWhatTheirPartsDo) {
  auto Cost = [](const char *Opcode) { return classifyPtxOpcode(Opcode).Cost; };
  EXPECT_EQ(Cost("mad.wide.s32"), Cost("mul.wide.s32") + Cost("add.s64"));
  EXPECT_EQ(Cost("mad.wide.u16"), Cost("mul.wide.u16") + Cost("add.u32"));
  EXPECT_EQ(Cost("mad.lo.s32"), Cost("mul.lo.s32"));
}

// What the README and the records are in.
TEST(PtxClass, ThePricesThatFiguresAreIn) {
  EXPECT_EQ(priceOf(PtxClass::Simple, 32), 1u);
  EXPECT_EQ(priceOf(PtxClass::Simple, 64), 2u);
  EXPECT_EQ(priceOf(PtxClass::Division, 32), 20u);
  EXPECT_EQ(priceOf(PtxClass::Division, 64), 80u);
}

TEST(PtxClass, LoadsAndStoresByShape) {
  auto Shape = [](const char *Opcode) {
    return classifyPtxOpcode(Opcode).AccessShape;
  };
  EXPECT_EQ(Shape("ld.global.b32"), "b32");
  EXPECT_EQ(Shape("ld.global.f32"), "b32");
  EXPECT_EQ(Shape("ld.shared.u8"), "b8");
  EXPECT_EQ(Shape("ld.global.nc.v4.f32"), "v4.b32");
  EXPECT_EQ(Shape("ld.global.nc.L1::no_allocate.L2::128B.v2.u64"), "v2.b64");
  EXPECT_EQ(Shape("ld.volatile.global.s16"), "b16");
  EXPECT_EQ(Shape("ld.relaxed.sys.global.b128"), "b128");
  EXPECT_EQ(Shape("st.global.v8.b32"), "v8.b32");
  EXPECT_EQ(Shape("st.f16x2"), "b32");
  EXPECT_TRUE(classifyPtxOpcode("ldu.global.f32").Load);
  EXPECT_TRUE(classifyPtxOpcode("ld.local.b32").Load);
  EXPECT_FALSE(classifyPtxOpcode("ld.global.b32").Store);
  EXPECT_TRUE(classifyPtxOpcode("st.shared.b32").Store);
  EXPECT_FALSE(classifyPtxOpcode("st.shared.b32").Load);
  EXPECT_FALSE(classifyPtxOpcode("ld.global.u32").Integer);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

TEST(PtxBody, LabelsPredicatesAndDirectives) {
  PtxCounts Counts = countBody(R"(
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .shared .align 4 .b8 tile[64];
    .loc 1 5 3
    .loc 1 6 3, function_name $L__info_string0, inlined_at 1 6 3
    ld.global.b32 %r1, [%rd1];
$L__BB0_1: @!%p1 add.s32 %r2, %r1, 1;
  $L__BB0_2:
    .pragma "nounroll";
    @%p1 bra $L__BB0_1;
    @ %p1 sub.s32 %r2, %r1, 1;
    ret;
)");
  EXPECT_EQ(Counts.Instructions, 5u);
  EXPECT_EQ(Counts.Integer, 2u);
  EXPECT_EQ(Counts.numLoads(), 1u);
  EXPECT_EQ(Counts.Cost, 3u);
  EXPECT_EQ(Counts.IndexCost, 2u);
}

TEST(PtxBody, CallBlocksAndVectorOperands) {
  PtxCounts Counts = countBody(R"(
    { // callseq 0, 0
    .param .b32 param0;
    st.param.b32 [param0], %r1;
    call.uni (retval0), f, (param0);
    ld.param.b32 %r3, [retval0];
    } // callseq 0
    prototype_1 : .callprototype (.param .b32 _) _ (.param .b64 _);
    ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];
    mov.b64 {%r5, %r6}, %rd2;
    st.global.v2.b32 [%rd1+8], {%r5, %r6};
    add.s32 %r7, %r5, %r6;
    ret;
)");
  EXPECT_EQ(Counts.Instructions, 8u);
  EXPECT_EQ(Counts.Integer, 1u);
  EXPECT_EQ(Counts.Loads, (AccessCounts{{"v4.b32", 1}}));
  EXPECT_EQ(Counts.Stores, (AccessCounts{{"v2.b32", 1}}));
}

TEST(PtxBody, CommentsAndStringsHideTheirText) {
  PtxCounts Counts = countBody(R"(
    // add.s32 %r1, %r1, 1; }
    /* add.s32 %r1, %r1, 1; }
       { */ add.s32 %r1, %r1, 1; // sub.s32 %r1, %r1, 1;
    .pragma "add.s32 } \" ;";
    ret;
)");
  EXPECT_EQ(Counts.Instructions, 2u);
  EXPECT_EQ(Counts.Integer, 1u);
}

TEST(PtxBody, InlineAssemblyAndColonsInOpcodes) {
  PtxCounts Counts = countBody(R"(
    // begin inline asm
    { .reg .u32 t; add.u32 t, %r9, 1; L1: bar.sync 0; }
    // end inline asm
    cp.async.bulk.shared::cluster.global [%r1], [%rd1], 16;
    mul.wide.u32
        %rd1, %r1, 4;
    ret;
  )");
  EXPECT_EQ(Counts.Instructions, 5u);
  EXPECT_EQ(Counts.Integer, 2u);
  EXPECT_EQ(Counts.Integer64, 0u);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TEST(PtxModule, KernelsAndFunctions) {
  PtxModule Module = parse(R"(
.file 1 "a{b.cu"
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.func (.param .b32 r) declared(.param .b32 a);
.global .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.const .align 4 .u32 limit = 3;
.visible .entry first(
  .param .u64 .ptr .align 1 first_param_0
) .maxntid 128, 1, 1
.minnctapersm 2
{
  add.s32 %r1, %r1, 1;
  ret;
}
.visible .func (.param .align 16 .b8 r[16]) .noreturn helper(.param .b32 a)
{
  div.s32 %r1, %r1, %r2;
}
.weak .entry bare {
  ret;
}
.section .debug_str
{
$L__info_string0:
.b8 101
}
)");
  ASSERT_EQ(Module.Functions.size(), 3u);
  EXPECT_EQ(Module.Target, "sm_90");
  EXPECT_EQ(Module.Functions[0].Name, "first");
  EXPECT_TRUE(Module.Functions[0].IsKernel);
  EXPECT_EQ(Module.Functions[0].Counts.Integer, 1u);
  EXPECT_EQ(Module.Functions[1].Name, "helper");
  EXPECT_FALSE(Module.Functions[1].IsKernel);
  EXPECT_EQ(Module.Functions[1].Counts.Cost,
            priceOf(PtxClass::SignedDivision, 32));
  EXPECT_EQ(Module.Functions[2].Name, "bare");
  EXPECT_EQ(Module.Functions[2].Text, ".weak .entry bare {\n  ret;\n}");
  EXPECT_TRUE(Module.hasKernel());
  EXPECT_NE(Module.find("helper"), nullptr);
  EXPECT_EQ(Module.find("declared"), nullptr);
  EXPECT_EQ(Module.find("vprintf"), nullptr);
}

TEST(PtxModule, BlockSizes) {
  PtxModule Module = parse(R"(
.entry a(.param .u32 p) .maxntid 32, 4, 2
.minnctapersm 2 { ret; }
.entry b() .reqntid 0x80 { ret; }
.entry c() .maxntid 65536,65536,1 { ret; }
.entry d() { ret; }
.entry e() .maxntid { ret; }
)");
  ASSERT_EQ(Module.Functions.size(), 5u);
  EXPECT_EQ(Module.Functions[0].BlockThreads, 256u);
  EXPECT_EQ(Module.Functions[1].BlockThreads, 128u);
  EXPECT_EQ(Module.Functions[2].BlockThreads, ~0u);
  EXPECT_EQ(Module.Functions[3].BlockThreads, std::nullopt);
  EXPECT_EQ(Module.Functions[4].BlockThreads, std::nullopt);
}

TEST(PtxModule, AModuleOfFunctionsHasNoKernel) {
  EXPECT_FALSE(parse(".func f() { ret; }").hasKernel());
  EXPECT_TRUE(parse("").Functions.empty());
}

TEST(PtxModule, TextThatIsNotPtx) {
  EXPECT_NE(parseError("define void @f() { ret void }")
                .find("k.ptx:1:1: error: expected a directive"),
            std::string::npos);
  EXPECT_NE(parseError("").find("not a PTX module"), std::string::npos);
}

TEST(PtxModule, TextThatIsCutOff) {
  std::string Error =
      parseError(std::string(Header) + ".entry k()\n{\n add.s32 %r1, {");
  EXPECT_NE(Error.find("k.ptx:6:16: error: expected ';'"), std::string::npos)
      << Error;
  Error = parseError(std::string(Header) + ".entry k()\n{\n ret;\n");
  EXPECT_NE(Error.find("the body of function 'k' has no end"),
            std::string::npos)
      << Error;
}

// Wherever the text is cut, the parser ends, with a module or an error.
TEST(PtxModule, EveryPrefixIsSafe) {
  std::string Text = std::string(Header) +
                     ".file 1 \"x\"\n.global .b8 t[2] = {1, 2};\n"
                     ".visible .func (.param .b32 r) f(.param .b32 a);\n"
                     "/* c */ .entry k(.param .u32 p) .maxntid 1, 1, 1 {\n"
                     "L: @!%p1 ld.global.v2.b32 {%r1, %r2}, [%rd1]; // c\n"
                     "{ call (r), f, (p); } .pragma \"a\\\"b\"; ret; }\n";
  for (size_t Length = 0; Length < Text.size(); ++Length) {
    Expected<PtxModule> Module =
        parsePtx(StringRef(Text).take_front(Length), "k.ptx");
    if (!Module)
      EXPECT_FALSE(toString(Module.takeError()).empty());
    else
      EXPECT_LE(Module->Functions.size(), 1u);
  }
}

//===----------------------------------------------------------------------===//
// ptxas -v
//===----------------------------------------------------------------------===//

TEST(PtxasLog, RegistersOfKernelsAndSpillsOfAll) {
  std::map<std::string, PtxasUsage> Usage = parsePtxasLog(
      "ptxas info    : 3 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 1 barriers, 4 bytes smem\n"
      "ptxas info    : Function properties for f\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'm' for 'sm_90'\n"
      "ptxas info    : Function properties for m\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers\n");
  ASSERT_EQ(Usage.size(), 3u);
  EXPECT_EQ(Usage["k"].Registers, 24u);
  EXPECT_EQ(Usage["k"].SharedBytes, 4u);
  EXPECT_EQ(Usage["m"].SharedBytes, 0u);
  EXPECT_EQ(Usage["k"].SpillStoreBytes, 8u);
  EXPECT_EQ(Usage["k"].spillBytes(), 20u);
  EXPECT_EQ(Usage["f"].Registers, std::nullopt);
  EXPECT_EQ(Usage["m"].Registers, 8u);
  EXPECT_TRUE(parsePtxasLog("").empty());
}
