//===- Workers.cpp - Cases in processes that may die ----------------------===//

#include "Workers.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>

using namespace unravel::gpu;

namespace {

/// What a child tells its parent, in memory that both have.
struct Progress {
  size_t At = 0; ///< The case that runs, or ran last.
  bool IsGood = true;
  bool HasBegun = false;
  bool HasEnded = false; ///< As it means to, with or without cases left.
  char Error[256] = {};  ///< Why it could not begin.
};

Progress &sharedProgress() {
  void *Memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED)
    throw std::runtime_error("no memory to share with a child process");
  return *new (Memory) Progress;
}

void work(size_t Count, unsigned Seconds, const Work &Use, Progress &P) {
  constexpr unsigned BeginSeconds = 60; // A driver may take some of them.
  try {
    alarm(BeginSeconds);
    Use.Begin(P.At);
  } catch (const std::runtime_error &Error) {
    std::strncpy(P.Error, Error.what(), sizeof(P.Error) - 1);
    return;
  }
  P.HasBegun = true;
  for (; P.At < Count; ++P.At) {
    alarm(Seconds);
    Verdict Said = Use.Do(P.At);
    P.IsGood &= Said == Verdict::Good;
    if (Said == Verdict::ContextLost)
      break;
  }
  alarm(0);
  P.HasEnded = true;
}

std::string reasonOf(int Status, unsigned Seconds) {
  if (!WIFSIGNALED(Status))
    return "the process ended with status " +
           std::to_string(WEXITSTATUS(Status));
  if (WTERMSIG(Status) == SIGALRM)
    return "took more than " + std::to_string(Seconds) + " seconds";
  return std::string("the process ended: ") + strsignal(WTERMSIG(Status));
}

int waitFor(pid_t Child) {
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      throw std::runtime_error("a process of the cases got lost");
  return Status;
}

} // namespace

bool unravel::gpu::runInWorkers(size_t Count, unsigned Seconds,
                                const Work &Use) {
  Progress &P = sharedProgress();
  for (; P.At < Count; ++P.At) {
    // A child writes what is buffered once more when it ends.
    std::fflush(nullptr);
    P.HasBegun = P.HasEnded = false;
    pid_t Child = fork();
    if (Child < 0)
      throw std::runtime_error("no process for the cases");
    if (Child == 0) {
      work(Count, Seconds, Use, P);
      std::fflush(nullptr);
      _exit(0);
    }
    int Status = waitFor(Child);
    if (!P.HasBegun)
      throw std::runtime_error(P.Error[0] ? P.Error
                                          : "the GPU cannot be opened: " +
                                                reasonOf(Status, Seconds));
    if (!P.HasEnded) {
      P.IsGood = false;
      Use.Lost(P.At, reasonOf(Status, Seconds));
    }
  }
  return P.IsGood;
}
