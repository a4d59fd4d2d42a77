// Coordinates from one index, then loops whose addresses need all of them.

// Pairs of offsets for each tap of a deformable window.
extern "C" __global__ void offset_pairs(int total, const float *offsets,
                                        float *out, int width, int height,
                                        int batch, int groups, int kernel) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int w = index % width;
    int h = index / width % height;
    int b = index / width / height % batch;
    int g = index / width / height / batch;
    const float *of =
        offsets + (b * groups + g) * 2 * kernel * kernel * height * width;
    float sum = 0;
    for (int i = 0; i < kernel; ++i)
      for (int j = 0; j < kernel; ++j) {
        int tap = 2 * (i * kernel + j);
        float dy = of[(tap * height + h) * width + w];
        float dx = of[((tap + 1) * height + h) * width + w];
        sum += dy * dx;
      }
    out[index] = sum;
  }
}

// Digits taken off one by one, a loop over frames, and put together in another
// order.
extern "C" __global__ void regroup_frames(int total, const float *in,
                                          float *out, int width, int height,
                                          int channels, int frames) {
  int index = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (index >= total)
    return;
  int rest = index;
  int w = rest % width;
  rest /= width;
  int h = rest % height;
  rest /= height;
  int c = rest % channels;
  rest /= channels;
  for (int f = 0; f < frames; ++f)
    out[(((rest * frames + f) * width + w) * height + h) * channels + c] =
        in[(((rest * channels + c) * frames + f) * height + h) * width + w];
}

// The key of a hash grid: sizes and factors are loaded, the digits of the index
// make two Horner sums, in each level once.
#define AXES 3
extern "C" __global__ void hash_levels(int total, const float *in, float *out,
                                       const int *sizes, const int *factors,
                                       int levels, int length) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= total)
    return;
  float sum = 0;
  for (int level = 0; level < levels; ++level) {
    const int *size = sizes + level * AXES;
    int rest = index, key = 0, mixed = 0;
#pragma unroll
    for (int a = 0; a < AXES; ++a) {
      int digit = rest % size[a];
      rest /= size[a];
      key = key * size[a] + digit;
      mixed = mixed * factors[a] + digit * factors[a + AXES];
    }
    sum += in[level * length + (key & (length - 1))] *
           in[level * length + (mixed & (length - 1))];
  }
  out[index] = sum;
}
