#!/usr/bin/env bash
# Usage: scripts/sanitize.sh [CTEST-OPTION...]
#
# Runs the unit tests, the lit tests, the hostile modules and the fuzzers, a
# fixed number of inputs each, under AddressSanitizer (with LeakSanitizer) and
# UndefinedBehaviorSanitizer, with assertions, built by clang 22 into
# build-asan/. Not the unit tests that go through all values of a domain, or
# through thousands of random ones: they are about numbers, repeat the same code,
# and would take a third of the time.
set -euo pipefail

# shellcheck source=scripts/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
# shellcheck source=scripts/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

case ${1:-} in -h | --help)
  print_usage "$0"
  exit 0
  ;;
esac
setup libclang-rt-22-dev

# The plugin is instrumented but opt, which loads it, is not: both get one
# shared runtime, which the lit configuration preloads into opt and clang.
runtime_dir=$("$UNRAVEL_LLVM/bin/clang++" -print-runtime-dir)
export CC=$UNRAVEL_LLVM/bin/clang CXX=$UNRAVEL_LLVM/bin/clang++
export CXXFLAGS=-gline-tables-only # for file and line in the reports
export LDFLAGS="-shared-libasan -Wl,-rpath,$runtime_dir"
# libLLVM's allocators are not instrumented, ours (inlined from its headers)
# are: poison set by one side would be unknown to the other.
export ASAN_OPTIONS=detect_leaks=1:allow_user_poisoning=0
export LSAN_OPTIONS=suppressions=$UNRAVEL_ROOT/test/leaks.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1

# By their names: EveryPoint, OfAllValues, RandomMaps, BruteForce, and the suites
# of the algebra that go through all values of their forms.
EXHAUSTIVE='Every|AllValues|AllSizes|Random|BruteForce|Soundness'
EXHAUSTIVE+='|(BitOperations|FloorBasis|IndexConditions|MinMax|SymbolicDivision)Values\.'

UNRAVEL_BUILD_DIR=$UNRAVEL_ROOT/build-asan
# -O1: instrumented code takes twice as long to compile at -O3.
UNRAVEL_CMAKE_ARGS="-DUNRAVEL_SANITIZE=ON -DCMAKE_CXX_FLAGS_RELEASE=-O1 ${UNRAVEL_CMAKE_ARGS:-}"
build
say "running the unit tests, the lit tests, the hostile modules and the fuzzers" \
  "under the sanitizers"
ctest --test-dir "$UNRAVEL_BUILD_DIR" --output-on-failure --no-tests=error \
  -j "$(nproc)" -L '^(unit|lit|hostile|fuzz)$' -E "$EXHAUSTIVE" "$@" || fail "tests failed under the sanitizers"
say "the sanitizers found nothing"
