// Gathers the sequences and attention masks of unfinished requests: int index
// and size_t sizes, so six 64-bit divisions of a sign-extended index.
//
// A perfect simplifier finds s * hidden + h = g - b * S * hidden: two 32-bit
// divisions. The index is not negative, the sizes are positive and their
// products fit 32 bits.

#include "../check.h"

extern "C" __global__ void gather_rows(float *out, float *out_mask,
                                       const float *in, const float *mask,
                                       const int *compact, size_t count,
                                       size_t length, size_t hidden) {
  const int g = threadIdx.x + blockIdx.x * blockDim.x;
  if (g < count * length * hidden) {
    int h = g % hidden;
    int s = (g / hidden) % length;
    int b = g / (hidden * length);
    out[g] = in[(compact[b] * length + s) * hidden + h];
  }
  if (g < count * length * length) {
    int column = g % length;
    int row = (g / length) % length;
    int b = g / (length * length);
    out_mask[g] = mask[(compact[b] * length + row) * length + column];
  }
}

extern "C" __global__ void gather_rows_ideal(float *out, float *out_mask,
                                             const float *in, const float *mask,
                                             const int *compact, size_t count,
                                             size_t length, size_t hidden) {
  unsigned g = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned part = unsigned(hidden) * unsigned(length);
  unsigned square = unsigned(length) * unsigned(length);
  if (g < unsigned(count) * part) {
    unsigned b = g / part;
    out[g] = in[g + (compact[b] - b) * part];
  }
  if (g < unsigned(count) * square) {
    unsigned b = g / square;
    out_mask[g] = mask[g + (compact[b] - b) * square];
  }
}

int main() {
  const int Requests = 7, L = 5, Hidden = 6;
  const std::vector<int> Compact = {0, 3, 4, 6};
  const int Count = Compact.size();
  std::vector<float> In = makeInput<float>(Requests * L * Hidden, 1), Want;
  std::vector<float> Mask = makeInput<float>(Requests * L * L, 2), WantMask;
  for (int From : Compact) {
    for (int I = 0; I < L * Hidden; ++I)
      Want.push_back(In[From * L * Hidden + I]);
    for (int I = 0; I < L * L; ++I)
      WantMask.push_back(Mask[From * L * L + I]);
  }

  DeviceBuffer<float> DIn(In), DMask(Mask);
  DeviceBuffer<float> DOut(Want.size()), DOutMask(WantMask.size());
  DeviceBuffer<int> DCompact(Compact);
  for (auto *Kernel : {gather_rows, gather_rows_ideal}) {
    Kernel<<<2, 64>>>(DOut.get(), DOutMask.get(), DIn.get(), DMask.get(),
                      DCompact.get(), Count, L, Hidden);
    expectOutput("gather_rows", DOut, Want);
    expectOutput("gather_rows: mask", DOutMask, WantMask);
  }
  std::puts("gather_rows: OK");
}
