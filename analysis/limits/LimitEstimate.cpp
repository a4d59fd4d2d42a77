//===- LimitEstimate.cpp - Which resource bounds a kernel -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/limits/LimitEstimate.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace llvm;

namespace unravel {

using AllCycles = std::array<WorkRange, ResourceCount>;

static constexpr double LanesOfWarp = 32;

/// How many sums the pipe of multiplications takes at most: until it has as
/// much to do as the integer pipe.
static double movedSums(const GpuRates &Gpu, const PipeCounts &Counts) {
  double Integers = Counts.Integer + Counts.Sum;
  double Share = double(Gpu.Multiply) / (Gpu.Integer + Gpu.Multiply);
  double Even = (Integers + Counts.Multiply) * Share - Counts.Multiply;
  return std::clamp(Even, 0.0, Counts.Sum);
}

static AllCycles cyclesOf(const GpuRates &Gpu, const PipeCounts &Counts,
                          const WarpWork &Work) {
  AllCycles Cycles;
  auto Set = [&](Resource R, double Low, double High) {
    Cycles[unsigned(R)] = {Low, High};
  };
  auto SetPipe = [&](Resource R, double Instructions, unsigned Lanes) {
    double Clocks = Instructions * LanesOfWarp / Lanes;
    Set(R, Clocks, Clocks);
  };
  SetPipe(Resource::Fp16, Counts.Fp16, Gpu.Fp16);
  SetPipe(Resource::Fp64, Counts.Fp64, Gpu.Fp64);
  SetPipe(Resource::Special, Counts.Special, Gpu.Special);
  // Multiplications may have only a part of the pipe.
  auto Fp32 = [&](double Multiplications) {
    return std::max((Counts.Fp32 + Multiplications) * LanesOfWarp / Gpu.Fp32,
                    Multiplications * LanesOfWarp / Gpu.Multiply);
  };
  auto Integer = [&](double Sums) {
    return (Counts.Integer + Sums) * LanesOfWarp / Gpu.Integer;
  };
  double Moved = movedSums(Gpu, Counts);
  Set(Resource::Integer, Integer(Counts.Sum - Moved), Integer(Counts.Sum));
  Set(Resource::Fp32, Fp32(Counts.Multiply), Fp32(Counts.Multiply + Moved));
  double Issue = Counts.total() / GpuRates::IssuedPerClock;
  Set(Resource::Issue, Issue, Issue);
  Set(Resource::L1, Work.Wavefronts.Low, Work.Wavefronts.High);
  double DramBytes = Gpu.dramBytesPerClock();
  Set(Resource::Dram, Work.DramBytes.Low / DramBytes,
      Work.DramBytes.High / DramBytes);
  return Cycles;
}

static WorkRange slowestOf(const AllCycles &Cycles) {
  WorkRange Time;
  for (const WorkRange &C : Cycles) {
    Time.Low = std::max(Time.Low, C.Low);
    Time.High = std::max(Time.High, C.High);
  }
  return Time;
}

/// With memory at the other end of its range than the pipes.
static AllCycles withOppositeTraffic(AllCycles Cycles) {
  for (Resource R : {Resource::L1, Resource::Dram})
    std::swap(Cycles[unsigned(R)].Low, Cycles[unsigned(R)].High);
  return Cycles;
}

static double gain(double With, double Without) {
  if (With == Without)
    return 1;
  return Without == 0 ? std::numeric_limits<double>::infinity()
                      : With / Without;
}

LimitEstimate estimateLimits(const GpuRates &Gpu, const WarpWork &Work) {
  LimitEstimate Result;
  Result.Gpu = &Gpu;
  PipeCounts All = Work.Rest;
  All.add(Work.Index, 1);
  Result.Cycles = cyclesOf(Gpu, All, Work);
  Result.Time = slowestOf(Result.Cycles);
  // Much integer work and little traffic gain most.
  WorkRange With = slowestOf(withOppositeTraffic(Result.Cycles));
  WorkRange Without =
      slowestOf(withOppositeTraffic(cyclesOf(Gpu, Work.Rest, Work)));
  Result.IndexGain = {gain(With.Low, Without.Low),
                      gain(With.High, Without.High)};
  return Result;
}

SmallVector<Resource, 2> LimitEstimate::bounds() const {
  SmallVector<Resource, 2> Possible;
  if (isEmpty())
    return Possible;
  for (unsigned R = 0; R < ResourceCount; ++R)
    // It is at its most, all others are at their least.
    if (Cycles[R].High > 0 && Cycles[R].High >= Time.Low)
      Possible.push_back(Resource(R));
  sort(Possible, [&](Resource A, Resource B) {
    double SumOfA = (*this)[A].Low + (*this)[A].High;
    double SumOfB = (*this)[B].Low + (*this)[B].High;
    return SumOfA != SumOfB ? SumOfA > SumOfB : A < B;
  });
  return Possible;
}

/// 0 by 0 is 0: nothing is no part of nothing.
static double quotient(double A, double B) { return A == 0 ? 0 : A / B; }

WorkRange LimitEstimate::share(Resource R) const {
  WorkRange Others;
  for (unsigned S = 0; S < ResourceCount; ++S)
    if (Resource(S) != R) {
      Others.Low = std::max(Others.Low, Cycles[S].Low);
      Others.High = std::max(Others.High, Cycles[S].High);
    }
  auto [Low, High] = (*this)[R];
  return {quotient(Low, std::max(Low, Others.High)),
          quotient(High, std::max(High, Others.Low))};
}

static bool isSameTraffic(const LimitEstimate &A, const LimitEstimate &B) {
  return all_of(std::array{Resource::L1, Resource::Dram}, [&](Resource R) {
    return A[R].Low == B[R].Low && A[R].High == B[R].High;
  });
}

WorkRange timeRatio(const LimitEstimate &Before, const LimitEstimate &After) {
  if (isSameTraffic(Before, After)) {
    WorkRange A = slowestOf(withOppositeTraffic(After.Cycles));
    WorkRange B = slowestOf(withOppositeTraffic(Before.Cycles));
    auto [Low, High] = std::minmax({After.Time.Low / Before.Time.Low,
                                    After.Time.High / Before.Time.High,
                                    A.Low / B.Low, A.High / B.High});
    return {Low, High};
  }
  return {After.Time.Low / Before.Time.High, After.Time.High / Before.Time.Low};
}

} // namespace unravel
