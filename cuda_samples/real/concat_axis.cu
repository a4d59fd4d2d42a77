// Concatenation along one axis: one input's part of the output, with the input
// seen as [outer, axis * inner].
//
// A perfect simplifier keeps one division, unsigned, and writes to
// i + outer * (out_axis - in_axis) * inner + offset * inner. All sizes are
// positive.

#include "../check.h"

extern "C" __global__ void concat_axis(int n, const float *in, int inner,
                                       int out_axis, int in_axis, int offset,
                                       float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    int part = inner * in_axis;
    int outer = i / part;
    int rest = i % part;
    out[rest + (outer * out_axis + offset) * inner] = in[i];
  }
}

extern "C" __global__ void concat_axis_ideal(int n, const float *in, int inner,
                                             int out_axis, int in_axis,
                                             int offset, float *out) {
  unsigned part = inner * in_axis;
  unsigned gap = (out_axis - in_axis) * inner;
  unsigned start = offset * inner;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x)
    out[i + i / part * gap + start] = in[i];
}

int main() {
  const int Outer = 4, Inner = 7, Axis[2] = {3, 5}, Both = Axis[0] + Axis[1];
  std::vector<float> In[2], Want;
  for (int Side = 0; Side < 2; ++Side)
    In[Side] = makeInput<float>(Outer * Axis[Side] * Inner, Side + 1);
  for (int O = 0; O < Outer; ++O)
    for (int A = 0; A < Both; ++A)
      for (int I = 0; I < Inner; ++I) {
        int Side = A >= Axis[0];
        int At = A - Side * Axis[0];
        Want.push_back(In[Side][(O * Axis[Side] + At) * Inner + I]);
      }

  DeviceBuffer<float> First(In[0]), Second(In[1]), DOut(Want.size());
  for (auto *Kernel : {concat_axis, concat_axis_ideal}) {
    Kernel<<<2, 64>>>(In[0].size(), First.get(), Inner, Both, Axis[0], 0,
                      DOut.get());
    Kernel<<<2, 64>>>(In[1].size(), Second.get(), Inner, Both, Axis[1], Axis[0],
                      DOut.get());
    expectOutput("concat_axis", DOut, Want);
  }
  std::puts("concat_axis: OK");
}
