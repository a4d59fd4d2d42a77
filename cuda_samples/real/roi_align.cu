// Region-of-interest pooling with bilinear samples: four digits of the output
// index; the region's box comes from memory.
//
// A perfect simplifier keeps the chain of three divisions, unsigned. All sizes
// are positive.

#include "../check.h"

static __host__ __device__ float sampleAt(const float *plane, int height,
                                          int width, float y, float x) {
  if (y < -1.0f || y > height || x < -1.0f || x > width)
    return 0.0f;
  y = fmaxf(y, 0.0f);
  x = fmaxf(x, 0.0f);
  int top = int(y) < height ? int(y) : height - 1;
  int left = int(x) < width ? int(x) : width - 1;
  int bottom = top + 1 < height ? top + 1 : top;
  int right = left + 1 < width ? left + 1 : left;
  float down = y - top, over = x - left;
  return (1 - down) * (1 - over) * plane[top * width + left] +
         (1 - down) * over * plane[top * width + right] +
         down * (1 - over) * plane[bottom * width + left] +
         down * over * plane[bottom * width + right];
}

extern "C" __global__ void roi_align(int n, const float *in, const float *rois,
                                     float *out, int pooled_h, int pooled_w,
                                     float scale, int channels, int height,
                                     int width) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    int pw = i % pooled_w;
    int ph = (i / pooled_w) % pooled_h;
    int c = (i / pooled_w / pooled_h) % channels;
    int region = i / pooled_w / pooled_h / channels;
    const float *roi = rois + region * 5;
    int image = roi[0];
    float left = roi[1] * scale - 0.5f, top = roi[2] * scale - 0.5f;
    float bin_w = (roi[3] * scale - 0.5f - left) / pooled_w;
    float bin_h = (roi[4] * scale - 0.5f - top) / pooled_h;
    const float *plane = in + (image * channels + c) * height * width;
    out[i] = sampleAt(plane, height, width, top + (ph + 0.5f) * bin_h,
                      left + (pw + 0.5f) * bin_w);
  }
}

extern "C" __global__ void roi_align_ideal(int n, const float *in,
                                           const float *rois, float *out,
                                           int pooled_h, int pooled_w,
                                           float scale, int channels,
                                           int height, int width) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += blockDim.x * gridDim.x) {
    unsigned line = i / unsigned(pooled_w);
    unsigned plane_of_roi = line / unsigned(pooled_h);
    unsigned region = plane_of_roi / unsigned(channels);
    int pw = i - line * pooled_w;
    int ph = line - plane_of_roi * pooled_h;
    int c = plane_of_roi - region * channels;
    const float *roi = rois + region * 5;
    int image = roi[0];
    float left = roi[1] * scale - 0.5f, top = roi[2] * scale - 0.5f;
    float bin_w = (roi[3] * scale - 0.5f - left) / pooled_w;
    float bin_h = (roi[4] * scale - 0.5f - top) / pooled_h;
    const float *plane = in + (image * channels + c) * height * width;
    out[i] = sampleAt(plane, height, width, top + (ph + 0.5f) * bin_h,
                      left + (pw + 0.5f) * bin_w);
  }
}

int main() {
  const int N = 2, C = 3, H = 12, W = 17, PH = 3, PW = 4;
  const float Scale = 0.5f;
  const std::vector<float> Rois = {0, 2,  2,  20, 16, 1, 4,  0,  30, 9,
                                   1, -4, -6, 9,  9,  0, 18, 12, 40, 30};
  const int Regions = Rois.size() / 5;
  std::vector<float> In = makeInput<float>(N * C * H * W, 1), Want;
  for (int R = 0; R < Regions; ++R)
    for (int Ch = 0; Ch < C; ++Ch)
      for (int Y = 0; Y < PH; ++Y)
        for (int X = 0; X < PW; ++X) {
          const float *Roi = Rois.data() + 5 * R;
          float Left = Roi[1] * Scale - 0.5f, Top = Roi[2] * Scale - 0.5f;
          float Right = Roi[3] * Scale - 0.5f, Bottom = Roi[4] * Scale - 0.5f;
          Want.push_back(sampleAt(In.data() + (int(Roi[0]) * C + Ch) * H * W, H,
                                  W, Top + (Y + 0.5f) * ((Bottom - Top) / PH),
                                  Left + (X + 0.5f) * ((Right - Left) / PW)));
        }

  DeviceBuffer<float> DIn(In), DRois(Rois), DOut(Want.size());
  for (auto *Kernel : {roi_align, roi_align_ideal}) {
    Kernel<<<2, 64>>>(Want.size(), DIn.get(), DRois.get(), DOut.get(), PH, PW,
                      Scale, C, H, W);
    expectOutput("roi_align", DOut, Want);
  }
  std::puts("roi_align: OK");
}
