//===- KernelLaunch.h - How a kernel is launched ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch description says which kernel runs on which grid with which
// arguments. It has two forms: an entry of a launches.json
//
//   {"file": "pad.cu", "kernel": "pad", "ideal": "pad_ideal",
//    "grid": [564, 1, 1], "block": [128, 1, 1],
//    "args": [{"buffer": "in", "type": "f32", "count": 56700, "align": 16},
//             {"buffer": "out", "type": "f32", "count": 72072},
//             {"scalar": "i32", "value": 5}]}
//
// and words on a command line
//
//   --grid 564,1,1 --block 128 --args
//   "in:f32:56700:align=16,out:f32:72072,i32:5"
//
// (file and ideal tell the tests where the kernel is and what its twin is.)
// A buffer may bound the values it is filled with (buffers of indices need
// that): "min": 0, "max": 99, or in:i32:100:min=0:max=99. Or all values are
// given: "values": [3, 5], or in:i32:2:values=3;5. Or its bytes come from a
// file: "file": "x.bin", or file=x.bin. Element types are f16, f32, f64 and i8
// to u64; scalars are those without f16. A struct that is passed by value is an
// in buffer with as many bytes.
//
// A kernel may have several launches in a file. "args" may be the words of the
// command line instead of a list. A launch in a file may also have
//
//   "blocks": "0-3,last"  run only these blocks; variants keep the grid
//   "shared": 4096      bytes of dynamic shared memory
//   "also": [0, 1]      in a scalar: other values that are safe with these
//                       buffers; i32:100:also=0:also=1
//   "grids": "any"      which other shapes the kernel may run with:
//     any               all of some size; the default
//     huge              also 2147483647 blocks: the guard holds for every index
//                       modulo 2^32
//     smaller           no more blocks, no more threads a block: code assumes a
//                       bound of the grid
//     this              so many blocks, no more threads a block: code assumes
//                       this number
//
// variants() makes further launches of these.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_KERNELLAUNCH_H
#define UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_KERNELLAUNCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace unravel {

/// What one element of a buffer, or one scalar, is.
enum class ArgumentType { F16, F32, F64, I8, U8, I16, U16, I32, U32, I64, U64 };

llvm::StringRef elementName(ArgumentType Type);
uint64_t elementSize(ArgumentType Type);
bool isFloat(ArgumentType Type);

/// One argument of a launch, in the order of the kernel's parameters.
struct KernelArgument {
  /// In and InOut start with random values, Out with the fill pattern.
  enum ArgumentKind { In, Out, InOut, Scalar };

  ArgumentKind Kind = Scalar;
  ArgumentType Type = ArgumentType::I32;

  // Of a buffer.
  uint64_t Count = 0;
  /// The address is a multiple of this and of no higher power of two. The
  /// default is what cudaMalloc gives.
  uint64_t Align = 256;
  /// Bounds of random values, inclusive; both or neither. Without them,
  /// floating point is in [-4, 4) and an integer is anything.
  std::optional<double> Min, Max;
  /// Empty, or all values.
  std::vector<double> Values;
  /// Where the bytes come from; empty for random values.
  std::string File;
  /// Or the bytes themselves.
  std::vector<uint8_t> Bytes;

  // Of a scalar.
  int64_t IntegerValue = 0;
  double FloatValue = 0;
  /// Other values that a launch may have.
  std::vector<int64_t> Also;

  bool isBuffer() const { return Kind != Scalar; }
  uint64_t sizeInBytes() const { return Count * elementSize(Type); }
};

/// Blocks of a grid and threads of a block, x first.
struct LaunchShape {
  std::array<uint32_t, 3> Grid = {1, 1, 1};
  std::array<uint32_t, 3> Block = {1, 1, 1};

  uint64_t threadsPerBlock() const;
  uint64_t blocks() const;
  uint64_t threads() const { return blocks() * threadsPerBlock(); }
};

/// Which other shapes a kernel may run with.
enum class OtherShapes { Huge, Any, Smaller, SmallerBlock };

struct KernelLaunch {
  std::string Kernel;
  LaunchShape Shape;
  OtherShapes Shapes = OtherShapes::Any;
  uint64_t SharedBytes = 0;
  /// The blocks to run, as BlockSelection::parse() reads them; empty for all.
  std::string Blocks;
  /// Of a variant: how many blocks to run, evenly spread; zero for all.
  uint64_t SampledBlocks = 0;
  std::vector<KernelArgument> Arguments;
};

/// \p Launch, and what else its kernel must be able to do: a single thread (or
/// blocks of one), blocks of 33 and of 7 x 3 threads, some blocks of a huge
/// grid, and the other values of its scalars.
std::vector<KernelLaunch> variants(const KernelLaunch &Launch);

/// Reads a launches.json, all of it.
llvm::Expected<std::vector<KernelLaunch>> readLaunches(llvm::StringRef Path);

/// Parses x, "x,y" or "x,y,z"; what is left out is 1.
llvm::Expected<std::array<uint32_t, 3>> parseExtent(llvm::StringRef Text);

/// Parses the command-line form of the arguments.
llvm::Expected<std::vector<KernelArgument>>
parseArguments(llvm::StringRef Text);

/// Fails unless a GPU would accept the shape.
llvm::Error checkShape(const LaunchShape &Shape);

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_KERNELLAUNCH_H
