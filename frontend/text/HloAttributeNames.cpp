//===- HloAttributeNames.cpp - Which attributes an opcode has -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloAttributeParser.h"

using namespace llvm;

namespace unravel {

HloAttributes emptyAttributesOf(HloOpcode Opcode) {
  switch (Opcode) {
  case HloOpcode::Broadcast:
  case HloOpcode::Concatenate:
  case HloOpcode::Map:
  case HloOpcode::Reduce:
  case HloOpcode::Reverse:
  case HloOpcode::Transpose:
    return HloDimensions();
  case HloOpcode::Parameter:
    return HloParameter();
  case HloOpcode::Constant:
    return HloConstant();
  case HloOpcode::Iota:
    return HloIota();
  case HloOpcode::Compare:
    return HloCompare();
  case HloOpcode::ReducePrecision:
    return HloReducePrecision();
  case HloOpcode::Slice:
    return HloSlice();
  case HloOpcode::Pad:
    return HloPad();
  case HloOpcode::ReduceWindow:
    return HloReduceWindow();
  case HloOpcode::Convolution:
    return HloConvolution();
  case HloOpcode::Dot:
    return HloDot();
  case HloOpcode::Gather:
    return HloGather();
  case HloOpcode::Scatter:
    return HloScatter();
  case HloOpcode::DynamicSlice:
    return HloDynamicSlice();
  case HloOpcode::GetTupleElement:
    return HloTupleIndex();
  case HloOpcode::Fusion:
    return HloFusion();
  case HloOpcode::SelectAndScatter:
    return HloSelectAndScatter();
  case HloOpcode::Sort:
    return HloSort();
  case HloOpcode::TopK:
    return HloTopK();
  case HloOpcode::CustomCall:
    return HloCustomCall();
  default:
    return std::monostate();
  }
}

ArrayRef<StringLiteral> calleeAttributesOf(HloOpcode Opcode) {
  static constexpr StringLiteral Apply[] = {"to_apply"}, Calls[] = {"calls"},
                                 OfWhile[] = {"condition", "body"},
                                 OfSelect[] = {"select", "scatter"},
                                 Branches[] = {"true_computation",
                                               "false_computation"};
  switch (Opcode) {
  case HloOpcode::Call:
  case HloOpcode::Map:
  case HloOpcode::Reduce:
  case HloOpcode::ReduceWindow:
  case HloOpcode::Scatter:
  case HloOpcode::Sort:
    return Apply;
  case HloOpcode::Fusion:
    return Calls;
  case HloOpcode::While:
    return OfWhile;
  case HloOpcode::SelectAndScatter:
    return OfSelect;
  case HloOpcode::Conditional:
    return Branches;
  default:
    return {};
  }
}

} // namespace unravel
