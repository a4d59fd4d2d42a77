#!/usr/bin/env bash
# Usage: scripts/coverage.sh [SECONDS] [KERNEL-FUZZ-OPTION...]
#
# How much of recovery and rewriting do random kernels reach? Builds the plugin
# with clang's source-based coverage into build-coverage/, runs kernel-fuzz for
# SECONDS (default: 120), and prints line and branch coverage by file. The
# lines themselves are in build-coverage/lines/index.html.
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
seconds=${1:-120}
[[ $seconds =~ ^[0-9]+$ ]] || fail "'$seconds' is no number of seconds"
setup libclang-rt-22-dev

export CC=$UNRAVEL_LLVM/bin/clang CXX=$UNRAVEL_LLVM/bin/clang++
export CXXFLAGS='-fprofile-instr-generate -fcoverage-mapping'
export LDFLAGS=-fprofile-instr-generate
UNRAVEL_BUILD_DIR=$UNRAVEL_ROOT/build-coverage
build Unravel kernel-fuzz

# Every process merges its counts into one file.
profiles=$UNRAVEL_BUILD_DIR/profiles
rm -rf "$profiles" "$UNRAVEL_BUILD_DIR/lines"
say "running kernel-fuzz for $seconds seconds"
LLVM_PROFILE_FILE=$profiles/%m.profraw "$UNRAVEL_BUILD_DIR/bin/kernel-fuzz" \
  --load-pass-plugin="$UNRAVEL_BUILD_DIR/plugin/Unravel.so" \
  --time="$seconds" --jobs="$(nproc)" --inputs=1 \
  --output="$UNRAVEL_BUILD_DIR/findings" "${@:2}" ||
  say "there are findings in $UNRAVEL_BUILD_DIR/findings"
"$UNRAVEL_LLVM/bin/llvm-profdata" merge -o "$profiles/all.profdata" \
  "$profiles"/*.profraw

# What the pass consists of; the map text and its tools are not reachable.
cd "$UNRAVEL_ROOT"
sources=(analysis/{algebra,facts,recovery}/*.cpp transforms/*.cpp transforms/*/*.cpp)
covered() {
  "$UNRAVEL_LLVM/bin/llvm-cov" "$@" "$UNRAVEL_BUILD_DIR/plugin/Unravel.so" \
    -instr-profile="$profiles/all.profdata" -sources "${sources[@]}"
}
covered show -format=html -show-branches=count \
  -output-dir="$UNRAVEL_BUILD_DIR/lines"
covered report -show-region-summary=false -show-functions=false
