//===- LimitText.cpp - Estimates as text and as JSON ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/limits/LimitText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace unravel {

namespace {
struct ResourceName {
  const char *Text;
  const char *Key; ///< in JSON
  /// Its share is always shown.
  bool IsMain;
};
} // namespace

static constexpr ResourceName Names[ResourceCount] = {
    {"issue rate", "issue", true}, {"integer pipe", "integer", true},
    {"FP32 pipe", "fp32", false},  {"FP16 pipe", "fp16", false},
    {"FP64 pipe", "fp64", false},  {"special functions", "special", false},
    {"L1 wavefronts", "l1", true}, {"DRAM bytes", "dram", true},
};

KernelEstimate limitsOf(const WarpWork &Work) {
  KernelEstimate Limits;
  Limits.NotUnderstood = Work.NotUnderstood;
  for (const GpuRates &Gpu : gpuRates())
    Limits.Gpus.push_back(estimateLimits(Gpu, Work));
  return Limits;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string numberText(double X) {
  std::string Text;
  raw_string_ostream(Text) << format("%.2f", X);
  return Text;
}

/// "0.31", or "0.05 to 0.31".
static std::string rangeText(const WorkRange &R) {
  std::string Low = numberText(R.Low), High = numberText(R.High);
  return Low == High ? Low : Low + " to " + High;
}

static std::string boundText(const LimitEstimate &E) {
  return join(
      map_range(E.bounds(), [](Resource R) { return Names[unsigned(R)].Text; }),
      " or ");
}

/// What is as little as nothing.
static constexpr double SmallestGain = 1.005, SmallestShare = 0.1;

static std::string gainText(const LimitEstimate &E) {
  const WorkRange &Gain = E.IndexGain;
  if (Gain.High < SmallestGain)
    return "none";
  return std::isinf(Gain.High) ? "all" : rangeText(Gain);
}

static std::string sharesText(const LimitEstimate &E) {
  SmallVector<Resource, 2> Bounds = E.bounds();
  std::string Text;
  for (unsigned R = 0; R < ResourceCount; ++R) {
    WorkRange Share = E.share(Resource(R));
    bool IsShown = Names[R].IsMain || Share.High >= SmallestShare;
    bool IsTheBound = Bounds.size() == 1 && Bounds[0] == Resource(R);
    if (IsShown && !IsTheBound)
      Text += (Text.empty() ? "" : ", ") + std::string(Names[R].Text) + " " +
              rangeText(Share);
  }
  return Text;
}

static std::string startOfLine(const GpuRates &Gpu) {
  return "estimate for " + std::string(Gpu.Name) + ": ";
}

static std::string notUnderstoodText(unsigned Count) {
  return Count == 0   ? ""
         : Count == 1 ? "; 1 access not understood"
                      : "; " + utostr(Count) + " accesses not understood";
}

std::vector<std::string> linesOf(const KernelEstimate &Limits) {
  if (!Limits.NotEstimated.empty())
    return {"no estimate: " + Limits.NotEstimated};
  std::vector<std::string> Lines;
  for (const LimitEstimate &E : Limits.Gpus) {
    std::string Line = startOfLine(*E.Gpu);
    if (E.isEmpty()) {
      Line += "nothing that takes time";
    } else {
      std::string Gain = gainText(E);
      Line +=
          "bound by " + boundText(E) + "; " + sharesText(E) + " of the time; ";
      Line += Gain == "none"  ? "index arithmetic does not matter"
              : Gain == "all" ? "index arithmetic is all of it"
                              : "without index arithmetic at most " + Gain +
                                    " times as fast";
      Line += notUnderstoodText(Limits.NotUnderstood);
    }
    Lines.push_back(std::move(Line));
  }
  return Lines;
}

/// Two ranges apart say which version is faster.
static std::string ratioText(const WorkRange &Ratio) {
  bool IsDecided = Ratio.High <= 1 || Ratio.Low >= 1;
  return IsDecided ? rangeText(Ratio) : "uncertain";
}

/// "A -> B", or "A" if both are the same.
static std::string changeText(const std::string &Before,
                              const std::string &After) {
  return Before == After ? Before : Before + " -> " + After;
}

std::vector<std::string> linesOf(const KernelEstimate &Before,
                                 const KernelEstimate &After) {
  for (const KernelEstimate *L : {&Before, &After})
    if (!L->NotEstimated.empty())
      return {"no estimate: " + L->NotEstimated};
  std::vector<std::string> Lines;
  for (const auto &[B, A] : zip_equal(Before.Gpus, After.Gpus)) {
    std::string Line = startOfLine(*B.Gpu);
    if (B.isEmpty() || A.isEmpty())
      Line += "nothing that takes time";
    else
      Line += "bound by " + changeText(boundText(B), boundText(A)) +
              "; time after / before " + ratioText(timeRatio(B, A)) +
              "; gain without index arithmetic " +
              changeText(gainText(B), gainText(A)) +
              notUnderstoodText(
                  std::max(Before.NotUnderstood, After.NotUnderstood));
    Lines.push_back(std::move(Line));
  }
  return Lines;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// With four digits behind the point; null if infinite.
static json::Value numberAsJson(double X) {
  return std::isinf(X) ? json::Value(nullptr)
                       : json::Value(std::round(X * 1e4) / 1e4);
}

static json::Value rangeAsJson(const WorkRange &R) {
  return json::Array{numberAsJson(R.Low), numberAsJson(R.High)};
}

json::Value asJson(const KernelEstimate &Limits) {
  if (!Limits.NotEstimated.empty())
    return json::Object{{"not_estimated", json::fixUTF8(Limits.NotEstimated)}};
  json::Array Gpus;
  for (const LimitEstimate &E : Limits.Gpus) {
    json::Array Bounds;
    for (Resource R : E.bounds())
      Bounds.push_back(Names[unsigned(R)].Key);
    json::Object Cycles, Shares;
    for (unsigned R = 0; R < ResourceCount; ++R) {
      Cycles[Names[R].Key] = rangeAsJson(E.Cycles[R]);
      Shares[Names[R].Key] = rangeAsJson(E.share(Resource(R)));
    }
    Gpus.push_back(json::Object{{"gpu", E.Gpu->Name},
                                {"bounds", std::move(Bounds)},
                                {"cycles_of_a_warp", std::move(Cycles)},
                                {"shares", std::move(Shares)},
                                {"index_gain", rangeAsJson(E.IndexGain)}});
  }
  return json::Object{{"accesses_not_understood", Limits.NotUnderstood},
                      {"gpus", std::move(Gpus)}};
}

} // namespace unravel
