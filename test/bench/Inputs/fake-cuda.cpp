// A CUDA driver without a GPU, for tests of gpu-bench: memory is the host's, a
// kernel does what its name says, and time is a counter that each launch moves.
#include <cuda.h>
#include <cudaProfiler.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

double Now = 0; // In microseconds.
bool IsColdL2 = false, IsBroken = false;
std::map<CUevent, double> Events;

// Takes 10 microseconds, or 30 when L2 is cold.
void advance(double Warm) {
  Now += IsColdL2 ? 3 * Warm : Warm;
  IsColdL2 = false;
}

template <typename T> T &parameter(void **Parameters, unsigned Number) {
  return *static_cast<T *>(Parameters[Number]);
}

unsigned char *bytes(void **Parameters, unsigned Number) {
  return parameter<unsigned char *>(Parameters, Number);
}

void fill(void **P, size_t Size) {
  size_t Count = parameter<unsigned long long>(P, 1) * Size;
  unsigned Seed = parameter<unsigned>(P, 4);
  for (size_t I = 0; I < Count; ++I)
    bytes(P, 0)[I] = static_cast<unsigned char>(I * 7 + Seed);
}

void compare(void **P) {
  auto *Found = parameter<unsigned long long *>(P, 4);
  for (size_t I = 0; I < parameter<unsigned long long>(P, 2); ++I)
    Found[0] += bytes(P, 0)[I] != bytes(P, 1)[I];
}

// in:u8, out:u8, scalar u32: how many.
CUresult run(const std::string &Name, void **P) {
  if (IsBroken)
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  if (Name.rfind("fill_", 0) == 0) {
    fill(P, std::atoi(Name.c_str() + 6) / 8);
    return CUDA_SUCCESS;
  }
  if (Name == "spin")
    return CUDA_SUCCESS;
  if (Name == "differences") {
    compare(P);
    return CUDA_SUCCESS;
  }
  if (Name == "copy") {
    std::memcpy(bytes(P, 1), bytes(P, 0),
                16 * parameter<unsigned long long>(P, 2));
    advance(8);
    return CUDA_SUCCESS;
  }
  if (Name == "crashes") {
    // As on a GPU, nothing works in this process any more.
    IsBroken = true;
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  if (Name == "dies")
    std::abort();
  if (Name == "exits")
    std::_Exit(3);
  if (Name == "hangs")
    for (;;)
      pause();
  for (unsigned I = 0; I < parameter<unsigned>(P, 2); ++I)
    bytes(P, 1)[I] = static_cast<unsigned char>(bytes(P, 0)[I] + 1);
  if (Name == "wrong")
    ++bytes(P, 1)[1];
  advance(Name == "slow" ? 20 : 10);
  return CUDA_SUCCESS;
}

} // namespace

extern "C" {

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *To) { return *To = 13000, CUDA_SUCCESS; }
CUresult cuGetErrorString(CUresult Error, const char **To) {
  *To = Error == CUDA_ERROR_NOT_FOUND ? "not found" : "illegal address";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *To, int) { return *To = 0, CUDA_SUCCESS; }
CUresult cuDeviceGetName(char *To, int Size, CUdevice) {
  std::strncpy(To, "A \"GPU\" that is none", size_t(Size));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *To, CUdevice_attribute, CUdevice) {
  return *To = 1024, CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *To, CUdevice) {
  return *To = nullptr, CUDA_SUCCESS;
}
CUresult cuProfilerStart() { return CUDA_SUCCESS; }
CUresult cuProfilerStop() { return CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() {
  return IsBroken ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}
CUresult cuModuleLoad(CUmodule *To, const char *) {
  return *To = nullptr, CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *To, CUmodule, const char *Name) {
  static std::map<std::string, int> Names;
  auto Found = Names.emplace(Name, 0).first;
  *To = reinterpret_cast<CUfunction>(const_cast<std::string *>(&Found->first));
  return std::strcmp(Name, "absent") ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncGetAttribute(int *To, CUfunction_attribute, CUfunction) {
  return *To = 42, CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) {
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *To, CUfunction, int,
                                                     size_t) {
  return *To = 2, CUDA_SUCCESS;
}
CUresult cuMemAlloc(CUdeviceptr *To, size_t Bytes) {
  *To = reinterpret_cast<CUdeviceptr>(std::malloc(Bytes));
  return CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr At) {
  std::free(reinterpret_cast<void *>(At));
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoD(CUdeviceptr To, const void *From, size_t Bytes) {
  std::memcpy(reinterpret_cast<void *>(To), From, Bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH(void *To, CUdeviceptr From, size_t Bytes) {
  std::memcpy(To, reinterpret_cast<void *>(From), Bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoD(CUdeviceptr To, CUdeviceptr From, size_t Bytes) {
  std::memcpy(reinterpret_cast<void *>(To), reinterpret_cast<void *>(From),
              Bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8(CUdeviceptr To, unsigned char Value, size_t Bytes) {
  std::memset(reinterpret_cast<void *>(To), Value, Bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, CUstream) {
  IsColdL2 = true;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction Function, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, unsigned, CUstream,
                        void **Parameters, void **) {
  return run(*reinterpret_cast<std::string *>(Function), Parameters);
}
CUresult cuEventCreate(CUevent *To, unsigned) {
  *To = reinterpret_cast<CUevent>(std::malloc(1));
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy(CUevent Event) {
  std::free(Event);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent Event, CUstream) {
  Events[Event] = Now;
  return CUDA_SUCCESS;
}
CUresult cuEventElapsedTime(float *To, CUevent Start, CUevent End) {
  *To = float((Events[End] - Events[Start]) / 1000);
  return CUDA_SUCCESS;
}
}
