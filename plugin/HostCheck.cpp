//===- HostCheck.cpp - Whether the host's LLVM is the plugin's ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin API's version does not tell two builds of LLVM apart, and a host
// may hide its symbols. But what calls the plugin is the host's own
// PassPlugin::Load: it lies in the library or program that our reference to
// that function leads to, or the process has a second LLVM.
//
//===----------------------------------------------------------------------===//

#include "plugin/HostCheck.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Plugins/PassPlugin.h"
#include <cstdio>
#include <dlfcn.h>

bool unravel::isOwnHost(void *Caller) {
  Dl_info OfCaller, OfLLVM;
  auto *Load = reinterpret_cast<void *>(&llvm::PassPlugin::Load);
  // What is in no file was made at run time, by the LLVM of the process.
  if (!dladdr(Caller, &OfCaller) || !dladdr(Load, &OfLLVM))
    return true;
  return OfCaller.dli_fbase == OfLLVM.dli_fbase;
}

// (Not through raw_ostream: as little of LLVM as possible runs in this
// process.)
void unravel::reportForeignHost(void *Caller) {
  Dl_info OfCaller;
  bool HasName = dladdr(Caller, &OfCaller) && OfCaller.dli_fname;
  std::fprintf(stderr,
               "unravel: '%s' has another LLVM inside than the LLVM %s that "
               "this plugin needs, so the plugin is not loaded; simplify the "
               "PTX instead: ptx-simplify, or unravel-ptxas as the assembler\n",
               HasName ? OfCaller.dli_fname : "the program",
               LLVM_VERSION_STRING);
}
