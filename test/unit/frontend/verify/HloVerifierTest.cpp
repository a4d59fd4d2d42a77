//===- HloVerifierTest.cpp - Shapes of every opcode -----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/shapes/HloShapeInference.h"
#include "test/unit/HloTestHelper.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace unravel;

namespace {

/// Operands for the cases, in a computation that ends with the case's
/// instruction.
std::string moduleOf(StringRef Instruction) {
  return R"(
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
addi { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }
less { a = f32[] parameter(0) b = f32[] parameter(1)
       ROOT r = pred[] compare(a, b), direction=LT }
pair { a = f32[] parameter(0) b = s32[] parameter(1) c = f32[] parameter(2)
       d = s32[] parameter(3) ROOT r = (f32[], s32[]) tuple(a, d) }
by { a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2)
     d = s32[] parameter(3) ROOT r = pred[] compare(a, b), direction=LT }
go { t = (f32[4,6], s32[]) parameter(0)
     i = s32[] get-tuple-element(t), index=1
     ROOT r = pred[] compare(i, i), direction=LT }
step { ROOT t = (f32[4,6], s32[]) parameter(0) }
row { a = f32[4,6] parameter(0) b = s32[] parameter(1)
      ROOT r = (f32[4,6], s32[]) tuple(a, b) }
ENTRY main {
f = f32[] parameter(0)
i = s32[] parameter(1)
p = pred[] parameter(2)
f46 = f32[4,6] parameter(3)
i46 = s32[4,6] parameter(4)
p46 = pred[4,6] parameter(5)
c46 = c64[4,6] parameter(6)
u46 = u8[4,6] parameter(7)
h46 = f16[4,6] parameter(8)
f64 = f32[6,4] parameter(9)
t = (f32[4,6], s32[]) parameter(10)
i72 = s32[7,2] parameter(11)
f723 = f32[7,2,3] parameter(12)
f283 = f32[2,8,3] parameter(13)
f335 = f32[3,3,5] parameter(14)
f23 = f32[2,3] parameter(15)
d46 = f64[4,6] parameter(16)
f543 = f32[5,4,3] parameter(17)
i541 = s32[5,2,1] parameter(18)
ROOT z = )" +
         Instruction.str() + "\n}";
}

std::string verify(StringRef Instruction) {
  std::string Error = errorOf(moduleOf(Instruction));
  StringRef Message = Error;
  Message.consume_front("t:36:6: error: instruction 'z' ");
  return Message.str();
}

const char *const Valid[] = {
    "f32[4,6] abs(f46)",
    "f32[4,6] abs(c46)",
    "u32[4,6] bitcast-convert(f46)",
    "u8[4,6,4] bitcast-convert(f46)",
    "s16[7] bitcast-convert(q)",
    "f32[4,6] acos(f46)",
    "f32[4,6] acosh(f46)",
    "f32[4,6] asin(f46)",
    "f32[4,6] asinh(f46)",
    "f32[4,6] atanh(f46)",
    "f32[4,6] cbrt(f46)",
    "f32[4,6] ceil(f46)",
    "bf16[4,6] convert(p46)",
    "c64[4,6] convert(i46)",
    "f32[4,6]{0,1} copy(f46)",
    "c64[4,6] cosh(c46)",
    "f32[4,6] cosine(f46)",
    "u8[4,6] count-leading-zeros(u46)",
    "f32[4,6] erf(f46)",
    "c64[4,6] exponential(c46)",
    "f32[4,6] exponential-minus-one(f46)",
    "f32[4,6] floor(f46)",
    "f32[4,6] imag(c46)",
    "pred[4,6] is-finite(f46)",
    "f32[4,6] log(f46)",
    "f32[4,6] log-plus-one(f46)",
    "f32[4,6] logistic(f46)",
    "s32[4,6] negate(i46)",
    "pred[4,6] not(p46)",
    "s32[4,6] popcnt(i46)",
    "s32[4,6] population-count(i46)",
    "f32[4,6] real(f46)",
    "f32[4,6] reduce-precision(f46), exponent_bits=5, mantissa_bits=0",
    "f32[4,6] round-nearest-afz(f46)",
    "f32[4,6] round-nearest-even(f46)",
    "f32[4,6] rsqrt(f46)",
    "s32[4,6] sign(i46)",
    "f32[4,6] sinh(f46)",
    "f32[4,6] sine(f46)",
    "f32[4,6] sqrt(f46)",
    "f32[4,6] tan(f46)",
    "f16[4,6] tanh(h46)",
    "f32[4,6] add(f46, f46)",
    "pred[4,6] and(p46, p46)",
    "f32[4,6] atan2(f46, f46)",
    "pred[4,6] compare(f46, f46), direction=LE, type=TOTALORDER",
    "pred[4,6] compare(u46, u46), direction=LE, type=UNSIGNED",
    "pred[4,6] compare(c46, c46), direction=NE",
    "c64[4,6] complex(f46, f46)",
    "c128[4,6] complex(d46, d46)",
    "s32[4,6] divide(i46, i46)",
    "pred[4,6] maximum(p46, p46)",
    "f32[4,6] minimum(f46, f46)",
    "f32[4,6] multiply(f46, f46)",
    "s32[4,6] or(i46, i46)",
    "f32[4,6] power(f46, f46)",
    "s32[4,6] remainder(i46, i46)",
    "s32[4,6] shift-left(i46, i46)",
    "s32[4,6] shift-right-arithmetic(i46, i46)",
    "u8[4,6] shift-right-logical(u46, u46)",
    "f32[4,6] subtract(f46, f46)",
    "s32[4,6] xor(i46, i46)",
    "f32[4,6] clamp(f, f46, f46)",
    "f32[4,6] select(p, f46, f46)",
    "f32[4,6] select(p46, f46, f46)",
    "f32[4,6] map(f46, f46), dimensions={0,1}, to_apply=add",
    "pred[4,6] map(f46, f46), to_apply=less",
    "f32[2] constant({1, 2})",
    "c64[3,2] iota(), iota_dimension=1",
    "u32[24] bitcast(f46)",
    "f32[5,6,4] broadcast(f46), dimensions={2,1}",
    "f32[8,6] concatenate(f46, f46), dimensions={0}",
    "f32[7,5] pad(f46, f), padding=-1_1_1x0_-1",
    "f32[3,8] reshape(f46)",
    "f32[4,6] reverse(f46), dimensions={1}",
    "f32[2,0] slice(f46), slice={[0:4:3], [6:6]}",
    "f32[6,4] transpose(f46), dimensions={1,0}",
    "f32[2,6] dynamic-slice(f46, i, i), dynamic_slice_sizes={2,6}",
    "f32[4,6] dynamic-update-slice(f46, f23, i, i)",
    "f32[2,7,3] gather(f46, i72), offset_dims={0,2}, collapsed_slice_dims={}, "
    "start_index_map={1,0}, index_vector_dim=1, slice_sizes={2,3}",
    "f32[7,2,3] gather(f46, i72), offset_dims={2}, collapsed_slice_dims={0}, "
    "start_index_map={0}, index_vector_dim=2, slice_sizes={1,3}",
    "f32[5,2,3] gather(f543, i541), offset_dims={2}, collapsed_slice_dims={1}, "
    "start_index_map={1}, operand_batching_dims={0}, "
    "start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1,3}",
    "f32[4,6] scatter(f46, i72, f723), update_window_dims={1,2}, "
    "inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, "
    "index_vector_dim=1, to_apply=add",
    "f32[2,6,5] convolution(f283, f335), window={size=3}, "
    "dim_labels=b0f_0io->b0f",
    "f32[4,4] dot(f46, f64), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}",
    "f64[4,6,6,4] dot(f46, f64)",
    "f32[6] reduce(f46, f), dimensions={0}, to_apply=add",
    "(f32[4], s32[4]) reduce(f46, i46, f, i), dimensions={1}, to_apply=pair",
    "f32[2,7] reduce-window(f46, f), window={size=2x3 stride=2x1 "
    "pad=1_0x2_1}, to_apply=add",
    "f32[4,6] select-and-scatter(f46, f23, f), window={size=2x2 stride=2x2}, "
    "select=less, scatter=add",
    "f32[4,6] sort(f46), dimensions={1}, to_apply=less",
    "(f32[4,6], s32[4,6]) sort(f46, i46), dimensions={0}, is_stable=true, "
    "to_apply=by",
    "(f32[4,2], s32[4,2]) topk(f46), k=2, largest=true",
    "(f32[4,6], s32[]) conditional(p, t, t), true_computation=step, "
    "false_computation=step",
    "(f32[4,6], s32[]) conditional(i, t), branch_computations={step}",
    "(f32[4,6], s32[]) while(t), condition=go, body=step",
    "(f32[4], u8[7]) custom-call(f46, t), custom_call_target=\"f\"",
    "c64[4,4] fft(f46), fft_type=RFFT, fft_length={6}",
    "(f32[4,6], s32[]) call(f46, i), to_apply=row",
    "(f32[4,6], s32[]) fusion(f46, i), kind=kLoop, calls=row",
    "s32[] get-tuple-element(t), index=1",
    "s32[] opt-barrier(i)",
    "(f32[], (f32[4,6], s32[])) tuple(f, t)",
    "() tuple()",
};

TEST(HloVerifier, Valid) {
  for (StringRef Case : Valid) {
    if (Case.contains("(q)")) // an operand of its own
      EXPECT_EQ(errorOf("q = u8[7,2] parameter(0)\nz = " + Case), "");
    else
      EXPECT_EQ(verify(Case), "") << Case.str();
  }
}

/// Without its shape each of them is the same, if operands tell the shape.
TEST(HloVerifier, OmittedShapes) {
  unsigned Inferred = 0;
  for (StringRef Case : Valid) {
    size_t Begin = Case.starts_with("(")
                       ? Case.find(") ") + 2 // no tuple in a tuple of these
                       : Case.find(' ') + 1;
    StringRef Opcode = Case.substr(Begin).split('(').first;
    StringRef Bare = Case.substr(Case.find((" " + Opcode + "(").str()) + 1);
    if (Case.contains("(q)") || !opcodeNamed(Opcode))
      continue;
    if (!isShapeDetermined(*opcodeNamed(Opcode))) {
      EXPECT_NE(errorOf(moduleOf(Bare)).find("the shape of 'z' is missing"),
                std::string::npos)
          << Bare.str();
      continue;
    }
    bool IsOfTwoTypes = Case.starts_with("f64[4,6,6,4] dot");
    bool HasLayout = Case.contains("copy(");
    if (IsOfTwoTypes || HasLayout)
      continue;
    auto Written = parseModule(moduleOf(Case)),
         Omitted = parseModule(moduleOf(Bare));
    EXPECT_EQ(Omitted->entry().root().shape(), Written->entry().root().shape())
        << Case.str();
    ++Inferred;
  }
  EXPECT_GT(Inferred, 70u);
  EXPECT_EQ(errorOf("a = f32[2,3] parameter(0) b = f16[3,2] parameter(1)\n"
                    "c = dot(a, b), lhs_contracting_dims={1}, "
                    "rhs_contracting_dims={0}"),
            "t:2:1: error: the operands have different types; write the shape "
            "of the result");
  EXPECT_EQ(errorOf("a = f32[2,3] parameter(0) b = f32[3,2] parameter(1)\n"
                    "c = add(a, b)"),
            "t:2:1: error: instruction 'c' (add): the operands 'a' f32[2,3] "
            "and 'b' f32[3,2] have different shapes; broadcast or convert one "
            "of them");
}

/// The set of numbers only grows.
TEST(HloVerifier, TypesOfProducts) {
  const char *Types[] = {"pred", "s8", "u64", "f16", "f64", "c64"};
  const char *Fits[] = {"+-----", "-+++++", "-+++++",
                        "---+++", "---+++", "-----+"};
  for (auto [From, Row] : zip(Types, Fits))
    for (auto [To, Fit] : zip(Types, StringRef(Row))) {
      std::string Text = (Twine("a = ") + From + "[3] parameter(0)\nd = " + To +
                          "[] dot(a, a), lhs_contracting_dims={0}, "
                          "rhs_contracting_dims={0}")
                             .str();
      EXPECT_EQ(errorOf(Text).empty(), Fit == '+') << Text;
    }
}

/// Above is every opcode but parameter, which is in all of them.
TEST(HloVerifier, EveryOpcodeHasACase) {
  StringSet<> Seen;
  for (StringRef Case : Valid) {
    StringRef Before = Case.split("(").first;
    if (Case.starts_with("(")) // a tuple's shape is in front
      Before = Case.substr(Case.find(") ") + 1);
    if (Case.starts_with("(f32[], (")) // and this one's is nested
      Before = "tuple";
    Seen.insert(Before.split("(").first.trim().rsplit(' ').second.empty()
                    ? Before.split("(").first.trim()
                    : Before.split("(").first.trim().rsplit(' ').second);
  }
#define HLO_OP(Enum, Name, Operands, Class)                                    \
  EXPECT_TRUE(HloOpcode::Enum == HloOpcode::Parameter || Seen.contains(Name))  \
      << Name;
#include "frontend/hlo/HloOpcodes.def"
}

/// Each valid case with another written shape is an error of the verifier, or
/// of the rule that reads the written shape.
TEST(HloVerifier, WrongShapes) {
  for (StringRef Case : Valid) {
    if (Case.contains("(q)") || Case.contains("constant(") ||
        Case.contains("iota(") || Case.contains("custom-call(") ||
        Case.contains("fft("))
      continue; // the parser reads the literal by its shape; any iota is right,
                // and a library may yield anything
    size_t Space = 0;
    for (unsigned Depth = 0; Case[Space] != ' ' || Depth > 0; ++Space)
      Depth += Case[Space] == '(' ? 1 : Case[Space] == ')' ? -1 : 0;
    for (StringRef Shape : {"f32[4,7,1]", "s64[4,6,5]", "(f32[4,6])",
                            "f8e5m2[4,7]", "pred[]", "c128[0]"}) {
      std::string Text = (Shape + Case.substr(Space)).str();
      EXPECT_NE(verify(Text), "") << Text;
    }
  }
}

TEST(HloVerifier, TheErrorNamesBothShapes) {
  EXPECT_EQ(verify("f32[4,7] negate(f46)"),
            "(negate): the shape is written f32[4,7], but operands and "
            "attributes make it f32[4,6]; correct either");
}

TEST(HloVerifier, Errors) {
  const std::pair<const char *, const char *> Cases[] = {
      {"pred[4,6] negate(p46)",
       "(negate): negate is not defined for pred, only for integers, floats, "
       "complex numbers; convert the operand"},
      {"f32[4,6] sort(f46), dimensions={0,1}, to_apply=less",
       "(sort): dimensions= has 2 numbers; write the one dimension to sort "
       "along"},
      {"f32[4,6] sort(f46), dimensions={2}, to_apply=less",
       "(sort): dimensions= has 2, but there are 2 dimensions, numbered from 0 "
       "on"},
      {"f32[4,6] sort(f46), dimensions={1}, to_apply=add",
       "(sort): 'add' yields f32[], but has to yield pred[]"},
      {"(f32[4,6], f32[6,4]) sort(f46, f64), dimensions={1}, to_apply=by",
       "(sort): the operands 'f46' and 'f64' have different dimensions"},
      {"() sort(), dimensions={0}, to_apply=less",
       "(sort): takes at least one operand"},
      {"(f32[4,7], s32[4,7]) topk(f46), k=7",
       "(topk): k=7 of a dimension with 6 elements"},
      {"(c64[4,1], s32[4,1]) topk(c46), k=1",
       "(topk): takes an array of numbers that have an order, with at least "
       "one dimension"},
      {"f32[4,6] select-and-scatter(f46, f46, f), window={size=2x2 "
       "stride=2x2}, select=less, scatter=add",
       "(select-and-scatter): the source 'f46' is f32[4,6]; the window fits "
       "the operand in other numbers of places"},
      {"f32[4,6] select-and-scatter(f46, f23, f), window={size=2x2 "
       "stride=2x2 rhs_dilate=2x1}, select=less, scatter=add",
       "(select-and-scatter): the window has dilations or reversals, which "
       "this operation has no meaning for; leave them out"},
      {"f32[4,6] select-and-scatter(f46, f23, i), window={size=2x2 "
       "stride=2x2}, select=less, scatter=add",
       "(select-and-scatter): the source and the initial value, a scalar, have "
       "to have the operand's elements, f32"},
      {"f32[4,6] select-and-scatter(f46, f23, f), window={size=2x2 "
       "stride=2x2}, select=add, scatter=add",
       "(select-and-scatter): 'add' yields f32[], but has to yield pred[]"},
      {"f32[4,6] while(f46), condition=go, body=step",
       "(while): the parameter of 'go' is (f32[4,6], s32[]), but gets "
       "f32[4,6]"},
      {"(f32[4,6], s32[]) while(t), condition=step, body=step",
       "(while): 'step' yields (f32[4,6], s32[]), but has to yield pred[]"},
      {"f32[] while(f), condition=add, body=add",
       "(while): 'add' has 2 parameters; it has to have one, a tuple if there "
       "are several arrays"},
      {"(f32[4,6], s32[]) conditional(p, t), branch_computations={step}",
       "(conditional): pred[] chooses between two branches, found 1"},
      {"(f32[4,6], s32[]) conditional(f, t), branch_computations={step}",
       "(conditional): what chooses is f32[]; it has to be pred[] or s32[]"},
      {"(f32[4,6], s32[]) conditional(i, t, t), branch_computations={step}",
       "(conditional): takes what chooses and an operand for each of 1 "
       "branches, found 3 operands"},
      {"f32[4,6] add(f46, f64)",
       "(add): the operands 'f46' f32[4,6] and 'f64' f32[6,4] have different "
       "shapes; broadcast or convert one of them"},
      {"f32[4,6] add(f46, f)",
       "(add): the operands 'f46' f32[4,6] and 'f' f32[] have different "
       "shapes; broadcast or convert one of them"},
      {"f32[4,6] convert(c46)", "(convert): a complex number does not convert "
                                "to f32; take real or imag"},
      {"f64[4] bitcast-convert(f46)",
       "(bitcast-convert): the last dimension of the operand has to be 2, as "
       "many f32 as one f64 has"},
      {"pred[4,6] compare(c46, c46), direction=LT",
       "(compare): complex numbers have no order; only EQ and NE are defined "
       "for them"},
      {"pred[4,6] compare(i46, i46), direction=LT, type=FLOAT",
       "(compare): type=FLOAT does not fit operands of type s32; leave it out"},
      {"c64[4,6] complex(h46, h46)",
       "(complex): the parts of a complex number are f32 or f64, not f16"},
      {"f32[4,6] reduce-precision(f46), exponent_bits=0, mantissa_bits=0",
       "(reduce-precision): exponent_bits has to be 1 or more, mantissa_bits 0 "
       "or more"},
      {"f32[4,6] clamp(i, f46, f)",
       "(clamp): the bound 'i' is s32[]; it has to be a scalar f32 or "
       "f32[4,6]"},
      {"f32[4,6] select(i46, f46, f46)",
       "(select): the predicate 'i46' is s32[4,6]; it has to be a scalar pred "
       "or one with the dimensions of f32[4,6]"},
      {"f32[4,6] map(f46, f46), dimensions={1,0}, to_apply=add",
       "(map): dimensions= of map has to be all the dimensions in order"},
      {"f32[4,6] map(f46), to_apply=add",
       "(map): 'add' has 2 parameters, but gets 1"},
      {"f32[4,6] map(f46, i46), to_apply=add",
       "(map): parameter 1 of 'add' is f32[], but gets s32[]"},
      {"pred[4] iota(), iota_dimension=0",
       "(iota): an iota is an array of numbers"},
      {"f32[4] iota(), iota_dimension=1",
       "(iota): iota_dimension has 1, but there are 1 dimensions, numbered "
       "from 0 on"},
      {"f16[24] bitcast(f46)",
       "(bitcast): the elements of the operand are f32, those of the result "
       "f16; they need the same number of bits"},
      {"s32[24] reshape(f46)",
       "(reshape): the elements of the operand are f32, those of the result "
       "s32; a reshape does not change them, convert does"},
      {"f32[25] reshape(f46)", "(reshape): the operand has 24 elements, the "
                               "result 25; both need the same number"},
      {"f32[4,6,5] broadcast(f46), dimensions={1,0}",
       "(broadcast): dimension 0 of the operand has 4 elements, but dimension "
       "1 of the result, to which it goes, 6"},
      {"f32[4,6] broadcast(f46), dimensions={0,0}",
       "(broadcast): dimensions= has 0 twice; write each dimension once"},
      {"f32[4,6] broadcast(f46), dimensions={0}",
       "(broadcast): dimensions= has 1 numbers, but the operand has 2 "
       "dimensions; each goes to one of the result"},
      {"f32[4,12] concatenate(f46, f64), dimensions={1}",
       "(concatenate): the operand 'f64' is f32[6,4], which differs from 'f46' "
       "f32[4,6] in more than dimension 1"},
      {"f32[4,12] concatenate(f46, i46), dimensions={1}",
       "(concatenate): the operand 'i46' is s32[4,6], which differs from 'f46' "
       "f32[4,6] in more than dimension 1"},
      {"f32[] concatenate(), dimensions={1}",
       "(concatenate): concatenate takes one operand or more"},
      {"f32[4,6] transpose(f46), dimensions={0,2}",
       "(transpose): dimensions= has 2, but there are 2 dimensions, numbered "
       "from 0 on"},
      {"f32[4,6] reverse(f46), dimensions={-1}",
       "(reverse): dimensions= has -1, but there are 2 dimensions, numbered "
       "from 0 on"},
      {"f32[4,6] slice(f46), slice={[0:5], [0:6]}",
       "(slice): the range [0:5:1] of dimension 0 is not inside of its 4 "
       "elements with a positive stride"},
      {"f32[4,6] slice(f46), slice={[0:4:0], [0:6]}",
       "(slice): the range [0:4:0] of dimension 0 is not inside of its 4 "
       "elements with a positive stride"},
      {"f32[4,6] slice(f46), slice={[0:4]}",
       "(slice): slice= has 1 ranges, but the operand has 2 dimensions"},
      {"f32[4,6] pad(f46, f), padding=-5_0x0_0",
       "(pad): the padding makes dimension 0 negative"},
      {"f32[4,6] pad(f46, f), padding=0_0_-1x0_0",
       "(pad): the padding of dimension 0 is too large, or negative between "
       "elements"},
      {"f32[4,6] pad(f46, f), "
       "padding=0_0_2305843009213693952x-9223372036854775808_0",
       "(pad): the padding makes dimension 0 too large"},
      {"f32[4,6] pad(f46, i), padding=0_0x0_0",
       "(pad): the padding value is s32[]; it has to be a scalar f32"},
      {"f32[4,6] dynamic-slice(f46, i), dynamic_slice_sizes={4,6}",
       "(dynamic-slice): needs a start index for each of the 2 dimensions, "
       "found 1"},
      {"f32[4,6] dynamic-slice(f46, i, f), dynamic_slice_sizes={4,6}",
       "(dynamic-slice): the start index 'f' is f32[]; it has to be a scalar "
       "integer, one for each dimension"},
      {"f32[5,6] dynamic-slice(f46, i, i), dynamic_slice_sizes={5,6}",
       "(dynamic-slice): dynamic_slice_sizes= has size 5 in dimension 0, where "
       "the operand has 4"},
      {"f32[4,6] dynamic-update-slice(f46, f64, i, i)",
       "(dynamic-update-slice): the update has size 6 in dimension 0, where "
       "the operand has 4"},
      {"f32[2,7,3] gather(f46, i72), offset_dims={2,0}, "
       "collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=1, "
       "slice_sizes={2,3}",
       "(gather): offset_dims= is not in ascending order; sort it"},
      {"f32[2,7,3] gather(f46, i72), offset_dims={0,2}, "
       "collapsed_slice_dims={}, start_index_map={1}, index_vector_dim=1, "
       "slice_sizes={2,3}",
       "(gather): start_index_map= has 1 numbers, but the index vectors have "
       "2"},
      {"f32[2,7,3] gather(f46, i72), offset_dims={0}, "
       "collapsed_slice_dims={1}, start_index_map={1,0}, index_vector_dim=1, "
       "slice_sizes={2,3}",
       "(gather): slice_sizes= has 3 for the collapsed or batching dimension "
       "1; it has to be 1"},
      {"f32[2,7,3] gather(f46, f46), offset_dims={0,2}, "
       "collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=1, "
       "slice_sizes={2,3}",
       "(gather): the indices are f32[4,6]; they have to be integers"},
      {"f32[2,7,3] gather(f46, i72), offset_dims={0,2}, "
       "collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=3, "
       "slice_sizes={2,3}",
       "(gather): index_vector_dim=3 is not in the range 0 to 2"},
      {"f32[5,2,3] gather(f543, i541), offset_dims={2}, "
       "collapsed_slice_dims={1}, start_index_map={0}, "
       "operand_batching_dims={0}, start_indices_batching_dims={0}, "
       "index_vector_dim=2, slice_sizes={1,1,3}",
       "(gather): dimension 0 is in operand_batching_dims= and also in "
       "collapsed_slice_dims= or start_index_map="},
      {"f32[4,6] scatter(f46, i72, f46), update_window_dims={1,2}, "
       "inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, "
       "index_vector_dim=1, to_apply=add",
       "(scatter): the update 'f46' has 2 dimensions, but needs 1 for the "
       "indices and 2 in update_window_dims="},
      {"f32[2,3] scatter(f23, i72, f723), update_window_dims={0,2}, "
       "inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, "
       "index_vector_dim=1, to_apply=add",
       "(scatter): dimension 0 of the update 'f723' is larger than dimension 0 "
       "of the operand, to which it belongs"},
      {"f32[4,6] scatter(f46, i72, f723), update_window_dims={1,2}, "
       "inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, "
       "index_vector_dim=1, to_apply=addi",
       "(scatter): parameter 0 of 'addi' is s32[], but gets f32[]"},
      {"f32[4,6] scatter(f46, i72), update_window_dims={1,2}, "
       "inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, "
       "index_vector_dim=1, to_apply=add",
       "(scatter): takes operands, indices, and as many updates as operands, "
       "found 2 altogether"},
      {"f32[6] reduce(f46, i), dimensions={0}, to_apply=add",
       "(reduce): the initial value 'i' is s32[]; it has to be a scalar f32"},
      {"f32[6] reduce(f46), dimensions={0}, to_apply=add",
       "(reduce): takes operands and as many initial values, found an odd "
       "number, or none"},
      {"f32[6] reduce(f46, f), dimensions={0}, to_apply=less",
       "(reduce): 'less' yields pred[], but has to yield f32[]"},
      {"f32[6] reduce(f46, f), dimensions={2}, to_apply=add",
       "(reduce): dimensions= has 2, but there are 2 dimensions, numbered from "
       "0 on"},
      {"f32[4,6] reduce-window(f46, f), window={size=1}, to_apply=add",
       "(reduce-window): the window has 1 dimensions, the operand 2"},
      {"f32[4,6] reduce-window(f46, f), window={size=0x1}, to_apply=add",
       "(reduce-window): size, stride and dilations of the window have to be "
       "positive, but are not in dimension 0"},
      {"f32[4,6] reduce-window(f46, f), window={size=1x1 "
       "lhs_dilate=1x9223372036854775807}, to_apply=add",
       "(reduce-window): the window of dimension 1 is too large"},
      {"f32[4,4] dot(f46, f64), lhs_contracting_dims={0}, "
       "rhs_contracting_dims={0}",
       "(dot): dimension 0 of the left operand has 4 elements, dimension 0 of "
       "the right one, which belongs to it, 6"},
      {"f32[4,4] dot(f46, f64), lhs_contracting_dims={0}",
       "(dot): the operands have different numbers of batch or contracting "
       "dimensions"},
      {"s32[4,4] dot(f46, f64), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}",
       "(dot): the operand 'f46' is f32[4,6], the result s32; convert the "
       "operand"},
      {"f32[2,6,5] convolution(f283, f335), window={size=2}, "
       "dim_labels=b0f_0io->b0f",
       "(convolution): the window has size 2 in spatial dimension 0, the "
       "kernel 3"},
      {"f32[2,6,5] convolution(f283, f335), window={size=3}, "
       "dim_labels=b0f_0io->b0f, feature_group_count=3",
       "(convolution): the input has 3 features in 3 groups, but the kernel "
       "takes 3 for each group"},
      {"f32[2,6,5] convolution(f283, f335), dim_labels=b0f_0io->b0f",
       "(convolution): dim_labels= has 1 spatial dimensions, the operands 3 "
       "and 3 dimensions (two are not spatial), the window 0"},
      {"(f32[4,6], s32[]) call(f46), to_apply=row",
       "(call): 'row' has 2 parameters, but gets 1 operands"},
      {"(f32[4,6], s32[]) fusion(f64, i), kind=kLoop, calls=row",
       "(fusion): parameter 0 of 'row' is f32[4,6], but the operand 'f64' is "
       "f32[6,4]"},
      {"s32[] get-tuple-element(t), index=2",
       "(get-tuple-element): index=2 of a tuple with 2 elements"},
      {"s32[] get-tuple-element(i), index=0",
       "(get-tuple-element): the operand 'i' is no tuple"},
      {"f32[4,6] negate(t)", "(negate): the operand 't' is a tuple; take an "
                             "element of it with get-tuple-element"},
  };
  for (auto [Instruction, Message] : Cases)
    EXPECT_EQ(verify(Instruction), Message) << Instruction;
}

} // namespace
