//===- Share.h - Exhaustive tests under the sanitizers ----------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sanitizers make tests ten times as slow, and look for what no value
// shows. Under them, exhaustive tests take a share of their inputs.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_SHARE_H
#define UNRAVEL_TEST_UNIT_SHARE_H

namespace unravel::test {

/// Of so many inputs one is taken. A prime, so that no inner loop is always at
/// the same place.
#ifdef UNRAVEL_SANITIZE
inline constexpr unsigned Share = 7;
#else
inline constexpr unsigned Share = 1;
#endif

/// Asked for each input: true for all but the first of \c Share.
inline bool isLeftOut() {
  static unsigned Asked = 0;
  return Asked++ % Share != 0;
}

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_SHARE_H
