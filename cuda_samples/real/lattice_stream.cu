// Streaming step of a lattice-Boltzmann method: each population comes from a
// neighbour, and an index function wraps all three coordinates with
// (x + nx) % nx. The domain is a struct that is passed by value.
//
// A perfect simplifier knows that x is in [0, nx): the cell itself needs no
// wrap, a neighbour a comparison and a select, and no division is left. All
// sizes are positive.

#include "../check.h"

struct Domain {
  int nx, ny, nz;
};

static __device__ int cellIndex(const Domain &d, int x, int y, int z) {
  return (x + d.nx) % d.nx +
         ((y + d.ny) % d.ny + ((z + d.nz) % d.nz) * d.ny) * d.nx;
}

extern "C" __global__ void lattice_stream(const float *in, float *out,
                                          Domain d) {
  int cells = d.nx * d.ny * d.nz;
  for (int z = blockIdx.z * blockDim.z + threadIdx.z; z < d.nz;
       z += blockDim.z * gridDim.z)
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < d.ny;
         y += blockDim.y * gridDim.y)
      for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < d.nx;
           x += blockDim.x * gridDim.x) {
        int here = cellIndex(d, x, y, z);
        out[here] = in[here];
        out[here + cells] = in[cellIndex(d, x - 1, y, z) + cells];
        out[here + 2 * cells] = in[cellIndex(d, x, y + 1, z) + 2 * cells];
        out[here + 3 * cells] = in[cellIndex(d, x + 1, y, z - 1) + 3 * cells];
      }
}

extern "C" __global__ void lattice_stream_ideal(const float *in, float *out,
                                                Domain d) {
  unsigned nx = d.nx, ny = d.ny, nz = d.nz;
  unsigned plane = nx * ny, cells = plane * nz;
  for (unsigned z = blockIdx.z * blockDim.z + threadIdx.z; z < nz;
       z += blockDim.z * gridDim.z)
    for (unsigned y = blockIdx.y * blockDim.y + threadIdx.y; y < ny;
         y += blockDim.y * gridDim.y)
      for (unsigned x = blockIdx.x * blockDim.x + threadIdx.x; x < nx;
           x += blockDim.x * gridDim.x) {
        unsigned line = (z * ny + y) * nx;
        unsigned here = line + x;
        unsigned west = here + (x == 0 ? nx - 1 : -1);
        unsigned north = y + 1 == ny ? here + nx - plane : here + nx;
        unsigned east_x = x + 1 == nx ? 0 : x + 1;
        unsigned below = line + (z == 0 ? cells - plane : -plane) + east_x;
        out[here] = in[here];
        out[here + cells] = in[west + cells];
        out[here + 2 * cells] = in[north + 2 * cells];
        out[here + 3 * cells] = in[below + 3 * cells];
      }
}

int main() {
  const int NX = 7, NY = 5, NZ = 4, Cells = NX * NY * NZ;
  const int Step[4][3] = {{0, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {1, 0, -1}};
  std::vector<float> In = makeInput<float>(4 * Cells, 1), Want;
  auto Wrap = [](int At, int Size) {
    return At < 0 ? At + Size : At < Size ? At : At - Size;
  };
  for (int Q = 0; Q < 4; ++Q)
    for (int Z = 0; Z < NZ; ++Z)
      for (int Y = 0; Y < NY; ++Y)
        for (int X = 0; X < NX; ++X)
          Want.push_back(
              In[Q * Cells +
                 (Wrap(Z + Step[Q][2], NZ) * NY + Wrap(Y + Step[Q][1], NY)) *
                     NX +
                 Wrap(X + Step[Q][0], NX)]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  for (auto *Kernel : {lattice_stream, lattice_stream_ideal}) {
    Kernel<<<dim3(2, 2, 1), dim3(4, 2, 2)>>>(DIn.get(), DOut.get(),
                                             Domain{NX, NY, NZ});
    expectOutput("lattice_stream", DOut, Want);
  }
  std::puts("lattice_stream: OK");
}
