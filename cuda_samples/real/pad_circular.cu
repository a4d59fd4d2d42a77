// Circular padding of four axes whose sizes are in device memory, as an
// inference engine's plug-in does it for shapes that it learns at run time.
//
// A perfect simplifier keeps the chain of three divisions and the wrap of each
// axis, unsigned. All sizes are positive, and no pad is larger than its axis.
// The pointers are __restrict__, or the sizes could not stay in registers.

#include "../check.h"

extern "C" __global__ void pad_circular(const float *__restrict__ in,
                                        const int *__restrict__ pads,
                                        const int *__restrict__ in_shape,
                                        const int *__restrict__ out_shape,
                                        float *__restrict__ out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    int i3 = i % out_shape[3];
    int i2 = (i / out_shape[3]) % out_shape[2];
    int i1 = (i / out_shape[3] / out_shape[2]) % out_shape[1];
    int i0 = i / out_shape[3] / out_shape[2] / out_shape[1];
    int j0 = (i0 - pads[0] + in_shape[0]) % in_shape[0];
    int j1 = (i1 - pads[2] + in_shape[1]) % in_shape[1];
    int j2 = (i2 - pads[4] + in_shape[2]) % in_shape[2];
    int j3 = (i3 - pads[6] + in_shape[3]) % in_shape[3];
    out[i] = in[in_shape[3] * in_shape[2] * in_shape[1] * j0 +
                in_shape[3] * in_shape[2] * j1 + in_shape[3] * j2 + j3];
  }
}

extern "C" __global__ void pad_circular_ideal(const float *__restrict__ in,
                                              const int *__restrict__ pads,
                                              const int *__restrict__ in_shape,
                                              const int *__restrict__ out_shape,
                                              float *__restrict__ out, int n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    unsigned line = i / unsigned(out_shape[3]);
    unsigned plane = line / unsigned(out_shape[2]);
    unsigned i0 = plane / unsigned(out_shape[1]);
    unsigned i1 = plane - i0 * out_shape[1];
    unsigned i2 = line - plane * out_shape[2];
    unsigned i3 = i - line * out_shape[3];
    unsigned j0 = (i0 - pads[0] + in_shape[0]) % unsigned(in_shape[0]);
    unsigned j1 = (i1 - pads[2] + in_shape[1]) % unsigned(in_shape[1]);
    unsigned j2 = (i2 - pads[4] + in_shape[2]) % unsigned(in_shape[2]);
    unsigned j3 = (i3 - pads[6] + in_shape[3]) % unsigned(in_shape[3]);
    out[i] =
        in[((j0 * in_shape[1] + j1) * in_shape[2] + j2) * in_shape[3] + j3];
  }
}

int main() {
  const std::vector<int> Shape = {2, 3, 5, 4};
  const std::vector<int> Pads = {1, 0, 2, 3, 0, 1, 4, 2}; // Before and after.
  std::vector<int> Outer;
  for (int Axis = 0; Axis < 4; ++Axis)
    Outer.push_back(Shape[Axis] + Pads[2 * Axis] + Pads[2 * Axis + 1]);
  std::vector<float> In =
      makeInput<float>(Shape[0] * Shape[1] * Shape[2] * Shape[3], 1);
  std::vector<float> Want;
  auto Wrap = [&](int At, int Axis) {
    return (At - Pads[2 * Axis] + Shape[Axis]) % Shape[Axis];
  };
  for (int A = 0; A < Outer[0]; ++A)
    for (int B = 0; B < Outer[1]; ++B)
      for (int C = 0; C < Outer[2]; ++C)
        for (int D = 0; D < Outer[3]; ++D)
          Want.push_back(In[((Wrap(A, 0) * Shape[1] + Wrap(B, 1)) * Shape[2] +
                             Wrap(C, 2)) *
                                Shape[3] +
                            Wrap(D, 3)]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  DeviceBuffer<int> DPads(Pads), DShape(Shape), DOuter(Outer);
  for (auto *Kernel : {pad_circular, pad_circular_ideal}) {
    Kernel<<<2, 128>>>(DIn.get(), DPads.get(), DShape.get(), DOuter.get(),
                       DOut.get(), Want.size());
    expectOutput("pad_circular", DOut, Want);
  }
  std::puts("pad_circular: OK");
}
