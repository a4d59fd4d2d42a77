// Stencils on periodic grids, in a loop.

// Heat on a torus, marching along z; all neighbours by remainders.
extern "C" __global__ void heat_torus(const double *in, double *out, int nx,
                                      int ny, int nz, double k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int east = (x + 1) % nx, west = (x + nx - 1) % nx;
  int north = (y + 1) % ny, south = (y + ny - 1) % ny;
  for (int z = 0; z < nz; ++z) {
    int up = (z + 1) % nz, down = (z + nz - 1) % nz;
    double here = in[(z * ny + y) * nx + x];
    double around =
        in[(z * ny + y) * nx + east] + in[(z * ny + y) * nx + west] +
        in[(z * ny + north) * nx + x] + in[(z * ny + south) * nx + x] +
        in[(up * ny + y) * nx + x] + in[(down * ny + y) * nx + x];
    out[(z * ny + y) * nx + x] = here + k * (around - 6 * here);
  }
}

// Game of life: one index, a loop over the eight neighbours.
extern "C" __global__ void
life_wrap(const unsigned char *in, unsigned char *out, int width, int height) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= width * height)
    return;
  int x = index % width;
  int y = index / width;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0)
        alive +=
            in[(y + dy + height) % height * width + (x + dx + width) % width] &
            1;
  out[index] = alive == 3 || (alive == 2 && (in[index] & 1));
}
