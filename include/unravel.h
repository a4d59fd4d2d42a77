//===- unravel.h - Facts about index arithmetic, stated in CUDA -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Macros that tell the compiler what a kernel's author knows about its sizes.
//
//   __global__ void k(float *out, int n, int h, int w) {
//     UNRAVEL_POSITIVE(h);
//     UNRAVEL_POSITIVE(w);
//     UNRAVEL_PRODUCT_FITS(h, w);
//     UNRAVEL_NO_WRAP_GRID();
//     ...
//
// Each is a statement and a promise: where it is executed and does not hold,
// the behaviour is undefined. Write them where the sizes are known, at the top
// of the kernel. The arguments must not have side effects.
//
// In device code they are __builtin_assume, which clang and nvcc (from 11.2 on)
// know; in host code nothing is evaluated. The header needs no other file, so a
// program that uses it compiles without Unravel as well.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_H
#define UNRAVEL_H

/// Any condition. By way of a variable, because clang ignores an assumption
/// that calls a function, and gridDim.x is a call.
#if defined(__CUDA_ARCH__)
#define UNRAVEL_ASSUME(condition)                                              \
  do {                                                                         \
    const bool unravel_holds = static_cast<bool>(condition);                   \
    __builtin_assume(unravel_holds);                                           \
  } while (0)
#else
#define UNRAVEL_ASSUME(condition)                                              \
  static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif

/// n is above 0.
#define UNRAVEL_POSITIVE(n) UNRAVEL_ASSUME((n) > 0)

/// n is in [least, most].
#define UNRAVEL_RANGE(n, least, most)                                          \
  do {                                                                         \
    UNRAVEL_ASSUME((n) >= (least));                                            \
    UNRAVEL_ASSUME((n) <= (most));                                             \
  } while (0)

/// n is a multiple of k, a constant above 0.
#define UNRAVEL_MULTIPLE(n, k) UNRAVEL_ASSUME((n) % (k) == 0)

/// The product of two, three or four sizes is an int: also a * b of a * b * c.
#define UNRAVEL_PRODUCT_FITS(...)                                              \
  UNRAVEL_DETAIL_PICK(__VA_ARGS__, UNRAVEL_DETAIL_FITS4, UNRAVEL_DETAIL_FITS3, \
                      UNRAVEL_DETAIL_FITS2, )                                  \
  (__VA_ARGS__)
#define UNRAVEL_DETAIL_PICK(a, b, c, d, macro, ...) macro
#define UNRAVEL_DETAIL_IS_INT(product)                                         \
  UNRAVEL_RANGE(product, -2147483647LL - 1, 2147483647LL)
#define UNRAVEL_DETAIL_WIDE(n) static_cast<long long>(n)
#define UNRAVEL_DETAIL_FITS2(a, b)                                             \
  UNRAVEL_DETAIL_IS_INT(UNRAVEL_DETAIL_WIDE(a) * UNRAVEL_DETAIL_WIDE(b))
#define UNRAVEL_DETAIL_FITS3(a, b, c)                                          \
  do {                                                                         \
    UNRAVEL_DETAIL_FITS2(a, b);                                                \
    UNRAVEL_DETAIL_IS_INT(UNRAVEL_DETAIL_WIDE(a) * UNRAVEL_DETAIL_WIDE(b) *    \
                          UNRAVEL_DETAIL_WIDE(c));                             \
  } while (0)
#define UNRAVEL_DETAIL_FITS4(a, b, c, d)                                       \
  do {                                                                         \
    UNRAVEL_DETAIL_FITS3(a, b, c);                                             \
    UNRAVEL_DETAIL_IS_INT(UNRAVEL_DETAIL_WIDE(a) * UNRAVEL_DETAIL_WIDE(b) *    \
                          UNRAVEL_DETAIL_WIDE(c) * UNRAVEL_DETAIL_WIDE(d));    \
  } while (0)

/// blockIdx * blockDim + threadIdx is below 2^31 in every dimension: no launch
/// has more than 2^31 threads in one.
#if defined(__CUDA_ARCH__)
#define UNRAVEL_NO_WRAP_GRID()                                                 \
  do {                                                                         \
    UNRAVEL_DETAIL_GRID(gridDim.x, blockDim.x);                                \
    UNRAVEL_DETAIL_GRID(gridDim.y, blockDim.y);                                \
    UNRAVEL_DETAIL_GRID(gridDim.z, blockDim.z);                                \
  } while (0)
#else
#define UNRAVEL_NO_WRAP_GRID() static_cast<void>(0)
#endif
#define UNRAVEL_DETAIL_GRID(blocks, threads)                                   \
  UNRAVEL_ASSUME(static_cast<unsigned long long>(blocks) * (threads) <=        \
                 2147483648ULL)

#endif // UNRAVEL_H
