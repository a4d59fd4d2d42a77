//===- Mutated.h - Which mutation a test build runs with --------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by the copies of the sources that run.py builds, never by the
// sources themselves. Every mutation of the list is in that one build; the
// environment variable UNRAVEL_MUTATION turns one of them on. A test can only
// notice the mutations that it evaluates: the file that the environment
// variable UNRAVEL_MUTATIONS_REACHED names gets a 1 for each of those.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_MUTATION_MUTATED_H
#define UNRAVEL_TEST_MUTATION_MUTATED_H

#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace unravel {

/// A byte for each mutation, in a file that all processes of a test share, so
/// that nothing is lost when one of them crashes; null if no file is named.
inline char *mapReachedMutations() {
  constexpr size_t Size = 1 << 16; // more than there are mutations
  const char *Path = std::getenv("UNRAVEL_MUTATIONS_REACHED");
  int File = Path ? open(Path, O_RDWR | O_CREAT, 0666) : -1;
  if (File < 0 || ftruncate(File, Size) != 0)
    return nullptr;
  void *Bytes =
      mmap(nullptr, Size, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  close(File);
  return Bytes == MAP_FAILED ? nullptr : static_cast<char *>(Bytes);
}

inline bool mutated(int Number) {
  static const int Active = [] {
    const char *Text = std::getenv("UNRAVEL_MUTATION");
    return Text ? std::atoi(Text) : 0;
  }();
  static char *const Reached = mapReachedMutations();
  if (Reached)
    Reached[Number] = 1;
  return Active == Number;
}

} // namespace unravel

#endif // UNRAVEL_TEST_MUTATION_MUTATED_H
