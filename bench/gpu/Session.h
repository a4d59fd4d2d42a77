//===- Session.h - The buffers and kernels of one case ----------*- C++ -*-===//
//
// What a case needs on the GPU: its buffers, filled, and its versions, loaded.
// Objects own what they hold; the driver's errors are std::runtime_error.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_BENCH_GPU_SESSION_H
#define UNRAVEL_BENCH_GPU_SESSION_H

#include "Driver.h"
#include "Plan.h"

#include <map>
#include <memory>

namespace unravel::gpu {

/// Memory of the GPU.
class Buffer {
public:
  explicit Buffer(size_t Bytes);
  ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  CUdeviceptr Address = 0;
  size_t Bytes;
};

/// A kernel of a cubin.
class Kernel {
public:
  Kernel(const std::string &File, const std::string &Symbol);
  ~Kernel();
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  /// \p Parameters point to the values, as cuLaunchKernel takes them.
  void launch(Dim Grid, Dim Block, size_t Shared, void **Parameters) const;
  void allowShared(size_t Bytes) const;
  int registers() const;
  /// Resident threads divided by those that a multiprocessor can hold.
  double occupancy(Dim Block, size_t Shared) const;

private:
  CUmodule Module = nullptr;
  CUfunction Function = nullptr;
};

/// The kernels of helpers.cu, loaded once.
class Helpers {
public:
  explicit Helpers(const std::string &Cubin);

  void fill(const Argument &A, const Buffer &To, unsigned Seed) const;
  /// The yardstick: reads and writes \p Bytes.
  void copy(const Buffer &From, const Buffer &To, size_t Bytes) const;
  /// Keeps the GPU busy for about this many clocks.
  void spin(long long Clocks) const;

  struct Difference {
    unsigned long long Bytes = 0; ///< That differ.
    float Relative = 0;           ///< The largest one of f32 values.
  };
  Difference compare(const Buffer &A, const Buffer &B, bool AreFloats) const;

private:
  std::map<std::string, Kernel> Fills; ///< By type.
  Kernel Copy, Spin, Differences;
  Buffer Found;
};

/// The arguments of a case in memory of the GPU.
class Arguments {
public:
  Arguments(const Case &C, const Helpers &Use);

  /// What the kernel writes gets the content from before the first launch.
  void reset();
  /// As cuLaunchKernel takes them.
  void **parameters() { return Parameters.data(); }
  /// Copies of the buffers that a kernel writes, in their order.
  std::vector<std::unique_ptr<Buffer>> outputs() const;
  /// All that kernels wrote against \p Wanted, made by outputs().
  Helpers::Difference
  compare(const std::vector<std::unique_ptr<Buffer>> &Wanted) const;

private:
  const Case &C;
  const Helpers &Use;
  std::vector<std::unique_ptr<Buffer>> Buffers; ///< Null for values.
  std::vector<void *> Parameters;
};

} // namespace unravel::gpu

#endif // UNRAVEL_BENCH_GPU_SESSION_H
