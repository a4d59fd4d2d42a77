// Kernels that miss facts. Each has a place for the lines that its remarks
// suggest: FACTS_<kernel>, empty by default.
#include "unravel.h"

#ifndef FACTS_sizes
#define FACTS_sizes
#endif
extern "C" __global__ void sizes(int *out, int h) {
  FACTS_sizes
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i / h + 17] = i / 75 + i % h;
}

// 0 is an ordinary padding.
#ifndef FACTS_padded
#define FACTS_padded
#endif
extern "C" __global__ void padded(float *out, const float *in, int h, int w,
                                  int p) {
  FACTS_padded
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int outer = w + 2 * p;
  if (i >= (h + 2 * p) * outer)
    return;
  int y = i / outer - p, x = i % outer - p;
  bool inside = y >= 0 && y < h && x >= 0 && x < w;
  out[i] = inside ? in[y * w + x] : 0;
}

#ifndef FACTS_turned
#define FACTS_turned
#endif
extern "C" __global__ void turned(float *out, const float *in, int rows,
                                  int columns) {
  FACTS_turned
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns)
    return;
  int row = i / columns, column = i % columns;
  out[column * rows + row] = in[i];
}

#ifndef FACTS_blocked
#define FACTS_blocked
#endif
extern "C" __global__ void blocked(float *out, const float *in, int h, int w,
                                   int c, int b) {
  FACTS_blocked
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int channel = i % c, x = i / c % w, y = i / c / w % h, n = i / c / w / h;
  int block = (n * (h / b) + y / b) * (w / b) + x / b;
  out[block * (b * b * c) + (y % b * b + x % b) * c + channel] = in[i];
}

// Of an unsigned size, `columns >= 0` would say nothing.
#ifndef FACTS_longs
#define FACTS_longs
#endif
extern "C" __global__ void longs(float *out, const float *in,
                                 unsigned long count, unsigned long columns) {
  FACTS_longs
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i / columns] = in[i];
}
