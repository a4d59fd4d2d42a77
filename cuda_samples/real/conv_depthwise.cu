// Depthwise convolution with channel multiplier; the digits by quotients and
// hand-written remainders.
//
// A perfect simplifier keeps four divisions, unsigned. All sizes are positive;
// the pad may be anything.

#include "../check.h"

extern "C" __global__ void conv_depthwise(const float *in, const float *weights,
                                          const float *bias, float *out,
                                          int total, int out_c, int multiplier,
                                          int in_w, int in_h, int out_w,
                                          int out_h, int kernel, int stride,
                                          int pad, int dilation) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total;
       i += blockDim.x * gridDim.x) {
    int rest = i;
    const int line = rest / out_w;
    const int ow = rest - line * out_w;
    rest = line;
    const int plane = rest / out_h;
    const int oh = rest - plane * out_h;
    rest = plane;
    const int n = rest / out_c;
    const int c = rest - n * out_c;
    const int in_channels = out_c / multiplier;
    const int from_c = c / multiplier;
    const int from = (n * in_channels + from_c) * in_h * in_w;
    float sum = bias[c];
    for (int ky = 0; ky < kernel; ++ky)
      for (int kx = 0; kx < kernel; ++kx) {
        const int h = -pad + oh * stride + ky * dilation;
        const int w = -pad + ow * stride + kx * dilation;
        if (h >= 0 && h < in_h && w >= 0 && w < in_w)
          sum += weights[(c * kernel + ky) * kernel + kx] *
                 in[from + h * in_w + w];
      }
    out[i] = sum;
  }
}

extern "C" __global__ void
conv_depthwise_ideal(const float *in, const float *weights, const float *bias,
                     float *out, int total, int out_c, int multiplier, int in_w,
                     int in_h, int out_w, int out_h, int kernel, int stride,
                     int pad, int dilation) {
  unsigned in_channels = unsigned(out_c) / unsigned(multiplier);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(total);
       i += blockDim.x * gridDim.x) {
    unsigned line = i / unsigned(out_w);
    unsigned plane = line / unsigned(out_h);
    unsigned n = plane / unsigned(out_c);
    unsigned c = plane - n * out_c;
    unsigned from = (n * in_channels + c / unsigned(multiplier)) * in_h;
    int left = (i - line * out_w) * stride - pad;
    int top = (line - plane * out_h) * stride - pad;
    float sum = bias[c];
    for (int ky = 0; ky < kernel; ++ky)
      for (int kx = 0; kx < kernel; ++kx) {
        unsigned h = top + ky * dilation;
        unsigned w = left + kx * dilation;
        if (h < unsigned(in_h) && w < unsigned(in_w))
          sum += weights[(c * kernel + ky) * kernel + kx] *
                 in[(from + h) * in_w + w];
      }
    out[i] = sum;
  }
}

int main() {
  const int N = 2, OC = 6, Mult = 2, H = 7, W = 9, K = 3, Stride = 2, Pad = 1,
            Dil = 1, IC = OC / Mult;
  const int OH = (H + 2 * Pad - (Dil * (K - 1) + 1)) / Stride + 1;
  const int OW = (W + 2 * Pad - (Dil * (K - 1) + 1)) / Stride + 1;
  std::vector<float> In = makeInput<float>(N * IC * H * W, 1);
  std::vector<float> Weights = makeInput<float>(OC * K * K, 2);
  std::vector<float> Bias = makeInput<float>(OC, 3), Want;
  for (int B = 0; B < N; ++B)
    for (int Ch = 0; Ch < OC; ++Ch)
      for (int Y = 0; Y < OH; ++Y)
        for (int X = 0; X < OW; ++X) {
          float Sum = Bias[Ch];
          for (int KY = 0; KY < K; ++KY)
            for (int KX = 0; KX < K; ++KX) {
              int R = Y * Stride - Pad + KY * Dil;
              int Q = X * Stride - Pad + KX * Dil;
              if (R >= 0 && R < H && Q >= 0 && Q < W)
                Sum += Weights[(Ch * K + KY) * K + KX] *
                       In[((B * IC + Ch / Mult) * H + R) * W + Q];
            }
          Want.push_back(Sum);
        }

  DeviceBuffer<float> DIn(In), DWeights(Weights), DBias(Bias),
      DOut(Want.size());
  for (auto *Kernel : {conv_depthwise, conv_depthwise_ideal}) {
    Kernel<<<2, 64>>>(DIn.get(), DWeights.get(), DBias.get(), DOut.get(),
                      Want.size(), OC, Mult, W, H, OW, OH, K, Stride, Pad, Dil);
    expectOutput("conv_depthwise", DOut, Want);
  }
  std::puts("conv_depthwise: OK");
}
