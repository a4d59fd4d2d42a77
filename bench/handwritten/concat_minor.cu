// Lines of 5, of 9, and of 2 side by side: f32[16,16].
extern "C" __global__ void __launch_bounds__(128)
    concat_minor(const float *__restrict__ a, const float *__restrict__ b,
                 const float *__restrict__ c, float *__restrict__ out) {
  unsigned i = blockIdx.x * 128 + threadIdx.x;
  unsigned row = i / 16, column = i % 16;
  out[i] = column < 5    ? a[row * 5 + column]
           : column < 14 ? b[row * 9 + column - 5]
                         : c[row * 2 + column - 14];
}
