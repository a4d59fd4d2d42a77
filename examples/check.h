// Runs a kernel that adds 1 to each of 20 x 40 x 75 elements, and says how many
// of them are right.
#ifndef UNRAVEL_EXAMPLES_CHECK_H
#define UNRAVEL_EXAMPLES_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(Error));
  std::exit(2);
}

inline int runAndCheck(void (*Kernel)(const float *In, float *Out)) {
  constexpr int Count = 20 * 40 * 75;
  std::vector<float> In(Count), Out(Count);
  for (int I = 0; I < Count; ++I)
    In[I] = I;
  float *DeviceIn, *DeviceOut;
  check(cudaMalloc(&DeviceIn, Count * sizeof(float)));
  check(cudaMalloc(&DeviceOut, Count * sizeof(float)));
  check(cudaMemcpy(DeviceIn, In.data(), Count * sizeof(float),
                   cudaMemcpyHostToDevice));
  Kernel<<<(Count + 127) / 128, 128>>>(DeviceIn, DeviceOut);
  check(cudaGetLastError());
  check(cudaMemcpy(Out.data(), DeviceOut, Count * sizeof(float),
                   cudaMemcpyDeviceToHost));
  int Right = 0;
  for (int I = 0; I < Count; ++I)
    Right += Out[I] == In[I] + 1;
  std::printf("%d of %d elements are right\n", Right, Count);
  return Right == Count ? 0 : 1;
}

#endif // UNRAVEL_EXAMPLES_CHECK_H
