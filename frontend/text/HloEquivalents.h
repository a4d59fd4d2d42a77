//===- HloEquivalents.h - Operations that are read as others ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some operations say when something happens, not what is computed:
//
//     t = token[] after-all(a, b)           ()-tuple
//     x = f32[4] add-dependency(a, t)       x = opt-barrier(a), also `domain`
//     s = ((f32[4]), f32[8], u32[]) X-start(a), ...
//                                           r = f32[8] X(a), ...
//                                           s = tuple((a), r, 0)
//     u = (...) X-update(s)                 u = opt-barrier(s)
//     d = f32[8] X-done(u)                  d = get-tuple-element(u), index=1
//
// The X is any operation, or `async` with `calls=COMPUTATION`. What an
// asynchronous operation yields is there as soon as it begins; its users come
// behind the -done, so the order of the text is one that the program allows.
// What the tuple of a start has besides operands and result are handles of the
// run time, for which 0 stands. The tuple of copy-start begins with the result;
// all-reduce-start has the result alone.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_FRONTEND_TEXT_HLOEQUIVALENTS_H
#define UNRAVEL_FRONTEND_TEXT_HLOEQUIVALENTS_H

#include "frontend/hlo/HloModule.h"

namespace unravel {

/// How an operation is read.
enum class HloReading : uint8_t {
  AsWritten,
  Nothing,      ///< the empty tuple, which a token is
  FirstOperand, ///< the operands behind it have to be there before
  Start,
  Done,
};

struct HloEquivalent {
  HloReading Reading = HloReading::AsWritten;
  /// What is started or done: `all-gather` of `all-gather-start`; otherwise the
  /// whole name.
  llvm::StringRef Operation;
};

/// \p Name is what is written in the place of an opcode, whether there is such
/// an operation or not.
HloEquivalent equivalentOf(llvm::StringRef Name);

/// The place of the result in the tuple of a start of \p Operation; none if the
/// result is all that there is.
std::optional<int64_t> placeOfResult(llvm::StringRef Operation);

/// The shape that \p Operation yields, from \p State, the shape of its start.
/// Errors: \p State has no such part; the message is a reason.
llvm::Expected<HloShape> resultOfStart(llvm::StringRef Operation,
                                       const HloShape &State);

/// The value of a start, with shape \p State: instructions that are added to
/// \p C behind \p Result, which does \p Operation. \p FreshName gives them
/// their names. Errors: a part of \p State is none of those above; the message
/// is a reason.
llvm::Expected<const HloInstruction *>
addStart(HloComputation &C, llvm::StringRef Operation,
         const HloInstruction &Result, const HloShape &State,
         llvm::function_ref<std::string(llvm::StringRef Base)> FreshName);

} // namespace unravel

#endif // UNRAVEL_FRONTEND_TEXT_HLOEQUIVALENTS_H
