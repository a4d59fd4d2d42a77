# Installs into the build tree, builds the program against that, and runs it:
#   cmake -DBuild=.. -DProgram=.. -DLLVM_DIR=.. -DGenerator=.. -DCompiler=.. -P installed.cmake
set(Here ${Build}/test/library)
file(REMOVE_RECURSE ${Here}/prefix ${Here}/build)
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE Output)
  set(Output "${Output}" PARENT_SCOPE)
endfunction()
run(${CMAKE_COMMAND} --install ${Build} --component library --prefix ${Here}/prefix)
run(${CMAKE_COMMAND} -G ${Generator} -S ${CMAKE_CURRENT_LIST_DIR} -B ${Here}/build
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=${Compiler} -DLLVM_DIR=${LLVM_DIR}
  -DUnravel_DIR=${Here}/prefix/lib/unravel -DProgram=${Program})
run(${CMAKE_COMMAND} --build ${Here}/build)
run(${Here}/build/adopter)
file(READ ${Program}.txt Expected)
if(NOT Output STREQUAL Expected)
  message(FATAL_ERROR "printed\n${Output}\nexpected\n${Expected}")
endif()
