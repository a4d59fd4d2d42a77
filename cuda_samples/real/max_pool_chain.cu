// Max pooling on a two-dimensional grid: the output's sizes are computed from
// the arguments, the digits are taken off one after the other, and the output
// index is put together from them again.
//
// A perfect simplifier stores to i and divides by the width and the height; the
// two quotients for the sizes are uniform. All sizes are positive.

#include "../check.h"

#include <cfloat>

extern "C" __global__ void max_pool_chain(int n, int in_h, int in_w, int in_c,
                                          int stride_x, int stride_y, int size,
                                          int pad, const float *in, float *out,
                                          int *indexes) {
  int h = (in_h + pad - size) / stride_y + 1;
  int w = (in_w + pad - size) / stride_x + 1;
  int c = in_c;
  int id = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (id >= n)
    return;
  int j = id % w;
  id /= w;
  int i = id % h;
  id /= h;
  int k = id % c;
  id /= c;
  int b = id;
  int w_offset = -pad / 2;
  int h_offset = -pad / 2;
  int out_index = j + w * (i + h * (k + c * b));
  float most = -FLT_MAX;
  int most_at = -1;
  for (int l = 0; l < size; ++l)
    for (int m = 0; m < size; ++m) {
      int cur_h = h_offset + i * stride_y + l;
      int cur_w = w_offset + j * stride_x + m;
      int index = cur_w + in_w * (cur_h + in_h * (k + b * in_c));
      bool valid = cur_h >= 0 && cur_h < in_h && cur_w >= 0 && cur_w < in_w;
      float value = valid ? in[index] : -FLT_MAX;
      most_at = value > most ? index : most_at;
      most = value > most ? value : most;
    }
  out[out_index] = most;
  indexes[out_index] = most_at;
}

extern "C" __global__ void max_pool_chain_ideal(int n, int in_h, int in_w,
                                                int in_c, int stride_x,
                                                int stride_y, int size, int pad,
                                                const float *in, float *out,
                                                int *indexes) {
  unsigned h = unsigned(in_h + pad - size) / unsigned(stride_y) + 1;
  unsigned w = unsigned(in_w + pad - size) / unsigned(stride_x) + 1;
  unsigned id =
      (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (id >= unsigned(n))
    return;
  unsigned line = id / w;
  unsigned plane = line / h;
  unsigned offset = unsigned(pad) / 2;
  unsigned left = (id - line * w) * stride_x - offset;
  unsigned top = (line - plane * h) * stride_y - offset;
  float most = -FLT_MAX;
  int most_at = -1;
  for (int l = 0; l < size; ++l)
    for (int m = 0; m < size; ++m) {
      unsigned cur_h = top + l;
      unsigned cur_w = left + m;
      int index = cur_w + in_w * (cur_h + in_h * plane);
      bool valid = cur_h < unsigned(in_h) && cur_w < unsigned(in_w);
      float value = valid ? in[index] : -FLT_MAX;
      most_at = value > most ? index : most_at;
      most = value > most ? value : most;
    }
  out[id] = most;
  indexes[id] = most_at;
}

int main() {
  const int B = 2, C = 3, H = 9, W = 12, Size = 3, SX = 2, SY = 3, Pad = 2;
  const int OH = (H + Pad - Size) / SY + 1, OW = (W + Pad - Size) / SX + 1;
  std::vector<float> In = makeInput<float>(B * C * H * W, 1), Want;
  std::vector<int> Places;
  for (int Plane = 0; Plane < B * C; ++Plane)
    for (int Y = 0; Y < OH; ++Y)
      for (int X = 0; X < OW; ++X) {
        int At = -1;
        for (int L = 0; L < Size; ++L)
          for (int M = 0; M < Size; ++M) {
            int R = Y * SY + L - Pad / 2, Q = X * SX + M - Pad / 2;
            int Here = (Plane * H + R) * W + Q;
            if (R >= 0 && R < H && Q >= 0 && Q < W &&
                (At < 0 || In[Here] > In[At]))
              At = Here;
          }
        Want.push_back(In[At]);
        Places.push_back(At);
      }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  DeviceBuffer<int> DPlaces(Want.size());
  for (auto *Kernel : {max_pool_chain, max_pool_chain_ideal}) {
    Kernel<<<dim3(2, 2), 64>>>(Want.size(), H, W, C, SX, SY, Size, Pad,
                               DIn.get(), DOut.get(), DPlaces.get());
    expectOutput("max_pool_chain", DOut, Want);
    expectOutput("max_pool_chain: indexes", DPlaces, Places);
  }
  std::puts("max_pool_chain: OK");
}
