//===- HloAttributeParser.cpp - Attributes of instructions ----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloAttributeParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Of a conditional, instead of one attribute for each branch.
static constexpr StringLiteral BranchList = "branch_computations";

static Error assign(Expected<HloNumbers> Value, HloNumbers &To) {
  if (!Value)
    return Value.takeError();
  To = std::move(*Value);
  return Error::success();
}
static Error assign(Expected<int64_t> Value, int64_t &To) {
  if (!Value)
    return Value.takeError();
  To = *Value;
  return Error::success();
}
static Error assign(Expected<bool> Value, bool &To) {
  if (!Value)
    return Value.takeError();
  To = *Value;
  return Error::success();
}

static Error parseDirection(HloLexer &Lexer, HloCompare &Compare) {
  std::optional<HloDirection> Direction = directionNamed(Lexer.peek().Text);
  if (!Direction)
    return Lexer.unexpected("one of EQ, NE, GE, GT, LE, LT");
  Lexer.next();
  Compare.Direction = *Direction;
  return Error::success();
}

static Error parseCompareType(HloLexer &Lexer, HloCompare &Compare) {
  Compare.Type = compareTypeNamed(Lexer.peek().Text);
  if (!Compare.Type)
    return Lexer.unexpected("one of FLOAT, TOTALORDER, SIGNED, UNSIGNED");
  Lexer.next();
  return Error::success();
}

/// The text between the quotes.
static Error parseTarget(HloLexer &Lexer, HloCustomCall &Call) {
  size_t Begin = Lexer.peek().Offset;
  Expected<StringRef> Value = Lexer.takeValue();
  if (!Value)
    return Value.takeError();
  StringRef Name = *Value;
  if (!Name.consume_front("\"") || !Name.consume_back("\""))
    return Lexer.error(Begin, "the target is written in quotes, as in "
                              "'custom_call_target=\"name\"'");
  Call.Target = Name.str();
  return Error::success();
}

static Error parseFusionKind(HloLexer &Lexer, HloFusion &Fusion) {
  static constexpr StringLiteral Kinds[] = {"kLoop", "kInput", "kOutput",
                                            "kCustom"};
  if (!is_contained(Kinds, Lexer.peek().Text))
    return Lexer.unexpected("one of kLoop, kInput, kOutput, kCustom");
  Fusion.Kind = Lexer.next().Text.str();
  return Error::success();
}

/// `{[0:10:2], [3:5]}`
static Error parseSlice(HloLexer &Lexer, HloSlice &Slice) {
  if (Error E = Lexer.expect("{", "before the ranges of the slice"))
    return E;
  if (Lexer.consumeIf("}"))
    return Error::success();
  do {
    HloSliceDimension D;
    if (Error E = Lexer.expect("[", "before a range, as in '[0:10:2]'"))
      return E;
    if (Error E = assign(Lexer.parseInteger("the start of a range"), D.Start))
      return E;
    if (Error E = Lexer.expect(":", "and the limit of the range"))
      return E;
    if (Error E = assign(Lexer.parseInteger("the limit of a range"), D.Limit))
      return E;
    if (Lexer.consumeIf(":"))
      if (Error E =
              assign(Lexer.parseInteger("the stride of a range"), D.Stride))
        return E;
    if (Error E = Lexer.expect("]", "behind a range"))
      return E;
    Slice.Dimensions.push_back(D);
  } while (Lexer.consumeIf(","));
  return Lexer.expect("}", "behind the ranges of the slice");
}

/// The numbers of `1_4_1x4_8_0`: outer lists by 'x', inner ones by '_'. Empty
/// if it is not like this.
static std::vector<HloNumbers> splitWord(StringRef Word) {
  std::vector<HloNumbers> Lists;
  for (StringRef Part : split(Word, 'x')) {
    HloNumbers &Numbers = Lists.emplace_back();
    for (StringRef Digits : split(Part, '_'))
      if (Digits.getAsInteger(10, Numbers.emplace_back()))
        return {};
  }
  return Lists;
}

/// `1_4_1x4_8`: low, high, and interior if it is there.
static Error parsePadding(HloLexer &Lexer, HloPad &Pad) {
  size_t Begin = Lexer.peek().Offset;
  StringRef Word = Lexer.takeWord();
  if (Word.empty()) // of a scalar
    return Error::success();
  for (const HloNumbers &Numbers : splitWord(Word)) {
    if (Numbers.size() != 2 && Numbers.size() != 3) {
      Pad.Dimensions.clear();
      break;
    }
    Pad.Dimensions.push_back(
        {Numbers[0], Numbers[1], Numbers.size() == 3 ? Numbers[2] : 0});
  }
  if (Pad.Dimensions.empty())
    return Lexer.error(Begin, "the padding is written low_high or "
                              "low_high_interior for each dimension, joined "
                              "by 'x', as in '1_4_1x4_8'");
  return Error::success();
}

/// Sets what the field \p Name of a window says of one dimension. Returns
/// false if the numbers do not fit.
static bool setWindowField(HloWindowDimension &D, StringRef Name,
                           ArrayRef<int64_t> Numbers) {
  if (Name == "pad") {
    if (Numbers.size() != 2)
      return false;
    D.PadLow = Numbers[0];
    D.PadHigh = Numbers[1];
    return true;
  }
  if (Numbers.size() != 1)
    return false;
  int64_t Value = Numbers[0];
  if (Name == "rhs_reversal") {
    D.Reversal = Value != 0;
    return Value == 0 || Value == 1;
  }
  int64_t &Field = Name == "size"         ? D.Size
                   : Name == "stride"     ? D.Stride
                   : Name == "lhs_dilate" ? D.BaseDilation
                                          : D.WindowDilation;
  Field = Value;
  return true;
}

/// `{size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_dilate=1x1
/// rhs_reversal=0x0}`; the size comes first and says how many dimensions.
static Error parseWindow(HloLexer &Lexer, HloWindow &Window) {
  static constexpr StringLiteral Names[] = {
      "size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  if (Error E = Lexer.expect("{", "before the window"))
    return E;
  SmallVector<StringRef, 6> Seen;
  while (!Lexer.consumeIf("}")) {
    StringRef Name = Lexer.peek().Text;
    if (!is_contained(Names, Name))
      return Lexer.unexpected("'}' or one of " +
                              join(std::begin(Names), std::end(Names), ", ") +
                              " in the window");
    if (is_contained(Seen, Name))
      return Lexer.error("the window has '" + Name + "' twice; remove one");
    if (Seen.empty() && Name != "size")
      return Lexer.error("a window begins with 'size=', as in "
                         "'window={size=3x3 stride=2x2}'");
    Seen.push_back(Name);
    Lexer.next();
    if (Error E = Lexer.expect("=", ("behind '" + Name + "'").str()))
      return E;
    size_t Begin = Lexer.peek().Offset;
    std::vector<HloNumbers> Lists = splitWord(Lexer.takeWord());
    if (Name == "size")
      Window.resize(Lists.size());
    bool Fits = !Lists.empty() && Lists.size() == Window.size();
    for (size_t I = 0; Fits && I < Lists.size(); ++I)
      Fits = setWindowField(Window[I], Name, Lists[I]);
    if (!Fits)
      return Lexer.error(Begin,
                         "'" + Name + "' of the window is not " +
                             (Name == "pad" ? "a pair low_high" : "a number") +
                             " for each dimension, joined by 'x'");
  }
  return Error::success();
}

/// One part of `b01f_01io->b01f`: the letters \p Batch and \p Feature and the
/// spatial digits, each once.
static bool parseLabels(StringRef Part, char Batch, char Feature,
                        HloConvolutionLabels &Labels) {
  if (Part.size() < 2 || Part.size() > 12) // ten digits
    return false;
  Labels.Batch = Labels.Feature = -1;
  Labels.Spatial.assign(Part.size() - 2, -1);
  for (size_t I = 0; I < Part.size(); ++I) {
    size_t Digit = Part[I] - '0';
    int64_t *Place = Part[I] == Batch                ? &Labels.Batch
                     : Part[I] == Feature            ? &Labels.Feature
                     : Digit < Labels.Spatial.size() ? &Labels.Spatial[Digit]
                                                     : nullptr;
    if (!Place || *Place >= 0)
      return false;
    *Place = I;
  }
  return true;
}

static Error parseDimensionLabels(HloLexer &Lexer, HloConvolution &C) {
  size_t Begin = Lexer.peek().Offset;
  auto [Inputs, Output] = Lexer.takeWord().split("->");
  auto [Input, Kernel] = Inputs.split('_');
  if (!parseLabels(Input, 'b', 'f', C.Input) ||
      !parseLabels(Kernel, 'i', 'o', C.Kernel) ||
      !parseLabels(Output, 'b', 'f', C.Output) ||
      C.Input.Spatial.size() != C.Kernel.Spatial.size() ||
      C.Input.Spatial.size() != C.Output.Spatial.size())
    return Lexer.error(Begin, "the labels are written as in "
                              "'b01f_01io->b01f': each dimension once, spatial "
                              "ones numbered from 0 on");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
struct AttributeRule {
  HloOpcode Opcode;
  StringLiteral Name;
  bool IsRequired;
  Error (*Parse)(HloLexer &, HloAttributes &);
};
} // namespace

/// A parser of the field FIELD of the struct TYPE.
#define NUMBERS(TYPE, FIELD, NAME)                                             \
  [](HloLexer &L, HloAttributes &A) {                                          \
    return assign(L.parseNumbers(NAME), std::get<TYPE>(A).FIELD);              \
  }
#define INTEGER(TYPE, FIELD, NAME)                                             \
  [](HloLexer &L, HloAttributes &A) {                                          \
    return assign(L.parseInteger(NAME), std::get<TYPE>(A).FIELD);              \
  }
#define FLAG(TYPE, FIELD, NAME)                                                \
  [](HloLexer &L, HloAttributes &A) {                                          \
    return assign(L.parseBool(NAME), std::get<TYPE>(A).FIELD);                 \
  }
#define WITH(FUNCTION, TYPE, FIELD)                                            \
  [](HloLexer &L, HloAttributes &A) {                                          \
    return FUNCTION(L, std::get<TYPE>(A) FIELD);                               \
  }
#define DIMENSIONS(OPCODE, REQUIRED)                                           \
  {HloOpcode::OPCODE, "dimensions", REQUIRED,                                  \
   NUMBERS(HloDimensions, Dimensions, "the dimensions")}

static const AttributeRule Rules[] = {
    DIMENSIONS(Broadcast, false), // of a scalar, which has none
    DIMENSIONS(Concatenate, true),
    DIMENSIONS(Map, false),
    DIMENSIONS(Reduce, true),
    DIMENSIONS(Reverse, true),
    DIMENSIONS(Transpose, true),
    {HloOpcode::Iota, "iota_dimension", true,
     INTEGER(HloIota, Dimension, "the dimension")},
    {HloOpcode::Compare, "direction", true, WITH(parseDirection, HloCompare, )},
    {HloOpcode::Compare, "type", false, WITH(parseCompareType, HloCompare, )},
    {HloOpcode::ReducePrecision, "exponent_bits", true,
     INTEGER(HloReducePrecision, ExponentBits, "the number of bits")},
    {HloOpcode::ReducePrecision, "mantissa_bits", true,
     INTEGER(HloReducePrecision, MantissaBits, "the number of bits")},
    {HloOpcode::Slice, "slice", true, WITH(parseSlice, HloSlice, )},
    {HloOpcode::Pad, "padding", true, WITH(parsePadding, HloPad, )},
    {HloOpcode::ReduceWindow, "window", true,
     WITH(parseWindow, HloReduceWindow, .Window)},
    {HloOpcode::Convolution, "window", false,
     WITH(parseWindow, HloConvolution, .Window)},
    {HloOpcode::Convolution, "dim_labels", true,
     WITH(parseDimensionLabels, HloConvolution, )},
    {HloOpcode::Convolution, "feature_group_count", false,
     INTEGER(HloConvolution, FeatureGroupCount, "the number of groups")},
    {HloOpcode::Convolution, "batch_group_count", false,
     INTEGER(HloConvolution, BatchGroupCount, "the number of groups")},
    {HloOpcode::Dot, "lhs_batch_dims", false,
     NUMBERS(HloDot, LhsBatch, "the dimensions")},
    {HloOpcode::Dot, "lhs_contracting_dims", false,
     NUMBERS(HloDot, LhsContracting, "the dimensions")},
    {HloOpcode::Dot, "rhs_batch_dims", false,
     NUMBERS(HloDot, RhsBatch, "the dimensions")},
    {HloOpcode::Dot, "rhs_contracting_dims", false,
     NUMBERS(HloDot, RhsContracting, "the dimensions")},
    {HloOpcode::Gather, "offset_dims", true,
     NUMBERS(HloGather, OffsetDims, "the dimensions")},
    {HloOpcode::Gather, "collapsed_slice_dims", true,
     NUMBERS(HloGather, CollapsedSliceDims, "the dimensions")},
    {HloOpcode::Gather, "start_index_map", true,
     NUMBERS(HloGather, StartIndexMap, "the dimensions")},
    {HloOpcode::Gather, "operand_batching_dims", false,
     NUMBERS(HloGather, OperandBatchingDims, "the dimensions")},
    {HloOpcode::Gather, "start_indices_batching_dims", false,
     NUMBERS(HloGather, StartIndicesBatchingDims, "the dimensions")},
    {HloOpcode::Gather, "index_vector_dim", true,
     INTEGER(HloGather, IndexVectorDim, "the dimension")},
    {HloOpcode::Gather, "slice_sizes", true,
     NUMBERS(HloGather, SliceSizes, "the sizes")},
    {HloOpcode::Gather, "indices_are_sorted", false,
     FLAG(HloGather, IndicesAreSorted, "indices_are_sorted")},
    {HloOpcode::Scatter, "update_window_dims", true,
     NUMBERS(HloScatter, UpdateWindowDims, "the dimensions")},
    {HloOpcode::Scatter, "inserted_window_dims", true,
     NUMBERS(HloScatter, InsertedWindowDims, "the dimensions")},
    {HloOpcode::Scatter, "scatter_dims_to_operand_dims", true,
     NUMBERS(HloScatter, ScatterDimsToOperandDims, "the dimensions")},
    {HloOpcode::Scatter, "input_batching_dims", false,
     NUMBERS(HloScatter, InputBatchingDims, "the dimensions")},
    {HloOpcode::Scatter, "scatter_indices_batching_dims", false,
     NUMBERS(HloScatter, ScatterIndicesBatchingDims, "the dimensions")},
    {HloOpcode::Scatter, "index_vector_dim", true,
     INTEGER(HloScatter, IndexVectorDim, "the dimension")},
    {HloOpcode::Scatter, "indices_are_sorted", false,
     FLAG(HloScatter, IndicesAreSorted, "indices_are_sorted")},
    {HloOpcode::Scatter, "unique_indices", false,
     FLAG(HloScatter, UniqueIndices, "unique_indices")},
    {HloOpcode::DynamicSlice, "dynamic_slice_sizes", true,
     NUMBERS(HloDynamicSlice, Sizes, "the sizes")},
    {HloOpcode::GetTupleElement, "index", true,
     INTEGER(HloTupleIndex, Index, "the index")},
    {HloOpcode::Fusion, "kind", true, WITH(parseFusionKind, HloFusion, )},
    {HloOpcode::SelectAndScatter, "window", true,
     WITH(parseWindow, HloSelectAndScatter, .Window)},
    {HloOpcode::Sort, "dimensions", true,
     NUMBERS(HloSort, Dimensions, "the dimensions")},
    {HloOpcode::Sort, "is_stable", false, FLAG(HloSort, IsStable, "is_stable")},
    {HloOpcode::TopK, "k", true, INTEGER(HloTopK, K, "the number of elements")},
    {HloOpcode::TopK, "largest", false, FLAG(HloTopK, Largest, "largest")},
    {HloOpcode::CustomCall, "custom_call_target", true,
     WITH(parseTarget, HloCustomCall, )},
};

#undef NUMBERS
#undef INTEGER
#undef FLAG
#undef WITH
#undef DIMENSIONS

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Attributes that are dropped without a warning.
static bool isSilent(StringRef Name) {
  return is_contained({"metadata", "backend_config", "frontend_attributes",
                       "sharding", "parameter_replication", "origin",
                       "async_execution_thread"},
                      Name);
}

static bool hasRule(const HloInstruction &I, const AttributeRule &Rule) {
  const auto *Call = I.attributesIf<HloCustomCall>();
  return Rule.Opcode == I.opcode() && !(Call && Call->IsOperation);
}

Error HloAttributeParser::parse(HloInstruction &I) {
  HloAttributes Attributes = I.attributes();
  SmallVector<StringRef, 8> Seen;
  size_t Begin = Lexer.peek().Offset;
  while (Lexer.consumeIf(","))
    if (Error E = parseOne(I, Attributes, Seen))
      return E;
  return finish(I, std::move(Attributes), Seen, Begin);
}

Error HloAttributeParser::parseNone(HloInstruction &I) {
  return finish(I, I.attributes(), {}, Lexer.peek().Offset,
                "; an operation in the place of an operand has none, so give "
                "it an instruction of its own");
}

/// Sets the attributes of \p I; those \p Seen were written from \p Begin on.
Error HloAttributeParser::finish(HloInstruction &I, HloAttributes Attributes,
                                 ArrayRef<StringRef> Seen, size_t Begin,
                                 StringRef Remedy) {
  auto Missing = [&](StringRef Name) {
    return Lexer.error(Begin, "'" + I.name() + "': " + nameOf(I.opcode()) +
                                  " needs the attribute '" + Name + "='" +
                                  Remedy);
  };
  for (const AttributeRule &Rule : Rules)
    if (hasRule(I, Rule) && Rule.IsRequired && !is_contained(Seen, Rule.Name))
      return Missing(Rule.Name);
  ArrayRef<StringLiteral> Names = calleeAttributesOf(I.opcode());
  if (I.opcode() != HloOpcode::Conditional || !is_contained(Seen, BranchList))
    for (StringLiteral Callee : Names)
      if (!is_contained(Seen, Callee))
        return Missing(Callee);
  if (Callees.empty() && !Names.empty())
    return Missing(Names.front()); // of branch_computations={}
  I.setCallees(Callees);
  I.setAttributes(std::move(Attributes));
  return Error::success();
}

Error HloAttributeParser::parseOne(HloInstruction &I, HloAttributes &Attributes,
                                   SmallVectorImpl<StringRef> &Seen) {
  size_t Begin = Lexer.peek().Offset;
  Expected<StringRef> Name = Lexer.parseName("the name of an attribute");
  if (!Name)
    return Name.takeError();
  if (I.opcode() == HloOpcode::Call && *Name == "calls") // of async-start
    Name = StringRef("to_apply");
  if (is_contained(Seen, *Name))
    return Lexer.error(Begin, "'" + I.name() + "' has the attribute '" + *Name +
                                  "' twice; remove one");
  constexpr size_t MaxAttributes = 100; // Seen is searched from end to end
  if (Seen.size() == MaxAttributes)
    return Lexer.error(Begin, "'" + I.name() + "' has more than " +
                                  Twine(MaxAttributes) + " attributes");
  Seen.push_back(*Name);
  if (Error E = Lexer.expect("=", "behind the name of an attribute"))
    return E;
  ArrayRef<StringLiteral> Names = calleeAttributesOf(I.opcode());
  bool IsList = I.opcode() == HloOpcode::Conditional && *Name == BranchList;
  if (const auto *Own = find(Names, *Name); Own != Names.end() || IsList) {
    bool HasList = !IsList && is_contained(Seen, BranchList);
    if (I.opcode() == HloOpcode::Conditional &&
        (HasList || (IsList && !Callees.empty())))
      return Lexer.error(Begin, "'" + I.name() +
                                    "' has its branches twice; "
                                    "write branch_computations or "
                                    "true_computation and false_computation");
    if (IsList)
      return parseBranches();
    Callees.resize(Names.size());
    return parseCallee(Callees[Own - Names.begin()]);
  }
  for (const AttributeRule &Rule : Rules)
    if (hasRule(I, Rule) && Rule.Name == *Name)
      return Rule.Parse(Lexer, Attributes);
  // Of a custom-call, the library knows what they mean.
  if (!isSilent(*Name) && I.opcode() != HloOpcode::CustomCall)
    Lexer.warn((*Name + " of " + nameOf(I.opcode())).str(),
               "the attribute '" + *Name + "' of " + nameOf(I.opcode()) +
                   " is kept, but has no effect here");
  Expected<HloTextAttribute> Value = parseTextValue(*Name);
  if (!Value)
    return Value.takeError();
  I.TextAttributes.push_back(std::move(*Value));
  return Error::success();
}

Error HloAttributeParser::parseCallee(const HloComputation *&To) {
  size_t Begin = Lexer.peek().Offset;
  Expected<StringRef> Name = Lexer.parseName("the name of a computation");
  if (!Name)
    return Name.takeError();
  const HloComputation *Callee = Find(*Name);
  if (!Callee)
    return Lexer.error(Begin, "there is no computation '" + *Name +
                                  "' above; write it before the one that calls "
                                  "it");
  To = Callee;
  return Error::success();
}

/// `{%first, %second}`
Error HloAttributeParser::parseBranches() {
  if (Error E = Lexer.expect("{", "before the branches"))
    return E;
  do
    if (Error E = parseCallee(Callees.emplace_back()))
      return E;
  while (Lexer.consumeIf(","));
  return Lexer.expect("}", "behind the branches");
}

Expected<HloTextAttribute> HloAttributeParser::parseTextValue(StringRef Name) {
  Expected<StringRef> Value = Lexer.takeValue();
  if (!Value)
    return Value.takeError();
  return HloTextAttribute{Name.str(), Value->str()};
}

Error HloAttributeParser::parseText(
    std::vector<HloTextAttribute> &Attributes, ArrayRef<StringLiteral> Known,
    function_ref<Expected<bool>(StringRef Name)> ParseOwn) {
  while (Lexer.consumeIf(",")) {
    Expected<StringRef> Name = Lexer.parseName("the name of an attribute");
    if (!Name)
      return Name.takeError();
    if (Error E = Lexer.expect("=", "behind the name of an attribute"))
      return E;
    Expected<bool> IsOwn = ParseOwn(*Name);
    if (!IsOwn)
      return IsOwn.takeError();
    if (*IsOwn)
      continue;
    if (!is_contained(Known, *Name) && !isSilent(*Name))
      Lexer.warn(*Name, "the attribute '" + *Name +
                            "' is kept, but has no effect here");
    Expected<HloTextAttribute> Value = parseTextValue(*Name);
    if (!Value)
      return Value.takeError();
    Attributes.push_back(std::move(*Value));
  }
  return Error::success();
}

} // namespace unravel
