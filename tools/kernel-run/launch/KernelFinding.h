//===- KernelFinding.h - What a run shows to be wrong with a kernel --*- C++
//-*--===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Finding is a fault of the kernel that was run (an access outside its
// buffers, a deadlock, a difference between two versions), as opposed to a
// run that could not be made. The tool exits with 1 and 2.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_KERNELFINDING_H
#define UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_KERNELFINDING_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace unravel {

class KernelFinding : public llvm::ErrorInfo<KernelFinding> {
public:
  static inline char ID = 0;

  explicit KernelFinding(const llvm::Twine &Message) : Message(Message.str()) {}
  void log(llvm::raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string Message;
};

/// \p E with \p Prefix in front of its message; still a finding if it was one.
inline llvm::Error prefixed(const llvm::Twine &Prefix, llvm::Error E) {
  bool IsFinding = E.isA<KernelFinding>();
  std::string Message = (Prefix + llvm::toString(std::move(E))).str();
  if (IsFinding)
    return llvm::make_error<KernelFinding>(Message);
  return llvm::createStringError(Message);
}

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNEL_RUN_LAUNCH_KERNELFINDING_H
