//===- HloAttributes.h - What HLO operations are parametrised by *- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One struct for each kind of operation. An instruction has the struct of its
// opcode, or none: HloInstruction::attributes<HloDot>(). The numbers are as
// written until the verifier has accepted the module; after that they fit the
// shapes of operands and result.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_HLO_HLOATTRIBUTES_H
#define UNRAVEL_FRONTEND_HLO_HLOATTRIBUTES_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace unravel {

class HloLiteral;

using HloNumbers = std::vector<int64_t>;

/// `dimensions={0,2}` of broadcast (operand dimension i is output dimension
/// Dimensions[i]), transpose (output dimension i is operand dimension
/// Dimensions[i]), reverse, concatenate, reduce and map.
struct HloDimensions {
  HloNumbers Dimensions;
};

struct HloParameter {
  int64_t Number = 0;
};

struct HloConstant {
  std::shared_ptr<const HloLiteral> Literal; ///< never null
};

struct HloIota {
  int64_t Dimension = 0;
};

enum class HloDirection : uint8_t { EQ, NE, GE, GT, LE, LT };
enum class HloCompareType : uint8_t { Float, TotalOrder, Signed, Unsigned };

struct HloCompare {
  HloDirection Direction = HloDirection::EQ;
  std::optional<HloCompareType> Type; ///< as written, or nothing
};

/// `exponent_bits=5, mantissa_bits=10`
struct HloReducePrecision {
  int64_t ExponentBits = 0, MantissaBits = 0;
};

/// One dimension of `slice={[0:10:2], ...}`.
struct HloSliceDimension {
  int64_t Start = 0, Limit = 0, Stride = 1;
};
struct HloSlice {
  std::vector<HloSliceDimension> Dimensions;
};

/// One dimension of `padding=low_high_interior x ...`. Low and High may be
/// negative, which removes elements (after the interior ones are inserted).
struct HloPadDimension {
  int64_t Low = 0, High = 0, Interior = 0;
};
struct HloPad {
  std::vector<HloPadDimension> Dimensions;
};

/// One dimension of `window={size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=..
/// rhs_dilate=.. rhs_reversal=..}`. Output element o and window element w meet
/// at position o*Stride + w*WindowDilation - PadLow of the input, in which
/// BaseDilation - 1 holes lie between any two elements: its element is
/// position / BaseDilation if that is exact and inside, otherwise padding.
struct HloWindowDimension {
  int64_t Size = 1, Stride = 1, PadLow = 0, PadHigh = 0;
  int64_t BaseDilation = 1;   ///< lhs_dilate
  int64_t WindowDilation = 1; ///< rhs_dilate
  bool Reversal = false;      ///< window element w is weighted by Size - 1 - w
};
using HloWindow = std::vector<HloWindowDimension>;

/// Of reduce-window: a window dimension for each dimension of the operands.
struct HloReduceWindow {
  HloWindow Window;
};

/// Which dimension of an array is what: `b01f` has batch 0, feature 3 and
/// spatial dimensions 1 and 2.
struct HloConvolutionLabels {
  int64_t Batch = 0;   ///< of a kernel: the input feature `i`
  int64_t Feature = 0; ///< of a kernel: the output feature `o`
  HloNumbers Spatial;
};
struct HloConvolution {
  HloWindow Window; ///< one for each spatial dimension
  HloConvolutionLabels Input, Kernel, Output;
  int64_t FeatureGroupCount = 1, BatchGroupCount = 1;
};

struct HloDot {
  HloNumbers LhsBatch, RhsBatch, LhsContracting, RhsContracting;
};

/// Gather: output index = batch part (the dimensions not in OffsetDims) and
/// offset part. The batch part, with IndexVectorDim left out, picks a vector of
/// start indices; component k starts operand dimension StartIndexMap[k] and is
/// clamped into [0, size - SliceSizes[dim]]. The offset part runs over the
/// operand dimensions that are neither collapsed nor batching.
struct HloGather {
  HloNumbers OffsetDims, CollapsedSliceDims, StartIndexMap;
  HloNumbers OperandBatchingDims, StartIndicesBatchingDims;
  int64_t IndexVectorDim = 0;
  HloNumbers SliceSizes;
  bool IndicesAreSorted = false;
};

/// Scatter: the same backwards. A window of updates of which any part would be
/// outside of the operand is dropped as a whole.
struct HloScatter {
  HloNumbers UpdateWindowDims, InsertedWindowDims, ScatterDimsToOperandDims;
  HloNumbers InputBatchingDims, ScatterIndicesBatchingDims;
  int64_t IndexVectorDim = 0;
  bool IndicesAreSorted = false, UniqueIndices = false;
};

struct HloDynamicSlice {
  HloNumbers Sizes;
};

/// Of select-and-scatter: a window dimension for each dimension of the operand.
/// In each window the element is chosen that `select` prefers, earlier ones to
/// later ones; `scatter` combines the element of the source there with what
/// other windows have brought.
struct HloSelectAndScatter {
  HloWindow Window;
};

/// `dimensions={1}, is_stable=true`
struct HloSort {
  HloNumbers Dimensions; ///< one
  bool IsStable = false;
};

/// `k=5, largest=true`: along the last dimension, with their indices.
struct HloTopK {
  int64_t K = 0;
  bool Largest = true;
};

/// `custom_call_target="..."`: the name of a function of a library. Its other
/// attributes are kept as text.
struct HloCustomCall {
  std::string Target;
  /// The target is the opcode itself (isLibraryOperation()).
  bool IsOperation = false;
};

struct HloTupleIndex {
  int64_t Index = 0;
};

struct HloFusion {
  std::string Kind; ///< kLoop, kInput, kOutput, kCustom
};

using HloAttributes =
    std::variant<std::monostate, HloDimensions, HloParameter, HloConstant,
                 HloIota, HloCompare, HloReducePrecision, HloSlice, HloPad,
                 HloReduceWindow, HloConvolution, HloDot, HloGather, HloScatter,
                 HloDynamicSlice, HloTupleIndex, HloFusion, HloSelectAndScatter,
                 HloSort, HloTopK, HloCustomCall>;

/// An attribute that means nothing here, kept to be printed.
struct HloTextAttribute {
  std::string Name, Value;
};

} // namespace unravel

#endif // UNRAVEL_FRONTEND_HLO_HLOATTRIBUTES_H
