// Gradient of a deformable convolution's input: each column entry is spread
// around a position that an offset in memory moves. The tap divides by the
// sizes of the output first.
//
// A perfect simplifier shares one chain of six divisions instead of fourteen.
// All sizes are positive; pad and offsets may be anything.

#include "../check.h"

extern "C" __global__ void
deform_col2im(int n, const float *columns, const float *offsets, int channels,
              int height, int width, int kernel_h, int kernel_w, int pad,
              int stride, int dilation, int channels_per_group, int batch,
              int groups, int out_h, int out_w, float *image) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    const int kx = (i / out_w / out_h / batch) % kernel_w;
    const int ky = (i / out_w / out_h / batch / kernel_w) % kernel_h;
    const int c = i / out_w / out_h / batch / kernel_w / kernel_h;
    const int group = c / channels_per_group;
    const int ow = i % out_w;
    const int oh = (i / out_w) % out_h;
    const int b = (i / out_w / out_h) % batch;
    const int left = ow * stride - pad;
    const int top = oh * stride - pad;
    const float *offset = offsets + (b * groups + group) * 2 * kernel_h *
                                        kernel_w * out_h * out_w;
    const int tap = 2 * (ky * kernel_w + kx);
    const float at_h =
        top + ky * dilation + offset[(tap * out_h + oh) * out_w + ow];
    const float at_w =
        left + kx * dilation + offset[((tap + 1) * out_h + oh) * out_w + ow];
    const int near_h = int(at_h), near_w = int(at_w);
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        int h = near_h + dy, w = near_w + dx;
        float far_h = fabsf(at_h - h), far_w = fabsf(at_w - w);
        if (h >= 0 && h < height && w >= 0 && w < width && far_h < 1 &&
            far_w < 1)
          atomicAdd(image + ((b * channels + c) * height + h) * width + w,
                    (1 - far_h) * (1 - far_w) * columns[i]);
      }
  }
}

extern "C" __global__ void
deform_col2im_ideal(int n, const float *columns, const float *offsets,
                    int channels, int height, int width, int kernel_h,
                    int kernel_w, int pad, int stride, int dilation,
                    int channels_per_group, int batch, int groups, int out_h,
                    int out_w, float *image) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    unsigned line = i / unsigned(out_w);
    unsigned plane = line / unsigned(out_h);
    unsigned volume = plane / unsigned(batch);
    unsigned tap_line = volume / unsigned(kernel_w);
    unsigned c = tap_line / unsigned(kernel_h);
    unsigned group = c / unsigned(channels_per_group);
    int ky = tap_line - c * kernel_h;
    int kx = volume - tap_line * kernel_w;
    int ow = i - line * out_w;
    int oh = line - plane * out_h;
    unsigned b = plane - volume * batch;
    // volume - c * kernel_h * kernel_w is ky * kernel_w + kx.
    unsigned slot = (b * groups + group - c) * kernel_h * kernel_w + volume;
    const float *offset = offsets + ((2 * slot * out_h + oh) * out_w + ow);
    const float at_h = oh * stride - pad + ky * dilation + offset[0];
    const float at_w =
        ow * stride - pad + kx * dilation + offset[unsigned(out_h * out_w)];
    const int near_h = int(at_h), near_w = int(at_w);
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        int h = near_h + dy, w = near_w + dx;
        float far_h = fabsf(at_h - h), far_w = fabsf(at_w - w);
        if (unsigned(h) < unsigned(height) && unsigned(w) < unsigned(width) &&
            far_h < 1 && far_w < 1)
          atomicAdd(image + (((b * channels + c) * height + h) * width + w),
                    (1 - far_h) * (1 - far_w) * columns[i]);
      }
  }
}

int main() {
  const int B = 2, C = 4, H = 7, W = 8, KH = 3, KW = 2, Pad = 1, Stride = 2,
            Dil = 1, Groups = 2;
  const int OH = (H + 2 * Pad - (Dil * (KH - 1) + 1)) / Stride + 1;
  const int OW = (W + 2 * Pad - (Dil * (KW - 1) + 1)) / Stride + 1;
  const int N = C * KH * KW * B * OH * OW;
  std::vector<float> In = makeInput<float>(N, 1);
  std::vector<float> Offsets =
      makeInput<float>(B * Groups * KH * KW * 2 * OH * OW, 2);
  for (float &Value : Offsets) // Within 2 pixels, exact in float.
    Value = Value / 64 - 2;
  std::vector<float> Want(B * C * H * W, 0.0f), Zero = Want;
  for (int Ch = 0, Next = 0; Ch < C; ++Ch)
    for (int KY = 0; KY < KH; ++KY)
      for (int KX = 0; KX < KW; ++KX)
        for (int IB = 0; IB < B; ++IB)
          for (int Y = 0; Y < OH; ++Y)
            for (int X = 0; X < OW; ++X, ++Next) {
              int Slot =
                  ((IB * Groups + Ch / (C / Groups)) * KH + KY) * KW + KX;
              float Row = Y * Stride - Pad + KY * Dil +
                          Offsets[((2 * Slot) * OH + Y) * OW + X];
              float Column = X * Stride - Pad + KX * Dil +
                             Offsets[((2 * Slot + 1) * OH + Y) * OW + X];
              for (int R = 0; R < H; ++R)
                for (int Q = 0; Q < W; ++Q) {
                  float FarH = std::fabs(Row - R), FarW = std::fabs(Column - Q);
                  if (FarH < 1 && FarW < 1)
                    Want[((IB * C + Ch) * H + R) * W + Q] +=
                        (1 - FarH) * (1 - FarW) * In[Next];
                }
            }

  DeviceBuffer<float> DIn(In), DOffsets(Offsets);
  for (auto *Kernel : {deform_col2im, deform_col2im_ideal}) {
    DeviceBuffer<float> DOut(Zero);
    Kernel<<<4, 128>>>(N, DIn.get(), DOffsets.get(), C, H, W, KH, KW, Pad,
                       Stride, Dil, C / Groups, B, Groups, OH, OW, DOut.get());
    expectOutput("deform_col2im", DOut, Want);
  }
  std::puts("deform_col2im: OK");
}
