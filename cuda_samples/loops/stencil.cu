// Stencils inside a frame.

// Two fields, constant neighbours, steps in time over planes of z.
extern "C" __global__ void laplace_planes(const float *__restrict__ u,
                                          const float *__restrict__ v,
                                          float *__restrict__ out, int nx,
                                          int ny, int nz) {
  int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i >= ny - 1 || j >= nx - 1)
    return;
  for (int z = 0; z < nz; ++z) {
    int at = (z * ny + i) * nx + j;
    out[at] = u[at + 1] + u[at - 1] + u[(z * ny + i + 1) * nx + j] +
              u[(z * ny + i - 1) * nx + j] - 4 * u[at] + v[at + 1] + v[at - 1] +
              v[(z * ny + i + 1) * nx + j] + v[(z * ny + i - 1) * nx + j] -
              4 * v[at];
  }
}

// A star of radius 4 in three axes, marching along z.
#define RADIUS 4
extern "C" __global__ void star3d(const float *__restrict__ in,
                                  float *__restrict__ out,
                                  const float *__restrict__ weights, int nx,
                                  int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + RADIUS;
  int y = blockIdx.y * blockDim.y + threadIdx.y + RADIUS;
  if (x >= nx - RADIUS || y >= ny - RADIUS)
    return;
  for (int z = RADIUS; z < nz - RADIUS; ++z) {
    int at = (z * ny + y) * nx + x;
    float sum = weights[0] * in[at];
#pragma unroll
    for (int r = 1; r <= RADIUS; ++r)
      sum += weights[r] *
             (in[at + r] + in[at - r] + in[at + r * nx] + in[at - r * nx] +
              in[at + r * nx * ny] + in[at - r * nx * ny]);
    out[at] = sum;
  }
}

// A box of run-time radius with clamped coordinates, pixels of several
// channels.
extern "C" __global__ void box_blur(const float *in, float *out, int width,
                                    int height, int channels, int radius) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= width * height * channels)
    return;
  int c = index % channels;
  int x = index / channels % width;
  int y = index / channels / width;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    int yy = min(max(y + dy, 0), height - 1);
    for (int dx = -radius; dx <= radius; ++dx) {
      int xx = min(max(x + dx, 0), width - 1);
      sum += in[(yy * width + xx) * channels + c];
    }
  }
  out[index] = sum / ((2 * radius + 1) * (2 * radius + 1));
}
