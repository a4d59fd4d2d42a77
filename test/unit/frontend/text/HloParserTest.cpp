//===- HloParserTest.cpp - HLO text in and out ----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/HloTestHelper.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace unravel;

namespace {

/// The instruction \p Name of the entry.
const HloInstruction &find(const HloModule &Module, StringRef Name) {
  for (const HloInstruction &I : Module.entry().instructions())
    if (I.name() == Name)
      return I;
  ADD_FAILURE() << "no instruction " << Name.str();
  return Module.entry().root();
}

//===----------------------------------------------------------------------===//
// What XLA prints
//===----------------------------------------------------------------------===//

const char *const AsXlaPrints =
    R"(HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[2,3]{1,0})->f32[3]{0}}

FileNames
1 "a.py"

FunctionNames
1 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=4 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

%region_0.4 (Arg_0.5: f32[], Arg_1.6: f32[]) -> f32[] {
  %Arg_0.5 = f32[] parameter(0)
  %Arg_1.6 = f32[] parameter(1)
  ROOT %add.7 = f32[] add(f32[] %Arg_0.5, f32[] %Arg_1.6), metadata={op_name="jit(f)/}\"," source_line=3}
}

ENTRY %main.9 (Arg_0.1: f32[2,3]) -> f32[3] {
  %Arg_0.1 = f32[2,3]{1,0} parameter(0), parameter_replication={false}
  %constant.3 = f32[] constant(0)
  ROOT %reduce.8 = f32[3]{0} reduce(f32[2,3]{1,0} %Arg_0.1, /*index=1*/ f32[] %constant.3), dimensions={0}, to_apply=%region_0.4, metadata={op_name="reduce"}, backend_config={"a":[1,{"b":2}]}
}, execution_thread="main"
)";

TEST(HloParser, WhatXlaPrints) {
  std::vector<std::string> Warnings;
  auto Module = parseModule(AsXlaPrints, &Warnings);
  EXPECT_EQ(Warnings, std::vector<std::string>());
  EXPECT_EQ(Module->name(), "jit_f");
  EXPECT_EQ(Module->computations().size(), 2u);
  EXPECT_EQ(Module->entry().name(), "main.9");
  const HloInstruction &Reduce = Module->entry().root();
  EXPECT_EQ(Reduce.opcode(), HloOpcode::Reduce);
  EXPECT_EQ(Reduce.shape().str(), "f32[3]{0}");
  EXPECT_EQ(Reduce.dimensions(), ArrayRef<int64_t>({0}));
  EXPECT_EQ(Reduce.callee(), &Module->computations()[0]);
  EXPECT_EQ(Reduce.Location.Line, 24u);
  EXPECT_EQ(Reduce.Location.Column, 8u);
  EXPECT_EQ(&Reduce.operand(0), &Module->entry().parameter(0));
  ASSERT_EQ(Reduce.TextAttributes.size(), 2u);
  EXPECT_EQ(Reduce.TextAttributes[1].Value, R"({"a":[1,{"b":2}]})");
}

TEST(HloParser, PrintsItAgain) {
  auto Module = parseModule(AsXlaPrints);
  std::string Printed = toString(*Module);
  EXPECT_EQ(
      Printed,
      R"(HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[2,3]{1,0})->f32[3]{0}}

FileNames
1 "a.py"

FunctionNames
1 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=4 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

%region_0.4 (Arg_0.5: f32[], Arg_1.6: f32[]) -> f32[] {
  %Arg_0.5 = f32[] parameter(0)
  %Arg_1.6 = f32[] parameter(1)
  ROOT %add.7 = f32[] add(%Arg_0.5, %Arg_1.6), metadata={op_name="jit(f)/}\"," source_line=3}
}

ENTRY %main.9 (Arg_0.1: f32[2,3]) -> f32[3] {
  %Arg_0.1 = f32[2,3]{1,0} parameter(0), parameter_replication={false}
  %constant.3 = f32[] constant(0)
  ROOT %reduce.8 = f32[3]{0} reduce(%Arg_0.1, %constant.3), dimensions={0}, to_apply=%region_0.4, metadata={op_name="reduce"}, backend_config={"a":[1,{"b":2}]}
}, execution_thread="main"
)");
  EXPECT_EQ(toString(*parseModule(Printed)), Printed);
}

TEST(HloParser, UsersAreThereOnce) {
  auto Module = parseModule(R"(
    a = f32[] parameter(0)
    b = f32[] add(a, a)
    c = f32[] multiply(b, a)
    ROOT d = f32[] negate(b))");
  const HloInstruction &A = find(*Module, "a"), &B = find(*Module, "b");
  EXPECT_EQ(A.users(), ArrayRef({&B, &find(*Module, "c")}));
  EXPECT_EQ(B.users().size(), 2u);
  EXPECT_EQ(B.operands(), ArrayRef({&A, &A}));
  EXPECT_EQ(B.index(), 1u);
  EXPECT_EQ(&B.parent(), &Module->entry());
}

//===----------------------------------------------------------------------===//
// What documents show
//===----------------------------------------------------------------------===//

TEST(HloParser, OnlyInstructions) {
  auto Module = parseModule(R"(
    p0 = f32[3,50] parameter(0)   // a comment
    p1 = f32[ 3, 30 ] parameter(1)
    concat = f32[3,80] concatenate(f32[3,50] p0, f32[3,30] p1),
      dimensions={1})");
  EXPECT_EQ(toString(*Module), R"(HloModule module

ENTRY %main (p0: f32[3,50], p1: f32[3,30]) -> f32[3,80] {
  %p0 = f32[3,50]{1,0} parameter(0)
  %p1 = f32[3,30]{1,0} parameter(1)
  ROOT %concat = f32[3,80]{1,0} concatenate(%p0, %p1), dimensions={1}
}
)");
}

TEST(HloParser, TheLastComputationIsTheEntry) {
  auto Module = parseModule(R"(
    f { ROOT x = f32[] parameter(0) }
    g { y = f32[] parameter(0)
        ROOT z = f32[] call(y), to_apply=f })");
  EXPECT_EQ(Module->entry().name(), "g");
  std::vector<std::string> Warnings;
  auto Last = parseHlo("f { x = f32[] parameter(0) }\n"
                       "g { x = f32[] parameter(0) }",
                       "t", Warnings);
  ASSERT_TRUE(bool(Last));
  EXPECT_EQ((*Last)->entry().name(), "g");
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_NE(Warnings[0].find("no computation is marked ENTRY, so the last one "
                             "is; none calls 'f'"),
            std::string::npos);
}

/// A buffer is the array in it.
TEST(HloParser, Buffers) {
  EXPECT_EQ(body("p = b(f32[4]) parameter(0)\n"
                 "ROOT t = (b(f32[4]), f32[4]) tuple(b(f32[4]) p, p)"),
            "  %p = f32[4]{0} parameter(0)\n"
            "  ROOT %t = (f32[4]{0}, f32[4]{0}) tuple(%p, %p)");
  EXPECT_NE(errorOf("f { p = b(b(f32[4])) parameter(0) }")
                .find("the shape of an array in a buffer"),
            std::string::npos);
}

TEST(HloParser, WordsThatAreNames) {
  EXPECT_EQ(body("FileNames = f32[] parameter(0)"),
            "  ROOT %FileNames = f32[] parameter(0)");
  EXPECT_EQ(body("ROOT = f32[] parameter(0)\nENTRY = f32[] negate(ROOT)\n"
                 "f32 = f32[] negate(ENTRY)\nROOT add = f32[] add(f32, ROOT)"),
            "  %ROOT = f32[] parameter(0)\n  %ENTRY = f32[] negate(%ROOT)\n"
            "  %f32 = f32[] negate(%ENTRY)\n  ROOT %add = f32[] add(%f32, "
            "%ROOT)");
}

TEST(HloParser, RootNeedNotBeLast) {
  auto Module = parseModule("ROOT a = f32[] parameter(0)\nb = f32[] negate(a)");
  EXPECT_EQ(Module->entry().root().name(), "a");
}

//===----------------------------------------------------------------------===//
// Shapes and attributes
//===----------------------------------------------------------------------===//

TEST(HloParser, Shapes) {
  EXPECT_EQ(body("p = (f32[2,0]{0,1}, (), /*index=2*/ (s4[], c128[1]{0})) "
                 "parameter(0)"),
            "  ROOT %p = (f32[2,0]{0,1}, (), (s4[], c128[1]{0})) parameter(0)");
  std::vector<std::string> Warnings;
  auto Module = parseModule(
      "p = s4[8,3]{0,1:T(8,128)(2,1)E(4)S(5)} parameter(0)", &Warnings);
  EXPECT_EQ(Module->entry().root().shape().str(), "s4[8,3]{0,1}");
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_EQ(Warnings[0], "<test>:1:16: warning: tiles, element sizes and "
                         "memory spaces of layouts are ignored; arrays are "
                         "stored densely");
}

TEST(HloParser, EveryElementType) {
  for (const char *Type :
       {"pred",       "s4",     "s8",         "s16",       "s32",
        "s64",        "u4",     "u8",         "u16",       "u32",
        "u64",        "f8e3m4", "f8e4m3",     "f8e4m3fn",  "f8e4m3b11fnuz",
        "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f8e8m0fnu", "f16",
        "bf16",       "f32",    "f64",        "c64",       "c128"})
    EXPECT_EQ(errorOf(Twine("p = ") + Type + "[7] parameter(0)"), "");
}

/// Each line is parsed as an instruction behind parameters x, y of rank 4, z of
/// rank 1, a scalar and indices, and printed the same.
TEST(HloParser, AttributesRoundTrip) {
  const std::string Before = R"(add {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}
ENTRY main {
  %x = f32[1,8,9,4] parameter(0)
  %i = s32[] parameter(1)
)";
  for (const char *Line : {
           "f32[] compare(%x, %x), direction=LT, type=TOTALORDER",
           "f32[] reduce-precision(%x), exponent_bits=5, mantissa_bits=10",
           "f32[] slice(%x), slice={[0:1], [2:3:4]}",
           "f32[] pad(%x, %i), padding=0_0x-1_2x3_4_5",
           "f32[] reduce-window(%x, %i), window={size=1x2x2x1 stride=1x2x2x1 "
           "pad=0_0x-1_1x1_0x0_0 lhs_dilate=1x2x1x1 rhs_dilate=2x1x1x1 "
           "rhs_reversal=0x1x0x0}, to_apply=%add",
           "f32[] convolution(%x, %x), window={size=3x3 pad=1_1x1_1}, "
           "dim_labels=b01f_01io->b01f, feature_group_count=2",
           "f32[] convolution(%x, %x), dim_labels=fb_oi->bf, "
           "batch_group_count=3",
           "f32[] dot(%x, %x), lhs_batch_dims={0}, lhs_contracting_dims={2,1}, "
           "rhs_batch_dims={1}, rhs_contracting_dims={0,3}",
           "f32[] gather(%x, %i), offset_dims={1,2}, collapsed_slice_dims={}, "
           "start_index_map={1,0}, operand_batching_dims={2}, "
           "start_indices_batching_dims={0}, index_vector_dim=1, "
           "slice_sizes={1,2,3}, indices_are_sorted=true",
           "f32[] scatter(%x, %i, %x), update_window_dims={1}, "
           "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
           "input_batching_dims={3}, scatter_indices_batching_dims={1}, "
           "index_vector_dim=1, indices_are_sorted=true, unique_indices=true, "
           "to_apply=%add",
           "f32[] dynamic-slice(%x, %i), dynamic_slice_sizes={1,2}",
           "f32[] get-tuple-element(%x), index=3",
           "f32[] fusion(%x, %i), kind=kOutput, calls=%add",
           "f32[] map(%x, %x), dimensions={0,1}, to_apply=%add",
           "f32[2]{0} iota(), iota_dimension=0",
           "f32[] broadcast(%i), dimensions={}",
           "f32[] select-and-scatter(%x, %x, %i), window={size=1x2x2x1}, "
           "select=%add, scatter=%add",
           "f32[] sort(%x), dimensions={2}, is_stable=true, to_apply=%add",
           "f32[] topk(%x), k=3, largest=false",
           "f32[] while(%x), condition=%add, body=%add",
           "f32[] conditional(%i, %x, %x), branch_computations={%add, %add}",
           "f32[] custom-call(%x), custom_call_target=\"f$g\", "
           "dim_labels=bf_io->bf",
           "f32[] fft(%x), fft_type=RFFT, fft_length={4}",
       }) {
    std::string Text = Before + "  ROOT %r = " + Line + "\n}";
    std::string Printed = toString(*parseModule(Text));
    EXPECT_NE(Printed.find("  ROOT %r = " + std::string(Line) + "\n"),
              std::string::npos)
        << Line << "\nprinted as\n"
        << Printed;
    EXPECT_EQ(toString(*parseModule(Printed)), Printed);
  }
}

TEST(HloParser, WindowFields) {
  auto Module = parseModule(R"(
    add { a = f32[] parameter(0) b = f32[] parameter(1)
          ROOT c = f32[] add(a, b) }
    ENTRY main { x = f32[9] parameter(0) i = f32[] parameter(1)
    r = f32[4] reduce-window(x, i), to_apply=add,
      window={size=3 stride=2 pad=-1_4 lhs_dilate=5 rhs_dilate=6 rhs_reversal=1}})");
  const HloWindow &W =
      Module->entry().root().attributes<HloReduceWindow>().Window;
  ASSERT_EQ(W.size(), 1u);
  EXPECT_EQ(W[0].Size, 3);
  EXPECT_EQ(W[0].Stride, 2);
  EXPECT_EQ(W[0].PadLow, -1);
  EXPECT_EQ(W[0].PadHigh, 4);
  EXPECT_EQ(W[0].BaseDilation, 5);
  EXPECT_EQ(W[0].WindowDilation, 6);
  EXPECT_TRUE(W[0].Reversal);
}

TEST(HloParser, ConvolutionLabels) {
  auto Module =
      parseModule("x = f32[1,2,3,4] parameter(0)\n"
                  "c = f32[1] convolution(x, x), dim_labels=f1b0_1o0i->0fb1");
  const auto &C = Module->entry().root().attributes<HloConvolution>();
  EXPECT_EQ(C.Input.Batch, 2);
  EXPECT_EQ(C.Input.Feature, 0);
  EXPECT_EQ(C.Input.Spatial, HloNumbers({3, 1}));
  EXPECT_EQ(C.Kernel.Batch, 3);   // i
  EXPECT_EQ(C.Kernel.Feature, 1); // o
  EXPECT_EQ(C.Kernel.Spatial, HloNumbers({2, 0}));
  EXPECT_EQ(C.Output.Batch, 2);
  EXPECT_EQ(C.Output.Feature, 1);
  EXPECT_EQ(C.Output.Spatial, HloNumbers({0, 3}));
}

TEST(HloParser, UnknownAttributesAreKept) {
  std::vector<std::string> Warnings;
  auto Module = parseModule(
      "x = f32[] parameter(0), replica_groups=[2,4]<=[8]T(1,0), other={\"}\", "
      "{1}}\ny = f32[] negate(x), other=2, metadata={a=1}",
      &Warnings);
  EXPECT_EQ(toString(Module->entry().parameter(0)),
            "%x = f32[] parameter(0), replica_groups=[2,4]<=[8]T(1,0), "
            "other={\"}\", {1}}");
  ASSERT_EQ(Warnings.size(), 3u);
  EXPECT_EQ(Warnings[0], "<test>:1:40: warning: the attribute 'replica_groups' "
                         "of parameter is kept, but has no effect here");
  EXPECT_EQ(Warnings[2], "<test>:2:28: warning: the attribute 'other' of "
                         "negate is kept, but has no effect here");
}

TEST(HloParser, EntryComputationLayout) {
  auto WarningsOf = [](StringRef Layout) {
    std::vector<std::string> Warnings;
    parseModule(("HloModule m, entry_computation_layout=" + Layout +
                 "\nENTRY e { x = f32[2,3] parameter(0)\n"
                 "y = f32[2,3]{0,1} negate(x) }")
                    .str(),
                &Warnings);
    return Warnings;
  };
  std::vector<std::string> None;
  EXPECT_EQ(WarningsOf("{(f32[2,3]{1,0})->f32[2,3]{0,1}}"), None);
  EXPECT_EQ(WarningsOf("{(f32[2,3]{0,1})->f32[2,3]{0,1}}"),
            std::vector<std::string>{
                "<test>:2:11: warning: 'x' is f32[2,3]{1,0}, which counts; "
                "entry_computation_layout has f32[2,3]{0,1}"});
  EXPECT_EQ(WarningsOf("{(f32[2,3]{1,0})->f32[2,3]{1,0}}"),
            std::vector<std::string>{
                "<test>:3:1: warning: 'y' is f32[2,3]{0,1}, which counts; "
                "entry_computation_layout has f32[2,3]{1,0}"});
  // What else it might be does not matter here.
  for (const char *Other :
       {"{}", "{(f32[])->q7[]}", "{()->f32[2,3]{0,1}}", "auto", "{(f32[2,3])}"})
    EXPECT_EQ(WarningsOf(Other), None) << Other;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// What XLA reads, but does not print any more.
TEST(HloParser, OldHeaders) {
  std::vector<std::string> Warnings;
  auto Module = parseHlo("\xEF\xBB\xBFHloModule m:\n"
                         "ENTRY a (x f32[2], y: f32[]) -> f32[] {\n"
                         "  x = f32[3] parameter(0)\n"
                         "  y = f32[] parameter(1)\n}",
                         "t", Warnings);
  ASSERT_TRUE(bool(Module)) << toString(Module.takeError());
  EXPECT_EQ((*Module)->name(), "m");
  EXPECT_EQ(Warnings,
            (std::vector<std::string>{"t:3:3: warning: 'x' is f32[3]{0}, which "
                                      "counts; the header of 'a' has "
                                      "f32[2]{0}"}));
}

TEST(HloParser, ErrorsShowThePlace) {
  std::vector<std::string> Warnings;
  auto Module = parseHlo("HloModule m\nENTRY e {\n  x = f32[2 parameter(0)\n}",
                         "m.hlo", Warnings);
  ASSERT_FALSE(bool(Module));
  EXPECT_EQ(toString(Module.takeError()),
            "m.hlo:3:13: error: expected ']' behind the sizes of the "
            "dimensions, found 'parameter'\n"
            "  x = f32[2 parameter(0)\n"
            "            ^");
}

TEST(HloParser, Errors) {
  const std::pair<const char *, const char *> Cases[] = {
      {"", "t:1:1: error: expected a computation, as in 'ENTRY main { ... }', "
           "found the end of the text"},
      {"x = f32[] frobnicate(x)",
       "t:1:11: error: unknown or unsupported opcode 'frobnicate'; "
       "docs/frontend.md has the table of those that are supported; "
       "--entry=NAME emits a computation above this one"},
      {"c { ROOT a = f32[] parameter(0) }\n"
       "ENTRY e { x = f32[] parameter(0)\n"
       "ROOT r = f32[] conditional(x, x), true_computation=c, "
       "branch_computations={c} }",
       "t:3:55: error: 'r' has its branches twice; write branch_computations "
       "or true_computation and false_computation"},
      {"c { ROOT a = f32[] parameter(0) }\n"
       "ENTRY e { x = f32[] parameter(0)\n"
       "ROOT r = f32[] while(x), condition=c, branch_computations={c} }",
       "t:3:24: error: 'r': while needs the attribute 'body='"},
      {"x = f32[] parameter(0)\nr = f32[] custom-call(x), "
       "custom_call_target=f",
       "t:2:46: error: the target is written in quotes, as in "
       "'custom_call_target=\"name\"'"},
      {"x = f32[] broadcats(x)", "t:1:11: error: unknown or unsupported opcode "
                                 "'broadcats'; did you mean 'broadcast'?"},
      {"x = iota(), iota_dimension=0",
       "t:1:5: error: the shape of 'x' is missing; write it in front of "
       "'iota', since the operands do not tell it"},
      {"x = q7[] parameter(0)",
       "t:1:5: error: unknown element type 'q7'; the types are pred, s2, s4, "
       "s8, "
       "s16, s32, s64, u2, u4, u8, u16, u32, u64, f8e3m4, f8e4m3, f8e4m3fn, "
       "f8e4m3b11fnuz, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f8e8m0fnu, f16, bf16, "
       "f32, f64, c64, c128"},
      {"x = f32[-1] parameter(0)", "t:1:5: error: the size of a dimension is "
                                   "-1; sizes are not negative"},
      {"x = f32[4294967296,4294967296] parameter(0)",
       "t:1:5: error: the shape has 2^63 bytes or more; use smaller "
       "dimensions"},
      {"x = f32[0,4294967296,4294967296] parameter(0)",
       "t:1:5: error: the shape has 2^63 bytes or more; use smaller "
       "dimensions"},
      {"x = f32[99999999999999999999] parameter(0)",
       "t:1:9: error: the size of a dimension has to be an integer of 64 bits, "
       "found '99999999999999999999'"},
      {"x = f32[2,3]{1,1} parameter(0)",
       "t:1:5: error: the layout is not an order of the 2 dimensions; write "
       "each of them once, the minor one first"},
      {"x = f32[<=3] parameter(0)",
       "t:1:9: error: dimensions whose size is known at run time only are not "
       "supported; write the size"},
      {"y = f32[] negate(x)\nx = f32[] parameter(0)",
       "t:1:18: error: there is no instruction 'x' above in this computation; "
       "write it before its users"},
      {"x = f32[] negate(x)",
       "t:1:18: error: there is no instruction 'x' above in this computation; "
       "write it before its users"},
      {"x = f32[] parameter(0) x = f32[] parameter(1)",
       "t:1:24: error: the computation has an instruction 'x' already; rename "
       "one of them"},
      {"x = f32[] parameter(1)",
       "t:1:1: error: instruction 'x' (parameter): parameter number 1 in a "
       "computation with 1 parameter; number them from 0 on"},
      {"x = f32[] parameter(0)\ny = f32[] parameter(0)",
       "t:2:1: error: instruction 'y' (parameter): parameter number 0 is used "
       "by 'x' already; number them from 0 on"},
      {"x = f32[] parameter(0)\ny = f32[] add(x)",
       "t:2:15: error: add takes 2 operands, found 1"},
      {"x = f32[] parameter(0)\ny = f32[] add(x, s32[] x)",
       "t:2:18: error: 'x' has the shape f32[] where it is defined, here "
       "s32[]"},
      {"x = f32[2] parameter(0)\ny = f32[2] transpose(x)",
       "t:2:24: error: 'y': transpose needs the attribute 'dimensions='"},
      {"x = f32[] parameter(0)\ny = f32[] fusion(x), kind=kLoop",
       "t:2:20: error: 'y': fusion needs the attribute 'calls='"},
      {"x = f32[] parameter(0)\ny = f32[] call(x), to_apply=f",
       "t:2:29: error: there is no computation 'f' above; write it before the "
       "one that calls it"},
      {"x = f32[] parameter(0), a=1, a=2",
       "t:1:30: error: 'x' has the attribute 'a' twice; remove one"},
      {"x = f32[99999999] constant({...})",
       "t:1:28: error: the elements of this constant were left out; print the "
       "module with all of them (--xla_dump_large_constants, "
       "print_large_constants)"},
      {"x = f32[99999999] constant(0)",
       "t:1:28: error: one number for all elements of f32[99999999], which are "
       "more than 67108864 bytes; broadcast a scalar constant"},
      {"x = f32[] parameter(0) /* no end",
       "t:1:24: error: this comment has no end; close it with */"},
      {"x = f32[] parameter(0), a=\"no end",
       "t:1:27: error: this string has no end; close it with a quotation "
       "mark"},
      {"x = f32[] parameter(0)\n\xc3\xa4",
       "t:2:1: error: expected the name of an instruction, found '\\xC3\\xA4'"},
      {"ROOT x = f32[] parameter(0) ROOT y = f32[] negate(x)",
       "t:1:29: error: 'x' is the ROOT already; a computation has one"},
      {"ENTRY a { x = f32[] parameter(0) } ENTRY b { x = f32[] parameter(0) }",
       "t:1:36: error: 'a' is the ENTRY already; a module has one"},
      {"a { x = f32[] parameter(0) } a { x = f32[] parameter(0) }",
       "t:1:30: error: the module has a computation 'a' already; rename one of "
       "them"},
      {"ENTRY a { x = f32[] parameter(0) } b { y = f32[] parameter(0)\n"
       "z = f32[] call(y), to_apply=a }",
       "t:2:1: error: instruction 'z' (call): it calls the ENTRY 'a'; nothing "
       "may call that one"},
      {"a (x: f32[]) -> f32[2] { x = f32[] parameter(0) }",
       "t:1:3: error: the header of 'a' says that the result is f32[2], its "
       "root is f32[]"},
      {"a () -> f32[] { x = f32[] parameter(0) }",
       "t:1:3: error: the header of 'a' has 0 parameters, its body 1"},
      {"module @jit_f attributes {} {",
       "t:1:1: error: this is MLIR, not HLO text; JAX prints HLO with "
       "lower(...).as_text(dialect=\"hlo\"), and --xla_dump_to=FOLDER "
       "--xla_dump_hlo_as_text write it"},
      {"a { }", "t:1:5: error: expected the name of an instruction, found '}'"},
      {"x = f32[9] parameter(0)\nw = f32[7] reduce-window(x, x), "
       "window={stride=2}",
       "t:2:41: error: a window begins with 'size=', as in 'window={size=3x3 "
       "stride=2x2}'"},
      {"x = f32[9] parameter(0)\nw = f32[7] reduce-window(x, x), "
       "window={size=2 pad=1}",
       "t:2:52: error: 'pad' of the window is not a pair low_high for each "
       "dimension, joined by 'x'"},
      {"x = f32[9] parameter(0)\np = f32[7] pad(x, x), padding=1_2_3_4",
       "t:2:31: error: the padding is written low_high or low_high_interior "
       "for each dimension, joined by 'x', as in '1_4_1x4_8'"},
      {"x = f32[1,1] parameter(0)\nc = f32[1] convolution(x, x), "
       "dim_labels=bf_io->bb",
       "t:2:42: error: the labels are written as in 'b01f_01io->b01f': each "
       "dimension once, spatial ones numbered from 0 on"},
  };
  for (auto [Text, Message] : Cases)
    EXPECT_EQ(errorOf(Text), Message) << Text;
}

} // namespace
