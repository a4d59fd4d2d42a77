# Another major version of LLVM or clang is refused, with a remedy, wherever CMake
# meets it:
#   cmake -DBuild=.. -DSource=.. -DProgram=.. -DGenerator=.. -DCompiler=.. -P other-llvm.cmake
set(Here ${Build}/test/library/other-llvm)
file(REMOVE_RECURSE ${Here})
# An LLVM of the next major as its packages are for CMake, and a clang.
file(WRITE ${Here}/llvm/LLVMConfig.cmake [[
set(LLVM_PACKAGE_VERSION 23.1.0)
set(LLVM_VERSION_MAJOR 23)
add_library(LLVM SHARED IMPORTED)
]])
file(WRITE ${Here}/clang++ "#!/bin/sh\necho 'clang version 23.1.0'\n")
file(CHMOD ${Here}/clang++ PERMISSIONS OWNER_READ OWNER_EXECUTE)

function(expect_error Name Expected)
  execute_process(RESULT_VARIABLE Status OUTPUT_VARIABLE Output ERROR_VARIABLE Error
    COMMAND ${CMAKE_COMMAND} -G ${Generator} -B ${Here}/${Name}
      -DCMAKE_CXX_COMPILER=${Compiler} ${ARGN})
  # CMake breaks the lines of messages.
  string(REGEX REPLACE "[ \n]+" " " Error "${Error}")
  if(Status EQUAL 0 OR NOT Error MATCHES "${Expected}")
    message(FATAL_ERROR "${Name}: exits with ${Status}:\n${Error}")
  endif()
endfunction()

expect_error(build "needs LLVM 22, found 23.1.0 in .*llvm-22-dev.*ptx-simplify"
  -S ${Source} -DLLVM_DIR=${Here}/llvm)
expect_error(none "needs LLVM 22, found none.*llvm-22-dev.*ptx-simplify"
  -S ${Source} -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON)
expect_error(library "of version 22: .*Found: LLVM 23.1.0.*ptx-simplify"
  -S ${Program} -DLLVM_DIR=${Here}/llvm -DCMAKE_PREFIX_PATH=${Build}/test/library/prefix)
expect_error(toolchain "plugin for clang 22, and .*clang\\+\\+ is another compiler.*unravel-toolkit"
  -S ${Source}/examples/cmake -DUNRAVEL_CLANG=${Here}/clang++
  -DCMAKE_TOOLCHAIN_FILE=${Build}/test/library/prefix/lib/unravel/unravel-cuda.cmake)
