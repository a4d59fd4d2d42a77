//===- Campaign.cpp - Many subjects in several processes ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/Campaign.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace unravel {

/// One module in one form. Much more than it takes, also with sanitizers.
static constexpr unsigned MaxSeconds = 60;

static void restartAlarm() { alarm(MaxSeconds); }

/// Ctrl-C lets every worker finish the module that it has, so that there is a
/// summary. A second one ends the process.
static volatile std::sig_atomic_t Interrupted = 0;

/// The end of a child process that did not end by itself.
static std::optional<Difference> abnormalEnd(int Status) {
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == 0)
    return std::nullopt;
  if (WIFSIGNALED(Status) && WTERMSIG(Status) == SIGALRM)
    return Difference{"hang", "still running after " +
                                  std::to_string(MaxSeconds) + " seconds\n"};
  std::string How = WIFSIGNALED(Status)
                        ? std::string(strsignal(WTERMSIG(Status)))
                        : "exit status " + std::to_string(WEXITSTATUS(Status));
  return Difference{"crash", "the process ended with: " + How + "\n"};
}

namespace {

/// What a worker and the parent share.
struct WorkerState {
  static constexpr size_t MaxForms = 3;
  FuzzCounters Counters[MaxForms];
  uint64_t Index;      ///< of the subject in work
  unsigned FormNumber; ///< within CampaignOptions::Forms
  volatile bool Stop;  ///< set by the parent
};

class Campaign {
public:
  Campaign(const Subjects &List, const PassRunner &Runner,
           const FindingStore &Store, const CampaignOptions &Options);
  ~Campaign() { munmap(Workers, sizeof(WorkerState) * Options.Jobs); }
  CampaignResult run();

private:
  using Clock = std::chrono::steady_clock;
  void start(unsigned Worker, uint64_t From);
  void work(WorkerState &State, uint64_t From);
  void examineSubject(WorkerState &State, uint64_t Index);
  void explain(uint64_t Index, const ExaminationResult &Result) const;
  void recordCrash(WorkerState &State, Difference Crash);
  void showProgress(bool IsLast);
  bool isTimeOver() const { return Options.Examination.Runs.isTimeOver(); }
  CampaignResult total() const;

  const Subjects &List;
  const PassRunner &Runner;
  const FindingStore &Store;
  const CampaignOptions &Options;
  Clock::time_point Start = Clock::now();
  WorkerState *Workers;
  std::vector<pid_t> Processes; ///< -1 for workers that are done
  bool ShowsProgress = sys::Process::StandardErrIsDisplayed();
};

} // namespace

Campaign::Campaign(const Subjects &List, const PassRunner &Runner,
                   const FindingStore &Store, const CampaignOptions &Options)
    : List(List), Runner(Runner), Store(Store), Options(Options) {
  void *Memory =
      mmap(nullptr, sizeof(WorkerState) * Options.Jobs, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED)
    report_fatal_error("no memory to share with worker processes");
  Workers = static_cast<WorkerState *>(Memory);
  for (unsigned Worker = 0; Worker < Options.Jobs; ++Worker)
    new (Workers + Worker) WorkerState();
}

//===----------------------------------------------------------------------===//
// In the workers
//===----------------------------------------------------------------------===//

void Campaign::explain(uint64_t Index, const ExaminationResult &Result) const {
  if (!Options.Explains)
    return;
  for (const std::string &Reason : Result.Unsupported)
    errs() << "not run: " << List.name(Index) << ": " << Reason << '\n';
  if (!Result.IsIdempotent)
    errs() << "not idempotent: " << List.name(Index) << '\n';
}

void Campaign::examineSubject(WorkerState &State, uint64_t Index) {
  State.Index = Index;
  for (unsigned Number = 0; Number < Options.Forms.size(); ++Number) {
    if (Number > 0 && isTimeOver())
      return;
    State.FormNumber = Number;
    FuzzCounters &Counters = State.Counters[Number];
    restartAlarm();
    LLVMContext Context;
    std::string Why;
    std::unique_ptr<Module> M = List.load(Index, Context, Why);
    if (!M) {
      ++Counters.NotLoaded;
      if (Options.Explains)
        errs() << "not loaded: " << Why << '\n';
      continue;
    }
    ExaminationOptions How = Options.Examination;
    How.Runs.ShowLife = restartAlarm;
    ExaminationResult Result =
        examine(std::move(M), Options.Forms[Number], Runner, How, Counters);
    alarm(0);
    explain(Index, Result);
    if (Result.Finding)
      Store.record(
          {List.name(Index), Options.Forms[Number], std::move(Result)});
  }
}

void Campaign::work(WorkerState &State, uint64_t From) {
  for (uint64_t Index = From; Index < List.count(); Index += Options.Jobs) {
    uint64_t Findings = 0;
    for (const FuzzCounters &Counters : State.Counters)
      Findings += Counters.Findings;
    if (isTimeOver() || Interrupted || State.Stop ||
        Findings >= Options.MaxFindings)
      return;
    examineSubject(State, Index);
  }
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

void Campaign::start(unsigned Worker, uint64_t From) {
  outs().flush();
  pid_t Process = fork();
  if (Process < 0)
    report_fatal_error("cannot start a worker process");
  if (Process == 0) {
    work(Workers[Worker], From);
    exit(0); // not _exit: coverage counters are written at exit
  }
  Processes[Worker] = Process;
}

void Campaign::recordCrash(WorkerState &State, Difference Crash) {
  Form F = Options.Forms[State.FormNumber];
  ++State.Counters[State.FormNumber].Crashes;
  Finding Found{List.name(State.Index), F, {}};
  Found.Result.Finding = std::move(Crash);
  Found.Result.Rerun = F;
  LLVMContext Context;
  std::string Why;
  if (auto M = List.load(State.Index, Context, Why)) {
    raw_string_ostream OS(Found.Result.Before);
    M->print(OS, nullptr);
  }
  Store.record(Found);
}

CampaignResult Campaign::total() const {
  CampaignResult Result;
  for (unsigned Number = 0; Number < Options.Forms.size(); ++Number) {
    FuzzCounters Sum;
    for (unsigned Worker = 0; Worker < Options.Jobs; ++Worker)
      Sum += Workers[Worker].Counters[Number];
    Result.push_back({Options.Forms[Number], Sum});
  }
  return Result;
}

void Campaign::showProgress(bool IsLast) {
  if (!ShowsProgress)
    return;
  FuzzCounters Sum;
  for (const auto &[F, Counters] : total())
    Sum += Counters;
  auto Seconds =
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - Start);
  errs() << "\r" << Seconds.count() << " s: " << Sum.Kernels << " kernels, "
         << Sum.Compared << " threads compared, " << Sum.Findings + Sum.Crashes
         << " findings" << (IsLast ? "\n" : "");
}

CampaignResult Campaign::run() {
  Processes.assign(Options.Jobs, -1);
  sys::SetInterruptFunction([] { Interrupted = 1; });
  for (unsigned Worker = 0; Worker < Options.Jobs; ++Worker)
    start(Worker, Worker);
  for (size_t Running = Options.Jobs; Running > 0;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (unsigned Worker = 0; Worker < Options.Jobs; ++Worker) {
      Workers[Worker].Stop = Interrupted;
      int Status;
      if (Processes[Worker] < 0 ||
          waitpid(Processes[Worker], &Status, WNOHANG) != Processes[Worker])
        continue;
      Processes[Worker] = -1;
      if (auto Crash = abnormalEnd(Status)) {
        recordCrash(Workers[Worker], std::move(*Crash));
        start(Worker, Workers[Worker].Index + Options.Jobs);
      } else {
        --Running;
      }
    }
    showProgress(/*IsLast=*/false);
  }
  showProgress(/*IsLast=*/true);
  return total();
}

CampaignResult runCampaign(const Subjects &List, const PassRunner &Runner,
                           const FindingStore &Store,
                           const CampaignOptions &Options) {
  return Campaign(List, Runner, Store, Options).run();
}

//===----------------------------------------------------------------------===//
// One module
//===----------------------------------------------------------------------===//

std::optional<Difference> examineIsolated(const Subjects &List, Form F,
                                          const PassRunner &Runner,
                                          const ExaminationOptions &Options) {
  int Pipe[2]; // the finding's text comes back through it
  outs().flush();
  if (pipe(Pipe) != 0)
    report_fatal_error("cannot make a pipe");
  pid_t Process = fork();
  if (Process < 0)
    report_fatal_error("cannot start a process");
  if (Process == 0) {
    close(Pipe[0]);
    restartAlarm();
    LLVMContext Context;
    std::string Why;
    FuzzCounters Counters;
    if (auto M = List.load(0, Context, Why)) {
      ExaminationOptions How = Options;
      How.Runs.ShowLife = restartAlarm;
      auto Result = examine(std::move(M), F, Runner, How, Counters);
      raw_fd_ostream Out(Pipe[1], /*shouldClose=*/true);
      if (Result.Finding)
        Out << Result.Finding->Kind << '\n' << Result.Finding->Text;
    }
    exit(0);
  }
  close(Pipe[1]);
  std::string Text;
  char Buffer[4096];
  for (ssize_t Count; (Count = read(Pipe[0], Buffer, sizeof(Buffer))) > 0;)
    Text.append(Buffer, size_t(Count));
  close(Pipe[0]);
  int Status = 0;
  waitpid(Process, &Status, 0);
  if (auto Crash = abnormalEnd(Status))
    return Crash;
  if (Text.empty())
    return std::nullopt;
  auto [Kind, Rest] = StringRef(Text).split('\n');
  return Difference{Kind.str(), Rest.str()};
}

} // namespace unravel
