// Max pooling of the points in each voxel of a box (point clouds): the voxel
// index is taken apart and put together again.
//
// A perfect simplifier finds that x * Y * Z + y * Z + z is the voxel, for every
// sign and without any fact: no division is left.

#include "../check.h"

extern "C" __global__ void voxel_max_pool(int boxes, int channels,
                                          int max_points, int out_x, int out_y,
                                          int out_z, const float *features,
                                          const int *points, float *pooled,
                                          int *argmax) {
  int box = blockIdx.z;
  int channel = blockIdx.y;
  int voxels = out_x * out_y * out_z;
  for (int voxel = blockIdx.x * blockDim.x + threadIdx.x; voxel < voxels;
       voxel += blockDim.x * gridDim.x) {
    int x = voxel / (out_y * out_z);
    int y = (voxel - x * (out_y * out_z)) / out_z;
    int z = voxel % out_z;
    if (box >= boxes || channel >= channels)
      return;
    int offset = x * out_y * out_z + y * out_z + z;
    const int *list =
        points + box * out_x * out_y * out_z * max_points + offset * max_points;
    float *to = pooled + box * out_x * out_y * out_z * channels +
                offset * channels + channel;
    int *to_argmax = argmax + box * out_x * out_y * out_z * channels +
                     offset * channels + channel;
    int best = -1;
    float most = -1e30f;
    int count = list[0];
    for (int k = 1; k <= count; ++k) {
      float value = features[list[k] * channels + channel];
      if (value > most) {
        most = value;
        best = list[k];
      }
    }
    if (best != -1)
      *to = most;
    *to_argmax = best;
  }
}

extern "C" __global__ void
voxel_max_pool_ideal(int boxes, int channels, int max_points, int out_x,
                     int out_y, int out_z, const float *features,
                     const int *points, float *pooled, int *argmax) {
  unsigned box = blockIdx.z;
  unsigned channel = blockIdx.y;
  if (box >= unsigned(boxes) || channel >= unsigned(channels))
    return;
  unsigned voxels = out_x * out_y * out_z;
  for (unsigned voxel = blockIdx.x * blockDim.x + threadIdx.x; voxel < voxels;
       voxel += blockDim.x * gridDim.x) {
    unsigned cell = box * voxels + voxel;
    const int *list = points + cell * max_points;
    unsigned to = cell * channels + channel;
    int best = -1;
    float most = -1e30f;
    int count = list[0];
    for (int k = 1; k <= count; ++k) {
      float value = features[list[k] * channels + channel];
      if (value > most) {
        most = value;
        best = list[k];
      }
    }
    if (best != -1)
      pooled[to] = most;
    argmax[to] = best;
  }
}

int main() {
  const int Boxes = 2, Channels = 3, Max = 4, X = 3, Y = 5, Z = 2, Points = 40;
  const int Cells = Boxes * X * Y * Z;
  std::vector<float> Features = makeInput<float>(Points * Channels, 1);
  std::vector<int> Numbers = makeInput<int>(Cells * Max, 2), List, Best;
  std::vector<float> Want;
  for (int Cell = 0; Cell < Cells; ++Cell) {
    const int *Here = Numbers.data() + Cell * Max;
    int Count = Here[0] % Max;
    List.push_back(Count);
    for (int K = 1; K < Max; ++K)
      List.push_back(Here[K] % Points);
    const int *Listed = List.data() + Cell * Max;
    for (int C = 0; C < Channels; ++C) {
      int At = -1;
      for (int K = 1; K <= Count; ++K)
        if (At < 0 ||
            Features[Listed[K] * Channels + C] > Features[At * Channels + C])
          At = Listed[K];
      Best.push_back(At);
      Want.push_back(At < 0 ? 0.0f : Features[At * Channels + C]);
    }
  }

  DeviceBuffer<float> DFeatures(Features);
  DeviceBuffer<int> DList(List), DBest(Best.size());
  for (auto *Kernel : {voxel_max_pool, voxel_max_pool_ideal}) {
    DeviceBuffer<float> DOut(std::vector<float>(Want.size(), 0.0f));
    Kernel<<<dim3(1, Channels, Boxes), 16>>>(Boxes, Channels, Max, X, Y, Z,
                                             DFeatures.get(), DList.get(),
                                             DOut.get(), DBest.get());
    expectOutput("voxel_max_pool", DOut, Want);
    expectOutput("voxel_max_pool: argmax", DBest, Best);
  }
  std::puts("voxel_max_pool: OK");
}
