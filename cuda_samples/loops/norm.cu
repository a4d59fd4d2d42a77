// Normalisation.

// Over the channels of NCHW, at each pixel.
extern "C" __global__ void layer_norm_channels(const float *in,
                                               const float *gain,
                                               const float *shift, float *out,
                                               int batch, int channels,
                                               int pixels, float epsilon) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * pixels)
    return;
  int n = index / pixels;
  int p = index % pixels;
  const float *x = in + n * channels * pixels + p;
  float *y = out + n * channels * pixels + p;
  float mean = 0, variance = 0;
  for (int c = 0; c < channels; ++c)
    mean += x[c * pixels];
  mean /= channels;
  for (int c = 0; c < channels; ++c)
    variance += (x[c * pixels] - mean) * (x[c * pixels] - mean);
  float inverse = 1 / sqrtf(variance / channels + epsilon);
  for (int c = 0; c < channels; ++c)
    y[c * pixels] = (x[c * pixels] - mean) * inverse * gain[c] + shift[c];
}

// Groups of channels; a thread has one pixel of one group.
extern "C" __global__ void group_scale(const float *in, const float *mean,
                                       const float *inverse, const float *gain,
                                       float *out, int batch, int channels,
                                       int pixels, int groups) {
  int perGroup = channels / groups;
  for (int index = blockIdx.x * blockDim.x + threadIdx.x;
       index < batch * groups * pixels; index += blockDim.x * gridDim.x) {
    int p = index % pixels;
    int g = index / pixels % groups;
    int n = index / pixels / groups;
    for (int c = g * perGroup; c < (g + 1) * perGroup; ++c) {
      int at = (n * channels + c) * pixels + p;
      out[at] =
          (in[at] - mean[n * groups + g]) * inverse[n * groups + g] * gain[c];
    }
  }
}

// Local response: a window over channels.
extern "C" __global__ void response_norm(int total, const float *in, float *out,
                                         int channels, int height, int width,
                                         int window, float alpha) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= total)
    return;
  int w = index % width;
  int h = index / width % height;
  int c = index / width / height % channels;
  int n = index / width / height / channels;
  int first = max(c - window / 2, 0), last = min(c + window / 2, channels - 1);
  float sum = 0;
  for (int k = first; k <= last; ++k) {
    float value = in[((n * channels + k) * height + h) * width + w];
    sum += value * value;
  }
  out[index] = in[index] / (1 + alpha * sum);
}
