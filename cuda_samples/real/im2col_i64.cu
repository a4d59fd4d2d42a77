// im2col with 64-bit sizes over a 32-bit thread index: kernel tap, row and
// column from i, image and channel from the z coordinate of the block.
//
// A perfect simplifier joins (i % (OW * k)) / OW to the chain and divides in 32
// bits: three divisions instead of four. The sizes are positive and fit 31
// bits.

#include "../check.h"

#include <cstdint>

extern "C" __global__ void im2col_i64(const float *in, float *out, int64_t IC,
                                      int64_t IW, int64_t IH, int64_t OH,
                                      int64_t OW, int64_t KW, int64_t KH,
                                      int64_t elements, int64_t CHW, int stride,
                                      int pad, int dilation) {
  const int64_t i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= elements)
    return;
  const int64_t taps = OW * (KH > 1 ? KH : 1);
  const int64_t kx = i / taps;
  const int64_t kd = kx * taps;
  const int64_t ky = (i - kd) / OW;
  const int64_t ix = i % OW;
  const int64_t oh = blockIdx.y;
  const int64_t batch = blockIdx.z / IC;
  const int64_t ic = blockIdx.z % IC;
  const int64_t iw = ix * stride + kx * dilation - pad;
  const int64_t ih = oh * stride + ky * dilation - pad;
  const int64_t to =
      ((batch * OH + oh) * OW + ix) * CHW + (ic * (KW * KH) + ky * KW + kx);
  if (ih < 0 || ih >= IH || iw < 0 || iw >= IW) {
    out[to] = 0.0f;
  } else {
    const int64_t from = (batch * IC + ic) * (IH * IW);
    out[to] = in[from + ih * IW + iw];
  }
}

extern "C" __global__ void im2col_i64_ideal(const float *in, float *out,
                                            int64_t IC, int64_t IW, int64_t IH,
                                            int64_t OH, int64_t OW, int64_t KW,
                                            int64_t KH, int64_t elements,
                                            int64_t CHW, int stride, int pad,
                                            int dilation) {
  unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= unsigned(elements))
    return;
  unsigned ow = OW, kw = KW, kh = KH;
  unsigned taps = kh > 1 ? kh : 1;
  unsigned line = i / ow;
  unsigned kx = line / taps;
  unsigned ky = line - kx * taps;
  unsigned ix = i - line * ow;
  unsigned oh = blockIdx.y;
  unsigned batch = blockIdx.z / unsigned(IC);
  unsigned ic = blockIdx.z - batch * unsigned(IC);
  unsigned iw = ix * stride + kx * dilation - pad;
  unsigned ih = oh * stride + ky * dilation - pad;
  unsigned to = ((batch * unsigned(OH) + oh) * ow + ix) * unsigned(CHW) +
                ((ic * kh + ky) * kw + kx);
  if (ih >= unsigned(IH) || iw >= unsigned(IW))
    out[to] = 0.0f;
  else // batch * IC + ic is the block.
    out[to] = in[(blockIdx.z * unsigned(IH) + ih) * unsigned(IW) + iw];
}

int main() {
  const int B = 2, C = 3, H = 7, W = 8, KH = 3, KW = 2, Stride = 2, Pad = 1,
            Dil = 1;
  const int OH = (H + 2 * Pad - (Dil * (KH - 1) + 1)) / Stride + 1;
  const int OW = (W + 2 * Pad - (Dil * (KW - 1) + 1)) / Stride + 1;
  std::vector<float> In = makeInput<float>(B * C * H * W, 1), Want;
  for (int IB = 0; IB < B; ++IB)
    for (int Y = 0; Y < OH; ++Y)
      for (int X = 0; X < OW; ++X)
        for (int Ch = 0; Ch < C; ++Ch)
          for (int KY = 0; KY < KH; ++KY)
            for (int KX = 0; KX < KW; ++KX) {
              int R = Y * Stride + KY * Dil - Pad;
              int Q = X * Stride + KX * Dil - Pad;
              bool Inside = R >= 0 && R < H && Q >= 0 && Q < W;
              Want.push_back(Inside ? In[((IB * C + Ch) * H + R) * W + Q]
                                    : 0.0f);
            }

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {im2col_i64, im2col_i64_ideal}) {
    Kernel<<<dim3(1, OH, B * C), 32>>>(DIn.get(), DOut.get(), C, W, H, OH, OW,
                                       KW, KH, OW * KH * KW, C * KH * KW,
                                       Stride, Pad, Dil);
    expectOutput("im2col_i64", DOut, Want);
  }
  std::puts("im2col_i64: OK");
}
