// Adds 1 to a tensor of 20 x 40 x 75, with the index as a fusion emitter writes
// it. With Unravel the kernel divides no more.
#include <cstdio>
#include <vector>

__global__ void bias(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 20 * 40 * 75)
    return;
  int a = i / (40 * 75), b = (i / 75) % 40, c = i % 75;
  out[i] = in[(a * 40 + b) * 75 + c] + 1.0f;
}

static void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(Error));
  std::exit(2);
}

int main() {
  constexpr int Count = 20 * 40 * 75;
  std::vector<float> In(Count), Out(Count);
  for (int I = 0; I < Count; ++I)
    In[I] = I;
  float *DeviceIn, *DeviceOut;
  check(cudaMalloc(&DeviceIn, Count * sizeof(float)));
  check(cudaMalloc(&DeviceOut, Count * sizeof(float)));
  check(cudaMemcpy(DeviceIn, In.data(), Count * sizeof(float),
                   cudaMemcpyHostToDevice));
  bias<<<(Count + 127) / 128, 128>>>(DeviceIn, DeviceOut);
  check(cudaMemcpy(Out.data(), DeviceOut, Count * sizeof(float),
                   cudaMemcpyDeviceToHost));
  int Right = 0;
  for (int I = 0; I < Count; ++I)
    Right += Out[I] == In[I] + 1;
  std::printf("%d of %d elements are right\n", Right, Count);
  return Right == Count ? 0 : 1;
}
