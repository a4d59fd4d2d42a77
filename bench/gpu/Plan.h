//===- Plan.h - What to measure on a GPU ------------------------*- C++ -*-===//
//
// A plan is a text that pack.py writes: kernels in several versions, with their
// launches. One statement a line, words separated by spaces; `#` begins a
// comment:
//
//   case NAME ELEMENT-BYTES SIZE      begins a case; the rest belongs to it
//   grid X Y Z                        of all versions, or of the version above
//   block X Y Z
//   shared BYTES                      dynamic shared memory
//   moved BYTES                       read and written, if not all buffers
//   in|out|inout TYPE COUNT [LOW HIGH]  a buffer; random values within bounds
//   values TYPE COUNT V [V ...]       a buffer whose values repeat
//   steps TYPE COUNT FIRST STEP       a buffer: FIRST, FIRST + STEP, ...
//   struct TYPE V [V ...]             a parameter passed by value
//   scalar TYPE V
//   version LABEL FILE SYMBOL [exact|close LABEL]
//
// TYPE is i8 to i64, u8 to u64, f32 or f64. A version's output must have the
// bytes of the version that `exact` names; for `close` the largest difference
// of its f32 values, relative to the larger one of two, is reported.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_BENCH_GPU_PLAN_H
#define UNRAVEL_BENCH_GPU_PLAN_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace unravel::gpu {

using Dim = std::array<unsigned, 3>;

struct Argument {
  enum class Kind { In, Out, InOut, Values, Steps, Struct, Scalar };
  Kind How = Kind::Scalar;
  std::string Type;
  size_t Count = 1;             ///< Elements of a buffer.
  double Low = 0, High = 0;     ///< Bounds of random values, if they differ.
  int64_t First = 0, Step = 0;  ///< Of Steps.
  std::vector<std::byte> Bytes; ///< Of Values, Struct and Scalar.

  bool isBuffer() const { return How != Kind::Struct && How != Kind::Scalar; }
  bool isWritten() const { return How == Kind::Out || How == Kind::InOut; }
  size_t bytes() const; ///< Of the buffer or the value.
};

struct Version {
  std::string Label, File, Symbol;
  std::string Reference; ///< The version that it is compared with, or empty.
  bool IsExact = true;   ///< Whether the bytes must be those of Reference.
  Dim Grid, Block;
};

struct Case {
  std::string Name, Size;
  unsigned ElementBytes = 0;
  size_t Shared = 0;
  size_t Moved = 0; ///< Bytes, or 0: what the buffers have.
  std::vector<Argument> Arguments;
  std::vector<Version> Versions;

  /// What any version must move: each buffer once, those that are read and
  /// written twice.
  size_t bytes() const;
};

size_t sizeOfType(const std::string &Type);

/// What a buffer of Values or Steps contains.
std::vector<std::byte> contentOf(const Argument &A);

/// Throws std::runtime_error that names file and line of a mistake.
std::vector<Case> readPlan(const std::string &Path);

} // namespace unravel::gpu

#endif // UNRAVEL_BENCH_GPU_PLAN_H
