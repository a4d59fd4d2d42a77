#!/usr/bin/env bash
# Usage: scripts/test.sh [CTEST-OPTION...]
#
# Runs every test: sets this machine up, builds, and calls ctest. For example
# `scripts/test.sh -R Interval` runs the tests whose name has Interval in it.
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
# What the tests of installation make: Debian packages, wheels, the examples.
setup dpkg-dev make python3-pip python3-setuptools python3-wheel
build
say "running the tests"
ctest --test-dir "$UNRAVEL_BUILD_DIR" --output-on-failure --no-tests=error \
  -j "$(nproc)" "$@" || fail "tests failed; a single one: scripts/test.sh -R NAME"
say "all tests passed${UNRAVEL_CUDA_PATH:+ (CUDA from $UNRAVEL_CUDA_PATH)}"
[[ -n $UNRAVEL_CUDA_PATH ]] || say "without CUDA, so those that need it did not run"
