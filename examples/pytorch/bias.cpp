// bias(x): x + 1 for a dense tensor of three dimensions.
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <limits>
#include <torch/extension.h>

void launchBias(int n, int m, int k, const float *in, float *out,
                cudaStream_t stream);

static torch::Tensor bias(const torch::Tensor &X) {
  TORCH_CHECK(
      X.is_cuda() && X.scalar_type() == torch::kFloat && X.dim() == 3 &&
          X.is_contiguous(),
      "bias takes a contiguous CUDA tensor of three dimensions of floats");
  TORCH_CHECK(X.numel() <= std::numeric_limits<int>::max() - 128,
              "bias takes fewer than 2^31 - 128 elements");
  const c10::cuda::CUDAGuard Guard(X.device());
  torch::Tensor Y = torch::empty_like(X);
  if (X.numel() == 0)
    return Y;
  launchBias(X.size(0), X.size(1), X.size(2), X.data_ptr<float>(),
             Y.data_ptr<float>(), c10::cuda::getCurrentCUDAStream());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return Y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, Module) { Module.def("bias", &bias); }
