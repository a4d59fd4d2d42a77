//===- HostCheck.h - Whether the host's LLVM is the plugin's ----*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_PLUGIN_HOSTCHECK_H
#define UNRAVEL_PLUGIN_HOSTCHECK_H

namespace unravel {

/// Whether the code at \p Caller, an address in the host that loads the plugin,
/// belongs to the LLVM that the plugin is linked with. A program that has
/// another LLVM inside (Triton, XLA) hands over objects of another layout.
bool isOwnHost(void *Caller);

/// Says on the standard error stream, in one line, why the plugin is refused
/// and what to use in its place.
void reportForeignHost(void *Caller);

} // namespace unravel

#endif // UNRAVEL_PLUGIN_HOSTCHECK_H
