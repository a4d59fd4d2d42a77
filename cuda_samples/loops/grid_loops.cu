// Grid-stride loops that need the coordinates of their counter.

// Three grid-stride loops inside each other.
extern "C" __global__ void scale_volume(float *data, const float *sx,
                                        const float *sy, const float *sz,
                                        int nx, int ny, int nz) {
  for (int z = blockIdx.z * blockDim.z + threadIdx.z; z < nz;
       z += blockDim.z * gridDim.z)
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ny;
         y += blockDim.y * gridDim.y)
      for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < nx;
           x += blockDim.x * gridDim.x)
        data[(z * ny + y) * nx + x] *= sx[x] * sy[y] * sz[z];
}

// A permute of four axes.
extern "C" __global__ void permute_nhwc(int total, const float *in, float *out,
                                        int channels, int height, int width) {
#pragma unroll 4
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total;
       index += blockDim.x * gridDim.x) {
    int c = index % channels;
    int w = index / channels % width;
    int h = index / channels / width % height;
    int n = index / channels / width / height;
    out[index] = in[((n * channels + c) * height + h) * width + w];
  }
}

// Distances of all pairs of points.
extern "C" __global__ void pair_distances(const float *points, float *out,
                                          size_t count, int dims) {
  for (size_t pair = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
       pair < count * count; pair += size_t(blockDim.x) * gridDim.x) {
    size_t i = pair / count, j = pair % count;
    float sum = 0;
    for (int d = 0; d < dims; ++d) {
      float difference = points[i * dims + d] - points[j * dims + d];
      sum += difference * difference;
    }
    out[pair] = sum;
  }
}
