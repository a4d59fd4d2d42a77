//===- Driver.h - The CUDA driver, loaded at run time -----------*- C++ -*-===//
//
// The program is built where there is no driver and runs where there is no
// toolkit: it looks the driver's functions up in libcuda.so.1.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_BENCH_GPU_DRIVER_H
#define UNRAVEL_BENCH_GPU_DRIVER_H

#include <cuda.h>
#include <cudaProfiler.h>

#include <string>

namespace unravel::gpu {

#define UNRAVEL_DRIVER_CALLS(CALL)                                             \
  CALL(cuInit)                                                                 \
  CALL(cuDriverGetVersion)                                                     \
  CALL(cuGetErrorString)                                                       \
  CALL(cuDeviceGet)                                                            \
  CALL(cuDeviceGetName)                                                        \
  CALL(cuDeviceGetAttribute)                                                   \
  CALL(cuDevicePrimaryCtxRetain)                                               \
  CALL(cuCtxSetCurrent)                                                        \
  CALL(cuCtxSynchronize)                                                       \
  CALL(cuModuleLoad)                                                           \
  CALL(cuModuleUnload)                                                         \
  CALL(cuModuleGetFunction)                                                    \
  CALL(cuFuncGetAttribute)                                                     \
  CALL(cuFuncSetAttribute)                                                     \
  CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor)                            \
  CALL(cuMemAlloc)                                                             \
  CALL(cuMemFree)                                                              \
  CALL(cuMemcpyHtoD)                                                           \
  CALL(cuMemcpyDtoD)                                                           \
  CALL(cuMemcpyDtoH)                                                           \
  CALL(cuMemsetD8)                                                             \
  CALL(cuMemsetD8Async)                                                        \
  CALL(cuLaunchKernel)                                                         \
  CALL(cuEventCreate)                                                          \
  CALL(cuEventDestroy)                                                         \
  CALL(cuEventRecord)                                                          \
  CALL(cuEventElapsedTime)                                                     \
  CALL(cuProfilerStart)                                                        \
  CALL(cuProfilerStop)

/// The functions, by their names in cuda.h.
struct Driver {
#define UNRAVEL_MEMBER(NAME) decltype(&::NAME) NAME##Call = nullptr;
#define UNRAVEL_EXPANDED(NAME) UNRAVEL_MEMBER(NAME)
  UNRAVEL_DRIVER_CALLS(UNRAVEL_EXPANDED)
#undef UNRAVEL_EXPANDED
#undef UNRAVEL_MEMBER
};

/// The driver; throws std::runtime_error where there is none.
const Driver &driver();

/// Throws std::runtime_error that names \p What and the driver's reason.
void check(CUresult Result, const char *What);

} // namespace unravel::gpu

/// Calls a function of the driver, by its name in cuda.h.
#define UNRAVEL_CALL_MEMBER(NAME, ...)                                         \
  ::unravel::gpu::check(::unravel::gpu::driver().NAME##Call(__VA_ARGS__), #NAME)
#define UNRAVEL_CUDA(NAME, ...) UNRAVEL_CALL_MEMBER(NAME, __VA_ARGS__)

#endif // UNRAVEL_BENCH_GPU_DRIVER_H
