// Unpooling of volumes: every output reads the input of its window. Output
// coordinates by strides, then input coordinates by the window, all in structs
// that are passed by value; the loop is over the outer dimension.
//
// A perfect simplifier keeps five divisions, unsigned. All sizes are positive.

#include "../check.h"

extern "C" __global__ void unpool3d(int n, float *out, const float *in,
                                    int outer, int out_volume, int in_volume,
                                    int3 in_stride, int2 out_stride,
                                    int3 kernel) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    for (int o = 0; o < outer; ++o) {
      int od = i / out_stride.x;
      int rest = i % out_stride.x;
      int oh = rest / out_stride.y;
      int ow = rest % out_stride.y;
      int id = od / kernel.x;
      int ih = oh / kernel.y;
      int iw = ow / kernel.z;
      out[o * out_volume + i] = in[o * in_volume + id * in_stride.x +
                                   ih * in_stride.y + iw * in_stride.z];
    }
}

extern "C" __global__ void unpool3d_ideal(int n, float *out, const float *in,
                                          int outer, int out_volume,
                                          int in_volume, int3 in_stride,
                                          int2 out_stride, int3 kernel) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    unsigned od = i / unsigned(out_stride.x);
    unsigned rest = i - od * out_stride.x;
    unsigned oh = rest / unsigned(out_stride.y);
    unsigned ow = rest - oh * out_stride.y;
    unsigned from = od / unsigned(kernel.x) * in_stride.x +
                    oh / unsigned(kernel.y) * in_stride.y +
                    ow / unsigned(kernel.z) * in_stride.z;
    unsigned to = i;
    for (int o = 0; o < outer; ++o) {
      out[to] = in[from];
      to += out_volume;
      from += in_volume;
    }
  }
}

int main() {
  const int Outer = 2, D = 3, H = 4, W = 5, KD = 2, KH = 3, KW = 2;
  const int OD = D * KD, OH = H * KH, OW = W * KW;
  std::vector<float> In = makeInput<float>(Outer * D * H * W, 1), Want;
  for (int O = 0; O < Outer; ++O)
    for (int Z = 0; Z < OD; ++Z)
      for (int Y = 0; Y < OH; ++Y)
        for (int X = 0; X < OW; ++X)
          Want.push_back(In[((O * D + Z / KD) * H + Y / KH) * W + X / KW]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {unpool3d, unpool3d_ideal}) {
    Kernel<<<2, 128>>>(OD * OH * OW, DOut.get(), DIn.get(), Outer, OD * OH * OW,
                       D * H * W, int3{H * W, W, 1}, int2{OH * OW, OW},
                       int3{KD, KH, KW});
    expectOutput("unpool3d", DOut, Want);
  }
  std::puts("unpool3d: OK");
}
