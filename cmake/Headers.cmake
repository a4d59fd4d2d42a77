# The headers of LLVM that most files need, compiled once for all: reading them
# takes a third of a build. None of ours, so that a change to one compiles no
# more than what includes it. CMAKE_DISABLE_PRECOMPILE_HEADERS builds without.
set(UNRAVEL_HEADERS_support
  <llvm/ADT/DenseMap.h>
  <llvm/ADT/MapVector.h>
  <llvm/ADT/STLExtras.h>
  <llvm/ADT/StringExtras.h>
  <llvm/ADT/StringMap.h>
  <llvm/Support/Error.h>
  <llvm/Support/FormatVariadic.h>
  <llvm/Support/JSON.h>
  <llvm/Support/MathExtras.h>
  <llvm/Support/raw_ostream.h>
  <map> <numeric> <optional> <random> <set> <string> <vector>)
set(UNRAVEL_HEADERS_ir ${UNRAVEL_HEADERS_support}
  <llvm/Analysis/AssumptionCache.h>
  <llvm/Analysis/LoopInfo.h>
  <llvm/Analysis/ScalarEvolution.h>
  <llvm/Analysis/ValueTracking.h>
  <llvm/IR/Dominators.h>
  <llvm/IR/IRBuilder.h>
  <llvm/IR/InstIterator.h>
  <llvm/IR/Instructions.h>
  <llvm/IR/IntrinsicInst.h>
  <llvm/IR/IntrinsicsNVPTX.h>
  <llvm/IR/Module.h>
  <llvm/IR/PassManager.h>
  <llvm/IR/PatternMatch.h>)

# Kind is LIBRARY, PROGRAM or TEST: the first target of a kind and level (of
# rooms.txt) compiles the headers, together with more ones, and the others, which
# are compiled with the same options, take them from it.
function(unravel_precompile_headers Target Kind Level)
  set(Name UNRAVEL_HEADERS_${Kind}_${Level})
  get_property(First GLOBAL PROPERTY ${Name})
  if(First)
    target_precompile_headers(${Target} REUSE_FROM ${First})
    return()
  endif()
  set_property(GLOBAL PROPERTY ${Name} ${Target})
  target_precompile_headers(${Target} PRIVATE
    ${UNRAVEL_HEADERS_${Level}} ${ARGN})
endfunction()
