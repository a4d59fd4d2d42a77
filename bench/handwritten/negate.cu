// f32[20,40,300], negated: four neighbours for a thread, whatever the
// dimensions.
extern "C" __global__ void __launch_bounds__(128)
    negate(const float4 *__restrict__ in, float4 *__restrict__ out) {
  unsigned i = blockIdx.x * 128 + threadIdx.x;
  if (i >= 20 * 40 * 300 / 4)
    return;
  float4 v = in[i];
  out[i] = make_float4(-v.x, -v.y, -v.z, -v.w);
}
