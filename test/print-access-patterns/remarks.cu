// Remarks of the pipelines say what each access costs, and only when asked for.

// REQUIRES: cuda
// DEFINE: %{compile} = %clang-cuda -O3 --cuda-device-only -S -o /dev/null -gline-tables-only \
// DEFINE:   -Xarch_device -fpass-plugin=%plugin
// RUN: %{compile} -Rpass-analysis=access-patterns %s 2>&1 | FileCheck %s
// RUN: %{compile} %s 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// SILENT-NOT: remark

__global__ __launch_bounds__(128) void twice(float *out, const float *in) {
  int i = blockIdx.x * 128 + threadIdx.x;
  // CHECK: [[#@LINE+2]]:{{.*}}remark: load, global, 4 bytes a lane: stride 8 bytes; sectors: 8, ideal: 4, efficiency: 0.50; {{.*}}hint: array of structures of 8 bytes{{.*}}; blocks of 128 x 1 x 1 threads (assumed: the launch bound of the kernel)
  // CHECK: [[#@LINE+1]]:{{.*}}remark: store, global, 4 bytes a lane: consecutive, 4 bytes apart; sectors: 4, ideal: 4
  out[i] = in[2 * i];
}
