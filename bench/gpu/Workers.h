//===- Workers.h - Cases in processes that may die --------------*- C++ -*-===//
//
// An error of a kernel, such as an illegal address, ends all use of the GPU by
// its process. Cases therefore run in a child; where one ends it, a new child
// goes on behind it.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_BENCH_GPU_WORKERS_H
#define UNRAVEL_BENCH_GPU_WORKERS_H

#include <cstddef>
#include <functional>
#include <string>

namespace unravel::gpu {

/// What a case says at its end.
enum class Verdict { Good, Bad, ContextLost };

struct Work {
  /// Called once in each child; \p From is its first case.
  std::function<void(size_t From)> Begin;
  std::function<Verdict(size_t Case)> Do;
  /// Called in the parent for a case that ended its child.
  std::function<void(size_t Case, const std::string &Why)> Lost;
};

/// Runs cases 0 to \p Count - 1, each for at most \p Seconds. Returns whether
/// all were good; throws std::runtime_error where Begin failed in a child.
bool runInWorkers(size_t Count, unsigned Seconds, const Work &Use);

} // namespace unravel::gpu

#endif // UNRAVEL_BENCH_GPU_WORKERS_H
