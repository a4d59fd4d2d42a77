//===- ForeignHost.cpp - A program with another LLVM loads the plugin -----===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands for a program like Triton: it has the plugin API of LLVM 21, whose
// structure has four members, and no symbol of LLVM that the plugin could see.
// Usage: foreign-host PLUGIN
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <new>

namespace {
struct FourMembers {
  uint32_t APIVersion;
  const char *PluginName;
  const char *PluginVersion;
  void (*Register)(void *PassBuilder);
  FourMembers(const FourMembers &) = delete; // returned in memory
};
} // namespace

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 2)
    return 2;
  void *Plugin = dlopen(Arguments[1], RTLD_LAZY | RTLD_GLOBAL);
  if (!Plugin) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  auto *Entry = reinterpret_cast<FourMembers (*)()>(
      dlsym(Plugin, "llvmGetPassPluginInfo"));
  // The result is built in the storage, and nothing may be written behind it.
  struct {
    alignas(FourMembers) char Result[sizeof(FourMembers)];
    char Behind[64];
  } Storage;
  std::memset(&Storage, 0x5a, sizeof(Storage));
  auto *Info = new (Storage.Result) FourMembers(Entry());
  bool IsIntact = true;
  for (char C : Storage.Behind)
    IsIntact &= C == 0x5a;
  std::printf("API version %u, %s %s, memory behind the result %s\n",
              Info->APIVersion, Info->PluginName,
              Info->Register ? "with callbacks" : "without callbacks",
              IsIntact ? "intact" : "OVERWRITTEN");
  return IsIntact ? 0 : 1;
}
