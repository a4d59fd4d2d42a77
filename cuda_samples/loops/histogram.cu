// Histograms.

// In shared memory, then added to the whole; the block walks over the data.
#define BINS 64
extern "C" __global__ void histogram_block(const int *in, unsigned *bins,
                                           int count) {
  __shared__ unsigned local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += blockDim.x * gridDim.x)
    atomicAdd(&local[in[i] % BINS], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    atomicAdd(&bins[b], local[b]);
}

// Of each channel of packed pixels: the counter says channel and pixel.
extern "C" __global__ void histogram_channels(const unsigned char *in,
                                              unsigned *bins, unsigned pixels,
                                              unsigned channels,
                                              unsigned levels) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
       i < pixels * channels; i += blockDim.x * gridDim.x) {
    unsigned c = i % channels;
    unsigned level = in[i] * levels / 256;
    atomicAdd(&bins[c * levels + level], 1u);
  }
}
