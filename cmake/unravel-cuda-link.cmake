# CUDA_SEPARABLE_COMPILATION with clang and CUDA 13. unravel-cuda.cmake has CMake
# read this file once it knows the CUDA compiler.
#
# To link device code, CMake (3.25 to 4.4) names each binary to fatbinary as
# -im=profile=sm_90,file=NAME. CUDA 13 has only --image3=kind=elf,sm=90,file=NAME,
# so CMake gets a script in place of fatbinary that says the one as the other.
if(NOT CMAKE_CUDA_FATBINARY OR CMAKE_CUDA_FATBINARY MATCHES "unravel-fatbinary")
  return()
endif()
execute_process(COMMAND ${CMAKE_CUDA_FATBINARY} --help
  OUTPUT_VARIABLE _unravel_options ERROR_QUIET)
if(_unravel_options MATCHES "--image3" AND NOT _unravel_options MATCHES "[(]-im[)]")
  set(_unravel_fatbinary ${CMAKE_BINARY_DIR}/CMakeFiles/unravel-fatbinary)
  file(WRITE ${_unravel_fatbinary} [[#!/bin/sh
# Made by unravel-cuda-link.cmake.
for argument in "$@"; do
  shift
  case $argument in
  -im=profile=sm_*) argument=--image3=kind=elf,sm=${argument#-im=profile=sm_} ;;
  esac
  set -- "$@" "$argument"
done
]] "exec '${CMAKE_CUDA_FATBINARY}' \"$@\"\n")
  file(CHMOD ${_unravel_fatbinary} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  if(_unravel_fatbinary MATCHES " ")
    message(WARNING "With CUDA_SEPARABLE_COMPILATION nothing links in the build "
      "folder '${CMAKE_BINARY_DIR}', because its name has a space, which CMake "
      "does not quote. Use another build folder, or one whole program.")
  endif()
  set(CMAKE_CUDA_FATBINARY ${_unravel_fatbinary})
endif()
