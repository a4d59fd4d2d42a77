//===- Driver.cpp - The CUDA driver, loaded at run time -------------------===//

#include "Driver.h"

#include <dlfcn.h>

#include <stdexcept>

using namespace unravel::gpu;

static void *symbol(void *Library, const char *Name) {
  if (void *Found = dlsym(Library, Name))
    return Found;
  throw std::runtime_error(std::string("libcuda.so.1 has no ") + Name);
}

static Driver load() {
  void *Library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Library)
    throw std::runtime_error("no CUDA driver: libcuda.so.1 cannot be loaded");
  Driver Result;
  // cuda.h renames functions by macros (cuMemAlloc is cuMemAlloc_v2): members
  // and names are made of the expanded ones.
#define UNRAVEL_LOAD(NAME)                                                     \
  Result.NAME##Call =                                                          \
      reinterpret_cast<decltype(Result.NAME##Call)>(symbol(Library, #NAME));
#define UNRAVEL_EXPANDED(NAME) UNRAVEL_LOAD(NAME)
  UNRAVEL_DRIVER_CALLS(UNRAVEL_EXPANDED)
#undef UNRAVEL_EXPANDED
#undef UNRAVEL_LOAD
  return Result;
}

const Driver &unravel::gpu::driver() {
  static const Driver Loaded = load();
  return Loaded;
}

void unravel::gpu::check(CUresult Result, const char *What) {
  if (Result == CUDA_SUCCESS)
    return;
  const char *Reason = nullptr;
  driver().cuGetErrorStringCall(Result, &Reason);
  throw std::runtime_error(std::string(What) + ": " +
                           (Reason ? Reason : "unknown error"));
}
