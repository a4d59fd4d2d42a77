// Permutation of four axes with the strides of both sides in a struct that is
// passed by value, as tensor libraries do it for any order of axes.
//
// A perfect simplifier keeps the three divisions, unsigned, and stores to i.
// All strides are positive.

#include "../check.h"

struct Strides {
  int Out[3]; // Of the first three axes; the last one's is 1.
  int In[4];
};

extern "C" __global__ void permute_strides(int n, const float *in, float *out,
                                           Strides strides) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    int rest = i, from = 0;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      from += rest / strides.Out[axis] * strides.In[axis];
      rest %= strides.Out[axis];
    }
    out[i] = in[from + rest * strides.In[3]];
  }
}

extern "C" __global__ void permute_strides_ideal(int n, const float *in,
                                                 float *out, Strides strides) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    unsigned rest = i, from = 0;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      unsigned digit = rest / unsigned(strides.Out[axis]);
      from += digit * strides.In[axis];
      rest -= digit * strides.Out[axis];
    }
    out[i] = in[from + rest * strides.In[3]];
  }
}

int main() {
  // out[a][b][c][d] = in[c][a][d][b]
  const int A = 5, B = 7, C = 3, D = 11;
  std::vector<float> In = makeInput<float>(A * B * C * D, 1), Want;
  for (int IA = 0; IA < A; ++IA)
    for (int IB = 0; IB < B; ++IB)
      for (int IC = 0; IC < C; ++IC)
        for (int ID = 0; ID < D; ++ID)
          Want.push_back(In[((IC * A + IA) * D + ID) * B + IB]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  Strides S = {{B * C * D, C * D, D}, {D * B, 1, A * D * B, B}};
  for (auto *Kernel : {permute_strides, permute_strides_ideal}) {
    Kernel<<<3, 128>>>(Want.size(), DIn.get(), DOut.get(), S);
    expectOutput("permute_strides", DOut, Want);
  }
  std::puts("permute_strides: OK");
}
