// Laplacian on a periodic lattice: the neighbours by remainders of x + 1 and
// x - 1. The grid fits exactly, so there is no guard.
//
// A perfect simplifier divides once; x and y are in their ranges, so each wrap
// is a comparison and a select. All sizes are positive.

#include "../check.h"

extern "C" __global__ void stencil_periodic(const double *in, double *out,
                                            int width, int height,
                                            double scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % width;
  int y = i / width;
  int east = (x + 1) % width;
  int west = (width + x - 1) % width;
  int north = ((y + 1) % height) * width;
  int south = ((height + y - 1) % height) * width;
  y *= width;
  out[x + y] = scale * (4.0 * in[x + y] - in[east + y] - in[west + y] -
                        in[x + north] - in[x + south]);
}

extern "C" __global__ void stencil_periodic_ideal(const double *in, double *out,
                                                  int width, int height,
                                                  double scale) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = i / unsigned(width);
  unsigned line = y * width;
  unsigned x = i - line;
  unsigned last = width - 1;
  unsigned size = width * height;
  unsigned east = x == last ? line : i + 1;
  unsigned west = x == 0 ? i + last : i - 1;
  unsigned north = y == unsigned(height) - 1 ? x : i + width;
  unsigned south = y == 0 ? i + size - width : i - width;
  out[i] = scale * (4.0 * in[i] - in[east] - in[west] - in[north] - in[south]);
}

int main() {
  const int W = 12, H = 10;
  std::vector<double> In = makeInput<double>(W * H, 1), Want;
  for (int Y = 0; Y < H; ++Y)
    for (int X = 0; X < W; ++X) {
      int East = X + 1 < W ? X + 1 : 0, West = X > 0 ? X - 1 : W - 1;
      int North = Y + 1 < H ? Y + 1 : 0, South = Y > 0 ? Y - 1 : H - 1;
      Want.push_back(0.5 * (4.0 * In[Y * W + X] - In[Y * W + East] -
                            In[Y * W + West] - In[North * W + X] -
                            In[South * W + X]));
    }

  DeviceBuffer<double> DIn(In), DOut(Want.size());
  for (auto *Kernel : {stencil_periodic, stencil_periodic_ideal}) {
    Kernel<<<H, W>>>(DIn.get(), DOut.get(), W, H, 0.5);
    expectOutput("stencil_periodic", DOut, Want);
  }
  std::puts("stencil_periodic: OK");
}
