// Ragged batches: offsets say where a sequence begins.

// Means of sequences of rows.
extern "C" __global__ void ragged_mean(const float *in, const int *offsets,
                                       float *out, int sequences, int width) {
  for (int index = blockIdx.x * blockDim.x + threadIdx.x;
       index < sequences * width; index += blockDim.x * gridDim.x) {
    int sequence = index / width;
    int column = index % width;
    int first = offsets[sequence], last = offsets[sequence + 1];
    float sum = 0;
    for (int row = first; row < last; ++row)
      sum += in[row * width + column];
    out[index] = last > first ? sum / (last - first) : 0;
  }
}

// Padded to the longest; a block has a sequence.
extern "C" __global__ void ragged_to_padded(const float *in, const int *offsets,
                                            float *out, int longest,
                                            int width) {
  int sequence = blockIdx.x;
  int first = offsets[sequence];
  int length = offsets[sequence + 1] - first;
  for (int i = threadIdx.x; i < longest * width; i += blockDim.x) {
    int row = i / width;
    int column = i % width;
    out[(sequence * longest + row) * width + column] =
        row < length ? in[(first + row) * width + column] : 0;
  }
}

// A sparse matrix by several vectors.
extern "C" __global__ void sparse_product(const int *starts, const int *columns,
                                          const float *values, const float *x,
                                          float *y, int rows, int vectors) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= rows * vectors)
    return;
  int row = index / vectors;
  int vector = index - row * vectors;
  float sum = 0;
  for (int e = starts[row]; e < starts[row + 1]; ++e)
    sum += values[e] * x[columns[e] * vectors + vector];
  y[row * vectors + vector] = sum;
}
