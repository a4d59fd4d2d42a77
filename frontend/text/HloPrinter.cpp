//===- HloPrinter.cpp - HLO modules as text -------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloPrinter.h"
#include "frontend/hlo/HloLiteral.h"
#include "frontend/text/HloAliases.h"
#include "frontend/text/HloAttributeParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
/// Prints the attributes of one instruction, one function for each struct.
class AttributePrinter {
public:
  AttributePrinter(raw_ostream &OS, const HloInstruction &I) : OS(OS), I(I) {}

  void operator()(const std::monostate &) {}
  void operator()(const HloParameter &) {} // between the parentheses
  void operator()(const HloConstant &) {}
  void operator()(const HloDimensions &A) {
    // Of map they may be left out; they are all the dimensions then.
    if (I.opcode() != HloOpcode::Map || !A.Dimensions.empty())
      numbers("dimensions", A.Dimensions);
  }
  void operator()(const HloIota &A) { number("iota_dimension", A.Dimension); }
  void operator()(const HloCompare &A) {
    OS << ", direction=" << nameOf(A.Direction);
    if (A.Type)
      OS << ", type=" << nameOf(*A.Type);
  }
  void operator()(const HloReducePrecision &A) {
    number("exponent_bits", A.ExponentBits);
    number("mantissa_bits", A.MantissaBits);
  }
  void operator()(const HloSlice &A) {
    OS << ", slice={";
    ListSeparator Separator;
    for (const HloSliceDimension &D : A.Dimensions) {
      OS << Separator << '[' << D.Start << ':' << D.Limit;
      if (D.Stride != 1)
        OS << ':' << D.Stride;
      OS << ']';
    }
    OS << '}';
  }
  void operator()(const HloPad &A) {
    OS << ", padding=";
    ListSeparator Separator("x");
    for (const HloPadDimension &D : A.Dimensions) {
      OS << Separator << D.Low << '_' << D.High;
      if (D.Interior != 0)
        OS << '_' << D.Interior;
    }
  }
  void operator()(const HloReduceWindow &A) { window(A.Window); }
  void operator()(const HloConvolution &A) {
    if (!A.Window.empty())
      window(A.Window);
    OS << ", dim_labels=" << labels(A.Input, 'b', 'f') << '_'
       << labels(A.Kernel, 'i', 'o') << "->" << labels(A.Output, 'b', 'f');
    if (A.FeatureGroupCount != 1)
      number("feature_group_count", A.FeatureGroupCount);
    if (A.BatchGroupCount != 1)
      number("batch_group_count", A.BatchGroupCount);
  }
  void operator()(const HloDot &A) {
    numbersIfAny("lhs_batch_dims", A.LhsBatch);
    numbersIfAny("lhs_contracting_dims", A.LhsContracting);
    numbersIfAny("rhs_batch_dims", A.RhsBatch);
    numbersIfAny("rhs_contracting_dims", A.RhsContracting);
  }
  void operator()(const HloGather &A) {
    numbers("offset_dims", A.OffsetDims);
    numbers("collapsed_slice_dims", A.CollapsedSliceDims);
    numbers("start_index_map", A.StartIndexMap);
    numbersIfAny("operand_batching_dims", A.OperandBatchingDims);
    numbersIfAny("start_indices_batching_dims", A.StartIndicesBatchingDims);
    number("index_vector_dim", A.IndexVectorDim);
    numbers("slice_sizes", A.SliceSizes);
    flag("indices_are_sorted", A.IndicesAreSorted);
  }
  void operator()(const HloScatter &A) {
    numbers("update_window_dims", A.UpdateWindowDims);
    numbers("inserted_window_dims", A.InsertedWindowDims);
    numbers("scatter_dims_to_operand_dims", A.ScatterDimsToOperandDims);
    numbersIfAny("input_batching_dims", A.InputBatchingDims);
    numbersIfAny("scatter_indices_batching_dims", A.ScatterIndicesBatchingDims);
    number("index_vector_dim", A.IndexVectorDim);
    flag("indices_are_sorted", A.IndicesAreSorted);
    flag("unique_indices", A.UniqueIndices);
  }
  void operator()(const HloDynamicSlice &A) {
    numbers("dynamic_slice_sizes", A.Sizes);
  }
  void operator()(const HloTupleIndex &A) { number("index", A.Index); }
  void operator()(const HloFusion &A) { OS << ", kind=" << A.Kind; }
  void operator()(const HloSelectAndScatter &A) { window(A.Window); }
  void operator()(const HloSort &A) {
    numbers("dimensions", A.Dimensions);
    flag("is_stable", A.IsStable);
  }
  void operator()(const HloTopK &A) {
    number("k", A.K);
    OS << ", largest=" << (A.Largest ? "true" : "false");
  }
  void operator()(const HloCustomCall &A) {
    if (!A.IsOperation)
      OS << ", custom_call_target=\"" << A.Target << '"';
  }

private:
  void number(StringRef Name, int64_t Value) {
    OS << ", " << Name << '=' << Value;
  }
  void numbers(StringRef Name, const HloNumbers &Values) {
    OS << ", " << Name << "={";
    interleave(Values, OS, ",");
    OS << '}';
  }
  void numbersIfAny(StringRef Name, const HloNumbers &Values) {
    if (!Values.empty())
      numbers(Name, Values);
  }
  void flag(StringRef Name, bool Value) {
    if (Value)
      OS << ", " << Name << "=true";
  }
  void window(const HloWindow &Window);
  static std::string labels(const HloConvolutionLabels &Labels, char Batch,
                            char Feature);

  raw_ostream &OS;
  const HloInstruction &I;
};
} // namespace

void AttributePrinter::window(const HloWindow &Window) {
  StringRef Space;
  // Fields that say what is so without them are left out.
  auto Field = [&](StringRef Name, auto IsDefault, auto PrintOne) {
    if (all_of(Window, IsDefault))
      return;
    OS << Space << Name << '=';
    interleave(Window, OS, PrintOne, "x");
    Space = " ";
  };
  using D = const HloWindowDimension &;
  OS << ", window={";
  Field("size", [](D) { return false; }, [&](D W) { OS << W.Size; });
  Field(
      "stride", [](D W) { return W.Stride == 1; },
      [&](D W) { OS << W.Stride; });
  Field(
      "pad", [](D W) { return W.PadLow == 0 && W.PadHigh == 0; },
      [&](D W) { OS << W.PadLow << '_' << W.PadHigh; });
  Field(
      "lhs_dilate", [](D W) { return W.BaseDilation == 1; },
      [&](D W) { OS << W.BaseDilation; });
  Field(
      "rhs_dilate", [](D W) { return W.WindowDilation == 1; },
      [&](D W) { OS << W.WindowDilation; });
  Field(
      "rhs_reversal", [](D W) { return !W.Reversal; },
      [&](D W) { OS << int(W.Reversal); });
  OS << '}';
}

std::string AttributePrinter::labels(const HloConvolutionLabels &Labels,
                                     char Batch, char Feature) {
  std::string Text(Labels.Spatial.size() + 2, '?');
  Text[Labels.Batch] = Batch;
  Text[Labels.Feature] = Feature;
  for (size_t I = 0; I < Labels.Spatial.size(); ++I)
    Text[Labels.Spatial[I]] = char('0' + I);
  return Text;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static void printText(raw_ostream &OS,
                      ArrayRef<HloTextAttribute> TextAttributes) {
  for (const HloTextAttribute &A : TextAttributes)
    OS << ", " << A.Name << '=' << A.Value;
}

/// As XLA prints them, by the type of what chooses.
static void printBranches(raw_ostream &OS, const HloInstruction &I) {
  const HloShape &Chooser = I.operand(0).shape();
  if (I.callees().size() == 2 && Chooser.isArray() &&
      isPred(Chooser.elementType())) {
    OS << ", true_computation=%" << I.callees()[0]->name()
       << ", false_computation=%" << I.callees()[1]->name();
    return;
  }
  OS << ", branch_computations={";
  interleaveComma(I.callees(), OS, [&](const HloComputation *Branch) {
    OS << '%' << Branch->name();
  });
  OS << '}';
}

void print(raw_ostream &OS, const HloInstruction &I) {
  OS << '%' << I.name() << " = ";
  I.shape().print(OS);
  const auto *Call = I.attributesIf<HloCustomCall>();
  OS << ' ' << (Call && Call->IsOperation ? Call->Target : nameOf(I.opcode()))
     << '(';
  if (const auto *Parameter = I.attributesIf<HloParameter>())
    OS << Parameter->Number;
  if (const auto *Constant = I.attributesIf<HloConstant>())
    Constant->Literal->print(OS);
  ListSeparator Separator;
  for (const HloInstruction *Operand : I.operands())
    OS << Separator << '%' << Operand->name();
  OS << ')';
  std::visit(AttributePrinter(OS, I), I.attributes());
  if (I.opcode() == HloOpcode::Conditional && !I.callees().empty())
    printBranches(OS, I);
  else
    for (auto [Attribute, Callee] :
         zip(calleeAttributesOf(I.opcode()), I.callees()))
      OS << ", " << Attribute << "=%" << Callee->name();
  printText(OS, I.TextAttributes);
}

void print(raw_ostream &OS, const HloComputation &C, bool IsEntry) {
  OS << (IsEntry ? "ENTRY %" : "%") << C.name() << " (";
  ListSeparator Separator;
  for (const HloInstruction *Parameter : C.parameters()) {
    OS << Separator << Parameter->name() << ": ";
    Parameter->shape().print(OS, /*WithLayout=*/false);
  }
  OS << ") -> ";
  C.root().shape().print(OS, /*WithLayout=*/false);
  OS << " {\n";
  for (const HloInstruction &I : C.instructions()) {
    OS << (&I == &C.root() ? "  ROOT " : "  ");
    print(OS, I);
    OS << '\n';
  }
  OS << '}';
  printText(OS, C.TextAttributes);
  OS << '\n';
}

void print(raw_ostream &OS, const HloModule &Module) {
  OS << "HloModule " << Module.name();
  printText(OS, Module.TextAttributes);
  print(OS, Module.Aliases);
  OS << '\n';
  if (!Module.SourceTables.empty())
    OS << '\n' << Module.SourceTables << '\n';
  for (const HloComputation &C : Module.computations()) {
    OS << '\n';
    print(OS, C, &C == &Module.entry());
  }
}

template <typename T> static std::string printed(const T &Value) {
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS, Value);
  return Text;
}

std::string toString(const HloModule &Module) { return printed(Module); }
std::string toString(const HloInstruction &I) { return printed(I); }

} // namespace unravel
