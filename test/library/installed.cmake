# Installs into the build tree, looks at what is there, uses it as a user would,
# and builds the project of docs/frontend.md against it:
#   cmake -DBuild=.. -DSource=.. -DProgram=.. -DLLVM_DIR=.. -DGenerator=.. -DCompiler=.. -P installed.cmake
set(Here ${Build}/test/library)
set(Prefix ${Here}/prefix)
file(REMOVE_RECURSE ${Prefix} ${Here}/build)
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE Output)
  set(Output "${Output}" PARENT_SCOPE)
endfunction()

# What is installed: all of this, and nothing else.
run(${CMAKE_COMMAND} --install ${Build} --prefix ${Prefix})
file(GLOB_RECURSE Installed RELATIVE ${Prefix} ${Prefix}/*)
set(Expected bin/access-report bin/fusion-emit bin/index-map bin/kernel-fuzz bin/kernel-run
  bin/ptx-compare bin/ptx-fuzz bin/ptx-simplify bin/unravel-ptxas
  bin/unravel-toolkit include/unravel.h lib/unravel/Unravel.so
  lib/unravel/unravel.cfg lib/unravel/unravel-cuda.cmake
  lib/unravel/unravel-cuda-link.cmake
  lib/unravel/UnravelConfig.cmake
  lib/unravel/UnravelConfigVersion.cmake lib/unravel/UnravelTargets.cmake
  lib/unravel/UnravelTargets-release.cmake share/doc/unravel/LICENSE)
foreach(Tool access-report fusion-emit index-map kernel-fuzz kernel-run ptx-compare ptx-fuzz
    ptx-simplify unravel-ptxas unravel-toolkit)
  list(APPEND Expected share/man/man1/${Tool}.1 share/bash-completion/completions/${Tool})
endforeach()
file(STRINGS ${Source}/cmake/rooms.txt Rows REGEX "^(analysis|transforms)")
foreach(Row IN LISTS Rows)
  string(REGEX REPLACE " +" ";" Row "${Row}")
  list(GET Row 0 Folder)
  list(GET Row 1 Library)
  list(APPEND Expected lib/unravel/lib${Library}.a)
  file(GLOB Headers RELATIVE ${Source} ${Source}/${Folder}/*.h
    ${Source}/${Folder}/*.def)
  list(TRANSFORM Headers PREPEND include/unravel/)
  list(APPEND Expected ${Headers})
endforeach()
foreach(File IN LISTS Expected)
  list(FIND Installed ${File} At)
  if(At EQUAL -1)
    message(SEND_ERROR "not installed: ${File}")
  endif()
endforeach()
list(REMOVE_ITEM Installed ${Expected})
if(Installed)
  message(SEND_ERROR "installed, but no user needs it: ${Installed}")
endif()

# The tools find what they need.
run(${Prefix}/bin/ptx-compare ${Source}/cuda_samples/ir/reshape3.ll)
if(NOT Output MATCHES "reshape3")
  message(FATAL_ERROR "ptx-compare printed\n${Output}")
endif()
foreach(Tool access-report fusion-emit index-map kernel-fuzz kernel-run ptx-fuzz ptx-simplify
    unravel-toolkit)
  run(${Prefix}/bin/${Tool} --help)
endforeach()

run(${CMAKE_COMMAND} -G ${Generator} -S ${Program} -B ${Here}/build
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=${Compiler} -DLLVM_DIR=${LLVM_DIR}
  -DCMAKE_PREFIX_PATH=${Prefix})
run(${CMAKE_COMMAND} --build ${Here}/build)
run(${Here}/build/my-compiler)
file(READ ${Program}/program.txt Expected)
if(NOT Output STREQUAL Expected)
  message(FATAL_ERROR "printed\n${Output}\nexpected\n${Expected}")
endif()
