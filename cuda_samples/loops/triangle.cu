// Loops with bounds that depend on the row.

// A lower triangle by several right sides, solved forwards by one thread each.
extern "C" __global__ void solve_lower(const double *l, double *x, int n,
                                       int sides) {
  int side = blockIdx.x * blockDim.x + threadIdx.x;
  if (side >= sides)
    return;
  for (int row = 0; row < n; ++row) {
    double value = x[row * sides + side];
    for (int col = 0; col < row; ++col)
      value -= l[row * n + col] * x[col * sides + side];
    x[row * sides + side] = value / (8 + l[row * n + row]);
  }
}

// A packed lower triangle times a vector.
extern "C" __global__ void packed_product(const float *packed, const float *x,
                                          float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int col = 0; col <= row; ++col)
    sum += packed[row * (row + 1) / 2 + col] * x[col];
  for (int col = row + 1; col < n; ++col)
    sum += packed[col * (col + 1) / 2 + row] * x[col];
  y[row] = sum;
}

// Causal attention: the values up to a row, weighted.
extern "C" __global__ void causal_values(const float *weights,
                                         const float *values, float *out,
                                         int heads, int rows, int width) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= heads * rows * width)
    return;
  int d = index % width;
  int row = index / width % rows;
  int head = index / (width * rows);
  float sum = 0;
  for (int t = 0; t <= row; ++t)
    sum += weights[(head * rows + row) * rows + t] *
           values[(head * rows + t) * width + d];
  out[index] = sum;
}
