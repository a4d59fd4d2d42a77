// Remarks use the names and operators of the source; values without a name are
// numbered, and a legend says where they are. Each remark has a line, also where
// LLVM merged code: clang never says that it could not determine one.

// REQUIRES: cuda
// DEFINE: %{device} = %clang-cuda -O3 --cuda-device-only -S -o /dev/null %s -Xarch_device -fpass-plugin=%plugin -Rpass=index-simplify -Rpass-missed=index-simplify -Rpass-analysis=index-simplify
// RUN: %{device} -g -Xclang -debug-info-kind=limited 2>&1 | FileCheck %s --implicit-check-not='could not determine' --implicit-check-not=tdiv --implicit-check-not='u(' --implicit-check-not=th_x
// RUN: %{device} 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not='could not determine' --implicit-check-not=tdiv

// An unsigned reading is a cast. Without names of the source, arguments are
// counted from 0, and no line is suggested that would not compile.
// CHECK: remark-names.cu:[[@LINE+6]]:{{[0-9]+}}: remark: value is floor(threadIdx.x / unsigned(width)); no new code
// CHECK: remark-names.cu:[[@LINE+5]]:{{[0-9]+}}: remark: address is 4 * threadIdx.x; new code costs 1
// CHECK: remark-names.cu:[[@LINE+4]]:{{[0-9]+}}: remark: divisors are known at run time only: width (1 division). A size that is always the same can be constexpr or a template parameter, or stated: UNRAVEL_ASSUME(width == 75); [
// PLAIN: value is floor(threadIdx.x / unsigned(argument 1)); no new code
// PLAIN: divisors are known at run time only: argument 1 (1 division). A size that is always the same can be constexpr or a template parameter [
extern "C" __global__ void names(int *out, int width) {
  out[threadIdx.x / 75 * 75 + threadIdx.x % 75] = threadIdx.x / width;
}

// CHECK: remark: address is 4 * v1 (v1: the value computed at line [[@LINE+4]]:{{[0-9]+}});
// PLAIN: remark: address is 4 * v1 (v1: the value computed at line [[@LINE+3]]:{{[0-9]+}});
extern "C" __global__ void legend(int *out, const int *in) {
  int x = threadIdx.x;
  out[in[x] / 75 * 75 + in[x] % 75] = x;
}

// Both branches compute i / m, which LLVM does once.
// CHECK: remark-names.cu:[[@LINE+14]]:{{[0-9]+}}: remark: address is 4 * (i / m) - 4 * m * (i / (m * m));
// CHECK: remark-names.cu:[[@LINE+13]]:{{[0-9]+}}: remark: 2 facts together save {{.*}} UNRAVEL_ASSUME(m >= 0); UNRAVEL_NO_WRAP_GRID(); or in a facts file
// PLAIN: remark: 2 facts together save {{.*}} To state them: in a facts file {"kernels": {"merged": {"args": {"3": {"min": 0}}}}} and -Xarch_device -mllvm=-index-simplify-promise-index-fits
extern "C" __global__ void merged(int *out, const int *in, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n > 3) {
    out[i / 75 * 75 + i % 75 + 1] = i;
    i = i / m;
  } else {
    out[i / 75 * 75 + i % 75 + 2] = i;
    i = i / m;
  }
  // clang-format off
  //
  out[i % m] = 1;
}

// Of a kernel with two bodies, the remark says which one it is about.
// CHECK: remark-names.cu:[[@LINE+2]]:1: remark: launches with w > 0, h > 0, {{.*}} take a faster body: [[#]] instead of [[#]] SASS instructions of a thread, those in loops counted by depth. It adds [[#]] instructions of code to [[#]] [
// CHECK: remark: address simplified to base + {{.*}} floor((w + i) / (w * h)), in the fast body [
extern "C" __global__ void periodic(float *out, const float *in, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int y = i / w, x = i % w;
  out[i] = in[(y + h - 1) % h * w + x] + in[(y + 1) % h * w + x];
}

// A value that has no variable can be given one.
// CHECK: remark-names.cu:[[@LINE+4]]:{{[0-9]+}}: remark: 1 division stays signed, because nothing says that the dividend >= 0. Give the value a variable of its own, and state it of that. Predicted saving: [[#]] of [[#]]
// PLAIN: says that the dividend >= 0. With -g -Xclang -debug-info-kind=limited, and -S, this remark says its name. Predicted saving
extern "C" __global__ void unnamed(int *out, const int *in) {
  //
  out[threadIdx.x] = in[threadIdx.x] / 75;
}
