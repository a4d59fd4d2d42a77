// Kernels that gpu-bench itself launches.

// A bijection of 64-bit words whose bits look random (Steele, Lea and Flood:
// Fast splittable pseudorandom number generators, 2014).
__device__ static unsigned long long scramble(unsigned long long x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

template <typename T>
__device__ static void fill(T *to, unsigned long long count, double low,
                            double high, unsigned seed, bool whole) {
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count;
       i += gridDim.x * 256ull) {
    unsigned long long bits = scramble(i ^ (unsigned long long)seed << 32);
    double unit = (bits >> 11) * 0x1p-53;
    if (low == high) // Any value.
      to[i] = whole ? T(bits) : T(unit * 8 - 4);
    else
      to[i] = whole ? T(low + (long long)(unit * (high - low + 1)))
                    : T(low + unit * (high - low));
  }
}

#define FILL(NAME, TYPE, WHOLE)                                                \
  extern "C" __global__ void fill_##NAME(TYPE *to, unsigned long long count,   \
                                         double low, double high,              \
                                         unsigned seed) {                      \
    fill(to, count, low, high, seed, WHOLE);                                   \
  }
FILL(i8, signed char, true)
FILL(u8, unsigned char, true)
FILL(i16, short, true)
FILL(u16, unsigned short, true)
FILL(i32, int, true)
FILL(u32, unsigned, true)
FILL(i64, long long, true)
FILL(u64, unsigned long long, true)
FILL(f32, float, false)
FILL(f64, double, false)

// The yardstick: 16 bytes a thread, read once and written once. A uint4 is a
// struct, which clang copies in parts.
typedef unsigned vector __attribute__((ext_vector_type(4)));
extern "C" __global__ void copy(const vector *in, vector *out,
                                unsigned long long count) {
  unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i < count)
    out[i] = in[i];
}

// Keeps the GPU busy while the host queues what is to be timed.
extern "C" __global__ void spin(long long clocks) {
  long long start = clock64();
  while (clock64() - start < clocks)
    ;
}

// found[0] counts bytes that differ, found[1] is the largest relative
// difference of f32 values, as bits: positive floats are ordered as their bits
// are.
extern "C" __global__ void differences(const unsigned char *a,
                                       const unsigned char *b,
                                       unsigned long long bytes, int floats,
                                       unsigned long long *found) {
  unsigned long long different = 0;
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < bytes;
       i += gridDim.x * 256ull) {
    different += a[i] != b[i];
    if (floats && i % 4 == 0) {
      float x = *(const float *)(a + i), y = *(const float *)(b + i);
      float larger = fmaxf(fabsf(x), fabsf(y));
      // Two NaNs are equal; one is a difference beyond any bound.
      bool nan = isnan(x) || isnan(y);
      float ratio = nan      ? (isnan(x) && isnan(y) ? 0.0f : INFINITY)
                    : x == y ? 0.0f
                             : fabsf(x - y) / larger;
      atomicMax(found + 1, (unsigned long long)__float_as_uint(ratio));
    }
  }
  if (different)
    atomicAdd(found, different);
}
