//===- gpu-bench.cpp - Times the versions of kernels on a GPU -------------===//
//
// Usage: gpu-bench PLAN HELPERS.cubin [--runs N] [--seconds N] [--once]
//                  [--cases PART] [--element BYTES] [--size NAME]
//
// Runs every version of every case of a plan, alternating, with cold and with
// warm L2, and prints one JSON object a line: first the GPU, then a version.
// --once launches each version one time, for a profiler, and prints them in
// this order. A case may take 60 seconds, or those of --seconds. The exit
// status is 1 if a version wrote other bytes than it should, or failed, and 2
// if nothing could be measured.
//
// Cold: memory of four times the size of L2 is written before each launch.
// Warm: the version itself ran before. What is shorter than the resolution of
// events is launched several times between two of them. The host queues a round
// while the GPU is kept busy, so that its own time is not measured.
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>

using namespace unravel::gpu;

namespace {

struct Options {
  std::string Plan, Helpers, Part, Size;
  unsigned Runs = 25, Seconds = 60, ElementBytes = 0;
  bool Once = false;

  bool chooses(const Case &C) const {
    return C.Name.find(Part) != std::string::npos &&
           (Size.empty() || C.Size == Size) &&
           (!ElementBytes || C.ElementBytes == ElementBytes);
  }
};

class Event {
public:
  Event() { UNRAVEL_CUDA(cuEventCreate, &Handle, CU_EVENT_DEFAULT); }
  ~Event() { driver().cuEventDestroy_v2Call(Handle); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  void record() const { UNRAVEL_CUDA(cuEventRecord, Handle, nullptr); }
  double microsecondsSince(const Event &Start) const {
    float Milliseconds = 0;
    UNRAVEL_CUDA(cuEventElapsedTime, &Milliseconds, Start.Handle, Handle);
    return Milliseconds * 1000.0;
  }

private:
  CUevent Handle = nullptr;
};

struct Device {
  std::string Name;
  int Driver = 0, Multiprocessors = 0, L2Bytes = 0, ClockKHz = 0,
      MemoryClockKHz = 0, BusBits = 0;
};

Device openDevice() {
  UNRAVEL_CUDA(cuInit, 0);
  CUdevice Handle = 0;
  CUcontext Context = nullptr;
  UNRAVEL_CUDA(cuDeviceGet, &Handle, 0);
  UNRAVEL_CUDA(cuDevicePrimaryCtxRetain, &Context, Handle);
  UNRAVEL_CUDA(cuCtxSetCurrent, Context);
  Device D;
  char Name[256] = {};
  UNRAVEL_CUDA(cuDeviceGetName, Name, sizeof(Name), Handle);
  D.Name = Name;
  UNRAVEL_CUDA(cuDriverGetVersion, &D.Driver);
  auto Get = [&](CUdevice_attribute Which, int &To) {
    UNRAVEL_CUDA(cuDeviceGetAttribute, &To, Which, Handle);
  };
  Get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, D.Multiprocessors);
  Get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, D.L2Bytes);
  Get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, D.ClockKHz);
  Get(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, D.MemoryClockKHz);
  Get(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, D.BusBits);
  return D;
}

std::string quoted(const std::string &Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Result += '\\';
    Result += static_cast<unsigned char>(C) < ' ' ? ' ' : C;
  }
  return Result + '"';
}

/// Times of one version with one state of the cache, in microseconds.
struct Times {
  std::vector<double> Runs;

  double at(double Quantile) const {
    std::vector<double> Sorted = Runs;
    std::sort(Sorted.begin(), Sorted.end());
    return Sorted[size_t(std::lround(Quantile * double(Sorted.size() - 1)))];
  }
};

/// Anything that is timed: a version of the case or the copy of equal bytes.
struct Contestant {
  std::string Label;
  std::function<void()> Launch;
  unsigned Repeats = 1; ///< Launches between two events, where L2 is warm.
  Times Cold, Warm;
};

class Stopwatch {
public:
  Stopwatch(const Helpers &Use, size_t L2Bytes)
      : Use(Use), Flush(4 * L2Bytes) {}

  void measure(std::vector<Contestant> &All, unsigned Runs) const {
    for (Contestant &C : All)
      warmUp(C);
    for (unsigned Run = 0; Run < Runs; ++Run)
      for (bool IsCold : {true, false})
        for (Contestant &C : All)
          (IsCold ? C.Cold : C.Warm).Runs.push_back(time(C, IsCold));
  }

private:
  const Helpers &Use;
  Buffer Flush;
  Event Start, End;

  // Events resolve about half a microsecond.
  static constexpr double ShortestTime = 50;
  // The host needs some microseconds to queue a launch: that much the GPU is
  // kept busy for each, or it would wait for the host.
  static constexpr long long QueueClocks = 40000, LaunchClocks = 8000;

  void warmUp(Contestant &C) const {
    C.Launch();
    double Once = time(C, false);
    double Count = std::ceil(ShortestTime / std::max(Once, 0.5));
    C.Repeats = unsigned(std::clamp(Count, 1.0, 64.0));
  }

  double time(const Contestant &C, bool IsCold) const {
    unsigned Count = IsCold ? 1 : C.Repeats;
    if (IsCold)
      UNRAVEL_CUDA(cuMemsetD8Async, Flush.Address, 0, Flush.Bytes, nullptr);
    else
      C.Launch();
    Use.spin(QueueClocks + Count * LaunchClocks);
    Start.record();
    for (unsigned I = 0; I < Count; ++I)
      C.Launch();
    End.record();
    UNRAVEL_CUDA(cuCtxSynchronize);
    return End.microsecondsSince(Start) / Count;
  }
};

class Bench {
public:
  Bench(const Options &Use, const Device &D) : Use(Use), D(D) {}

  /// Good if all versions ran and wrote what they should.
  Verdict run(const Case &C) {
    Good = true;
    bool HasContext = true;
    try {
      measure(C);
    } catch (const std::runtime_error &Error) {
      fail(C, "", Error.what());
      HasContext = false;
    }
    std::fflush(stdout);
    return !HasContext ? Verdict::ContextLost
           : Good      ? Verdict::Good
                       : Verdict::Bad;
  }

  static void lose(const Case &C, const std::string &Label,
                   const std::string &Why) {
    begin(C, Label);
    std::printf(", \"error\": %s}\n", quoted(Why).c_str());
  }

private:
  struct Loaded {
    const Version *V;
    std::unique_ptr<Kernel> Code;
    std::string Verdict;
  };

  const Options &Use;
  const Device &D;
  bool Good = true;

  static void begin(const Case &C, const std::string &Label) {
    std::printf("{\"case\": %s, \"element\": %u, \"size\": %s, \"version\": %s",
                quoted(C.Name).c_str(), C.ElementBytes, quoted(C.Size).c_str(),
                quoted(Label).c_str());
  }

  void fail(const Case &C, const std::string &Label, const std::string &Why) {
    Good = false;
    lose(C, Label, Why);
  }

  void measure(const Case &C) {
    Helpers Kernels(Use.Helpers);
    Arguments Values(C, Kernels);
    std::vector<Loaded> Versions = load(C);
    verify(C, Values, Versions);
    if (Use.Once)
      return;

    std::vector<Contestant> All;
    for (const Loaded &L : Versions)
      All.push_back({L.V->Label, [&] { launch(C, L, Values); }, 1, {}, {}});
    size_t Half = (C.bytes() / 2 + 15) / 16 * 16;
    Buffer From(Half), To(Half);
    All.push_back({"copy", [&] { Kernels.copy(From, To, Half); }, 1, {}, {}});
    Stopwatch(Kernels, size_t(D.L2Bytes)).measure(All, Use.Runs);
    for (size_t I = 0; I < All.size(); ++I)
      print(C, All[I], I < Versions.size() ? &Versions[I] : nullptr);
  }

  std::vector<Loaded> load(const Case &C) {
    std::string Folder = Use.Plan.substr(0, Use.Plan.find_last_of('/') + 1);
    std::vector<Loaded> Result;
    for (const Version &V : C.Versions)
      try {
        auto Code = std::make_unique<Kernel>(Folder + V.File, V.Symbol);
        if (C.Shared)
          Code->allowShared(C.Shared);
        Result.push_back({&V, std::move(Code), ""});
      } catch (const std::runtime_error &Error) {
        fail(C, V.Label, Error.what());
      }
    return Result;
  }

  static void launch(const Case &C, const Loaded &L, Arguments &Values) {
    L.Code->launch(L.V->Grid, L.V->Block, C.Shared, Values.parameters());
  }

  void verify(const Case &C, Arguments &Values, std::vector<Loaded> &Versions) {
    std::map<std::string, std::vector<std::unique_ptr<Buffer>>> Outputs;
    for (Loaded &L : Versions) {
      Values.reset();
      if (Use.Once)
        UNRAVEL_CUDA(cuProfilerStart);
      launch(C, L, Values);
      UNRAVEL_CUDA(cuCtxSynchronize);
      if (Use.Once) {
        UNRAVEL_CUDA(cuProfilerStop);
        begin(C, L.V->Label);
        std::printf(", \"launched\": true}\n");
      }
      auto Wanted = Outputs.find(L.V->Reference);
      L.Verdict = "not compared";
      if (Wanted != Outputs.end())
        L.Verdict = verdict(L, Values.compare(Wanted->second));
      if (isReference(C, L.V->Label))
        Outputs[L.V->Label] = Values.outputs();
    }
  }

  static bool isReference(const Case &C, const std::string &Label) {
    return std::any_of(C.Versions.begin(), C.Versions.end(),
                       [&](const Version &V) { return V.Reference == Label; });
  }

  std::string verdict(const Loaded &L, Helpers::Difference Found) {
    if (!Found.Bytes)
      return "equal";
    char Text[100];
    std::snprintf(Text, sizeof(Text), "%llu bytes differ, by %.2g", Found.Bytes,
                  double(Found.Relative));
    Good &= !L.V->IsExact;
    return (L.V->IsExact ? "WRONG: " : "close: ") + std::string(Text);
  }

  static void print(const Case &C, const Contestant &Who, const Loaded *L) {
    begin(C, Who.Label);
    std::printf(", \"bytes\": %zu", C.bytes());
    for (auto [Name, Cache] :
         {std::pair("cold", &Who.Cold), std::pair("warm", &Who.Warm)})
      std::printf(", \"%s\": {\"median_us\": %.3f, \"p10_us\": %.3f, "
                  "\"p90_us\": %.3f, \"runs\": %zu}",
                  Name, Cache->at(0.5), Cache->at(0.1), Cache->at(0.9),
                  Cache->Runs.size());
    if (L)
      std::printf(", \"registers\": %d, \"occupancy\": %.3f, \"check\": %s",
                  L->Code->registers(),
                  L->Code->occupancy(L->V->Block, C.Shared),
                  quoted(L->Verdict).c_str());
    std::printf("}\n");
  }
};

[[noreturn]] void usage(const std::string &Why) {
  std::fprintf(stderr,
               "gpu-bench: %s\nusage: gpu-bench PLAN HELPERS.cubin [--runs N] "
               "[--seconds N] [--once] [--cases PART] [--element BYTES] "
               "[--size NAME]\n",
               Why.c_str());
  std::exit(2);
}

Options parse(int Count, char **Words) {
  Options Result;
  std::vector<std::string> Files;
  for (int I = 1; I < Count; ++I) {
    std::string Word = Words[I];
    auto Value = [&]() -> std::string {
      return I + 1 < Count ? Words[++I] : (usage(Word + " needs a value"), "");
    };
    auto Positive = [&] {
      int Number = std::atoi(Value().c_str());
      if (Number <= 0)
        usage(Word + " must be a positive number");
      return unsigned(Number);
    };
    if (Word == "--runs")
      Result.Runs = Positive();
    else if (Word == "--seconds")
      Result.Seconds = Positive();
    else if (Word == "--element")
      Result.ElementBytes = Positive();
    else if (Word == "--cases")
      Result.Part = Value();
    else if (Word == "--size")
      Result.Size = Value();
    else if (Word == "--once")
      Result.Once = true;
    else if (Word.rfind("--", 0) == 0)
      usage("unknown option " + Word);
    else
      Files.push_back(Word);
  }
  if (Files.size() != 2)
    usage("needs a plan and the cubin of helpers.cu");
  Result.Plan = Files[0];
  Result.Helpers = Files[1];
  return Result;
}

std::vector<Case> chosenCases(const Options &Use) {
  std::vector<Case> Chosen;
  for (Case &C : readPlan(Use.Plan))
    if (Use.chooses(C))
      Chosen.push_back(std::move(C));
  if (Chosen.empty())
    throw std::runtime_error(Use.Plan + ": no case has '" + Use.Part +
                             "' in its name, and the element and the size that "
                             "were asked for");
  return Chosen;
}

void printDevice(const Device &D) {
  std::printf("{\"gpu\": %s, \"driver\": %d, \"multiprocessors\": %d, "
              "\"l2_bytes\": %d, \"clock_khz\": %d, \"memory_clock_khz\": %d, "
              "\"bus_bits\": %d}\n",
              quoted(D.Name).c_str(), D.Driver, D.Multiprocessors, D.L2Bytes,
              D.ClockKHz, D.MemoryClockKHz, D.BusBits);
}

bool runAll(const Options &Use) {
  std::vector<Case> Cases = chosenCases(Use);
  Device D;
  Work Todo;
  Todo.Begin = [&](size_t From) {
    D = openDevice();
    if (From == 0)
      printDevice(D);
    // A GPU that was idle has a low clock at first.
    Helpers(Use.Helpers).spin(D.ClockKHz * 300ll);
    UNRAVEL_CUDA(cuCtxSynchronize);
  };
  Todo.Do = [&](size_t Number) {
    const Case &C = Cases[Number];
    std::fprintf(stderr, "%zu/%zu %s %u %s\n", Number + 1, Cases.size(),
                 C.Name.c_str(), C.ElementBytes, C.Size.c_str());
    return Bench(Use, D).run(C);
  };
  Todo.Lost = [&](size_t Number, const std::string &Why) {
    Bench::lose(Cases[Number], "", Why);
  };
  return runInWorkers(Cases.size(), Use.Seconds, Todo);
}

} // namespace

int main(int Count, char **Words) {
  Options Use = parse(Count, Words);
  try {
    return runAll(Use) ? 0 : 1;
  } catch (const std::runtime_error &Error) {
    std::fprintf(stderr, "gpu-bench: %s\n", Error.what());
    return 2;
  }
}
