// f32[6,35,22] -> [10,21,22] -> 102 -> [14,330] -> 10 -> [660,7]. Number i of
// the result is in row r = i / 14 of the [330,14], so it is number n = (i - 14
// r) * 330 + r of the [21,10,22]; with q = n / 22, which is x * 10 + y, that is
// y * 462 + x * 22 + (n - q * 22) = n + q * 440 - x * 4598 of the input.
extern "C" __global__ void __launch_bounds__(128)
    reshape_deep(const float *__restrict__ in, float4 *__restrict__ out) {
  unsigned i = blockIdx.x * 128 + threadIdx.x;
  if (i >= 660 * 7 / 4)
    return;
  float v[4];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    unsigned r = (4 * i + k) / 14, n = (4 * i + k) * 330 - r * 4619;
    unsigned q = n / 22;
    v[k] = -in[n + q * 440 - q / 10 * 4598];
  }
  out[i] = make_float4(v[0], v[1], v[2], v[3]);
}
