//===- check.h - Host helpers of the CUDA samples ---------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Error-checked CUDA calls, input values, device buffers and the comparison
// with the reference. The first error or mismatch is printed and ends the
// program with status 1.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_CUDA_SAMPLES_CHECK_H
#define UNRAVEL_CUDA_SAMPLES_CHECK_H

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

inline void checkCuda(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

/// Input values in [0, 251) without a short period, so that a wrong index
/// shows. Every value is exact in float and fits a byte.
template <typename T> std::vector<T> makeInput(size_t Count, unsigned Seed) {
  std::vector<T> Values(Count);
  for (size_t I = 0; I < Count; ++I) {
    unsigned Hash = (static_cast<unsigned>(I) + Seed * 7919u) * 2654435761u;
    Values[I] = static_cast<T>(((Hash ^ (Hash >> 15)) >> 4) % 251u);
  }
  return Values;
}

/// Device memory that holds Count elements and is freed with the object.
template <typename T> class DeviceBuffer {
public:
  explicit DeviceBuffer(size_t Count) : Count(Count) {
    checkCuda(cudaMalloc(reinterpret_cast<void **>(&Data), Count * sizeof(T)),
              "cudaMalloc");
    poison();
  }
  explicit DeviceBuffer(const std::vector<T> &Host)
      : DeviceBuffer(Host.size()) {
    checkCuda(cudaMemcpy(Data, Host.data(), Count * sizeof(T),
                         cudaMemcpyHostToDevice),
              "cudaMemcpy to the device");
  }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() { cudaFree(Data); }

  T *get() { return Data; }

  /// Overwrites everything, with NaN if T is float, so that an element that a
  /// kernel does not write is seen.
  void poison() {
    checkCuda(cudaMemset(Data, 0xff, Count * sizeof(T)), "cudaMemset");
  }

  std::vector<T> read() const {
    std::vector<T> Host(Count);
    checkCuda(cudaMemcpy(Host.data(), Data, Count * sizeof(T),
                         cudaMemcpyDeviceToHost),
              "cudaMemcpy to the host");
    return Host;
  }

private:
  T *Data = nullptr;
  size_t Count;
};

/// Waits for the kernel just launched, compares its output with the reference
/// and poisons the output for the next kernel.
template <typename T>
void expectOutput(const char *Kernel, DeviceBuffer<T> &Out,
                  const std::vector<T> &Want) {
  checkCuda(cudaGetLastError(), Kernel);
  checkCuda(cudaDeviceSynchronize(), Kernel);
  std::vector<T> Got = Out.read();
  for (size_t I = 0; I < Want.size(); ++I) {
    double W = static_cast<double>(Want[I]), G = static_cast<double>(Got[I]);
    if (std::fabs(G - W) <= 1e-5 * std::fmax(1.0, std::fabs(W)))
      continue;
    std::printf("%s: mismatch at element %zu: got %.9g, want %.9g\n", Kernel, I,
                G, W);
    std::exit(1);
  }
  Out.poison();
}

#endif // UNRAVEL_CUDA_SAMPLES_CHECK_H
