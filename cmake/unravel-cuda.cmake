# A CMake toolchain file: CUDA compiled by clang 22 with Unravel.
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/lib/unravel/unravel-cuda.cmake -S . -B build
#
# Set, where the defaults do not fit:
#   UNRAVEL_CLANG             clang++ of version 22    (clang++-22, else clang++)
#   CUDAToolkit_ROOT          the CUDA toolkit         (CUDA_PATH, else /usr/local/cuda)
#   CMAKE_CUDA_ARCHITECTURES  what to compile for      (90)
# C and C++ keep the compilers that CMake finds.
# The file is read again for each test that CMake compiles: what the user set
# has to be handed on.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES UNRAVEL_CLANG CUDAToolkit_ROOT)

find_program(UNRAVEL_CLANG NAMES clang++-22 clang++ REQUIRED)
execute_process(COMMAND ${UNRAVEL_CLANG} --version OUTPUT_VARIABLE _unravel_version)
if(NOT _unravel_version MATCHES "clang version 22\\.")
  message(FATAL_ERROR "Unravel is a plugin for clang 22, and ${UNRAVEL_CLANG} is "
    "another compiler. Set UNRAVEL_CLANG to clang++ of version 22. With any other "
    "compiler use nvcc from a toolkit that unravel-toolkit makes.")
endif()

if(NOT CUDAToolkit_ROOT)
  if(DEFINED ENV{CUDA_PATH})
    set(CUDAToolkit_ROOT $ENV{CUDA_PATH})
  else()
    set(CUDAToolkit_ROOT /usr/local/cuda)
  endif()
endif()
if(NOT EXISTS ${CUDAToolkit_ROOT}/bin/ptxas)
  message(FATAL_ERROR "There is no CUDA toolkit in ${CUDAToolkit_ROOT}, which should "
    "have bin/ptxas. Set CUDAToolkit_ROOT or the environment variable CUDA_PATH.")
endif()

set(CMAKE_CUDA_COMPILER ${UNRAVEL_CLANG})
set(CMAKE_CUDA_FLAGS_INIT
  "--config=${CMAKE_CURRENT_LIST_DIR}/unravel.cfg --cuda-path=${CUDAToolkit_ROOT} -Wno-unknown-cuda-version")
# CMake identifies clang by a program for sm_52, which CUDA 13 does not know. This
# is tried first.
set(CMAKE_CUDA_COMPILER_ID_TEST_FLAGS_FIRST "--cuda-gpu-arch=sm_90")
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
# Device code that is linked: see there. Rules of your own can include that file.
if(NOT CMAKE_USER_MAKE_RULES_OVERRIDE_CUDA)
  set(CMAKE_USER_MAKE_RULES_OVERRIDE_CUDA
    ${CMAKE_CURRENT_LIST_DIR}/unravel-cuda-link.cmake)
endif()
