# find_package(Unravel), behind find_package(LLVM): the passes as a library.
if(NOT TARGET LLVM)
  set(Unravel_FOUND FALSE)
  set(Unravel_NOT_FOUND_MESSAGE
    "Unravel links LLVM's shared library: write find_package(LLVM), which has to be 22, in front")
  return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/UnravelTargets.cmake")
