// Gathers and scatters.

#include <cstdint>

// Sums of embeddings; bag b owns ids[offsets[b]] to ids[offsets[b + 1]].
extern "C" __global__ void embedding_bag(const float *table, const int *ids,
                                         const int *offsets, float *out,
                                         int bags, int width) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= bags * width)
    return;
  int bag = index / width;
  int column = index % width;
  float sum = 0;
  for (int i = offsets[bag]; i < offsets[bag + 1]; ++i)
    sum += table[ids[i] * width + column];
  out[index] = sum;
}

// Rows picked along the middle axis, each thread copies a run of elements.
extern "C" __global__ void gather_runs(const float *in, const int64_t *ids,
                                       float *out, int64_t outer, int64_t axis,
                                       int64_t count, int64_t inner,
                                       int64_t run) {
  int64_t runs = (inner + run - 1) / run;
  int64_t index = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= outer * count * runs)
    return;
  int64_t first = index % runs * run;
  int64_t pick = index / runs % count;
  int64_t o = index / runs / count;
  int64_t last = first + run < inner ? first + run : inner;
  for (int64_t i = first; i < last; ++i)
    out[(o * count + pick) * inner + i] =
        in[(o * axis + ids[pick]) * inner + i];
}

// Adds rows to where an index says; a thread has one column of all rows.
extern "C" __global__ void scatter_columns(const int *rows, const float *in,
                                           float *out, int count, int width) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width)
    return;
  for (int i = 0; i < count; ++i)
    out[rows[i] * width + column] += in[i * width + column];
}
