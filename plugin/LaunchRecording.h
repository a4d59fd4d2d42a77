//===- LaunchRecording.h - Records launches in host pipelines ---*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PLUGIN_LAUNCHRECORDING_H
#define UNRAVEL_PLUGIN_LAUNCHRECORDING_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace unravel {

/// With -index-simplify-record-launches=FILE, makes the pipelines that \p PB
/// builds for host code write the file.
void addLaunchRecording(llvm::PassBuilder &PB);

} // namespace unravel

#endif // UNRAVEL_PLUGIN_LAUNCHRECORDING_H
