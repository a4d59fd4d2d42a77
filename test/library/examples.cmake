# Builds each project of examples/ against the tree that installed.cmake installed:
#   cmake -DBuild=.. -DSource=.. -DGenerator=.. -DCuda=.. -DPython=.. -P examples.cmake
set(Here ${Build}/test/library)
set(Prefix ${Here}/prefix)
set(Plugin ${Prefix}/lib/unravel)
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE Output)
  set(Output "${Output}" PARENT_SCOPE)
endfunction()

if(NOT EXISTS ${Cuda}/bin/nvcc OR NOT EXISTS ${Cuda}/lib64/libcudart.so)
  message("skipped: ${Cuda} has no bin/nvcc or no lib64/libcudart.so")
  return()
endif()
file(REMOVE_RECURSE ${Here}/examples)
file(COPY ${Source}/examples DESTINATION ${Here})

# make and CMake: whole programs, with device code in one file and in two, which
# start. Without a GPU they say so and exit with 2.
set(Programs build/bias build/bias-linked)
find_program(Make make)
if(Make)
  run(${Make} -C ${Here}/examples/make UNRAVEL=${Plugin} CUDA_PATH=${Cuda})
  list(APPEND Programs make/bias make/bias-linked)
else()
  message("examples/make: skipped, as there is no make")
endif()
run(${CMAKE_COMMAND} -G ${Generator} -S ${Here}/examples/cmake -B ${Here}/examples/build
  -DCMAKE_TOOLCHAIN_FILE=${Plugin}/unravel-cuda.cmake -DCUDAToolkit_ROOT=${Cuda}
  "-DCMAKE_CUDA_ARCHITECTURES=80;90")
run(${CMAKE_COMMAND} --build ${Here}/examples/build --verbose)
if(NOT Output MATCHES "unravel.cfg")
  message(FATAL_ERROR "CMake did not compile with unravel.cfg:\n${Output}")
endif()
foreach(Program IN LISTS Programs)
  execute_process(COMMAND ${Here}/examples/${Program} RESULT_VARIABLE Status
    OUTPUT_VARIABLE Output ERROR_VARIABLE Error)
  if(NOT "${Status}${Output}" STREQUAL "060000 of 60000 elements are right\n" AND
     NOT (Status EQUAL 2 AND Error MATCHES "^CUDA: "))
    message(FATAL_ERROR "${Program} exits with ${Status}:\n${Output}${Error}")
  endif()
endforeach()

# The PyTorch extension. Without PyTorch, nvcc compiles its kernels by the command
# that torch.utils.cpp_extension (2.15) makes.
set(Extension ${Here}/examples/pytorch)
set(Toolkit ${Here}/toolkit)
run(${Prefix}/bin/unravel-toolkit --cuda ${Cuda} ${Toolkit})
set(ENV{UNRAVEL_LOG} ${Extension}/log)
execute_process(COMMAND ${Python} -c "import torch, setuptools" RESULT_VARIABLE NoTorch
  OUTPUT_QUIET ERROR_QUIET)
if(NoTorch)
  message("examples/pytorch: ${Python} has no PyTorch, so only the kernels are compiled")
  run(${Toolkit}/bin/nvcc -c ${Extension}/bias_kernel.cu -o ${Extension}/bias_kernel.o
    -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__
    -D__CUDA_NO_BFLOAT16_CONVERSIONS__ -D__CUDA_NO_HALF2_OPERATORS__
    --expt-relaxed-constexpr --compiler-options -fPIC
    -DTORCH_API_INCLUDE_EXTENSION_H -DTORCH_EXTENSION_NAME=bias
    -gencode=arch=compute_90,code=sm_90 -std=c++20)
else()
  set(ENV{CUDA_HOME} ${Toolkit})
  set(ENV{TORCH_CUDA_ARCH_LIST} 9.0)
  execute_process(COMMAND ${Python} setup.py build_ext --inplace
    WORKING_DIRECTORY ${Extension} COMMAND_ERROR_IS_FATAL ANY)
endif()
file(READ ${Extension}/log Log)
if(NOT Log MATCHES "\"outcome\": \"simplified\"")
  message(FATAL_ERROR "the kernel of the extension was not simplified:\n${Log}")
endif()
